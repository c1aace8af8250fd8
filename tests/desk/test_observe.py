"""People who look on get what everybody may know, once they have asked for it themselves."""

from typing import Any

from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.steps.handover import replace_player, resign_seat
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import apply, order, text_of, wish

EVE = "eve@example.org"


def _to(desk: Desk, kind: str | None = None) -> list[OutgoingLetter]:
    return [letter for letter in desk.letters(kind) if letter.to == (EVE,)]


def _watch(desk: Desk, **more: Any) -> None:
    apply(desk, EVE, observe=True, name="Eve", **more)
    assert apply(desk, EVE, observe=True, name="Eve", confirmed=True).done


def test_who_asks_must_confirm_it(desk: Desk) -> None:
    desk.new()
    told = apply(desk, EVE, observe=True)
    assert "Reply to this letter" in told.done[0]
    assert "join: tiny\nobserve:" in text_of(_to(desk)[0])
    desk.close()
    assert _to(desk, "report") == []


def test_an_observer_gets_the_last_report_and_every_later_one(desk: Desk) -> None:
    desk.new()
    _watch(desk)
    assert "You observe tiny from now on" in text_of(_to(desk)[-1])
    assert decode(_to(desk, "answer")[1].document)["report"] == "report/1"
    desk.close()
    (report,) = _to(desk, "report")
    document = decode(report.document)
    assert (document["seat"], document["form"], document["orders"]) == (None, None, None)


def test_an_observer_gets_the_publics_report_and_no_seats(desk: Desk) -> None:
    desk.new()
    _watch(desk)
    desk.play()
    closing = desk.close()
    (public,) = [
        decode(one.document)
        for one in desk.see(lambda books: books.papers(GAME, closing.step.number))
        if one.seat is None
    ]
    told = decode(_to(desk, "report")[0].document)
    assert {**told, "number": 0} == {**public, "number": 0}


def test_what_is_decided_is_told_to_observers_too(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    _watch(desk)
    desk.act(extend_deadline, "24h")
    (notice,) = _to(desk, "notice")
    assert "Fri 6 Nov 2026, 20:00 UTC" in " ".join(text_of(notice).split())
    assert "to all observers" in text_of(notice)
    order(desk, 'end drawn "all agreed"')
    assert "seed" in text_of(_to(desk, "report")[-1])


def test_observers_hear_of_seats_that_change_hands(desk: Desk) -> None:
    desk.new(settings={"nmr_limit": 1})
    _watch(desk)
    desk.act(resign_seat, "red", by="gm")
    desk.act(seat_bot, "blue")
    desk.act(replace_player, "red", "Dora")
    told = [decode(one.document) for one in _to(desk, "notice")]
    assert [one["headline"] for one in told] == [
        "The player of red has left",
        "A bot plays blue",
        "A new player for red",
    ]
    assert all(one["form"] is None for one in told)


def test_what_is_written_to_seats_is_not_for_observers(desk: Desk) -> None:
    desk.new()
    _watch(desk)
    wish(desk, "red", "press", {"to": "blue", "text": "psst"})
    desk.close()
    assert _to(desk, "press") == []
    assert not [letter for letter in _to(desk) if "psst" in letter.document.decode()]


def test_who_has_enough_gets_nothing_more(desk: Desk) -> None:
    desk.new()
    _watch(desk)
    apply(desk, EVE, observe=False, confirmed=True)
    desk.close()
    assert _to(desk, "report") == []
    assert apply(desk, EVE, observe=False, confirmed=True).done == ("You do not observe tiny.",)


def test_players_need_not_observe_their_own_game(desk: Desk) -> None:
    desk.new(seats={"red": None, "blue": "bot", "green": "bot"}, start=False, luck={})
    apply(desk, EVE, name="Eve")
    apply(desk, EVE, confirmed=True)
    told = apply(desk, EVE, observe=True, confirmed=True)
    assert "You play in tiny" in told.done[0]
