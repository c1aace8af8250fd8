"""Read a state document that a person wrote, by the types that a game declares for its keys.

A document and its parts are declared as Structs. Names are marked in their types, as in
`Card = Annotated[str, "card"]`, and the reader is told what each mark stands for: the names of
that kind, or a function that reads a value in a form of its own. Two marks mean the same in every
game: `Each(default)` of a mapping that names every key there is, and `INLINE` of a part whose
keys stand in the document itself. Names may be spelled in any way, null is as good as a key left
out, and every fault carries the path of its place.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from adjudicator.core.document import Impossible
from adjudicator.core.forms.fault_messages import join_words
from adjudicator.core.names import fold, match, match_exactly, suggest

_T = TypeVar("_T")

_MANY = 30
_FEW = 12


class Each(Struct, frozen=True):
    """The mark of a mapping that names every key of its kind, in their order."""

    default: Any
    """The value of a key that the document leaves out."""


class _Inline(Struct, frozen=True):
    """The mark of a part whose keys stand in the document that holds it."""


INLINE: Final = _Inline()


class Names:
    """The names of one kind, in their order."""

    def __init__(self, noun: str, names: Sequence[str]) -> None:
        self.noun = noun
        self.names = tuple(names)
        self.known = frozenset(names)

    def knows_all(self, values: Sequence[Any]) -> bool:
        """Whether all of them are spelled as they are here."""
        try:
            return self.known.issuperset(values)
        except TypeError:  # one of them is a list or a mapping
            return False

    def __call__(self, value: Any) -> str:
        """Find the name that is meant; raises Impossible."""
        if type(value) is str:
            name = value if value in self.known else match(value, self.names)
            if name is not None:
                return name
        raise Impossible("", f"{value!r} is no {self.noun}; {_suggest_names(value, self.names)}")


class StateReader:
    """Reads documents of one game: the marks that its types use, and the keys it does not have."""

    def __init__(
        self,
        marks: Mapping[str, Sequence[str] | Callable[[Any], Any]],
        absent: Collection[str] = (),
    ) -> None:
        self.marks: Mapping[str, Callable[[Any], Any]] = {
            mark: read if callable(read) else Names(mark, read) for mark, read in marks.items()
        }
        self.absent = frozenset(absent)

    def read(self, kind: type[_T], value: Any, path: str = "") -> _T:
        """Read the value as this type; raises Impossible with a path that begins with `path`."""
        declared: Any = kind
        try:
            result: _T = _compile(declared)(self, value)
        except Impossible as fault:
            raise fault.prefix_path(path) from None
        return result


def read_seats(value: Any, fewest: int, most: int, rule: str) -> tuple[str, ...]:
    """Read the seats of a game, in seat order; raises Impossible."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Impossible("seats", "expected the list of seats, in seat order")
    seats = tuple(value)
    names = [fold(seat) if isinstance(seat, str) else "" for seat in seats]
    if not all(names):
        nameless = seats[names.index("")]
        raise Impossible("seats", f"expected names of seats, got {nameless!r}")
    if not fewest <= len(seats) <= most:
        raise Impossible("seats", f"expected {fewest} to {most} seats, got {len(seats)} ({rule})")
    for seat, name in zip(seats, names, strict=True):
        if names.count(name) > 1:
            raise Impossible("seats", f"{seat} appears twice")
    return seats


def match_keys(value: Any, kind: type[Struct], absent: Collection[str] = ()) -> dict[str, Any]:
    """Match the keys of a mapping to a Struct's spelling, without nulls; raises Impossible."""
    keys = [key for key in _list_fields(kind) if key not in absent]
    pairs: dict[str, Any] = {}
    for key, entry in _list_pairs(value):
        spelled = key if key in keys else match_exactly(str(key), keys)
        if spelled is None:
            raise Impossible(str(key), f"no such key; {_suggest_names(str(key), keys)}")
        if entry is not None:
            pairs[spelled] = entry
    return pairs


def list_values(record: Struct) -> dict[str, Any]:
    """List the values of a Struct by the keys of its document, including its parts' values."""
    keys, find_values = _compile_keys(type(record))
    return dict(zip(keys, find_values(record), strict=True))


@cache
def _compile_keys(kind: type[Struct]) -> tuple[Sequence[str], Callable[[Struct], Sequence[Any]]]:
    paths: dict[str, str] = {}
    for field in fields(kind):
        part = _find_part(field.type)
        inner = _list_fields(part).items() if part else ()
        paths |= {key: f"{field.name}.{one.name}" for key, one in inner}
        paths |= {} if part else {field.encode_name: field.name}
    return tuple(paths), attrgetter(*paths.values())


_Read = Callable[[StateReader, Any], Any]


