"""Screens about all games and about one."""
