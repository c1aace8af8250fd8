"""Runs migrations on the connection that opening.py hands over, in its transaction."""

from alembic import context

from adjudicator.adapters.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=context.config.attributes["version_table"],
    render_as_batch=True,
)
context.run_migrations()
