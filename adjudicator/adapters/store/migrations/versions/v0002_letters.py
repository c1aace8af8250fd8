"""Letters in, letters to addresses, press, absences, observers, joining, signs of life."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.types import Canonical, Instant, Real

revision = "0002"
down_revision = "0001"

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """What there is learns more; then what is new."""
    _addresses()
    _outbox()
    _arrivals()
    _people()
    _heartbeats()


def _addresses() -> None:
    rows = {"sqlite_with_rowid": False}
    with op.batch_alter_table("addresses", table_kwargs=rows) as table:
        table.add_column(sa.Column("confirmed", sa.Boolean(), nullable=True))
        table.add_column(sa.Column("bounced", Instant(), nullable=True))
        table.add_column(sa.Column("reason", sa.Text(), nullable=True))
    op.execute("UPDATE addresses SET confirmed = (1 = 1)")
    with op.batch_alter_table("addresses", table_kwargs=rows) as table:
        table.alter_column("confirmed", nullable=False)
        table.create_unique_constraint(op.f("uq_addresses_address_player"), ["address", "player"])


def _outbox() -> None:
    """Letters of the house are about no game: there is nothing for a foreign key to find."""
    with op.batch_alter_table("outbox") as table:
        table.drop_constraint(op.f("fk_outbox_game_games"), type_="foreignkey")
        table.drop_column("claimed_until")
        table.add_column(sa.Column("seating", sa.Integer(), nullable=True))
        table.add_column(sa.Column("to", Canonical(), nullable=True))
        table.add_column(sa.Column("attempts", sa.Integer(), nullable=True))
        table.add_column(sa.Column("not_before", Instant(), nullable=True))
        table.add_column(sa.Column("results", Canonical(), nullable=True))
    op.execute(
        "UPDATE outbox SET attempts = 0, results = '{}', seating = coalesce((SELECT max(number)"
        " FROM seatings WHERE seatings.game = outbox.game AND seatings.seat = outbox.seat), 0)"
    )
    with op.batch_alter_table("outbox") as table:
        for name in ("seating", "attempts", "results"):
            table.alter_column(name, nullable=False)


def _arrivals() -> None:
    op.create_table(
        "arrivals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("arrived", Instant(), nullable=False),
        sa.Column("read", Instant(), nullable=False),
        sa.Column("date", Instant(), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("game", NAME, nullable=True),
        sa.Column("seat", NAME, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arrivals")),
        sa.UniqueConstraint("digest", "message_id", name=op.f("uq_arrivals_digest_message_id")),
    )
    op.create_index(
        op.f("ix_arrivals_game_seat_number"), "arrivals", ["game", "seat", "number"], unique=False
    )
    op.create_index(op.f("ix_arrivals_answer"), "arrivals", ["answer"], unique=False)
    op.create_table(
        "callers",
        sa.Column("address", NAME, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("until", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_callers")),
        sqlite_with_rowid=False,
    )


def _of_game(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["game"],
        ["games.id"],
        name=op.f(f"fk_{table}_game_games"),
        initially="DEFERRED",
        deferrable=True,
    )


def _people() -> None:
    op.create_table(
        "press",
        sa.Column("game", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("seat", NAME, nullable=True),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("to", Canonical(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        _of_game("press"),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_press")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "absences",
        sa.Column("game", NAME, nullable=False),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("start", Instant(), nullable=False),
        sa.Column("end", Instant(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("announced", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game", "seat"],
            ["seats.game", "seats.seat"],
            name=op.f("fk_absences_game_seat_seats"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "seat", "number", name=op.f("pk_absences")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "observers",
        sa.Column("game", NAME, nullable=False),
        sa.Column("address", NAME, nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("until", Instant(), nullable=True),
        _of_game("observers"),
        sa.PrimaryKeyConstraint("game", "address", name=op.f("pk_observers")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "signups",
        sa.Column("game", NAME, nullable=False),
        sa.Column("address", NAME, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("luck", sa.Text(), nullable=False),
        sa.Column("prefer", Canonical(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("asked", Instant(), nullable=False),
        sa.Column("confirmed", Instant(), nullable=True),
        sa.Column("seat", NAME, nullable=True),
        _of_game("signups"),
        sa.PrimaryKeyConstraint("game", "address", name=op.f("pk_signups")),
        sqlite_with_rowid=False,
    )


def _heartbeats() -> None:
    op.create_table(
        "heartbeats",
        sa.Column("name", NAME, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("boot", Real(), nullable=False),
        sa.Column("facts", Canonical(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
        sqlite_with_rowid=False,
    )
