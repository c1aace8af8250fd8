"""What things are worth to a player, in points.

The weights were found by some ten thousand games of bots among themselves, in which slightly
different ones played each other (simultaneous perturbation).
"""

from typing import Final

from msgspec import Struct

from adjudicator.rules.jump_gate.position.components import Components


class Weights(Struct, frozen=True, kw_only=True):
    """What a player values, beside the points that the rules give."""

    gem: float
    """What a gem promises beyond its points of now, as it makes the next one worth more."""
    energel: float
    water: float
    sand: float
    denied: float
    """The share that counts of what a card would have added to the points of another."""
    lead: float
    """The fear of a marker on the Black Hole, for whoever has most then."""
    fear: float
    """The same, for others."""
    late: float
    """How much more a marker is feared when the Black Hole is nearly full."""
    finish: float
    """What a marker that ends the game brings whoever leads then, and costs others."""
    claim: float
    """What a claim brings beyond its points."""
    rival: float
    """The loss for each other player who may take a card where this one lands."""
    unseen: float
    """A card that lies face-down."""
    scan: float
    """What a scan brings beyond its marker or mark."""
    mark: float
    """The share of a card's worth that a mark on it is worth (second edition)."""
    lapse: float
    """The share of that which is lost as the Black Hole fills: few come back for a mark then."""
    opened: float
    """What a scan brings that turns up the last card of a free planet (second edition)."""
    ready: float
    """The same, if the player can land there afterwards."""
    gate: float
    """A marker on the Jump Gate (2010)."""
    card: float
    """The cost of a card."""
    use: float
    """The cost of each use that it could be put to."""
    covered: float
    """The share that counts of a use at a free planet with face-down cards."""
    draw: float
    """What each use of a card still to be drawn brings."""
    empty: float
    """What a draw brings besides, for each card that the hand has less than three."""
    research: float
    """What the action of research costs."""
    keep: float
    """A card with less than this share of the usual use is discarded for another."""
    soon: float
    """The share that counts of what can be done after a move, with the turn's last action."""
    later: float
    """The same, if others act before."""
    rest: float
    """The share that counts of a move that can follow what is done first in a turn."""


_SECOND_OF_FEW: Final = Weights(
    gem=0.75,
    energel=0.48,
    water=1.2,
    sand=1.81,
    denied=0.55,
    lead=4.74,
    fear=0.98,
    late=0.53,
    finish=13.69,
    claim=0.05,
    rival=0.57,
    unseen=2.0,
    scan=0.8,
    mark=0.64,
    lapse=0.0,
    opened=-0.06,
    ready=2.05,
    gate=0.5,
    card=0.07,
    use=0.07,
    covered=1.0,
    draw=0.24,
    empty=0.23,
    research=-0.3,
    keep=1.19,
    soon=0.68,
    later=0.6,
    rest=0.0,
)
_SECOND_OF_MANY: Final = Weights(
    gem=0.99,
    energel=0.72,
    water=1.5,
    sand=1.23,
    denied=0.19,
    lead=2.77,
    fear=0.79,
    late=0.52,
    finish=10.02,
    claim=0.19,
    rival=1.03,
    unseen=2.58,
    scan=1.38,
    mark=0.6,
    lapse=0.7,
    opened=0.09,
    ready=1.75,
    gate=0.5,
    card=0.12,
    use=0.1,
    covered=0.4,
    draw=0.27,
    empty=0.33,
    research=-0.36,
    keep=0.89,
    soon=1.0,
    later=0.47,
    rest=0.83,
)
_FIRST: Final = Weights(
    gem=1.09,
    energel=0.35,
    water=1.46,
    sand=1.0,
    denied=-0.06,
    lead=2.98,
    fear=0.56,
    late=1.1,
    finish=4.56,
    claim=0.38,
    rival=1.74,
    unseen=3.0,
    scan=1.8,
    mark=0.6,
    lapse=0.0,
    opened=-0.09,
    ready=0.59,
    gate=0.78,
    card=-0.09,
    use=0.0,
    covered=1.0,
    draw=0.31,
    empty=0.75,
    research=-0.47,
    keep=1.17,
    soon=0.59,
    later=0.33,
    rest=0.0,
)
_FEW: Final = 3
"""With more players than these the second edition is played with other weights."""


def find_weights(components: Components, seats: int) -> Weights:
    """Find the weights of an edition for so many players."""
    if not components.is_second:
        return _FIRST
    return _SECOND_OF_FEW if seats <= _FEW else _SECOND_OF_MANY
