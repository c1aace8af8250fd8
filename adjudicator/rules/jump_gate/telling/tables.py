"""The sections of a report: the ring, the players, the score sheet, the hand, the cards."""

from collections.abc import Sequence
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count, format_list, label_seat
from adjudicator.core.memo import Latest
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Sight, see_position
from adjudicator.rules.jump_gate.phases.scoring import score_parts, score_seats
from adjudicator.rules.jump_gate.position.components import WILD, Card, Components, NavComp
from adjudicator.rules.jump_gate.position.resources import has_icon, list_collectable
from adjudicator.rules.jump_gate.position.state import Table, View
from adjudicator.rules.jump_gate.telling import chart
from adjudicator.rules.jump_gate.telling.sentences import GATE, PARTS

_draw_common_chart: Final = Latest(chart.draw_chart)
"""The ring as text (the same for every reader)."""


def describe_codes(card: NavComp) -> str:
    """Describe the card's two codes, and its special action."""
    codes = ", ".join(
        f"{code.action} {'any' if code.code == WILD else code.code}" for code in card.codes
    )
    return f"{codes}, {card.special}" if card.special else codes


def describe_card_uses(here: Sight, card: Card) -> str:
    """Describe what discarding the card allows now, and what more from orbit (JGA-14).

    Each use is worded as an order, so that it can be copied into a reply.
    """
    uses = _list_uses(here, card)
    above = seen.see_after(here, {"do": "return-to-orbit"}) if here.landed else None
    if above is not None:
        more = [use for use in _list_uses(above, card) if use not in uses]
        uses += [f"return to orbit, then {use}" for use in more]
    return "; ".join(uses) or "nothing from here"


def _list_uses(here: Sight, card: Card) -> list[str]:
    special = _describe_special(here, here.components.cards[card])
    return [
        *_describe_jump(here, card),
        *_describe_scan(here, card),
        *_describe_landings(here, card),
        *special,
    ]


def describe_free_uses(here: Sight) -> Sequence[str]:
    """Describe what can be done without a certain card."""
    flights, offer = seen.list_flights(here), seen.list_offer(here)
    uses = []
    if flights:
        uses.append(f"Without a card: fly to {_join_choices(flights)}.")
    if offer:
        how = "With any card" if here.components.is_second else "Without a card"
        uses.append(f"{how}: harvest {_join_choices(offer)}.")
    if here.landed:
        uses.append("Without a card: return to orbit.")
    return [*uses, *_describe_wishes(here)]


def _describe_wishes(here: Sight) -> Sequence[str]:
    """Say how to choose what a scan marks or a landing takes, where one is possible."""
    scans = here.components.is_second and seen.list_scanners(here)
    mark = ["`, mark fame, water` to a scan"] if scans else []
    take = ["`, take fame, water` to a landing"] if seen.list_landings(here) else []
    wishes = " or ".join([*mark, *take])
    return [f"To choose, add {wishes}: you get the first that is there."] if wishes else []


def _join_choices(things: Sequence[str]) -> str:
    return " or ".join(format_list(list(dict.fromkeys(things))).rsplit(" and ", 1))


def _describe_jump(here: Sight, card: Card) -> Sequence[str]:
    planets = [planet for one, planet in seen.list_jumps(here) if one == card]
    return [f"jump to {_join_choices(planets)} with {card}"] if planets else []


def _describe_scan(here: Sight, card: Card) -> Sequence[str]:
    return [f"scan {here.at} with {card}"] if card in seen.list_scanners(here) else []


def _describe_landings(here: Sight, card: Card) -> Sequence[str]:
    pairs = [pair for pair in seen.list_landings(here) if card in pair]
    return [f"land on {here.at} with {first} and {second}" for first, second in pairs]


_SPECIALS: Final = {
    "backroom-deal": "backroom-deal at {targets} with {card}",
    "hotshot-pilot": "hotshot-pilot with {card} and {targets}",
    "inside-info": "inside-info with {card}",
    "jump-paradox": "jump-paradox with {targets} by {card}",
    "long-range-scan": "long-range-scan of {targets} with {card}",
    "lost-records": "lost-records of {targets} by {card}",
    "wormhole": "wormhole to {targets} with {card}",
}
"""As the forms take them in words."""


def _describe_special(here: Sight, card: NavComp) -> Sequence[str]:
    targets = seen.list_special_targets(here, card)
    if card.special is None or not targets:
        return []
    template = _SPECIALS[card.special]
    if card.special == "hotshot-pilot":  # its target is a second card, as in a landing
        return [template.format(card=card.id, targets=one) for one in targets]
    return [template.format(card=card.id, targets=_join_choices(targets))]


def make_sections(view: View, components: Components) -> Sequence[Document]:
    """Make the sections with everything that the reader may know of the position."""
    table = view.table
    sections: list[Document] = [
        {
            "title": "Ring",
            "lines": list(_draw_common_chart(table, components)),
            "words": list(chart.describe_chart(table, components, view.seat)),
        },
        _make_players_table(view, components),
        _make_score_sheet(view, components),
    ]
    if view.seat is not None:
        sections.append(_make_hand_section(view, view.seat, components))
    sections.append({"title": "Cards", "lines": list(_describe_piles(view))})
    return sections


