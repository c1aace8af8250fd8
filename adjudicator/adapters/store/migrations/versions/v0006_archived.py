"""A game that is over can be taken out of the lists."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.types import Instant

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """None of those that are there is archived."""
    with op.batch_alter_table("games", table_kwargs={"sqlite_with_rowid": False}) as table:
        table.add_column(sa.Column("archived", Instant(), nullable=True))
