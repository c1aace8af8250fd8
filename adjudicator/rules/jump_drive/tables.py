"""The sections of a report: the race, the players, the empires, the hand, the cards."""

from collections.abc import Mapping, Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.telling import count, listed
from adjudicator.rules.jump_drive import chart, check, hand
from adjudicator.rules.jump_drive.components import Card, Components
from adjudicator.rules.jump_drive.counting import (
    Empire,
    general,
    icons,
    income,
    others_of,
    points,
    totals,
)
from adjudicator.rules.jump_drive.effects import helps
from adjudicator.rules.jump_drive.state import View


def sections(view: View, components: Components) -> Sequence[Document]:
    """Everything that the reader may know of the position."""
    table, seat = view.table, view.seat
    empires = {one: components.named(empire) for one, empire in table.empires.items()}
    found: list[Document] = [
        {
            "title": f"Race to {components.constants.goal}",
            "lines": list(chart.lines(table, components)),
            "words": list(chart.words(table, components, seat)),
        },
        _players(view, empires, components),
    ]
    if seat is not None:
        others = others_of(empires, seat)
        found.append(_own(empires[seat], others, components))
        found += hand.sections(check.own_of(view), others, components)
    found.append(_others(view, empires))
    found.append({"title": "Cards", "lines": list(_cards(view))})
    return found


def _players(view: View, empires: Mapping[Seat, Empire], components: Components) -> Document:
    """Seat by seat, clockwise."""
    table = view.table
    gained = totals(table.empires, components, points)
    drawn = totals(table.empires, components, income)
    rows = []
    for seat, empire in empires.items():
        numbers = [
            table.vp[seat],
            gained[seat],
            drawn[seat],
            view.hand_sizes[seat],
            general(empire),
            icons(empire, "explore"),
            table.explores[seat],
        ]
        team = "taken" if seat in table.surveyed else "there"
        name = f"{seat} (you)" if seat == view.seat else seat
        rows.append([name, *map(str, numbers), team])
    columns = ["seat", "VP", "a round", "income", "cards", "strength", "explore", "markers"]
    words = [f"{table.dealer} is the dealer of round {table.round}."]
    if table.idle:
        left = components.constants.idle - table.idle
        words.append(f"{count(left, 'more round')} without a card placed or a VP end the game.")
    return {
        "title": "Players",
        "columns": [*columns, "team"],
        "rows": rows,
        "words": words,
    }


def _own(empire: Empire, others: Sequence[Empire], components: Components) -> Document:
    """The reader's empire, card by card, and the sum."""
    if not empire:
        return {"title": "Your empire", "lines": ["no cards yet"]}
    rows = [[card.name, *map(str, _numbers(card, empire, others))] for card in empire]
    sums = zip(*(_numbers(card, empire, others) for card in empire), strict=True)
    rows.append(["together", *(str(sum(column)) for column in sums)])
    columns = ["card", "VP", "income", "military", "explore", "chromosomes"]
    words = [f"General strength {general(empire)}.", *helps(empire, components)]
    return {"title": "Your empire", "columns": columns, "rows": rows, "words": words}


def _numbers(card: Card, empire: Empire, others: Sequence[Empire]) -> Sequence[int]:
    worth = (points(card, empire, others), income(card, empire, others))
    return (*worth, card.military, card.explore, card.chromosomes)


def _others(view: View, empires: Mapping[Seat, Empire]) -> Document:
    """What lies in the other empires, each card with what it brings a round there."""
    lines = []
    for seat, empire in empires.items():
        if seat != view.seat:
            others = others_of(empires, seat)
            cards = [_told(card, empire, others) for card in empire]
            lines.append(f"{seat}: {listed(cards) or 'no cards yet'}.")
    title = "Empires" if view.seat is None else "The other empires"
    return {"title": title, "lines": lines}


def _told(card: Card, empire: Empire, others: Sequence[Empire]) -> str:
    gained, drawn = points(card, empire, others), income(card, empire, others)
    brings = [f"{gained} VP"] if gained else []
    brings += [f"{drawn} income"] if drawn else []
    return f"{card.name} ({', '.join(brings)})" if brings else card.name


def _cards(view: View) -> Sequence[str]:
    deck, pile = count(view.deck_size, "card"), count(view.discard_size, "card")
    return [f"Deck: {deck}. Discard pile, face-down: {pile}."]
