"""Jump Gate, both editions: ships round a ring of planets (seeds/jump_gate/rulebook.md)."""
