"""A set of orders one by one, as a receipt shows it: as written, in words, and how it stands."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.core.finding import Finding, Grade, Path, format_path
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.order_form import leave_out_entries
from adjudicator.core.forms.reading import Mark, Reading, Text
from adjudicator.core.names import fold

Say = Callable[[Path, Any], str]
"""What stands at a place of the form, in plain words (describe_entry)."""

FINE = "fine"
NOT_TAKEN = "not taken"
"""Nothing is wrong with it, but it falls with one that is refused."""
NOT_ON_FILE = ("refused", NOT_TAKEN)
_MARKS = {
    Grade.UNREADABLE: "refused",
    Grade.REFUSED: "refused",
    Grade.DOOMED: "will fail",
    Grade.DOUBTFUL: "may fail",
}
_LONGEST = 300
"""So much is quoted of what could not be read; its writer has it all."""
Placed = tuple[tuple[int, int, int], dict[str, Any]]
"""An entry, and where it sorts."""
_NESTED = (list, tuple, Mapping)
_ODDS = attrgetter("odds")
_WORST = (Grade.UNREADABLE, Grade.REFUSED, Grade.DOOMED, Grade.DOUBTFUL)


def split_orders(orders: Document) -> dict[Path, Any]:
    """Split the orders of a form by place: list entries and keys of a block, each on its own."""
    units: dict[Path, Any] = {}
    for key, value in orders.items():
        block = value.items() if isinstance(value, Mapping) else ((None, value),)
        for below, one in block:
            path: Path = (key,) if below is None else (key, below)
            if isinstance(one, list | tuple) and any(isinstance(entry, Mapping) for entry in one):
                units.update({(*path, number): entry for number, entry in enumerate(one)})
            else:
                units[path] = one
    return units


def leave_out(orders: Document, paths: Sequence[Path]) -> tuple[Document, dict[Path, Path]]:
    """Leave these entries and empty lists out of the orders; return where the rest stood before."""
    rest, places = leave_out_entries(orders, paths) if paths else (orders, ())
    items = (rest or {}).items()
    return {key: one for key, one in items if one or not isinstance(one, _NESTED)}, dict(places)


def describe_entries(
    orders: Document,
    reading: Reading,
    text: Text,
    findings: Sequence[Finding],
    fallen: Sequence[Path],
    say: Say,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Describe the entries, and the faults that belong to none, in the order of writing."""
    units = split_orders(orders)
    by_place: dict[Path, list[Finding]] = defaultdict(list)
    rest: list[Finding] = []
    for finding in findings:
        place = _find_unit(finding.path, units)
        (rest if place is None else by_place[place]).append(finding)
    paths = {mark: path for path, mark in text.marks.items()}
    pairs: list[Placed] = []
    for path, value in units.items():
        mark = reading.marks.get(path)
        place = _find_place(path, mark, text, paths) if mark is not None else None
        source = _find_value(text.value, place) if place is not None else None
        if isinstance(source, str):
            source = _leave_key_out(source, path)
        is_quoted = isinstance(source, str) and not isinstance(value, bool)  # yes needs no "true"
        words = say(path, value)
        entry = {
            "key": _name_entry(path),
            "written": source if is_quoted and fold(words) not in fold(str(source)) else None,
            "words": words,
            "mark": _mark_of(path, by_place[path], fallen),
            "odds": max(filter(None, map(_ODDS, by_place[path])), default=None),
            "faults": describe_faults(by_place[path], mark),
        }
        pairs.append((_order_mark(mark), entry))
    if reading.findings:
        pairs += _describe_refused(reading, text, say)
    pairs.sort(key=itemgetter(0))
    entries = [{"n": n, **entry} for n, (_, entry) in enumerate(pairs, start=1)]
    return entries, describe_faults(rest)


def _find_place(path: Path, mark: Mark, text: Text, paths: Mapping[Mark, Path]) -> Path | None:
    """Find where an entry stood in the text, its own key first: a line may give several keys."""
    for length in range(len(path), 0, -1):
        if text.marks.get(path[:length]) == mark:
            return path[:length]
    return paths.get(mark)


def _mark_of(path: Path, findings: Sequence[Finding], fallen: Sequence[Path]) -> str:
    """Find how an entry stands, by the worst of its findings."""
    if findings:
        return _MARKS[min(findings, key=lambda one: _WORST.index(one.grade)).grade]
    if fallen and any(path[: len(place)] == place for place in fallen):
        return NOT_TAKEN
    return FINE


def describe_faults(findings: Sequence[Finding], mark: Mark | None = None) -> list[dict[str, Any]]:
    """Describe findings for receipts; `mark` is the place of those without a line."""
    return list(map(describe_finding, findings, repeat(mark)))


def describe_finding(finding: Finding, mark: Mark | None = None) -> dict[str, Any]:
    """Describe a finding for a receipt."""
    if finding.line is None and mark is not None:
        finding = replace(finding, line=mark.line, column=mark.column)
    return {
        "grade": str(finding.grade),
        "message": finding.message,
        "rule": finding.rule or None,
        "where": _describe_place(finding),
        "line": finding.line,
        "column": finding.column,
    }


def _describe_place(finding: Finding) -> str:
    """Describe the place as its writer finds it: a line for orders on file, else also the key."""
    line = f"line {finding.line}" if finding.line else ""
    on_file = finding.grade in (Grade.DOOMED, Grade.DOUBTFUL)
    column = f"column {finding.column}" if finding.line and not finding.path else ""
    place = "" if on_file else format_path(finding.path) or column
    return ", ".join(part for part in (line, place) if part)


def _find_unit(path: Path, units: Mapping[Path, object]) -> Path | None:
    for length in range(len(path), 0, -1):
        if path[:length] in units:
            return path[:length]
    return next((unit for unit in units if path and unit[: len(path)] == path), None)


def _describe_refused(reading: Reading, text: Text, say: Say) -> list[Placed]:
    """Describe the entries that could not be read, faults of one entry together."""
    groups: dict[Path, list[Finding]] = {}
    for finding in reading.findings:
        groups.setdefault(finding.entry or finding.path, []).append(finding)
    pairs: list[Placed] = []
    for path, findings in groups.items():
        first = findings[0]
        mark = Mark(first.line, first.column or 0) if first.line else None
        source = _find_value(text.value, path)
        entry = {
            "key": shorten(_name_entry(path), _LONGEST),
            "written": shorten(source, _LONGEST) if isinstance(source, str) else None,
            "words": shorten(say(path, source), _LONGEST) if source is not None else "",
            "mark": _MARKS[Grade.REFUSED],
            "odds": None,
            "faults": describe_faults(findings),
        }
        pairs.append((_order_mark(mark), entry))
    return pairs


def _name_entry(path: Path) -> str:
    return " ".join(part.replace("_", " ") for part in path if isinstance(part, str))


def _leave_key_out(source: str, path: Path) -> str:
    """Leave out of a writer's words the key that stands before them: `advance jump`."""
    first, _, rest = source.partition(" ")
    return rest if rest and len(path) > 1 and fold(first) == fold(str(path[-1])) else source


def _order_mark(mark: Mark | None) -> tuple[int, int, int]:
    return (0, mark.line, mark.column) if mark else (1, 0, 0)


def _find_value(value: Any, path: Path) -> Any:
    """Find what the writer wrote at a place; keys as they are matched."""
    for part in path:
        if isinstance(value, Mapping):
            folded_key, below = fold(str(part)), value
            value = None
            for key, one in below.items():
                if fold(str(key)) == folded_key:
                    value = one
                    break
        elif isinstance(value, list | tuple) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return value if isinstance(value, str) else None
    return value
