"""Indexes for what is asked of all games and all letters: overviews, the queue, what is new."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import Instant

revision = "0018"
down_revision = "0017"

_QUEUED, _SENT = (sa.text(f"status = '{one}'") for one in ("queued", "sent"))
_READY, _POSTPONED = (
    sa.text(f"status = 'queued' AND not_before IS {one}") for one in ("NULL", "NOT NULL")
)


def upgrade() -> None:
    """Add the columns and indexes; letters that wait keep their order."""
    last = sa.text("'9998-01-01T00:00:00.000000+00:00'")
    op.add_column("games", sa.Column("urgency", Instant(), nullable=False, server_default=last))
    op.execute(
        "UPDATE games SET urgency = '9999-01-01T00:00:00.000000+00:00' WHERE status = 'over'"
    )
    op.execute(
        "UPDATE games SET urgency = (SELECT deadline FROM steps"
        " WHERE steps.game = games.id AND steps.number = games.open_step)"
        " WHERE status <> 'over' AND EXISTS (SELECT 1 FROM steps WHERE steps.game = games.id"
        " AND steps.number = games.open_step AND deadline IS NOT NULL)"
    )
    op.create_index("ix_games_urgency_id", "games", ["urgency", "id"])
    op.create_index("ix_games_rules_digest", "games", ["rules_digest"])
    op.add_column("outbox", sa.Column("rank", sa.Integer(), nullable=True))
    op.execute(
        "UPDATE outbox SET rank = CASE WHEN kind = 'receipt' THEN 0 ELSE 1 END"
        " WHERE status IN ('queued', 'failed') AND kind <> 'press'"
        " AND seat NOT IN ('nobody', 'public')"
    )
    op.drop_index("ix_outbox_status_id", "outbox")
    for columns, which in (
        (["rank", "id"], _READY),
        (["not_before"], _POSTPONED),
        (["game", "seat", "rank"], _QUEUED),
        (["id"], _SENT),
    ):
        name = f"ix_outbox_{'_'.join(columns)}"
        op.create_index(name, "outbox", columns, sqlite_where=which, postgresql_where=which)
    op.create_index("ix_steps_moved", "steps", [sa.text("coalesce(closed, opened)")])
    for table in ("observers", "signups"):
        op.create_index(f"ix_{table}_address", table, ["address"])
