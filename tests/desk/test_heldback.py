"""While somebody is asked in mid-turn, nobody else is mailed; the next report tells it all."""

from typing import Any

from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.requests.observers import add_observer
from adjudicator.desk.steps.handover import replace_player
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.at_the_desk import missing_seats
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import case_of, text_of, wish

SEATS = ("red", "blue", "green")


def _asked(desk: Desk) -> tuple[str, tuple[str, ...]]:
    """A round is played to the point where its winner is asked; who that is, and who is not."""
    hands = desk.state()["hands"]
    for seat in SEATS:
        desk.send(seat, f"play: {hands[seat][-1 if seat == 'red' else 0]}")
    desk.close()
    assert desk.step().phase == "prize"
    (winner,) = desk.see(lambda books: missing_seats(books, desk.library, GAME))
    return winner, tuple(seat for seat in SEATS if seat != winner)


def _reports(desk: Desk, seat: str) -> list[Any]:
    return [decode(letter.document) for letter in desk.letters("report", seat)]


def _kinds(report: Any) -> list[str]:
    return [event["kind"] for event in report["events"]]


def _holds(desk: Desk) -> bool:
    record = desk.see(lambda books: read_record(books, GAME))
    return not check_chain(record) and not replay_game(record, desk.library.kind("toy-duel"))


def test_only_who_is_asked_is_mailed(desk: Desk) -> None:
    desk.new()
    winner, others = _asked(desk)
    assert len(_reports(desk, winner)) == 2
    assert _reports(desk, winner)[-1]["due"]["waiting"]
    assert [len(_reports(desk, seat)) for seat in others] == [1, 1]


def test_the_next_report_tells_both_steps_in_one(desk: Desk) -> None:
    desk.new()
    winner, (one, _) = _asked(desk)
    own = next(o for o in desk.see(lambda books: books.orders(GAME, 1)) if o.seat == one)
    desk.close()
    for seat in SEATS:
        reports = _reports(desk, seat)
        assert [report["number"] for report in reports] == list(range(1, len(reports) + 1))
        told = [report["step"] for report in reports] + [
            earlier["step"] for report in reports for earlier in report.get("since", ())
        ]
        assert sorted(told) == ["0-setup", "1-pick", "2-prize"]
        told = (*reports[-1]["orders"]["entries"], *reports[-1]["events"])
        numbers = [one["n"] for one in told]
        assert numbers == list(range(1, len(numbers) + 1))
    both = [event for report in _reports(desk, winner)[1:] for event in _kinds(report)]
    assert set(_kinds(_reports(desk, one)[-1])) == set(both)
    assert _reports(desk, one)[-1]["since"] == [
        {
            "step": "1-pick",
            "label": "round 1, pick",
            "receipt": own.number,
            "digest": own.digest,
        }
    ]
    assert len(_reports(desk, one)[-1]["orders"]["entries"]) == 1  # the card played in 1-pick
    assert _holds(desk)


def test_why_is_answered_by_the_numbers_of_the_mailed_report(desk: Desk) -> None:
    desk.new()
    _, (one, _) = _asked(desk)
    desk.close()
    event = _reports(desk, one)[-1]["events"][0]
    wish(desk, one, "ask", f"why {event['n']}")
    assert event["text"] in text_of(desk.letters("answer", one)[-1])


def test_the_letter_says_that_it_tells_more_than_its_step(desk: Desk) -> None:
    desk.new()
    winner, (one, _) = _asked(desk)
    desk.close()
    words = " ".join(text_of(desk.letters("report", one)[-1]).split())
    assert "This report also covers round 1, pick. " in words
    assert "YOUR ORDERS (receipt 1, digest " in words
    assert " in round 1, pick)" in words
    assert "also covers" not in text_of(desk.letters("report", winner)[-1])


