"""Letters that are too big to be read: their writers are told so, in one line."""

import math

from adjudicator.core.document import Seat
from adjudicator.desk.answers import form_of
from adjudicator.desk.callers import may_be_answered, slowed
from adjudicator.desk.case import Case, look
from adjudicator.desk.outcome import Outcome, Post, answered, silence
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.values import Status
from adjudicator.desk.word import to_gm, to_seat, to_stranger

_MEGABYTE = 1024 * 1024
_HEADLINE = "Your letter was too big"
_LINE = (
    "Your letter of {} MB was not read, and nothing of it was done: at most 1 MB is read. Please "
    "send it again without pictures and other attachments."
)


def too_big(post: Post, size: int) -> Outcome:
    """Whoever seems to have written it is told; who has a seat is told at that seat's addresses."""
    sender = post.letter.sender
    # rounded up: a letter of 1.0 MB would be none that is too big
    megabytes = f"{math.ceil(size * 10 / _MEGABYTE) / 10:.1f}"
    reason = f"too big: {megabytes} MB"
    if sender is None:
        line = f"A letter of {megabytes} MB came, which is more than is read. It was put aside."
        to_gm(post.books, post.house, "A letter could not be read", [line], at=post.at)
        return silence(f"{reason}; it names no sender who could be answered")
    if post.letter.bulk:
        return silence(f"{reason}; a list's letter")
    if slowed(post.books, sender, post.at) and not post.books.holders(sender):
        return silence(f"{reason}; too many wrong keys from this address")
    if not may_be_answered(post.books, post.house, sender, post.at):
        return silence(f"{reason}; enough answers today to an address that proved nothing")
    words = [_LINE.format(megabytes)]
    at_seat = _seat_of(post, sender)
    if at_seat is None:
        letter = to_stranger(post.books, post.house, sender, _HEADLINE, words, at=post.at)
        return answered(letter, reason)
    case, seat = at_seat
    letter = to_seat(case, seat, _HEADLINE, words, at=post.at, form=form_of(case, seat))
    return answered(letter, reason, seat=seat)


def _seat_of(post: Post, sender: str) -> tuple[Case, Seat] | None:
    """The seat of whoever has this address: the only one, or that of the game it is a reply in."""
    people = [
        name
        for name in post.books.holders(sender)
        if any(a.address == sender and a.confirmed for a in post.books.addresses(name))
    ]
    held = [
        (game.id, seat)
        for game in post.books.games()
        if game.status is not Status.OVER
        for seat, seating in current(post.books, game.id).items()
        if seating.kind == PLAYER and seating.player in people
    ]
    # our Message-IDs begin with the name of the game
    about = [one[1:].partition(".")[0] for one in reversed(post.letter.references)]
    replied = [one for game in about for one in held if one[0] == game]
    chosen = replied or (held if len(held) == 1 else [])
    if not chosen:
        return None
    game, seat = chosen[0]
    return look(post.books, post.library, game), seat
