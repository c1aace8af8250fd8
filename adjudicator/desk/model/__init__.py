"""Games, seats, players, steps and settings, and the context of a transaction."""
