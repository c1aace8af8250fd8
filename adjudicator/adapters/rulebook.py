"""A rulebook in Markdown, taken apart into its numbered rules."""

import re
from collections.abc import Mapping

from msgspec import Struct

_RULE = re.compile(r"- \*\*([A-Z]+-[0-9]+[a-z]?)\*\*\s*(.*)")
_HEADING = re.compile(r"#+\s+(.*)")


class Rulebook(Struct, frozen=True):
    """Rules and chapters, in the order of the book."""

    rules: Mapping[str, str]
    """Number to text, as Markdown."""
    chapters: Mapping[str, tuple[str, ...]]
    """Heading to the numbers of the rules below it; headings without rules are left out."""


def read(text: str) -> Rulebook:
    """The rules that begin `- **JW-13a** …`; a rule goes on in the indented lines below it."""
    rules: dict[str, list[str]] = {}
    chapters: dict[str, list[str]] = {}
    heading = ""
    current: list[str] | None = None
    for line in text.splitlines():
        rule = _RULE.match(line)
        title = _HEADING.match(line)
        if rule:
            if rule[1] in rules:
                raise ValueError(f"the rulebook has two rules {rule[1]}")
            current = rules[rule[1]] = [rule[2]]
            chapters.setdefault(heading, []).append(rule[1])
        elif title:
            heading, current = title[1].strip(), None
        elif current is not None and line.startswith("  "):
            current.append(line.strip())
        elif line.strip():
            current = None
    return Rulebook(
        rules={number: " ".join(lines) for number, lines in rules.items()},
        chapters={name: tuple(numbers) for name, numbers in chapters.items()},
    )
