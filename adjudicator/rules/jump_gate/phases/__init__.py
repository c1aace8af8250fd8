"""The rulebook of Jump Gate, both editions, a module per chapter."""
