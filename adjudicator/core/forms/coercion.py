"""Turn what somebody wrote into the types of a schema, and note what does not fit."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from msgspec import Struct

from adjudicator.core.finding import Path
from adjudicator.core.forms.fault_messages import (
    describe_unknown_key,
    describe_unknown_name,
    describe_wrong_kind,
    quote_value,
)
from adjudicator.core.forms.schema import Node
from adjudicator.core.forms.short_forms import split_entries, split_pairs
from adjudicator.core.names import fold, match, match_exactly, suggest

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_WORDS: Mapping[str, bool] = {
    "yes": True,
    "true": True,
    "on": True,
    "y": True,
    "no": False,
    "false": False,
    "off": False,
    "n": False,
}
_NOTHING = ("", "~", "null", "none", "off", "nothing")
_NO: Final = object()
"""Said of a text that is no plain value; None is one."""
_BLANKS = re.compile(r"[\s_-]+")
_LONGEST_LIST = 200
"""The longest list that is read."""
MOST_FAULTS = 100
"""With more complaints a text is no form, and nobody would read them all."""


_COUNTED = re.compile(r"(?:about|only|just|exactly)?\s*(\w+)(?:\s+[a-z]+)?", re.IGNORECASE)
COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Leniency(Enum):
    """How closely a word must be the name that it is taken for."""

    EXACT = "exact"
    """Written out: what stands in a line of prose is no order."""
    USUAL = "usual"
    """Or its unique beginning."""
    MENDING = "mending"
    """Or with a slip in it: good for a question, never for an order."""


class TooManyFaults(Exception):  # noqa: N818 - it is said of a text
    """Reading stopped, with the complaints so far."""


class Place(Struct, frozen=True):
    """A path of the form: its schema, and where its value came from."""

    node: Node
    entry: Path
    rule: str
    origin: Path
    """The path in the writer's text."""
    short_form: str | None = None
    """The short form that was expanded here."""


class Complaint(Struct, frozen=True):
    """A value or key that cannot be read."""

    path: Path
    message: str
    entry: Path
    rule: str
    origin: Path
    key: bool = False
    """True when it is the key that is wrong."""


