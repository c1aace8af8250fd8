"""The bytes of letters are squeezed when they are written."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.cells import squeeze, unsqueeze

revision = "0019"
down_revision = "0018"

_OUTBOX = sa.table(
    "outbox",
    sa.column("id", sa.Integer),
    sa.column("status", sa.Text),
    sa.column("content", sa.LargeBinary),
)


def upgrade() -> None:
    """Squeeze the letters that may still be written again; the others are dropped in time."""
    box, connection = _OUTBOX.c, op.get_bind()
    unsettled = sa.select(box.id).where(box.status.in_(("queued", "failed")))
    for letter in connection.execute(unsettled).scalars().all():
        one = box.id == letter
        content = connection.execute(sa.select(box.content).where(one)).scalar_one()
        if content is not None:
            new = squeeze(unsqueeze(content))
            connection.execute(sa.update(_OUTBOX).where(one).values(content=new))
