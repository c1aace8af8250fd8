"""The desk with Jump Gate: turns in several letters, choices in mid-turn, what counts as missed."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.steps.handover import resign_seat
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.at_the_desk import missing_seats
from tests.desk.conftest import GAME, Desk

RING = {"ring": ["anno", "cinder", "waldwelt", "window"], "turn": 5}
TURN = timedelta(hours=72)
CHOICE = timedelta(hours=24)


@pytest.fixture
def gate(desk: Desk) -> Desk:
    """A game of two where choices stop the game; red stands at Anno, which blue has marked."""
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-gate",
        seats={"red": "Ada", "blue": "Bo"},
        options={"interrupts": "ask", "start_player": "red"},
        settings={"pace": "72h", "interrupt_pace": "24h", "nmr": "bot", "nmr_limit": 9},
    )
    position = {
        **RING,
        "planets": {
            "anno": {"face_up": ["water", "fame", "sand"], "marks": {"blue": "fame"}},
            "window": {"face_up": ["sand"], "face_down": ["sand"]},
        },
        "ships": {"red": "anno", "blue": "window"},
        "hands": {"red": ["n04", "n09", "n13", "n17", "n33"], "blue": ["n21", "n36"]},
    }
    options = {"interrupts": "ask", "start_player": "red"}
    deck = {"navcomp_deck": ["n01", "n02"], "options": options, "seats": ["red", "blue"]}
    desk.act(edit_position, {**position, **deck}, reason="a position to look at")
    return desk


def _missing(desk: Desk) -> tuple[str, ...]:
    found: tuple[str, ...] = desk.see(lambda books: missing_seats(books, desk.library, GAME))
    return found


def _due(desk: Desk, seat: str) -> Any:
    """What the seat's last report says of what is due."""
    return decode(desk.letters("report", seat)[-1].document)["due"]


def _mailed(desk: Desk, seat: str) -> int:
    """How many reports the seat has been mailed, numbered without a gap."""
    numbers = [letter.number for letter in desk.letters("report", seat)]
    assert numbers == list(range(1, len(numbers) + 1))
    return len(numbers)


def _pass(desk: Desk, until: datetime | None) -> None:
    assert until is not None
    desk.at = until + timedelta(hours=1)


def test_one_action_now_and_the_other_by_the_same_deadline(gate: Desk) -> None:
    first = gate.step()
    gate.later(hours=10)
    gate.send("red", "actions: [{do: fly, to: cinder}]")
    gate.close(now=False)
    second = gate.step()
    assert (second.phase, second.number) == ("turn", first.number + 2)  # the ruling lies between
    assert second.deadline == first.deadline
    _pass(gate, second.deadline)
    gate.close()
    assert (gate.state()["active"], gate.state()["turn"]) == ("blue", 6)
    assert gate.seating("red").missed == 0


def test_who_owed_nothing_reads_nothing_of_own_orders(gate: Desk) -> None:
    """Only whoever was due can have missed something."""
    gate.send("red", "actions: [{do: fly, to: cinder}]\nend: true")
    gate.close(now=False)
    told = {seat: decode(gate.letters("report", seat)[-1].document) for seat in ("red", "blue")}
    assert told["red"]["orders"]["receipt"] == 1
    assert told["blue"]["orders"] is None
    assert gate.step().phase == "turn"
    _pass(gate, gate.step().deadline)
    gate.close()  # blue's turn, which it missed
    told = {seat: decode(gate.letters("report", seat)[-1].document) for seat in ("red", "blue")}
    assert told["red"]["orders"] is None
    assert told["blue"]["orders"]["receipt"] is None
    assert told["blue"]["orders"]["digest"]


def test_yes_and_no_are_told_once(gate: Desk) -> None:
    (entry,) = gate.send("red", "end: true")["entries"]
    assert (entry["key"], entry["written"], entry["words"]) == ("end", None, "yes")


def test_a_turn_of_which_nothing_came_is_missed_once(gate: Desk) -> None:
    _pass(gate, gate.step().deadline)
    gate.close()
    assert gate.state()["active"] == "blue"
    assert gate.seating("red").missed == 1


