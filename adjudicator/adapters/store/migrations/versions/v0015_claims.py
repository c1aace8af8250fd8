"""What one daemon alone may do, so that any number of them can serve one database."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import NAME, Instant

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the claims; daemons make them as they start."""
    op.create_table(
        "claims",
        sa.Column("name", NAME, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_claims"),
        sqlite_with_rowid=False,
    )
