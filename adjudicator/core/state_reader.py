"""Reading a state document that a person wrote: names in any spelling, a path for every fault.
cannot be."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from adjudicator.core.document import Impossible
from adjudicator.core.names import fold, match, suggest

_T = TypeVar("_T")

_MANY = 30
_SOME = 12


def read_whole_number(value: Any, path: str, *, least: int = 0) -> int:
    """A whole number that is large enough."""
    if value is None:
        raise Impossible(path, "is missing; write a whole number")
    if isinstance(value, bool) or not isinstance(value, int):
        raise Impossible(path, f"expected a whole number, got {value!r}")
    if value < least:
        raise Impossible(path, f"expected at least {least}, got {value}")
    return value


def read_flag(value: Any, path: str) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise Impossible(path, f"expected true or false, got {value!r}")
    return value


def read_mapping(value: Any, path: str) -> Mapping[Any, Any]:
    """A mapping; nothing is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Impossible(path, f"expected `name: value` pairs, got {value!r}")
    return value


def read_sequence(value: Any, path: str) -> Sequence[Any]:
    """A list; nothing is an empty one."""
    if value is None:
        return ()
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        raise Impossible(path, f"expected a list, got {value!r}")
    return value


def read_name(value: Any, names: Sequence[str], what: str, path: str) -> str:
    """One of these names."""
    if isinstance(value, str) and value in names:
        return value
    found = match(value, names) if isinstance(value, str) else None
    if found is None:
        meant = suggest(value, names) if isinstance(value, str) else None
        hint = f"; did you mean {meant}?" if meant else f"; there are {_listed(names)}"
        raise Impossible(path, f"{value!r} is no {what}{hint}")
    return found


def _listed(names: Sequence[str]) -> str:
    """The names, of very many only the first."""
    if len(names) <= _MANY:
        return ", ".join(names)
    return f"{', '.join(names[:_SOME])} and {len(names) - _SOME} more"


def read_each(value: Any, path: str, read: Callable[[Any, str], _T]) -> tuple[_T, ...]:
    """A list, each of its values read with its path; entries are counted from 1."""
    return tuple(read(one, f"{path}[{n}]") for n, one in enumerate(read_sequence(value, path), 1))


def read_by_name(
    value: Any, names: Sequence[str], what: str, path: str
) -> Iterator[tuple[str, Any, str]]:
    """Name, value and path of what a mapping says of each name; of nothing it says nothing."""
    seen: set[str] = set()
    for key, said in read_mapping(value, path).items():
        below = f"{path}.{key}"
        found = read_name(key, names, what, below)
        if found in seen:
            raise Impossible(below, f"{found} stands there twice")
        seen.add(found)
        if said is not None:
            yield found, said, below


def read_keyed(given: Any, keys: Sequence[str], path: str) -> dict[str, Any]:
    """A mapping whose keys are known, each under its own spelling; without those of nothing."""
    folded = {fold(key): key for key in keys}
    found: dict[str, Any] = {}
    for key, value in read_mapping(given, path).items():
        known = key if key in keys else folded.get(fold(str(key)))
        if known is None:
            meant = suggest(str(key), keys)
            hint = f"did you mean {meant}?" if meant else f"there are {', '.join(keys)}"
            raise Impossible(f"{path}.{key}" if path else str(key), f"no such key; {hint}")
        if value is not None:
            found[known] = value
    return found


def read_seats(value: Any, fewest: int, most: int, rule: str) -> tuple[str, ...]:
    """The seats of a game, in seat order."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Impossible("seats", "expected the list of seats, in seat order")
    found = tuple(value)
    for seat in found:
        if not isinstance(seat, str) or not fold(seat):
            raise Impossible("seats", f"expected names of seats, got {seat!r}")
    if not fewest <= len(found) <= most:
        raise Impossible("seats", f"expected {fewest} to {most} seats, got {len(found)} ({rule})")
    folded = [fold(seat) for seat in found]
    for seat in found:
        if folded.count(fold(seat)) > 1:
            raise Impossible("seats", f"{seat} stands there twice")
    return found
