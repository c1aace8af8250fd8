"""What programs write in letters, language by language: the parts of phrases.txt, ready to use."""

import re
from importlib.resources import files


def _read_parts() -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (files(__package__) / "phrases.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            lines = parts.setdefault(line[1:].partition("]")[0], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return parts


_PARTS = _read_parts()


def _compile(*parts: str, before: str = "") -> re.Pattern[str]:
    """Compile a pattern for any of the phrases built from these parts."""
    return re.compile("|".join(before + line for part in parts for line in _PARTS[part]))


AWAY_PROGRAMS = _compile("reply", "reply subject", before=r"(?:\[[^\]]{0,60}\] {0,3})?")
"""How a subject begins, in lower case, that only programs write."""
AWAY_SUBJECT = _compile("reply", "reply subject", "away", "away subject")
"""Somewhere in a subject; people write it, too."""
AWAY_TEXT = _compile("reply", "away", "away text")
"""In the first lines of a letter without orders."""
BOUNCE_SUBJECT = _compile("bounce subject")
BOUNCE_TEXT = _compile("bounce text")
ONLY_LATE = _compile("late")
FOOT = _compile("foot")
"""A whole line, in lower case, that a telephone or web mail adds."""
WROTE = tuple(_PARTS["wrote"])
SENDERS = frozenset(_PARTS["senders"])
HEADER_NAMES = SENDERS | frozenset(_PARTS["heads"])
"""The fields of a copied letter's header."""
