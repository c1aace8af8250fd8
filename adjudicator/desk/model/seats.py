"""Who plays which seat: the last seating of a seat counts."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Seat, digest, encode
from adjudicator.core.game import Strength
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books, Kind
from adjudicator.desk.model.values import Player, Seating

BOT = "bot"
IDLE = "idle"
PLAYER = "player"
_LONGEST = 60


def last_seatings(seatings: Iterable[Seating]) -> dict[Seat, Seating]:
    """Return the seatings that count now; untaken seats of an open game are left out."""
    return {seating.seat: seating for seating in seatings}


def current_seatings(books: Books, game: str) -> dict[Seat, Seating]:
    """Return who sits where now."""
    return last_seatings(books.seatings(game))


def find_strength(seating: Seating) -> Strength:
    """Find how well a seat's bot plays; the bots of earlier versions were easy."""
    return seating.strength or "easy"


def describe_bot(seating: Seating) -> str:
    """Name a bot to people, with its strength unless it is normal."""
    return {"easy": "an easy bot", "hard": "a hard bot"}.get(seating.strength or "", "a bot")


def read_bot(word: str, kind: Kind) -> Strength | None:
    """Read `bot` or `bot:hard` where a player's name may stand; None for anything else."""
    name, _, strength = (part.strip() for part in word.lower().partition(":"))
    return read_strength(strength, kind) if name == BOT else None


def read_strength(word: str, kind: Kind) -> Strength:
    """Read how well a bot is to play; without a word it is normal."""
    strengths: tuple[Strength, ...] = getattr(kind.rules, "strengths", ("normal",))
    for strength in strengths:
        if (word.lower() or "normal") == strength:
            return strength
    names = ", ".join(strengths)
    raise Refused(f"a bot of {kind.title} cannot be {word!r}; its strengths are {names}")


def seat_holders(seatings: Mapping[Seat, Seating]) -> dict[Seat, str]:
    """Return who plays which seat, people only."""
    return {seat: s.player for seat, s in seatings.items() if s.player and s.kind == PLAYER}


def seat_player(
    books: Books, game: str, seat: Seat, name: str, seatings: Mapping[Seat, Seating], at: datetime
) -> Seating:
    """Give a seat to a person; nobody may hold two seats in a game."""
    _check_name(name)
    for other, holder in seat_holders(seatings).items():
        if holder == name and other == seat:
            raise Refused(
                f"{game}: {name} already plays {seat}; `address` changes where letters go"
            )
        if holder == name:
            raise Refused(
                f"{game}: {name} already plays {other}; nobody may hold two seats in a game"
            )
    if books.player(name) is None:
        books.save(Player(name=name))
    return begin_seating(books, game, seat, seatings.get(seat), at=at, kind=PLAYER, player=name)


def _check_name(name: str) -> None:
    """Require a name of one line of printable characters: it appears in letters and terminals."""
    if not name.isprintable() or name != " ".join(name.split()) or not 0 < len(name) <= _LONGEST:
        raise Refused(
            f"a player's name, {name[:_LONGEST]!r}: it must be one line of 1 to {_LONGEST} signs "
            "that can be printed"
        )


def begin_seating(
    books: Books,
    game: str,
    seat: Seat,
    before: Seating | None,
    *,
    at: datetime,
    kind: str,
    player: str | None = None,
    strength: Strength | None = None,
) -> Seating:
    """End the old seating and begin the next; old keys are void from now on."""
    number = before.number + 1 if before else 1
    if before:
        books.save(replace(before, until=at))
    seating = Seating(
        game=game,
        seat=seat,
        number=number,
        kind=kind,
        player=player,
        strength=strength,
        since=at,
    )
    books.save(seating)
    own = books.game(game)
    books.save(replace(own, roster={**own.roster, **bind_seats([seat], {seat: seating})}))
    return seating


def bind_seats(seats: Iterable[Seat], seatings: Mapping[Seat, Seating]) -> dict[Seat, str]:
    """Digest who plays each of these seats, which only its next seating changes."""
    bound = {}
    for seat in seats:
        if (own := seatings.get(seat)) is not None:
            bound[seat] = digest(encode([own.number, own.kind, own.player, own.strength]))
    return bound


def change_seating(books: Books, seating: Seating, **changes: Any) -> Seating:
    """Change a seating and save it."""
    new_seating = replace(seating, **changes)
    books.save(new_seating)
    return new_seating
