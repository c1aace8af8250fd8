"""Jump Wars: simultaneous movement of fleets by written orders (seeds/jump_wars/rulebook.md)."""

from adjudicator.rules.jump_wars.game import JumpWars

GAMES = {"jump-wars": JumpWars}
