"""Whole games as demonstrations: between bots, and by letters in one process."""
