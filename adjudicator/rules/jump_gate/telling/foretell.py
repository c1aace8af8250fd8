"""What a form will do, for its receipt: the turn's own code plays it on what the seat can see."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import (
    Event,
    Facts,
    Reader,
    Teller,
    describe_event,
    format_count,
    format_list,
    tell_by,
)
from adjudicator.rules.jump_gate.orders.prefill import can_decline, list_cards_to_choose
from adjudicator.rules.jump_gate.phases.editions import Edition, find_edition
from adjudicator.rules.jump_gate.phases.preferences import Chooser
from adjudicator.rules.jump_gate.phases.scoring import score_parts
from adjudicator.rules.jump_gate.phases.turn import merge_standing, play_actions
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Card, Components
from adjudicator.rules.jump_gate.position.order_forms import (
    Action,
    parse_actions,
    parse_preferences,
)
from adjudicator.rules.jump_gate.position.resources import UNKNOWN, Resource, has_icon
from adjudicator.rules.jump_gate.position.state import Awaiting, View
from adjudicator.rules.jump_gate.telling.open_choices import Trial, describe_choices
from adjudicator.rules.jump_gate.telling.report import describe_outcome, find_writer
from adjudicator.rules.jump_gate.telling.sentences import PARTS


def foretell(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[str]:
    """Describe in sentences what the form will do, as far as the seat can know."""
    table = view.table
    if orders.get("standing"):
        view = replace(view, standing=merge_standing(view.standing, orders["standing"]))
    if table.over is not None:
        return ()
    if table.awaiting is None:
        return tuple(_foretell_turn(view, seat, orders, components)) if seat == table.active else ()
    if seat not in table.awaiting.asked:
        return ()
    if table.awaiting.what == "mark":
        return (_foretell_mark(view, table.awaiting, orders, components),)
    return (_foretell_collect(view, seat, table.awaiting, orders, components),)


def _foretell_turn(
    view: View, seat: Seat, orders: Document, components: Components
) -> Iterator[str]:
    work, edition = Work.from_view(view, components), find_edition(components)
    before, is_open = _count_points(work, seat, view.hidden), False
    for number, action in enumerate(parse_actions(orders), start=1):
        outcome = _foretell_action(work, action, edition)
        if outcome is None:
            break
        parts, brings = outcome
        is_open |= brings
        yield f"{number}: {'; '.join(parts)}."
        if work.asked is not None:
            rest = (
                "Your turn ends after it"
                if not work.actions_left
                else "You are asked again after it"
            )
            yield f"A choice may come here (JG-15). {rest}."
            break
    yield from _describe_score(before, _count_points(work, seat, view.hidden), is_open=is_open)
    remaining, gives_up = work.actions_left, orders.get("end") or orders.get("pass")
    if work.ended is not None:
        yield "This ends the game."
    elif work.asked is None and (gives_up or not remaining):
        remark = f", with {format_count(remaining, 'action')} given up" if remaining else ""
        yield f"Then your turn ends{remark}. You will hold {_count_hand(work, seat)}."
    elif work.asked is None:
        yield f"Then you have {format_count(remaining, 'action')} left, and are asked for it again."


class _Score(Struct, frozen=True):
    """What a seat scores."""

    parts: Mapping[str, int]
    """By what everybody can see."""
    whole: int
    """With the hidden resources."""


def _count_points(work: Work, seat: Seat, hidden: Sequence[Resource]) -> _Score:
    table = work.make_state().table
    parts = score_parts(table, seat, work.components)
    whole = score_parts(table, seat, work.components, hidden) if hidden else parts
    return _Score(parts, sum(whole.values()))


def _describe_score(before: _Score, after: _Score, *, is_open: bool) -> Iterator[str]:
    """Say how the score changes, and by what; with hidden resources as the standing counts it."""
    old, new = sum(before.parts.values()), sum(after.parts.values())
    if (old, before.whole) == (new, after.whole):
        return
    least = "at least " if is_open else ""
    gains = [
        f"{name} {after.parts[key] - before.parts[key]:+}"
        for key, name in PARTS.items()
        if after.parts.get(key) != before.parts.get(key)
    ]
    sentence = f"Your score goes from {old} to {least}{new} ({', '.join(gains)})"
    if (old, new) != (before.whole, after.whole):
        sentence += f"; with your hidden resources from {before.whole} to {least}{after.whole}"
    yield f"{sentence}."


def _count_hand(work: Work, seat: Seat) -> str:
    return format_count(len(work.hands[seat]) + work.hoped, "card")


def _foretell_action(work: Work, action: Action, edition: Edition) -> tuple[list[str], bool] | None:
    """Play the action, and describe its costs and results; None if it is not legal.

    The second is whether it brings a card that cannot be foretold.
    """
    seat, start = work.active, len(work.events)
    place = action.get("at") or work.ships[seat].at
    before = work.planets.get(place) if place else None
    special = work.components.cards[action["card"]].special if action["do"] == "special" else None
    hand_size = len(work.hands[seat]) + work.hoped
    stop = play_actions(work, {"actions": [action]}, edition)
    if stop is not None and stop.fault is not None:
        return None
    events = [_hide_unknown(event) for event in work.events[start:]]
    expense = [card for event in events for card in _list_spent(event)]
    parts = [part for event in events for part in _describe_result(event, seat)]
    draws = len(work.hands[seat]) + work.hoped - hand_size + len(expense)
    if draws > 0 and action["do"] in ("research", "special"):
        parts.append(f"you draw {format_count(draws, 'card')}")
    elif action["do"] == "research":
        parts.append("it draws nothing, since your hand is full then")
    trial = Trial(action=action, special=special, before=before, events=events)
    choices = list(describe_choices(work, trial))
    parts += [choice.text for choice in choices]
    program_choice = [
        card for card in expense if card not in _list_named(action) and card != _DRAWN
    ]
    if program_choice:
        are = "is" if len(program_choice) == 1 else "are"
        parts.append(f"{format_list(program_choice)} {are} the program's choice (JG-6)")
    return parts, any(choice.brings for choice in choices)


_DRAWN: Final = "a card that you draw before"


def _hide_unknown(event: Event) -> Event:
    """Say of what the writer cannot know only that it is there."""
    facts = dict(event.data)
    if facts.get("turned") == UNKNOWN:
        facts["turned"] = None
    if UNKNOWN in facts.get("cards", ()):
        facts["cards"] = [_DRAWN if card == UNKNOWN else card for card in facts["cards"]]
    return replace(event, data=facts)


def _list_spent(event: Event) -> Sequence[Card]:
    """List what the event says was discarded; a special's card is told once."""
    return event.data.get("cards", ()) if event.kind != "scanned" or _is_paid(event) else ()


