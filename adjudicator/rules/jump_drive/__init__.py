"""Jump Drive: developments and worlds chosen in secret, paid with cards, scored every round."""

from adjudicator.rules.jump_drive.game import JumpDrive

GAMES = {"jump-drive": JumpDrive}
