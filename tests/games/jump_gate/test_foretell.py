"""What a receipt of Jump Gate says that a form will do comes true."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.finding import Grade
from adjudicator.rules.jump_gate.phases.scoring import score_parts
from adjudicator.rules.jump_gate.telling.report import describe_outcome, find_writer
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, walk

RULES: Mapping[str, Any] = {kind: LIBRARY.kind(kind).rules for kind in (FIRST, SECOND)}


def unnamed(orders: Mapping[str, Any]) -> dict[str, Any]:
    """The same actions, the cards for them left to the program."""
    actions = [
        {key: value for key, value in action.items() if key not in ("card", "cards")}
        for action in orders.get("actions", ())
        if action["do"] != "special"
    ]
    return {"actions": actions}


def names_no_card_to_come(told: Sequence[str]) -> bool:
    return not any("draw" in one or "depends" in one or "choice may come" in one for one in told)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", [FIRST, SECOND])
def test_what_is_foretold_of_a_turn_comes_true(kind: str, named: bool) -> None:
    """Each action with its cards in the words of the report, and the score after them."""
    rules, compared = RULES[kind], 0
    for seed in range(6):
        for number, step in enumerate(walk(kind, seed, 3, {}, who="legal")):
            table = step.before.table
            if table.awaiting is not None:
                continue
            seat, view = table.active, rules.view(step.before, table.active)
            orders = step.orders.get(seat, {})
            orders = orders if named else unnamed(orders)
            if any(one.grade is Grade.REFUSED for one in rules.check(view, seat, orders)):
                continue
            told = rules.foretell(view, seat, orders)
            after, events = rules.resolve(
                step.before, {seat: orders}, Dice(b"key", f"{seed}-{number}")
            )
            for event in events:
                if find_writer(event) != seat or event.kind in ("negated", "not-tried"):
                    continue
                text = describe_outcome(0, event)["text"].partition(":")[0]
                assert any(text in one for one in told) or not names_no_card_to_come(told)
                compared += 1
            points = sum(score_parts(after.table, seat, rules.components).values())
            score = re.search(r"Your score goes from \d+ to (\d+)", " ".join(told))
            if score and names_no_card_to_come(told) and after.table.over is None:
                assert points == int(score[1]), (told, events)
    assert compared > 40


def foretold(kind: str, given: Mapping[str, Any], orders: Mapping[str, Any]) -> Sequence[str]:
    rules = RULES[kind]
    seats = ["red", "blue", "green"]
    whole = {"seats": seats, "options": LIBRARY.kind(kind).options({}, seats), **given}
    state = rules.load(whole, Dice(b"key", "given"))
    told: Sequence[str] = rules.foretell(rules.view(state, "red"), "red", orders)
    return told


RING = ["anno", "cinder", "waldwelt", "window"]


def test_a_turn_is_told_action_by_action_with_what_is_left_of_it() -> None:
    given = {
        "ring": RING,
        "ships": {"red": "anno"},
        "planets": {"cinder": {"claim": "blue", "face_up": ["fame", "water!"]}},
        "hands": {"red": ["n01", "n02"]},
    }
    fly, take = {"do": "fly", "to": "cinder"}, {"do": "harvest", "take": ["fame"]}
    assert foretold(FIRST, given, {"actions": [fly]}) == (
        "1: fly from anno to cinder.",
        "Then you have 1 action left, and are asked for it again.",
    )
    assert foretold(FIRST, given, {"actions": [fly, take]}) == (
        "1: fly from anno to cinder.",
        "2: harvest fame at cinder.",
        "Your score goes from 0 to 5.",
        "Then your turn ends. You will hold 2 cards.",
    )
    assert foretold(FIRST, given, {"actions": [fly], "end": True})[-1] == (
        "Then your turn ends, with 1 action given up. You will hold 2 cards."
    )
    assert foretold(FIRST, given, {"pass": True}) == (
        "Then your turn ends, with 2 actions given up. You will hold 2 cards.",
    )
    icon = {"do": "harvest", "take": ["water!"]}
    assert "you have 1 marker on the Black Hole, 1 lie there in all" in " ".join(
        foretold(FIRST, given, {"actions": [fly, icon]})
    )


def test_research_says_how_many_cards_come() -> None:
    given = {"ring": RING, "hands": {"red": ["n01", "n02", "n03"]}}
    research = {"do": "research", "discard": ["n01"]}
    told = foretold(SECOND, given, {"actions": [research, {"do": "research"}]})
    assert told[0] == "1: research, discarding n01; you draw 3 cards."
    assert told[1] == "2: research; it draws nothing, since your hand is full then."


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ({"mark": ["water"]}, "You mark water at anno."),
        ({"mark": ["none"]}, "Your marks stay as they are."),
        ({"pass": True}, "You mark fame at anno."),
    ],
)
def test_the_choice_of_a_mark_is_told(orders: Mapping[str, Any], told: str) -> None:
    given = {
        "step": "mark",
        "ring": RING,
        "ships": {"red": "anno"},
        "actions_left": 1,
        "planets": {"anno": {"face_up": ["water", "fame"], "face_down": ["sand"]}},
        "awaiting": {"mark": {"red": "anno"}},
    }
    assert foretold(SECOND, given, orders) == (told,)


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        (
            {"collect": ["water!"]},
            "You collect water! at anno, and put a marker on the Black Hole.",
        ),
        ({"collect": ["none"]}, "You collect nothing at anno."),
        ({"pass": True}, "You collect fame at anno."),
        (
            {"pass": True, "standing": {"collect": ["none"]}},
            "You collect nothing at anno.",
        ),
    ],
)
def test_the_choice_of_what_to_collect_is_told(orders: Mapping[str, Any], told: str) -> None:
    given = {
        "step": "collect",
        "ring": RING,
        "active": "blue",
        "ships": {"blue": "anno"},
        "planets": {
            "anno": {"claim": "blue", "face_up": ["water!", "fame"], "scans": {"red": 1}},
        },
        "awaiting": {"collect": {"red": "anno"}},
        "actions_left": 1,
    }
    assert foretold(FIRST, given, orders) == (told,)


def test_choices_that_are_told_are_made() -> None:
    compared = 0
    for kind in (FIRST, SECOND):
        rules = RULES[kind]
        for seed in range(8):
            for step in walk(kind, seed, 3, {"interrupts": "ask"}, who="legal"):
                asked = step.before.table.awaiting
                if asked is None:
                    continue
                for seat in asked.asked:
                    orders = step.orders.get(seat, {})
                    told = rules.foretell(rules.view(step.before, seat), seat, orders)
                    found = [
                        event.data["resource"]
                        for event in step.events
                        if event.kind in ("collected", "marked") and event.data["seat"] == seat
                    ]
                    assert len(told) == 1
                    assert not found or f" {found[0]} " in told[0]
                    assert found or "nothing" in told[0] or "stay" in told[0]
                    compared += 1
    assert compared > 20
