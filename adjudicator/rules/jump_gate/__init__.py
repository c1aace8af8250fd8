"""Jump Gate, both editions: ships round a ring of planets (seeds/jump_gate/rulebook.md)."""

from adjudicator.rules.jump_gate.game import JumpGate

GAMES = {"jump-gate": JumpGate, "jump-gate-2010": JumpGate}