@pytest.mark.parametrize("how", ["bot", "resign"])
@pytest.mark.parametrize(
    "left",
    ["standing: {collect: none}", "standing: {collect: none}\nactions: [{do: fly, to: anno}]"],
    ids=["standing", "refused"],
)
def test_a_bot_that_takes_over_in_mid_turn_plays_at_once(gate: Desk, left: str, how: str) -> None:
    """What its player left on file gives nothing of what is due, so no step is spent on it."""
    gate.send("red", "actions: [{do: fly, to: anno}]")  # it is refused: red is there
    gate.send("red", left)
    with pytest.raises(Refused):
        gate.close(now=False)
    if how == "bot":
        gate.act(seat_bot, "red")
    else:
        gate.act(resign_seat, "red", by="gm")
    told = [decode(one.document) for one in gate.letters("notice", "red")]
    assert "stay on file" not in str(told)
    step = gate.close(now=False).step
    (own,) = gate.see(
        lambda books: [one for one in books.orders(GAME, step.number) if one.executed]
    )
    assert own.by == "bot"
    assert decode(own.orders)["actions"]


def test_actions_before_a_refused_one_wait_for_the_deadline(gate: Desk) -> None:
    first = gate.step()
    receipt = gate.send("red", "actions: [{do: fly, to: cinder}, {do: fly, to: window}]\nend: true")
    assert [entry["mark"] for entry in receipt["entries"]] == ["fine", "refused", "not taken"]
    with pytest.raises(Refused):
        gate.close(now=False)  # a corrected letter is waited for
    _pass(gate, first.deadline)
    gate.close()
    second = gate.step()
    assert (gate.state()["ships"]["red"], gate.state()["actions_left"]) == ("cinder", 1)
    assert gate.state()["active"] == "red"
    assert second.deadline == first.deadline
    gate.close()
    assert gate.state()["active"] == "blue"
    assert gate.seating("red").missed == 0


@pytest.mark.parametrize("text", ["standing: {collect: none}", "actions: []"])
def test_a_letter_without_an_action_is_kept_and_the_turn_waits(gate: Desk, text: str) -> None:
    first = gate.step()
    receipt = gate.send("red", text)
    assert (receipt["outcome"], receipt["standing"]["ready"]) == ("taken", False)
    assert any("your turn waits" in one for one in receipt["wishes"])
    with pytest.raises(Refused):
        gate.close(now=False)
    _pass(gate, first.deadline)  # at which the turn ends
    gate.close()
    if gate.state()["active"] == "red":
        assert gate.step().deadline == first.deadline
        gate.close()
    assert (gate.state()["active"], gate.seating("red").missed) == ("blue", 0)


def test_giving_up_the_turn_needs_no_action(gate: Desk) -> None:
    assert gate.send("red", "{standing: {collect: none}, end: true}")["standing"]["ready"]
    gate.close(now=False)
    assert gate.state()["active"] == "blue"
    assert gate.state()["standing"]["red"] == {"collect": "none", "black_hole": "avoid"}


def test_a_corrected_letter_takes_the_place_of_the_refused_one(gate: Desk) -> None:
    gate.send("red", "actions: [{do: fly, to: cinder}, {do: fly, to: window}]")
    gate.send("red", "actions: [{do: fly, to: cinder}, {do: fly, to: waldwelt}]")
    assert _missing(gate) == ()
    gate.close(now=False)
    assert (gate.state()["ships"]["red"], gate.state()["active"]) == ("waldwelt", "blue")


def test_only_who_must_choose_is_asked_and_in_the_order_of_the_rule(gate: Desk) -> None:
    gate.later(hours=10)
    gate.send("red", "actions: [{do: land, cards: [n04, n09]}, {do: research}]\nend: true")
    gate.close(now=False)
    asked = gate.step()
    assert (asked.phase, asked.deadline) == ("collect", gate.at + CHOICE)
    assert _missing(gate) == ("blue",)
    assert _due(gate, "blue")["waiting"]
    assert _mailed(gate, "red") == 1  # the beginning: of what follows, when it is red's turn again
    gate.later(hours=5)
    gate.send("blue", "collect: none")
    gate.close(now=False)
    assert gate.step().phase == "collect"
    assert _missing(gate) == ("red",)
    assert (_mailed(gate, "blue"), _mailed(gate, "red")) == (2, 2)
    gate.later(hours=5)
    gate.send("red", "collect: fame")
    gate.close(now=False)
    assert (_mailed(gate, "blue"), _mailed(gate, "red")) == (3, 3)
    again = gate.step()
    assert (again.phase, again.deadline) == ("turn", gate.at + TURN)  # it starts anew
    assert gate.state()["collected"] == {"red": ["fame"], "blue": []}
    assert (gate.state()["active"], gate.state()["actions_left"]) == ("red", 1)


