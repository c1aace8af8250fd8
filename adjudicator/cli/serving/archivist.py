"""Write archives and pages after the commit; they can be written again from the books."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.archive.dossier import Dossier, collect_dossier
from adjudicator.adapters.archive.places import CHAIN_FILE, archive_folder
from adjudicator.adapters.site.build import digest_version
from adjudicator.adapters.site.write import digest_facts, is_current
from adjudicator.cli.archives import write_full_archive
from adjudicator.cli.serving.log import describe_error
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.site import may_be_listed, update_site
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game
from adjudicator.desk.steps.advance import StepClosing

_QUIET = 3.0
"""Seconds to wait after a closing: letters go first, and several closings are written at once."""
_LOOK, _LOOK_BESIDE_OTHERS = 300.0, 60.0
"""Seconds between two looks for games that moved on at the command line, or by another daemon."""


class Archivist:
    """Writes the archives and pages of games that moved on, one after the other."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._worker = Worker("archivist")
        self._waiting: set[str] = set()
        self._site = Path(runtime.settings.site) if runtime.settings.site else None
        self._url = runtime.settings.site_url.rstrip("/")

    def closed(self, closing: StepClosing) -> None:
        """Note that a step was closed."""
        self._waiting.add(closing.game.id)

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
                    self._waiting |= await self._worker.do(self._find_behind)
            waiting, self._waiting = sorted(self._waiting), set()
            for game in waiting:
                if not runtime.stop.is_set():
                    await self._write(game)

    async def close(self) -> None:
        """Stop; a write under way may finish, or is repeated after the next closing."""
        self._worker.end()

    def _find_behind(self) -> set[str]:
        """Find the games whose archive or pages lack steps closed while nobody wrote them."""
        office = self._runtime.office
        with office.store.reading() as books:
            return {game.id for game in books.games() if self._is_behind(books, game)}

    def _is_behind(self, books: Books, game: Game) -> bool:
        place = archive_folder(self._runtime.office.home.path, game) / CHAIN_FILE
        chain = ""
        with suppress(OSError, UnicodeDecodeError):
            chain = place.read_text()
        link = books.last_link(game.id)
        if link and link.digest not in chain:
            return True
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
        office, site = self._runtime.office, self._site
        await self._try_writing(
            game, "archive", lambda: write_full_archive(office, self._collect(game))
        )
        if site is not None:
            await self._try_writing(game, "pages", lambda: self._write_pages(game, site))

    def _write_pages(self, name: str, site: Path) -> None:
        """Those of a game that everybody may know of."""
        office = self._runtime.office
        with office.store.reading() as books:
            game = books.game(name)
            dossier = collect_dossier(books, name) if may_be_listed(books, game) else None
            facts = digest_facts(books, game)
        if dossier is not None:
            update_site(office, dossier, site, url=self._url, facts=facts)

    async def _try_writing(self, game: str, what: str, work: Callable[[], object]) -> None:
        at, place = self._runtime.now(), f"{what} of {game}"
        try:
            await self._worker.do(work)
        except Exception as error:  # an archive can be written again at any time
            words = error.strerror if isinstance(error, OSError) else None
            words = words or describe_error(error)
            self._runtime.troubles.begin(place, words, self._runtime.now())
            self._waiting.add(game)
        else:
            self._runtime.troubles.end(place, at)

    def _collect(self, name: str) -> Dossier:
        with self._runtime.office.store.reading() as books:
            return collect_dossier(books, name)