@cache
def _compile(kind: Any) -> _Read:
    """Compile the function that reads a value of this type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _compile_marked(inner[0], inner[-1])
    if origin in (Union, UnionType):
        return _compile(next(one for one in inner if one is not type(None)))
    if origin is Literal:
        return _compile_choice(inner)
    if origin is tuple:
        return _compile_list(inner[0])
    if origin in (Mapping, dict):
        return _compile_map(*inner)
    if kind is int:
        return _compile_number(Meta(ge=0))
    if kind is bool:
        return _read_flag
    return (
        _compile_record(kind)
        if isinstance(kind, type) and issubclass(kind, Struct)
        else _read_anything
    )


def _read_anything(_: StateReader, value: Any) -> Any:
    return value


def _read_flag(_: StateReader, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Impossible("", f"expected true or false, got {value!r}")
    return value


def _compile_number(limits: Meta) -> _Read:
    least, most = limits.ge, limits.le

    def read(_: StateReader, value: Any) -> int:
        if type(value) is not int:
            raise Impossible("", f"expected a whole number, got {value!r}")
        if least is not None and value < least:
            raise Impossible("", f"expected at least {least}, got {value}")
        if most is not None and value > most:
            raise Impossible("", f"expected at most {most}, got {value}")
        return value

    return read


def _compile_choice(words: Sequence[str]) -> _Read:
    def read(_: StateReader, value: Any) -> str:
        word = match(value, words) if isinstance(value, str) else None
        if word is None:
            raise Impossible("", f"expected {join_words(words)}, got {value!r}")
        return word

    return read


def _compile_marked(kind: Any, mark: Any) -> _Read:
    if isinstance(mark, Meta):
        return _compile_number(mark)
    if isinstance(mark, Each):
        return _compile_each(kind, mark.default)

    def read(reader: StateReader, value: Any) -> Any:
        return reader.marks[mark](value)

    return read


def _compile_each(kind: Any, default: Any) -> _Read:
    read_given, key_mark = _compile(kind), get_args(get_args(kind)[0])[-1]

    def read(reader: StateReader, value: Any) -> dict[Any, Any]:
        values, names = read_given(reader, value), reader.marks[key_mark]
        assert isinstance(names, Names), f"the names of {key_mark} are not known"
        return {name: values.get(name, default) for name in names.names}

    return read


def _bind(kind: Any) -> Callable[[StateReader], Callable[[Any], Any]]:
    """Bind to one reader a function that reads many values of this type."""
    if get_origin(kind) is Annotated and isinstance(get_args(kind)[-1], str):
        mark = get_args(kind)[-1]
        return lambda reader: reader.marks[mark]
    read = _compile(kind)
    return lambda reader: partial(read, reader)


def _compile_list(kind: Any) -> _Read:
    bind = _bind(kind)

    def read(reader: StateReader, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
            raise Impossible("", f"expected a list, got {value!r}")
        read_entry = bind(reader)
        if isinstance(read_entry, Names) and read_entry.knows_all(value):
            return tuple(value)
        entries: list[Any] = []
        try:
            entries.extend(map(read_entry, value))
        except Impossible as fault:
            raise fault.prefix_path(f"[{len(entries) + 1}]") from None
        return tuple(entries)

    return read


def _compile_map(key_kind: Any, kind: Any) -> _Read:
    bind_key, bind_value = _bind(key_kind), _bind(kind)

    def read(reader: StateReader, value: Any) -> dict[Any, Any]:
        pairs: dict[Any, Any] = {}
        read_key, read_value, key = bind_key(reader), bind_value(reader), ""
        try:
            for key, entry in _list_pairs(value):
                name = read_key(key)
                if name in pairs:
                    _refuse_twin(name)
                pairs[name] = None if entry is None else read_value(entry)
        except Impossible as fault:
            raise fault.prefix_path(str(key)) from None
        if None in pairs.values():
            pairs = {name: one for name, one in pairs.items() if one is not None}
        if len(pairs) > 1 and isinstance(read_key, Names):
            return {name: pairs[name] for name in read_key.names if name in pairs}
        return pairs

    return read


def _refuse_twin(name: str) -> None:
    raise Impossible("", f"{name} appears twice")


@cache
def _list_fields(kind: type[Struct]) -> Mapping[str, FieldInfo]:
    """List the keys of a Struct's document in order, including its parts' keys."""
    fields_by_key: dict[str, FieldInfo] = {}
    for field in fields(kind):
        part = _find_part(field.type)
        fields_by_key |= _list_fields(part) if part else {field.encode_name: field}
    return fields_by_key


def _has_mark(kind: Any, mark: type) -> bool:
    return get_origin(kind) is Annotated and isinstance(get_args(kind)[-1], mark)


def _find_part(kind: Any) -> type[Struct] | None:
    """Find the Struct whose keys are in the document that holds it."""
    return get_args(kind)[0] if _has_mark(kind, _Inline) else None


def _compile_record(kind: type[Struct]) -> _Read:
    keys = _list_fields(kind)
    readers = {key: (field.name, _compile(field.type)) for key, field in keys.items()}
    required = [(key, _has_mark(one.type, Each)) for key, one in keys.items() if one.required]
    parts = [(one.name, part) for one in fields(kind) if (part := _find_part(one.type))]

    def read(reader: StateReader, value: Any) -> Struct:
        absent = reader.absent
        if type(value) is not dict or not readers.keys() >= value.keys() or absent & value.keys():
            value = match_keys(value, kind, absent)
        values: dict[str, Any] = {}
        key = ""
        try:
            for key, entry in value.items():
                if entry is not None:
                    name, read_value = readers[key]
                    values[name] = read_value(reader, entry)
        except Impossible as fault:
            raise fault.prefix_path(key) from None
        for key, names_each in required:
            name, read_value = readers[key]
            if name not in values:
                if not names_each:
                    raise Impossible(key, "is missing")
                values[name] = read_value(reader, {})
        for name, part in parts:
            own = {one: values.pop(one) for one in part.__struct_fields__ if one in values}
            values[name] = part(**own)
        return kind(**values)

    return read


def _list_pairs(value: Any) -> Any:
    if type(value) is not dict and not isinstance(value, Mapping):
        raise Impossible("", f"expected `name: value` pairs, got {value!r}")
    return value.items()


def _suggest_names(value: Any, names: Sequence[str]) -> str:
    """Suggest the name probably meant, else the existing names; of very many, only the first."""
    suggestion = suggest(value, names) if isinstance(value, str) else None
    if suggestion:
        return f"did you mean {suggestion}?"
    if len(names) <= _MANY:
        return f"there are {', '.join(names)}"
    return f"there are {', '.join(names[:_FEW])} and {len(names) - _FEW} more"
