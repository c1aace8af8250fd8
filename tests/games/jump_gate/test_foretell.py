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


OPEN = ("draw", "choice may come", "turned up", "lies there then", "by then", "at least")


def names_no_card_to_come(told: Sequence[str]) -> bool:
    return not any(words in one for one in told for words in OPEN)


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


TAKEN = re.compile(r"(?:\\d+: |; )(?:you take ([a-z-]+!?)(?=[;.]|, which)|mark ([a-z-]+!?) at)")


@pytest.mark.parametrize("interrupts", ["policy", "ask"])
@pytest.mark.parametrize("kind", [FIRST, SECOND])
def test_what_is_said_to_be_taken_or_marked_is(kind: str, interrupts: str) -> None:
    """Nothing is told as certain that depends on a card turned up or on what others leave."""
    rules, compared = RULES[kind], 0
    for seed in range(12):
        for step in walk(kind, seed, 3, {"interrupts": interrupts}, who="legal"):
            table = step.before.table
            if table.awaiting is not None:
                continue
            seat = table.active
            orders, view = step.orders.get(seat, {}), rules.view(step.before, seat)
            asked = any(event.kind == "asked" for event in step.events)
            if rules.check(view, seat, orders) or asked:
                continue
            found = [
                event.data["resource"]
                for event in step.events
                if event.kind in ("collected", "marked") and event.data["seat"] == seat
            ]
            for told in TAKEN.findall(" ".join(rules.foretell(view, seat, orders))):
                card = told[0] or told[1]
                assert card in found, (told, found, orders)
                found.remove(card)
                compared += 1
    assert compared > 10


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
        "Your score goes from 0 to 5 (fame +5).",
        "Then your turn ends. You will hold 2 cards.",
    )
    assert foretold(FIRST, given, {"actions": [fly], "end": True})[-1] == (
        "Then your turn ends, with 1 action given up. You will hold 2 cards."
    )
    assert foretold(FIRST, given, {"pass": True}) == (
        "Then your turn ends, with 2 actions given up. You will hold 2 cards.",
    )
    icon = {"do": "harvest", "take": ["water!"]}
    assert "you have 1 marker on the Black Hole, of 1 there in all" in " ".join(
        foretold(FIRST, given, {"actions": [fly, icon]})
    )


MARKED = {
    "ring": RING,
    "seats": ["red", "blue", "green"],
    "ships": {"red": "anno"},
    "hands": {"red": ["n21", "n24", "n33"]},
}


def test_a_named_mark_is_told_with_what_it_depends_on() -> None:
    """JGB-5, JG-14: the first kind that lies there unmarked; if nothing fits, marks stay."""
    site = {"face_up": ["gem-red", "sand"], "face_down": ["water", "fame"]}
    scan = {"do": "scan"}

    def told(mark: Sequence[str] | None, **marks: str) -> str:
        given = {**MARKED, "planets": {"anno": {**site, "marks": marks}}}
        action = scan if mark is None else {**scan, "mark": mark}
        return foretold(SECOND, given, {"actions": [action]})[0]

    assert "; mark sand at anno" in told(["sand"])
    assert "; your mark stays on sand" in told(["sand"], red="sand")
    unsure = told(["fame", "water", "sand", "gem-red"])
    assert "; you mark fame or water if that is turned up, otherwise sand;" in unsure
    assert "; you mark fame if that is turned up, otherwise you mark nothing" in told(["fame"])
    assert "otherwise you mark nothing" in told(["sand"], blue="sand")
    site["face_up"] = ["gem-red!"]
    assert "; you mark gem-red without its icon if that is turned up, otherwise gem-red!" in told(
        ["gem-red"]
    )
    site["face_up"] = ["gem-red", "sand"]
    assert "otherwise your mark stays on sand" in told(["fame"], red="sand")
    assert "; you name no mark; once the card is turned up, the program marks" in told(None)
    assert "moves yours from sand only to a card worth more" in told(None, red="sand")
    assert "mark" not in told(["none"])


def test_what_a_landing_brings_is_told_where_nobody_else_can_take_it() -> None:
    """JGB-6: others take only what they have marked, before the lander."""
    given: dict[str, Any] = {
        **MARKED,
        "planets": {
            "anno": {
                "face_up": ["gem-red", "gem-white", "energel-light"],
                "marks": {"red": "gem-red", "blue": "gem-white"},
            }
        },
        "hands": {"red": ["n04", "n09"]},
    }

    def told(**more: Any) -> Sequence[str]:
        return foretold(SECOND, given, {"actions": [{"do": "land", **more}]})

    sure = told(take=["energel-light"])
    assert "; you take gem-red, which you marked; you take energel-light;" in sure[0]
    assert sure[1] == "Your score goes from 0 to 7 (claims +4, gems +1, EnerGel +2)."
    wish = told(take=["gem-white", "energel-light"])
    assert "; you take gem-white if that lies there then, otherwise energel-light" in wish[0]
    assert wish[1] == "Your score goes from 0 to at least 5 (claims +4, gems +1)."
    free = told()[0]
    assert "; you take energel-light; you claim anno; energel-light is the program's choice" in free
    given["planets"]["anno"]["marks"]["blue"] = "energel-light"
    assert "you take what is worth most to you of what lies there then (JG-6)" in told()[0]


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
        ({"pass": True}, "You mark fame at anno, by the program's choice (JG-14)."),
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
