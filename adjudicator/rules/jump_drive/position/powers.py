"""What cards can do: the closed vocabulary of the component file."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal

import msgspec
from msgspec import Struct

from adjudicator.core.document import Impossible

NonMilitary = Literal["nonmilitary", "military"]


class Target(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a power is for: worlds of a colour (or `any`), a kind, one card, or a tag."""

    world: str | None = None
    kind: str | None = None
    card: str | None = None
    tag: str | None = None


class Discount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many cards less when paying for the target (JD-6)."""

    rules: ClassVar[Sequence[str]] = ("JD-6",)
    discount: int
    on: Target


class MilitaryAgainst(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Strength that serves only to conquer the target (JD-7)."""

    rules: ClassVar[Sequence[str]] = ("JD-7",)
    military_against: int
    on: Target


class Counted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So much for every icon of the own empire."""

    icon: str
    value: int
    whose: Literal["own"] = "own"


class MilitaryPer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """General strength for every counted icon (JD-7)."""

    rules: ClassVar[Sequence[str]] = ("JD-7",)
    military_per: Counted


class PayForMilitary(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A military world may be paid for instead of conquered (JD-20)."""

    rules: ClassVar[Sequence[str]] = ("JD-20",)
    pay_for_military: Literal[True]
    except_world: str
    discount: int


class SecondWorld(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A convoy: a second world in the round (JD-21 to JD-24)."""

    second_world: NonMilitary
    first_world: NonMilitary
    discount: int = 0
    discard_self: bool = False
    strength: Literal["unused"] | None = None
    with_pay_for_military: bool

    @property
    def rules(self) -> Sequence[str]:
        """The rules about it."""
        return ("JD-21", "JD-22" if self.second_world == "nonmilitary" else "JD-23")


class Limit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At most so many of the card in an empire (JD-8)."""

    rules: ClassVar[Sequence[str]] = ("JD-8",)
    limit_per_player: int


class Need(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At most so many printed icons in the empire, or the named card in it."""

    icon: str
    at_most: int
    or_card: str


class Requires(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition when the card is placed (JD-19)."""

    rules: ClassVar[Sequence[str]] = ("JD-19",)
    requires: Need


class MovesTo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card goes to the strongest before scoring (JD-12)."""

    rules: ClassVar[Sequence[str]] = ("JD-12",)
    move_to: Literal["highest_strength"]
    when: Literal["before_scoring"]
    tie_with_owner: Literal["keep"]
    tie_of_others: Literal["next_left_of_owner"]


class FromSupply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card is taken from the table, not from the hand (JD-9)."""

    rules: ClassVar[Sequence[str]] = ("JD-9",)
    from_supply: Literal[True]


Power = (
    Discount
    | MilitaryAgainst
    | MilitaryPer
    | PayForMilitary
    | SecondWorld
    | Limit
    | Requires
    | MovesTo
    | FromSupply
)

_POWERS: Final[Mapping[str, type[Power]]] = {
    "pay_for_military": PayForMilitary,
    "second_world": SecondWorld,
    "military_against": MilitaryAgainst,
    "military_per": MilitaryPer,
    "limit_per_player": Limit,
    "requires": Requires,
    "move_to": MovesTo,
    "from_supply": FromSupply,
    "discount": Discount,
}
"""What names a power, the more special names first: some of them hold a discount, too."""


def read_power(entry: Mapping[str, Any], card: str) -> Power:
    """Read the power that an entry of a card's list describes; raises Impossible."""
    for key, kind in _POWERS.items():
        if key in entry:
            return msgspec.convert(entry, kind)
    names = ", ".join(_POWERS)
    raise Impossible(
        f"cards.{card}.powers", f"{', '.join(entry)} is not a power; there are {names}"
    )
