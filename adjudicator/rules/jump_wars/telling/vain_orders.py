"""Orders that were fine and came to nothing, of which no event tells."""

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import NEGATED, Event, format_list, report_nothing
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_wars.phases.plan.production import find_fleet_cost, list_build_entries
from adjudicator.rules.jump_wars.position.components import Card
from adjudicator.rules.jump_wars.position.order_forms import parse_private
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import PrivateOrders, View

ONE_CARD: Final = "Only one card a turn advances: the first of the list that you still hold."


def list_vain_orders(
    before: View, view: View, seat: Seat, orders: Document, events: Sequence[Event]
) -> list[Document]:
    """List what the seat ordered that neither happened nor failed.

    In a reveal step this is the rest of the jump form, which waited for it.
    """
    vain_orders: list[Document] = []
    if "tech" in orders:
        vain_orders += [
            report_nothing("JW-19", f"advance {card}: kept", ONE_CARD)
            for card in find_spare_cards(view.hand, seat, orders, events)
        ]
    if "build" in orders:
        player = view.table.players[seat]
        why = f"A fleet costs {find_fleet_cost(player)} RT; you have {player.tokens}."
        for number, at in find_vain_builds(view, seat, orders, events):
            vain_orders.append(report_nothing("JW-25", f"build {number} at {at}: built none", why))
    if before.table.step in ("jump", "reveal") and view.table.step != "reveal":
        private = before.kept or parse_private(orders)
        vain_orders += _list_after_fights(seat, private, events)
    return vain_orders


def _list_after_fights(
    seat: Seat, orders: PrivateOrders, events: Sequence[Event]
) -> Iterator[Document]:
    """List targets that were in no fight of the seat's, and cards that were not in excess."""
    targets: Sequence[str] = orders.fight.targets
    excess: Sequence[str] = orders.final.discard
    fought = limited = False
    for event in events:
        if event.kind == "fight" and seat in event.data["lost"]:
            fought = True
            targets = remove_cards(targets, event.data["lost"])
        elif event.kind == "hand-limit" and event.data["seat"] == seat:  # its cards are public
            limited = True
            excess = remove_cards(excess, event.data["cards"])
    if targets:
        why = "They were in no fight of yours." if fought else "You had no fight this turn."
        yield report_nothing("JW-55", f"targets {format_list(list(targets))}: no shot at them", why)
    if excess:
        why = (
            "Only what is over the hand limit goes."
            if limited
            else "You are not over your hand limit."
        )
        yield report_nothing("JW-59", f"discard {format_list(list(excess))} at the end: kept", why)


def find_spare_cards(
    hand: Sequence[Card], seat: Seat, orders: Document, events: Sequence[Event]
) -> Sequence[Card]:
    """Find the cards still in hand that were to advance, too, where another of the list did."""
    cards = (orders.get("tech") or {}).get("advance") or ()
    if len(cards) < 2:
        return ()
    own = [event for event in events if event.data.get("seat") == seat]
    advances = [event.data["special"] for event in own if event.kind == "gained"]
    advances += [
        event.data["tech"] for event in own if event.kind == "advanced" and event.data["cards"] == 1
    ]
    spare = remove_cards(cards, advances) if advances else ()
    return [card for card in dict.fromkeys(spare) if card in hand]


def find_vain_builds(
    view: View, seat: Seat, orders: Document, events: Sequence[Event]
) -> Iterator[tuple[int | str, Space | None]]:
    """Find the building orders that neither built nor failed, after the step: asked, and where."""
    building_orders = orders.get("build")
    if building_orders is None:
        return
    own = [event for event in events if event.data.get("seat") == seat]
    failed = [event.data["path"] for event in own if event.kind == NEGATED]
    builds = [(event.data["asked"], event.data["at"]) for event in own if event.kind == "built"]
    for at, number, path in list_build_entries(building_orders, view.table.homes.get(seat)):
        if builds and builds[0] == (number, at):
            del builds[0]
        elif list(path) not in failed:
            yield number, at
