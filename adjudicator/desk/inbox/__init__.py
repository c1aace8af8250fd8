"""Incoming letters: who wrote them, and what happens to them."""
