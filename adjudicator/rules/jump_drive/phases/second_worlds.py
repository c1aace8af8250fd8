"""Second worlds, brought by convoys (JD-21 to JD-24)."""

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.phases.costs import Holdings as Holding
from adjudicator.rules.jump_drive.phases.costs import (
    Placement,
    cards_without,
    choose_cards,
    empire_after_convoy,
    find_costs,
    placement_of,
    strength_left,
)
from adjudicator.rules.jump_drive.phases.faults import first_fault
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work
from adjudicator.rules.jump_drive.position.components import Name
from adjudicator.rules.jump_drive.position.order_forms import Placing, Second, parse_second
from adjudicator.rules.jump_drive.position.state import Placed


def resolve_second(work: Work, forms: Forms) -> None:
    """The step second: only those asked decide, all at the same time."""
    for seat in work.order:
        if seat not in work.table.asked:
            continue
        form = forms.get(seat, {})
        if "world" in form:
            place_second_world(work, seat, parse_second(form))
        else:
            work.tell("passed", "JD-21", seat=seat)


def add_first_world(own: Holding, placed: Placed) -> Holding:
    """What a player has once the first world lies in the empire."""
    return replace(own, first=placed.world, paid=placed.contact_specialist)


def second_placement(own: Holding, placed: Placed, form: Second, work: Work) -> Placement:
    """A second world beside what its player has."""
    return placement_of(add_first_world(own, placed), Placing(second=form), work.components)


def place_second_world(work: Work, seat: Seat, form: Second) -> None:
    """Places the second world, or skips it if it cannot be."""
    play = second_placement(work.own(seat), work.placed[seat], form, work)
    fault = first_fault(play)
    if fault is not None:
        name = work.components.cards[form.world].name
        work.negate(seat, fault.rule, name, fault.why, fault.path)
        return
    assert play.second is not None
    assert play.world is not None
    assert play.power is not None
    paid, cost = choose_second_payments(play), find_costs(play).second
    conquered = play.power.second_world == "military"
    left = strength_left(play.world, play.second, play.grown) if conquered else None
    if play.power.discard_self:
        work.leave(seat, form.by)
        work.tell("convoy-left", "JD-22", seat=seat, card=form.by)
    work.take(seat, [form.world])
    work.spend(seat, paid)
    work.empires[seat].append(form.world)
    work.placed[seat] = replace(work.placed[seat], second=form.world)
    work.tell(
        "settled-second",
        "JD-23" if conquered else "JD-22",
        seat=seat,
        card=form.world,
        by=form.by,
        cost=None if conquered else cost,
        strength=left,
    )
    if paid:
        work.tell("paid", "JD-6", seat, seat=seat, cards=list(paid))


def choose_second_payments(play: Placement) -> tuple[Name, ...]:
    """The cards that pay for it: as listed, else the program's choice (JD-6)."""
    second = play.form.second
    if second is None:
        return ()
    if second.pay is not None:
        return second.pay
    free = cards_without(play.own.hand, play.placed)
    empire = tuple(card.slug for card in empire_after_convoy(play))
    return choose_cards(free, (), find_costs(play).second, empire, play.components)
