"""What a form will do, for its receipt: costs, discards, points, income, and the hand after it."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count, format_list
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.orders.check import find_empire_after, find_placement
from adjudicator.rules.jump_drive.phases import placing, round_end
from adjudicator.rules.jump_drive.phases.costs import Placement
from adjudicator.rules.jump_drive.phases.valuation import choose_cards
from adjudicator.rules.jump_drive.position.components import Card, Components, Name
from adjudicator.rules.jump_drive.position.counting import (
    KEPT,
    count_cards_seen,
    count_discards,
    count_income,
    count_points,
    count_totals,
)
from adjudicator.rules.jump_drive.position.state import View
from adjudicator.rules.jump_drive.telling.sentences import end_sentence


def foretell(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[str]:
    """Describe in sentences what a form that passed the check will do."""
    if seat != view.seat or view.table.over is not None:
        return ()
    found = find_placement(view, orders, components)
    if found is not None:
        placed = found.development or found.world or found.second
        told = _describe_costs(found, components) if placed else []
        told = told or _describe_exploring(found, components)
        gains = _foretell_gains(view, seat, find_empire_after(found), components)
        held, trims = _count_held(found), found.form.trim
        trims = view.trims if trims is None else trims
        return (*told, *gains.sentences, *_describe_hand(held, trims, gains, components))
    if view.table.step == "second":
        empire = components.find_cards(view.table.empires[seat])
        gains = _foretell_gains(view, seat, empire, components)
        hand = _describe_hand(len(view.hand), view.trims, gains, components)
        return ("You place no second world.", *gains.sentences, *hand)
    return (_describe_discards(view, seat, orders, components),) if view.owed else ()


def _describe_discards(view: View, seat: Seat, orders: Document, components: Components) -> str:
    """Say which cards go in a step that asks for discards, and how many stay."""
    named = orders.get("discard") or ()
    empire = view.table.empires[seat]
    cards = choose_cards(view.hand, named, view.owed, empire, components)
    names = format_list([components.cards[name].name for name in cards])
    how = "" if named else ", the program's choice (JD-31)"
    kept = format_count(len(view.hand) - len(cards), "card")
    return f"You discard {names}{how}, and keep {kept}."


def _describe_exploring(found: Placement, components: Components) -> list[str]:
    """Say what an explorer draws, and how it is discarded (JD-11)."""
    drawn = count_cards_seen(found.own.empire, components)
    told = f"You explore: {drawn} cards are drawn, then {count_discards(drawn)} of all you hold go."
    wanted = found.form.discard
    if wanted is None:
        return [told, "You are asked which when you have seen them."]
    how = "The cards of your list go first, the rest the program" if wanted else "The program"
    return [told, f"{how} chooses for you."]


def _describe_costs(found: Placement, components: Components) -> list[str]:
    costs, told = found.costs, []
    if found.development is not None:
        told.append(f"{found.development.name} costs {format_count(costs.development, 'card')}.")
    if found.world is not None and found.places_first:
        told.append(_describe_world(found.world.name, costs.world, paid=found.is_first_paid))
    if found.second is not None:
        conquered = found.power is not None and found.power.second_world == "military"
        told.append(_describe_world(found.second.name, costs.second, paid=not conquered))
    paid = placing.choose_second_payments(found)
    if found.places_first:
        paid = (
            *placing.choose_payments(found),
            *placing.choose_second_payments(_pay_first(found)),
        )
    if paid:
        names = ", ".join(components.cards[name].name for name in paid)
        told.append(end_sentence(f"To be discarded for it: {names}."))
    second, draws = found.form.second, found.places_first and found.development is None
    if draws and second is not None and second.pay is None and costs.second > 0:  # JD-21, JD-26
        first = found.world.name if found.world else ""
        told.append(f"The card drawn for {first} may go for the second world instead.")
    return told


def _pay_first(found: Placement) -> Placement:
    """Pay for development and first world; what is placed is still there."""
    hand = remove_cards(found.own.hand, placing.choose_payments(found))
    return replace(found, own=replace(found.own, hand=hand))


def _describe_world(name: str, cost: int, *, paid: bool) -> str:
    return f"{name} costs {format_count(cost, 'card')}." if paid else f"{name} is conquered."


class _Gains(Struct, frozen=True):
    """What scoring and income bring, as the empires stand."""

    sentences: tuple[str, ...]
    income: int
    ends: bool


def _foretell_gains(
    view: View, seat: Seat, empire: Sequence[Card], components: Components
) -> _Gains:
    """Foretell gains as the empires stand, without the others' placements (JD-12, JD-13)."""
    empires = {other: list(cards) for other, cards in view.table.empires.items()}
    empires[seat] = [card.slug for card in empire]
    told = []
    for move in round_end.find_moves(empires, view.table.seats, components):
        empires[move.origin].remove(move.card)
        empires[move.to].append(move.card)
        if seat in (move.origin, move.to):
            whose = "you" if seat == move.to else move.to
            told.append(f"As the empires stand {components.cards[move.card].name} goes to {whose}.")
    gained = count_totals(empires, components, count_points)[seat]
    income = count_totals(empires, components, count_income)[seat]
    drawn = format_count(income, "card")
    told.append(f"As the empires stand it brings {gained} VP and {drawn} of income this round.")
    points = view.table.vp[seat] + gained
    ends = points >= components.constants.goal
    told.append(f"Then you have {points} VP{', which ends the game' if ends else ''}.")
    return _Gains(tuple(told), income, ends)


def _count_held(found: Placement) -> int:
    """Count the cards that the seat holds once these are placed, before income."""
    costs, held = found.costs, len(remove_cards(found.own.hand, found.placed))
    if not found.places_first:
        return held - costs.second
    # a world alone draws a card (JD-5), and explorers keep more than they had (JD-11)
    alone = found.world is not None and found.development is None
    explores = found.world is None and found.development is None
    drawn = 1 if alone else KEPT if explores else 0
    return held + drawn - costs.development - costs.world - costs.second


def _describe_hand(
    before: int, trims: Sequence[Name] | None, gains: _Gains, components: Components
) -> Iterator[str]:
    """Say how many cards the seat holds at the end of the round, and what the limit takes."""
    if gains.ends:
        return
    held = before + gains.income
    over = held - components.constants.limit
    if over <= 0:
        unused = ", so nothing of your trim list goes (JD-15)" if trims else ""
        yield f"Then you hold {format_count(held, 'card')}{unused}."
        return
    how = "you are asked which" if trims is None else "the program chooses"
    how = "your list says which" if trims else how
    goes = "1 card over the limit goes" if over == 1 else f"{over} cards over the limit go"
    yield f"Then you hold {held} cards, and {goes}: {how} (JD-15)."
