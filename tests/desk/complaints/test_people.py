"""What players and GMs of other systems complain about: time, people, records. Not here.

The numbers are those of a list of 26 complaints; the other half is in test_orders.py.
"""

import re
from contextlib import suppress
from datetime import timedelta

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode, encode
from adjudicator.desk.acts.calendar import extend_deadline, pause_game, resume_game
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Changed, Refused
from adjudicator.desk.steps.handover import replace_player as give
from adjudicator.desk.steps.handover import resign_seat
from adjudicator.desk.steps.lock import lock_game
from tests.desk.conftest import GAME
from tests.desk.mailing import words
from tests.desk.twins import NAMES, World

ADA, BO, CLEO = "ada@example.org", "bo@example.org", "cleo@example.org"


def settings(world: World, **changes: object) -> None:
    with world.desk.store.writing() as books:
        game = books.locked(GAME)
        books.save(replace(game, settings={**game.settings, **changes}))


def everybody_orders(world: World, *, but: str = "") -> None:
    for seat, orders in world.choices("bot", 1).items():
        if seat != but and world.desk.seating(seat).kind == "player":
            world.order(seat, orders)


def subjects(world: World, reader: str) -> list[str]:
    world.mail.deliver()
    return [str(one["Subject"]) for one in world.mail.inbox.get(reader, [])]


def test_04_who_loses_a_seat_is_told_and_nobody_else_is_told_so(world: World) -> None:
    settings(world, nmr_limit=1)
    everybody_orders(world, but="red")
    world.close()
    assert f"[{GAME}] You no longer play red" in subjects(world, ADA)
    for reader in (BO, CLEO):
        assert any("The player of red has left" in words(one) for one in world.mail.inbox[reader])
        assert not [one for one in subjects(world, reader) if "You no longer" in one]


def test_05_a_step_that_was_given_more_time_gets_it(world: World) -> None:
    """A notice of a deadline leaves with the deadline itself; nothing closes at the old one."""
    first = world.desk.step().deadline
    assert first is not None
    with suppress(ZeroDivisionError), world.desk.store.writing() as books:
        extend_deadline(lock_game(books, world.desk.library, GAME, at=world.desk.at), "2h")
        raise ZeroDivisionError  # whatever may go wrong before the commit
    assert world.desk.step().deadline == first
    assert not [one for one in subjects(world, ADA) if "eadline" in one], "no change, no notice"
    world.desk.act(extend_deadline, "2h")
    assert subjects(world, ADA)[-1].endswith(": deadline moved")
    world.wait(first + timedelta(minutes=119))
    assert world.desk.step().number == 1
    world.wait(first + timedelta(hours=2, minutes=31))
    assert world.desk.step().number == 2


def test_06_no_letter_says_in_so_many_minutes(world: World) -> None:
    """Instants are absolute, by the reader's clock, with zone and offset."""
    world.say("red", "prefer: {zone: Europe/Berlin}")
    world.wait(world.desk.at + timedelta(minutes=150))
    reminder = next(
        words(one)
        for one in world.mail.inbox[ADA]
        if "waiting for your orders" in str(one["Subject"])
    )
    assert "Tue 3 Nov 2026, 00:00 (Europe/Berlin, UTC+1)" in reminder
    for letters in world.mail.inbox.values():
        for letter in letters:
            assert not re.search(r"\bin \d+ (second|minute|hour|day)s?\b", words(letter))


def test_07_late_orders_count_in_the_grace_and_others_cannot_use_it(world: World) -> None:
    everybody_orders(world, but="red")
    deadline = world.desk.step().deadline
    assert deadline is not None
    world.wait(deadline + timedelta(minutes=10))
    assert world.desk.step().number == 1
    late = f"[{GAME}] YOUR TURN: your orders are late: round 1, pick"
    assert late in subjects(world, ADA)
    assert not [one for one in subjects(world, BO) if "late" in one]
    world.order("red", world.choices("bot", 1)["red"])
    world.wait(deadline + timedelta(minutes=31))
    assert world.desk.step().number == 2
    assert world.desk.seating("red").missed == 0


