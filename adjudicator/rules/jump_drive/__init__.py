"""Jump Drive: developments and worlds chosen in secret, paid with cards, scored every round."""

from adjudicator.core.document import Document
from adjudicator.core.game import AnyRules


def make(components: Document) -> AnyRules:
    """Make the game's functions, whose code few commands need."""
    from adjudicator.rules.jump_drive.game import JumpDrive

    return JumpDrive(components)


GAMES = {"jump-drive": make}
