"""Two digests of a game's code: of what decides how it is adjudicated, of what its reports say."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from adjudicator.core.document import Document, digest, encode

_IMPORT = re.compile(
    r"^\s*(?:from\s+adjudicator\.core(?:\.(?P<of>[\w.]+))?\s+import\s+(?P<names>\([^)]*\)|.*)"
    r"|import\s+adjudicator\.core\.(?P<whole>[\w.]+))",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")
_NOT_DECIDING: Final = ("telling", "bot")
"""Folders or modules of a game that word reports or choose orders; orders are on record."""
_RENDERING: Final = ("desk/outbox/report.py", "adapters/archive/reports.py", "adapters/render/*.py")
"""Of the program, what makes a report document, and what makes texts and pages of it."""


def digest_rules(package: Path, core: Path, components: Document) -> str:
    """Of the game's modules that adjudicate, the core's that they need, and the components.

    It depends on what the files say, not on where they lie or how their lines end.
    """
    return digest(encode([_code(package, core, _NOT_DECIDING), components]))


def digest_reporting(
    package: Path, core: Path, components: Document, templates: Sequence[Path], game: str
) -> str:
    """Of all that a report depends on: the whole game, the templates, and what renders."""
    program = Path(__file__).resolve().parents[2]
    own = [path for pattern in _RENDERING for path in program.glob(pattern)]
    own += [
        path
        for folder in templates
        for part in ("common", game)
        for path in (folder / part).rglob("*.j2")
    ]
    rendering = [[path.name, digest(_text(path).encode())] for path in sorted(own)]
    return digest(encode([_code(package, core), components, rendering]))[:16]


def _code(package: Path, core: Path, without: Sequence[str] = ()) -> list[list[str]]:
    parts = [(f"rules/{name}", text) for name, text in _modules(package, without)]
    needed = _needed(core, [text for _, text in parts])
    parts += [(f"core/{name}", text) for name, text in needed]
    return [[name, digest(text.encode())] for name, text in sorted(parts)]


def _modules(package: Path, without: Sequence[str]) -> Iterator[tuple[str, str]]:
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package)
        if place.parts[0].removesuffix(".py") not in without:
            yield place.as_posix(), _text(path)


def _needed(core: Path, texts: Iterable[str]) -> list[tuple[str, str]]:
    """The core's modules that these texts import, and those that they import in turn."""
    found: dict[str, str] = {}
    open_texts = list(texts)
    while open_texts:
        for name in _imported(open_texts.pop()):
            path = core.joinpath(*name.split(".")).with_suffix(".py")
            if name not in found and path.is_file():
                found[name] = _text(path)
                open_texts.append(found[name])
    return [(f"{name}.py", text) for name, text in sorted(found.items())]


def _imported(text: str) -> Iterator[str]:
    for line in _IMPORT.finditer(text):
        if line["whole"] or line["of"]:
            yield line["whole"] or line["of"]
        else:
            yield from _WORD.findall(line["names"])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")  # in text mode, every line ends alike