def test_08_absences_have_a_budget_are_seen_by_all_and_move_no_running_deadline(
    world: World,
) -> None:
    before = world.desk.step().deadline
    world.say("red", "absent: {from: 2026-11-05, until: 2026-11-16}")
    assert world.desk.step().deadline == before
    for reader in (BO, CLEO):
        assert subjects(world, reader)[-1].endswith(": red is away for a while")
    world.say("red", "absent: {from: 2026-12-05, until: 2026-12-08}")
    assert "you have 2 of them left" in " ".join(words(world.mail.last(ADA)).split())
    world.desk.act(pause_game)
    world.wait(world.desk.at + timedelta(hours=9))
    assert world.desk.step().number == 1
    world.desk.act(resume_game)
    assert subjects(world, BO)[-1].endswith(": the game continues")


def test_09_nobody_gets_more_time_by_leaving_and_coming_back(world: World) -> None:
    """Nobody has two seats, and the days of absence are a person's, whatever the seat."""
    with pytest.raises(Refused, match="already plays red"):
        world.desk.act(give, "blue", "Ada")
    world.say("red", "absent: {from: 2026-11-05, until: 2026-11-16}")
    world.desk.act(resign_seat, "red", by="gm")
    world.desk.act(give, "blue", "Ada")
    key = world.post.key("blue", seating=world.desk.seating("blue").number)
    again = "absent: {from: 2026-11-20, until: 2026-11-25}"
    world.mail.write(ADA, f"game: {GAME}\nkey: {key}\n{again}")
    told = " ".join(words(world.mail.last(ADA)).split())
    assert "you have 2 of them left" in told


def test_10_the_gm_hands_a_dead_seat_over_by_letter(world: World) -> None:
    """With one line; the substitute has a full deadline, what stands, and a key of their own."""
    world.wait(world.desk.at + timedelta(minutes=100))
    before, old = world.desk.step().deadline, world.post.key("red")
    assert before is not None
    world.say("gm", "gm: [replace red zoe@example.com]")
    deadline = world.desk.step().deadline
    assert deadline == world.desk.at + timedelta(hours=3) > before
    world.mail.deliver()
    letters = [words(one) for one in world.mail.inbox["zoe@example.com"]]
    assert any("You play red in tiny now" in one for one in letters)
    assert any("Your hand".upper() in one for one in letters), "the last report comes, too"
    assert world.mail.write(ADA, f"game: {GAME}\nkey: {old}\nplay: owl").reason == "wrong key"


def test_11_what_becomes_of_orders_on_file_is_told_to_who_leaves(world: World) -> None:
    card = world.position().hands["red"][0]
    world.order("red", {"play": card})
    world.say("gm", "gm: [bot red]")
    told = " ".join(words(world.mail.last(ADA)).split())
    assert "Your orders (receipt 1) stay on file and count: round 1, pick." in told
    step = world.close()
    executed = [o for o in world.desk.see(lambda b: b.orders(GAME, step.number)) if o.executed]
    assert decode(next(o for o in executed if o.seat == "red").orders) == {"play": card}


def test_18_who_wants_few_letters_gets_few(world: World) -> None:
    world.say("blue", "prefer: {mails: final}")
    for number in range(5):
        world.say("red", f"press: [{{to: [blue, green], text: message {number}}}]")
    assert len([one for one in subjects(world, CLEO) if "press from red" in one.lower()]) == 5
    assert not [one for one in subjects(world, BO) if "press" in one.lower()]
    everybody_orders(world)
    world.finish()
    assert all(f": message {number}" in words(world.mail.last(BO)) for number in range(5))


def archive(world: World) -> dict[str, bytes]:
    folders = [find_data_folder("templates")]
    texts = Texts(Printer(folders), world.desk.library.kind("toy-duel"))
    return dict(pack_archive(world.desk.see(lambda books: collect_dossier(books, GAME)), texts))


