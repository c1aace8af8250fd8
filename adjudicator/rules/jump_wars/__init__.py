"""Jump Wars: simultaneous movement of fleets by written orders (seeds/jump_wars/rulebook.md)."""

from adjudicator.core.document import Document
from adjudicator.core.game import AnyRules


def make(components: Document) -> AnyRules:
    """Make the game's functions, whose code few commands need."""
    from adjudicator.rules.jump_wars.game import JumpWars

    return JumpWars(components)


GAMES = {"jump-wars": make}
