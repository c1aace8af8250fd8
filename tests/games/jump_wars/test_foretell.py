"""What a receipt of Jump Wars says that a form will do, and what a report says of vain orders."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.events import list_visible
from adjudicator.rules.jump_wars.telling.report import describe_outcome, find_writer
from tests.games.jump_wars.play import KIND, RULES, walk

SEATS = ["red", "blue", "green"]
POSITION: Mapping[str, Any] = {
    "step": "plan",
    "map": {
        "A1": {"home": "red"},
        "J1": {"home": "blue"},
        "A10": {"home": "green"},
        "B2": "star-field",
    },
    "fleets": {"red": {"A1": 5}, "blue": {"J1": 5, "C3": 2}, "green": {"A10": 5}},
    "options": KIND.options({}, SEATS),
    "seats": SEATS,
}


def view_of(seat: str = "red", **changes: Any) -> Any:
    state = RULES.load({**POSITION, **changes}, Dice(b"key", "given"))
    return RULES.view(state, seat)


def foretold(orders: Mapping[str, Any], **changes: Any) -> Sequence[str]:
    return RULES.foretell(view_of(**changes), "red", orders)


def reported(orders: Mapping[str, Any], **changes: Any) -> Sequence[Mapping[str, Any]]:
    """The order entries of red's report, those of vain orders with them."""
    state = RULES.load({**POSITION, **changes}, Dice(b"key", "given"))
    after, events = RULES.resolve(state, {"red": orders}, Dice(b"key", "step"))
    view, seen = RULES.view(after, "red"), list_visible(events, "red")
    own = RULES.report(view, seen)["orders"]["entries"]
    before = RULES.view(state, "red")
    return [*own, *RULES.list_vain_orders(before, view, "red", orders, seen)]


def test_a_build_that_can_pay_nothing_is_told_before_and_after() -> None:
    """The two example lines of the form itself: raising defense makes a fleet too dear (JW-25)."""
    orders = {"tech": {"advance": ["defense"]}, "build": "max"}
    hands = {"red": ["defense"]}
    told = foretold(orders, hands=hands)
    assert told == (
        "advance defense: now 2.",
        "You will mine 5 RT: homeworld 5. Then you have 5 RT.",
        "build max at A1 builds 0: a fleet then costs 6 RT, you will have 5.",
    )
    last = reported(orders, hands=hands)[-1]
    assert last == {
        "rule": "JW-25",
        "text": "build max at A1: built none",
        "outcome": "nothing",
        "why": "A fleet costs 6 RT; you have 5.",
    }


def test_a_second_card_to_advance_is_told_to_be_kept_before_and_after() -> None:
    orders = {"tech": {"advance": ["attack", "jump", "trade"]}}
    hands = {"red": ["jump", "attack"]}
    kept = "Only one card a turn advances: the first of the list that you still hold."
    assert foretold(orders, hands=hands) == (
        "advance attack: now 2.",
        "You will mine 5 RT: homeworld 5. Then you have 5 RT.",
        f"advance jump: kept. {kept}",
    )
    last = reported(orders, hands=hands)[-1]
    assert (last["text"], last["outcome"], last["why"]) == ("advance jump: kept", "nothing", kept)


@pytest.mark.parametrize(
    ("orders", "changes", "told"),
    [
        ({"build": 7}, {}, "build 7 at A1 builds 1 for 5 RT each; then you have 0 RT."),
        ({"build": 0}, {}, "build 0 at A1 builds 0: a fleet then costs 5 RT, you will have 5."),
        (
            {"build": [{"at": "A1", "fleets": 1}, {"at": "A1", "fleets": "max"}]},
            {"tokens": {"red": 3}},
            "build max at A1 builds 0: a fleet then costs 5 RT, you will have 3.",
        ),
        ({}, {}, "You will mine 5 RT: homeworld 5. Then you have 5 RT."),
        ({}, {"fleets": {}}, "You will mine nothing. Then you have 0 RT."),
        (
            {"trade": [{"with": "blue", "give": {"rt": 1}, "want": {"rt": 3}}]},
            {"tokens": {"red": 1}},
            "Trades that need a partner are not counted here.",
        ),
        ({"jump": []}, {"step": "jump"}, "All your fleets stay where they are."),
        (
            {"jump": [{"from": "A1", "to": "C3", "fleets": 2}]},
            {"step": "jump", "levels": {"red": {"jump": 2}}},
            "A1-C3 x2: after all jumps you have 3 at A1 and 2 at C3, where blue has 2 now.",
        ),
        (
            {"jump": [{"from": "A1", "to": "B2", "fleets": "all"}]},
            {"step": "jump"},
            "No fleet of yours will be at A1, your homeworld: a player who jumps there takes it.",
        ),
        (
            {"final": {"discard": ["trade"]}},
            {"step": "jump", "hands": {"red": ["attack", "trade", "jump", "jump", "command"]}},
            "At the end of the turn you discard trade; your limit is 4.",
        ),
        (
            {"final": {"discard": ["trade"]}},
            {"step": "jump", "hands": {"red": ["trade"]}},
            "You will discard nothing: you hold no more than your limit of 4 (JW-59).",
        ),
        (
            {"homeworld": ["C3"]},
            {"step": "homeworlds", "map": {}, "fleets": {}, "start_player": "red"},
            "You are served first, so your homeworld will be C3.",
        ),
        (
            {"homeworld": ["C3"]},
            {"step": "homeworlds", "map": {}, "fleets": {}, "start_player": "blue"},
            "Your homeworld will be C3, unless somebody served before you is too near.",
        ),
        (
            {},
            {"step": "homeworlds", "map": {}, "fleets": {}, "start_player": "blue"},
            "You get the free space farthest from the homeworlds placed before yours (JW-4).",
        ),
    ],
)
def test_receipts_say_what_the_form_will_do(
    orders: Mapping[str, Any], changes: Mapping[str, Any], told: str
) -> None:
    assert told in foretold(orders, **changes)


