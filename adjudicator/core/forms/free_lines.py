"""Orders written as lines of a letter, outside any form: read where there is only one reading.

A line counts only as a whole. What is no order is passed over; what looked like one is listed with
the reason, or with what its writer probably meant.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.forms.clauses import ClauseReader, find_other_place, trim_politeness
from adjudicator.core.forms.coercion import Leniency
from adjudicator.core.forms.line_reader import (
    KEYED_LINE,
    TRAILING,
    FreeForms,
    LineReader,
    MergedLines,
    Raw,
    list_bare_texts,
)
from adjudicator.core.forms.reading import FreeReading, Slip, Text, WrittenLine
from adjudicator.core.forms.sentences import CLOSING, GREETING
from adjudicator.core.forms.slips import SlipFinder
from adjudicator.core.names import fold

_NEXT = re.compile(r"(?:and |also |then |next|after|second|finally)", re.IGNORECASE)
_NAME = re.compile(r"[A-Z]\w+\.?")
_LONGEST = 400
_MOST_LINES = 100
_MOST_ODD = 10


def read_free_lines(forms: FreeForms, lines: Sequence[WrittenLine]) -> FreeReading:
    """Read the lines of a letter that give orders or requests."""
    return _Letter(LineReader(forms), lines[:_MOST_LINES]).read()


def mend_form(forms: FreeForms, block: Mapping[Any, Any]) -> dict[str, Any]:
    """Read what the writer of a form with faults in it seems to mean."""
    return SlipFinder(LineReader(forms)).mend_block(block)


class _Found(Struct, frozen=True):
    raw: Raw
    lines: int = 1
    is_reworded: bool = False
    """Whether it was read only in the words of the form."""
    word: bool = False
    """A single word, which counts only where it stands apart from sentences."""


def _explain_clashes(whole: MergedLines, slips: Mapping[int, Slip]) -> list[str]:
    """Explain why slips are not asked about that would contradict what else the letter gives."""
    return [
        f'"{slip.text}": `{key}` is given otherwise in your letter'
        for slip in slips.values()
        for key in slip.meant
        if key in whole.dropped
    ]


class _Letter:
    def __init__(self, reader: LineReader, lines: Sequence[WrittenLine]) -> None:
        self._reader = reader
        self._clauses = ClauseReader(reader)
        self._lines = lines

    def read(self) -> FreeReading:
        chunks = self._find_all()
        places = [at for at in chunks if self._stands_apart(at, chunks)]
        inside = {n for at in places for n in range(at, at + chunks[at].lines)}
        rest = {n: line.text for n, line in enumerate(self._lines) if n not in inside}
        finder = SlipFinder(self._reader)
        slips, odd = finder.look_at(rest)
        places = self._ask_what_goes_on(finder, chunks, places, rest, slips, odd)
        self._set_aside_actions(chunks, places, slips, odd)
        merged = MergedLines(self._reader)
        for at in places:
            merged.add(self._leave_out_later(chunks[at].raw, at, slips), self._lines[at])
        self._set_aside_repeated(finder, merged.raw, slips, odd)
        whole = self._merge_as_meant({at: chunks[at].raw for at in places}, slips)
        gives_orders = any(map(self._reader.is_order, merged.raw))
        return FreeReading(
            text=Text(value=merged.raw or None, marks=merged.marks, keys=merged.marks),
            taken=tuple(sorted(inside)),
            slips=tuple(slips.values()) if whole.raw and not whole.conflicts else (),
            meant=whole.raw if slips and not whole.conflicts else None,
            odd=(
                *merged.conflicts,
                *_explain_clashes(whole, slips),
                *odd.values(),
                *self._explain_misplaced(places),
            )[:_MOST_ODD],
            is_incomplete=any(map(self._reader.is_order, merged.dropped | whole.dropped))
            or any(not finder.is_beside(rest[at], gives_orders=gives_orders) for at in odd),
        )

    def _ask_what_goes_on(
        self,
        finder: SlipFinder,
        chunks: Mapping[int, _Found],
        places: Sequence[int],
        rest: Mapping[int, str],
        slips: dict[int, Slip],
        odd: dict[int, str],
    ) -> list[int]:
        """Ask about sentences that change what the one above orders; return what stays taken."""
        for at in places:
            behind = at + chunks[at].lines
            if behind in slips or not (behind in odd or finder.goes_on(rest.get(behind, ""))):
                continue
            above, below = (self._lines[one].text for one in (at, behind))
            slip = finder.guess_slip(f"{list_bare_texts(above)[0]}, {below}")
            if slip is not None and chunks[at].lines == 1:
                slips[at] = slip
                odd.pop(behind, None)
            else:
                odd.setdefault(behind, finder.name_unread(below))
        return [at for at in places if at not in slips]

    def _explain_misplaced(self, places: Sequence[int]) -> Iterator[str]:
        """Say where orders of another step belong that stand beside some of this one."""
        for at in places:
            if self._reader.read_whole(self._lines[at].text) is None:
                yield from self._clauses.explain_misplaced(self._lines[at].text)

    def _set_aside_actions(
        self,
        chunks: Mapping[int, _Found],
        places: Sequence[int],
        slips: dict[int, Slip],
        odd: dict[int, str],
    ) -> None:
        """Set aside what may be one more entry of a list done in order that a form gives whole."""
        keyed = (KEYED_LINE.fullmatch(self._lines[at].text) for at in places)
        keys = {self._reader.keys.get(fold(one["key"])) for one in keyed if one}
        whole_lists = keys & self._reader.stopping_keys
        for at in [one for one, slip in slips.items() if whole_lists & slip.meant.keys()]:
            if at not in chunks:
                key = next(iter(whole_lists & slips[at].meant.keys()))
                odd[at] = f'"{slips.pop(at).text}": your letter lists its `{key}` elsewhere'

    def _set_aside_repeated(
        self, finder: SlipFinder, raw: Raw, slips: dict[int, Slip], odd: dict[int, str]
    ) -> None:
        """Set aside what only says again what is given, but for the words not understood in it."""
        orders = self._reader.type_keys(raw, Leniency.USUAL) or {} if slips else {}
        for at, slip in [*slips.items()]:
            if all(orders.get(key) == one for key, one in slip.meant.items()):
                del slips[at]
                if slip.is_part:
                    odd[at] = finder.name_unread(slip.text)

    def _leave_out_later(self, raw: Raw, at: int, slips: Mapping[int, Slip]) -> Raw:
        """Leave out entries of a list done in order that come after one with a slip in it."""
        stops = self._reader.stopping_keys
        uncertain_keys = {
            key for n, slip in slips.items() if n < at for key in slip.meant if key in stops
        }
        return {key: value for key, value in raw.items() if key not in uncertain_keys}

    def _merge_as_meant(self, orders: Mapping[int, Raw], slips: Mapping[int, Slip]) -> MergedLines:
        """Merge what was given and what the slips mean, in the order of the lines."""
        merged = MergedLines(self._reader)
        for at in sorted({*orders, *slips}):
            raw = orders[at] if at in orders else dict(slips[at].meant)
            merged.add(raw, self._lines[at])
        return merged

    # whole lines

    def _find_all(self) -> dict[int, _Found]:
        chunks: dict[int, _Found] = {}
        at = 0
        while at < len(self._lines):
            above = next((one for one in chunks if one + chunks[one].lines == at), None)
            one = self._find_at(at, None if above is None else chunks[above].raw)
            adds = above is not None and (one is None or self._may_add(one, at))
            longer = self._go_on(above, chunks[above], at) if adds and above is not None else None
            if above is not None and longer is not None:
                chunks[above] = longer
            elif one is not None:
                chunks[at] = one
            at += one.lines if one else 1
        return chunks

    def _may_add(self, one: _Found, at: int) -> bool:
        """Whether an order in other words may as well be a wish for the one above: `Take fame.`"""
        return one.is_reworded and not _NEXT.match(self._lines[at].text)

    def _find_at(self, at: int, before: Raw | None) -> _Found | None:
        line = self._lines[at]
        text = TRAILING.sub("", line.text)
        if not text or len(text) > _LONGEST:
            return None
        keyed = KEYED_LINE.fullmatch(line.text)
        if keyed is not None:
            chunk = self._read_chunk(keyed["key"], line) or self._read_below(keyed, at)
            if chunk is not None:
                return chunk
        is_reworded = False
        if line.value is not None and line.text.startswith("{"):
            (entry,) = line.value.value.values()
            raw = self._reader.read_entry(entry) or self._reader.read_keys(entry)
        else:
            raw = self._reader.read_whole(line.text)
            is_reworded = raw is None
            raw = raw or self._clauses.read(text, before)
        if raw is None:
            return None
        return _Found(
            raw,
            is_reworded=is_reworded,
            word=len(trim_politeness(text).split()) == 1 and keyed is None,
        )

    def _go_on(self, above: int, chunk: _Found, at: int) -> _Found | None:
        """Read a sentence that adds to the last order above it: `Mark fame, else water.`"""
        first, more = (self._lines[one].text for one in (above, at))
        if chunk.lines > 1 or not more or not all(map(self._reader.is_order, chunk.raw)):
            return None
        if find_other_place(self._reader.root, more) is not None:
            return None
        text = f"{list_bare_texts(first)[0]}, {more}"
        raw = self._reader.read_whole(text) or self._clauses.read(text, None)
        if raw is None or raw == chunk.raw or raw.keys() != chunk.raw.keys():
            return None
        before, after = (
            [len(self._reader.list_entries((key,), one.get(key, ())) or ()) for key in chunk.raw]
            for one in (chunk.raw, raw)
        )
        return _Found(raw, lines=2) if before == after else None

    def _stands_apart(self, at: int, chunks: Mapping[int, _Found]) -> bool:
        if not chunks[at].word:
            return True
        above = self._lines[at - 1] if at else None
        before = above is None or above.ends or not above.text or GREETING.fullmatch(above.text)
        below = self._lines[at + 1].text if at + 1 < len(self._lines) else ""
        is_name = _NAME.fullmatch(below) and not any(one.text for one in self._lines[at + 2 :])
        after = not below or self._lines[at].ends or bool(CLOSING.fullmatch(below) or is_name)
        ordered = any(n <= at - 1 < n + one.lines for n, one in chunks.items())
        return bool(before or ordered) and (after or at + 1 in chunks)

    def _read_chunk(self, word: str, line: WrittenLine) -> _Found | None:
        """Read the YAML that begins on this line."""
        if line.value is None or len(line.value.value) != 1:
            return None
        (value,) = line.value.value.values()
        raw = self._reader.read_key(word, value, Leniency.USUAL) if value is not None else None
        return None if raw is None else _Found(raw, lines=line.lines)

    def _read_below(self, keyed: "re.Match[str]", at: int) -> _Found | None:
        """Read a key with nothing behind it, and the lines below it as its entries."""
        if TRAILING.sub("", keyed["rest"]):
            return None
        key, read = keyed["key"], self._reader.read_key
        entries: list[str] = []
        raw: Raw | None = None
        for line in self._lines[at + 1 :]:
            for text in list_bare_texts(line.text):
                values = [*entries, text]
                longer = read(key, values, Leniency.EXACT)
                longer = longer or read(key, ", ".join(values), Leniency.EXACT)
                if longer is not None:
                    break
            else:
                break
            raw = longer
            entries.append(text)
        return None if raw is None else _Found(raw, lines=1 + len(entries))
