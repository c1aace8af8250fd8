"""Adapters, each for one thing outside the program."""
