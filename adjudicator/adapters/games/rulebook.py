"""A rulebook in Markdown, taken apart into its numbered rules."""

import re
from collections.abc import Mapping

from msgspec import Struct

_RULE = re.compile(r"- \*\*([A-Z]+-[0-9]+[a-z]?)\*\*\s*(.*)")
_HEADING = re.compile(r"#+\s+(.*)")
_KIND = re.compile(r"`([a-z0-9-]+)`")


class Rulebook(Struct, frozen=True):
    """Rules and chapters, in the order of the book."""

    rules: Mapping[str, str]
    """Number to text, as Markdown."""
    chapters: Mapping[str, tuple[str, ...]]
    """Heading to the numbers of the rules below it; headings without rules are left out."""


def parse_rulebook(text: str, kind: str | None = None) -> Rulebook:
    """The rules that begin `- **JW-13a** …`; a rule goes on in the indented lines below it.

    Where a book is that of several kinds, a heading names in `backticks` those whose chapter it
    is; of the others' chapters this kind has none.
    """
    rules: dict[str, list[str]] = {}
    chapters: dict[str, list[str]] = {}
    heading = ""
    current: list[str] | None = None
    ours = True
    for line in text.splitlines():
        rule = _RULE.match(line) if ours else None
        title = _HEADING.match(line)
        if rule:
            if rule[1] in rules:
                raise ValueError(f"the rulebook has two rules {rule[1]}")
            current = rules[rule[1]] = [rule[2]]
            chapters.setdefault(heading, []).append(rule[1])
        elif title:
            heading, current = title[1].strip(), None
            ours = kind is None or is_chapter_of(heading, kind)
        elif current is not None and line.startswith("  "):
            current.append(line.strip())
        elif line.strip():
            current = None
    return Rulebook(
        rules={number: " ".join(lines) for number, lines in rules.items()},
        chapters={name: tuple(numbers) for name, numbers in chapters.items()},
    )


def is_chapter_of(heading: str, kind: str) -> bool:
    """Whether the chapter below this heading is one of this kind."""
    named = _KIND.findall(heading)
    return not named or kind in named
