"""The order form as it is offered: what the reader could write now, with their own things."""

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.core.document import Document, Seat, to_stored
from adjudicator.core.events import format_count, format_list
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Action, Sight
from adjudicator.rules.jump_gate.phases.preferences import Chooser
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.resources import (
    Kind,
    Resource,
    has_icon,
    list_collectable,
    remove_icon,
    sort_cards,
)
from adjudicator.rules.jump_gate.position.state import Table, View, list_unmarked

Example = dict[str, Any]


def describe_due(view: View, components: Components) -> str:
    """Describe what is due; what there is to choose for a reader who is asked."""
    table = view.table
    if table.over is not None:
        return "nothing"
    awaiting = table.awaiting
    if awaiting is None:
        return f"turn {table.turn}, {format_count(table.actions_left, 'action')}"
    due = f"turn {table.turn}, the choice of what to {awaiting.what} at {awaiting.at}"
    if view.seat not in awaiting.asked:
        return due
    offer = dict.fromkeys(list_cards_to_choose(view, view.seat, components))
    none = ["none"] if can_decline(table, view.seat, components) else []
    *others, last = [*offer, *none] or ["nothing"]
    return f"{due}: {', '.join(others)}{' or ' if others else ''}{last}"


def offer_form(view: View, components: Components) -> Document:
    """Offer comments that say what is possible, and a legal example; nothing for a bystander."""
    seat, table = view.seat, view.table
    if seat is None or table.over is not None or not _owes_orders(table, seat):
        return {"comments": [], "example": {}}
    if table.awaiting is None:
        comments, example = _draft_turn(view, seat, components)
    elif table.awaiting.what == "mark":
        comments, example = _draft_mark(view, seat, components)
    else:
        comments, example = _draft_collect(view, seat, components)
    return {
        "comments": [*comments, *_describe_standing(view, second=components.is_second)],
        "example": example,
        "choices": _list_choices(view, seat, components),
    }


_PARTS: Final = (
    *("actions_left", "below", "black_hole", "black_hole_end", "collected", "deck", "discard"),
    *("hand", "jump_gate", "planets", "ring", "ships"),
)


def _list_choices(view: View, seat: Seat, components: Components) -> Document:
    """List what the page on which orders are chosen needs besides these parts of the position.

    The page plays the list through as the rules do (templates/orders/jump-gate.js.j2).
    """
    table, scales = view.table, components.scoring
    common: dict[str, Any] = {
        "seats": list(table.seats),
        "position": _PARTS,
        "codes": {
            card.id: [[code.action, code.code] for code in card.codes]
            for card in components.navcomp
        },
        "specials": {card.id: card.special for card in components.navcomp if card.special},
        "stock": sorted(Work.from_view(view, components).stock),
        "kinds": list_kinds(components),
        "points": {name: to_stored(scales[name]) for name in _SCALES if name in scales},
        "standing": to_stored(view.standing),
        "asks": table.options.interrupts == "ask",
        "burn": table.options.orbital_burn,
    }
    if table.awaiting is None:
        return common
    offer = list(dict.fromkeys(list_cards_to_choose(view, seat, components)))
    return {**common, "offer": offer, "declines": can_decline(table, seat, components)}


_SCALES: Final = ("energel", "fame", "sand", "water")


def list_kinds(components: Components) -> Sequence[Kind]:
    """List every kind of resource that can be wished for, in the order of JG-3."""
    box = list_collectable(card for card, number in components.resource_cards.items() if number)
    return list(dict.fromkeys(map(remove_icon, sort_cards(box))))


def _owes_orders(table: Table, seat: Seat) -> bool:
    return seat in (table.awaiting.asked if table.awaiting else (table.active,))


_OPEN: Final = "the program's choice"


def _describe_standing(view: View, *, second: bool) -> Sequence[str]:
    """Describe what holds where the reader does not say what to take (JG-7)."""
    own = view.standing
    lists = {"collect": own.collect, **({"mark": own.mark} if second else {}), "take": own.take}
    lists_in_words = [f"{key} {', '.join(one) or _OPEN}" for key, one in lists.items()]
    changes = ["collect fame, water", *(["mark fame"] if second else [])]
    changes += ["take gem-red", "black_hole avoid"]
    examples = ", ".join(f"`standing: {one}`" for one in changes)
    return [
        f"Your standing orders: {'; '.join(lists_in_words)}; black_hole {own.black_hole}.",
        f"To change one: {examples}.",
    ]


