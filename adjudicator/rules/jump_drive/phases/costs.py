"""The costs of placing: cards, or strength to conquer (JD-5 to JD-9, JD-20 to JD-23)."""

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.finding import Path
from adjudicator.rules.jump_drive.position.components import (
    DEVELOPMENT,
    WORLD,
    Card,
    Components,
    Name,
)
from adjudicator.rules.jump_drive.position.counting import (
    Empire,
    count_general,
    count_special,
    count_strength,
)
from adjudicator.rules.jump_drive.position.order_forms import Placing
from adjudicator.rules.jump_drive.position.powers import (
    Discount,
    MilitaryAgainst,
    MilitaryPer,
    PayForMilitary,
    SecondWorld,
)

ALONE = 1
"""A development costs so much less when nothing else is placed (JD-5)."""


def _count_discounts(empire: Empire, card: Card) -> int:
    """Count by how much the empire makes a card cheaper."""
    return sum(
        power.discount
        for one in empire
        for power in one.list_powers(Discount)
        if card.fits(power.on)
    )


def find_development_cost(empire: Empire, card: Card, *, alone: bool) -> int:
    """Find what a development costs (JD-5, JD-9)."""
    return max(0, card.cost - _count_discounts(empire, card) - (ALONE if alone else 0))


def find_world_cost(empire: Empire, card: Card, *, convoy: int = 0) -> int:
    """Find what a world costs; for a military one the specialist pays the defense."""
    less = _count_discounts(empire, card) + convoy
    price = card.cost
    if card.defense is not None:
        power = find_specialist(empire)
        price, less = card.defense, less + (power.discount if power else 0)
    return max(0, price - less)


def find_specialist(empire: Empire) -> PayForMilitary | None:
    """Find the power to pay for a military world; a second one gives nothing more (JD-20)."""
    return next((power for card in empire for power in card.list_powers(PayForMilitary)), None)


def can_conquer(world: Card, empire: Empire) -> bool:
    """Whether the strength is enough; 0 is enough for defense 0."""
    return world.defense is not None and count_strength(world, empire) >= world.defense


def count_strength_left(first: Card, second: Card, empire: Empire) -> int:
    """Count what is left against the second world, once the first lies in the empire (JD-23).

    The first has used up specialised strength that fits it alone, then what fits both, then
    general strength.
    """
    only_first = only_second = both = 0
    for card in empire:
        for power in card.list_powers(MilitaryAgainst):
            fits = (first.fits(power.on), second.fits(power.on))
            only_first += power.military_against if fits == (True, False) else 0
            only_second += power.military_against if fits == (False, True) else 0
            both += power.military_against if fits == (True, True) else 0
    expense = max(0, (first.defense or 0) - only_first)
    return count_general(empire) + both + only_second - expense


def explain_strength(world: Card, empire: Empire) -> str:
    """Explain where the strength comes from: `space marines 2, military convoy 1`."""
    parts = [
        (card.name.lower(), value)
        for card in empire
        if (value := _count_strength_of(card, world, empire))
    ]
    return ", ".join(f"{name} {value}" for name, value in parts)


def explain_shortfall(world: Card, empire: Empire) -> str:
    """Explain why the world is too strong, with the sum (JD-7)."""
    have = count_strength(world, empire)
    total = f" {have}: {explain_strength(world, empire)}" if have else " none"
    return f"{world.name} needs {world.defense}, you have{total}."


def _count_strength_of(card: Card, world: Card, empire: Empire) -> int:
    hired = sum(
        power.military_per.value * sum(one.count_icons(power.military_per.icon) for one in empire)
        for power in card.list_powers(MilitaryPer)
    )
    return card.military + hired + count_special(world, (card,))


class Holdings(Struct, frozen=True, kw_only=True):
    """What a player places from: all of it known to that player."""

    hand: tuple[Name, ...]
    empire: tuple[Name, ...]
    surveyed: bool = False
    """Whether the player has had a survey team (JD-8)."""
    first: Name | None = None
    """In the step second: the first world, which lies in the empire already."""
    paid: bool = False
    """In the step second: whether it is military and was paid for."""


