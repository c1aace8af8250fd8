"""A step is closed: once, whole, and with everything that follows from it."""

from collections import Counter
from datetime import datetime

import pytest
from msgspec.structs import replace

from adjudicator.core.chain import find_link_fault
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode, encode
from adjudicator.desk.acts.calendar import pause_game
from adjudicator.desk.model.errors import Already, Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Player, Status
from adjudicator.desk.outbox.refresh import refresh_letter
from tests.at_the_desk import close_step, missing_seats
from tests.desk.conftest import GAME, Desk


def _missing(desk: Desk) -> tuple[str, ...]:
    return desk.see(lambda books: missing_seats(books, desk.library, GAME))


def test_missing_orders_are_named_and_nothing_is_closed(desk: Desk) -> None:
    desk.new()
    desk.send("blue", "play: owl")
    assert _missing(desk) == ("red", "green")
    with pytest.raises(
        Refused, match="waiting for orders from red, green; wait for them, or close"
    ):
        desk.close(now=False)
    assert desk.step().name == "1-pick"


def test_who_is_not_ready_is_waited_for(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.send("blue", "ready: no")
    assert _missing(desk) == ()
    with pytest.raises(
        Refused, match=r"round 1, pick: waiting for blue \(receipt 2 says `ready: false`\)"
    ):
        desk.close(now=False)
    assert desk.close().step.name == "1-pick"


def test_who_is_missing_and_who_is_not_ready_are_named_together(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.send("blue", "play: owl\nready: no")
    with pytest.raises(
        Refused, match=r"waiting for orders from green, and for blue \(receipt 1 says"
    ):
        desk.close(now=False)


def test_all_in_closes_and_opens_the_next(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.play()
    desk.later(hours=5)
    done = desk.close(now=False)
    assert done.step.closed == desk.at
    assert done.next_step is not None
    assert (done.next_step.number, done.next_step.predecessor) == (2, 1)
    assert desk.game().open_step == 2
    assert desk.game().next_number == 3
    assert [(x.kind, x.seat, x.step, x.number) for x in desk.made] == [
        ("report", "red", 1, 2),
        ("report", "blue", 1, 2),
        ("report", "green", 1, 2),
    ]


def test_a_step_is_closed_once(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.close(step="1-pick")
    with pytest.raises(Already, match="1-pick is not open"):
        desk.close(step="1-pick")
    assert desk.game().open_step == 2


def test_a_dry_run_is_the_real_thing_undone(desk: Desk) -> None:
    desk.new()
    desk.play()
    with desk.store.trying() as books:
        tried = close_step(books, desk.library, GAME, at=desk.at, now=True)
    assert desk.step().name == "1-pick"
    assert len(desk.letters("report")) == 3
    assert desk.close() == tried


def _break_after_closing(books: Books, library: Library, game: str, *, at: datetime) -> None:
    close_step(books, library, game, at=at, now=True)
    raise ZeroDivisionError


def test_what_breaks_leaves_nothing_behind(desk: Desk) -> None:
    desk.new()
    desk.play()
    with pytest.raises(ZeroDivisionError):
        desk.act(_break_after_closing)
    assert desk.step().name == "1-pick"
    assert len(desk.see(lambda books: books.papers(GAME))) == 4
    assert not any(own.executed for own in desk.see(lambda books: books.orders(GAME)))


def test_who_sent_nothing_does_the_default(desk: Desk) -> None:
    desk.new()
    weakest = desk.state()["hands"]["green"][0]
    desk.play(seats=("red", "blue"))
    done = desk.close()
    sets = [o for o in desk.see(lambda books: books.orders(GAME, 1)) if o.seat == "green"]
    assert [(o.number, decode(o.orders), o.by, o.executed) for o in sets] == [
        (0, {}, "default", True)
    ]
    played = {e["data"]["seat"]: e["data"]["card"] for e in decode(done.step.events)[:3]}
    assert played["green"] == weakest
    report = decode(desk.letters("report", "green")[-1].document)
    assert report["orders"]["receipt"] is None
    assert len(report["orders"]["digest"]) == 64


def test_the_report_repeats_number_and_digest_of_what_was_executed(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", f"play: {desk.state()['hands']['red'][1]}")
    desk.close()
    report = decode(desk.letters("report", "red")[-1].document)
    assert report["orders"]["receipt"] == receipt["set"]["receipt"]
    assert report["orders"]["digest"] == receipt["set"]["digest"]
    assert len(report["orders"]["entries"]) == 1


def test_the_last_set_counts_and_a_cleared_one_does_not(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.send("red", "play: fox")
    desk.send("blue", "play: owl")
    desk.send("blue", "clear: yes")
    assert _missing(desk) == ("blue", "green")
    desk.close()
    executed = [o for o in desk.see(lambda books: books.orders(GAME, 1)) if o.executed]
    assert [(o.seat, o.number) for o in executed] == [("red", 2), ("blue", 0), ("green", 0)]


def test_nobody_waits_for_a_bot(desk: Desk) -> None:
    desk.new(seats={"red": "bot", "blue": "Bo"})
    assert _missing(desk) == ("blue",)
    desk.play(seats=("blue",))
    desk.close(now=False)
    (own,) = [o for o in desk.see(lambda books: books.orders(GAME, 1)) if o.seat == "red"]
    assert (own.by, own.number, own.executed) == ("bot", 0, True)
    assert decode(own.orders)["play"]
    assert _missing(desk) == ()  # the bot has won and chooses a prize; blue is mailed after it
    assert not desk.made
    desk.close(now=False)
    assert {letter.seat for letter in desk.made} == {"blue"}
    papers = desk.see(lambda books: books.papers(GAME))
    assert {paper.seat for paper in papers if paper.step == 1} == {"red", None}
    assert {paper.seat for paper in papers if paper.step == 2} == {"red", "blue", None}


def test_a_letter_goes_out_once_and_every_report_is_counted(desk: Desk) -> None:
    desk.new()
    while desk.game().open_step is not None:
        desk.close()
    letters = desk.letters()
    names = Counter((x.step, x.seat, x.kind, x.number) for x in letters)
    assert max(names.values()) == 1
    assert len({x.message_id for x in letters}) == len(letters)
    numbers = [x.number for x in letters if (x.seat, x.kind) == ("red", "report")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_no_paper_holds_a_key(desk: Desk) -> None:
    desk.new()
    desk.close()
    for paper in desk.see(lambda books: books.papers(GAME)):
        form = decode(paper.document)["form"]
        assert form is None or form["envelope"]["key"] is None


def test_every_change_is_a_link(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.close()
    links = desk.see(lambda books: books.links(GAME))
    assert [(link.kind, link.step, link.after) for link in links] == [
        ("setup", "0-setup", None),
        ("step", "1-pick", "0-setup"),
    ]
    assert find_link_fault(None, links[0]) is None
    assert find_link_fault(links[0], links[1]) is None
    assert sorted(links[1].commitments) == [
        "events",
        "orders/blue",
        "orders/green",
        "orders/red",
        "report",
        "report/blue",
        "report/green",
        "report/red",
        "state",
    ]


def test_the_end_opens_seed_and_luck(desk: Desk) -> None:
    desk.new(settings={"nmr_limit": 9})
    while (done := desk.close()).next_step is not None:
        assert not any("seed" in str(one) for one in desk.told())
    assert done.game.status is Status.OVER
    assert desk.game().open_step is None
    assert [letter.seat for letter in desk.made] == ["red", "blue", "green", "gm"]
    last = [one for one in desk.told() if one.get("opened")]
    assert [one["reader"] for one in last] == ["red", "blue", "green"]
    notice = last[0]
    assert notice["opened"] == {
        "seed": seed_from_number(1).hex(),
        "luck": [["red", "owls at noon"]],
    }
    report = decode(next(x for x in desk.made if x.kind == "report").document)
    assert (report["due"], report["form"]) == (None, None)
    assert report["over"]["winners"]
    with pytest.raises(Refused, match="it is over"):
        desk.close()


def test_nothing_tells_the_seed_while_the_game_runs(desk: Desk) -> None:
    desk.new()
    desk.close()
    secret = seed_from_number(1).hex()
    told = [x.document for x in desk.letters()]
    told += [p.document for p in desk.see(lambda books: books.papers(GAME))]
    assert not any(secret.encode() in document for document in told)


def test_a_paused_game_closes_nothing(desk: Desk) -> None:
    desk.new()
    desk.act(pause_game)
    with pytest.raises(Refused, match="paused; resume it first"):
        desk.close()


def test_missed_steps_are_counted_and_forgotten(desk: Desk) -> None:
    desk.new(options={"rounds": 5}, settings={"nmr_limit": 9})
    desk.play(seats=("red", "blue"))
    desk.close()
    assert [desk.seating(seat).missed for seat in ("red", "blue", "green")] == [0, 0, 1]
    while desk.step().phase != "pick":
        desk.close()
    desk.play(seats=("green",))
    desk.close()
    assert [desk.seating(seat).missed for seat in ("red", "blue", "green")] == [1, 1, 0]


def test_who_was_not_waited_for_did_not_miss_anything(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "nmr_limit": 1})
    desk.close()
    assert desk.seating("green").missed == 0
    assert desk.seating("green").player == "Cleo"


def _silent(desk: Desk, **settings: object) -> list[str]:
    """Green is silent until the seat changes hands; what the GM was told."""
    desk.new(options={"rounds": 5}, settings={"nmr_limit": 2, **settings})
    for _ in range(9):
        desk.play(seats=("red", "blue"))
        notes = desk.close().notes
        if notes:
            return list(notes)
    raise AssertionError("the seat never changed hands")


def test_a_silent_seat_stands_idle(desk: Desk) -> None:
    assert _silent(desk) == [
        ("green: no orders were received in 2 steps in a row; the seat stays idle")
    ]
    assert (desk.seating("green").kind, desk.seating("green").number) == ("idle", 2)
    told = [decode(x.document)["headline"] for x in desk.letters("notice", "green")]
    assert told == ["You no longer play green"]
    others = [decode(x.document) for x in desk.letters("notice") if x.seat != "green"]
    assert [notice["headline"] for notice in others] == ["The player of green has left"] * 2
    assert "the seat stays idle" in others[0]["lines"][0]
    assert "green" not in _missing(desk)
    before = len(desk.letters("report", "green"))
    desk.play(seats=("red", "blue"))
    desk.close(now=False)
    assert len(desk.letters("report", "green")) == before


def test_a_silent_seat_goes_to_the_bot(desk: Desk) -> None:
    assert _silent(desk, nmr="bot")[0].endswith("a bot plays the seat")
    assert desk.seating("green").kind == "bot"


def test_a_silent_seat_goes_to_the_first_who_waits(desk: Desk) -> None:
    notes = _silent(desk, nmr="substitute", substitutes=["Bo", "Dan"])
    assert notes[0].endswith("Dan plays the seat")
    seating = desk.seating("green")
    assert (seating.player, seating.number, seating.missed) == ("Dan", 2, 0)
    told = [decode(x.document) for x in desk.letters(seat="green")][-2:]
    assert [one["player"] for one in told] == ["Cleo", "Dan"]
    assert told[1]["notices"][0]["headline"] == "You play green in tiny now"
    assert decode(desk.letters("report", "green")[-1].document)["player"] == "Dan"


def test_who_can_be_reached_comes_before_who_cannot(desk: Desk) -> None:
    """Letters to a substitute without an address would wait, and the seat be lost again."""
    with desk.store.writing() as books:
        books.save(Player(name="Dan"))
        for name in ("Ada", "Eve"):
            books.save(Player(name=name, addresses=(f"{name.lower()}@example.org",)))
    notes = _silent(desk, nmr="substitute", substitutes=["Dan", "Eve"])
    assert notes[0].endswith("Eve plays the seat")
    (told,) = decode(desk.letters(seat="green")[-1].document)["notices"]
    assert "You are the substitute for green, whose player has left" in told["lines"][0]
    assert "reply with `resign: yes`" in told["lines"][1]


def test_without_anybody_waiting_the_seat_wants_a_substitute(desk: Desk) -> None:
    assert "a substitute is wanted" in _silent(desk, nmr="substitute")[0]


def test_when_nobody_plays_any_more_the_game_is_drawn(desk: Desk) -> None:
    desk.new(options={"rounds": 5}, settings={"nmr_limit": 1})
    done = desk.close()
    assert done.game.status is Status.OVER
    assert done.step.name == "1-pick"
    assert [link.kind for link in done.links] == ["step", "end"]
    end = desk.see(lambda books: books.steps(GAME))[-1]
    assert end.phase == "end"
    assert decode(end.state or b"")["over"] == {"winners": []}
    assert [x.seat for x in desk.made if x.kind == "notice"] == ["red", "blue", "green", "gm"]
    told = [one["reader"] for one in desk.told() if one.get("opened")]
    assert told == ["red", "blue", "green"]


def test_a_receipt_of_the_first_version_still_goes_out_when_its_step_has_closed(desk: Desk) -> None:
    desk.new(options={"rounds": 5})
    desk.play()
    receipt = desk.letters("receipt", "red")[-1]
    desk.close(now=True)
    older = {name: value for name, value in decode(receipt.document).items() if name != "label"}
    written = replace(receipt, document=encode(older))
    found = desk.see(lambda books: refresh_letter(books, desk.library, written, desk.at))
    assert found is not None
    assert "has closed since then" in decode(found.letter.document)["afterwards"]
