"""The report document, report/1: its version, its fields, and its JSON Schema.

orders/common/report.yaml describes every field and is its JSON Schema; orders/<game>/report.yaml
adds the position and the events of a game (core/report.py joins the two, `adjudicator report
--fields` tells them). A game's `report` gives

turn, headline, over, events, position, sections
due        {what: "turn 4, jump orders"}
orders     {entries: [...]}: what became of the reader's own executed orders
form       {comments: [...], example: {...}}: the block to reply with; with `choices`, all that it
           takes, the game has a page to choose on (templates/orders/<kind>.js.j2)

and the desk adds everything else around them (desk/outbox/report.py). Texts, pages and pictures are
rendered from the document alone.

orders/common/report.yaml says what the reports of all games have; orders/<game>/report.yaml says
what a game's position holds and, below `x-events`, the facts of each kind of event. Every key that
they describe is there, unless `x-only` says when it is; there are no others.
"""

from collections.abc import Iterator, Mapping
from json import dumps
from typing import Any, Final

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.forms.fault_messages import join_words
from adjudicator.core.forms.schema import flatten_schema

REPORT_VERSION: Final = "report/1"


EVENTS = "x-events"


class Field(Struct, frozen=True, kw_only=True):
    """A place of the document."""

    path: str
    """`press[].text`; in `fleets.<seat>` stands the name of any seat."""
    takes: str
    what: str
    only: str
    """When it is there; empty: always."""


class EventKind(Struct, frozen=True, kw_only=True):
    """A kind of event, and the facts in its data."""

    name: str
    what: str
    fields: tuple[Field, ...]


def build_report_schema(frame: Document, own: Document) -> Document:
    """Build the JSON Schema of a game's reports: the frame with the game's own parts."""
    common = _make_strict(flatten_schema(frame, frame))
    if not own:
        return common
    own_schema = _make_strict(flatten_schema(own, own))
    position = {**common["properties"]["position"], **own_schema["properties"]["position"]}
    events = common["properties"]["events"]
    return {
        **common,
        "title": f"{common['title']}, {own_schema['title']}",
        "properties": {
            **common["properties"],
            "position": position,
            "events": {**events, "items": _add_data(events["items"], own_schema[EVENTS])},
        },
    }


def _add_data(event: Document, kinds: Document) -> Document:
    kind = {**event["properties"]["kind"], "enum": list(kinds)}
    cases = [
        {
            "if": {"properties": {"kind": {"const": name}}},
            "then": {"properties": {"data": {"type": "object", **data}}},
        }
        for name, data in kinds.items()
    ]
    return {**event, "properties": {**event["properties"], "kind": kind}, "allOf": cases}


def _make_strict(schema: Document) -> dict[str, Any]:
    """Require every key that is not called optional, and allow no other."""
    strict = dict(schema)
    for key in ("properties", EVENTS):
        if key in strict:
            strict[key] = {name: _make_strict(part) for name, part in strict[key].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(strict.get(key), Mapping):
            strict[key] = _make_strict(strict[key])
    if "properties" in strict:
        required = [name for name, part in strict["properties"].items() if "x-only" not in part]
        strict = {"required": required, "additionalProperties": False, **strict}
    return strict


def list_fields(schema: Document) -> tuple[Field, ...]:
    """List every place that the schema describes, in order."""
    return tuple(_list_inside(flatten_schema(schema, schema), ""))


def list_event_kinds(own: Document) -> tuple[EventKind, ...]:
    """List the kinds of events of a game."""
    return tuple(
        EventKind(name=name, what=str(data["description"]), fields=tuple(_list_inside(data, "")))
        for name, data in flatten_schema(own, own).get(EVENTS, {}).items()
    )


def _list_inside(schema: Document, above: str) -> Iterator[Field]:
    for key, part in schema.get("properties", {}).items():
        yield from _list_place(part, f"{above}.{key}" if above else key)


def _list_place(schema: Document, path: str) -> Iterator[Field]:
    what, only = str(schema.get("description", "")), str(schema.get("x-only", ""))
    place, nulls = schema, _is_nullable(schema)
    while (inner := _find_inner(place)) is not None and "description" not in inner[1]:
        path, place = path + inner[0], inner[1]
    takes = join_words([*_list_types(place), *(["null"] if nulls and place is not schema else [])])
    yield Field(path=path, takes=takes, what=what, only=only)
    yield from _list_inside(place, path)
    if inner is not None:
        yield from _list_place(inner[1], path + inner[0])


def _find_inner(schema: Document) -> tuple[str, Document] | None:
    """Find what a list, or a block with free names, holds if nothing else is allowed there."""
    sorts = schema.get("type")
    if isinstance(sorts, list) and len({*sorts} - {"null"}) > 1:
        return None
    if isinstance(schema.get("items"), Mapping):
        return "[]", schema["items"]
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f".<{schema.get('x-keys', 'name')}>", schema["additionalProperties"]
    return None


def _is_nullable(schema: Document) -> bool:
    return isinstance(schema.get("type"), list) and "null" in schema["type"]


def _list_types(schema: Document) -> list[str]:
    if "const" in schema:
        return [dumps(schema["const"])]
    words = schema.get("enum") or schema.get("then", {}).get("enum")
    strings = [dumps(word) for word in words] if words else [schema.get("x-noun", "string")]
    sorts = schema.get("type", "string" if words else ())
    types: list[str] = []
    for sort in [sorts] if isinstance(sorts, str) else sorts:
        types += strings if sort == "string" else [str(sort)]
    return types or ["anything"]