class Bill(Struct, frozen=True, kw_only=True):
    """The cost of a form and how it is paid, as far as it is legal."""

    development: int = 0
    world: int = 0
    second: int = 0


class Placement(Struct, frozen=True, kw_only=True, dict=True):
    """A form beside what its writer has, cards looked up."""

    own: Holdings
    form: Placing
    components: Components
    development: Card | None
    world: Card | None
    second: Card | None
    convoy: Card | None
    before: tuple[Card, ...]
    """The empire before anything is placed."""

    @property
    def places_first(self) -> bool:
        """Whether the first world, if there is one, is placed by this form."""
        return self.own.first is None

    @cached_property
    def developed_empire(self) -> tuple[Card, ...]:
        """The empire with the development, which helps the worlds placed after it (JD-5)."""
        return (*self.before, self.development) if self.development else self.before

    @cached_property
    def settled_empire(self) -> tuple[Card, ...]:
        """The empire with the first world, too; the colony convoy still in it."""
        if self.world is None or self.own.first is not None:
            return self.developed_empire
        return (*self.developed_empire, self.world)

    @property
    def is_first_paid(self) -> bool:
        """Whether the first world is paid for, not conquered."""
        if self.world is None or not self.world.is_military:
            return True
        return self.own.paid or self.form.contact_specialist

    @property
    def power(self) -> SecondWorld | None:
        """The power of the named convoy."""
        return next(iter(self.convoy.list_powers(SecondWorld)), None) if self.convoy else None

    @cached_property
    def entries(self) -> Sequence[tuple[Name, str, Path]]:
        """The cards that the form places: each with the kind it must be, and where it stands."""
        form, second = self.form, self.form.second
        entries = (
            (form.development, DEVELOPMENT, ("development",)),
            (form.world if self.places_first else None, WORLD, ("world",)),
            (second.world if second else None, WORLD, ("second", "world")),
        )
        return [(name, kind, path) for name, kind, path in entries if name is not None]

    @property
    def placed(self) -> tuple[Name, ...]:
        """The cards that leave the hand to be placed."""
        return tuple([name for name, _, _ in self.entries if name != self.components.team])

    @cached_property
    def costs(self) -> Bill:
        """What the form costs."""
        development, world, second = self.development, self.world, self.second
        alone = world is None and second is None
        return Bill(
            development=find_development_cost(self.before, development, alone=alone)
            if development
            else 0,
            world=find_world_cost(self.developed_empire, world)
            if world and self.is_first_paid and self.places_first
            else 0,
            second=find_second_cost(self) if second else 0,
        )


def make_placement(own: Holdings, form: Placing, components: Components) -> Placement:
    """Make the placement from the form and what its writer has."""
    cards = components.cards
    first = own.first if own.first is not None else form.world
    second = form.second
    return Placement(
        own=own,
        form=replace(form, world=first),
        components=components,
        development=cards[form.development] if form.development else None,
        world=cards[first] if first else None,
        second=cards[second.world] if second else None,
        convoy=cards[second.by] if second else None,
        before=components.find_cards(own.empire),
    )


def find_second_cost(play: Placement) -> int:
    """Find the cost of the second world; a conquered one costs nothing (JD-22, JD-23)."""
    power, second = play.power, play.second
    if power is None or second is None or power.second_world == "military":
        return 0
    return find_world_cost(find_empire_after_convoy(play), second, convoy=power.discount)


def find_empire_after_convoy(play: Placement) -> tuple[Card, ...]:
    """Find the empire in which the second world is paid for (JD-22)."""
    empire = list(play.settled_empire)
    leaves = play.power is not None and play.power.discard_self
    if leaves and play.convoy in empire:
        empire.remove(play.convoy)
    return tuple(empire)
