"""The step place, exploring, and second worlds (JD-11, JD-21 to JD-26)."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.phases.costs import (
    Holdings,
    Placement,
    count_strength_left,
    find_empire_after_convoy,
    make_placement,
)
from adjudicator.rules.jump_drive.phases.faults import Fault, find_first_fault
from adjudicator.rules.jump_drive.phases.valuation import choose_cards
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work, find_listed_discards
from adjudicator.rules.jump_drive.position.components import Name
from adjudicator.rules.jump_drive.position.counting import (
    count_cards_seen,
    count_discards,
    count_strength,
)
from adjudicator.rules.jump_drive.position.order_forms import (
    Placing,
    Second,
    parse_placing,
    parse_second,
)
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import Placed


def draw_explored(work: Work, seat: Seat) -> None:
    """Give the explorer a marker and cards; the discard is owed until it is made."""
    work.explores[seat] += 1
    cards = work.draw(seat, count_cards_seen(work.empires[seat], work.components))
    work.drawn[seat] = cards
    work.tell("explored", "JD-11", seat=seat, markers=work.explores[seat], number=len(cards))
    if cards:
        work.tell("drew-cards", "JD-11", seat, seat=seat, cards=sorted(cards))


def discard_explored(work: Work, seat: Seat, choice: Sequence[Name]) -> None:
    """Discard for an explorer: the cards named first, then the program's choice."""
    number = count_discards(len(work.drawn.pop(seat)))
    work.discard(seat, choice, number, "JD-11", "explore")


def list_seats_to_discard(work: Work) -> tuple[Seat, ...]:
    """List the explorers who have cards to discard, in seat order."""
    work.drawn = {seat: cards for seat, cards in work.drawn.items() if count_discards(len(cards))}
    return tuple(seat for seat in work.table.seats if seat in work.drawn)


def resolve_explore(work: Work, forms: Forms) -> None:
    """Resolve the step explore, of explorers only."""
    for seat in work.order:
        if seat in work.drawn:
            discard_explored(work, seat, find_listed_discards(forms, seat))


def resolve_second(work: Work, forms: Forms) -> None:
    """Resolve the step second: only those asked decide, all at the same time."""
    for seat in work.order:
        if seat not in work.table.asked:
            continue
        form = forms.get(seat, {})
        if "world" in form:
            place_second_world(work, seat, parse_second(form))
        else:
            work.tell("passed", "JD-21", seat=seat)


def add_first_world(own: Holdings, placement: Placed) -> Holdings:
    """Add the first world: return what a player has once it lies in the empire."""
    return replace(own, first=placement.world, paid=placement.contact_specialist)


def place_second_world(work: Work, seat: Seat, form: Second) -> None:
    """Place the second world, or skip it where it cannot be placed."""
    own = add_first_world(work.list_holdings(seat), work.placed[seat])
    play = make_placement(own, Placing(second=form), work.components)
    fault = find_first_fault(play)
    if fault is not None:
        name = work.components.cards[form.world].name
        work.negate(seat, fault.rule, name, fault.why, fault.path)
        return
    assert play.second is not None
    assert play.world is not None
    assert play.power is not None
    payments, cost = choose_second_payments(play), play.costs.second
    conquered = play.power.second_world == "military"
    strength = (
        count_strength_left(play.world, play.second, play.settled_empire) if conquered else None
    )
    if play.power.discard_self:
        work.leave(seat, form.by)
        work.tell("convoy-left", "JD-22", seat=seat, card=form.by)
    work.take(seat, [form.world])
    work.spend(seat, payments)
    work.empires[seat].append(form.world)
    work.placed[seat] = replace(work.placed[seat], second=form.world)
    work.tell(
        "settled-second",
        "JD-23" if conquered else "JD-22",
        seat=seat,
        card=form.world,
        by=form.by,
        cost=None if conquered else cost,
        strength=strength,
    )
    if payments:
        work.tell("paid", "JD-6", seat, seat=seat, cards=list(payments))


def choose_second_payments(play: Placement) -> tuple[Name, ...]:
    """Choose the cards that pay for it: as listed, else the program's choice (JD-6)."""
    second = play.form.second
    if second is None:
        return ()
    if second.pay is not None:
        return second.pay
    free = remove_cards(play.own.hand, play.placed)
    empire = tuple(card.slug for card in find_empire_after_convoy(play))
    return choose_cards(free, (), play.costs.second, empire, play.components)


_DEFAULT = Placing(explore=True, discard=())
"""The default for a seat that sends nothing (JD-4)."""


