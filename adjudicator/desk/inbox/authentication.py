"""Who writes: what the mail server found out about a sender, and whose key it is."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import Game, Seating, Status
from adjudicator.desk.outbox.keys import key_matches
from adjudicator.desk.steps.start import setup_step_name

_COMMENT = re.compile(r"\([^()]*\)")
_DOMAIN = re.compile(r"header\.(?:d\s*=\s*|i\s*=\s*[^\s;@]*@)([A-Za-z0-9.-]+)")


def dkim_passed(headers: Sequence[str], host: str, sender: str) -> bool:
    """Whether this host says that the sender's own domain signed the letter.

    Only headers at the top count, down to the first that somebody else wrote: what stands below
    came with the letter, and anybody can write it.
    """
    domain = sender.rpartition("@")[2].lower()
    for header in headers:
        server, *results = _COMMENT.sub(" ", header).split(";")
        if (server.split() or [""])[0].lower() != host.lower():
            return False
        if any(_passes(one, domain) for one in results):
            return True
    return False


def _passes(result: str, domain: str) -> bool:
    if not re.match(r"\s*dkim\s*=\s*pass\b", result, re.IGNORECASE):
        return False
    signed = [one.lower().rstrip(".") for one in _DOMAIN.findall(result)]
    return any(domain == one or domain.endswith("." + one) for one in signed if "." in one)


_FIRST = "0-setup"
"""Keys of letters that were written before the game began."""
_STEP = re.compile(r"[0-9]{1,6}-[a-z][a-z0-9_-]{0,40}")


class KeyHolder(Struct, frozen=True, kw_only=True):
    """Whoever proved by a key to have a seat, or to be the GM."""

    game: Game
    seat: Seat
    """gm for the GM."""
    seating: Seating | None
    step: str
    """The step that the key was made for."""


def find_key_holder(
    books: Books,
    secret: bytes,
    *,
    game: str | None,
    given: str,
    step: str | None,
    wide: bool = True,
) -> KeyHolder | None:
    """The holder of a key; only seatings of the present count.

    A letter that names no game is tried with every game that is not over. Not `wide`: keys of
    former steps that it does not name are not tried, so that nobody can hit one of so many.
    """
    if game is not None:
        try:
            games: Sequence[Game] = [books.game(game)]
        except Unknown:
            return None
    else:
        games = [one for one in books.games() if one.status is not Status.OVER]
    for one in games:
        readers: dict[Seat, Seating | None] = {**current_seatings(books, one.id), GM: None}
        for name in _step_names(books, one, step, wide=wide):
            for seat, seating in readers.items():
                if seating is not None and seating.kind != PLAYER:
                    continue
                number = seating.number if seating else 0
                if key_matches(given, secret, game=one.id, seat=seat, seating=number, step=name):
                    return KeyHolder(game=one, seat=seat, seating=seating, step=name)
    return None


def _step_names(books: Books, game: Game, written: str | None, *, wide: bool) -> Iterator[str]:
    """Names of steps, the likely ones first; all are read only when none of those fits."""
    tried = []
    if game.open_step is not None:
        tried.append(books.step(game.id, game.open_step).name)
    if written is not None and _STEP.fullmatch(written):
        tried.append(written)
    tried += [*([setup_step_name(game)] if game.open_step is None else []), _FIRST]
    yield from dict.fromkeys(tried)
    if not wide:
        return
    yield from (name for name in reversed(books.step_names(game.id)) if name not in tried)
