"""Digests of the keys that letters show, and letters that came back."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import NAME, Instant

revision = "0008"
down_revision = "0007"

_BY_KEY = {"sqlite_with_rowid": False}


def upgrade() -> None:
    """Add issued keys and returned letters; older letters' keys are issued at the next start."""
    op.create_table(
        "returned",
        sa.Column("address", NAME, nullable=False),
        sa.Column("message_id", NAME, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("address", "message_id", name="pk_returned"),
        **_BY_KEY,
    )
    op.create_table(
        "keys",
        sa.Column("digest", NAME, nullable=False),
        sa.Column("game", NAME, nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_keys_game_games", deferrable=True, initially="DEFERRED"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_keys"),
        **_BY_KEY,
    )
