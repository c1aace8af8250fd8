"""What a receipt tells of cards that the orders do not name comes true."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.finding import Grade
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, walk

PAID = ("jumped", "scanned", "landed", "collected")


def unnamed(orders: Mapping[str, Any]) -> dict[str, Any]:
    """The same actions, the cards for them left to the program."""
    actions = [
        {key: value for key, value in action.items() if key not in ("card", "cards")}
        for action in orders.get("actions", ())
        if action["do"] != "special"
    ]
    return {"actions": actions}


@pytest.mark.parametrize("kind", [FIRST, SECOND])
def test_the_card_that_is_foretold_is_discarded(kind: str) -> None:
    rules, told = LIBRARY.kind(kind).rules, 0
    for seed in range(6):
        for number, step in enumerate(walk(kind, seed, 3, {}, who="legal")):
            table = step.before.table
            if table.awaiting is not None:
                continue
            seat, view = table.active, rules.view(step.before, table.active)
            orders = unnamed(step.orders.get(seat, {}))
            if any(one.grade is Grade.REFUSED for one in rules.check(view, seat, orders)):
                continue
            sentences = rules.foretell(view, seat, orders)
            _, events = rules.resolve(step.before, {seat: orders}, Dice(b"key", f"{seed}-{number}"))
            paid = [
                list(one.data["cards"])
                for one in events
                if one.kind in PAID and one.data.get("cards")
            ]
            for sentence in sentences:
                assert sorted(re.findall(r"n\d\d", sentence)) in [sorted(cards) for cards in paid]
                told += 1
    assert told > 20


def test_nothing_is_foretold_of_cards_that_are_named() -> None:
    rules = LIBRARY.kind(SECOND).rules
    for step in walk(SECOND, 1, 2, {}, who="legal"):
        table = step.before.table
        if table.awaiting is None and all(
            {"card", "cards"} & set(action) or action["do"] in ("fly", "research")
            for action in step.orders.get(table.active, {}).get("actions", ())
        ):
            view, orders = rules.view(step.before, table.active), step.orders.get(table.active, {})
            assert not rules.foretell(view, table.active, orders)
