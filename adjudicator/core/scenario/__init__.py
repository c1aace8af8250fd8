"""Scenarios: a position, orders, one step, and the expected outcome."""
