"""Take a seat's orders: read, checked, put on file, and acknowledged by a receipt."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Document
from adjudicator.core.finding import Finding
from adjudicator.core.reading import Text
from adjudicator.desk.ports import Books, Library


def submit(
    books: Books,
    library: Library,
    game: str,
    seat: str,
    text: Text | Sequence[Finding],
    *,
    by: str,
    at: datetime,
    source: str = "",
) -> Document:
    """Take what a seat wrote; the receipt (desk/receipt.py) says what became of it.

    `text` is the block as it was read, or why it could not be read; `source` the writer's own
    words, from which the receipt quotes the faulty lines. `by` is player or gm.
    """
    raise NotImplementedError
