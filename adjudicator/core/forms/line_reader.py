"""A line of words as an order: with its key, without it, or several orders in one line."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.finding import Finding, Path
from adjudicator.core.forms.coercion import Leniency
from adjudicator.core.forms.order_form import STANDING, Form, KnownNames, read_form
from adjudicator.core.forms.reading import Mark, Reading, Text, WrittenLine
from adjudicator.core.forms.schema import Node
from adjudicator.core.forms.short_forms import split_entries, split_pairs
from adjudicator.core.names import find_by_words, fold, suggest

Raw = dict[str, Any]
KEYED_LINE = re.compile(
    r"(?P<key>[A-Za-z][\w-]*(?: [\w-]+){0,2}?)\s*[:=]\s*(?P<rest>.*)", re.DOTALL
)
TRAILING = re.compile(r"[\s.!,;]+$")
_IN_QUOTES = re.compile(r"[\"'*_]*([^\"'*_]+)[\"'*_]+[.!]*")
_TRAILING_BUT_BANG = re.compile(r"[\s.,;]+$")
_WORD = re.compile(r"[\w'-]+")
_SPACE = re.compile(r"[A-Za-z]\d{1,2}")
_BETWEEN_NAMES = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|with|for)\s+", re.IGNORECASE)
_BETWEEN_KEYS = re.compile(
    r"(,(?:\s*and\b(?=\s+[a-z][\w-]*\s*[:=]))?|\s(?:and|&)(?=\s+[a-z][\w-]*\s*[:=]))", re.IGNORECASE
)
"""A comma, or a word for it before a key with its colon."""
_ADDRESSEE = "addressee"
"""What the envelope calls those whom one may write to: `all` and `gm` are no things of a game."""
_FILLER = re.compile(r"^(?:from|with|to|at|on)\s+", re.IGNORECASE)


class FreeForms(Struct, frozen=True, kw_only=True):
    """What lines may give: the form that is due, if any, and some keys of the envelope."""

    form: Form | None
    envelope: Form
    keys: frozenset[str]
    """Those of the envelope that count."""
    names: KnownNames
    guess: Callable[[str], Document | None] = lambda _: None
    """Guesses what a sentence orders, from the position."""


class LineReader:
    """Reads a line as the orders of a form, or as keys of its envelope."""

    def __init__(self, forms: FreeForms) -> None:
        self._forms = forms
        root = forms.form.root if forms.form else None
        self.root = root
        self.keys: dict[str, str] = dict(root.keys) if root else {}
        for key in sorted(forms.keys):
            self.keys.setdefault(fold(key), key)
        self.below = _find_unique_keys(root, self.keys) if root else {}
        properties = root.properties if root else {}
        self.stopping_keys = {key for key, node in properties.items() if node.stops is not None}
        """Lists done in order, of which a refused entry takes with it what follows."""
        self.guess = forms.guess
        things = (names for noun, names in forms.names.items() if noun != _ADDRESSEE)
        self._names = [one for names in things for one in names]
        self._things = set(map(fold, self._names))
        self._numbered = {one for one in self._things if any(map(str.isdigit, one))}
        self._people = set(map(fold, forms.names.get(_ADDRESSEE, ())))

    def is_order(self, key: str) -> bool:
        """Whether a key belongs to the orders, not to the envelope around them."""
        return self.root is not None and key in self.root.properties

    def is_person(self, name: str) -> bool:
        """Whether this is a name by which messages go to somebody."""
        return fold(name) in self._people

    def names_something(self, text: str, *, keys: bool = False, people: bool = True) -> bool:
        """Whether a thing of the game is named behind the first word, or a space of its map.

        With `keys` the word of an order of the form is a thing, too, and so are `people` with it.
        """
        words = _WORD.findall(text)[1:]
        pairs = [f"{one} {other}" for one, other in pairwise(words)]
        things = self._things | (self.root.keys.keys() if keys and self.root else set())
        things = things if people else things - self._people
        return not things.isdisjoint(map(fold, (*words, *pairs))) or any(
            _SPACE.fullmatch(one) for one in words
        )

    def names_card(self, text: str) -> bool:
        """Whether a card is named by its number, as nobody does who only talks: n03."""
        return not self._numbered.isdisjoint(map(fold, _WORD.findall(text)))

    def read_line(self, text: str, bare: Leniency) -> Raw | None:
        """Read a line as one order, or as several with commas or semicolons between them."""
        return self.read_one(text, bare) or self._read_several(text, bare)

    def read_whole(self, text: str) -> Raw | None:
        """Read a line as it stands, without what ends its sentence."""
        read = (self.read_line(one, Leniency.EXACT) for one in list_bare_texts(text))
        return next((raw for raw in read if raw is not None), None)

    def read_one(self, text: str, bare: Leniency) -> Raw | None:
        keyed = KEYED_LINE.fullmatch(text)
        if keyed is not None and keyed["rest"]:
            closer = Leniency.USUAL if bare is Leniency.EXACT else bare
            raw = self.read_key(keyed["key"], keyed["rest"], closer)
            if raw is not None:
                return raw
        return self._read_bare(text, bare)

    def _read_several(self, text: str, bare: Leniency) -> Raw | None:
        parts = [one.strip() for one in text.split(";") if one.strip()]
        if len(parts) == 1:
            parts = self._split_at_keys(text)
        if len(parts) < 2:
            return None
        merged = MergedLines(self)
        for part in parts:
            raw = self.read_one(part, bare) or (
                self._read_several(part, bare) if "," in part else None
            )
            if raw is None:
                return None
            merged.add(raw, None)
        return merged.raw if not merged.conflicts else None

    def _split_at_keys(self, text: str) -> list[str]:
        """Split a line at the commas, and the words for them, behind which another order begins."""
        parts: list[str] = []
        pieces = ["", *_BETWEEN_KEYS.split(text)]
        for joint, piece in zip(pieces[::2], pieces[1::2], strict=True):
            first = re.match(r"\s*([A-Za-z][\w-]*)", piece)
            begins = first is not None and (
                fold(first[1]) in self.keys or fold(first[1]) in self.below
            )
            if parts and not begins:
                parts[-1] += f"{joint}{piece}"
            else:
                parts.append(piece)
        return [one.strip() for one in parts if one.strip()]

    def is_made_of_names(self, text: str) -> bool:
        """Whether every part of an enumeration has words of the game's names only."""
        parts = [one for one in _BETWEEN_NAMES.split(text) if one]
        return bool(parts) and all(find_by_words(one, self._names) for one in parts)

    # keys

    def read_key(self, text: str, value: Any, leniency: Leniency) -> Raw | None:
        """Read a value under a key, of the form or below one of its blocks."""
        word = fold(text)
        if word in self.keys:
            return self.check({self.keys[word]: value}, leniency)
        if word in self.below:
            key, below = self.below[word]
            return self.check({key: {below: value}}, leniency)
        return None

    def read_entry(self, entry: Any) -> Raw | None:
        """Read an entry in braces, `{do: fly, to: anno}`, where one list alone has such entries."""
        if self.root is None or not isinstance(entry, dict) or not entry:
            return None
        keys = {fold(str(key)) for key in entry}
        readings = [
            raw
            for key, node in self.root.properties.items()
            if node.items is not None and keys <= set(node.items.keys)
            if (raw := self.check({key: [entry]}, Leniency.USUAL)) is not None
        ]
        return readings[0] if len(readings) == 1 else None

    def read_keys(self, keys: Any) -> Raw | None:
        """Read whole orders in braces, {"build": 3}, as a program writes them."""
        if not isinstance(keys, dict) or not keys:
            return None
        read = [self.read_key(str(key), value, Leniency.USUAL) for key, value in keys.items()]
        merged = MergedLines(self)
        for raw in read:
            merged.add(raw or {}, None)
        return merged.raw if all(read) and not merged.conflicts else None

    def _read_bare(self, text: str, leniency: Leniency) -> Raw | None:
        """Read words without a colon, where exactly one thing can be meant."""
        readings: dict[str, Raw] = {}
        for raw in self._list_bare(text, leniency):
            reading = self.check(raw, leniency)
            if reading is not None:
                readings.setdefault(repr(self.type_keys(reading, leniency)), reading)
        return next(iter(readings.values())) if len(readings) == 1 else None

    def _list_bare(self, text: str, leniency: Leniency) -> Iterator[Raw]:
        root = self.root
        if root is None:
            return
        for key, node in root.properties.items():
            items = node.items
            entries = split_entries(items, text) if items is not None and items.short else []
            if entries and all(items.match_short(one) is not None for one in entries if items):
                yield {key: entries}
        for short in root.lines:
            groups = short.pattern.fullmatch(text)
            values = {**short.gives, **groups.groupdict()} if groups else {}
            orders = {key: one for key, one in values.items() if one is not None}
            if orders and self._are_listed(root.listed, orders, leniency):
                yield orders
        yield from self._list_keyless(root, text)

    def _are_listed(self, lists: Mapping[str, str], orders: Raw, leniency: Leniency) -> bool:
        """Whether each group that must be on a list of names is."""
        for key in lists.keys() & orders.keys():
            names = self._forms.names.get(lists[key], ())
            folded_names = {fold(one) for one in names}
            if fold(orders[key]) in folded_names:
                continue
            if leniency is not Leniency.MENDING or suggest(orders[key], names) is None:
                return False
        return True

    def _list_keyless(self, root: Node, text: str) -> Iterator[Raw]:
        words = text.split()
        for length in range(1, min(4, len(words)) + 1):
            name, rest = fold(" ".join(words[:length])), " ".join(words[length:])
            key = self.keys.get(name)
            if key is not None and key in root.properties:
                node = root.properties[key]
                if not rest and node.types == ("boolean",):
                    yield {key: "yes"}
                elif rest and _may_be_keyless(node):
                    yield {key: rest}
                    yield {key: _FILLER.sub("", rest)}
            elif name in self.below and rest and self.below[name][0] != STANDING:
                above, below = self.below[name]
                yield {above: {below: rest}}
                yield {above: text}

    def list_entries(self, path: Sequence[str], value: Any) -> list[Any] | None:
        """List the entries of a value, where the form takes a list at its place."""
        key, node = path[0], self.root
        for part in path:
            node = node.properties.get(part) if node else None
        if key == "press":
            return [value] if isinstance(value, dict) else list(value)
        if node is None or node.items is None or "array" not in node.types:
            return None
        if isinstance(value, str):
            return list(split_entries(node.items, value))
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def split_block(self, key: str, value: Any) -> Raw | None:
        """Split what stands behind a key into the keys of its block; None if it takes no block."""
        node = self.root.properties.get(key) if self.root else None
        if isinstance(value, str) and node is not None and "object" in node.types:
            return split_pairs(node, value)
        return value if isinstance(value, dict) else None

    # whether it can be read

    def reads(self, raw: Raw) -> bool:
        """Whether these keys can be read as they are."""
        return not self.explain_fault(raw, Leniency.USUAL)

    def check(self, raw: Raw, leniency: Leniency) -> Raw | None:
        return raw if not self.explain_fault(raw, leniency) else None

    def explain_fault(self, raw: Raw, leniency: Leniency) -> str:
        """Say why this cannot be read; empty if it can."""
        (key,) = raw if len(raw) == 1 else (None,)
        reading = self._reading(raw, leniency)
        faults = [one for one in reading.findings if key is None or _concerns(one, key)]
        if faults:
            return faults[0].message
        orders = reading.orders or {}
        empty = [one for one, value in raw.items() if value in ([], {})]
        if reading.findings or all(
            orders.get(one) not in (None, [], {}) or one in empty for one in raw
        ):
            return ""  # what is left is about keys that other lines may give
        return "nothing stands behind it"

    def type_keys(self, raw: Raw, leniency: Leniency) -> Any:
        return self._reading(raw, leniency).orders

    def _reading(self, raw: Raw, leniency: Leniency) -> Reading:
        forms = self._forms
        inside = forms.form is not None and all(fold(key) in forms.form.root.keys for key in raw)
        if inside and forms.form is not None:
            return read_form(forms.form, Text(value=raw), forms.names, leniency)
        return read_form(forms.envelope, Text(value=raw), forms.names, leniency)