def _draft_turn(view: View, seat: Seat, components: Components) -> tuple[list[str], Example]:
    table, here = view.table, seen.see_position(view, seat, components)
    alone = ", or one alone to see what it reveals" if here.left > 1 else ""
    comments = [
        f"You may send {format_count(here.left, 'action')}{alone};",
        "`end: yes` gives up what is left. Your hand in this report says what is",
        "possible, in words that you can copy into your reply.",
    ]
    actions: list[Action] = []
    then: Sight | None = here
    while then is not None and then.left > 0 and len(actions) < here.left:
        action = _choose_example(then, has_moved=bool(actions))
        actions.append(action)
        then = None if _may_interrupt(table, action) else seen.see_after(then, action)
    return comments, {"actions": list(map(_word_action, actions))}


def _word_action(action: Action) -> str:
    """Word an action as a player would: jump to anno with n14."""
    match action:
        case {"do": "fly" | "jump" as do, "to": to, **more}:
            words = f"{do} to {to}"
        case {"do": "land", "cards": [first, second]}:
            return f"land with {first} and {second}"
        case {"do": "research", "discard": discard}:
            return f"research discarding {format_list(discard)}"
        case {"do": do, **more}:
            words = " ".join([str(do), *more.get("take", ())])
    return f"{words} with {more['card']}" if "card" in more else words


def _may_interrupt(table: Table, action: Action) -> bool:
    """Whether a choice may follow the action, so that the rest would be asked for again (JG-15)."""
    return table.options.interrupts == "ask" and action["do"] not in ("fly", "jump")


def _choose_example(here: Sight, *, has_moved: bool) -> Action:
    """Choose a possible action: better a landing than a harvest, better that than a scan."""
    pairs, offer, cards = seen.list_landings(here), seen.list_offer(here), seen.list_scanners(here)
    if pairs:
        return {"do": "land", "cards": list(pairs[0])}
    if offer:
        action: Action = {"do": "harvest", "take": [_find_best(here, offer)]}
        return {**action, "card": here.hand[0]} if here.components.is_second else action
    if cards:
        return {"do": "scan", "card": cards[0]}
    ways, flights = seen.list_jumps(here), seen.list_flights(here)
    if ways and not has_moved:
        card, planet = ways[0]
        return {"do": "jump", "to": planet, "card": card}
    if flights and not has_moved:
        return {"do": "fly", "to": flights[0]}
    return {"do": "research", "discard": list(here.hand[:2])} if here.hand else {"do": "research"}


def _find_best(here: Sight, offer: Sequence[Resource]) -> Resource:
    have = here.table.collected[here.seat]
    best = Chooser(have, accept=False, components=here.components).choose(offer)
    assert best is not None
    return best


def _draft_mark(view: View, seat: Seat, components: Components) -> tuple[list[str], Example]:
    here, offer = _find_choice(view, seat, components)
    comments = ["You may mark one of the unmarked resources there, or move your mark to it:"]
    comments.append(f"{', '.join(offer) or 'there is none'}; `mark: none` leaves marks alone.")
    comments.append("`pass: yes` leaves the choice to the program.")
    return comments, {"mark": [_find_best(here, offer)]} if offer else {"mark": ["none"]}


def _draft_collect(view: View, seat: Seat, components: Components) -> tuple[list[str], Example]:
    here, offer = _find_choice(view, seat, components)
    comments = [f"On offer there: {', '.join(offer) or 'nothing that you see'}."]
    icons = [card for card in offer if has_icon(card)]
    if 0 < len(icons) < len(offer) and not view.standing.accept:
        comments.append(f"What has a black hole icon comes last, unless named so: `{icons[0]}`.")
    if can_decline(view.table, seat, components):
        comments.append("`collect: none` declines.")
    comments.append("`pass: yes` leaves the choice to your standing orders or the program.")
    return comments, {"collect": [_find_best(here, offer)]} if offer else {"collect": ["none"]}


def can_decline(table: Table, seat: Seat, components: Components) -> bool:
    """Whether a seat that is asked may take nothing; not the 2010 lander's one card (JGA-7)."""
    awaiting = table.awaiting
    if awaiting is None or components.is_second or seat != table.active:
        return True
    markers = table.planets[awaiting.at].scans.get(seat, 0)
    return markers > 0 and seat not in awaiting.then


def list_cards_to_choose(view: View, seat: Seat, components: Components) -> Sequence[Resource]:
    """List what the asked seat can choose among (JG-15)."""
    return _find_choice(view, seat, components)[1]


def _find_choice(
    view: View, seat: Seat, components: Components
) -> tuple[Sight, Sequence[Resource]]:
    """Find what the seat can choose among where the game has stopped."""
    awaiting = view.table.awaiting
    assert awaiting is not None
    site = view.table.planets[awaiting.at]
    here = seen.see_position(view, seat, components)
    mark = site.marks.get(seat)
    if awaiting.what == "mark":
        return here, list_unmarked(site)
    if mark is not None:
        return here, (mark,)
    return here, list_collectable((*site.face_up, *view.face_down.get(awaiting.at, ())))
