"""The first schema."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.types import Canonical, Instant, OrPublic

revision = "0001"
down_revision = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """All tables."""
    op.create_table(
        "games",
        sa.Column("id", NAME, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("options", Canonical(), nullable=False),
        sa.Column("settings", Canonical(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("luck", Canonical(), nullable=False),
        sa.Column("verifiable", sa.Boolean(), nullable=False),
        sa.Column("rules_digest", sa.Text(), nullable=False),
        sa.Column("components", Canonical(), nullable=True),
        sa.Column("created", Instant(), nullable=False),
        sa.Column("open_step", sa.Integer(), nullable=True),
        sa.Column("next_number", sa.Integer(), nullable=False),
        sa.Column("paused", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "players",
        sa.Column("name", NAME, nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("preferences", Canonical(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_players")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "addresses",
        sa.Column("player", NAME, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"],
            ["players.name"],
            name=op.f("fk_addresses_player_players"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("player", "position", name=op.f("pk_addresses")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "links",
        sa.Column("game", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("commitments", Canonical(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name=op.f("fk_links_game_games"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_links")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notes",
        sa.Column("game", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("data", Canonical(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name=op.f("fk_notes_game_games"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_notes")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", NAME, nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.Column("template", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("made", Instant(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("claimed_until", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name=op.f("fk_outbox_game_games"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint(
            "game",
            "seat",
            "kind",
            "number",
            "step",
            name=op.f("uq_outbox_game_seat_kind_number_step"),
        ),
    )
    op.create_index(op.f("ix_outbox_status_id"), "outbox", ["status", "id"], unique=False)
    op.create_table(
        "seats",
        sa.Column("game", NAME, nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name=op.f("fk_seats_game_games"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("game", "position", name=op.f("uq_seats_game_position")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "steps",
        sa.Column("game", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("predecessor", sa.Integer(), nullable=True),
        sa.Column("dice", sa.Text(), nullable=False),
        sa.Column("opened", Instant(), nullable=False),
        sa.Column("deadline", Instant(), nullable=True),
        sa.Column("closed", Instant(), nullable=True),
        sa.Column("void", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game", "predecessor"],
            ["steps.game", "steps.number"],
            name=op.f("fk_steps_game_predecessor_steps"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name=op.f("fk_steps_game_games"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_steps")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "orders",
        sa.Column("game", NAME, nullable=False),
        sa.Column("step", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("orders", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("arrived", Instant(), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("executed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game", "seat"],
            ["seats.game", "seats.seat"],
            name=op.f("fk_orders_game_seat_seats"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["game", "step"],
            ["steps.game", "steps.number"],
            name=op.f("fk_orders_game_step_steps"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "step", "seat", "number", name=op.f("pk_orders")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "papers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", NAME, nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("seat", OrPublic(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game", "step"],
            ["steps.game", "steps.number"],
            name=op.f("fk_papers_game_step_steps"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_papers")),
        sa.UniqueConstraint("game", "seat", "number", name=op.f("uq_papers_game_seat_number")),
    )
    op.create_index(op.f("ix_papers_game_step"), "papers", ["game", "step"], unique=False)
    op.create_table(
        "seatings",
        sa.Column("game", NAME, nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player", NAME, nullable=True),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("until", Instant(), nullable=True),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("vote", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game", "seat"],
            ["seats.game", "seats.seat"],
            name=op.f("fk_seatings_game_seat_seats"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "seat", "number", name=op.f("pk_seatings")),
        sqlite_with_rowid=False,
    )
