"""What comes of an act that changes the state."""

from msgspec import Struct

from adjudicator.core.chain import Link
from adjudicator.desk.values import Game, Letter, Step


class Closing(Struct, frozen=True, kw_only=True):
    """A step closed, made or struck, and what followed from it in the same transaction."""

    game: Game
    """As it is afterwards."""
    step: Step
    """The step that was closed or made (for a rollback: the one that was struck)."""
    opened: Step | None
    """The step in which orders are owed now; None when the game is over."""
    links: tuple[Link, ...] = ()
    letters: tuple[Letter, ...] = ()
    notes: tuple[str, ...] = ()
    """What the GM should know, a sentence each."""
