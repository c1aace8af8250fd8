"""Archives, written after the commit: the books are the truth, and this may be done again."""

from adjudicator.adapters import archive
from adjudicator.adapters.archive import Texts
from adjudicator.adapters.data import folder
from adjudicator.cli.serving.logs import where
from adjudicator.cli.serving.shift import Shift
from adjudicator.cli.serving.worker import Worker
from adjudicator.desk.closing import Closing
from adjudicator.desk.errors import Refused

_QUIET = 3.0
"""Seconds after a closing: letters go first, and several closings are one writing."""


class Archivist:
    """Writes the archives of games that moved on, one after the other."""

    def __init__(self, shift: Shift) -> None:
        self._shift = shift
        self._worker = Worker("archivist")
        self._waiting: set[str] = set()

    def closed(self, closing: Closing) -> None:
        """A step was closed."""
        self._waiting.add(closing.game.id)

    async def run(self) -> None:
        """Until everything stops."""
        while not self._shift.stop.is_set():
            await self._shift.pause(_QUIET)
            waiting, self._waiting = sorted(self._waiting), set()
            for game in waiting:
                await self._write(game)

    async def close(self) -> None:
        """What is being written may end, or be written again after the next closing."""
        self._worker.end()

    async def _write(self, game: str) -> None:
        place = f"archive of {game}"
        at = self._shift.now()
        try:
            await self._worker.do(lambda: self._written(game))
        except Refused as refused:
            self._failed(game, place, str(refused))
        except Exception as error:  # an archive can be written again at any time
            words = error.strerror if isinstance(error, OSError) else None
            self._failed(game, place, words or where(error))
        else:
            self._shift.troubles.end(place, at)

    def _failed(self, game: str, place: str, words: str) -> None:
        self._shift.troubles.begin(place, words, self._shift.now())
        self._waiting.add(game)

    def _written(self, name: str) -> None:
        office = self._shift.office
        with office.store.reading() as books:
            game = books.game(name)
            dossier = archive.dossier_of(books, name)
        render = Texts(office.printer, [folder("templates")], office.library.kind(game.kind).game)
        place = archive.folder(office.home.path, game)
        archive.write(place, archive.pack(dossier, render, public=False))
