"""Letters that come back: the address is marked, the GM and its owner get a notice."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.notices import notify_gm, notify_stranger

_SHORT = 200
_MARKED = "The address is marked; letters go there only if the player has no other address."
_ENDED = "It observed {}, and gets nothing more until it asks again."


def record_refusal(
    books: Books, letter: OutgoingLetter, address: str, reply: str, *, house: House, at: datetime
) -> None:
    """A mail server refused this letter for good."""
    if letter.seat == GM:
        return  # to tell the GM that the GM cannot be told would go on for ever
    about = f"{letter.game or 'no game'}: {letter.kind} {letter.number} to {letter.seat}"
    reply_line = " ".join(reply.split())[:_SHORT]
    known = mark_address(books, address, reply_line, house=house, at=at)
    lines = [
        f"A letter could not be delivered ({about}). It was for {address}.",
        f"The mail server said: {reply_line or 'nothing'}.",
        _MARKED if known else "The address belongs to no player.",
    ]
    notify_gm(books, house, f"A letter to {address} failed", lines, at=at)


def record_bounce(
    books: Books, addresses: Sequence[str], reason: str, *, house: House, at: datetime
) -> tuple[str, ...]:
    """A delivery report names these addresses; mark those of players, and tell the GM once."""
    marked = []
    reply_line = " ".join(reason.split())[:_SHORT]
    for address in dict.fromkeys(addresses):
        of_player = mark_address(books, address, reply_line, house=house, at=at)
        left = drop_observer(books, address, at=at)
        if of_player or left:
            marked.append(address)
            lines = [f"A letter to {address} came back{': ' + reply_line if reply_line else ''}."]
            lines += [_MARKED] if of_player else []
            lines += [_ENDED.format(", ".join(left))] if left else []
            notify_gm(books, house, f"A letter to {address} came back", lines, at=at)
    return tuple(marked)


def mark_address(books: Books, address: str, reason: str, *, house: House, at: datetime) -> bool:
    """Mark an address for all who have it and tell their others; False when nothing is new."""
    news = False
    for player in books.holders(address):
        own = books.addresses(player)
        for one in own:
            if one.address == address and one.bounced is None:
                books.save_address(replace(one, bounced=at, reason=reason or None))
                news = True
        if news:
            reached = [one for one in own if one.bounced is None and one.confirmed]
            others = [one.address for one in reached if one.address != address]
            _tell_others(books, others, address, house, at)
    return news


def drop_observer(books: Books, address: str, *, at: datetime) -> tuple[str, ...]:
    """Who only looks on and cannot be reached gets nothing more; says in which games."""
    left = []
    for game in books.games():
        for one in books.observers(game.id):
            if one.address == address and one.until is None:
                books.save_observer(replace(one, until=at))
                left.append(game.id)
    return tuple(left)


def _tell_others(
    books: Books, others: Sequence[str], address: str, house: House, at: datetime
) -> None:
    lines = [
        f"Letters to your address {address} come back, so they go to this one for now.",
        "When it works again, write from it with your game's key, and it is used again.",
    ]
    for other in others:
        notify_stranger(books, house, other, f"Letters to {address} come back", lines, at=at)