def test_20_every_draw_is_proved_by_the_archive_alone(world: World) -> None:
    """No server of dice, nothing to be mailed: seed and luck are told, all is computed again."""
    for _ in range(3):
        everybody_orders(world)
        world.close()
    world.desk.act(end_game, winners=["red"], reason="agreed")
    seed = seed_from_number(3).hex()
    assert any(seed in words(one) for one in [world.mail.last(ADA), *world.mail.inbox[ADA]])
    files = archive(world)
    assert verify_archive(files, world.desk.library).faults == ()
    other = {name: text.replace(seed.encode(), b"0" * 64) for name, text in files.items()}
    assert other != files
    assert verify_archive(other, world.desk.library).faults != ()


def test_22_no_side_letter_says_who_somebody_is_or_what_is_hidden(world: World) -> None:
    """Press without a name holds none, anywhere; all other letters are compared byte by byte
    in tests/desk/test_noninterference.py."""
    settings(world, anonymous=True)
    world.mail.raw.clear()
    world.say("red", "press: [{to: all, as: anonymous, text: who am I}]")
    everybody_orders(world)
    world.close()
    world.say("blue", "ask: [players, history, status, report]")
    world.mail.deliver()
    for reader, own in ((BO, "Bo"), (CLEO, "Cleo")):
        for letter in world.mail.raw[reader]:
            names = [name for name in NAMES.values() if name != own]
            assert not [name for name in names if re.search(rf"\b{name}\b", letter.decode())]
            assert b"Press from red" not in letter
            assert b"red to all" not in letter


def test_24_going_back_leaves_nothing_of_what_was_struck(world: World) -> None:
    """State, missed steps and deadline are those of before; press stays; keys are new."""
    everybody_orders(world, but="red")
    state, key = world.position(), world.post.key("blue")
    world.say("blue", "press: [{to: all, text: remember me}]")
    world.close()
    assert world.desk.seating("red").missed == 1
    world.desk.act(roll_back, "1-pick", same_dice=False)
    assert world.position() == state
    assert world.desk.seating("red").missed == 0
    assert world.desk.step().deadline == world.desk.at + timedelta(hours=3)
    assert world.post.key("blue") != key
    everybody_orders(world)
    world.close()
    world.say("red", "ask: [report]")
    assert any(": remember me" in words(one) for one in world.mail.inbox[ADA])
    assert len(world.desk.see(lambda books: books.press(GAME))) == 1


def test_25_changed_rules_stop_a_game_that_they_change_and_no_other(world: World) -> None:
    everybody_orders(world)
    world.close()
    with world.desk.store.writing() as books:
        books.save(replace(books.locked(GAME), rules_digest="0" * 64))
    everybody_orders(world)
    world.close()
    assert world.desk.game().rules_digest != "0" * 64, "the same result: it goes on"
    with world.desk.store.writing() as books:
        game = books.locked(GAME)
        other = replace(game, rules_digest="0" * 64, seed=seed_from_number(9))
        books.save(other)
    before = world.desk.step()
    with pytest.raises(Changed):
        world.desk.close()
    assert world.desk.step() == before


def test_26_everything_that_happened_is_kept_for_people_and_for_programs(world: World) -> None:
    world.desk.act(extend_deadline, "1h")
    everybody_orders(world)
    step = world.close()
    world.desk.act(roll_back, step.name, same_dice=False)
    world.say("red", "ask: [history]")
    told = words(world.mail.last(ADA))
    for line in (
        "the game was created",
        "round 1, pick: due",
        "round 1, pick: closed",
        "before round 1, pick",
    ):
        assert line in told
    files = archive(world)
    (events,) = [text for path, text in files.items() if path.endswith("001-pick/events.jsonl")]
    kept = [decode(line) for line in events.splitlines()]
    assert encode(kept) == world.desk.see(lambda books: books.step(GAME, 1)).events
    assert sum(path.endswith("report.txt") for path in files) >= 6
