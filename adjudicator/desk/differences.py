"""What is different in two positions, told by the way to each place in them."""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.canonical import decode, encode
from adjudicator.core.document import Document
from adjudicator.desk.case import Case

_MOST = 20


def public_changes(case: Case, before: Any, after: Any) -> tuple[str, ...]:
    """What everybody may see that is not as it was, a line for each place.

    Only the public's own reports are compared, so nothing secret can come into it.
    """
    found = list(_changes((), _position(case, before), _position(case, after)))
    if not found:
        return ("Nothing has changed that everybody may see.",)
    lines = ["What everybody may see of it:", *found[:_MOST]]
    left = len(found) - _MOST
    more = [f"and {left} more; the next report shows all of it."] if left > 0 else []
    return (*lines, *more)


def _position(case: Case, state: Any) -> Document:
    rules = case.kind.rules
    told = decode(encode(rules.report(rules.view(state, None), ())))
    position: Document = told.get("position") or {}
    return position


def _changes(path: tuple[str, ...], before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from _changes((*path, str(key)), before.get(key), after.get(key))
    elif before != after:
        place = " ".join(path).replace("_", " ")
        yield f"- {place}: {_said(after)} (before: {_said(before)})"


def _said(value: Any) -> str:
    if value is None or value in ({}, []):
        return "none"  # `nothing` is a card of Jump Gate
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(_said(one) for one in value)
    return str(value)
