"""Two digests of a game's code: of what decides how it is adjudicated, of what its reports say."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
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


Read = Callable[[Path], str]
"""What a file says; who digests more than once keeps what was read."""


def read_source(path: Path) -> str:
    """Read a source file with uniform line ends."""
    return path.read_text(encoding="utf-8")


def digest_rules(package: Path, core: Path, components: Document, read: Read = read_source) -> str:
    """Digest the modules that adjudicate the game, the core modules they need, and the components.

    The digest depends on what the files contain, not on where they are or on their line ends.
    """
    return digest(encode([_collect_code(package, core, read, _NOT_DECIDING), components]))


def digest_reporting(
    package: Path,
    core: Path,
    components: Document,
    templates: Sequence[Path],
    game: str,
    read: Read = read_source,
) -> str:
    """Digest everything a report depends on: the whole game, the templates and the renderers."""
    program = Path(__file__).resolve().parents[2]
    own = [path for pattern in _RENDERING for path in program.glob(pattern)]
    own += [
        path
        for folder in templates
        for part in ("common", game)
        for path in (folder / part).rglob("*.j2")
    ]
    rendering = [[path.name, digest(read(path).encode())] for path in sorted(own)]
    return digest(encode([_collect_code(package, core, read), components, rendering]))[:16]


def _collect_code(
    package: Path, core: Path, read: Read, without: Sequence[str] = ()
) -> list[list[str]]:
    parts = [(f"rules/{name}", text) for name, text in _read_modules(package, read, without)]
    needed = _find_needed(core, read, [text for _, text in parts])
    parts += [(f"core/{name}", text) for name, text in needed]
    return [[name, digest(text.encode())] for name, text in sorted(parts)]


def _read_modules(package: Path, read: Read, without: Sequence[str]) -> Iterator[tuple[str, str]]:
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package)
        if place.parts[0].removesuffix(".py") not in without:
            yield place.as_posix(), read(path)


def _find_needed(core: Path, read: Read, texts: Iterable[str]) -> list[tuple[str, str]]:
    """Find the core modules that these sources import, directly or through other modules."""
    sources: dict[str, str] = {}
    open_texts = list(texts)
    while open_texts:
        for name in _find_imports(open_texts.pop()):
            path = core.joinpath(*name.split(".")).with_suffix(".py")
            if name not in sources and path.is_file():
                sources[name] = read(path)
                open_texts.append(sources[name])
    return [(f"{name}.py", text) for name, text in sorted(sources.items())]


@lru_cache(maxsize=512)
def _find_imports(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for line in _IMPORT.finditer(text):
        of = line["whole"] or line["of"]
        names += [of] if of else _WORD.findall(line["names"])
    return tuple(names)
