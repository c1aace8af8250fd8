"""The secret that keys are made with, and the epoch of the books that it belongs to."""

import hmac
from datetime import datetime

from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Epoch

_LOST = "{place} is missing, and with it every key in letters already sent; put back a copy of it"
_REPLACED = (
    "{place} is not the one that keys in letters already sent were made with; put back a copy of "
    "that one"
)


def secret_fingerprint(secret: bytes) -> str:
    """What tells one secret from another and gives none away."""
    return hmac.digest(secret, b"fingerprint", "sha256").hex()


def find_secret_fault(books: Books, secret: bytes | None, place: str) -> str | None:
    """Say what is wrong with the secret in this place; None: there is none there.

    Before the books know one, and while they hold no games, any will do.
    """
    known = books.last_epoch()
    if known is None or not books.game_names():
        return None
    if secret is None:
        return _LOST.format(place=place)
    good = hmac.compare_digest(known.secret, secret_fingerprint(secret))
    return None if good else _REPLACED.format(place=place)


def keep_fingerprint(books: Books, secret: bytes, *, at: datetime) -> None:
    """Bind the books to the secret of their home, which is the right one."""
    known, own = books.last_epoch(), secret_fingerprint(secret)
    if known is None or known.secret != own:
        number = known.number if known else 1
        books.save_epoch(Epoch(number=number, since=at, reason="the beginning", secret=own))
