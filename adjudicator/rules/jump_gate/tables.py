"""The sections of a report: the ring, the players, the score sheet, the hand, the cards."""

from collections.abc import Mapping, Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.telling import count, listed
from adjudicator.rules.jump_gate import chart, uses
from adjudicator.rules.jump_gate.components import Components
from adjudicator.rules.jump_gate.scoring import parts
from adjudicator.rules.jump_gate.sight import sight
from adjudicator.rules.jump_gate.state import View
from adjudicator.rules.jump_gate.words import GATE, PARTS


def sections(view: View, components: Components) -> Sequence[Document]:
    """Everything that the reader may know of the position."""
    table = view.table
    found: list[Document] = [
        {
            "title": "Ring",
            "lines": list(chart.lines(table, components)),
            "words": list(chart.words(table, components, view.seat)),
        },
        _players(view, components),
        _scores(view, components),
    ]
    if view.seat is not None:
        found.append(_hand(view, view.seat, components))
    found.append({"title": "Cards", "lines": list(_cards(view))})
    return found


def _players(view: View, components: Components) -> Document:
    """Seat by seat in the order of turns."""
    table, second = view.table, components.second
    rows = []
    for seat, ship in table.ships.items():
        where = f"{ship.at or 'gate'}{' (landed)' if ship.landed else ''}"
        special = view.hidden_sizes[seat] if second else table.jump_gate[seat]
        numbers = [view.hand_sizes[seat], table.black_hole[seat], special]
        collected = ", ".join(table.collected[seat]) or "-"
        rows.append([_name(view, seat), where, *map(str, numbers), collected])
    columns = ["seat", "ship", "cards", "Black Hole", "hidden" if second else "Jump Gate"]
    return {
        "title": "Players",
        "columns": [*columns, "collected"],
        "rows": rows,
        "words": list(_course(view, components)),
    }


def _course(view: View, components: Components) -> Sequence[str]:
    """Where the game stands, and what ends it."""
    table = view.table
    markers = sum(table.black_hole.values())
    last = components.constants.black_hole_end.markers
    words = [f"{count(markers, 'marker')} on the Black Hole; {last} end the game."]
    if table.over is None:
        left = count(table.actions_left, "action")
        words.append(f"Turn {table.turn} is {table.active}'s, with {left} left.")
    if table.final_turns and table.over is None:
        words.append(f"Final turns still to end: {', '.join(table.final_turns)}.")
    return words


def _name(view: View, seat: Seat) -> str:
    return f"{seat} (you)" if seat == view.seat else seat


def _scores(view: View, components: Components) -> Document:
    """The score sheet as it stands: what all can see, and the reader's own (JG-13)."""
    table, shown = view.table, view.hidden_shown
    sheet: list[tuple[str, Mapping[str, int]]] = [
        (_name(view, seat), parts(table, seat, components, shown.get(seat, ())))
        for seat in table.seats
    ]
    if view.seat is not None and view.hidden and table.over is None:
        own = parts(table, view.seat, components, view.hidden)
        sheet.append(("you, with hidden", own))
    keys = [key for key in PARTS if key in sheet[0][1]]
    rows = [
        [name, *(str(points[key]) for key in keys), str(sum(points.values()))]
        for name, points in sheet
    ]
    if table.over is not None:
        words = "This is the final score."
    elif components.second:
        words = "As if the game ended now; hidden resources count in the last row only."
    else:
        words = "As if the game ended now, and nobody lost resources to the Black Hole."
    columns = ["seat", *(_HEADS.get(key, key) for key in keys), "total"]
    return {"title": "Score sheet", "columns": columns, "rows": rows, "words": [words]}


_HEADS = {"jump_gate": "gate", "gem": "gems"}


def _hand(view: View, seat: Seat, components: Components) -> Document:
    """What each card could do from where the ship is; hidden and face-down cards that are seen."""
    lines = _left(view, components) if view.table.over else _usable(view, seat, components)
    if view.hidden:
        lines.append(f"Your hidden resources: {listed(view.hidden)}.")
    for planet, cards in view.face_down.items():
        if cards:
            lines.append(f"Face-down at {planet}, seen by you: {listed(cards)}.")
    return {"title": "Your hand", "lines": lines}


def _usable(view: View, seat: Seat, components: Components) -> list[str]:
    here = sight(view, seat, components)
    cards = [
        f"{card} ({uses.codes_of(components.cards[card])}): {uses.of_card(here, card)}"
        for card in view.hand
    ]
    return [f"From {here.at or GATE}:", *cards, *uses.without_cards(here)]


def _left(view: View, components: Components) -> list[str]:
    """When all is over nothing can be done with a card any more."""
    cards = [f"{card} ({uses.codes_of(components.cards[card])})" for card in view.hand]
    return cards or ["No card is left in your hand."]


def _cards(view: View) -> Sequence[str]:
    pile = view.table.discard
    lines = [f"Deck: {count(view.deck_size, 'card')}. Discard pile: {count(len(pile), 'card')}."]
    if pile:
        lines.append(f"Discarded, the oldest first: {', '.join(pile)}.")
    return lines
