"""Jump Gate, both editions: ships round a ring of planets (seeds/jump_gate/rulebook.md)."""

from adjudicator.core.document import Document
from adjudicator.core.game import AnyRules


def make(components: Document) -> AnyRules:
    """Make the game's functions, whose code few commands need."""
    from adjudicator.rules.jump_gate.game import JumpGate

    return JumpGate(components)


GAMES = {"jump-gate": make, "jump-gate-2010": make}
