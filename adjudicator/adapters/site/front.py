"""What lies at the top of a site: the games page by page, the league, everybody's own page, feeds.

It is made from the sheets of the games alone, so that a thousand of them are soon listed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from adjudicator.adapters.render.order_page import FOLDER, list_pages, render_order_page
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.feeds import FEED_FILE, render_feed
from adjudicator.adapters.site.sheet import GameSheet
from adjudicator.core.document import Document, Seat, digest, encode
from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.ratings import (
    RATING_COLUMNS,
    Ended,
    format_rating,
    list_ratings,
)

_ORDER = (Status.RUNNING, Status.PAUSED, Status.OPEN, Status.OVER)
_SITE = "site"
_CARDS = 48
"""On a page of the list of games."""
_MET = 12
_LAST = 10
_PLAYED = 200
"""Games on somebody's page; bots play many more."""
_PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 40
_ALL = "All games"
LISTS = ("games", "players")
"""Folders whose pages come and go."""
_Row = tuple[object, ...]
"""Of a table."""


class PageLink(Struct, frozen=True):
    """A cell of a table that leads to another page."""

    text: str
    file: str


def render_front(printer: Printer, sheets: Iterable[GameSheet], url: str = "") -> dict[str, bytes]:
    """Render the files at the top of a site: running games first, then the newest."""
    by_age = sorted(sheets, key=lambda one: (one.created, one.kind, one.id), reverse=True)
    games = sorted(by_age, key=lambda one: _ORDER.index(Status(one.status)))
    return {
        **{f"{FOLDER}/{one}.html": render_order_page(printer, one) for one in list_pages(printer)},
        **dict(_render_lists(printer, games)),
        **dict(_render_people(printer, games)),
        FEED_FILE: render_feed(printer, games, url),
        "site.css": printer.text("site.css", {}, _SITE).encode(),
        "site.js": printer.text("site.js", {}, _SITE).encode(),
        "icon.svg": printer.picture("icon.svg", {}, _SITE).encode(),
    }


# the games


def _render_lists(printer: Printer, games: Sequence[GameSheet]) -> Iterator[tuple[str, bytes]]:
    """Render the pages of the list, and all cards again as a script that the search looks at."""
    cards = [_render_card(printer, game) for game in games]
    chunks = [cards[at : at + _CARDS] for at in range(0, len(cards), _CARDS)] or [[]]
    facts: Document = {
        "count": len(games),
        "pages": len(chunks),
        "kinds": sorted({(game.kind, game.title) for game in games}),
        "states": list(dict.fromkeys(game.state for game in games)),
    }
    for number, chunk in enumerate(chunks, 1):
        file = "index.html" if number == 1 else f"games/{number}.html"
        page_cards = [_move_down(card) for card in chunk] if number > 1 else chunk
        own_facts = {**facts, "number": number, "cards": page_cards}
        yield file, printer.page("index.html", own_facts, _SITE).encode()
    entries = [
        [game.words, game.kind, game.state, card] for game, card in zip(games, cards, strict=True)
    ]
    yield "games.js", b'"use strict";\nconst GAMES = ' + encode(entries) + b";\n"


def _render_card(printer: Printer, game: GameSheet) -> str:
    ranks = sorted((game.score or ("", {}))[1].items(), key=lambda one: (-one[1], one[0]))
    won = game.winners or ()
    ranks.sort(key=lambda one: one[0] not in won)
    return printer.page("card.html", {"game": game, "ranks": ranks}, _SITE).strip()


def _move_down(card: str) -> str:
    """Make the links of a card lead from a folder below the top."""
    return card.replace(' href="', ' href="../').replace(' src="', ' src="../')


# the people


def _render_people(printer: Printer, games: Sequence[GameSheet]) -> Iterator[tuple[str, bytes]]:
    """Render the league, and a page of everybody who is named in it."""
    tables = dict(_list_tables(games))
    names = [str(row["name"]) for row in tables.get(_ALL, [])]
    files = {name: f"players/{_make_slug(name)}.html" for name in names}
    past_games = sorted((game for game in games if game.ended), key=_find_end, reverse=True)
    links = {name: PageLink(name, file) for name, file in files.items()}
    facts = {
        "tables": [(title, RATING_COLUMNS, _format(rows, links)) for title, rows in tables.items()],
        "met": _compare([links[one] for one in names[:_MET]], past_games),
        "last": [{"game": one, "day": _name_day(one)} for one in past_games[:_LAST]],
    }
    yield "league.html", printer.page("league.html", facts, _SITE).encode()
    own: dict[str, list[_Row]] = {name: [] for name in names}
    for title, rows in tables.items():
        for row in rows:
            own[str(row["name"])].append((title, *format_rating(row)[1:]))
    past_rows, current_rows = _group_played(past_games), _group_playing(games)
    for name in names:
        own_facts = {
            "name": name,
            "columns": ("games of", *RATING_COLUMNS[1:]),
            "ratings": own[name],
            "played": past_rows.get(name, []),
            "most": _PLAYED,
            "playing": current_rows.get(name, []),
        }
        yield files[name], printer.page("person.html", own_facts, _SITE).encode()


