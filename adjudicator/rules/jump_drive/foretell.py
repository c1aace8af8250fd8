"""What a legal form will do, told at its receipt: costs, discards, victory points, income."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_drive import placing, seconds
from adjudicator.rules.jump_drive.case import Case, after_convoy, bill
from adjudicator.rules.jump_drive.check import case
from adjudicator.rules.jump_drive.components import Components, Name
from adjudicator.rules.jump_drive.counting import income, points, totals
from adjudicator.rules.jump_drive.paying import without
from adjudicator.rules.jump_drive.state import View


def foretell(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[str]:
    """Sentences about a form that the check has let pass."""
    found = case(view, orders, components)
    if found is None or not (found.development or found.world or found.second):
        return ()
    return (*_costs(found, components), *_gains(view, seat, _empire(found), components))


def _empire(found: Case) -> tuple[Name, ...]:
    """The empire with everything that is placed; propaganda may still change hands (JD-12)."""
    cards = (*after_convoy(found), *((found.second,) if found.second else ()))
    return tuple(card.slug for card in cards)


def _costs(found: Case, components: Components) -> list[str]:
    costs, told = bill(found), []
    if found.development is not None:
        told.append(f"{found.development.name} costs {_cards(costs.development)}.")
    if found.world is not None and found.new:
        told.append(_world(found.world.name, costs.world, paid=found.first_paid))
    if found.second is not None:
        conquered = found.power is not None and found.power.second_world == "military"
        told.append(_world(found.second.name, costs.second, paid=not conquered))
    paid = seconds.payments(found)
    if found.new:
        paid = (*placing.payments(found), *seconds.payments(_rest(found)))
    if paid:
        names = ", ".join(components.cards[name].name for name in paid)
        told.append(f"To be discarded for it: {names}.")
    return told


def _rest(found: Case) -> Case:
    """What is left when development and first world are paid for."""
    hand = without(found.own.hand, (*placing.payments(found), *_first(found)))
    return replace(found, own=replace(found.own, hand=hand))


def _first(found: Case) -> tuple[Name, ...]:
    second = found.form.second
    return found.placed[:-1] if second is not None else found.placed


def _world(name: str, cost: int, *, paid: bool) -> str:
    return f"{name} costs {_cards(cost)}." if paid else f"{name} is conquered."


def _gains(
    view: View, seat: Seat, empire: tuple[Name, ...], components: Components
) -> tuple[str, ...]:
    empires = {**view.table.empires, seat: empire}
    gained = totals(empires, components, points)[seat]
    drawn = totals(empires, components, income)[seat]
    return (
        f"As the empires stand it brings {gained} VP and {_cards(drawn)} of income this round.",
    )


def _cards(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"
