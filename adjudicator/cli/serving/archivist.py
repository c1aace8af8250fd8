"""Write archives and pages after the commit; they can be written again from the books."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

from adjudicator.adapters.archive.places import CHAIN_FILE, archive_folder
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.site.build import digest_version
from adjudicator.adapters.site.write import digest_facts, has_games, is_current, write_front
from adjudicator.cli.archives import update_own_archive
from adjudicator.cli.serving.log import describe_error
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.site import may_be_listed, update_game
from adjudicator.desk.model.errors import Damaged, Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game
from adjudicator.desk.steps.advance import StepClosing

_QUIET = 3.0
"""Seconds to wait after a closing: letters go first, and several closings are written at once."""
_PATIENCE = 300.0
"""Seconds that a game waits for letters of others at most: some queues never end."""
_BREATH = 3.0
"""Times what it took to write a game, until the next one is written while letters still wait."""
_LOOK, _LOOK_BESIDE_OTHERS = 300.0, 60.0
"""Seconds between two looks for games that moved on at the command line, or by another daemon."""
_IN_TURN = 100
"""Games at which each look looks in turn, whatever happened in them."""
_OVERLAP = timedelta(minutes=10)
"""So far back from the last look a step counts as new: an act may take its time."""
_REST = 20.0
"""Times what it took to write the front of the site, until it is written again: it is made of all
games, however few moved on."""


class Archivist:
    """Writes the archives and pages of games that moved on, one after the other."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._worker = Worker("archivist")
        self._waiting: dict[str, float] = {}
        """The games, in the order in which they moved on, and since when each waits."""
        self._failed: set[str] = set()
        self._next_among_letters = 0.0
        self._last_look: datetime | None = None
        self._last_in_turn = ""
        self._site = Path(runtime.settings.site) if runtime.settings.site else None
        self._url = runtime.settings.site_url.rstrip("/")
        # perhaps the last daemon stopped before it was written again
        self._is_front_behind = self._site is not None and has_games(self._site)
        self._next_front = 0.0

    def note_closing(self, closing: StepClosing) -> None:
        """Note that a step was closed."""
        self._note([closing.game.id])

    def _note(self, games: Iterable[str]) -> None:
        for game in games:
            self._waiting.setdefault(game, time.monotonic())

    async def run(self) -> None:
        """Write archives and pages until everything stops."""
        runtime = self._runtime
        pause = _LOOK_BESIDE_OTHERS if runtime.office.store.is_shared else _LOOK
        next_look = 0.0
        while not runtime.stop.is_set():
            await runtime.pause(_QUIET)
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + pause
                with suppress(Exception):  # the next look may see more
                    behind = await self._worker.do(self._find_behind)
                    self._note(sorted(behind, key=self._rank_game))
            self._note(sorted(self._failed))
            self._failed.clear()
            while self._waiting and not runtime.stop.is_set():
                await self._write_next()
            await self._write_front()

    async def _write_next(self) -> None:
        """Write the game that has waited longest, once letters leave the time for it."""
        runtime = self._runtime
        game, since = next(iter(self._waiting.items()))
        end = max(since + _PATIENCE, self._next_among_letters)
        await runtime.let_letters_pass(end - time.monotonic())
        if runtime.stop.is_set():
            return
        del self._waiting[game]
        began = time.monotonic()
        await self._write(game)
        self._next_among_letters = time.monotonic() + _BREATH * (time.monotonic() - began)
        await self._write_front()

    async def close(self) -> None:
        """Stop; a write under way may finish, or is repeated after the next closing."""
        self._worker.end()

    def _find_behind(self) -> list[str]:
        """Find the games whose archive or pages lack steps closed while nobody wrote them.

        The first look is at all games, the others at those that moved on, and at a few of all
        the others in turn.
        """
        office, at, last = self._runtime.office, self._runtime.now(), self._last_look
        with office.store.reading() as books:
            if last is None:
                names = books.game_names()
            else:
                names = books.game_names(self._last_in_turn, _IN_TURN)
                self._last_in_turn = names[-1] if len(names) == _IN_TURN else ""
                names = sorted({*names, *books.games_moved(last - _OVERLAP)})
            behind = [name for name in names if self._is_behind(books, name)]
        self._last_look = at
        return behind

    def _is_behind(self, books: Books, name: str) -> bool:
        """Whether a game's archive or pages lack something; the clock reports unreadable games."""
        try:
            return self._lacks_something(books, books.game(name))
        except (Damaged, Refused):
            return False

    def _rank_game(self, game: str) -> str:
        """Rank a game in an order of this daemon's own: no two write the same one at a time."""
        return sha256(f"{self._runtime.owner} {game}".encode()).hexdigest()

    def _lacks_something(self, books: Books, game: Game) -> bool:
        return self._is_archive_behind(books, game) or self._are_pages_behind(books, game)

    def _is_archive_behind(self, books: Books, game: Game) -> bool:
        place = archive_folder(self._runtime.office.home.path, game) / CHAIN_FILE
        chain = ""
        with suppress(OSError, UnicodeDecodeError):
            chain = place.read_text()
        link = books.last_link(game.id)
        return link is not None and link.digest not in chain

    def _are_pages_behind(self, books: Books, game: Game) -> bool:
        if self._site is None or not may_be_listed(books, game):
            return False
        version = digest_version(
            tuple(self._runtime.office.library.templates()),
            self._runtime.office.library.kind(game.kind),
            self._url,
        )
        facts = digest_facts(books, game)
        return not is_current(self._site, f"{game.kind}/{game.id}", facts, version)

    async def _write(self, game: str) -> None:
        """Write archive and pages; failures are reported and retried."""
        site = self._site
        is_written = await self._try_writing(
            f"archive of {game}", partial(self._write_archive, game)
        )
        if site is not None:
            is_written &= await self._try_writing(
                f"pages of {game}", partial(self._write_pages, game, site)
            )
        if not is_written:
            self._failed.add(game)

    def _write_archive(self, name: str) -> None:
        """Write a game's archive, unless another daemon has done so while it waited."""
        office = self._runtime.office
        with office.store.reading() as books:
            if not self._is_archive_behind(books, books.game(name)):
                return
            dossier = collect_dossier(books, name)
        update_own_archive(office, dossier)

    def _write_pages(self, name: str, site: Path) -> None:
        """Write the pages of a game that everybody may know of, unless another daemon has."""
        office = self._runtime.office
        with office.store.reading() as books:
            game = books.game(name)
            if not self._are_pages_behind(books, game):
                return
            dossier, facts = collect_dossier(books, name), digest_facts(books, game)
        update_game(office, dossier, site, url=self._url, facts=facts)
        self._is_front_behind = True

    async def _write_front(self) -> None:
        """Write what lies above the pages of games, unless that was just done."""
        site, began = self._site, time.monotonic()
        if site is None or not self._is_front_behind or began < self._next_front:
            return
        self._is_front_behind = False
        work = partial(write_front, site, self._runtime.office.printer, self._url)
        if not await self._try_writing("front of the site", work):
            self._is_front_behind = True
        self._next_front = time.monotonic() + _REST * (time.monotonic() - began)

    async def _try_writing(self, place: str, work: Callable[[], object]) -> bool:
        at = self._runtime.now()
        try:
            await self._worker.do(work)
        except Exception as error:  # an archive can be written again at any time
            words = error.strerror if isinstance(error, OSError) else None
            words = words or describe_error(error)
            self._runtime.troubles.begin(place, words, self._runtime.now())
            return False
        self._runtime.troubles.end(place, at)
        return True
