"""The rulebook of Jump Drive, a module per chapter."""