def _is_paid(event: Event) -> bool:
    return event.rule != "JGA-9"


def _list_named(action: Action) -> Sequence[Card]:
    one = action.get("card")
    return [*([one] if one else []), *action.get("cards", ()), *action.get("discard", ())]


def _describe_result(event: Event, seat: Seat) -> Iterator[str]:
    if find_writer(event) == seat:
        yield describe_outcome(0, event)["text"]
    elif event.kind in _RESULTS and event.data.get("seat", seat) == seat:
        visible = replace(event, data=_name_unknown(event.data))
        yield describe_event(visible, Reader(seat), _RESULTS).text


def _name_unknown(facts: Facts) -> Facts:
    """Leave unknown resources out of a list."""
    resources = [card for card in facts.get("resources", ()) if card != UNKNOWN]
    return {**facts, "resources": resources}


_TAKES: Final = "you take {resource}"
_RESULTS: Final[Mapping[str, Teller[Reader]]] = {
    "claimed": "you claim {at}",
    "collected": tell_by("how", {"mark": "you take {resource}, which you marked"}, _TAKES),
    "left": "you take no card",
    "marked": "you mark {resource}",
    "black-hole": "you have {markers:marker} on the Black Hole, of {total} there in all",
    "warped": "you come to {to}",
    "swapped": "you swap places with {player}",
    "records-lost": "a marker of {player} goes from {origin}",
    "scanned": "you scan {at}",
    "landed": "you land on {at}",
    "final-turns": "everybody has one more turn",
}


def _foretell_mark(view: View, awaiting: Awaiting, orders: Document, components: Components) -> str:
    work = Work.from_view(view, components)
    find_edition(components).resume["mark"](work, awaiting, {work.active: orders})
    marks = [event.data["resource"] for event in work.events if event.kind == "marked"]
    is_free = not orders.get("mark") and not view.standing.mark
    by = ", by the program's choice (JG-14)" if is_free else ""
    sentence = f"You mark {marks[0]} at {awaiting.at}" if marks else "Your marks stay as they are"
    return f"{sentence}{by}."


def _foretell_collect(
    view: View, seat: Seat, awaiting: Awaiting, orders: Document, components: Components
) -> str:
    standing, own = view.standing, view.table.planets[awaiting.at]
    preferences = parse_preferences(orders.get("collect"))
    if preferences is None:
        marker = seat in own.marks or (own.scans.get(seat, 0) > 0 and seat not in awaiting.then)
        preferences = standing.collect if marker else ()
    chooser = Chooser(view.table.collected[seat], standing.accept, components)
    may = can_decline(view.table, seat, components)
    card = chooser.collect(preferences, list_cards_to_choose(view, seat, components), may=may)
    if card is None:
        return f"You collect nothing at {awaiting.at}."
    marker_too = ", and put a marker on the Black Hole" if has_icon(card) else ""
    return f"You collect {card} at {awaiting.at}{marker_too}."
