"""Unsubscribing from what nobody needs in order to play: announcements, and observers' letters.

Such a letter names itself in its header, with its token; mail programs write it back by themselves
(RFC 2369, RFC 8058). Who can name it has had it, so that nothing else is asked.
"""

import re
from urllib.parse import quote, unquote

from adjudicator.core.document import Document
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.mail import Caller
from adjudicator.desk.model.people import NOBODY, PUBLIC, House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.requests.observers import remove_observer

UNSUBSCRIBE = "unsubscribe"
_SUBJECT = re.compile(rf"\s*{UNSUBSCRIBE}[\s:]+<?([^\s<>@]{{1,200}})", re.IGNORECASE)
_UNWANTED = "unsubscribed {}"
"""The caller under whose name it is kept that an address wants no announcements."""


def is_optional(letter: OutgoingLetter, document: Document) -> bool:
    """Whether its reader can do without such letters: an observer, or whoever is invited."""
    form = document.get("form") or {}
    invites = form.get("envelope") == {"join": letter.game}
    return bool(letter.game) and (
        letter.seat == PUBLIC or (letter.seat == NOBODY and bool(invites))
    )


def list_ways_out(letter: OutgoingLetter, house: House) -> list[str]:
    """List the addresses by which a letter's reader unsubscribes, as its header names them."""
    name = letter.message_id.strip("<>").rpartition("@")[0]
    pages = [f"{house.unsubscribe_url}{quote(name)}"] if house.unsubscribe_url else []
    return [*pages, f"mailto:{house.address}?subject={UNSUBSCRIBE}%20{quote(name)}"]


def find_unwanted(books: Books, secret: bytes, subject: str) -> OutgoingLetter | None:
    """Find the letter whose reader wants no more of its kind."""
    match = _SUBJECT.match(unquote(subject))
    letters = find_letters(books, secret, [f"<{match[1]}@->"]) if match else ()
    unwanted = [one for one in letters if one.game and one.seat in (PUBLIC, NOBODY) and one.to]
    return unwanted[0] if unwanted else None


def unsubscribe(context: Context, letter: OutgoingLetter) -> str:
    """Send the reader of this letter no more of its kind; say what was done."""
    sentences = []
    for address in letter.to or ():
        if letter.seat == PUBLIC:
            sentences.append(remove_observer(context, address))
        else:
            day = f"{context.at:%Y-%m-%d}"
            context.books.save(Caller(address=_UNWANTED.format(address), day=day))
            sentences.append(f"{address} gets no more announcements")
    return "; ".join(sentences)


def wants_announcements(books: Books, address: str) -> bool:
    """Whether this address may be invited to games."""
    return books.caller(_UNWANTED.format(address)) is None
