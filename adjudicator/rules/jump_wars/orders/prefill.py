"""The order form as it is offered: what the reader could write now, with their own things.

For the page on which orders are chosen (templates/orders/jump-wars.js.j2) stands beside it what
the reader sees. The page counts with these facts as the rules do: what it forbids is doomed.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count
from adjudicator.rules.jump_wars.phases.homeworlds import list_free_spaces
from adjudicator.rules.jump_wars.phases.jump.faults import Reach, find_order_limit, find_reach
from adjudicator.rules.jump_wars.phases.plan.draw import BRAINS, BRAINS_COST
from adjudicator.rules.jump_wars.phases.plan.production import (
    ENRICHED,
    find_fleet_cost,
    survey_income,
)
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.order_forms import describe_order, list_entries
from adjudicator.rules.jump_wars.position.space import NEIGHBOURS, PLACE
from adjudicator.rules.jump_wars.position.state import (
    RUINS,
    Table,
    View,
    find_hand_limit,
    find_leader,
    order_seats,
)


def offer_form(view: View, components: Components) -> Document:
    """Offer comments that say what is possible, and a legal example; nothing for a bystander."""
    makers = {
        "plan": _draft_plan,
        "jump": _draft_jump,
        "reveal": _draft_reveal,
        "homeworlds": _draft_homeworlds,
    }
    maker = makers.get(view.table.step)
    if view.seat is None or maker is None or view.table.winners is not None:
        return {"comments": [], "example": {}}
    comments, example = maker(view, view.seat, components)
    choices = _list_choices(view, view.seat, components)
    return {"comments": comments, "example": example, "choices": choices}


def _list_choices(view: View, seat: Seat, components: Components) -> Document:
    """List what the page needs besides these parts of the report's position."""
    table = view.table
    player = table.players[seat]
    common: dict[str, Any] = {
        "seats": list(table.seats),
        "position": _PARTS,
        "used": list(player.used),
        "price": find_fleet_cost(player),
        "cards": list(components.cards),
        "standing": dict(view.standing),
    }
    if table.step == "homeworlds":
        return {**common, "free": list_free_spaces(table, components)}
    if table.step == "reveal":
        return {**common, "written": _list_written(table)}
    if table.step == "plan":
        return {**common, **_list_production(view, seat, components)}
    return common


_PARTS: Final = (
    *("ally", "fleets", "grid", "hand", "hand_sizes", "levels", "map", "raised", "specials"),
    "tokens",
)


def _list_production(view: View, seat: Seat, components: Components) -> Document:
    """List what is left to draw, what abilities cost, and the sum to be mined.

    That sum is listed as things stand, and with each ability that would change it.
    """
    table, player = view.table, view.table.players[seat]
    income: dict[Card, int] = {}
    enriching = [card for card, _ in ENRICHED.values() if card in components.specials]
    for card in ("", *enriching):
        having = replace(player, specials=(*player.specials, card))
        players = {**table.players, seat: having}
        survey = survey_income(table, players, table.fleets, components, (seat,))
        mined = sum(survey.sums[seat].values())
        if mined != income.get(""):
            income[card] = mined
    return {
        "left": [view.deck_size, len(table.discard)],
        "costs": components.costs,
        "income": income,
    }


def _list_written(table: Table) -> dict[Seat, list[Any]]:
    """List the revealed orders with their numbers."""
    return {
        seat: [[one.number, describe_order(one.order)] for one in list_entries(lists) if one.order]
        for seat, lists in (table.written or {}).items()
    }


WRITTEN: Final[Mapping[str, str]] = {
    "leadership": "leadership: TECHNOLOGY",
    "sabotage": "sabotage: [{discard: CARD, player: SEAT, at: SPACE}]",
    "star-docks": "build: [{at: SPACE, fleets: 1}]",
}
"""How abilities are used in the plan form."""


