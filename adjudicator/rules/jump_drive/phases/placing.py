"""The step place: developments and first worlds, draws, second worlds, explorers (JD-26)."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.phases import explore, second_worlds
from adjudicator.rules.jump_drive.phases.costs import (
    Placement,
    cards_without,
    choose_cards,
    find_costs,
    placement_of,
)
from adjudicator.rules.jump_drive.phases.faults import Fault, first_fault
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.counting import strength
from adjudicator.rules.jump_drive.position.order_forms import Placing, parse_placing
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import Placed

_DEFAULT = Placing(explore=True, discard=())
"""What is done for who sends nothing (JD-4)."""


def resolve_place(work: Work, forms: Forms) -> None:
    """Carries out everybody's place form, in the order of JD-26."""
    plans = {seat: _plan(work, seat, forms) for seat in work.order}
    for seat, plan in plans.items():
        _place(work, seat, plan)
    for seat, plan in plans.items():
        _draw(work, seat, plan)
    for seat, plan in plans.items():
        if plan.second is not None:
            second_worlds.place_second_world(work, seat, plan.second)
        elif plan.explore and plan.discard is not None:
            explore.discard(work, seat, plan.discard)
        if plan.trim is not None:
            work.trims[seat] = plan.trim


def seats_choosing_later(work: Work, forms: Forms) -> tuple[Seat, ...]:
    """Who has put off the second world, and can still place one (JD-21)."""
    return tuple(
        seat
        for seat in work.table.seats
        if parse_placing(forms.get(seat, {})).ask
        and work.placed.get(seat, Placed()).world is not None
        and any(card.of(SecondWorld) for card in work.components.named(work.empires[seat]))
    )


def choose_payments(play: Placement) -> tuple[Name, ...]:
    """The cards that pay for development and first world: as listed, else chosen (JD-6)."""
    costs = find_costs(play)
    if play.form.pay is not None:
        return play.form.pay
    second = play.form.second
    free = cards_without(play.own.hand, (*play.placed, *(second.pay or () if second else ())))
    empire = tuple(card.slug for card in play.grown)
    return choose_cards(free, (), costs.development + costs.world, empire, play.components)


def reduce_to_possible(
    own_case: Placement, components: Components
) -> tuple[Placing, Sequence[tuple[Name, Fault]]]:
    """What of a form can be carried out, and what is skipped: worlds, then the development."""
    play, skipped = own_case, []
    while (fault := first_fault(play)) is not None:
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
        play = _with_pay(replace(play, form=form), components)
    return play.form, skipped


def _with_pay(play: Placement, components: Components) -> Placement:
    """A payment list goes on with the first cards of it; developments are paid first (JD-6)."""
    again = placement_of(play.own, play.form, components)
    if play.form.pay is None:
        return again
    costs = find_costs(again)
    pay = play.form.pay[: costs.development + costs.world]
    return placement_of(play.own, replace(play.form, pay=pay), components)


def _plan(work: Work, seat: Seat, forms: Forms) -> Placing:
    if seat not in forms:
        return _DEFAULT
    components = work.components
    play = placement_of(work.own(seat), parse_placing(forms[seat]), components)
    plan, skipped = reduce_to_possible(play, components)
    for name, fault in skipped:
        work.negate(seat, fault.rule, components.cards[name].name, fault.why, ())
    if plan.development is None and plan.world is None:
        return replace(plan, explore=True)
    return plan


def _place(work: Work, seat: Seat, plan: Placing) -> None:
    if plan.development is None and plan.world is None:
        return
    play = placement_of(work.own(seat), plan, work.components)
    costs, paid = find_costs(play), choose_payments(play)
    team = work.components.team
    taken = [name for name in (plan.development, plan.world) if name and name != team]
    work.take(seat, taken)
    work.spend(seat, paid)
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
            "JD-6" if not play.world.is_military else "JD-20" if play.first_paid else "JD-7",
            seat=seat,
            card=play.world.slug,
            cost=costs.world if play.first_paid else None,
            strength=None if play.first_paid else strength(play.world, play.helped),
        )
    if paid:
        work.tell("paid", "JD-6", seat, seat=seat, cards=list(paid))
    specialist = play.world is not None and play.world.is_military and play.first_paid
    work.placed[seat] = Placed(
        development=plan.development, world=plan.world, contact_specialist=specialist
    )


def _draw(work: Work, seat: Seat, plan: Placing) -> None:
    """JD-26 (b): a card for a world alone, the explorer's cards."""
    if plan.world is not None and plan.development is None:
        work.tell_drawn(seat, "JD-5", work.draw(seat, 1), "world alone")
    elif plan.world is None and plan.development is None:
        explore.draw(work, seat)
