"""The secret that keys are made with, the epoch it belongs to, and where each game must stand."""

import hmac
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Epoch, Head, Heartbeat

_LOST = (
    "{place} is missing, and with it every key in letters already sent; put back a copy of it, or "
    "mail new keys"
)
_REPLACED = (
    "{place} is not the one that keys in letters already sent were made with; put back a copy of "
    "that one, or mail new keys"
)
_OTHER = (
    "{place} is not the one that the database is used with now: another home was opened with it; "
    "daemons that share a database need the same secret"
)
_MOVED = (
    "the games of {place} were moved to another home; play on there, move them again if the bundle "
    "was lost, or continue here"
)
_RECOVER = Suggest("recover", "")
_FIRST_SECOND = datetime(2024, 1, 1, tzinfo=UTC)
ROUND = "round"
_JOURNAL = "journal"
_MOVED_MARK = "moved "
"""What the fingerprint of books whose games were moved away begins with."""


class Comparison(Struct, frozen=True, kw_only=True):
    """Where games stand in the books, against where somebody else saw them."""

    ahead: Mapping[str, Head]
    """Games seen further on than the books know, or on another branch."""
    behind: Mapping[str, Head]
    """Games as the books have them, where nobody has seen that state yet."""


def compare_heads(books: Books, heads: Mapping[str, Head]) -> Comparison:
    """Compare what the books know of each game with what was seen."""
    own = books.heads()
    ahead = _find_ahead(books, own, heads)
    behind = {
        game: head for game, head in own.items() if game not in ahead and heads.get(game) != head
    }
    return Comparison(ahead=ahead, behind=behind)


def find_ahead(books: Books, heads: Mapping[str, Head]) -> Mapping[str, Head]:
    """Find the games seen further on than the books know; where few were seen, few are read."""
    if len(heads) > _FEW:
        return _find_ahead(books, books.heads(), heads)
    links = {game: books.last_link(game) for game in heads}
    own = {game: Head(link.number, link.digest, 0) for game, link in links.items() if link}
    return _find_ahead(books, own, heads)


def _find_ahead(
    books: Books, own: Mapping[str, Head], heads: Mapping[str, Head]
) -> Mapping[str, Head]:
    return {
        game: head
        for game, head in heads.items()
        if not _is_known(books, own.get(game), game, head)
    }


def _is_known(books: Books, own: Head | None, game: str, head: Head) -> bool:
    """Whether the chain of a game contains the link that was seen."""
    if own is None or own.link < head.link:
        return False
    if own.link == head.link:
        return own.digest == head.digest
    return any((one.number, one.digest) == (head.link, head.digest) for one in books.links(game))


_SHOWN = 5
_FEW = 20


def explain_ahead(place: str, ahead: Iterable[str]) -> Refused:
    """Explain that games were played further than the books know, with the way out."""
    names = sorted(ahead)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return Refused(
        f"{place}: the database is older than what was played and mailed "
        f"({', '.join(names[:_SHOWN])}{more}); put back the newer one, or continue from this one",
        suggest=_RECOVER,
    )


def explain_round(place: str) -> Refused:
    """Explain that the server did more than the books know, with the way out."""
    return Refused(
        f"{place}: the database is older than what the server did last; put back the newer one, or "
        "continue from this one",
        suggest=_RECOVER,
    )


def count_rounds(books: Books) -> int:
    """Count the rounds of all daemons; a database that is put back knows of fewer."""
    return max((int(beat.facts.get(ROUND, 0)) for beat in books.heartbeats("daemon")), default=0)


class JournalLength(Struct, frozen=True):
    """How long the journal was at a moment."""

    first: str
    """The digest of its first line: a file that took its place is another journal."""
    size: int


def keep_measure(books: Books, measure: JournalLength | None, *, at: datetime) -> None:
    """Let the books know how long the journal is, so that a part of it can be missed."""
    before = books.heartbeat(_JOURNAL)
    if measure is not None and (before is None or before.facts != to_builtins(measure)):
        books.save(Heartbeat(name=_JOURNAL, at=at, facts=to_builtins(measure)))


