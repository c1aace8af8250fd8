"""The sections of a report: the ring, the players, the score sheet, the hand, the cards."""

from collections.abc import Mapping, Sequence
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count, format_list, label_seat
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Sight, sight
from adjudicator.rules.jump_gate.phases.scoring import score_parts
from adjudicator.rules.jump_gate.position.components import WILD, Card, Components, NavComp
from adjudicator.rules.jump_gate.position.state import View
from adjudicator.rules.jump_gate.telling import chart
from adjudicator.rules.jump_gate.telling.sentences import GATE, PARTS


def describe_codes(card: NavComp) -> str:
    """Its two codes, and its special action."""
    codes = ", ".join(
        f"{code.action} {'any' if code.code == WILD else code.code}" for code in card.codes
    )
    return f"{codes}, {card.special}" if card.special else codes


def describe_card_uses(here: Sight, card: Card) -> str:
    """Everything that discarding it allows now, and what more it would from orbit (JGA-14)."""
    found = _now(here, card)
    above = seen.sight_after(here, {"do": "return-to-orbit"}) if here.landed else None
    if above is not None:
        more = [use for use in _now(above, card) if use not in found]
        found += [f"from orbit: {', '.join(more)}"] if more else []
    return "; ".join(found) or "nothing from here"


def _now(here: Sight, card: Card) -> list[str]:
    special = _special(here, here.components.cards[card])
    return [*_jump(here, card), *_scan(here, card), *_land(here, card), *special]


def describe_free_uses(here: Sight) -> Sequence[str]:
    """What needs no certain card."""
    flights, offer = seen.flights(here), seen.on_offer(here)
    found = []
    if flights:
        found.append(f"Without a card: fly to {_either(flights)}.")
    if offer:
        how = "Harvest, with any card" if here.components.second else "Harvest, without a card"
        found.append(f"{how}: {_either(offer)}.")
    if here.landed:
        found.append("Without a card: return to orbit.")
    return found


def _either(things: Sequence[str]) -> str:
    return " or ".join(format_list(list(dict.fromkeys(things))).rsplit(" and ", 1))


def _jump(here: Sight, card: Card) -> Sequence[str]:
    planets = [planet for one, planet in seen.jumps(here) if one == card]
    return [f"jump to {_either(planets)}"] if planets else []


def _scan(here: Sight, card: Card) -> Sequence[str]:
    return [f"scan {here.at}"] if card in seen.scanners(here) else []


def _land(here: Sight, card: Card) -> Sequence[str]:
    others = [one for pair in seen.landings(here) if card in pair for one in pair if one != card]
    return [f"land on {here.at} with {_either(others)}"] if others else []


_SPECIALS: Final = {
    "backroom-deal": "backroom-deal at {targets}",
    "hotshot-pilot": "hotshot-pilot on {at} with {targets}",
    "inside-info": "inside-info",
    "jump-paradox": "jump-paradox with {targets}",
    "long-range-scan": "long-range-scan of {targets}",
    "lost-records": "lost-records",
    "wormhole": "wormhole to any other planet",
}


def _special(here: Sight, card: NavComp) -> Sequence[str]:
    targets = seen.special_targets(here, card)
    if card.special is None or not targets:
        return []
    return [_SPECIALS[card.special].format(at=here.at, targets=_either(targets))]


def make_sections(view: View, components: Components) -> Sequence[Document]:
    """Everything that the reader may know of the position."""
    table = view.table
    found: list[Document] = [
        {
            "title": "Ring",
            "lines": list(chart.draw_chart(table, components)),
            "words": list(chart.describe_chart(table, components, view.seat)),
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
        rows.append([label_seat(seat, view.seat), where, *map(str, numbers), collected])
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
    words = [f"{format_count(markers, 'marker')} on the Black Hole; {last} end the game."]
    if table.over is None:
        left = format_count(table.actions_left, "action")
        words.append(f"Turn {table.turn} is {table.active}'s, with {left} left.")
    if table.final_turns and table.over is None:
        words.append(f"Final turns still to end: {', '.join(table.final_turns)}.")
    return words


def _scores(view: View, components: Components) -> Document:
    """The score sheet as it stands: what all can see, and the reader's own (JG-13)."""
    table, shown = view.table, view.hidden_shown
    sheet: list[tuple[str, Mapping[str, int]]] = [
        (label_seat(seat, view.seat), score_parts(table, seat, components, shown.get(seat, ())))
        for seat in table.seats
    ]
    if view.seat is not None and view.hidden and table.over is None:
        own = score_parts(table, view.seat, components, view.hidden)
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
    lines = (
        _cards_after_end(view, components) if view.table.over else _usable(view, seat, components)
    )
    if view.hidden:
        lines.append(f"Your hidden resources: {format_list(view.hidden)}.")
    for planet, cards in view.face_down.items():
        if cards:
            lines.append(f"Face-down at {planet}, seen by you: {format_list(cards)}.")
    return {"title": "Your hand", "lines": lines}


def _usable(view: View, seat: Seat, components: Components) -> list[str]:
    here = sight(view, seat, components)
    cards = [
        f"{card} ({describe_codes(components.cards[card])}): {describe_card_uses(here, card)}"
        for card in view.hand
    ]
    return [f"From {here.at or GATE}:", *cards, *describe_free_uses(here)]


def _cards_after_end(view: View, components: Components) -> list[str]:
    """When all is over nothing can be done with a card any more."""
    cards = [f"{card} ({describe_codes(components.cards[card])})" for card in view.hand]
    return cards or ["No card is left in your hand."]


def _cards(view: View) -> Sequence[str]:
    pile = view.table.discard
    lines = [
        (
            f"Deck: {format_count(view.deck_size, 'card')}. "
            f"Discard pile: {format_count(len(pile), 'card')}."
        )
    ]
    if pile:
        lines.append(f"Discarded, the oldest first: {', '.join(pile)}.")
    return lines
