"""Outgoing letters as bytes."""