def recall_measure(books: Books) -> JournalLength | None:
    """Recall how long the journal was when the books last knew it; they know all that it said."""
    heartbeat = books.heartbeat(_JOURNAL)
    return convert(heartbeat.facts, JournalLength) if heartbeat else None


def is_cut(books: Books, measure: JournalLength | None) -> bool:
    """Whether a part of the journal is gone, measured after these books were opened."""
    heartbeat = recall_measure(books)
    if heartbeat is None or measure is None or heartbeat.first != measure.first:
        return False
    return measure.size < heartbeat.size


def explain_cut(place: str) -> Refused:
    """Explain that the journal lacks lines, with the way out."""
    return Refused(
        f"{place}: a part of its journal is missing, so nobody can tell whether the database is as "
        "new as what was played; put back a copy of both, or continue from this one",
        suggest=_RECOVER,
    )


def explain_copy(place: str, what: str) -> Refused:
    """Explain that this home or database is a copy of one that may be in use, with the way out."""
    return Refused(
        f"{place} is a copy of a {what} that may have been played on since; use that one, or "
        "continue with the copy",
        suggest=_RECOVER,
    )


def make_fingerprint(secret: bytes) -> str:
    """Make a fingerprint that tells secrets apart and gives none away."""
    return hmac.digest(secret, b"fingerprint", "sha256").hex()


def find_secret_fault(books: Books, secret: bytes | None, place: str) -> Refused | None:
    """Explain what is wrong with the secret in this place; None if nothing is.

    Until the books know a secret, and while they hold no games, any secret will do.
    """
    epoch = books.last_epoch()
    if epoch is None or not books.count_games(every=True):
        return None
    if has_moved(books):
        return Refused(_MOVED.format(place=place.removesuffix("/secret")), suggest=_RECOVER)
    if secret is None:
        return Refused(_LOST.format(place=place), suggest=_RECOVER)
    good = hmac.compare_digest(epoch.secret, make_fingerprint(secret))
    return None if good else Refused(_REPLACED.format(place=place), suggest=_RECOVER)


def find_other_secret(books: Books, secret: bytes, place: str) -> Refused | None:
    """Explain that these books were bound to another secret while a daemon serves them."""
    epoch = books.last_epoch()
    if epoch is None or hmac.compare_digest(epoch.secret, make_fingerprint(secret)):
        return None
    return find_secret_fault(books, secret, place) or Refused(_OTHER.format(place=place))


def keep_fingerprint(books: Books, secret: bytes, *, at: datetime, place: str | None) -> None:
    """Bind the books to the secret of their home and to their database."""
    last, own = books.last_epoch(), make_fingerprint(secret)
    if last is None or last.secret != own:
        number = last.number if last else 1
        epoch = Epoch(number=number, since=at, reason="the beginning", secret=own, place=place)
        books.save(epoch)
    elif last.place != place:
        books.save(replace(last, place=place))


def number_epoch(books: Books, last: int = 0, *, at: datetime) -> int:
    """Number a new epoch by the clock: the same backup may be put back more than once."""
    seconds = (at - _FIRST_SECOND) // timedelta(seconds=1)
    return max(books.epoch() + 1, last + 1, seconds)


def has_moved(books: Books) -> bool:
    """Whether the games in these books are played elsewhere."""
    epoch = books.last_epoch()
    return epoch is not None and epoch.secret.startswith(_MOVED_MARK)


def freeze_books(books: Books) -> None:
    """Freeze the books: no secret fits them any more, so nothing can be played on here."""
    epoch = books.last_epoch()
    if epoch is not None and not has_moved(books):
        books.save(replace(epoch, secret=_MOVED_MARK + epoch.secret))


def thaw_books(books: Books) -> None:
    """Let the games go on with the secret that they had."""
    epoch = books.last_epoch()
    if epoch is not None:
        books.save(replace(epoch, secret=epoch.secret.removeprefix(_MOVED_MARK)))


def move_books(books: Books, place: str | None) -> None:
    """Move the books to another database."""
    epoch = books.last_epoch()
    if epoch is not None:
        books.save(replace(epoch, place=place))