def _find_end(game: GameSheet) -> tuple[str, str]:
    assert game.ended is not None
    return game.ended.at.isoformat(), game.id


def _name_day(game: GameSheet) -> str:
    assert game.ended is not None
    return f"{game.ended.at:%d %b %Y}".lstrip("0")


def _format(rows: Iterable[Document], links: Mapping[str, PageLink]) -> list[_Row]:
    return [(links[str(row["name"])], *format_rating(row)[1:]) for row in rows]


def _list_tables(games: Iterable[GameSheet]) -> Iterator[tuple[str, list[Document]]]:
    """List the tables of players: one over all games, and one for each of several kinds."""
    groups: dict[str, list[Ended]] = {_ALL: []}
    for sheet in sorted(games, key=lambda one: one.kind):
        if sheet.ended is not None:
            groups[_ALL].append(sheet.ended)
            groups.setdefault(sheet.title, []).append(sheet.ended)
    for title, results in list(groups.items())[: 1 if len(groups) == 2 else None]:
        rows = list_ratings(results)
        if rows:
            yield title, rows


def _compare(people: Sequence[PageLink], games: Iterable[GameSheet]) -> Document | None:
    """Count for any two of these in how many games one finished before the other, of how many."""
    names = [one.text for one in people]
    before: dict[tuple[str, str], int] = {}
    counts: dict[tuple[str, str], int] = {}
    for game in games:
        assert game.ended is not None
        for one, other in combinations(game.ended.results, 2):
            for here, there in ((one, other), (other, one)):
                pair = here.name, there.name
                counts[pair] = counts.get(pair, 0) + 1
                before[pair] = before.get(pair, 0) + (here.rank < there.rank)
    rows = [[one, *(_score(before, counts, one.text, other) for other in names)] for one in people]
    return {"names": names, "rows": rows} if len(names) > 1 else None


def _score(
    before: Mapping[tuple[str, str], int],
    counts: Mapping[tuple[str, str], int],
    one: str,
    other: str,
) -> str:
    """Word how often one finished before the other; a name that holds two seats is a bot's."""
    pair = one, other
    return f"{before[pair]} of {counts[pair]}" if one != other and pair in counts else ""


def _group_played(past_games: Iterable[GameSheet]) -> dict[str, list[_Row]]:
    """Group what games that are over came to by who played them: the first of each."""
    rows_by_name: dict[str, list[_Row]] = {}
    for game in past_games:
        assert game.ended is not None
        people = len(game.ended.results)
        for one in game.ended.results:
            about = (_link_game(game), game.title, one.seat)
            row = (*about, one.rank, people, one.missed, _name_day(game))
            rows = rows_by_name.setdefault(one.name, [])
            rows += [row] if len(rows) < _PLAYED else []
    return rows_by_name


def _group_playing(games: Iterable[GameSheet]) -> dict[str, list[_Row]]:
    """Group the games that go on by who holds seats in them, with these seats."""
    rows_by_name: dict[str, list[_Row]] = {}
    for game in games:
        if game.status != Status.OVER:
            seats: dict[str, list[Seat]] = {}
            for seat in game.seats:
                if holders := game.players.get(seat):
                    seats.setdefault(holders[-1], []).append(seat)
            for name, own in seats.items():
                row = (_link_game(game), game.title, ", ".join(own), game.turn)
                rows_by_name.setdefault(name, []).append(row)
    return rows_by_name


def _link_game(game: GameSheet) -> PageLink:
    """Link to a game from somebody's page; games of two kinds may have one name."""
    return PageLink(game.id, f"../{game.kind}/{game.id}/index.html")


def _make_slug(name: str) -> str:
    """Make a name for a file of somebody's name; no two people have the same."""
    if _PLAIN.fullmatch(name) and len(name) <= _LONGEST:
        return name
    plain = _OTHER.sub("-", name.lower()).strip("-")[:_LONGEST]
    return f"{plain or 'player'}-{digest(name.encode())[:8]}"
