"""What a GM does by mistake is taken back: a start, a reminder; all of it by letter, too."""

from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.stored_game import restore_game
from adjudicator.adapters.store.opening import open_store
from adjudicator.core.dice import Dice, derive_dice_key
from adjudicator.core.document import decode, encode
from adjudicator.desk.acts.calendar import pause_game
from adjudicator.desk.acts.open_step import remind_late, withdraw_reminder
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.clock.tick import expire_open_game, tick
from adjudicator.desk.inbox.proof import find_key_holder
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.requests.envelope import Envelope
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import GAME, Desk
from tests.desk.inviting import (
    ADA,
    BO,
    CLEO,
    DAN,
    OPEN,
    archive_of,
    goes_out,
    joins,
    letters_to,
    plain,
)
from tests.desk.post import HOUSE, SECRET, Post, letter
from tests.desk.wishing import apply, order, text_of, wish

# a start


def test_a_start_taken_back_leaves_an_open_game_with_its_seats_and_luck_words(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"}, luck={"red": "owls", "green": "foxes"})
    desk.play()
    desk.close()
    desk.act(pause_game)
    done = desk.act(undo_start)
    game = desk.game()
    assert (game.status, game.open_step, game.paused) == (Status.OPEN, None, None)
    assert game.luck == (("red", "owls"), ("green", "foxes"))
    assert [desk.seating(seat).player for seat in game.seats] == ["Ada", "Bo", "Cleo"]
    assert (done.step.name, done.step.void, done.next_step) == ("0-setup", True, None)
    assert all(step.void for step in desk.see(lambda books: books.steps(GAME)))
    assert {one.status for one in desk.letters("report")} == {"withdrawn"}


def test_everybody_is_told_and_nothing_else_waits_in_the_outbox(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(remind_late)
    desk.act(undo_start)
    waiting = [one for one in desk.letters() if one.status == "queued"]
    assert [(one.kind, one.seat) for one in waiting] == [
        ("notice", "red"),
        ("notice", "blue"),
        ("notice", "green"),
    ]
    text = plain(waiting[0])
    assert "The GM undid the start of tiny: it is open again" in text
    assert "These steps no longer count: the set-up; round 1, pick" in text
    assert "All seats are taken; it begins when the GM starts it." in text


def test_the_next_start_has_a_number_dice_and_hands_of_its_own(desk: Desk) -> None:
    desk.new()
    first = desk.state()["hands"]
    desk.act(undo_start)
    closing = desk.act(start_game)
    assert (closing.step.name, closing.step.dice) == ("2-setup", "2-setup")
    assert desk.step().name == "3-pick"
    assert desk.state()["hands"] != first
    game = desk.game()
    rules = desk.library.kind(game.kind).rules
    dealt = rules.setup(
        game.options, game.seats, Dice(derive_dice_key(game.seed, game.luck), "2-setup")
    )
    assert closing.step.state == encode(rules.dump(dealt))


def test_luck_words_of_the_second_start_are_told_again(desk: Desk) -> None:
    desk.new()
    desk.act(undo_start)
    desk.act(start_game)
    report = next(x for x in desk.letters("report", "red") if x.status == "queued")
    assert report.number == 2
    assert "  : red: owls at noon\n" in text_of(report)


def test_what_was_said_before_the_second_start_stands_in_its_report(desk: Desk) -> None:
    desk.new()
    desk.act(undo_start)
    wish(desk, "red", "press", [{"to": ["blue"], "text": "What a pity"}])
    desk.act(start_game)
    report = next(x for x in desk.letters("report", "blue") if x.status == "queued")
    assert "What a pity" in text_of(report)


def test_keys_of_the_start_that_was_taken_back_move_nothing(post: Post) -> None:
    desk = post.desk
    old = post.form("play: owl", step="1-pick")
    desk.act(undo_start)
    told = post.answer(post.take(letter(old)))
    assert "tiny has not begun yet. Orders and votes are not accepted." in told["not_taken"][0]
    assert post.answer(post.take(letter(old + "\nvote: draw")))["not_taken"]
    desk.act(start_game)
    receipt = post.answer(post.take(letter(old)))
    assert receipt["receipt"] == "receipt/1"
    assert receipt["outcome"] == "refused"
    assert "(step 1-pick), which was undone. Due from you now: round 1, pick" in str(
        receipt["faults"]
    )
    assert desk.see(lambda books: books.orders(GAME)) == []


def test_the_key_of_the_notice_is_good_while_the_game_is_open(post: Post) -> None:
    post.desk.act(undo_start)
    notice = decode(post.desk.letters("notice", "red")[-1].document)
    step = notice["form"]["envelope"]["step"]
    assert step == "2-setup"
    given = post.key("red", step)
    found = post.desk.see(lambda books: find_key_holder(books, SECRET, Envelope(key=given)))
    assert found is not None
    assert found.seat == "red"


def test_votes_and_missed_steps_of_what_was_not_played_are_gone(desk: Desk) -> None:
    desk.new(settings={"pace": "24h", "nmr_limit": 3})
    desk.send("red", "vote: draw")
    desk.later(hours=25)
    desk.close()
    assert desk.seating("blue").missed == 1
    desk.act(undo_start)
    assert [(s.missed, s.vote) for s in map(desk.seating, ("red", "blue", "green"))] == [
        (0, "none")
    ] * 3


def test_all_of_it_can_be_proved_afterwards(desk: Desk) -> None:
    """Also with other luck words, and with a seat that had fallen away the first time."""
    desk.new(**OPEN, settings={"pace": "72h", "smallest": 2})
    joins(desk, ADA, "Ada", luck="owls")
    joins(desk, BO, "Bo", luck="foxes")
    desk.act(start_game)
    assert desk.game().seats == ("red", "blue")
    desk.close()
    desk.act(undo_start)
    assert desk.game().seats == ("red", "blue", "green")
    apply(desk, ADA, confirmed=True, luck="wolves")
    joins(desk, CLEO, "Cleo", luck="hens")
    assert desk.game().status is Status.RUNNING
    desk.close()
    record = desk.see(lambda books: read_record(books, GAME))
    assert [(link.kind, link.step, link.after) for link in record.links] == [
        ("setup", "0-setup", None),
        ("step", "1-pick", "0-setup"),
        ("rollback", "0-setup", None),
        ("setup", "3-setup", None),
        ("step", "4-pick", "3-setup"),
    ]
    assert [start.luck for start in record.starts] == [(("red", "owls"), ("blue", "foxes"))]
    kind = desk.library.kind("toy-duel")
    assert check_chain(record) == ()
    assert replay_game(record, kind) == ()
    assert replay_game(replace(record, starts=()), kind) != ()  # its luck words were others


@pytest.mark.parametrize("when", ["open", "running", "over"])
def test_the_archive_keeps_it_and_gives_it_back(desk: Desk, when: str, tmp_path: Any) -> None:
    desk.new()
    desk.close()
    desk.act(undo_start)
    if when != "open":
        desk.act(start_game)
    while when == "over" and desk.close().next_step is not None:
        pass
    archive = read_archive(archive_of(desk))
    kept, record = archive.dossier.record, desk.see(lambda books: read_record(books, GAME))
    assert (kept.steps, kept.links, kept.starts) == (record.steps, record.links, record.starts)
    kind = desk.library.kind("toy-duel")
    assert check_chain(archive.dossier.record) == ()
    assert replay_game(archive.dossier.record, kind) == ()
    with open_store(tmp_path / "other.db") as store:
        with store.writing() as books:
            restore_game(books, archive)
        other = Desk(store, desk.library)
        assert other.game() == desk.game()
        if when == "open":
            assert other.act(start_game).step.name == "3-setup"


def test_a_public_archive_of_a_game_that_is_open_again_tells_no_hands(desk: Desk) -> None:
    desk.new()
    desk.close()
    desk.act(undo_start)
    files = archive_of(desk, public=True)
    assert not [path for path in files if "state" in path or "/red/" in path]
    assert desk.game().seed.hex().encode() not in b"".join(files.values())


def test_the_public_archive_of_the_end_opens_both_starts(desk: Desk) -> None:
    desk.new()
    desk.close()
    desk.act(undo_start)
    desk.act(start_game)
    while desk.close().next_step is not None:
        pass
    record = read_archive(archive_of(desk, public=True)).dossier.record
    assert replay_game(record, desk.library.kind("toy-duel")) == ()


def test_a_seat_that_is_free_again_is_offered_to_those_who_wait(desk: Desk) -> None:
    desk.new(**OPEN, settings={"pace": "72h", "smallest": 2})
    joins(desk, ADA, "Ada")
    joins(desk, BO, "Bo")
    desk.act(start_game)
    apply(desk, DAN, confirmed=True, name="Dan")
    desk.act(undo_start)
    told = letters_to(desk, DAN)[-1]
    assert "Reply to this letter as it is to take it" in plain(told)
    assert decode(told.document)["form"]["envelope"]["join"] == GAME
    assert apply(desk, DAN, confirmed=True, name="Dan").done
    assert desk.seating("green").player == "Dan"


def test_a_game_that_is_open_again_waits_as_long_as_a_new_one(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "expires": "10d"})
    desk.later(days=20)
    desk.act(undo_start)
    desk.later(days=9)
    assert desk.act(expire_open_game) is False
    desk.later(days=1)
    assert desk.act(expire_open_game) is True


def test_the_clock_does_nothing_to_a_game_that_is_open_again(desk: Desk) -> None:
    desk.new(settings={"pace": "24h", "remind": ["12h"]})
    for boot in (0.0, 3600.0):
        desk.act(tick, read_until=desk.at, boot=boot)
        desk.later(hours=1)
    desk.act(undo_start)
    before = len(desk.letters())
    for hour in range(3, 40):
        desk.later(hours=1)
        assert desk.act(tick, read_until=desk.at, boot=3600.0 * hour).acts == ()
    assert len(desk.letters()) == before
    desk.act(start_game)
    assert desk.step().deadline is not None


def test_bots_keep_their_seats(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "blue")
    desk.act(undo_start)
    desk.act(start_game)
    assert desk.seating("blue").kind == "bot"


def test_it_can_be_done_again_and_again(desk: Desk) -> None:
    desk.new()
    for number in (0, 2, 4):
        assert desk.act(undo_start).step.name == f"{number}-setup"
        desk.act(start_game)
    record = desk.see(lambda books: read_record(books, GAME))
    assert (check_chain(record), replay_game(record, desk.library.kind("toy-duel"))) == ((), ())


def test_only_what_runs_can_be_taken_back(desk: Desk) -> None:
    desk.new(start=False)
    with pytest.raises(Refused, match="it has not started"):
        desk.act(undo_start)
    desk.act(start_game)
    while desk.close().next_step is not None:
        pass
    with pytest.raises(Refused, match="its seed has been revealed"):
        desk.act(undo_start)


def test_nobody_goes_back_behind_a_start(desk: Desk) -> None:
    desk.new()
    desk.close()
    desk.act(undo_start)
    with pytest.raises(Refused, match="it has not started"):
        desk.act(roll_back, "1-pick", same_dice=False)
    desk.act(start_game)
    desk.close()
    with pytest.raises(Refused, match='there is no step "1-pick", or it was undone'):
        desk.act(roll_back, "1-pick", same_dice=False)
    assert desk.act(roll_back, "4-pick", same_dice=False).next_step is not None


# a reminder


def test_reminders_that_wait_are_not_sent(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.play(seats=("red",))
    desk.act(remind_late)
    taken = desk.act(withdraw_reminder)
    assert [(one.seat, one.status) for one in taken] == [
        ("blue", "withdrawn"),
        ("green", "withdrawn"),
    ]
    assert desk.letters("notice") == []


def test_who_was_reminded_already_is_asked_to_disregard_it(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    _, blue, _ = desk.act(remind_late)
    goes_out(desk, blue)
    desk.later(hours=1)
    desk.act(withdraw_reminder)
    (notice,) = desk.letters("notice")
    assert notice.seat == "blue"
    assert "Please disregard it. Your orders still count. The deadline is" in plain(notice)


def test_who_may_be_getting_it_at_this_moment_is_asked_too(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    red, *_ = desk.act(remind_late)
    with desk.store.writing() as books:
        books.save(replace(red, content=b"handed to the postman"))
    taken = desk.act(withdraw_reminder)
    assert {one.status for one in taken} == {"withdrawn"}
    assert [one.seat for one in desk.letters("notice")] == ["red"]


def test_a_reminder_is_taken_back_once_and_can_be_sent_again(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    with pytest.raises(Refused, match="there is no reminder to undo"):
        desk.act(withdraw_reminder)
    desk.act(remind_late)
    desk.act(withdraw_reminder)
    with pytest.raises(Refused, match="there is no reminder to undo"):
        desk.act(withdraw_reminder)
    desk.later(minutes=1)
    assert len(desk.act(remind_late)) == 3
    assert len(desk.act(withdraw_reminder)) == 3


def test_the_reminders_of_the_clock_and_of_other_steps_stay(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(remind_late)
    desk.close()
    with pytest.raises(Refused, match="was for another step"):
        desk.act(withdraw_reminder)


# by letter


def test_all_three_by_letter_with_a_preview_and_in_the_history(post: Post) -> None:
    desk = post.desk

    def gm(said: str) -> str:
        form = post.form(f"gm: [{said}]", seat="gm", step="0-setup")
        came = post.take(letter(form, sender=HOUSE.gm[0]))
        told = post.answer(came)
        return " ".join(line for part in told["parts"] for line in part["lines"])

    assert "Reminded: red, blue, green." in gm("remind")
    tried = "nothing was changed: Reminders would be withdrawn: red, blue"
    assert tried in gm("remind back preview")
    assert "remind: Reminders withdrawn: red, blue, green." in gm("remind back")
    assert "write" not in gm("start back preview")
    assert desk.game().status is Status.RUNNING
    said = "start: The start is undone, with everything after it. Now open: no step"
    assert said in gm("start back")
    assert "a preview; nothing was changed" in gm("announce back preview")
    assert desk.game().status is Status.OPEN
    assert "announce: The game is withdrawn" in gm("announce back")
    assert desk.game().status is Status.OVER
    assert "The announcement goes to 1 address." in gm("announce dan@example.org")
    assert desk.game().status is Status.OPEN
    done = [one.act for one in desk.see(lambda books: books.notes(GAME)) if one.by == "gm"]
    acts = ["remind", "remind", "start", "announce", "announce", "announce"]
    assert [act for act in done if act not in ("gm", "new")][1:] == acts  # and the first start
    assert done.count("gm") == 5  # all of them by letter


def test_the_way_back_behind_a_start_is_told_as_a_letter_says_it(desk: Desk) -> None:
    desk.new()
    (why,) = order(desk, "rollback 0-setup").not_taken
    assert "undo the start; write `start back`" in why
