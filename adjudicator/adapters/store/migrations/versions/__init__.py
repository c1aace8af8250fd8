"""Revisions of the schema, a module each."""
