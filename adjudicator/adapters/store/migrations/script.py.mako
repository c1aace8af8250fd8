"""${message}."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import Instant

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Up from ${down_revision}."""
    ${upgrades if upgrades else "pass"}
