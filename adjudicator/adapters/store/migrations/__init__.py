"""How the schema came to be, for Alembic; the last revision stands in opening.REVISIONS."""