class Coercion:
    """One reading of one form: the typed value, every place met, and what went wrong."""

    def __init__(
        self,
        names: Mapping[str, Sequence[str]],
        elsewhere: Mapping[str, str],
        leniency: Leniency = Leniency.USUAL,
    ) -> None:
        self.places: dict[Path, Place] = {}
        self.complaints: list[Complaint] = []
        self.unknown_keys: list[str] = []
        """Top-level keys that the form does not have."""
        self.meant_keys: set[Path] = set()
        """Keys that a misspelt one was probably meant to be."""
        self.unreadable: set[Path] = set()
        """Values that are not worth a second look."""
        self._names = names
        self._elsewhere = elsewhere
        self._leniency = leniency

    def coerce_form(self, node: Node, raw: Mapping[Any, Any], rule: str) -> dict[str, Any]:
        """Coerce the whole form."""
        place = Place(node, (), node.rule or rule, ())
        self.places[()] = place
        return self._coerce_mapping(node, raw, (), place)

    def coerce_value(self, node: Node, raw: Any, path: Path, above: Place, origin: Path) -> Any:
        """Coerce a value to what the node wants; None if that is impossible."""
        entry = path if node.entry or len(path) == 1 else above.entry
        place = Place(node, entry, node.rule or above.rule, origin)
        self.places[path] = place
        result = self._coerce_type(node, raw, path, place)
        if path in self.unreadable:
            return None
        for branch in node.branches if not isinstance(result, dict) else ():
            side = branch.then if branch.holds(result) else branch.otherwise
            if side is not None:
                result = self._coerce_by_branch(side, result, path, place)
        return result

    def _coerce_type(self, node: Node, raw: Any, path: Path, place: Place) -> Any:
        if not node.types or raw is None:
            return raw
        if isinstance(raw, str):
            return self._coerce_text(node, raw, path, place)
        if isinstance(raw, dict):
            if "object" in node.types:
                pair = _join_short_pair(node, raw)
                if pair is not None:
                    return self._coerce_text(node, pair, path, place)
                return self._coerce_mapping(node, raw, path, place)
            return self._wrap_in_list(node, [raw], path, place, raw)
        if isinstance(raw, (list, tuple)):
            if "array" in node.types:
                return self._coerce_list(node, raw, path, place, spread=True)
            if len(raw) == 1 and not isinstance(raw[0], (list, tuple)):
                return self._coerce_type(node, raw[0], path, place)
            return self._refuse_kind(node, list(raw), path, place)
        return self._coerce_scalar(node, raw, path, place)

    def _coerce_scalar(self, node: Node, raw: Any, path: Path, place: Place) -> Any:
        """Coerce a value that is typed already, from one of our own files."""
        if type(raw) not in (bool, int):
            return self._refuse_kind(node, raw, path, place)
        if type(raw) is bool and "boolean" in node.types:
            return raw
        return self._coerce_text(node, str(raw).lower(), path, place)

    def _coerce_text(self, node: Node, raw: str, path: Path, place: Place) -> Any:
        text = raw.strip()
        plain = _parse_plain(node, text)
        if plain is _NO and self._leniency is Leniency.MENDING:
            plain = _mend_number(node, text)
        if plain is not _NO:
            return plain
        if "integer" in node.types and _NUMBER.fullmatch(text):
            self._refuse_value(path, place, f"{quote_value(text)} is too large a number")
            return None
        parts = split_entries(node.items, text) if node.items is not None else [text]
        if "string" in node.types and not (
            _is_short_list(node, parts)
            or self._is_name_list(node, parts)
            or ("object" in node.types and split_pairs(node, text) is not None)
        ):
            return self._coerce_word(node, raw, path, place)
        groups = node.match_short(text) if "object" in node.types else None
        if groups is None and "object" in node.types:
            groups = split_pairs(node, text)
            if groups is None and self._leniency is Leniency.MENDING:
                groups = _mend_pairs(node, text)
        if groups is not None:
            expanded = Place(node, place.entry, place.rule, place.origin, short_form=text)
            self.places[path] = expanded
            return self._coerce_mapping(node, groups, path, expanded)
        return self._wrap_in_list(node, parts, path, place, raw)

    def _coerce_word(self, node: Node, raw: str, path: Path, place: Place) -> Any:
        if node.upper:
            return _BLANKS.sub("", raw).upper()
        if node.words:
            return self._match(raw, node.words) or raw
        names = self._names.get(node.name) if node.name else None
        if names is None:
            return raw
        name = self._match(raw, names)
        if name is None:
            self._refuse_value(
                path, place, describe_unknown_name(node.noun or node.name or "name", raw, names)
            )
        return name

    def _is_name_list(self, node: Node, parts: Sequence[str]) -> bool:
        """Whether a text is a list of names where a list or one of a few words may stand."""
        items = node.items if "array" in node.types else None
        names = self._names.get(items.name) if items is not None and items.name else None
        return bool(names and parts) and all(self._match(one, names or ()) for one in parts)

    def _match(self, raw: str, names: Iterable[str]) -> str | None:
        """Find the name that is meant, as closely as this reading wants it."""
        candidates = tuple(names)
        if self._leniency is Leniency.EXACT:
            return match_exactly(raw, candidates)
        mend = self._leniency is Leniency.MENDING
        return match(raw, candidates) or (suggest(raw, candidates) if mend else None)

    def _wrap_in_list(
        self, node: Node, raw: list[Any], path: Path, place: Place, whole: Any
    ) -> Any:
        """Wrap a single value where a list is wanted."""
        if "array" in node.types and node.items is not None:
            return self._coerce_list(node, raw, path, place, spread=False)
        return self._refuse_kind(node, whole, path, place)

    def _refuse_kind(self, node: Node, raw: Any, path: Path, place: Place) -> Any:
        self._refuse_value(path, place, describe_wrong_kind(node, raw))
        return None

    def _coerce_list(
        self, node: Node, raw: Sequence[Any], path: Path, place: Place, *, spread: bool
    ) -> list[Any] | None:
        if len(raw) > _LONGEST_LIST:
            message = f"{len(raw)} entries, but at most {_LONGEST_LIST} are read"
            self._refuse_value(path, place, message)
            return None
        if node.items is None:
            return list(raw)
        entries: list[Any] = []
        for number, item in enumerate(raw):
            below = (*path, number)
            origin = (*place.origin, number) if spread else place.origin
            if item is None:  # a dash with nothing after it
                self.unreadable.add(below)
                entries.append(None)
            else:
                entries.append(self.coerce_value(node.items, item, below, place, origin))
        return entries

    def _coerce_mapping(
        self, node: Node, raw: Mapping[Any, Any], path: Path, place: Place
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        origins: dict[str, Path] = {}
        for word, item in raw.items():
            origin = place.origin if place.short_form else (*place.origin, word)
            key = self._find_key(node, str(word))
            if key is None:
                self._refuse_key(node, str(word), path, place, origin)
            elif key in values:
                message = f'"{key}" appears twice'
                self._complain((*path, key), place, message, origin, key=True)
            elif not _is_absent(item) or self._may_be_null(node, key):
                values[key] = item
                origins[key] = origin
        self._fill(node, values, path, place, origins)
        return {k: v for k, v in values.items() if v is not None or self._may_be_null(node, k)}

    def _find_key(self, node: Node, word: str) -> str | None:
        key = node.keys.get(fold(word))
        if key is None and self._leniency is Leniency.MENDING:
            key = suggest(word, node.keys.values())
        if key is not None:
            return key
        if node.extra is None:
            return word if node.open else None
        names = self._names.get(node.key_name) if node.key_name else None
        return word if names is None else match(word, names)

    def _may_be_null(self, node: Node, key: str) -> bool:
        child = node.properties.get(key)
        return child is not None and "null" in child.types

    def _fill(
        self,
        node: Node,
        values: dict[str, Any],
        path: Path,
        place: Place,
        origins: Mapping[str, Path],
    ) -> None:
        """Give the values of a mapping their types, in place."""
        for key in tuple(values):
            if key not in origins:
                continue
            child = node.properties.get(key)
            if child is None and fold(key) not in node.keys:
                child = node.extra
            if child is not None:
                values[key] = self.coerce_value(
                    child, values[key], (*path, key), place, origins[key]
                )
        for branch in node.branches:
            side = branch.then if branch.holds(values) else branch.otherwise
            if side is not None:
                self._fill(side, values, path, place, origins)

    def _coerce_by_branch(self, node: Node, value: Any, path: Path, place: Place) -> Any:
        """Apply what a branch says of a value that is not a mapping."""
        if isinstance(value, str) and node.words:
            return self._match(value, node.words) or value
        if isinstance(value, list) and node.items is not None:
            return self._coerce_list(node, value, path, place, spread=True)
        return value

    def _refuse_key(self, node: Node, key: str, path: Path, place: Place, origin: Path) -> None:
        if not path:
            self.unknown_keys.append(key)
        if node.key_name and not node.keys:
            names = self._names.get(node.key_name, ())
            message = describe_unknown_name(node.key_name, key, names)
        else:
            message = describe_unknown_key(node, key, {} if path else self._elsewhere)
            suggestion = suggest(key, node.keys.values())
            if suggestion:
                self.meant_keys.add((*path, suggestion))
        self._complain((*path, key), place, message, origin, key=True)

    def _refuse_value(self, path: Path, place: Place, message: str) -> None:
        self.unreadable.add(path)
        self._complain(path, place, message, place.origin)

    def _complain(
        self, path: Path, place: Place, message: str, origin: Path, *, key: bool = False
    ) -> None:
        entry = place.entry
        if key and (not entry or any(c.entry for c in place.node.properties.values())):
            entry = path  # a key beside keys that are entries is its own entry
        if len(self.complaints) == MOST_FAULTS:
            raise TooManyFaults
        self.complaints.append(Complaint(path, message, entry, place.rule, origin, key))


def _is_absent(item: Any) -> bool:
    """Whether there is nothing behind a key, or one of YAML's words for nothing."""
    return item is None or (isinstance(item, str) and item.strip() in ("", "~", "null"))


def _is_short_list(node: Node, parts: Sequence[str]) -> bool:
    """Whether a text is a list of short forms where a list or a word may stand."""
    items = node.items if "array" in node.types else None
    return (
        items is not None
        and bool(items.short)
        and all(items.match_short(part) is not None for part in parts)
    )


def _mend_number(node: Node, text: str) -> Any:
    """Read `three` and `3 fleets` as the number that is meant, if a number is wanted."""
    groups = _COUNTED.fullmatch(text) if "integer" in node.types else None
    if groups is None:
        return _NO
    word = groups.group(1).casefold()
    if word in COUNTS:
        return COUNTS.index(word)
    return int(word) if _INTEGER.fullmatch(word) else _NO


def _mend_pairs(node: Node, text: str) -> dict[str, str | None] | None:
    """Read `advnce jump` as pairs of which the first has a slip in its key."""
    word, _, rest = text.partition(" ")
    key = suggest(word.rstrip(":="), node.keys.values()) if rest else None
    return split_pairs(node, f"{key} {rest}") if key else None


def _parse_plain(node: Node, text: str) -> Any:
    """Parse the text as a number, yes or no, or nothing, if one of these is wanted."""
    if "integer" in node.types and _INTEGER.fullmatch(text):
        return int(text)
    word = text.casefold()
    if "boolean" in node.types and word in _WORDS:
        return _WORDS[word]
    return None if "null" in node.types and word in _NOTHING else _NO


def _join_short_pair(node: Node, raw: Mapping[Any, Any]) -> str | None:
    """Restore the short form `C4-D5: 3`, which YAML takes for a mapping."""
    if not node.short or len(raw) != 1:
        return None
    (key, value), *_ = raw.items()
    text = f"{key} {value}"
    if fold(str(key)) in node.keys or isinstance(value, (dict, list)):
        return None
    return text if node.match_short(text) is not None else None
