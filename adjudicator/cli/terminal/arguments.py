"""What a GM names: games, seats, steps, kinds and files, found here and completed by the shell."""

import codecs
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from adjudicator.core.names import match, match_exactly, suggest
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.ports import Books, Kind, Library
from adjudicator.desk.model.values import Game


def suggest_name(text: str, names: Iterable[str]) -> str:
    """` Did you mean "ember"?`, or nothing."""
    nearest = suggest(text, names)
    return f' Did you mean "{nearest}"?' if nearest else ""


def _listed(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def find_game(books: Books, text: str) -> Game:
    """The game of exactly this id."""
    try:
        return books.game(text)
    except Unknown:
        ids = [game.id for game in books.games()]
    if not ids:
        raise Unknown(f'there is no game "{text}"; there are none yet: adjudicator new')
    hint = suggest_name(text, ids) or f" The games are {_listed(ids)}."
    raise Unknown(f'there is no game "{text}".{hint}')


def find_seat(game: Game, text: str) -> str:
    """The seat of the game that is meant, to look at: an unambiguous beginning is enough."""
    return _seat(game, text, match(text, game.seats))


def find_exact_seat(game: Game, text: str) -> str:
    """The seat of the game that is named in full: something is done to it."""
    return _seat(game, text, match_exactly(text, game.seats))


def _seat(game: Game, text: str, found: str | None) -> str:
    if found is None:
        hint = suggest_name(text, game.seats) or f" Its seats are {', '.join(game.seats)}."
        raise Unknown(f'{game.id} has no seat "{text}".{hint}')
    return found


def find_named_step(books: Books, game: Game, text: str) -> str:
    """The step of the game that is meant: by name, or by number."""
    names = [step.name for step in books.steps(game.id)]
    wanted = text.lstrip("0") if text.isdigit() else text
    for name in names:
        if name == text or name.split("-")[0] == (wanted or "0"):
            return name
    hint = suggest_name(text, names) or f" The last ones are {', '.join(names[-4:])}."
    raise Unknown(f'{game.id} has no step "{text}".{hint if names else " It has none yet."}')


def find_kind(library: Library, text: str) -> Kind:
    """The kind of game that is meant; an unambiguous beginning is enough."""
    kinds = library.kinds()
    found = match(text, kinds)
    if found is None:
        hint = suggest_name(text, kinds) or f" The kinds are {', '.join(kinds)}."
        raise Unknown(f'there is no kind of game "{text}".{hint}')
    return library.kind(found)


_F = TypeVar("_F", bound=Callable[..., Any])


def _home(ctx: click.Context) -> str | None:
    here = ctx.params.get("home")
    home: str | None = here or ctx.find_root().params.get("home")
    return home


def complete_games(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The ids of the home's games."""
    return _beginning(incomplete, _told(ctx, None))


def _seats(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return _beginning(incomplete, _told(ctx, ctx.params.get("game")))


def _beginning(text: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(text)]


def _told(ctx: click.Context, game: str | None) -> list[str]:
    """The ids of all games, or the seats of one."""
    from adjudicator.cli.wiring import Office

    office = Office(_home(ctx))
    found: list[str] = []
    with suppress(Refused, OSError):
        with office.reading() as books:
            found = [one.id for one in books.games()] if game is None else [*books.game(game).seats]
        office.close()
    return found


def game_argument(command: _F) -> _F:
    """GAME, completed by the home's games."""
    return click.argument("game", shell_complete=complete_games)(command)


def seat_argument(command: _F) -> _F:
    """SEAT, completed by the game's seats."""
    return click.argument("seat", shell_complete=_seats)(command)


_MOST = 1024 * 1024


def read_text_file(file: str, what: str) -> str:
    """The text in the file (- is standard input) that should be of this sort: an order form."""
    if file == "-":
        name, content = "standard input", sys.stdin.buffer.read(_MOST + 1)
    else:
        name = file
        with Path(file).open("rb") as stream:
            content = stream.read(_MOST + 1)
    if len(content) > _MOST:
        raise Refused(f"{name}: longer than 1 MB, which is no {what}; look what it is")
    return decode_file(content)


def decode_file(content: bytes) -> str:
    """The text in these bytes, a byte order mark or not."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as Windows may save it
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
