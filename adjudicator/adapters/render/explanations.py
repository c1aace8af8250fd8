"""Order forms, report fields and guides as plain text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from adjudicator.adapters.render.text_layout import (
    TEXT_WIDTH,
    add_tag,
    format_block,
    format_inline,
    is_drawn,
    wrap,
)
from adjudicator.core.document import Document
from adjudicator.core.report import Field, list_event_kinds, list_fields
from adjudicator.core.scenario.runner import ScenarioOutcome

_YES_OR_NO = "yes or no"
"""What a key takes that needs no example."""


def format_form(explanation: Mapping[str, Any], width: int = TEXT_WIDTH) -> str:
    """Explain an order form: what it is for, an example, and what each entry does."""
    lines = [wrap(f"{explanation['title']} (form {explanation['name']})", width=width), ""]
    if explanation["description"]:
        lines.append(wrap(explanation["description"], width=width))
    if explanation["example"]:
        lines += ["", "For example:", *_indent_form(explanation["example"], 2, width)]
    for key in explanation["keys"]:
        lines += _explain_key(key, width)
    return "\n".join(lines)


def _explain_key(key: Mapping[str, Any], width: int) -> list[str]:
    path: str = key["key"]
    depth = 2 + 4 * path.count(".")
    lead = " " * (depth + 4)
    leaf = path.rpartition(".")[2]
    must = ", required" if key["required"] else ""
    companion = key.get("beside")  # a waiting letter may be older than this key
    beside = f" (with {companion})" if companion else ""
    lines = [wrap(f"{leaf}: {key['takes']}{must}{beside}", " " * depth, depth + 6, width)]
    if key["what"]:
        lines.append(wrap(key["what"], lead, width=width))
    if key["default"] is not None:
        lines.append(wrap(f"Default: {format_inline(key['default'])}.", lead, width=width))
    for one in key["examples"][:3] if key["takes"] != _YES_OR_NO else ():
        lines += _indent_form({leaf: one}, depth + 4, width)
    return lines if "." in path else ["", *lines]


def _indent_form(form: Mapping[str, Any], indent: int, width: int) -> list[str]:
    text = format_block(form, width if width == TEXT_WIDTH else width - indent)
    return [" " * indent + line for line in text.splitlines()]


def format_fields(frame: Document, own: Document) -> str:
    """Explain the fields of report documents: those of every game, and those of this one."""
    lines: list[str] = []
    for one in (frame, own) if own else (frame,):
        lines += ["", ""] if lines else []
        lines += [one["title"], "", wrap(one["description"]), ""]
        lines += _explain_fields(list_fields(one))
    for kind in list_event_kinds(own) if own else ():
        lines += ["", wrap(f"event {kind.name}: {kind.what}", hang=2)]
        lines += _explain_fields(kind.fields, "  data.")
    return "\n".join(lines)


def _explain_fields(places: Iterable[Field], lead: str = "") -> Iterator[str]:
    indent = " " * (len(lead) - len(lead.lstrip()))
    for one in places:
        only = f" Only {one.only}." if one.only else ""
        words = f"{lead.lstrip()}{one.path} ({one.takes}): {one.what}{only}"
        yield wrap(words, indent, len(indent) + 4)


def format_outcome(outcome: ScenarioOutcome) -> Iterator[str]:
    """Tell what happens in a scenario that expects nothing, as a report would, line by line."""
    if outcome.notes:
        yield from ("", "ABOUT THE ORDERS", *(wrap(one, "  - ") for one in outcome.notes))
    yield from ("", "WHAT HAPPENED")
    for number, event in enumerate(outcome.events, start=1):
        yield add_tag(event["text"], event["rule"], f"{number:3}  ")
        yield from (wrap(line, " " * 7, 9) for line in event.get("details") or ())
    if not outcome.events:
        yield "  Nothing that a report tells."
    yield from ("", "WHAT CHANGED IN THE POSITION", *(wrap(one, "  - ") for one in outcome.changes))
    if not outcome.changes:
        yield "  Nothing."


_TYPED = 4
"""So far what is for typing is indented in a guide."""
_WITHIN = re.compile(r"(?<![,\s]) (?=\S)")
_TIE = "\ue000"
_COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")


def reflow(text: str, width: int = TEXT_WIDTH) -> str:
    """Fit a guide into this width, leaving pieces that fit unchanged."""
    return "\n".join(
        line
        for (indent, columns), own in groupby(str(text).splitlines(), _find_manner)
        for line in _fit_lines(list(own), indent, width, columns=columns)
    )


def _find_manner(line: str) -> tuple[int, bool]:
    """Measure a line's indent (an empty line has less than none), and whether it has columns."""
    return len(line) - len(line.lstrip()) if line.strip() else -1, is_drawn([line])


def _fit_lines(lines: list[str], indent: int, width: int, *, columns: bool) -> Iterator[str]:
    lead = " " * indent
    if all(len(line) <= width for line in lines):
        yield from lines
    elif columns:
        for line in lines:
            yield wrap(_COLUMNS.sub(": ", line.strip()), lead, indent + 4, width)
    elif indent == _TYPED:
        for line in lines:
            yield line if len(line) <= width else _fit_yaml_line(line.strip(), indent, width)
    else:
        yield wrap(" ".join(lines), lead, width=width)


def _fit_yaml_line(line: str, indent: int, width: int) -> str:
    """Break a line of YAML after its commas, and within words only if that is not enough."""
    lead, tied = " " * indent, _WITHIN.sub(_TIE, line)
    text = wrap(tied, lead, indent + 4, width)
    if text.split() != tied.split():
        return wrap(line, lead, indent + 4, width)
    return text.replace(_TIE, " ")
