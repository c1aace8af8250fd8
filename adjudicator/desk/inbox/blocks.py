"""The order blocks of a letter, and whom their keys belong to."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.mail import Block
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER, last_seatings
from adjudicator.desk.model.values import Game, Seating, Status
from adjudicator.desk.orders.entries import describe_finding
from adjudicator.desk.outbox.keys import key_matches
from adjudicator.desk.requests.envelope import Envelope, OrderBlock, parse_block
from adjudicator.desk.steps.start import setup_step_name

_LINE = re.compile(
    r"^[>|\t ]*(game|step|key)[\t ]*[:\uff1a][\t ]*[\"']?([^\s\"'#]{1,64})",
    re.IGNORECASE | re.MULTILINE,
)

_MOST_FAULTS = 3
_FIRST = "0-setup"
"""Keys of letters that were written before the game began."""
_STEP = re.compile(r"[0-9]{1,6}-[a-z][a-z0-9_-]{0,40}")


def explain_unreadable(block: OrderBlock) -> list[str]:
    """Why a block is no YAML, in sentences with their lines."""
    faults = [describe_finding(finding) for finding in block.faults[:_MOST_FAULTS]]
    return [f"{each['where']}: {each['message']}" for each in faults]


def read_blocks(blocks: Sequence[Block]) -> list[OrderBlock]:
    """All blocks in their order; of broken ones the envelope's lines are read as they stand."""
    found = []
    for one in blocks:
        facts: dict[str, Any] = {
            "source": one.source,
            "origin": one.origin,
            "stopped": one.stopped,
        }
        if isinstance(one.text, Text):
            found.append(parse_block(one.text, **facts))
            continue
        lines = {name.lower(): value for name, value in reversed(_LINE.findall(one.source[:65536]))}
        found.append(OrderBlock(envelope=Envelope(**lines), faults=one.text, **facts))
    return found


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
        readers: dict[Seat, Seating | None] = {**last_seatings(books.seatings(one.id)), GM: None}
        for name in _step_names(books, one, step, wide=wide):
            for seat, seating in readers.items():
                if seating is not None and seating.kind != PLAYER:
                    continue
                number = seating.number if seating else 0
                if key_matches(
                    given,
                    secret,
                    game=one.id,
                    seat=seat,
                    seating=number,
                    step=name,
                    epoch=one.epoch,
                ):
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


def find_proven(
    books: Books, secret: bytes, blocks: Sequence[OrderBlock], *, all_steps: bool
) -> tuple[OrderBlock, KeyHolder] | None:
    """The first block with a valid key, and whose it is; the others are never preferred to it."""
    for one in blocks:
        head = one.envelope
        if head.key:
            holder = find_key_holder(
                books, secret, game=head.game, given=head.key, step=head.step, wide=all_steps
            )
            if holder is not None:
                return one, holder
    return None
