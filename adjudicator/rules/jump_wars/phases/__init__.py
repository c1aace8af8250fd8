"""The rulebook of Jump Wars, a module per chapter."""
