"""Adjudicates games played by mail."""
