"""What an archive holds of a report beside the document: the texts and pictures made of it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from adjudicator.adapters.pictures import drawings
from adjudicator.adapters.render import Printer, Shown, Surroundings
from adjudicator.core.canonical import digest, encode
from adjudicator.core.document import Document

_KINDS = ("report.txt", "report.html")


class Texts:
    """Renders reports with the templates of one game; implements pack.Render."""

    def __init__(self, printer: Printer, folders: Iterable[Path], game: str) -> None:
        self._printer = printer
        self._game = game
        self._names = tuple(name for name in _KINDS if printer.has(name, game))
        self.version = version(folders, game)

    def __call__(self, document: Document) -> Mapping[str, bytes]:
        """File name to content."""
        drawn = {f"{one.name}.svg": one for one in drawings(self._printer, document, self._game)}
        shown = [
            Shown(name=one.name, source=file, alt=one.alt, width=one.width)
            for file, one in drawn.items()
        ]
        made = {name: self._made(name, document, shown) for name in self._names}
        made |= {file: one.svg for file, one in drawn.items()}
        return {name: text.encode() for name, text in made.items()}

    def _made(self, name: str, document: Document, shown: Sequence[Shown]) -> str:
        if name.endswith(".html"):
            return self._printer.page(name, document, self._game, Surroundings(pictures=shown))
        return self._printer.text(name, document, self._game)


def version(folders: Iterable[Path], game: str) -> str:
    """Of the templates' sources; other templates may make other texts."""
    found = [
        (path.relative_to(folder).as_posix(), digest(path.read_bytes()))
        for folder in folders
        for part in ("common", game)
        for path in sorted((folder / part).rglob("*.j2"))
    ]
    return digest(encode(found))[:16]
