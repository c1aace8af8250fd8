"""Orders that were fine and came to nothing, of which no event tells."""

from collections.abc import Iterator, Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import Event, format_list, report_nothing
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.order_forms import ASK, AUTO
from adjudicator.rules.jump_drive.position.state import View


def list_vain_orders(
    before: View,
    view: View,
    seat: Seat,
    orders: Document,
    events: Sequence[Event],
    components: Components,
) -> list[Document]:
    """List what the seat ordered in the place form that neither happened nor failed.

    The list of cards to trim waits for the end of the round, whatever form comes between.
    """
    own = [event for event in events if event.data.get("seat") == seat]
    ends_round = any(event.kind == "scored" for event in events)
    vain_orders = [*_list_second(view, seat, orders), *_list_discards(orders, own, components)]
    trims = orders.get("trim") or before.trims
    if ends_round and trims:
        over = view.table.over is not None
        why = "The game ended before it." if over else "You had no cards too many."
        vain_orders += _list_kept("JD-15", trims, own, why, components)
    return vain_orders


def _list_second(view: View, seat: Seat, orders: Document) -> Iterator[Document]:
    """List the wish to be asked about a second world, where nobody asks."""
    if orders.get("second") == ASK and seat not in view.table.asked:
        why = "Your first world was not placed."
        yield report_nothing("JD-21", "second: you are not asked", why)


def _list_discards(
    orders: Document, own: Sequence[Event], components: Components
) -> Iterator[Document]:
    """List the cards to be discarded by an explorer who placed cards instead, or kept them."""
    preference = orders.get("discard")
    if not preference or not {"explore", "development", "world"} & orders.keys():
        return
    if not any(event.kind == "explored" for event in own):
        names = "auto" if preference == AUTO else _name(preference, components)
        why = "You placed cards and did not explore."
        yield report_nothing("JD-11", f"discard {names}: nothing to discard", why)
    elif preference != AUTO:
        yield from _list_kept("JD-11", preference, own, "You had no cards too many.", components)


def _list_kept(
    rule: str,
    preference: Sequence[Name],
    own: Sequence[Event],
    otherwise: str,
    components: Components,
) -> Iterator[Document]:
    """List the named cards that did not go; `otherwise` is why where none had to."""
    cut = [event for event in own if (event.kind, event.rule) == ("discarded", rule)]
    discards = [
        card
        for event in own
        if (event.kind, event.rule) == ("discarded-cards", rule)
        for card in event.data["cards"]
    ]
    rest = remove_cards(preference, discards)
    if rest:
        why = "No more had to go." if cut else otherwise
        word = "trim" if rule == "JD-15" else "discard"
        yield report_nothing(rule, f"{word} {_name(rest, components)}: kept", why)


def _name(cards: Sequence[Name], components: Components) -> str:
    return format_list([components.cards[card].name for card in cards])
