"""The fields of a report (core/fields.py) as text, for whoever writes a tool."""

from collections.abc import Iterable

from adjudicator.adapters.layout import wrapped
from adjudicator.core.document import Document
from adjudicator.core.fields import Field, fields, kinds


def field_text(frame: Document, own: Document) -> str:
    """What stands in a report document: in that of every game, and in that of this one."""
    lines = [f"{frame['title']}", "", wrapped(frame["description"]), "", *_lines(fields(frame))]
    if own:
        lines += ["", "", own["title"], "", wrapped(own["description"]), "", *_lines(fields(own))]
        for kind in kinds(own):
            lines += ["", wrapped(f"event {kind.name}: {kind.what}", hang=2)]
            lines += _lines(kind.fields, "  data.")
    return "\n".join(lines)


def _lines(places: Iterable[Field], lead: str = "") -> list[str]:
    hang = len(lead) - len(lead.lstrip()) + 4
    return [wrapped(f"{lead.lstrip()}{_said(one)}", " " * (hang - 4), hang) for one in places]


def _said(one: Field) -> str:
    only = f" Only {one.only}." if one.only else ""
    return f"{one.path} ({one.takes}): {one.what}{only}"
