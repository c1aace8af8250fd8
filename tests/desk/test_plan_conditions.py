"""Conditions of orders ahead in the games of cards, one by one."""

from typing import Any

from tests.desk.conftest import Desk
from tests.desk.test_ahead import TWO, begin


def judge(rules: Any, view: Any, *cases: tuple[str, Any, Any]) -> None:
    """Each word with a value that is true of the view, and one that is not."""
    for word, true, false in cases:
        told = [rules.holds(view, "red", word, value) for value in (true, false)]
        assert told == [True, False], word


def test_conditions_of_jump_gate_are_true_of_what_the_seat_sees(desk: Desk) -> None:
    begin(desk, "jump-gate", seats=TWO, options={"start_player": "red"})
    rules, document = desk.library.kind("jump-gate").rules, desk.state()
    here, there = document["ring"][:2]
    document["ships"] = {"red": here, "blue": there}
    document["planets"][here] |= {
        "face_up": ["fame", "water", "gem-red!"],
        "marks": {"blue": "fame"},
    }
    document["planets"][there]["claim"] = "blue"
    document["black_hole"] = {"red": 1, "blue": 2}
    view = rules.view(rules.load(document), "red")
    other = next(card for card in rules.names["card"] if card not in view.hand)
    below = view.table.planets[here].face_down
    judge(
        rules,
        view,
        ("turn", 1, 2),
        ("left", 2, 1),
        ("card", view.hand[:2], (view.hand[0], other)),
        ("card", view.hand[:1], view.hand[:1] * 2),
        ("hand", len(view.hand), len(view.hand) + 1),
        ("at", here, there),
        ("free", (here,), (here, there)),
        ("resource", ("water",), ("fame",)),
        ("resource", ("gem-red!",), ("water!",)),
        ("resource", ("gem-red", "water"), ("gem-red", "gem-red!")),
        ("hidden", below, below + 1),
        ("alone", True, False),
        ("black_hole", 3, 2),
    )


def test_conditions_of_jump_drive_are_true_of_what_the_seat_sees(desk: Desk) -> None:
    begin(desk, "jump-drive", seats=TWO)
    rules, document = desk.library.kind("jump-drive").rules, desk.state()
    where = next(
        pile for pile in (document["deck"], *document["hands"].values()) if "space-marines" in pile
    )
    where.remove("space-marines")
    document["empires"] = {"red": ["space-marines"], "blue": []}
    document["vp"] = {"red": 7, "blue": 9}
    view = rules.view(rules.load(document), "red")
    other = next(card for card in rules.names["card"] if card not in view.hand)
    marines = rules.components.cards["space-marines"]
    strength = marines.count_icons("military")
    assert strength > 0
    judge(
        rules,
        view,
        ("round", 1, 2),
        ("card", view.hand[:2], (view.hand[0], other)),
        ("card", view.hand[:1], view.hand[:1] * 5),
        ("hand", len(view.hand), len(view.hand) + 1),
        ("empire", ("space-marines",), ("space-marines", other)),
        ("empire", ("space-marines",), ("space-marines", "space-marines")),
        ("strength", strength, strength + 1),
        ("points", 7, 8),
        ("leader", False, True),
    )