def _make_players_table(view: View, components: Components) -> Document:
    """Make the table of the players, in the order of turns."""
    table, second = view.table, components.is_second
    rows = []
    for seat, ship in table.ships.items():
        where = f"{ship.at or 'gate'}{' (landed)' if ship.landed else ''}"
        special = view.hidden_sizes[seat] if second else table.jump_gate[seat]
        numbers = [view.hand_sizes[seat], table.black_hole[seat], special]
        resources = ", ".join(table.collected[seat]) or "-"
        rows.append([label_seat(seat, view.seat), where, *map(str, numbers), resources])
    columns = ["seat", "ship", "cards", "Black Hole", "hidden" if second else "Jump Gate"]
    return {
        "title": "Players",
        "columns": [*columns, "collected"],
        "rows": rows,
        "words": list(_describe_course(view, components)),
    }


def _describe_course(view: View, components: Components) -> Sequence[str]:
    """Describe where the game stands, and what ends it."""
    table = view.table
    markers = sum(table.black_hole.values())
    last = components.constants.black_hole_end.markers
    words = [f"{format_count(markers, 'marker')} on the Black Hole; {last} end the game."]
    if table.over is None:
        remaining = format_count(table.actions_left, "action")
        owner = "yours" if view.seat == table.active else f"{table.active}'s"
        words.append(f"Turn {table.turn} is {owner}, with {remaining} left.")
        words += _foresee_last_claim(table, is_second=components.is_second)
    if table.final_turns and table.over is None:
        words.append(f"Final turns still to end: {', '.join(table.final_turns)}.")
    return words


_FEW_PLANETS: Final = 2


def _foresee_last_claim(table: Table, *, is_second: bool) -> Sequence[str]:
    """Say how near the end is that comes with the last claim (JGA-10, JGB-8)."""
    sites = table.planets
    unclaimed = [planet for planet, site in sites.items() if site.claim is None]
    if len(unclaimed) > _FEW_PLANETS or (is_second and not unclaimed):
        return ()
    if is_second:
        return (f"Unclaimed: {format_list(unclaimed)}. The last claim begins the final turns.",)
    end = "the game ends when only cards with ! are left"
    if unclaimed:
        return (f"Unclaimed: {format_list(unclaimed)}. Once all are claimed, {end}.",)
    cards = [card for site in sites.values() for card in list_collectable(site.face_up)]
    plain = sum(not has_icon(card) for card in cards)
    return (f"All planets are claimed: {end}; face-up cards without !: {plain}.",)


def _make_score_sheet(view: View, components: Components) -> Document:
    """Make the score sheet as it stands: what all can see, and the reader's own (JG-13)."""
    table, scores = view.table, score_seats(view.table, components, view.hidden_shown)
    sheet = [(label_seat(seat, view.seat), points) for seat, points in scores.items()]
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
    elif components.is_second:
        words = "As if the game ended now; hidden resources count in the last row only."
    else:
        words = "As if the game ended now, and nobody lost resources to the Black Hole."
    columns = ["seat", *(_HEADS.get(key, key) for key in keys), "total"]
    return {"title": "Score sheet", "columns": columns, "rows": rows, "words": [words]}


_HEADS = {"jump_gate": "gate", "gem": "gems"}


def _make_hand_section(view: View, seat: Seat, components: Components) -> Document:
    """Make the section of what each hand card can do from here, and of hidden cards seen."""
    lines = (
        _list_after_end(view, components)
        if view.table.over
        else _list_usable(view, seat, components)
    )
    if view.hidden:
        lines.append(f"Your hidden resources: {format_list(view.hidden)}.")
    for planet, cards in view.face_down.items():
        if cards:
            lines.append(f"Face-down at {planet}, seen by you: {format_list(cards)}.")
    return {"title": "Your hand", "lines": lines}


def _list_usable(view: View, seat: Seat, components: Components) -> list[str]:
    here = see_position(view, seat, components)
    cards = [
        f"{card} ({describe_codes(components.cards[card])}): {describe_card_uses(here, card)}"
        for card in view.hand
    ]
    later = ", after the choice" if here.left else ", in your next turn"
    when = "" if here.left and view.table.awaiting is None else later
    return [
        f"From {here.at or GATE}{when}:",
        *cards,
        *describe_free_uses(here),
        _describe_research(view),
    ]


def _describe_research(view: View) -> str:
    """Describe the action that is always possible, with an example of a discard (JG-8)."""
    more = f", or `research, discarding {view.hand[-1]}` to replace cards" if view.hand else ""
    return f"Always: `research` to fill your hand to 5{more}."


def _list_after_end(view: View, components: Components) -> list[str]:
    """List the cards of the hand when the game is over and nothing can be done with them."""
    cards = [f"{card} ({describe_codes(components.cards[card])})" for card in view.hand]
    return cards or ["No card is left in your hand."]


def _describe_piles(view: View) -> Sequence[str]:
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
