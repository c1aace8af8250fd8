"""Reports and letters are squeezed when they are written."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.types import SqueezedBytes

revision = "0019"
down_revision = "0018"

_OUTBOX = sa.table(
    "outbox",
    sa.column("id", sa.Integer),
    sa.column("status", sa.Text),
    sa.column("document", SqueezedBytes),
    sa.column("content", SqueezedBytes),
)


def upgrade() -> None:
    """Squeeze the letters that may still be written again; the others are packed in time."""
    box, connection = _OUTBOX.c, op.get_bind()
    unsettled = sa.select(box.id).where(box.status.in_(("queued", "failed")))
    for letter in connection.execute(unsettled).scalars().all():
        one = box.id == letter
        row = connection.execute(sa.select(box.document, box.content).where(one)).one()
        connection.execute(sa.update(_OUTBOX).where(one).values(row._asdict()))
