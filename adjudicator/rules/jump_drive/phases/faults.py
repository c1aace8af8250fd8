"""The table of faults: the first rule that a form breaks (JD-10)."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from adjudicator.core.events import format_count
from adjudicator.core.finding import Path
from adjudicator.core.tabletop import has_cards, remove_cards
from adjudicator.rules.jump_drive.phases.costs import (
    Bill,
    Placement,
    can_conquer,
    count_strength_left,
    explain_shortfall,
    explain_strength,
    find_specialist,
)
from adjudicator.rules.jump_drive.position.components import (
    Card,
    Components,
    Name,
)
from adjudicator.rules.jump_drive.position.counting import count_strength
from adjudicator.rules.jump_drive.position.powers import Limit, Requires, SecondWorld


class Fault(Struct, frozen=True):
    """A rule that a form breaks."""

    rule: str
    why: str
    path: Path = ()
    lacks: str = ""
    """What is missing, in a few words for a table."""


def find_first_fault(play: Placement) -> Fault | None:
    """Find the first row of the table that the form breaks."""
    return next((fault for row in _ROWS if (fault := row(play)) is not None), None)


def _check_kinds(play: Placement) -> Fault | None:
    form = play.form
    if form.explore and (play.development or play.world or form.second):
        return Fault(
            "JD-4", "You explore instead of placing cards; you cannot do both.", ("explore",)
        )
    for name, kind, path in play.entries:
        card = play.components.cards[name]
        if card.kind != kind:
            return Fault("JD-4", f"{card.name} is a {card.kind}, not a {kind}.", path)
    return None


def _check_hand(play: Placement) -> Fault | None:
    names: list[Name] = []
    for name, _, path in play.entries:
        if name == play.components.team:
            continue
        names.append(name)
        if not has_cards(play.own.hand, names):
            again = " a second time" if names.count(name) > 1 else ""
            return Fault("JD-10", f"{_name_card(play, name)} is not in your hand{again}.", path)
    return None


def _check_team(play: Placement) -> Fault | None:
    if play.form.development == play.components.team and play.own.surveyed:
        return Fault("JD-9", "You have already used your survey team.", ("development",))
    return None


def _check_limit(play: Placement) -> Fault | None:
    card = play.development
    if card is None or card.slug == play.components.team:
        return None
    for power in card.list_powers(Limit):
        if play.before.count(card) >= power.limit_per_player:
            why = f"{card.name} lies in your empire already."
            return Fault("JD-8", why, ("development",), "you have it")
    return None


def _check_condition(play: Placement) -> Fault | None:
    card = play.development
    for power in card.list_powers(Requires) if card else ():
        need = power.requires
        icons = sum(one.count_icons(need.icon) for one in play.before)
        if icons > need.at_most and need.or_card not in play.own.empire:
            other = _name_card(play, need.or_card)
            there = format_count(icons, f"{need.icon} icon")
            why = f"You have {there} and no {other} in your empire."
            return Fault("JD-19", why, ("development",), f"{need.icon} icons")
    return None


def _check_contact(play: Placement) -> Fault | None:
    form = play.form
    if form.contact_specialist:
        fault = _find_specialist_fault(play.world, play.developed_empire, ("contact_specialist",))
        if fault is not None:
            return fault
    if form.second is not None and form.second.contact_specialist:
        return _find_specialist_fault(
            play.second, play.settled_empire, ("second", "contact_specialist")
        )
    return None


def _find_specialist_fault(world: Card | None, empire: Sequence[Card], path: Path) -> Fault | None:
    power = find_specialist(empire)
    why = None
    if power is None:
        why = "There is no contact specialist in your empire."
    elif world is None:
        why = "A contact specialist helps to place a world, and no world is placed."
    elif not world.is_military:
        why = f"{world.name} is not a military world, so it is paid for anyway."
    elif world.colour == power.except_world:
        why = f"{world.name} is an alien world; contact specialists place none of these."
    return Fault("JD-20", why, path) if why else None


def _check_strength(play: Placement) -> Fault | None:
    world = play.world
    if (
        world is None
        or play.is_first_paid
        or not play.places_first
        or can_conquer(world, play.developed_empire)
    ):
        return None
    empire = play.developed_empire
    short = (world.defense or 0) - count_strength(world, empire)
    why, power = explain_shortfall(world, empire), find_specialist(empire)
    if power is not None and world.colour != power.except_world:
        why += " To pay for it with cards, add `contact_specialist: yes` (JD-20)."
    return Fault("JD-7", why, ("world",), f"{short} short")


def _check_second(play: Placement) -> Fault | None:
    form = play.form
    if form.second is None and not form.ask:
        return None
    if play.world is None:
        return Fault("JD-21", "A second world needs a first one.", ("second",))
    if form.ask:
        if any(card.list_powers(SecondWorld) for card in play.developed_empire):
            return None
        return Fault("JD-21", "There is no convoy in your empire.", ("second",))
    convoy = play.convoy
    if convoy is not None and convoy in play.developed_empire and play.power is not None:
        return None
    name = convoy.name if convoy else "that convoy"
    return Fault("JD-21", f"There is no {name} in your empire.", ("second", "by"))


def _check_military(play: Placement) -> Fault | None:
    fault = _check_worlds(play, "military", "JD-23")
    first, second = play.world, play.second
    if fault or not (first and second and play.power) or play.power.strength is None:
        return fault
    strength = count_strength_left(first, second, play.settled_empire)
    if strength >= (second.defense or 0):
        return None
    why = (
        f"{second.name} needs {second.defense}, you have {max(0, strength)} left after "
        f"{first.name} ({first.defense}): {explain_strength(second, play.settled_empire)}."
    )
    return Fault("JD-23", why, ("second", "world"))


def _check_worlds(play: Placement, kind: str, rule: str) -> Fault | None:
    """Check that both worlds are what a convoy of this kind wants."""
    power, first, second, form = (
        play.power,
        play.world,
        play.second,
        play.form.second,
    )
    if power is None or power.second_world != kind or not (first and second and form):
        return None
    convoy = play.convoy.name if play.convoy else ""
    if _classify_world(first, power, is_paid=play.is_first_paid) != power.first_world:
        after = "a world that is paid for" if power.first_world == "nonmilitary" else "a conquest"
        return Fault(rule, f"{convoy} follows {after}, nothing else.", ("second", "by"))
    if _classify_world(second, power, is_paid=form.contact_specialist) != kind:
        only = "that are paid for" if kind == "nonmilitary" else "to be conquered"
        return Fault(rule, f"{convoy} brings only worlds {only}.", ("second", "world"))
    return None


def _classify_world(world: Card, power: SecondWorld, *, is_paid: bool) -> str | None:
    """Classify a world as the convoy would take it; None: neither kind."""
    if not world.is_military:
        return "nonmilitary"
    if not is_paid:
        return "military"
    return "nonmilitary" if power.with_pay_for_military else None


def _check_payment(play: Placement) -> Fault | None:
    costs = play.costs
    form, second = play.form, play.form.second
    later = second.pay if second and second.pay is not None else ()
    free = remove_cards(play.own.hand, play.placed)
    first = costs.development + costs.world
    fault = _check_payment_list(play, form.pay, first, remove_cards(free, later), ("pay",))
    if fault is None and second is not None and second.pay is not None:
        rest = remove_cards(free, form.pay or ())
        fault = _check_payment_list(play, second.pay, costs.second, rest, ("second", "pay"))
    if fault is not None:
        return fault
    return _check_enough(play, costs, free)


def _split_cost(play: Placement) -> str:
    """Say what a development and a world cost each, since the first may help to pay the second."""
    development, world = play.development, play.world
    if development is None or world is None or not play.places_first:
        return ""
    costs = play.costs
    return f" ({development.name} {costs.development}, {world.name} {costs.world} after it)"


def _check_payment_list(
    play: Placement, pay: Sequence[Name] | None, cost: int, free: Sequence[Name], path: Path
) -> Fault | None:
    """Check a list of payments: exact, and of cards that are free to pay with."""
    if pay is None:
        return None
    if len(pay) != cost:
        both = _split_cost(play) if path == ("pay",) else ""
        why = f"The cost is {format_count(cost, 'card')}{both}, the list has {len(pay)}."
        return Fault("JD-6", why, path)
    short = _find_missing(pay, free)
    if short is None:
        return None
    what = "is placed or paid elsewhere" if short in play.own.hand else "is not in your hand"
    return Fault("JD-6", f"{_name_card(play, short)} {what}; it cannot pay.", path)


def _check_enough(play: Placement, costs: Bill, free: Sequence[Name]) -> Fault | None:
    """Check that there are cards to pay; a world alone draws one for the second world (JD-21)."""
    total = costs.development + costs.world
    later = play.form.second.pay if play.form.second else None
    have = len(free) - len(later or ())
    if total > have and play.form.pay is None:
        path = ("world",) if play.world else ("development",)
        lacks = format_count(total - have, "card")
        cost = (
            f"{costs.development} + {costs.world} = {total}"
            if costs.development and costs.world
            else total
        )
        return Fault("JD-6", _explain_too_few(cost, have), path, f"{lacks} short")
    draws = 1 if play.places_first and play.development is None else 0
    have = len(free) - total + draws
    if play.second is not None and later is None and costs.second > have:
        return Fault("JD-6", _explain_too_few(costs.second, have), ("second",))
    return None


def _find_missing(cards: Sequence[Name], hand: Sequence[Name]) -> Name | None:
    """Find the first of these cards that the hand lacks, each copy counted."""
    return next((card for n, card in enumerate(cards) if not has_cards(hand, cards[: n + 1])), None)


def _explain_too_few(cost: int | str, have: int) -> str:
    cards = format_count(have, "card") if have else "no cards"
    return f"The cost is {cost}; you have {cards} left to pay with."


def _name_card(play: Placement, name: Name) -> str:
    return play.components.cards[name].name


_ROWS: Final[tuple[Callable[[Placement], Fault | None], ...]] = (
    _check_kinds,
    _check_hand,
    _check_team,
    _check_limit,
    _check_condition,
    _check_contact,
    _check_strength,
    _check_second,
    lambda play: _check_worlds(play, "nonmilitary", "JD-22"),
    _check_military,
    _check_payment,
)


def check_discards(
    cards: Sequence[Name], hand: Sequence[Name], number: int, rule: str, components: Components
) -> Fault | None:
    """Check a list of discards: this many cards, all of them in hand (JD-27)."""
    if len(cards) != number:
        why = f"Discard exactly {format_count(number, 'card')}, not {len(cards)}."
        return Fault(rule, why, ("discard",))
    short = _find_missing(cards, hand)
    if short is None:
        return None
    return Fault(rule, f"{components.cards[short].name} is not in your hand.", ("discard",))
