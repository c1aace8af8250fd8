"""Orders of players: check them, offer forms, choose random ones."""
