"""What an archive holds of a report beside the document: the texts that templates make of it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudicator.adapters.render import Printer
from adjudicator.core.canonical import digest, encode
from adjudicator.core.document import Document

_KINDS = ("report.txt", "report.html")


class Texts:
    """Renders reports with the templates of one game; implements pack.Render."""

    def __init__(self, printer: Printer, folders: Iterable[Path], game: str) -> None:
        self._printer = printer
        self._game = game
        self._names = tuple(name for name in _KINDS if printer.has(name, game))
        self.version = _version(folders, game)

    def __call__(self, document: Document) -> Mapping[str, bytes]:
        """File name to content."""
        return {name: self._made(name, document).encode() for name in self._names}

    def _made(self, name: str, document: Document) -> str:
        make = self._printer.page if name.endswith(".html") else self._printer.text
        return make(name, document, self._game)


def _version(folders: Iterable[Path], game: str) -> str:
    """Of the templates' sources; other templates may make other texts."""
    found = [
        (path.relative_to(folder).as_posix(), digest(path.read_bytes()))
        for folder in folders
        for part in ("common", game)
        for path in sorted((folder / part).rglob("*.j2"))
    ]
    return digest(encode(found))[:16]
