"""Go back to a step and play it again."""

from datetime import datetime

from adjudicator.desk.closing import Closing
from adjudicator.desk.ports import Books, Library


def rollback(
    books: Books, library: Library, game: str, step: str, *, same_dice: bool, at: datetime
) -> Closing:
    """Strike a closed step and all after it; its orders come back as a form to send again."""
    raise NotImplementedError
