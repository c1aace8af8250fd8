"""Migrations of the schema for Alembic; opening.REVISIONS lists them."""