def list_bare_texts(text: str) -> list[str]:
    """List a line without what ends its sentence: its last sign may be a name's own, as water!"""
    whole = _IN_QUOTES.fullmatch(text)
    bare = dict.fromkeys(
        end.sub("", whole[1].strip() if whole else text) for end in (_TRAILING_BUT_BANG, TRAILING)
    )
    return [one for one in bare if one]


class MergedLines:
    """Several lines together, as if they stood in one form."""

    def __init__(self, reader: LineReader) -> None:
        self.raw: Raw = {}
        self.marks: dict[Path, Mark] = {}
        self.conflicts: list[str] = []
        self.dropped: set[str] = set()
        self._reader = reader
        self._last: dict[str, int] = {}

    def add(self, raw: Raw, line: WrittenLine | None) -> None:
        for key, value in raw.items():
            if key in self.dropped:
                continue
            mark = Mark(line.number, 1) if line else None
            if key not in self.raw:
                self._put(key, value, mark)
            elif self.raw[key] != value or self._goes_on(key, line):
                self._join(key, value, mark)
            self._last[key] = line.number if line else 0

    def _goes_on(self, key: str, line: WrittenLine | None) -> bool:
        """Whether the same action stands right below itself: it is to be done twice."""
        is_next = line is not None and line.number - self._last[key] == 1
        return is_next and key in self._reader.stopping_keys

    def _put(self, key: str, value: Any, mark: Mark | None) -> None:
        self.raw[key] = value
        if mark:
            self.marks[(key,)] = mark
            for path in _list_paths(value, (key,)):
                self.marks[path] = mark

    def _join(self, key: str, value: Any, mark: Mark | None) -> None:
        before = self.raw[key]
        first, more = self._list_both((key,), before, value)
        if first and more and self._reader.reads({key: [*first, *more]}):
            self.raw[key] = [*first, *more]
            if (whole := self.marks.get((key,))) is not None:
                self.marks |= {(key, n): self.marks.get((key, n), whole) for n in range(len(first))}
            if mark:
                self.marks |= {(key, n): mark for n in range(len(first), len(first) + len(more))}
        elif (block := self._join_blocks(key, before, value)) is not None:
            self.raw[key] = block
            if mark:
                self.marks |= {(key, below): mark for below in block if below not in before}
        else:
            self.dropped.add(key)
            del self.raw[key]
            self.conflicts.append(f'"{key}" is given twice, differently, so neither was taken')

    def _list_both(self, path: Sequence[str], *values: Any) -> list[list[Any] | None]:
        return [self._reader.list_entries(path, one) for one in values]

    def _join_blocks(self, key: str, before: Any, value: Any) -> Raw | None:
        """Join two blocks; a list that both give is one with the entries of both."""
        before, value = (self._reader.split_block(key, one) for one in (before, value))
        if before is None or value is None:
            return None
        block = {**before, **value}
        for below in before.keys() & value:
            first, more = self._list_both((key, below), before[below], value[below])
            if not first or not more:
                return None
            block[below] = [*first, *more]
        return block if self._reader.reads({key: block}) else None


def _list_paths(value: Any, path: Path) -> Iterator[Path]:
    pairs: Sequence[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for key, below in pairs:
        yield (*path, key)
        yield from _list_paths(below, (*path, key))


def _concerns(finding: Finding, key: str) -> bool:
    return finding.path[:1] == (key,)


def _find_unique_keys(root: Node, keys: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Find the keys below the form's blocks that mean one thing only: `advance`, `targets`."""
    places: dict[str, list[tuple[str, str]]] = {}
    for key, node in root.properties.items():
        for below in node.properties if "object" in node.types and node.items is None else ():
            places.setdefault(fold(below), []).append((key, below))
    return {name: one[0] for name, one in places.items() if len(one) == 1 and name not in keys}


def _may_be_keyless(node: Node) -> bool:
    """Whether words without a colon may be a value: not where any words would do."""
    items = node.items
    return items is None or items.types != ("object",) or bool(items.short)
