"""The overview of all games: a line each, the earliest deadline first."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from math import ceil

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Damaged, Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.screens import describe_progress, has_changed_rules

DAMAGED = "damaged"
"""The status in the list of a game that cannot be read."""
PAGE = 50
"""So many games stand on a page of the overview."""


class GamesPage(Struct, frozen=True, kw_only=True):
    """A page of the overview, and what is said beside it of the games of all pages."""

    games: Sequence[Document]
    """As in list_games."""
    number: int
    of: int
    """How many pages there are."""
    total: int
    """How many games there are, those left out as well."""
    changed: Sequence[str]
    """The games whose rules have changed."""


def list_games(books: Books, library: Library) -> tuple[Document, ...]:
    """List the games, the earliest deadline first, finished games last.

    [{id, kind, title, status, archived, step, turn, deadline, due, received, seats, free, missing,
    waits, for_gm, rules_changed, trouble}]

    deadline is {at, zone, text} in the game's zone, or null; due and received count the seats that
    owe orders in the open step; waits is {seat: reason} of those that keep it open, as `close`
    says it; for_gm: the game waits for nobody but the GM. trouble is {message, command} of a
    damaged game: what is wrong, and the command that says more; null for all others.
    """
    lines = [_line_or_trouble(books, library, game) for game in books.game_names()]
    return tuple(sorted(lines, key=_rank_urgency))


def _rank_urgency(line: Document) -> tuple[bool, str, str]:
    deadline = line["deadline"]
    at = datetime.fromisoformat(deadline["at"]).astimezone(UTC).isoformat() if deadline else "none"
    return line["status"] == Status.OVER, at, line["id"]


def page_games(
    books: Books, library: Library, *, number: int = 1, every: bool = False
) -> GamesPage:
    """Look into the games of one page; without `every` finished and archived ones are left out."""
    count = books.count_games(every=every)
    names = books.urgent_names(every=every, skip=(number - 1) * PAGE, most=PAGE)
    lines = [_line_or_trouble(books, library, game) for game in names]
    changed_ids = [line["id"] for line in lines if line["rules_changed"]]
    if count > len(names):
        others = _find_changed_games(books, library)
        changed_ids += [game for game in others if game not in names]
    return GamesPage(
        games=lines,
        number=number,
        of=max(1, ceil(count / PAGE)),
        total=books.count_games(every=True),
        changed=changed_ids,
    )


def _find_changed_games(books: Books, library: Library) -> Sequence[str]:
    """Find the games whose rules have changed, without looking into the others.

    What is wrong with a game that cannot be read is said in its own line.
    """
    games: list[str] = []
    for kind, own, digest in books.rules_played():
        with suppress(Refused):
            games += books.games_under(digest) if library.kind(kind, own).digest != digest else ()
    names: list[str] = []
    for game in sorted(games):
        with suppress(Refused, Damaged):
            names += [game] if has_changed_rules(Context(books, library, game)) else []
    return names


def _line_or_trouble(books: Books, library: Library, game: str) -> Document:
    """Describe a game in a line, or its trouble: an unreadable game does not hide the others."""
    try:
        return _make_line(Context(books, library, game))
    except (Refused, Damaged) as wrong:
        way_out = getattr(wrong, "suggest", None)
        nothing = dict.fromkeys(("kind", "title", "step", "turn", "deadline"))
        return {
            "id": game,
            **nothing,
            "status": DAMAGED,
            "archived": False,
            "due": 0,
            "received": 0,
            "waits": {},
            "free": [],
            "for_gm": True,
            "rules_changed": False,
            "seats": [],
            "missing": [],
            "trouble": {
                "message": str(wrong).removeprefix(f"{game}: "),
                "command": [way_out.command, way_out.game, *way_out.words] if way_out else [],
            },
        }


def _make_line(context: Context) -> Document:
    stand = context.standings if context.game.open_step is not None else ()
    return {
        **context.names,
        "status": str(context.game.status),
        "archived": context.game.archived is not None,
        **describe_progress(context),
        "seats": list(context.game.seats),
        "missing": [one.seat for one in stand if not one.is_in],
        "trouble": None,
    }
