"""Letters out: claimed, written once, handed to the postman, and what he said of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.desk.house import House
from adjudicator.desk.mail import Posting, Sent
from adjudicator.desk.ports import Books, Library, Store
from adjudicator.desk.values import Letter


class Heading(Struct, frozen=True, kw_only=True):
    """What stands on a letter, apart from its document."""

    house: House
    to: tuple[str, ...]
    kind: str | None
    """The kind of game, whose templates are asked first; None for letters of the house."""
    thread: str
    """The Message-ID under which a reader's letters of a game hang together."""
    date: datetime


class Writer(Protocol):
    """Makes a letter's bytes from its document, keys and all."""

    def written(self, letter: Letter, document: Document, heading: Heading) -> bytes: ...


class Dispatch(Struct, frozen=True, kw_only=True):
    """A letter on its way, and what is handed to the postman."""

    letter: Letter
    posting: Posting
