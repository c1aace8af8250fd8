"""Letters that come back: the address is marked, the GM and its owner get a notice.

Anybody can write a delivery report. It counts only with the token of a letter of ours, in what it
encloses or in the address that it is sent to, only for an address that this letter went to, and an
address is marked when three letters have come back.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.core.events import format_list
from adjudicator.desk.model.mail import IncomingLetter, ReturnedLetter
from adjudicator.desk.model.people import GM, NOBODY, House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.notices import (
    count_once_a_day,
    notify_gm,
    notify_gm_daily,
    notify_stranger,
)
from adjudicator.desk.outbox.queue import NO_GAME, encode_letter
from adjudicator.desk.outbox.tokens import find_letters, read_return_paths

_SHORT = 200
_ENOUGH = 3
"""So many different letters come back before an address is marked."""
_UNREACHED = "A letter to a stranger failed"
_NOT_TAKEN = (
    "The mail server did not accept a letter for {}: {}. Anybody can write in somebody else's "
    "name. You get this notice once a day at most."
)
_UNPROVEN = "A delivery report without proof"
_IGNORED = (
    "A delivery report named {}, but no letter of this server that went there, so nothing was "
    "changed. You get this notice once a day at most."
)
_DEAD = "Letters to {} come back"
_MARKED = "It is marked: for a week, letters go there only if the player has no other address."
_ENDED = "It observed {}, and gets nothing more until it asks again."


def record_refusal(
    books: Books, letter: OutgoingLetter, address: str, reply: str, *, house: House, at: datetime
) -> None:
    """Record that a mail server refused this letter for good."""
    if letter.seat == GM:
        return  # a notice to the GM that notices to the GM fail would never end
    about = f"{letter.game or 'no game'}: {letter.kind} {letter.number} to {letter.seat}"
    reply_line = " ".join(reply.split())[:_SHORT]
    of_player = mark_address(books, address, reply_line, house=house, at=at)
    if letter.seat == NOBODY and not of_player:
        lines = [_NOT_TAKEN.format(address, reply_line)]
        notify_gm_daily(books, house, _UNREACHED, lines, at=at)
        return
    lines = [
        f"A letter could not be delivered ({about}). It was for {address}.",
        f"The mail server said: {reply_line or 'nothing'}.",
        _describe_owner(books, address),
    ]
    _tell_gm(books, house, address, lines, at)


def _describe_owner(books: Books, address: str) -> str:
    """Say whose address it is, and that it is marked, both in one notice."""
    owners = books.holders(address)
    if not owners:
        return "The address belongs to no player."
    return f"The address belongs to {format_list(owners)}. {_MARKED}"


def _tell_gm(books: Books, house: House, address: str, lines: Sequence[str], at: datetime) -> None:
    """Tell the GM of an address where letters do not arrive, in one notice a day.

    The first is sent at once; other addresses of the day stand together in the next day's.
    """
    if not count_once_a_day(books, f"dead {address}", at):
        return
    if count_once_a_day(books, _DEAD, at):
        notify_gm(books, house, _DEAD.format(address), lines, at=at)
        return
    tomorrow = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    for one in books.letters(NO_GAME):
        if (one.seat, one.status, one.not_before) == (GM, "queued", tomorrow):
            document = decode(one.document)
            whole = {**document, "lines": [*document["lines"], *lines]}
            books.rewrite_letter(replace(one, document=encode_letter(whole)))
            return
    letter = notify_gm(books, house, _DEAD.format(address), lines, at=at)
    books.save(replace(letter, not_before=tomorrow))


def record_bounce(
    books: Books, secret: bytes, report: IncomingLetter, *, house: House, at: datetime
) -> tuple[str, ...]:
    """Record a delivery report; return the addresses that it marked."""
    # the address that it was returned to proves it even if it encloses nothing
    own = read_return_paths(house, report.recipients)
    letter = next(iter(find_letters(books, secret, [*report.returned, *own])), None)
    addresses = {one.lower() for one in report.bounced}
    sent_to = [one for one in letter.results if one.lower() in addresses] if letter else []
    if letter and own and not sent_to and len(letter.results) == 1:
        sent_to = [*letter.results]  # it was forwarded, and failed at another address
    if letter is None or not sent_to:
        _tell_unproven(books, report.bounced, house, at)
        return ()
    for address in sent_to:
        returned = ReturnedLetter(address=address, message_id=letter.message_id, at=at)
        books.save(returned)
    enough = [one for one in sent_to if len(books.returned(one)) >= _ENOUGH]
    reply_line = " ".join(report.subject.split())[:_SHORT]
    return tuple(one for one in enough if _mark_returned(books, one, reply_line, house, at))


def _mark_returned(books: Books, address: str, reply_line: str, house: House, at: datetime) -> bool:
    """Mark an address whose letters came back, and tell the GM; False when nothing is new."""
    of_player = mark_address(books, address, reply_line, house=house, at=at)
    games = drop_observer(books, address, at=at)
    if not of_player and not games:
        return False
    lines = [f"Letters to {address} came back{': ' + reply_line if reply_line else ''}."]
    lines += [_describe_owner(books, address)] if of_player else []
    lines += [_ENDED.format(", ".join(games))] if games else []
    _tell_gm(books, house, address, lines, at)
    return True


def _tell_unproven(books: Books, addresses: Sequence[str], house: House, at: datetime) -> None:
    """Tell the GM, once a day, of a report that counts for nothing."""
    sample = ", ".join(addresses[:_ENOUGH])
    notify_gm_daily(books, house, _UNPROVEN, [_IGNORED.format(sample)], at=at)


def mark_address(books: Books, address: str, reason: str, *, house: House, at: datetime) -> bool:
    """Mark an address for all who have it and notify their others; False when nothing is new."""
    news = False
    for player in books.holders(address):
        own = books.addresses(player)
        for one in own:
            if one.address == address and not one.is_marked(at):
                books.save(replace(one, bounced=at, reason=reason or None))
                news = True
        if news:
            reached = [one for one in own if not one.is_marked(at) and one.confirmed]
            others = [one.address for one in reached if one.address != address]
            _tell_others(books, others, address, house, at)
    return news


def drop_observer(books: Books, address: str, *, at: datetime) -> tuple[str, ...]:
    """Remove an observer who cannot be reached; return the games."""
    games = []
    for one in books.observed(address):
        if one.until is None:
            books.save(replace(one, until=at))
            games.append(one.game)
    return tuple(games)


def _tell_others(
    books: Books, others: Sequence[str], address: str, house: House, at: datetime
) -> None:
    lines = [
        f"Letters to your address {address} come back, so they go to this one for now.",
        "When it works again, write from it with your game's key, and it is used again.",
    ]
    for other in others:
        notify_stranger(books, house, other, f"Letters to {address} come back", lines, at=at)
