"""Orders ahead: plans that wait for a later step of a seat."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import NAME, Instant

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the plans; nobody has any yet."""
    op.create_table(
        "plans",
        sa.Column("game", NAME, nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("filed", Instant(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("receipt", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game", "seat"],
            ["seats.game", "seats.seat"],
            name="fk_plans_game_seat_seats",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.PrimaryKeyConstraint("game", "seat", "number", "place", name="pk_plans"),
        sqlite_with_rowid=False,
    )
