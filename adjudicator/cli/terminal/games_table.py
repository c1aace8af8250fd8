"""The table of games: progress, who is late, time left."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

import click

from adjudicator.cli.terminal.output import make_inert
from adjudicator.desk.model.values import Status

_GAP = "  "
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


def format_left(duration: timedelta) -> str:
    """Format a length of time in its two largest units: 2d 4h, 3h 05m, 12m."""
    minutes = duration // timedelta(minutes=1)
    if duration >= _DAY:
        return f"{duration // _DAY}d {duration % _DAY // _HOUR}h"
    return f"{duration // _HOUR}h {minutes % 60:02}m" if duration >= _HOUR else f"{minutes}m"


def describe_time(game: Mapping[str, Any], at: datetime) -> str:
    """Format how much time is left: 2d 4h, OVERDUE 3h, PAUSED; a dash if there is no deadline."""
    if game["status"] == Status.PAUSED:
        return "PAUSED"
    if not game["deadline"]:
        return "-"
    time_left = datetime.fromisoformat(game["deadline"]["at"]) - at
    return (
        format_left(time_left)
        if time_left >= timedelta()
        else f"OVERDUE {format_left(-time_left).split()[0]}"
    )


def _choose_colour(game: Mapping[str, Any], at: datetime) -> str | None:
    """Choose the colour of a game's line: red for trouble, cyan if the GM must act."""
    if game["status"] == Status.OVER:
        return "bright_black"
    if game["rules_changed"] or describe_time(game, at).startswith("OVERDUE"):
        return "red"
    if game["status"] == Status.PAUSED:
        return "yellow"
    return "cyan" if game["for_gm"] else None


def describe_changed(names: Sequence[str]) -> str | None:
    """Describe in one sentence all games whose rules have changed."""
    if not names:
        return None
    return (
        f"The rules have changed under {', '.join(names)}: no step closes, and letters wait in "
        "the postbox. `adjudicator accept GAME --dry-run` shows what differs. Accept that, or go "
        "back to the earlier program."
    )


def word_pages(number: int, of: int) -> str:
    """Word which page is shown, and how to see another."""
    return f"Page {number} of {of}; another one: adjudicator games --page NUMBER"


def describe_received(game: Mapping[str, Any]) -> str:
    """Count the orders received of those due: 3/5."""
    return f"{game['received']}/{game['due']}" if game["step"] else "-"


def describe_wait(game: Mapping[str, Any]) -> str:
    """Describe whom a game waits for: orders, or players before it begins."""
    if game["status"] == Status.OVER:
        return "-"
    if game["rules_changed"]:
        return "the GM, to accept changed rules"
    if game["status"] == Status.OPEN:
        return f"players for {', '.join(game['free'])}" if game["free"] else "the GM, to start it"
    if game["waits"]:
        return ", ".join(_add_reason(seat, why) for seat, why in game["waits"].items())
    return "the GM, to close it" if game["for_gm"] else "nobody"


def _add_reason(seat: str, why: str) -> str:
    """Name the seat, with the reason it is waited for unless its orders are simply missing."""
    return seat if why.startswith("no orders") else f"{seat} ({why})"


_NARROWINGS: Sequence[tuple[str, Literal["words", "cut", "drop"], int]] = (
    ("deadline", "words", 5),
    ("waits for", "cut", 20),
    ("deadline", "words", 3),
    ("waits for", "cut", 12),
    ("kind", "cut", 8),
    ("game", "cut", 12),
    ("deadline", "drop", 0),
    ("kind", "drop", 0),
    ("game", "cut", 8),
    ("waits for", "cut", 6),
    ("turn", "drop", 0),
    ("step", "cut", 4),
    ("game", "cut", 4),
)
"""What gives way when a line is too long, in this order: a column keeps so many words of each cell,
is cut, but no further than to so many signs, or is dropped."""


def format_games(games: Iterable[Mapping[str, Any]], *, at: datetime, width: int) -> str:
    """Format the games under headings, one line each, then damaged ones with the way out."""
    every = tuple(games)
    lines = [game for game in every if not game.get("trouble")]
    damaged = [_describe_trouble(game) for game in every if game.get("trouble")]
    if not lines:
        return "\n".join(damaged)
    columns = {
        head: [head, *(make_inert(tell(game)) for game in lines)]
        for head, tell in _list_columns(at).items()
    }
    for head, how, number in _NARROWINGS:
        over = sum(map(_measure_width, columns.values())) + len(_GAP) * (len(columns) - 1) - width
        if over <= 0:
            break
        if how == "drop":
            del columns[head]
        elif how == "words":
            columns[head] = [" ".join(c.split()[:number]).rstrip(",") for c in columns[head]]
        else:
            room = max(number, _measure_width(columns[head]) - over)
            columns[head] = [_cut_off(cell, room) for cell in columns[head]]
    padded = [[cell.ljust(_measure_width(cells)) for cell in cells] for cells in columns.values()]
    heads, *rows = (_GAP.join(row).rstrip()[:width] for row in zip(*padded, strict=True))
    lines_of_games = [
        click.style(row, fg=_choose_colour(game, at)) for game, row in zip(lines, rows, strict=True)
    ]
    return "\n".join([click.style(heads, bold=True), *lines_of_games, *damaged])


def _describe_trouble(game: Mapping[str, Any]) -> str:
    """Describe the trouble of a damaged game and the way out, on a line of any length."""
    message, command = game["trouble"]["message"], game["trouble"]["command"]
    way_out = f": {shlex.join(('adjudicator', *command))}" if command else ""
    return click.style(make_inert(f"{game['id']}{_GAP}{message}{way_out}"), fg="red")


def _measure_width(cells: Iterable[str]) -> int:
    return max(map(len, cells))


def _cut_off(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1].rstrip(" ,") + "\u2026"


def _list_columns(at: datetime) -> Mapping[str, Callable[[Mapping[str, Any]], str]]:
    return {
        "game": lambda game: str(game["id"]),
        "kind": lambda game: str(game["kind"]),
        "turn": lambda game: (game["turn"] or "-").rpartition(" ")[2],
        "step": lambda game: str(game["step"] or game["status"]),
        "in": describe_received,
        "left": lambda game: describe_time(game, at),
        "waits for": describe_wait,
        "deadline": lambda game: game["deadline"]["text"] if game["deadline"] else "-",
    }
