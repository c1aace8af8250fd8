"""A place form beside what its writer has: the cards looked up, and what they cost."""

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.rules.jump_drive.components import Card, Components, Name
from adjudicator.rules.jump_drive.paying import development_cost, world_cost
from adjudicator.rules.jump_drive.powers import SecondWorld
from adjudicator.rules.jump_drive.written import Placing


class Own(Struct, frozen=True, kw_only=True):
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
    """What a form costs and how it is paid, as far as it is right."""

    development: int = 0
    world: int = 0
    second: int = 0


class Case(Struct, frozen=True, kw_only=True):
    """A form beside what its writer has, cards looked up."""

    own: Own
    form: Placing
    components: Components
    development: Card | None
    world: Card | None
    second: Card | None
    convoy: Card | None
    before: tuple[Card, ...]
    """The empire before anything is placed."""

    @property
    def new(self) -> bool:
        """Whether the first world, if there is one, is placed by this form."""
        return self.own.first is None

    @property
    def helped(self) -> tuple[Card, ...]:
        """The empire with the development, which helps the worlds placed after it (JD-5)."""
        return (*self.before, self.development) if self.development else self.before

    @property
    def grown(self) -> tuple[Card, ...]:
        """The empire with the first world, too; the colony convoy still in it."""
        if self.world is None or self.own.first is not None:
            return self.helped
        return (*self.helped, self.world)

    @property
    def first_paid(self) -> bool:
        """Whether the first world is paid for, not conquered."""
        if self.world is None or not self.world.is_military:
            return True
        return self.own.paid or self.form.contact_specialist

    @property
    def power(self) -> SecondWorld | None:
        """What the convoy named can do."""
        return next(iter(self.convoy.of(SecondWorld)), None) if self.convoy else None

    @property
    def placed(self) -> tuple[Name, ...]:
        """The cards that leave the hand to be placed."""
        team = self.components.team
        second = self.form.second
        names = (
            self.form.development if self.form.development != team else None,
            self.form.world if self.own.first is None else None,
            second.world if second else None,
        )
        return tuple(name for name in names if name is not None)


def case_of(own: Own, form: Placing, components: Components) -> Case:
    """The form beside what its writer has."""
    cards = components.cards
    first = own.first if own.first is not None else form.world
    second = form.second
    return Case(
        own=own,
        form=replace(form, world=first),
        components=components,
        development=cards[form.development] if form.development else None,
        world=cards[first] if first else None,
        second=cards[second.world] if second else None,
        convoy=cards[second.by] if second else None,
        before=components.named(own.empire),
    )


def bill(case: Case) -> Bill:
    """What the form costs."""
    development, world, second = case.development, case.world, case.second
    alone = world is None and second is None
    return Bill(
        development=development_cost(case.before, development, alone=alone) if development else 0,
        world=world_cost(case.helped, world) if world and case.first_paid and case.new else 0,
        second=second_cost(case) if second else 0,
    )


def second_cost(case: Case) -> int:
    """What the second world costs; what is conquered costs nothing (JD-22, JD-23)."""
    power, second = case.power, case.second
    if power is None or second is None or power.second_world == "military":
        return 0
    return world_cost(after_convoy(case), second, convoy=power.discount)


def after_convoy(case: Case) -> tuple[Card, ...]:
    """The empire in which the second world is paid for (JD-22)."""
    empire = list(case.grown)
    leaves = case.power is not None and case.power.discard_self
    if leaves and case.convoy in empire:
        empire.remove(case.convoy)
    return tuple(empire)
