"""A set of orders one by one, as a receipt shows it: as written, in words, and how it stands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.finding import Finding, Grade, Path, path_text
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.reading import Mark, Reading, Text
from adjudicator.core.names import fold

Say = Callable[[Path, Any], str]
"""What stands at a place of the form, in plain words (Kind.said)."""

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
_MOST_SAID = 300
"""Signs of what could not be read that are told; its writer has it all."""
_WORST = (Grade.UNREADABLE, Grade.REFUSED, Grade.DOOMED, Grade.DOUBTFUL)


class Unit(Struct, frozen=True):
    """One order: where it stands in the form, and what it says."""

    path: Path
    value: Any


def split_units(orders: Document) -> tuple[Unit, ...]:
    """The orders of a form, one by one: list entries and the keys of a block each on their own."""
    return tuple(unit for key, value in orders.items() for unit in _below((key,), value))


def _below(path: Path, value: Any) -> Iterator[Unit]:
    if isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value):
        yield from (Unit((*path, number), one) for number, one in enumerate(value))
    elif isinstance(value, Mapping) and len(path) == 1:
        for key, one in value.items():
            yield from _below((*path, key), one)
    else:
        yield Unit(path, value)


def leave_out(orders: Document, gone: Sequence[Path]) -> tuple[Document, dict[Path, Path]]:
    """The orders without these entries; and for each list entry left where it stood before."""
    moved: dict[Path, Path] = {}
    left: dict[str, Any] = {}
    for key, value in orders.items():
        if (key,) in gone or () in gone:
            continue
        if isinstance(value, list | tuple):
            kept = [number for number in range(len(value)) if (key, number) not in gone]
            moved.update({(key, new): (key, old) for new, old in enumerate(kept)})
            if kept:
                left[key] = [value[number] for number in kept]
        elif isinstance(value, Mapping):
            inner = {sub: one for sub, one in value.items() if (key, sub) not in gone}
            if inner:
                left[key] = inner
        else:
            left[key] = value
    return left, moved


def describe_entries(
    orders: Document,
    reading: Reading,
    text: Text,
    findings: Sequence[Finding],
    fallen: Sequence[Path],
    say: Say,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The entries and the faults that belong to none; in the order in which they were written."""
    known = split_units(orders)
    by_unit: dict[Path, list[Finding]] = {unit.path: [] for unit in known}
    rest: list[Finding] = []
    for finding in findings:
        place = _unit_of(finding.path, by_unit)
        (rest if place is None else by_unit[place]).append(finding)
    written = {mark: path for path, mark in text.marks.items()}
    made = [
        _entry(unit, say(unit.path, unit.value), reading, text, written, by_unit[unit.path], fallen)
        for unit in known
    ]
    made += _refused(reading, text, say)
    made.sort(key=lambda pair: pair[0])
    entries = [{"n": n, **entry} for n, (_, entry) in enumerate(made, start=1)]
    return entries, [describe_finding(one) for one in rest]


def describe_finding(finding: Finding) -> dict[str, Any]:
    """A finding as receipts tell it."""
    return {
        "grade": str(finding.grade),
        "message": finding.message,
        "rule": finding.rule or None,
        "where": _where(finding),
        "line": finding.line,
        "column": finding.column,
    }


def _where(finding: Finding) -> str:
    """The place as its writer finds it: of what is on file the line, else the key, too."""
    line = f"line {finding.line}" if finding.line else ""
    on_file = finding.grade in (Grade.DOOMED, Grade.DOUBTFUL)
    column = f"column {finding.column}" if finding.line and not finding.path else ""
    place = "" if on_file else path_text(finding.path) or column
    return ", ".join(part for part in (line, place) if part)


def _unit_of(path: Path, known: Mapping[Path, object]) -> Path | None:
    for length in range(len(path), 0, -1):
        if path[:length] in known:
            return path[:length]
    return next((unit for unit in known if path and unit[: len(path)] == path), None)


Placed = tuple[tuple[int, int, int], dict[str, Any]]


def _entry(
    unit: Unit,
    words: str,
    reading: Reading,
    text: Text,
    written: Mapping[Mark, Path],
    findings: Sequence[Finding],
    fallen: Sequence[Path],
) -> Placed:
    mark = reading.marks.get(unit.path)
    source = _at(text.value, written[mark]) if mark is not None and mark in written else None
    worst = next((g for g in _WORST if any(f.grade is g for f in findings)), None)
    faults = [describe_finding(_placed(finding, mark)) for finding in findings]
    said = isinstance(source, str) and not isinstance(unit.value, bool)  # yes needs no "true"
    unmarked = NOT_TAKEN if any(unit.path[: len(path)] == path for path in fallen) else FINE
    return _place(mark), {
        "key": _title(unit.path),
        "written": source if said else None,
        "words": words,
        "mark": _MARKS[worst] if worst else unmarked,
        "faults": faults,
    }


def _refused(reading: Reading, text: Text, say: Say) -> list[Placed]:
    """The entries that could not be read, faults of one entry together."""
    groups: dict[Path, list[Finding]] = {}
    for finding in reading.findings:
        groups.setdefault(finding.entry or finding.path, []).append(finding)
    made: list[Placed] = []
    for path, findings in groups.items():
        first = findings[0]
        mark = Mark(first.line, first.column or 0) if first.line else None
        said = _at(text.value, path)
        entry = {
            "key": shorten(_title(path), _MOST_SAID),
            "written": shorten(said, _MOST_SAID) if isinstance(said, str) else None,
            "words": shorten(say(path, said), _MOST_SAID) if said is not None else "",
            "mark": _MARKS[Grade.REFUSED],
            "faults": [describe_finding(finding) for finding in findings],
        }
        made.append((_place(mark), entry))
    return made


def _title(path: Path) -> str:
    return " ".join(part.replace("_", " ") for part in path if isinstance(part, str))


def _place(mark: Mark | None) -> tuple[int, int, int]:
    return (0, mark.line, mark.column) if mark else (1, 0, 0)


def _placed(finding: Finding, mark: Mark | None) -> Finding:
    if finding.line is not None or mark is None:
        return finding
    return Finding(
        grade=finding.grade,
        rule=finding.rule,
        message=finding.message,
        path=finding.path,
        entry=finding.entry,
        line=mark.line,
        column=mark.column,
    )


def _at(value: Any, path: Path) -> Any:
    """What the writer wrote at a place; keys as they are matched."""
    for part in path:
        if isinstance(value, Mapping):
            value = next(
                (one for key, one in value.items() if fold(str(key)) == fold(str(part))), None
            )
        elif isinstance(value, list | tuple) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return value if isinstance(value, str) else None
    return value
