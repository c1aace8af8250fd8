"""Whose key is it: found among the seats of a game, compared in constant time."""

import re
from collections.abc import Iterator

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.errors import Unknown
from adjudicator.desk.house import GM
from adjudicator.desk.keys import opens
from adjudicator.desk.ports import Books
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.start import setup_name
from adjudicator.desk.values import Game, Seating, Status

_FIRST = "0-setup"
"""Keys of letters that were written before the game began."""
_STEP = re.compile(r"[0-9]{1,6}-[a-z][a-z0-9_-]{0,40}")


class Holder(Struct, frozen=True, kw_only=True):
    """Whoever proved by a key to have a seat, or to be the GM."""

    game: Game
    seat: Seat
    """gm for the GM."""
    seating: Seating | None
    step: str
    """The step that the key was made for."""


def holder(
    books: Books,
    secret: bytes,
    *,
    game: str | None,
    given: str,
    step: str | None,
    wide: bool = True,
) -> Holder | None:
    """The holder of a key; only seatings of the present count.

    A letter that names no game is tried with every game that is not over. Not `wide`: keys of
    former steps that it does not name are not tried, so that nobody can hit one of so many.
    """
    if game is not None:
        try:
            games = [books.game(game)]
        except Unknown:
            return None
    else:
        games = [one for one in books.games() if one.status is not Status.OVER]
    found = (_in(books, secret, one, given, step, wide=wide) for one in games)
    return next((one for one in found if one is not None), None)


def _in(
    books: Books, secret: bytes, game: Game, given: str, step: str | None, *, wide: bool
) -> Holder | None:
    seatings = [s for s in current(books, game.id).values() if s.kind == PLAYER]
    readers = [*((s.seat, s.number, s) for s in seatings), (GM, 0, None)]
    for name in _steps(books, game, step, wide=wide):
        for seat, number, seating in readers:
            if opens(given, secret, game=game.id, seat=seat, seating=number, step=name):
                return Holder(game=game, seat=seat, seating=seating, step=name)
    return None


def _steps(books: Books, game: Game, written: str | None, *, wide: bool) -> Iterator[str]:
    """Names of steps, the likely ones first; all are read only when none of those fits."""
    tried = []
    if game.open_step is not None:
        tried.append(books.step(game.id, game.open_step).name)
    if written is not None and _STEP.fullmatch(written):
        tried.append(written)
    tried += [*([setup_name(game)] if game.open_step is None else []), _FIRST]
    yield from dict.fromkeys(tried)
    if not wide:
        return
    yield from (name for name in reversed(books.step_names(game.id)) if name not in tried)
