"""Whole games to look at: between bots, and by letters in one process."""
