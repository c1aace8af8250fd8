"""The hand as its holder reads it: what each card costs now, whether it can be placed, its gain."""

from collections.abc import Sequence

from adjudicator.core.document import Document
from adjudicator.core.telling import count
from adjudicator.rules.jump_drive.case import Own, case_of
from adjudicator.rules.jump_drive.components import DEVELOPMENT, Card, Components, Name
from adjudicator.rules.jump_drive.counting import Empire, Measure, income, points, strength
from adjudicator.rules.jump_drive.effects import effect
from adjudicator.rules.jump_drive.faults import first_fault
from adjudicator.rules.jump_drive.paying import development_cost, specialist, world_cost
from adjudicator.rules.jump_drive.written import Placing


def sections(own: Own, others: Sequence[Empire], components: Components) -> Sequence[Document]:
    """The hand as a table, and what its cards do."""
    names = dict.fromkeys(own.hand)
    if not own.hand:
        return [{"title": "Your hand", "lines": ["no cards"]}]
    rows = [_row(name, own, others, components) for name in names]
    words = [
        f"{count(len(own.hand), 'card')}; a card being placed cannot pay for itself.",
        "VP and income: how much more your empire would bring each round, as things stand.",
    ]
    columns = ["card", "costs now", "can you", "VP", "income"]
    does = [f"{name}: {effect(components.cards[name], components)}" for name in names]
    return [
        {"title": "Your hand", "columns": columns, "rows": rows, "words": words},
        {"title": "What your cards do", "lines": does},
    ]


def _row(name: Name, own: Own, others: Sequence[Empire], components: Components) -> Sequence[str]:
    card, empire = components.cards[name], components.named(own.empire)
    grown = (*empire, card)
    copies = own.hand.count(name)
    gains = [_sum(what, grown, others) - _sum(what, empire, others) for what in (points, income)]
    return [
        f"{name} x{copies}" if copies > 1 else name,
        _price(card, empire),
        _can(card, own, components),
        *map(str, gains),
    ]


def _sum(what: Measure, empire: Empire, others: Sequence[Empire]) -> int:
    return sum(what(card, empire, others) for card in empire)


def _price(card: Card, empire: Empire) -> str:
    if card.kind == DEVELOPMENT:
        costs = [development_cost(empire, card, alone=alone) for alone in (True, False)]
        return f"{costs[0]}, beside a world {costs[1]}" if costs[0] != costs[1] else str(costs[0])
    if card.defense is None:
        return str(world_cost(empire, card))
    needs = f"strength {card.defense}, you have {strength(card, empire)}"
    power = specialist(empire)
    if power is None or power.except_world == card.colour:
        return needs
    return f"{needs}; or {world_cost(empire, card)}"


def _can(card: Card, own: Own, components: Components) -> str:
    """Whether it can be placed alone; if not, the rule that forbids it."""
    if card.kind == DEVELOPMENT:
        forms = [Placing(development=card.slug)]
    else:
        forms = [Placing(world=card.slug), Placing(world=card.slug, contact_specialist=True)]
    faults = [first_fault(case_of(own, form, components)) for form in forms]
    if any(fault is None for fault in faults):
        return "yes"
    return f"no, {faults[0].rule}" if faults[0] else "yes"
