"""Scenarios: a position, orders, one step, and what must come out."""
