"""Compare expected with actual values: names folded, mappings as subsets, null as nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.core.finding import Path, format_path
from adjudicator.core.names import fold

_UNORDERED = frozenset(
    fold(key)
    for key in (
        "hands",
        "specials",
        "collected",
        "hidden",
        "empires",
        "face_up",
        "face_down",
        "discard",
    )
)
"""Lists at any depth under these keys are compared as multisets."""

_FEW = 3
"""A list that differs in more places is shown whole."""


def list_differences(
    expected: Any, actual: Any, path: Path = (), *, unordered: bool = False
) -> list[str]:
    """List where the actual value differs from the expected one, a sentence each."""
    if expected is None:
        # `over: {winners: []}` says that the game ended in a draw; it is not nothing
        over = bool(path) and fold(str(path[-1])) == "over"
        there = actual if over else _holds_anything(actual)
        return (
            [f"{format_path(path)}: expected nothing, got {format_value(actual)}"] if there else []
        )
    if isinstance(expected, Mapping):
        return _compare_mappings(expected, actual, path, unordered=unordered)
    if _is_list(expected):
        return _compare_lists(expected, actual, path, unordered=unordered)
    return [] if _is_same(expected, actual) else [_describe_difference(expected, actual, path)]


def list_changed_parts(
    was: Any, now: Any, path: Path = (), *, whole: bool = False
) -> Iterator[tuple[Path, Any, Any]]:
    """List where two documents differ, each with both values, in the smallest parts.

    With `whole` a list of names or numbers is one part.
    """
    if was == now:
        return
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted({*was, *now}):
            yield from list_changed_parts(was.get(key), now.get(key), (*path, key), whole=whole)
    elif _is_list(was) and _is_list(now) and len(was) == len(now) and not (whole and _is_flat(was)):
        for number, (before, after) in enumerate(zip(was, now, strict=True)):
            yield from list_changed_parts(before, after, (*path, number), whole=whole)
    else:
        yield path, was, now


def describe_change(path: Path, was: Any, now: Any) -> str:
    """Describe what became of a part of a document; of a list of names, what it gained and lost."""
    place = format_path(path)
    if not (_is_list(was) and _is_list(now) and _is_flat((*was, *now))):
        return f"{place} was {format_value(was)} and is {format_value(now)}"
    before, after = Counter(map(str, was)), Counter(map(str, now))
    differences = (("gained", after - before), ("lost", before - after))
    changes = [f"{verb} {', '.join(more.elements())}" for verb, more in differences if more]
    return f"{place} {' and '.join(changes) or 'is in another order'}"


def _is_flat(values: Iterable[Any]) -> bool:
    return not any(isinstance(one, Mapping) or _is_list(one) for one in values)


def find_missing_in_order(expected: Sequence[Any], actual: Sequence[Any]) -> int | None:
    """Find the index of the first expected value that does not occur after the ones before it."""
    place = 0
    for index, value in enumerate(expected):
        while place < len(actual) and list_differences(value, actual[place]):
            place += 1
        if place == len(actual):
            return index
        place += 1
    return None


def add_unnamed(document: Mapping[str, Any], expected: Any, unnamed: Mapping[str, Any]) -> Any:
    """Add what the document leaves out below some keys, where a value is expected there."""
    result = dict(document)
    for key, value in expected.items() if isinstance(expected, Mapping) else ():
        name = next((name for name in unnamed if fold(name) == fold(str(key))), None)
        if name is not None:
            result[name] = _fill(document.get(name), value, unnamed[name])
    return result


def _fill(actual: Any, expected: Any, default: Any) -> Any:
    if not isinstance(expected, Mapping):
        return default if actual is None and expected is not None else actual
    if actual is not None and not isinstance(actual, Mapping):
        return actual
    result = dict(actual or {})
    names = {fold(name): name for name in result}
    for key, value in expected.items():
        name = names.get(fold(str(key)), str(key))
        if value is not None:
            result[name] = _fill(result.get(name), value, default)
    return result


def format_value(value: Any) -> str:
    """Format the value on one line, as a reader would write it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {format_value(part)}" for key, part in value.items()) + "}"
    if _is_list(value):
        return "[" + ", ".join(format_value(part) for part in value) + "]"
    return str(value)


def _compare_mappings(
    expected: Mapping[Any, Any], actual: Any, path: Path, *, unordered: bool
) -> list[str]:
    nowhere = actual is None and bool(expected)
    if nowhere:
        actual = {}
    if not isinstance(actual, Mapping):
        return [_describe_difference(expected, actual, path)]
    there = {fold(str(key)): value for key, value in actual.items()}
    lines: list[str] = []
    for key, value in expected.items():
        name = fold(str(key))
        if name not in there and not value and not nowhere:
            continue  # but `over: {winners: []}` asks for a game that has ended
        loose = unordered or name in _UNORDERED
        lines += list_differences(value, there.get(name), (*path, str(key)), unordered=loose)
    return lines


def _compare_lists(
    expected: Sequence[Any], actual: Any, path: Path, *, unordered: bool
) -> list[str]:
    if not _is_list(actual):
        return [_describe_difference(expected, actual, path)]
    if unordered:
        return _compare_multisets(expected, actual, path)
    if len(expected) != len(actual):
        return [_describe_difference(expected, actual, path)]
    lines: list[str] = []
    for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
        lines += list_differences(one, other, (*path, index))
    return lines if len(lines) <= _FEW else [_describe_difference(expected, actual, path)]


def _compare_multisets(expected: Sequence[Any], actual: Sequence[Any], path: Path) -> list[str]:
    partners = _pair_up(expected, actual)
    matches = set(partners.values())
    missing = [value for index, value in enumerate(expected) if index not in matches]
    surplus = [value for index, value in enumerate(actual) if index not in partners]
    parts = []
    if missing:
        parts.append(f"{format_value(missing)} is missing")
    if surplus:
        parts.append(f"{format_value(surplus)} was not expected")
    return [f"{format_path(path)}: {' and '.join(parts)}"] if parts else []


def _pair_up(expected: Sequence[Any], actual: Sequence[Any]) -> dict[int, int]:
    """Pair as many values as can be paired (actual to expected index), each used once."""
    fits = [
        [
            place
            for place, other in enumerate(actual)
            if not list_differences(one, other, unordered=True)
        ]
        for one in expected
    ]
    partners: dict[int, int] = {}

    def place(index: int, visits: set[int]) -> bool:
        for candidate in fits[index]:
            if candidate in visits:
                continue
            visits.add(candidate)
            if candidate not in partners or place(partners[candidate], visits):
                partners[candidate] = index
                return True
        return False

    for index in range(len(expected)):
        place(index, set())
    return partners


def _is_same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, str) and isinstance(actual, str):
        return fold(expected) == fold(actual)
    return type(expected) is type(actual) and bool(expected == actual)


def _holds_anything(value: Any) -> bool:
    """Whether a value is more than nothing, empty, zero, or a mapping of such values."""
    if isinstance(value, Mapping):
        return any(_holds_anything(part) for part in value.values())
    return bool(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _describe_difference(expected: Any, actual: Any, path: Path) -> str:
    return f"{format_path(path)}: expected {format_value(expected)}, got {format_value(actual)}"
