"""The whole position, and the options under which it is played."""

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.rules.toy_duel.position.components import Card

Hands = Mapping[Seat, tuple[Card, ...]]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the GM chose."""

    rounds: int = 3


class State(Struct, frozen=True, kw_only=True):
    """The whole position."""

    options: Options
    seats: tuple[Seat, ...]
    round: int = 1
    step: str = "pick"
    """pick | prize, or draw: between two rounds."""
    hands: Hands
    deck: tuple[Card, ...] = ()
    played: tuple[Card, ...] = ()
    """The cards that have gone out of the game, from the weakest on."""
    scores: Mapping[Seat, int]
    scorer: Seat | None = None
    """Who may take a card (TD-6)."""
    standing: Mapping[Seat, Mapping[str, str]] = {}
    winners: tuple[Seat, ...] | None = None
