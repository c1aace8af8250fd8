"""${message}."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.types import Canonical, Instant

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Up from ${down_revision}."""
    ${upgrades if upgrades else "pass"}
