"""Whose letter is read next, when more wait than can be read at once.

Anybody can send thousands of letters. Those that seem to be from players go first, one of each
player by turns, so that nobody waits for somebody else's flood.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from adjudicator.desk.model.mail import Glance
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.outbox.keys import find_key
from adjudicator.desk.outbox.tokens import find_letters

NOBODY_KNOWN = ""


def find_party(books: Books, secret: bytes, house: House, glance: Glance) -> str:
    """Find whose turn a letter takes: a seat's, or a registered address's; empty for nobody's.

    A seat's own letters prove more than From, so that they do not wait for forged ones.
    """
    for letter in find_letters(books, secret, glance.references):
        if letter.game:
            return f"{letter.game}/{letter.seat}"
    for one in glance.keys:
        key = find_key(books, secret, one)
        if key is not None:
            return f"{key.game}/{key.seat}"
    sender = glance.sender
    return sender if sender and (books.holders(sender) or house.is_gm(sender)) else NOBODY_KNOWN


def order_by_writer(waiting: Sequence[str], parties: Mapping[str, str]) -> list[str]:
    """Order letters by turns of known writers, then all others; each writer's oldest first."""
    before = Counter[str]()
    places = []
    for number, name in enumerate(waiting):
        party = parties.get(name, NOBODY_KNOWN)
        turn = before[party] if party else len(waiting)
        places.append((turn, number, name))
        before[party] += 1
    return [name for _, _, name in sorted(places)]
