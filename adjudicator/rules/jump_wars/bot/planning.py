"""The plan form: levels and abilities by their value, income, fleets, and rights used."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.bot.style import Right, Style
from adjudicator.rules.jump_wars.phases.plan import production
from adjudicator.rules.jump_wars.phases.plan.draw import BRAINS
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.state import (
    NOTHING,
    RUINS,
    Table,
    View,
    find_hand_limit,
    find_leader,
)

Form = dict[str, Any]

_NO_RIGHT: Final = Right()


def order_plan(view: View, seat: Seat, style: Style, components: Components) -> Form:
    """Choose the plan form."""
    table = view.table
    player = table.players[seat]
    hand = list(view.hand)
    # A GM's position may lack the homeworld.
    form: Form = {"build": "max"} if seat in table.homes else {}
    extras = _order_extras(table, seat, hand)
    if extras:
        form["draw"] = extras
    raised = _take_raises(hand, style.raises)
    tech = _order_tech(table, seat, hand, style, components)
    if tech:
        form["tech"] = tech
    raised += _take_raises(hand, "manufacturing")
    if raised:
        form["cutting_edge"] = [*raised]
    if "leadership" in player.specials:
        form["leadership"] = style.leads
        raised.append(style.leads)
    form |= _order_rights(view, seat, raised)
    excess = _list_excess(table, seat, hand, style, components)
    if excess:
        form["mine"] = {"discard": excess}
    return form


def _order_extras(table: Table, seat: Seat, hand: list[Card]) -> Form:
    extras: Form = {}
    player = table.players[seat]
    if RUINS in hand:
        hand.remove(RUINS)
        extras["progenitor_ruins"] = True
    if BRAINS in player.specials and player.tokens >= 10 + 2 * production.find_fleet_cost(player):
        extras["positronic_brains"] = True
    return extras


def _take_raises(hand: list[Card], tech: Tech | None) -> list[Tech]:
    """Take a card out of the hand that raises this technology, if there is one."""
    if tech is None or tech not in hand:
        return []
    hand.remove(tech)
    return [tech]


def _order_rights(view: View, seat: Seat, raised: Sequence[Tech]) -> Form:
    """Use what only the strictly highest may do, once these are raised (JW-13c)."""
    table, rights = view.table, Form()
    own = table.players[seat]
    raises = Counter(own.raised) + Counter(raised)
    players = {**table.players, seat: replace(own, raised=raises)}
    others = [other for other in table.seats if other != seat]
    if find_leader(players, "trade") == seat:
        rights["steal"] = max(others, key=lambda other: view.hand_sizes[other])
    if find_leader(players, "diplomacy") == seat:
        rights["ally"] = max(others, key=lambda other: count_strength(table, other))
    return rights


def _order_tech(
    table: Table, seat: Seat, hand: list[Card], style: Style, components: Components
) -> Form:
    """Order the best pair, and the best card that is then left."""
    tech: Form = {}
    specials = table.players[seat].specials
    pairs = [card for card in components.technologies if hand.count(card) > 1]
    if pairs:
        pair = max(pairs, key=lambda card: value_card(table, seat, card, style))
        hand.remove(pair)
        hand.remove(pair)
        tech["pair"] = pair
    usable = [card for card in components.cards if card in hand and card not in specials]
    usable = [card for card in usable if card != RUINS]
    if usable:
        best = max(usable, key=lambda card: value_card(table, seat, card, style))
        hand.remove(best)
        tech["advance"] = [best]
    return tech


def value_card(table: Table, seat: Seat, card: Card, style: Style) -> int:
    """Value what a card advances."""
    worths = style.techs.get(card)
    if worths is None:
        return style.specials.get(card, 2)
    level = table.players[seat].levels[card]
    worth = worths[level - 1] if level <= len(worths) else 1
    return worth + _value_right(table, seat, card, style)


def _value_right(table: Table, seat: Seat, tech: Tech, style: Style) -> int:
    """Value the next level for what only the strictly highest may do (JW-9)."""
    right = style.rights.get(tech, _NO_RIGHT)
    own = table.players[seat].levels[tech]
    others = max(p.levels[tech] for other, p in table.players.items() if other != seat)
    by_lead = {-1: right.level, 0: right.first, 1: right.safe}
    return by_lead.get(own - others, right.behind if own < others else 0)


def _list_excess(
    table: Table, seat: Seat, hand: Sequence[Card], style: Style, components: Components
) -> list[Card]:
    """List what is neither used next turn nor kept: each card pays 2 RT (JW-23)."""
    keep = max(1, find_hand_limit(table.players[seat]) - 2)
    worth = {card: value_card(table, seat, card, style) for card in hand}
    ranking = sorted(hand, key=lambda card: (-worth[card], components.rank[card]))
    return ranking[keep:]


def count_strength(table: Table, seat: Seat) -> int:
    """Count how strong a seat's fleets are."""
    fleets = sum(table.fleets.get(seat, NOTHING).values())
    return fleets * table.players[seat].find_level("attack")
