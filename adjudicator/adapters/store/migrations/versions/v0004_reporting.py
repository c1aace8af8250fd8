"""Every step knows by which code its reports were made."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Of the steps that are there already nobody can tell."""
    # SQLite cannot alter a column without making the table anew, and other tables refer to this one
    op.add_column(
        "steps", sa.Column("reporting", sa.Text(), nullable=False, server_default=sa.text("''"))
    )