def test_a_choice_not_made_is_the_default_and_is_never_missed(gate: Desk) -> None:
    gate.send("blue", "standing: {collect: none}")
    gate.send("red", "actions: [{do: land, cards: [n04, n09], take: water}]")
    gate.close(now=False)
    _pass(gate, gate.step().deadline)
    gate.close()
    assert gate.state()["collected"] == {"red": ["water"], "blue": []}
    assert (gate.step().phase, gate.state()["active"]) == ("turn", "red")
    assert gate.seating("blue").missed == 0
    _pass(gate, gate.step().deadline)
    gate.close()  # the rest of a turn that was begun is given up, not missed
    assert gate.seating("red").missed == 0


def test_a_mark_is_asked_for_after_the_scan(gate: Desk) -> None:
    gate.send("red", "end: true")
    gate.close(now=False)
    gate.send("blue", "actions: [{do: scan}]")
    gate.close(now=False)
    assert gate.step().phase == "mark"
    assert _missing(gate) == ("blue",)
    gate.send("blue", "mark: none")
    gate.close(now=False)
    assert gate.step().phase == "turn"
    assert "marks" not in gate.state()["planets"]["window"]


@pytest.mark.parametrize("kind", ["jump-gate", "jump-gate-2010"])
def test_bots_play_to_the_end_and_all_of_it_holds(desk: Desk, kind: str) -> None:
    desk.library = FolderLibrary()
    seats = dict.fromkeys(("red", "blue", "green"), "bot")
    desk.new(kind=kind, seats=seats, options={"interrupts": "ask"})
    while desk.game().open_step is not None:
        desk.close()
    record = desk.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()
    assert replay_game(record, desk.library.kind(kind)) == ()


SEATS = ("red", "blue", "green")
SCANNED: dict[str, Any] = {
    "turn": 4,
    "ring": ["anno", "cinder", "waldwelt", "window"],
    "planets": {
        "anno": {
            "face_up": ["gem-red", "fame", "water"],
            "face_down": ["energel-dark"],
            "scans": {"blue": 2, "green": 1},
        },
    },
    "ships": {"red": "anno", "blue": "cinder"},
    "hands": {"red": ["n02", "n04", "n16", "n17", "n33"], "blue": ["n30"], "green": ["n31"]},
}


def test_one_after_the_other_is_mailed_and_the_last_reads_it_all(desk: Desk) -> None:
    """JG-15, JGA-7: the lander, then most scan markers first; each is a step of its own."""
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-gate-2010",
        seats={"red": "Ada", "blue": "Bo", "green": "Cleo"},
        options={"interrupts": "ask", "start_player": "red"},
        settings={"pace": "72h", "interrupt_pace": "24h"},
    )
    held = {card for hand in SCANNED["hands"].values() for card in hand}
    deck = [name for number in range(1, 49) if (name := f"n{number:02}") not in held]
    options = {"interrupts": "ask", "start_player": "red"}
    position = {**SCANNED, "navcomp_deck": deck, "options": options, "seats": list(SEATS)}
    desk.act(edit_position, position, reason="a position to look at")
    mailed = []

    def close() -> None:
        before = [letter.message_id for letter in desk.letters("report")]
        desk.close(now=False)
        new = [one.seat for one in desk.letters("report") if one.message_id not in before]
        mailed.append((desk.step().phase, _missing(desk), new))

    desk.send("red", "actions: [{do: land}]")
    close()
    desk.send("red", "collect: fame")
    close()
    desk.send("blue", "collect: none")
    close()
    desk.send("green", "collect: water")
    close()
    assert mailed == [
        ("collect", ("red",), ["red"]),
        ("collect", ("blue",), ["blue"]),
        ("collect", ("green",), ["green"]),
        ("turn", ("red",), ["red", "blue", "green"]),
    ]
    since = {
        seat: [
            [one["step"].partition("-")[2] for one in decode(letter.document).get("since", ())]
            for letter in desk.letters("report", seat)
        ]
        for seat in SEATS
    }
    assert since == {
        "red": [[], [], ["collect", "collect"]],
        "blue": [[], ["turn"], ["collect"]],
        "green": [[], ["turn", "collect"], []],
    }
    record = desk.see(lambda books: read_record(books, GAME))
    assert not check_chain(record)
    assert not replay_game(record, desk.library.kind("jump-gate-2010"))
