"""Packs of older steps' documents, and digests of letters whose bytes are no longer kept."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import NAME

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add both, empty; `vacuum` and the daemon fill them in time."""
    op.create_table(
        "packs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", NAME, nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name="fk_packs_game_games",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_packs"),
        sa.UniqueConstraint("game", "until", "part", name="uq_packs_game_until_part"),
    )
    op.add_column(
        "outbox", sa.Column("digest", sa.Text(), nullable=False, server_default=sa.text("''"))
    )