def test_meanwhile_a_report_asked_for_says_that_nothing_is_due(desk: Desk) -> None:
    desk.new()
    _, (one, _) = _asked(desk)
    wish(desk, one, "ask", "report")
    again = decode(desk.letters("answer", one)[-1].document)
    assert (again["number"], again["due"]["waiting"], again["due"]["form"]) == (1, False, "prize")
    wish(desk, one, "ask", "status")
    words = " ".join(text_of(desk.letters("answer", one)[-1]).split())
    assert (
        "Nothing is due from you in this step. Your next report also covers round 1, pick." in words
    )


def test_who_looks_on_is_mailed_at_the_end_and_may_look_up_each_step(desk: Desk) -> None:
    desk.new()
    with desk.store.writing() as books:
        add_observer(case_of(desk, books), "eve@example.org", None)
    _asked(desk)
    assert not _public(desk)
    desk.close()
    (letter,) = _public(desk)
    report = decode(letter.document)
    assert [one["step"] for one in report["since"]] == ["1-pick"]
    papers = desk.see(lambda books: books.papers(GAME))
    shown = [decode(paper.document) for paper in papers if paper.seat is None]
    assert [one["step"] for one in shown] == ["0-setup", "1-pick", "2-prize"]
    assert sorted(_kinds(report)) == sorted([*_kinds(shown[1]), *_kinds(shown[2])])


def test_the_end_is_told_to_all_with_what_waited(desk: Desk) -> None:
    desk.new()
    winner, others = _asked(desk)
    desk.act(end_game, winners=[winner], reason="agreed")
    for seat in others:
        report = _reports(desk, seat)[-1]
        assert (report["number"], [one["step"] for one in report["since"]]) == (2, ["1-pick"])
        assert report["headline"] == report["over"]["text"]
        assert len(report["orders"]["entries"]) == 1
    assert _reports(desk, winner)[-1]["number"] == 3
    assert _holds(desk)


def test_what_was_taken_back_before_it_was_told_leaves_no_gap(desk: Desk) -> None:
    desk.new()
    _, (one, _) = _asked(desk)
    desk.act(roll_back, "1-pick", same_dice=False)
    _asked(desk)
    desk.close()
    report = _reports(desk, one)[-1]
    assert report["number"] == 2
    assert "1-pick" not in [earlier["step"] for earlier in report.get("since", ())]
    assert _holds(desk)


def test_what_stands_is_told_again_when_only_the_answer_is_taken_back(desk: Desk) -> None:
    desk.new()
    _, (one, _) = _asked(desk)
    desk.close()
    desk.act(roll_back, "2-prize", same_dice=False)
    desk.close()
    report = _reports(desk, one)[-1]
    assert (report["number"], report["since"][0]["step"]) == (3, "1-pick")
    assert _holds(desk)


def test_a_ruling_that_ends_the_question_is_told_with_what_waited(desk: Desk) -> None:
    desk.new()
    _, others = _asked(desk)
    now = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    desk.act(edit_position, {**now, "step": "pick", "scorer": None}, reason="no prize this time")
    reports = [letter for letter in desk.made if letter.kind == "report"]
    assert {letter.seat for letter in reports} == set(others)
    for letter in reports:
        report = decode(letter.document)
        assert [one["step"] for one in report["since"]] == ["1-pick"]
        assert report["due"]["step"] == desk.step().name
    desk.act(end_game, winners=[], reason="agreed")
    assert all("since" not in _reports(desk, seat)[-1] for seat in SEATS)  # told once
    assert _holds(desk)


def test_somebody_new_gets_the_last_report_that_there_is(desk: Desk) -> None:
    desk.new()
    _, (one, _) = _asked(desk)
    desk.act(replace_player, one, "Zoe")
    again = decode(desk.letters("answer", one)[-1].document)
    assert (again["step"], again["due"]["waiting"]) == ("0-setup", False)


def _public(desk: Desk) -> list[OutgoingLetter]:
    return [letter for letter in desk.letters("report") if letter.seat == "public"]
