"""People who write without a good key: how often they are answered, and how they are slowed down.

An address proves nothing, so it is the address that is slowed down, and never the seat.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Caller

_KNOWN = 20
"""Answers a day to a registered address that gave no good key."""
_FREE = 4
"""So many wrong keys a day cost nothing: people mistype."""
_EMPTY = 30
"""Receipts a day for letters that changed nothing: a program that sends forms back must not get
an answer to each answer for ever."""
_LONGEST = timedelta(days=1)


def find_caller(books: Books, address: str, at: datetime) -> Caller:
    """What the address has used up today."""
    day = f"{at:%Y-%m-%d}"
    known = books.caller(address) or Caller(address=address, day=day)
    if known.day == day:
        return known
    return Caller(address=address, day=day, until=known.until)


def count_wrong_key(books: Books, address: str, at: datetime) -> None:
    """Each wrong key after the first few doubles the time for which the sender is not heard."""
    known = find_caller(books, address, at)
    wrong = known.wrong + 1
    until = known.until
    if wrong > _FREE:
        until = at + min(timedelta(minutes=2 ** min(wrong - _FREE, 12)), _LONGEST)
    books.save_caller(replace(known, wrong=wrong, until=until))


def may_be_answered(books: Books, house: House, address: str, at: datetime) -> bool:
    """Count an answer to somebody who proved nothing; False when there were enough today."""
    known = books.holders(address) or house.is_gm(address)
    return _counted(books, address, at, _KNOWN if known else house.strangers)


def may_be_told_again(books: Books, game: str, seat: str, at: datetime) -> bool:
    """Count a receipt for a letter that changed nothing; False when there were enough today."""
    return _counted(books, f"{game}/{seat}", at, _EMPTY)


def _counted(books: Books, name: str, at: datetime, most: int) -> bool:
    known = find_caller(books, name, at)
    if known.answers >= most:
        return False
    books.save_caller(replace(known, answers=known.answers + 1))
    return True
