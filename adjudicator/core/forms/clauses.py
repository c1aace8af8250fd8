"""Put a line into a form's words: polite words left out, several orders taken apart.

Nothing of it loosens what an order is: what comes out must be read exactly, to the last word.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from adjudicator.core.forms.coercion import COUNTS, Leniency
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.line_reader import TRAILING, LineReader, MergedLines, Raw
from adjudicator.core.forms.order_form import NO_ORDERS
from adjudicator.core.forms.schema import Node

_POLITE = re.compile(
    r"^(?:hi|hello|hey|please|ok(?:ay)?|so|well|and|then|also|next|now|finally|first|"
    r"additionally|furthermore|in addition(?: to (?:my|the|these) orders)?|"
    r"afterwards|after that|"
    r"i(?:'d| would) like(?: to(?: have)?)?|i(?:'ll| will)|i want to|let me|let's|"
    r"(?:my |the )?(?:orders?|plan)(?: for (?:turn \d+|this turn|now))?(?= is| are|:)(?: is| are)?)"
    r"\b[\s,:]*"
    r"|[\s,]*\b(?:please|thanks|thank you|thx|cheers|pls|again|now|too|then|as well|"
    r"this (?:turn|round|time|step)|"
    r"(?:and |then )*i(?:'m| am) (?:ready|done)|"
    r"if (?:possible|you can|i can|that works|there is (?:one|any)))[\s.!]*$"
    r"|\s*[:;]-?[)(D]\s*$",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^(?:i|we)\s+(?=[a-z]{3})", re.IGNORECASE)
_ARTICLE = re.compile(
    r"(?<=\s)(?:the|my|our|these|those|again|please|also|just|simply)\s+", re.IGNORECASE
)
_LEADING = re.compile(rf"^(?:the|my|our)\s+(?=(?:\d+|{'|'.join(COUNTS)})\b)", re.IGNORECASE)
_COUNT = re.compile(rf"\b(?:{'|'.join(COUNTS)})\b", re.IGNORECASE)
_NOTHING = re.compile(
    r"(?:(?:do|change|order) nothing|skip|no (?:orders?|changes?|actions?)|nothing(?= this))"
    r"(?: this (?:turn|round|time|step))?",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r"(?:do |order )?nothing (?:else|more)", re.IGNORECASE)
_JOINT = re.compile(
    r"\s*[,;.!]\s+(?:(?:and|then|also|plus|finally)\b\s*)*"
    r"|\s+(?:(?:and|then|also|plus|finally|&)(?=\s)\s*)+",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:if|unless|or|instead|otherwise|rather)\b|\?", re.IGNORECASE)
"""Words by which a clause depends on another, which may be the one that was not read."""
_MOST_CLAUSES = 8
_LONGEST = 200


def trim_politeness(text: str) -> str:
    """Leave out the polite words around what a line orders."""
    before = ""
    while before != text:
        before, text = text, _POLITE.sub("", text).strip()
    return TRAILING.sub("", text)


def reword(root: Node | None, text: str) -> str:
    """Say the same in the words of a form: `throw away the Gem World` is to discard it."""
    text = trim_politeness(_SPEAKER.sub("", trim_politeness(text)))
    text = _LEADING.sub("", text)
    text = _COUNT.sub(_write_digits, _ARTICLE.sub("", text))
    for pattern, words in root.also if root is not None else ():
        text = pattern.sub(words, text)
    return NO_ORDERS if _NOTHING.fullmatch(text) else _NO_MORE.sub("", text).strip()


def find_other_place(root: Node | None, text: str) -> str | None:
    """Find where an order belongs that is none of this form; None if it may be one, or prose."""
    bare = reword(root, text)
    places = root.not_here if root is not None else ()
    return next((place for pattern, place in places if pattern.fullmatch(bare)), None)


def _write_digits(word: re.Match[str]) -> str:
    return str(COUNTS.index(word.group().casefold()))


class ClauseReader:
    """Reads a line that gives its orders in other words, or several of them in a row."""

    def __init__(self, reader: LineReader, leniency: Leniency = Leniency.EXACT) -> None:
        self._reader = reader
        self._leniency = leniency

    def read(self, text: str, before: Raw | None) -> Raw | None:
        """Read a whole line; `before` is what the line above it gave."""
        starts, ends = self._split(text)
        return self._merge(self._read_from(text, starts, ends, before)) if starts else None

    def read_beginning(self, text: str) -> Raw | None:
        """Read the orders that a line begins with, whatever clauses stand behind them."""
        starts, ends = self._split(text)
        for count in range(len(starts) - 1, 0, -1):
            clauses = self._read_from(text, starts[:count], ends[:count], None)
            if clauses is not None:
                return self._merge(clauses)
        return None

    def read_among(self, text: str) -> Raw | None:
        """Read the clauses of a line that are orders, whatever others stand among them."""
        clauses = [raw for _, raw in self._walk(text) if raw] if not _UNSURE.search(text) else []
        return self._merge(clauses) if clauses else None

    def find_unread(self, text: str) -> str:
        """Find the first words of a line that are no order; the whole where none of it is one."""
        walked = list(self._walk(text))
        unread = next((words for words, raw in walked if raw is None), text)
        if len(walked) > 1:
            return unread
        words = text.split()
        lengths = range(len(words) - 1, 1, -1)
        read = (n for n in lengths if self._reader.read_whole(" ".join(words[:n])) is not None)
        return " ".join(words[next(read, 0) :])

    def _walk(self, text: str) -> Iterator[tuple[str, Raw | None]]:
        """Walk through the clauses of a line, as many at once as are an order together."""
        starts, ends = self._split(text)
        at = 0
        while at < len(starts):
            for count in range(len(starts) - at, 0, -1):
                words = text[starts[at] : ends[at + count - 1]]
                raw = self._read_clause(words, None)
                if raw is not None or count == 1:
                    yield words, raw
                    at += count
                    break

    def explain_misplaced(self, text: str) -> Iterator[str]:
        """Say of each clause that is an order of another step where it belongs."""
        for start, end in zip(*self._split(text), strict=True):
            place = find_other_place(self._reader.root, text[start:end])
            if place is not None:
                yield f'"{shorten(text[start:end], 60)}": {place}'

    def _split(self, text: str) -> tuple[list[int], list[int]]:
        """Find where clauses begin and end; none where a line is too long to be orders."""
        joints = list(_JOINT.finditer(text)) if len(text) <= _LONGEST else []
        if self._reader.root is None or len(text) > _LONGEST or len(joints) >= _MOST_CLAUSES:
            return [], []
        return [0, *(one.end() for one in joints)], [*(one.start() for one in joints), len(text)]

    def _merge(self, clauses: Sequence[Raw] | None) -> Raw | None:
        merged = MergedLines(self._reader)
        for one in clauses or ():
            merged.add(one, None)
        return merged.raw if merged.raw and not merged.conflicts else None

    def _read_from(
        self, text: str, starts: Sequence[int], ends: Sequence[int], before: Raw | None
    ) -> list[Raw] | None:
        """Read clause by clause, each as long as it can be; None if some words are left."""
        if not starts:
            return []
        for count in range(len(starts), 0, -1):
            raw = self._read_clause(text[starts[0] : ends[count - 1]], before)
            if raw is None:
                continue
            rest = self._read_from(text, starts[count:], ends[count:], raw or before)
            if rest is not None:
                return [raw, *rest]
        return None

    def _read_clause(self, text: str, before: Raw | None) -> Raw | None:
        """Read one clause; nothing stands in one that orders nothing: leave the rest."""
        root = self._reader.root
        bare = reword(root, text)
        if not bare or (root is not None and any(one.fullmatch(bare) for one in root.idle)):
            return {}
        read = self._reader.read_line(bare, self._leniency) or self._read_like(bare, before or {})
        if read is None:
            return {} if find_other_place(root, text) else None
        is_mended = self._leniency is Leniency.MENDING
        return dict(self._reader.type_keys(read, self._leniency)) if is_mended else read

    def _read_like(self, text: str, before: Mapping[str, object]) -> Raw | None:
        """Read a short form that leaves out what the one before it gave: `and 2 fleets to H3`."""
        for key, node in self._reader.root.properties.items() if self._reader.root else ():
            items = node.items
            groups = items.match_short(text) if items is not None and key in before else None
            if items is None or groups is None or any(map(groups.get, items.same)):
                continue
            same = self._find_same(key, items, before[key])
            if same is not None:
                entry = {name: one for name, one in groups.items() if one} | same
                return self._reader.check({key: [entry]}, Leniency.EXACT)
        return None

    def _find_same(self, key: str, items: Node, value: object) -> dict[str, str] | None:
        """Find what all these entries have in common of what may be left out behind them."""
        commons: list[dict[str, str]] = []
        for entry in self._reader.list_entries((key,), value) or ():
            groups = items.match_short(entry) if isinstance(entry, str) else entry
            commons.append({name: one for name in items.same if (one := (groups or {}).get(name))})
        is_one = bool(commons) and all(one == commons[0] for one in commons)
        return commons[0] if is_one and len(commons[0]) == len(items.same) > 0 else None
