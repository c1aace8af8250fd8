"""An index of who plays where: a letter without a key is looked up in its writer's games alone."""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_seatings_player", "seatings", ["player"])
