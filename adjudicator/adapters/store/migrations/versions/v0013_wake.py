"""When time can next change something in a game, so that a round of the clock reads no other."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import Instant

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the instant; the first round looks at every unfinished game."""
    op.add_column("games", sa.Column("wake", Instant(), nullable=True))
    op.create_index("ix_games_wake", "games", ["wake"])
    op.execute("UPDATE games SET wake = created WHERE status <> 'over'")
