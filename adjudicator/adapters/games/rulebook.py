"""A rulebook in Markdown, taken apart into its numbered rules."""

import re
from collections.abc import Mapping

_RULE = re.compile(r"- \*\*([A-Z]+-[0-9]+[a-z]?)\*\*\s*(.*)")
_HEADING = re.compile(r"#+\s+(.*)")
_KIND = re.compile(r"`([a-z0-9-]+)`")


def parse_rulebook(text: str, kind: str | None = None) -> Mapping[str, str]:
    """Number to text of the rules that begin `- **JW-13a** …`, each with its indented lines.

    Where a book is that of several kinds, a heading names in `backticks` those whose chapter it
    is; of the others' chapters this kind has none.
    """
    rules: dict[str, list[str]] = {}
    current: list[str] | None = None
    ours = True
    for line in text.splitlines():
        rule = _RULE.match(line) if ours else None
        title = _HEADING.match(line)
        if rule:
            if rule[1] in rules:
                raise ValueError(f"the rulebook has two rules {rule[1]}")
            current = rules[rule[1]] = [rule[2]]
        elif title:
            current = None
            ours = kind is None or is_chapter_of(title[1], kind)
        elif current is not None and line.startswith("  "):
            current.append(line.strip())
        elif line.strip():
            current = None
    return {number: " ".join(lines) for number, lines in rules.items()}


def is_chapter_of(heading: str, kind: str) -> bool:
    """Whether the chapter below this heading is one of this kind."""
    named = _KIND.findall(heading)
    return not named or kind in named
