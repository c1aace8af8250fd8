"""Every entry of every form is told of in a report: what came of it, or that nothing did."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import adjudicator
from adjudicator.core.dice import Dice
from adjudicator.core.document import Document
from adjudicator.core.events import list_visible
from adjudicator.desk.outbox.report import ReportedStep, make_game_part

TOLD: Mapping[str, Mapping[str, str]] = {
    "jump-wars": {
        "homeworld": "Your homeworld is",
        "cutting_edge": "cutting edge",
        "leadership": "leadership",
        "draw": "ruins|brains",
        "trade": "trade|gift",
        "steal": "steal",
        "ally": "ally",
        "tech": "advance|pair",
        "mine": "mine",
        "build": "build",
        "sabotage": "sabotage",
        "jump": r"order \d|[A-J]\d+-[A-J]\d+",
        "move_homeworld": "homeworld",
        "fight": "targets|nova|Fight at",
        "final": r"discard .* at the end|You discarded|down to the limit",
        "espionage": "cancel|espionage",
        "time_jump": "time jump",
    },
    "jump-drive": {
        "development": ".",
        "world": ".",
        "contact_specialist": ".",
        "pay": ".",
        "second": "second| by |no second",
        "explore": "explore",
        "discard": "discard",
        "trim": "trim|discard",
        "by": ".",
    },
    "jump-gate": {
        "actions": ".",
        "end": "end|given up|is over",
        "mark": "mark",
        "collect": "ollect",
    },
    "jump-gate-2010": {"actions": ".", "end": "end|given up|is over", "collect": "ollect"},
}
"""For each key of a form, what an entry or an event of the report that follows says of it."""


@pytest.mark.parametrize("kind", sorted(TOLD))
def test_every_key_of_every_form_is_told_of(kind: str) -> None:
    seen = Counter[str]()
    for seed in range(2):
        state = adjudicator.load(kind).new(seed=seed, seats=3)
        sent: list[tuple[str, Document]] = []
        told: dict[str, list[str]] = {}
        for number in range(60):
            if state.over:
                break
            orders = {seat: state.legal(seat, 1000 * seed + number) for seat in state.due}
            state = state.close(orders)
            sent += orders.items()
            for seat in state.seats:
                told.setdefault(seat, []).extend(_list_told(state.report(seat).document))
            if (state.step or "").endswith(("reveal", "second", "explore")):
                continue  # the rest of these forms is executed after that step
            for seat, own in sent:
                for key in own.keys() - {"pass", "standing"}:
                    pattern = TOLD[kind][key]
                    assert any(re.search(pattern, text) for text in told[seat]), (key, own, told)
                    seen[key] += 1
            sent, told = [], {}
    assert len(seen) > 1


def _list_told(report: Document) -> list[str]:
    events = [one["text"] for one in report["events"]]
    orders = (report["orders"] or {}).get("entries", ())
    return [*(one["text"] for one in orders), *events]


def _entries(
    kind: str,
    position: Mapping[str, Any],
    orders: Mapping[str, Any] | None,
    outcomes: Sequence[str] = ("nothing",),
    options: Mapping[str, Any] = {},
) -> list[Any]:
    """The entries of red's report on the step from this position."""
    own = adjudicator.load(kind)
    rules, seats = own.source.rules, ["red", "blue", "green"]
    whole = {**position, "seats": seats, "options": own.source.options(options, seats)}
    state = rules.load(whole, _dice("given"))
    after, events = rules.resolve(state, {} if orders is None else {"red": orders}, _dice("step"))
    played = ReportedStep(
        before=rules.view(state, "red"),
        after=rules.view(after, "red"),
        orders=orders,
        events=list_visible(events, "red"),
    )
    part = make_game_part(rules, played.after, "red", [played])
    return [one for one in part["orders"]["entries"] if one["outcome"] in outcomes]


def _dice(step: str) -> Dice:
    return Dice(b"key", step)


