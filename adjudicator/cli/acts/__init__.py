"""Commands with which a GM changes a game."""