def resolve_place(work: Work, forms: Forms) -> None:
    """Carry out everybody's place form, in the order of JD-26."""
    plans = {seat: _make_plan(work, seat, forms) for seat in work.order}
    for seat, plan in plans.items():
        _place_cards(work, seat, plan)
    for seat, plan in plans.items():
        _draw_cards(work, seat, plan)
    for seat, plan in plans.items():
        if plan.second is not None:
            place_second_world(work, seat, plan.second)
        elif plan.explore and plan.discard is not None:
            discard_explored(work, seat, plan.discard)
        if plan.trim is not None:
            work.trims[seat] = plan.trim


def list_seats_choosing_later(work: Work, forms: Forms) -> tuple[Seat, ...]:
    """List the seats that put off the second world, and can still place one (JD-21)."""
    return tuple(
        seat
        for seat in work.table.seats
        if parse_placing(forms.get(seat, {})).ask
        and work.placed.get(seat, Placed()).world is not None
        and any(
            card.list_powers(SecondWorld) for card in work.components.find_cards(work.empires[seat])
        )
    )


def choose_payments(play: Placement) -> tuple[Name, ...]:
    """Choose the payment for development and first world: as listed, else chosen (JD-6)."""
    costs = play.costs
    if play.form.pay is not None:
        return play.form.pay
    second = play.form.second
    free = remove_cards(play.own.hand, (*play.placed, *(second.pay or () if second else ())))
    empire = tuple(card.slug for card in play.settled_empire)
    return choose_cards(free, (), costs.development + costs.world, empire, play.components)


def _reduce_to_possible(play: Placement) -> tuple[Placing, Sequence[tuple[Name, Fault]]]:
    """Reduce a form to what can be carried out; worlds are skipped first, then the development."""
    skipped = []
    while (fault := find_first_fault(play)) is not None:
        form = play.form
        if form.second is not None or form.ask:
            name = form.second.world if form.second else None
            form = replace(form, second=None, ask=False)
        elif form.world is not None:
            name, form = form.world, replace(form, world=None, contact_specialist=False)
        elif form.development is not None:
            name, form = form.development, replace(form, development=None)
        else:
            name, form = None, Placing(explore=True, discard=form.discard, trim=form.trim)
        if name is not None:
            skipped.append((name, fault))
        play = _shorten_payment(make_placement(play.own, form, play.components))
    return play.form, skipped


def _shorten_payment(play: Placement) -> Placement:
    """Shorten a payment list to its first cards; developments are paid first (JD-6)."""
    if play.form.pay is None:
        return play
    pay = play.form.pay[: play.costs.development + play.costs.world]
    return make_placement(play.own, replace(play.form, pay=pay), play.components)


def _make_plan(work: Work, seat: Seat, forms: Forms) -> Placing:
    if seat not in forms:
        return _DEFAULT
    components = work.components
    play = make_placement(work.list_holdings(seat), parse_placing(forms[seat]), components)
    plan, skipped = _reduce_to_possible(play)
    for name, fault in skipped:
        work.negate(seat, fault.rule, components.cards[name].name, fault.why, ())
    if plan.development is None and plan.world is None:
        return replace(plan, explore=True)
    return plan


def _place_cards(work: Work, seat: Seat, plan: Placing) -> None:
    if plan.development is None and plan.world is None:
        return
    play = make_placement(work.list_holdings(seat), plan, work.components)
    costs, payments = play.costs, choose_payments(play)
    team = work.components.team
    names = [name for name in (plan.development, plan.world) if name and name != team]
    work.take(seat, names)
    work.spend(seat, payments)
    if plan.development is not None:
        work.empires[seat].append(plan.development)
        if plan.development == team:
            work.surveyed.append(seat)
        rule = "JD-9" if plan.development == team else "JD-5"
        work.tell("developed", rule, seat=seat, card=plan.development, cost=costs.development)
    if play.world is not None:
        work.empires[seat].append(play.world.slug)
        work.tell(
            "settled",
            "JD-6" if not play.world.is_military else "JD-20" if play.is_first_paid else "JD-7",
            seat=seat,
            card=play.world.slug,
            cost=costs.world if play.is_first_paid else None,
            strength=None
            if play.is_first_paid
            else count_strength(play.world, play.developed_empire),
        )
    if payments:
        work.tell("paid", "JD-6", seat, seat=seat, cards=list(payments))
    specialist = play.world is not None and play.world.is_military and play.is_first_paid
    work.placed[seat] = Placed(
        development=plan.development, world=plan.world, contact_specialist=specialist
    )


def _draw_cards(work: Work, seat: Seat, plan: Placing) -> None:
    """Draw a card for a world alone, or an explorer's cards (JD-26 b)."""
    if plan.world is not None and plan.development is None:
        work.tell_drawn(seat, "JD-5", work.draw(seat, 1), "world alone")
    elif plan.world is None and plan.development is None:
        draw_explored(work, seat)
