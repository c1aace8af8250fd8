"""The digest of everything that decides how a game is adjudicated."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from adjudicator.core.document import Document, digest, encode

_IMPORT = re.compile(
    r"^\s*(?:from\s+adjudicator\.core(?:\.(?P<of>[\w.]+))?\s+import\s+(?P<names>\([^)]*\)|.*)"
    r"|import\s+adjudicator\.core\.(?P<whole>[\w.]+))",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")


def digest_rules(package: Path, core: Path, components: Document) -> str:
    """Of the game's modules, the modules of the core that they need, and the components.

    It depends on what the files say, not on where they lie or how their lines end.
    """
    parts = [(f"rules/{name}", text) for name, text in _modules(package)]
    needed = _needed(core, [text for _, text in parts])
    parts += [(f"core/{name}", text) for name, text in needed]
    digests = [[name, digest(text.encode())] for name, text in sorted(parts)]
    return digest(encode([digests, components]))


def _modules(package: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(package.rglob("*.py")):
        yield path.relative_to(package).as_posix(), _text(path)


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