WARS = {
    "step": "jump",
    "map": {"A1": {"home": "red"}, "J1": {"home": "blue"}, "A10": {"home": "green"}},
    "fleets": {"red": {"A1": 5}, "blue": {"J1": 5}, "green": {"A10": 5}},
    "hands": {"red": ["trade", "attack"]},
}


def test_targets_without_a_fight_and_cards_within_the_limit_are_told() -> None:
    orders = {"fight": {"targets": ["blue", "green"]}, "final": {"discard": ["trade"]}}
    assert [
        (one["rule"], one["text"], one["why"]) for one in _entries("jump-wars", WARS, orders)
    ] == [
        ("JW-55", "targets blue and green: no shot at them", "You had no fight this turn."),
        ("JW-59", "discard trade at the end: kept", "You are not over your hand limit."),
    ]


def test_the_rest_of_a_jump_form_is_told_after_the_reveal_step_that_came_between() -> None:
    position = {
        **WARS,
        "step": "reveal",
        "written": {"red": ["A1-A2 x2"], "blue": ["J1-J2 x1"]},
        "specials": {"blue": ["time-jump"]},
        "hands": {"red": ["trade"], "blue": ["attack"]},
        "kept": {"red": {"fight": {"targets": ["blue"]}, "final": {"discard": ["trade"]}}},
    }
    assert [one["text"] for one in _entries("jump-wars", position, None)] == [
        "targets blue: no shot at them",
        "discard trade at the end: kept",
    ]


def test_only_targets_that_were_in_no_fight_of_ones_own_are_told() -> None:
    fleets = {"red": {"A1": 5}, "blue": {"A1": 1}, "green": {"A10": 5}}
    orders = {"fight": {"targets": ["blue", "green"]}}
    (one,) = _entries("jump-wars", {**WARS, "fleets": fleets}, orders)
    assert (one["text"], one["why"]) == (
        "targets green: no shot at them",
        "They were in no fight of yours.",
    )


def test_a_hand_over_the_limit_tells_only_what_was_kept() -> None:
    hands = {"red": ["trade", "attack", "jump", "defense", "command"]}
    orders = {"final": {"discard": ["trade", "jump"]}}
    (one,) = _entries("jump-wars", {**WARS, "hands": hands}, orders)
    assert (one["text"], one["why"]) == (
        "discard jump at the end: kept",
        "Only what is over the hand limit goes.",
    )


def test_a_second_card_to_advance_is_told_as_kept_only_while_it_is_held() -> None:
    def told(**orders: Any) -> list[str]:
        form = {"tech": {"advance": ["trade", "attack"]}, **orders}
        return [one["text"] for one in _entries("jump-wars", {**WARS, "step": "plan"}, form)]

    assert told() == ["advance attack: kept"]
    assert told(cutting_edge=["attack"]) == told(mine={"discard": ["attack"]}) == []


def test_discards_without_exploring_and_a_trim_within_the_limit_are_told() -> None:
    position = {"hands": {"red": ["gem-world", "asteroid-belt", "drop-ships", "rebel-base"]}}
    orders = {"world": "gem-world", "discard": ["rebel-base"], "trim": ["drop-ships"]}
    told = [(one["rule"], one["text"]) for one in _entries("jump-drive", position, orders)]
    assert told == [
        ("JD-11", "discard Rebel Base: nothing to discard"),
        ("JD-15", "trim Drop Ships: kept"),
    ]


def test_a_trim_is_told_when_the_round_ends_whatever_form_came_between() -> None:
    position = {
        "step": "explore",
        "hands": {"red": ["gem-world", "asteroid-belt", "drop-ships", "rebel-base", "comet-zone"]},
        "drawn": {"red": ["rebel-base", "asteroid-belt", "drop-ships"]},
        "trims": {"red": ["gem-world"]},
    }
    told = _entries("jump-drive", position, {"discard": ["rebel-base"]})
    assert [(one["rule"], one["text"], one["why"]) for one in told] == [
        ("JD-15", "trim Gem World: kept", "You had no cards too many.")
    ]


