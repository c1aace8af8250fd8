"""The games as played that lie in games/ as records, played again and written out for tests."""

import atexit
import fcntl
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from adjudicator.adapters.archive.folder import load_archive, write_archive
from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.places import (
    GAME_FILE,
    SAMPLE_FOLDER,
    part_path,
    step_folder,
)
from adjudicator.adapters.archive.rebuild import rebuild_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import Document, decode
from adjudicator.desk.model.ports import Kind

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = FolderLibrary()


def list_records() -> list[Path]:
    """The records in the repository; a GM's own games may lie beside them."""
    found = [path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"games/*/*/{GAME_FILE}")]
    if (ROOT / ".git").exists():
        command = ["git", "-c", "safe.directory=*", "ls-files", f"games/*/*/{GAME_FILE}"]
        tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found = [path for path in tracked.stdout.splitlines() if (ROOT / path).is_file()]
    return sorted((ROOT / path).parent for path in found)


@cache
def play_again(folder: Path) -> Dossier:
    """The game of a record with everything that happened in it."""
    return rebuild_archive(load_archive(folder), LIBRARY).dossier


_PLACE = "TESTS_UNPACKED"


@cache
def share_unpacked() -> Path:
    """Where games are unpacked, each of them once, by this process and all that it starts."""
    if _PLACE not in os.environ:
        place = TemporaryDirectory(prefix="unpacked-")
        atexit.register(place.cleanup)
        os.environ[_PLACE] = place.name
    return Path(os.environ[_PLACE])


@cache
def unpack_game(name: str) -> Path:
    """A full archive of a game as played, but for its texts and pictures; not to be changed."""
    place = share_unpacked()
    (record,) = (folder for folder in list_records() if folder.name == name)
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / name).exists():
            dossier = play_again(record)
            kind = LIBRARY.kind(dossier.record.game.kind)
            part = place / f"{name}.part"
            write_archive(part, pack_archive(dossier, _Plain(kind), public=True))
            part.rename(place / name)
    return place / name


def list_reports(papers: str, kind: str = "") -> Iterator[Document]:
    """The reports that have such paths in the archives of the games as played, or of a kind."""
    for record in list_records():
        if not kind or f"\nkind: {kind}\n" in (record / GAME_FILE).read_text(encoding="utf-8"):
            for path in sorted(unpack_game(record.name).glob(papers)):
                yield decode(path.read_bytes())


class Moment(NamedTuple):
    """One of so many moments of a game as played, evenly from its begin to its end."""

    game: str
    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.game}-{self.number}"

    def read(self, papers: str) -> Document:
        """The report of that moment among those that have such paths in the game's archive."""
        found = sorted(unpack_game(self.game).glob(papers))
        place = self.number * (len(found) - 1) // (self.of - 1)
        document: Document = decode(found[place].read_bytes())
        return document


def list_moments(of: int) -> list[Moment]:
    """So many moments of each game as played."""
    return [Moment(one.name, number, of) for one in list_records() for number in range(of)]


class _Plain:
    """Archives of documents alone."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __call__(
        self, document: Document, above: Mapping[str, bytes] | None = None
    ) -> Mapping[str, bytes]:
        return {}


def render_sample(folder: Path) -> dict[str, bytes]:
    """The sample of a record: the middle step as everybody and its first seat read it."""
    record = play_again(folder).record
    closed = [step for step in record.steps if step.state is not None and not step.void]
    step = closed[len(closed) // 2]
    kind = LIBRARY.kind(record.game.kind, record.game.components)
    texts = Texts(Printer(LIBRARY.templates()), kind)
    found = {paper.seat: paper for paper in record.papers if paper.step == step.number}
    seat = next(seat for seat in record.game.seats if seat in found)
    files: dict[str, bytes] = {}
    above: Mapping[str, bytes] = {}
    for reader in (None, seat):
        made = texts(decode(found[reader].document), above)
        place = part_path(step, "report", reader).removesuffix("report.json")
        inner = place.removeprefix(f"{step_folder(step)}/")
        files |= {f"{SAMPLE_FOLDER}/{inner}{name}": content for name, content in made.items()}
        above = made
    return files


def render_samples(folders: Iterable[Path]) -> None:
    """Write the samples of records anew; the games stay as they are."""
    for folder in folders:
        made = render_sample(folder)
        for path in sorted((folder / SAMPLE_FOLDER).rglob("*")):
            if path.is_file() and path.relative_to(folder).as_posix() not in made:
                path.unlink()
        for name, content in made.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)


if __name__ == "__main__":
    os.chdir(ROOT)
    render_samples(list_records())
