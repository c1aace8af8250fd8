"""What a bot values and what it dares, as numbers."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.position.components import Card, Tech


class Right(Struct, frozen=True):
    """The value of the next level where only the strictly highest counts (JW-9)."""

    behind: int = 0
    """It would still be lower than another's."""
    level: int = 0
    """It would be as high as the highest: nobody has the right any more."""
    first: int = 0
    """It would be the highest alone."""
    safe: int = 0
    """It is the highest by one, and would be so by two."""


class Caution(Struct, frozen=True, kw_only=True):
    """When fleets leave for a homeworld; without it they go at once, wherever they can."""

    boldness: float = 1.0
    """How many enemy fleets one of the own is worth when the way there is weighed."""
    patience: float = 12.0
    """The number of turns, after the first twelve, in which boldness rises by 1."""
    losses: float = 1.5
    """How many fleets must be destroyed for each one lost where a homeworld is not taken."""
    ends: int = 60
    """The last turn on which stacks stay out of reach of what could destroy them."""


class Style(Struct, frozen=True, kw_only=True):
    """How a bot plays."""

    techs: Mapping[Tech, Sequence[int]]
    """The value of the next level, from level 1 on; beyond that 1."""
    specials: Mapping[Card, int]
    """The value of an ability; the others have 2."""
    rights: Mapping[Tech, Right]
    """What is added for being the first: so a level is worth what it bars others from, too."""
    caution: Caution | None = None
    marches: bool | None = None
    """Whether stacks go to a homeworld now; None: as caution has it."""
    holds: bool = True
    """Whether homeworlds are guarded."""
    settles_first: bool = False
    goal: Seat | None = None
    """Whose homeworld is the goal; None: the one that is easiest to take."""
    raises: Tech | None = None
    """The technology that a card raises at the start of the plan, for the turn (JW-13)."""
    leads: Tech = "manufacturing"
    """The technology that leadership raises (JW-36)."""


EASY: Final = Style(
    techs={
        "manufacturing": (10, 9, 7, 5, 3),
        "attack": (9, 9, 8, 7, 6, 5, 4),
        # JW-53: whoever acts first bombs a large stack before it shoots.
        "initiative": (6, 6, 5, 4, *(3,) * 11),
        "defense": (4, 4, 3, 3),
        "command": (6, 5, 4, 3),
        "logistics": (5, 5, 4, 4, 3),
        "jump": (6, 4, 2),
        "miniaturization": (5, 4, 4, 3, 3, 3),
        "research": (4, 2),
        "trade": (2,),
        "diplomacy": (2,),
        "espionage": (2,),
    },
    specials={
        "leadership": 8,
        "assimilation": 7,
        "genesis": 7,
        "cloaking": 6,
        "star-docks": 4,
        "ram-scoops": 4,
        "positronic-brains": 3,
        "event-skimming": 3,
    },
    rights={"diplomacy": Right(behind=5, level=8, first=1)},
)

NORMAL: Final = replace(
    EASY,
    rights={
        "diplomacy": Right(behind=6, level=9, first=10, safe=4),
        "trade": Right(behind=2, level=6, first=8, safe=2),
        "research": Right(first=8, level=4, safe=3),
    },
    caution=Caution(),
)

HARD: Final = replace(
    NORMAL,
    techs={**NORMAL.techs, "research": (6, 4, 3), "command": (8, 5, 4, 3)},
    rights={
        "trade": Right(behind=8, level=15, first=20, safe=6),
        "diplomacy": Right(behind=6, level=9, first=10, safe=4),
        "research": Right(behind=2, level=6, first=10, safe=3),
    },
)
