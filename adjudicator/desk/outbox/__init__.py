"""Outgoing letters: made, queued, sent."""