def _draft_plan(view: View, seat: Seat, components: Components) -> tuple[list[str], dict[str, Any]]:
    player = view.table.players[seat]
    price = find_fleet_cost(player)
    comments = [
        f"You have {player.tokens} RT, and you mine before you build; a fleet costs {price}."
    ]
    comments += [
        f"Two {card} cards are a pair: `tech: {{pair: {card}}}` raises {card} for good."
        for card in components.technologies
        if view.hand.count(card) > 1
    ]
    if view.hand and not view.table.fleets.get(seat):
        comments.append(
            "You have no fleets now, but you still play: a card gives tokens for building, "
            f"`mine: {{discard: [{view.hand[-1]}]}}`."
        )
    if RUINS in view.hand:
        comments.append("`draw: {progenitor_ruins: true}` discards the ruins for 2 more cards.")
    if BRAINS in player.specials and player.tokens >= BRAINS_COST:
        pays = f"pays {BRAINS_COST} RT for 1 more card"
        comments.append(f"`draw: {{positronic_brains: true}}` {pays}.")
    if find_leader(view.table.players, "trade") == seat:
        comments.append("Yours is the highest trade level: `steal: SEAT` takes a random card.")
    if find_leader(view.table.players, "diplomacy") == seat:
        comments.append("Yours is the highest diplomacy level: `ally: SEAT` binds an ally.")
    for special in player.specials:
        line = f": `{WRITTEN[special]}`" if special in WRITTEN else ""
        comments.append(f"Your ability {special}: {components.specials[special].does}{line}.")
    example: dict[str, Any] = {}
    usable = [card for card in view.hand if _can_advance(view, seat, card)]
    if usable:
        example["tech"] = {"advance": usable[0]}
    other = next(filter(components.specials.__contains__, usable), None)
    if other:
        comments.append(f"`tech: advance {other}` gives you that ability for good.")
    if seat in view.table.homes:  # unless a ruling took it
        example["build"] = "max"
    comments += _describe_discards(view, components)
    comments.append("`pass: yes` orders nothing; you mine all the same.")
    return comments, example


def _describe_discards(view: View, components: Components) -> list[str]:
    """Say what a technology card brings that is discarded while mining (JW-23)."""
    spare = [card for card in view.hand if card in components.technologies]
    brings = "makes that card 2 more RT, times manufacturing"
    return [f"`mine discard {spare[-1]}` {brings}."] if spare else []


def _can_advance(view: View, seat: Seat, card: str) -> bool:
    return card != RUINS and card not in view.table.players[seat].specials


def _draft_jump(view: View, seat: Seat, _: Components) -> tuple[list[str], dict[str, Any]]:
    player, reach = view.table.players[seat], find_reach(view.table, seat)
    orders = format_count(find_order_limit(player), "order")
    far = format_count(reach.far, "space")
    comments = [f"Up to {orders}, {far} far, with up to {reach.most} fleets each."]
    if "planet-jump" in player.specials:
        comments.append("`move_homeworld: SPACE` moves your homeworld to a void space next to it.")
    if "leadership" in player.specials and "leadership" not in player.used:
        comments.append(f"`{WRITTEN['leadership']}` raises it by 1 until the turn ends.")
    if "nova-bombs" in player.specials:
        comments.append(
            "`fight: {nova_bombs: [{at: SPACE, ships: 1}]}` sacrifices ships in a fight."
        )
    over = len(view.hand) - find_hand_limit(player)
    if over > 0:
        comments.append(
            f"You will discard {format_count(over, 'card')} at the end of the turn: "
            "`final: {discard: [CARD]}` says which go first."
        )
    comments.append("`pass: yes` leaves every fleet where it is.")
    step = _find_step(reach)
    return comments, {"jump": [step]} if step else {}


def _find_step(reach: Reach) -> str | None:
    """Find a jump of one fleet to a space next to it."""
    for space in sorted(reach.stood, key=PLACE.__getitem__):
        for other in NEIGHBOURS[reach.grid][space]:
            if other not in reach.holes and other not in reach.barred:
                return f"{space}-{other} x1"
    return None


def _draft_reveal(view: View, seat: Seat, _: Components) -> tuple[list[str], dict[str, Any]]:
    table = view.table
    comments = []
    if find_leader(table.players, "espionage") == seat:
        comments.append("Yours is the highest espionage level: cancel one of your orders by its")
        step = _find_step(find_reach(table, seat))
        other = f"{{cancel: 1, rewrite: {step}}}" if step else "{cancel: 1}"
        comments.append(f"number and write another: `espionage: {other}`.")
    if "time-jump" in table.players[seat].specials and view.hand:
        comments.append(
            f"`time_jump: {{discard: {view.hand[0]}, player: SEAT, order: 1}}` negates an order."
        )
    comments.append("`pass: yes` changes nothing; `standing: reveal pass` says so every time.")
    return comments, {}


_CORNERS: Final = ("A1", "J1", "A10", "J10")


def _draft_homeworlds(
    view: View, _: Seat, components: Components
) -> tuple[list[str], dict[str, Any]]:
    table, spacing = view.table, view.table.options.spacing
    comments = [
        "Rank the spaces where you would like your homeworld, in order of preference.",
        f"Each gets the first that is free and at least {spacing} from every other homeworld.",
        f"Served in this order: {', '.join(order_seats(table))}.",
        "`pass: yes` names none: you get the free space farthest from all.",
    ]
    if table.options.old_empire:
        comments.append(f"The old empire has its homeworld on {components.map.empire} already.")
    return comments, {"homeworld": list(_CORNERS)}
