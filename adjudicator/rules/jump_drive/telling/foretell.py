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
    play = find_placement(view, orders, components)
    if play is not None:
        places_card = play.development or play.world or play.second
        sentences = _describe_costs(play, components) if places_card else []
        sentences = sentences or _describe_exploring(play, components)
        gains = _foretell_gains(view, seat, find_empire_after(play), components)
        hand_size, trims = _count_hand(play), play.form.trim
        trims = view.trims if trims is None else trims
        return (*sentences, *gains.sentences, *_describe_hand(hand_size, trims, gains, components))
    if view.table.step == "second":
        empire = components.find_cards(view.table.empires[seat])
        gains = _foretell_gains(view, seat, empire, components)
        hand = _describe_hand(len(view.hand), view.trims, gains, components)
        return ("You place no second world.", *gains.sentences, *hand)
    return (_describe_discards(view, seat, orders, components),) if view.owed else ()


def _describe_discards(view: View, seat: Seat, orders: Document, components: Components) -> str:
    """Say which cards go in a step that asks for discards, and how many stay."""
    choice = orders.get("discard") or ()
    empire = view.table.empires[seat]
    cards = choose_cards(view.hand, choice, view.owed, empire, components)
    names = format_list([components.cards[name].name for name in cards])
    how = "" if choice else ", the program's choice (JD-31)"
    rest = format_count(len(view.hand) - len(cards), "card")
    return f"You discard {names}{how}, and keep {rest}."


def _describe_exploring(play: Placement, components: Components) -> list[str]:
    """Say what an explorer draws, and how it is discarded (JD-11)."""
    draws = count_cards_seen(play.own.empire, components)
    sentence = (
        f"You explore: {draws} cards are drawn, then {count_discards(draws)} of all you hold go."
    )
    choice = play.form.discard
    if choice is None:
        return [sentence, "You are asked which when you have seen them."]
    how = "The cards of your list go first, the rest the program" if choice else "The program"
    return [sentence, f"{how} chooses for you."]


def _describe_costs(play: Placement, components: Components) -> list[str]:
    costs, sentences = play.costs, []
    if play.development is not None:
        sentences.append(
            f"{play.development.name} costs {format_count(costs.development, 'card')}."
        )
    if play.world is not None and play.places_first:
        sentences.append(_describe_world(play.world.name, costs.world, is_paid=play.is_first_paid))
    if play.second is not None:
        conquered = play.power is not None and play.power.second_world == "military"
        sentences.append(_describe_world(play.second.name, costs.second, is_paid=not conquered))
    payments = placing.choose_second_payments(play)
    if play.places_first:
        payments = (
            *placing.choose_payments(play),
            *placing.choose_second_payments(_pay_first(play)),
        )
    if payments:
        names = format_list([components.cards[name].name for name in payments])
        sentences.append(end_sentence(f"To be discarded: {names}."))
    second, draws = play.form.second, play.places_first and play.development is None
    if draws and second is not None and second.pay is None and costs.second > 0:  # JD-21, JD-26
        first = play.world.name if play.world else ""
        sentences.append(f"The card drawn for {first} may go for the second world instead.")
    return sentences


def _pay_first(play: Placement) -> Placement:
    """Pay for development and first world; what is placed is still there."""
    hand = remove_cards(play.own.hand, placing.choose_payments(play))
    return replace(play, own=replace(play.own, hand=hand))


def _describe_world(name: str, cost: int, *, is_paid: bool) -> str:
    return f"{name} costs {format_count(cost, 'card')}." if is_paid else f"{name} is conquered."


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
    sentences = []
    for move in round_end.find_moves(empires, view.table.seats, components):
        empires[move.origin].remove(move.card)
        empires[move.to].append(move.card)
        if seat in (move.origin, move.to):
            owner = "you" if seat == move.to else move.to
            sentences.append(
                f"As the empires stand, {components.cards[move.card].name} goes to {owner}."
            )
    gained = count_totals(empires, components, count_points)[seat]
    income = count_totals(empires, components, count_income)[seat]
    income_cards = format_count(income, "card")
    sentences.append(
        f"As the empires stand, yours brings {gained} VP and {income_cards} of income this round."
    )
    points = view.table.vp[seat] + gained
    ends = points >= components.constants.goal
    sentences.append(f"Then you have {points} VP{', which ends the game' if ends else ''}.")
    return _Gains(tuple(sentences), income, ends)


def _count_hand(play: Placement) -> int:
    """Count the cards that the seat holds once these are placed, before income."""
    costs, rest = play.costs, len(remove_cards(play.own.hand, play.placed))
    if not play.places_first:
        return rest - costs.second
    # a world alone draws a card (JD-5), and explorers keep more than they had (JD-11)
    alone = play.world is not None and play.development is None
    explores = play.world is None and play.development is None
    draws = 1 if alone else KEPT if explores else 0
    return rest + draws - costs.development - costs.world - costs.second


def _describe_hand(
    before: int, trims: Sequence[Name] | None, gains: _Gains, components: Components
) -> Iterator[str]:
    """Say how many cards the seat holds at the end of the round, and what the limit takes."""
    if gains.ends:
        return
    hand_size = before + gains.income
    over = hand_size - components.constants.limit
    if over <= 0:
        unused = ", so nothing of your trim list goes (JD-15)" if trims else ""
        yield f"Then you hold {format_count(hand_size, 'card')}{unused}."
        return
    how = "you are asked which" if trims is None else "the program chooses"
    how = "your list says which" if trims else how
    goes = "1 card over the limit goes" if over == 1 else f"{over} cards over the limit go"
    yield f"Then you hold {hand_size} cards, and {goes}: {how} (JD-15)."
