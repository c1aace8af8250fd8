"""Make a game."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.document import Document, Impossible, Seat, digest
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.people import (
    describe_unreachable,
    introduce_player,
    introduce_substitutes,
)
from adjudicator.desk.model.ports import Books, Kind, Library
from adjudicator.desk.model.seats import (
    BOT,
    begin_seating,
    read_bot,
    seat_holders,
    seat_player,
)
from adjudicator.desk.model.settings import schedule_faults, settings_of
from adjudicator.desk.model.values import Game, Status
from adjudicator.desk.steps.chance import describe_chance, find_hosts, find_luck_seats
from adjudicator.desk.steps.start import deal_position, list_players_advice, start_game

_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 32
_WAITING = "substitutes"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Luck words are mailed as they are, so they must not contain control characters."""
_RESERVED = ("all", "anonymous", "everybody", "gm", "nobody", "public")


def create_game(
    books: Books,
    library: Library,
    *,
    game: str,
    kind: str,
    seats: Mapping[Seat, str | None],
    options: Document,
    settings: Document,
    seed: bytes,
    luck: Mapping[Seat, str],
    verifiable: bool,
    components: Document | None,
    start: bool,
    at: datetime,
    hosts: Sequence[str] = (),
) -> Game:
    """Make a game, open or started; the advice to the GM is in its notes (act "advice").

    A seat's value is its player (a name, an address, or `Ada <ada@example.org>`), a bot (`bot`,
    `bot:hard`), or None
    for a seat that nobody has taken yet. `hosts` are the GM's addresses.
    """
    game_kind = library.kind(kind, components)
    names = tuple(seats)
    _check_names(game, names, luck)
    _check_number(game_kind, len(names))
    if settings_of(settings).substitutes:
        settings = {**settings, _WAITING: introduce_substitutes(books, settings[_WAITING])}
    if len(seed) != 32:
        raise Refused(f"{game}: a seed is 32 bytes, this one has {len(seed)}")
    new_game = Game(
        id=game,
        kind=game_kind.kind,
        status=Status.OPEN,
        seats=names,
        options=_read_options(game_kind, options, names),
        settings=dict(settings),
        seed=seed,
        luck=tuple((seat, luck[seat]) for seat in names if seat in luck),
        verifiable=verifiable,
        rules_digest=game_kind.digest,
        components=components,
        created=at,
    )
    check_game_name(game, library.kinds(), _find_namesake(books, game))
    if not start:  # a GM who waits for players should know in time
        deal_position(new_game, game_kind)
    books.add_game(new_game)
    context = Context(books, library, game, at)
    _fill_seats(context, seats)
    _tell(context, hosts, start=start)
    return start_game(context).game if start else new_game


def _find_namesake(books: Books, game: str) -> tuple[str, ...]:
    with suppress(Unknown):
        return (books.game(game).id,)
    return ()


def check_game_name(game: str, kinds: Iterable[str], names: Iterable[str]) -> None:
    """Refuse a name that a new game cannot have."""
    _check_name("game", game)
    if game in kinds:
        raise Refused(f"{game} is the name of a kind of game; choose another name")
    if game in names:
        raise Refused(f"there is already a game {game}; choose another name")


def _check_name(what: str, name: str) -> None:
    if not _SLUG.fullmatch(name) or len(name) > _LONGEST:
        raise Refused(
            f'{what} "{name}": a name consists of small letters, digits and single hyphens, begins '
            f"with a letter and has at most {_LONGEST} signs, like ember or blue-2"
        )


def _check_names(game: str, seats: Sequence[Seat], luck: Mapping[Seat, str]) -> None:
    for what, name in [("game", game), *(("seat", seat) for seat in seats)]:
        _check_name(what, name)
    for seat in seats:
        if seat in _RESERVED:
            raise Refused(f'seat "{seat}": this word is reserved; choose another name')
    for seat in luck:
        if seat not in seats:
            raise Refused(f'luck words for "{seat}": the game has no such seat')
        if _CONTROL.search(luck[seat]):
            raise Refused(f"luck words for {seat}: they contain control characters")


def _check_number(kind: Kind, seats: int) -> None:
    if not kind.smallest <= seats <= kind.largest:
        raise Refused(
            f"{kind.title} is played by {kind.smallest} to {kind.largest} seats, not {seats}; "
            "name each of them"
        )


def _read_options(kind: Kind, options: Document, seats: Sequence[Seat]) -> Document:
    try:
        return kind.options(options, seats)
    except Impossible as wrong:
        raise Refused(f"options: {wrong}") from wrong


def _fill_seats(context: Context, seats: Mapping[Seat, str | None]) -> None:
    books, game, at = context.books, context.id, context.at
    for seat, name in seats.items():
        if name is None:
            continue
        strength = read_bot(name, context.kind)
        if strength is not None:
            begin_seating(books, game, seat, None, at=at, kind=BOT, strength=strength)
        else:
            seat_player(books, game, seat, introduce_player(books, name), context.seatings, at)


def _tell(context: Context, hosts: Sequence[str], *, start: bool) -> None:
    game, kind = context.game, context.kind
    facts = {
        "kind": game.kind,
        "seats": list(game.seats),
        "options": game.options,
        "settings": game.settings,
        "rules_digest": game.rules_digest,
        "seed_digest": digest(game.seed),
        "verifiable": game.verifiable,
    }
    context.note("new", f"{kind.title} for {len(game.seats)} seats", data=facts)
    advice = [*list_players_advice(kind, len(game.seats)), *schedule_faults(context.settings)]
    seats = find_luck_seats(
        game, context.books.seatings(game.id), None, find_hosts(context.books, hosts)
    )
    if not (game.verifiable and seats):
        new_game = replace(game, status=Status.RUNNING) if start else game
        advice.append(describe_chance(new_game, seats))
    holders = [*seat_holders(context.seatings).values()]
    troubles = (describe_unreachable(context.books, name, holders) for name in holders)
    advice += [one for one in troubles if one]
    for sentence in advice:
        context.note("advice", sentence, by="house")
