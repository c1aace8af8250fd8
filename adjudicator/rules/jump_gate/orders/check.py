"""Check a seat's orders by playing the list through, as far as the seat can see (JG-5)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding, Grade, Path, make_finding
from adjudicator.rules.jump_gate.orders.prefill import can_decline, list_cards_to_choose
from adjudicator.rules.jump_gate.phases.editions import find_edition
from adjudicator.rules.jump_gate.phases.preferences import Chooser, choose_first, split_preferences
from adjudicator.rules.jump_gate.phases.turn import merge_standing, play_actions
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.order_forms import parse_actions, parse_preferences
from adjudicator.rules.jump_gate.position.resources import Resource
from adjudicator.rules.jump_gate.position.state import Awaiting, View

_AFTER = "It will not be tried if an action before it fails."
_ASKED = (
    "A choice may come first (option interrupts: ask); then from here on you will be asked again "
    "when it has been made."
)


def check(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[Finding]:
    """Refuse the first action that cannot be legal; warn of what may fail."""
    table = view.table
    if table.over is not None:
        return ()
    if table.awaiting is not None:
        return tuple(_warn_of_vain_wishes(view, seat, table.awaiting, orders, components))
    if seat != table.active:
        return tuple(_refuse_out_of_turn(table.active, orders))
    new_standing = orders.get("standing")
    if new_standing:
        view = replace(view, standing=merge_standing(view.standing, new_standing))
    work = Work.from_view(view, components)
    stop = play_actions(work, orders, find_edition(components))
    findings = list(_list_doubts(work, orders, stop.number if stop else None))
    if work.asked is not None:
        findings += _warn_after_choice(work.asked, orders)
    if stop is not None and stop.fault is not None:
        path: Path = ("actions", stop.number)
        findings.append(make_finding(Grade.REFUSED, stop.fault.rule, stop.fault.why, path))
    return findings


def _warn_of_vain_wishes(
    view: View, seat: Seat, awaiting: Awaiting, orders: Document, components: Components
) -> Iterator[Finding]:
    """Warn that nothing named is on offer, and say what happens instead (JG-14)."""
    what = awaiting.what
    if seat not in awaiting.asked or not orders.get(what):
        return
    may = can_decline(view.table, seat, components)
    preferences = parse_preferences(orders[what]) or ()
    names, only = split_preferences(preferences, may=may)
    instead = "nothing is taken" if only else "the program chooses"
    if what == "mark":
        instead = "marks stay as they are"
    card = choose_first(names, list_cards_to_choose(view, seat, components))
    if names and card is None:
        why = f"There is no {' or '.join(names)} to {what}, so {instead}."
        yield make_finding(Grade.DOUBTFUL, "JG-14", why, (what,))
    elif not names and not may:
        why = f"The card of a landing cannot be declined, so {instead}."
        yield make_finding(Grade.DOUBTFUL, "JGA-7", why, (what,))
    elif card is not None and what == "collect":
        yield from _warn_of_icon(view, seat, orders, card, components)


def _warn_of_icon(
    view: View, seat: Seat, orders: Document, favourite: Resource, components: Components
) -> Iterator[Finding]:
    """Warn that a card without the icon comes before the one that is wanted (JG-14)."""
    standing = merge_standing(view.standing, orders.get("standing") or {})
    chooser = Chooser(view.table.collected[seat], standing.accept, components)
    may = can_decline(view.table, seat, components)
    preferences = parse_preferences(orders["collect"]) or ()
    card = chooser.collect(preferences, list_cards_to_choose(view, seat, components), may=may)
    if card is not None and card != favourite:
        why = (
            f"{favourite} has the black hole icon, so {card} is collected before it (black_hole: "
            f"avoid); to have it all the same, write {favourite}."
        )
        yield make_finding(Grade.DOUBTFUL, "JG-14", why, ("collect",))


def _refuse_out_of_turn(active: Seat, orders: Document) -> Iterator[Finding]:
    """Refuse orders of a seat whose turn it is not (JG-4)."""
    why = f"It is {active}'s turn; you can only give standing orders now."
    if parse_actions(orders):
        yield make_finding(Grade.REFUSED, "JG-4", why, ("actions", 0))
    elif orders.get("end"):
        yield make_finding(Grade.REFUSED, "JG-4", why, ("end",))


def _list_doubts(work: Work, orders: Document, stopped: int | None) -> Iterator[Finding]:
    """List the first doubt about each action; what follows it hangs on the same (JG-5)."""
    doubts = {doubt.number: doubt for doubt in reversed(work.doubts)}
    if not doubts:
        return
    follows = doubts[min(doubts)]
    number = len(parse_actions(orders)) if stopped is None else stopped
    for place in range(follows.number, number):
        path: Path = ("actions", place)
        if place in doubts:
            follows = doubts[place]
            why = f"May fail: {follows.why}"
            yield make_finding(Grade.DOUBTFUL, follows.rule, why, path, hangs_on=follows.hangs_on)
        elif work.asked is None or place != work.asked + 1:
            yield make_finding(Grade.DOUBTFUL, "JG-5", _AFTER, path, hangs_on=follows.hangs_on)
    if stopped is None and orders.get("end") and work.asked is None:
        yield make_finding(Grade.DOUBTFUL, "JG-5", _AFTER, ("end",), hangs_on=follows.hangs_on)


def _warn_after_choice(number: int, orders: Document) -> Iterator[Finding]:
    """Warn that what follows an action that asks somebody is asked for again (JG-15)."""
    if number + 1 < len(parse_actions(orders)):
        yield make_finding(Grade.DOUBTFUL, "JG-15", _ASKED, ("actions", number + 1))
    elif orders.get("end"):
        yield make_finding(Grade.DOUBTFUL, "JG-15", _ASKED, ("end",))