GATE = {
    "ring": ["anno", "cinder", "waldwelt"],
    "planets": {"anno": {"face_up": ["fame"], "face_down": ["sand"]}},
    "ships": {"red": "anno", "blue": "cinder"},
    "hands": {"red": ["n46"]},
    "active": "red",
    "navcomp_deck": ["n40"],
}


def test_a_mark_that_nothing_fits_and_the_end_of_a_turn_that_was_over_are_told() -> None:
    orders = {
        "actions": [{"do": "fly", "to": "cinder"}, {"do": "fly", "to": "anno"}],
        "end": True,
    }
    assert [one["text"] for one in _entries("jump-gate", GATE, orders)] == [
        "end the turn: it was over"
    ]
    action = {"do": "scan", "card": "n46", "mark": ["water", "none"]}
    told = [one["text"] for one in _entries("jump-gate", GATE, {"actions": [action]})]
    assert told == ["mark water at anno: none placed"]


def test_what_the_program_chose_to_mark_is_told() -> None:
    """JG-14: without a wish the program marks; a mark that is wished for where it lies stays."""

    def told(action: Mapping[str, Any], **marks: str) -> list[str]:
        site = {"face_up": ["water"], "face_down": ["fame"], "marks": marks}
        orders = {"actions": [{"do": "scan", **action}]}
        given = {**GATE, "planets": {"anno": site}}
        found = _entries("jump-gate", given, orders, outcomes=("nothing", "done"))
        return [one["text"] for one in found if "mark " in one["text"] and ":" in one["text"]]

    assert told({}) == ["mark at anno: you named none, so the program chose fame"]
    assert told({"mark": ["sand"]}, red="water") == ["mark sand at anno: none placed"]
    assert told({"mark": ["water"]}, red="water") == ["mark water at anno: it stays on water"]
    assert told({"mark": ["fame"]}) == []
    assert told({"mark": ["none"]}) == []


def test_a_mark_is_told_of_where_a_later_scan_is_asked_about() -> None:
    planets = {"anno": {"face_up": ["fame"], "face_down": ["sand", "gem-red"]}}
    given = {**GATE, "planets": planets, "hands": {"red": ["n45", "n46"]}}
    scans = [{"do": "scan", "card": "n45", "mark": ["water"]}, {"do": "scan", "card": "n46"}]
    told = _entries("jump-gate", given, {"actions": scans}, options={"interrupts": "ask"})
    assert [one["text"] for one in told] == ["mark water at anno (scan with n45): none placed"]


def test_a_wish_at_a_landing_is_told_where_only_something_else_brought_a_card() -> None:
    """The own marked card (JGB-6) and a deal elsewhere (JGA-9) are not the card of the landing."""
    marked = {**GATE, "planets": {"anno": {"face_up": ["fame"], "marks": {"red": "fame"}}}}
    landing = {"do": "land", "take": ["water"]}
    position = {**marked, "hands": {"red": ["n14", "n18"]}}
    told = [one["text"] for one in _entries("jump-gate", position, {"actions": [landing]})]
    assert told == ["take water at anno: none taken"]
    planets = {"anno": {"face_up": ["nothing"]}, "cinder": {"face_up": ["fame"], "claim": "blue"}}
    position = {**GATE, "planets": planets, "hands": {"red": ["n09", "n18", "n20"]}}
    deal = {"do": "special", "card": "n09", "at": "cinder"}
    told = [
        one["text"] for one in _entries("jump-gate-2010", position, {"actions": [landing, deal]})
    ]
    assert told == ["take water at anno: none taken"]


def test_a_wish_of_a_hotshot_pilot_who_names_no_further_card_is_told() -> None:
    planets = {"anno": {"face_up": ["nothing"]}}
    position = {**GATE, "planets": planets, "hands": {"red": ["n15", "n18"]}}
    pilot = {"do": "special", "card": "n15", "take": ["water"]}
    told = [one["text"] for one in _entries("jump-gate-2010", position, {"actions": [pilot]})]
    assert told == ["take water at anno: none taken"]
