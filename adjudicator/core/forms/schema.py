"""A JSON Schema compiled into what reading a form needs of it.

Beside JSON Schema 2020-12 a form's schema may say:

x-rule     the rule that gives the form, cited when something in it is refused
x-entry    true: a value that is left out alone when it cannot be read
x-name     the list of names that a word belongs to (card, tech, seat, side …)
x-keys     the same for the keys of a mapping
x-noun     what a player calls such a value
x-case     upper: written in capitals, without spaces and hyphens
x-short    pattern with named groups, or a list of them: short ways to write a mapping. One may be
           {pattern, gives}, with keys that it stands for and does not name
x-parts    at the top of a form: pieces of its patterns by name, put in for {name}
x-lines    the same at the top of a form, for its own keys: each is a whole line of words
x-also     at the top of a form: other words for its own, {pattern: what is meant}
x-idle     at the top of a form: patterns of clauses that order nothing
x-same     beside x-short of a list's entries: keys that may be left out behind an entry with them
x-listed   of x-lines: the list of names that a group must be on
x-written  how it is written, for whoever wrote it otherwise
x-missing  what a mapping lacks that has not got this key
x-stops    a list done in order: a refused entry takes with it what follows, and these keys
x-owes     {keys, message}: a form with none of these keys gives nothing of what is due; it goes on
           file, but the step waits for more, and that is told
x-whole    true: what is refused anywhere takes the whole form with it
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.names import fold

_INSTANCES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "array": list,
    "object": dict,
}


LONGEST_SHORT_FORM = 200
"""No short form is longer; the patterns are not tried on more."""


class ShortForm(Struct, frozen=True):
    """A way to write a mapping in words."""

    pattern: re.Pattern[str]
    gives: Mapping[str, str] = {}
    """Keys that these words stand for."""


class Node(Struct, frozen=True, kw_only=True, dict=True):
    """One place of a form."""

    types: tuple[str, ...] = ()
    """Empty: anything goes."""
    properties: "Mapping[str, Node]" = {}
    extra: "Node | None" = None
    """For keys that have no name of their own; None: there are none such."""
    open: bool = False
    """Keys may be anything."""
    items: "Node | None" = None
    branches: "tuple[Branch, ...]" = ()
    words: tuple[str, ...] = ()
    """Of an enum."""
    rule: str | None = None
    entry: bool = False
    name: str | None = None
    key_name: str | None = None
    noun: str | None = None
    upper: bool = False
    short: "tuple[ShortForm, ...]" = ()
    lines: "tuple[ShortForm, ...]" = ()
    also: tuple[tuple[re.Pattern[str], str], ...] = ()
    idle: tuple[re.Pattern[str], ...] = ()
    not_here: tuple[tuple[re.Pattern[str], str], ...] = ()
    """Orders of another step, and where they belong."""
    same: tuple[str, ...] = ()
    listed: Mapping[str, str] = {}
    written: str | None = None
    missing: str | None = None
    stops: tuple[str, ...] | None = None
    is_whole: bool = False
    owes: Document | None = None
    schema: Document

    def match_short(self, text: str) -> dict[str, str | None] | None:
        """Read a text as one of the short forms, None for groups left out; None if it is none."""
        for short in self.short if len(text) <= LONGEST_SHORT_FORM else ():
            match = short.pattern.fullmatch(text)
            if match:
                return {**short.gives, **match.groupdict()}
        return None

    @cached_property
    def pair_start(self) -> re.Pattern[str] | None:
        """How a pair begins in a line of words: one of the keys, with or without a colon."""
        names = sorted(self.keys.values(), key=len, reverse=True)
        spelled = "|".join(r"[\s_-]?".join(map(re.escape, re.split("[_-]", n))) for n in names)
        pattern = rf"(?:^|[\s,;&]+(?:and\s+)?)({spelled})(?=[\s:=,;]|$)\s*[:=]?"
        return re.compile(pattern, re.IGNORECASE) if names else None

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """Every key that may stand here, branches included: folded key to key as written."""
        keys = {fold(key): key for key in self.properties}
        for branch in self.branches:
            for node in (branch.then, branch.otherwise):
                if node is not None:
                    keys |= {k: v for k, v in node.keys.items() if k not in keys}
        return keys


class Branch(Struct, frozen=True, kw_only=True, dict=True):
    """if, then, else."""

    condition: Document
    then: Node | None
    otherwise: Node | None

    @cached_property
    def holds(self) -> Callable[[Any], bool]:
        """Whether a value meets the condition."""
        kind = str(self.condition.get("type"))
        if list(self.condition) == ["type"] and kind in _INSTANCES:
            instance = _INSTANCES[kind]
            return lambda value: isinstance(value, instance)
        if constant := _find_constant(self.condition):
            key, word = constant
            return lambda value: not isinstance(value, dict) or value.get(key) == word
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self.condition).is_valid


def _find_constant(condition: Document) -> tuple[str, str] | None:
    """Find the key and word of a condition that asks only for this word under this key."""
    match condition:
        case {"properties": properties, "required": [str(key)], **others} if not others:
            part = properties.get(key, {})
            if len(properties) == 1 and list(part) == ["const"] and isinstance(part["const"], str):
                return key, part["const"]
    return None


def flatten_schema(schema: Any, root: Document, within: tuple[str, ...] = ()) -> Any:
    """Replace every `$ref` of a schema into its own `$defs`, and every piece of a pattern."""
    if isinstance(schema, list):
        return [flatten_schema(part, root, within) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    reference = schema.get("$ref")
    if reference is None:
        return {
            key: _put_parts_in(part, root)
            if key in _PATTERNS
            else flatten_schema(part, root, within)
            for key, part in schema.items()
            if key not in ("$defs", "x-parts")
        }
    name = str(reference).removeprefix("#/$defs/")
    if name in within or name not in root.get("$defs", {}):
        raise ValueError(f"$ref: {reference} must name one of $defs, and not itself")
    target = flatten_schema(root["$defs"][name], root, (*within, name))
    rest = {key: value for key, value in schema.items() if key != "$ref"}
    return target | flatten_schema(rest, root, within)


_PATTERNS = ("x-short", "x-lines")
_PART = re.compile(r"\{([a-z]\w*)\}")


def _put_parts_in(pattern: Any, root: Document) -> Any:
    """Put the named pieces into patterns."""
    if isinstance(pattern, str):
        filled = _PART.sub(lambda part: str(root["x-parts"][part[1]]), pattern)
        return filled if filled == pattern else _put_parts_in(filled, root)
    if isinstance(pattern, Mapping):
        return {**pattern, "pattern": _put_parts_in(pattern["pattern"], root)}
    return [_put_parts_in(one, root) for one in pattern]


def compile_schema(schema: Document) -> Node:
    """Compile a flattened schema into its tree of places."""
    kind = schema.get("type", ())
    extra = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
    return Node(
        types=(kind,) if isinstance(kind, str) else tuple(kind),
        properties={k: compile_schema(v) for k, v in schema.get("properties", {}).items()},
        extra=compile_schema(extra) if isinstance(extra, Mapping) else None,
        open=extra is not False and not isinstance(extra, Mapping),
        items=compile_schema(schema["items"]) if "items" in schema else None,
        branches=_compile_branches(schema),
        words=tuple(word for word in schema.get("enum", ()) if isinstance(word, str)),
        rule=schema.get("x-rule"),
        entry=bool(schema.get("x-entry")),
        name=schema.get("x-name"),
        key_name=schema.get("x-keys"),
        noun=schema.get("x-noun"),
        upper=schema.get("x-case") == "upper",
        short=tuple(map(_compile_short, _list_several(schema.get("x-short", ())))),
        lines=tuple(map(_compile_short, _list_several(schema.get("x-lines", ())))),
        also=tuple((_compile_pattern(p), str(w)) for p, w in _get_pairs(schema, "x-also")),
        idle=tuple(map(_compile_pattern, schema.get("x-idle", ()))),
        not_here=tuple((_compile_pattern(p), str(w)) for p, w in _get_pairs(schema, "x-not-here")),
        same=tuple(schema.get("x-same", ())),
        listed=schema.get("x-listed", {}),
        written=schema.get("x-written"),
        missing=schema.get("x-missing"),
        stops=tuple(schema["x-stops"]) if "x-stops" in schema else None,
        is_whole=bool(schema.get("x-whole")),
        owes=schema.get("x-owes"),
        schema=schema,
    )


def _get_pairs(schema: Document, key: str) -> Iterable[tuple[str, Any]]:
    pairs: Mapping[str, Any] = schema.get(key, {})
    return pairs.items()


def _list_several(value: Any) -> Sequence[Any]:
    return (value,) if isinstance(value, str | Mapping) else value


def _compile_pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _compile_short(short: str | Mapping[str, Any]) -> ShortForm:
    if isinstance(short, str):
        return ShortForm(_compile_pattern(short))
    return ShortForm(_compile_pattern(short["pattern"]), short["gives"])


def _compile_branches(schema: Document) -> tuple[Branch, ...]:
    branches = []
    for part in (schema, *schema.get("allOf", ())):
        if "if" in part:
            then, otherwise = part.get("then"), part.get("else")
            branches.append(
                Branch(
                    condition=part["if"],
                    then=compile_schema(then) if then is not None else None,
                    otherwise=compile_schema(otherwise) if otherwise is not None else None,
                )
            )
    return tuple(branches)