def test_with_two_players_a_homeworld_that_is_left_open_may_end_the_game() -> None:
    changes = {
        "step": "jump",
        "seats": ["red", "blue"],
        "options": KIND.options({}, ["red", "blue"]),
        "map": {"A1": {"home": "red"}, "B2": {"home": "blue"}},
        "fleets": {"red": {"A1": 1}, "blue": {"B2": 1}},
    }
    told = foretold({"jump": [{"from": "A1", "to": "B2", "fleets": 1}]}, **changes)
    assert told[-1] == (
        "No fleet of yours will be at A1, your homeworld: a player who jumps there takes it, and "
        "wins; if you take blue's in the same turn, both win (JW-60)."
    )
    swap = {"red": {"jump": [{"from": "A1", "to": "B2", "fleets": 1}]}}
    swap["blue"] = {"jump": [{"from": "B2", "to": "A1", "fleets": 1}]}
    state = RULES.load({**POSITION, **changes}, Dice(b"key", "given"))
    after, _ = RULES.resolve(state, swap, Dice(b"key", "step"))
    assert RULES.due(after).winners == ("red", "blue")


def test_an_answer_to_the_revealed_lists_is_told_with_what_comes_of_them() -> None:
    rewrite = {"from": "A1", "to": "B2", "fleets": 1}
    told = foretold(
        {"espionage": {"cancel": 1, "rewrite": rewrite}},
        step="reveal",
        levels={"red": {"espionage": 2}},
        written={"red": ["A1-B1 x3"], "blue": ["C3-B2 x1"]},
    )
    assert told == (
        "cancel order 1, A1-B1 x3, A1-B2 x1 instead.",
        "A1-B2 x1: after all jumps you have 4 at A1 and 1 at B2, where blue has 1.",
    )


def test_only_what_built_nothing_is_called_vain() -> None:
    """Neither what was built nor what failed; each entry stands once."""
    build = [{"at": "A1", "fleets": n} for n in (1, "max", 0, 2)] + [{"at": "J1", "fleets": "max"}]
    entries = reported({"build": build})
    assert [(one["text"], one["outcome"]) for one in entries] == [
        ("build at A1: 1 fleet for 5 RT", "done"),
        ("build 2 at A1", "negated"),
        ("build max at J1", "negated"),
        ("build max at A1: built none", "nothing"),
        ("build 0 at A1: built none", "nothing"),
    ]


def test_what_is_foretold_comes_true_where_nobody_else_does_anything() -> None:
    """The same orders alone, adjudicated on the true position: their outcomes read the same."""
    compared = 0
    for seed in range(4):
        for step in walk(seed, SEATS, {}, steps=24):
            for seat, orders in step.orders.items():
                view = RULES.view(step.before, seat)
                _, events = RULES.resolve(step.before, {seat: orders}, step.dice, cut=True)
                done = [
                    f"{describe_outcome(0, event)['text']}."
                    for event in events
                    if event.kind in ("advanced", "raised", "gained", "allied", "sabotaged")
                    and find_writer(event) == seat
                ]
                if "draw" in orders or "steal" in orders:  # its cards are not known before
                    continue
                told = RULES.foretell(view, seat, orders)
                assert [one for one in done if one not in told] == []
                for event in events:
                    if event.kind == "built":
                        built = f"build {event.data['asked']} at {event.data['at']} builds "
                        fleets = event.data["fleets"]
                        begin = f"{built}{fleets} for " if fleets else f"{built}0: "
                        assert any(one.startswith(begin) for one in told)
                compared += len(done)
    assert compared > 30
