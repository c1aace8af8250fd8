"""Arguments that a shell can complete: games, their seats, kinds. A fault completes to nothing."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

import click

from adjudicator.desk.errors import Refused

F = TypeVar("F", bound=Callable[..., Any])


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


def game_argument(command: F) -> F:
    """GAME, completed by the home's games."""
    return click.argument("game", shell_complete=complete_games)(command)


def seat_argument(command: F) -> F:
    """SEAT, completed by the game's seats."""
    return click.argument("seat", shell_complete=_seats)(command)
