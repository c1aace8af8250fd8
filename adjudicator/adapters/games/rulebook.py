"""A rulebook in Markdown, taken apart into its numbered rules."""

import re
from collections.abc import Mapping

_RULE = re.compile(r"- \*\*([A-Z]+-[0-9]+[a-z]?)\*\*\s*(.*)")
_HEADING = re.compile(r"#+\s+(.*)")
_KIND = re.compile(r"`([a-z0-9-]+)`")


def parse_rulebook(text: str, kind: str | None = None) -> Mapping[str, str]:
    """Parse the rules, which begin `- **JW-13a** …`, by number, with their indented lines.

    In a book for several kinds, a heading names the kinds of its chapter in `backticks`; chapters
    of other kinds are skipped.
    """
    rules: dict[str, list[str]] = {}
    current: list[str] | None = None
    applies = True
    for line in text.splitlines():
        rule = _RULE.match(line) if applies else None
        title = _HEADING.match(line)
        if rule:
            if rule[1] in rules:
                raise ValueError(f"the rulebook has two rules {rule[1]}")
            current = rules[rule[1]] = [rule[2]]
        elif title:
            current = None
            applies = kind is None or is_chapter_of(title[1], kind)
        elif current is not None and line.startswith("  "):
            current.append(line.strip())
        elif line.strip():
            current = None
    return {number: " ".join(lines) for number, lines in rules.items()}


def is_chapter_of(heading: str, kind: str) -> bool:
    """Whether the chapter below this heading applies to this kind."""
    kinds = _KIND.findall(heading)
    return not kinds or kind in kinds
