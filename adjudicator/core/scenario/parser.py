"""A scenario and the shape of its document: parsing, with the path of every fault."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import fold
from adjudicator.core.scenario.comparison import format_value

AFTER_STEP = "after-step"

_KEYS = (
    "scenario",
    "title",
    "rules",
    "game",
    "seed",
    "options",
    "seats",
    "stop",
    "given",
    "orders",
    "expect",
)
EXPECTED_KEYS = ("unreadable", "refused", "negated", "state", "events")


class Scenario(Struct, frozen=True, kw_only=True):
    """One scenario, its shape checked."""

    id: str
    title: str
    rules: tuple[str, ...]
    kind: str
    seed: int
    options: Document
    seats: tuple[Seat, ...]
    cut: bool
    given: Document
    orders: Mapping[Seat, Text]
    """By seat, scalars as text; a string is YAML text still to be read."""
    expect: Document | None
    """None: nothing is compared, and whoever runs it is shown what happens."""


def parse_scenario(document: Any, texts: Mapping[Seat, Text]) -> Scenario:
    """Parse the scenario that a document holds; raises Impossible.

    `texts` are the values under `orders` as they were written.
    """
    if not isinstance(document, Mapping):
        raise Impossible("", "a scenario is a mapping that begins with `scenario: <its name>`")
    _check_keys(document, _KEYS, "")
    seats = _read_seats(document)
    return Scenario(
        id=str(_read_part(document, "scenario", str, "the scenario's own name")),
        title=str(document.get("title", "")),
        rules=tuple(_read_cited_rules(document.get("rules"))),
        kind=str(
            _read_part(document, "game", str, "the kind of game, as `adjudicator rules` lists it")
        ),
        seed=_read_seed(document.get("seed") or 0),
        options=document.get("options") or {},
        seats=seats,
        cut=_read_stop(document.get("stop")),
        given=_read_given(document),
        orders=_key_by_seat(_list_sent(document, texts), seats, "orders"),
        expect=_read_expected(document, seats) if document.get("expect") is not None else None,
    )


def _read_seats(document: Document) -> tuple[Seat, ...]:
    seats = tuple(
        str(seat)
        for seat in _read_part(document, "seats", list, "the list of seats, in seat order")
    )
    if not seats:
        raise Impossible("seats", "names no seat; list the seats in seat order")
    twice = [seat for seat, count in Counter(fold(seat) for seat in seats).items() if count > 1]
    if twice:
        raise Impossible("seats", f"{twice[0]} appears twice")
    return seats


def _list_sent(document: Document, texts: Mapping[Seat, Text]) -> dict[Seat, Text]:
    """List the orders of the seats that sent something; `null` is nothing, in any spelling."""
    values = document.get("orders") or {}
    return {seat: text for seat, text in texts.items() if values.get(seat, text) is not None}


def _read_expected(document: Document, seats: Sequence[Seat]) -> Document:
    """Read what is expected, with the receipts' seats in the scenario's own spelling."""
    expect: Document = _read_part(document, "expect", Mapping, "a mapping of what must come out")
    _check_keys(expect, EXPECTED_KEYS, "expect.")
    result = dict(expect)
    if "unreadable" in expect:
        result["unreadable"] = [
            _match_seat(name, seats, "expect.unreadable")
            for name in _read_names(expect, "unreadable")
        ]
    for part in ("refused", "negated"):
        if part in expect:
            by_seat = _read_part(expect, part, Mapping, "rule numbers by seat", above="expect.")
            result[part] = {
                seat: _read_rules(rules, f"expect.{part}.{seat}")
                for seat, rules in _key_by_seat(by_seat, seats, f"expect.{part}").items()
            }
    if not isinstance(expect.get("state") or {}, Mapping):
        raise Impossible("expect.state", "must be a mapping, a part of the state document")
    if not isinstance(expect.get("events") or [], list):
        raise Impossible("expect.events", "must be a list of events, each a mapping")
    return result


def _read_names(expect: Document, key: str) -> list[str]:
    names = expect[key] or []
    if not isinstance(names, list):
        raise Impossible(f"expect.{key}", "must be a list of seats")
    return [str(name) for name in names]


def _read_rules(rules: Any, path: str) -> list[str]:
    if not isinstance(rules or [], list):
        raise Impossible(path, "must be a list of rule numbers, [] for none")
    return [str(rule) for rule in rules or []]


def _read_cited_rules(rules: Any) -> list[str]:
    """Read the rules that it shows; one alone may stand without brackets."""
    return [rules] if isinstance(rules, str) and rules else _read_rules(rules, "rules")


def _key_by_seat(values: Mapping[Any, Any], seats: Sequence[Seat], path: str) -> dict[Seat, Any]:
    return {_match_seat(str(name), seats, path): value for name, value in values.items()}


def _match_seat(name: str, seats: Sequence[Seat], path: str) -> Seat:
    for seat in seats:
        if fold(seat) == fold(name):
            return seat
    raise Impossible(f"{path}.{name}", f"is no seat of this scenario; it has {', '.join(seats)}")


def _read_given(document: Document) -> Document:
    position: Document = _read_part(document, "given", Mapping, "the game's state document")
    for key in ("options", "seats"):
        if key in position:
            raise Impossible(f"given.{key}", f"write `{key}` at the top of the scenario")
    return position


def _read_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise Impossible("seed", f"must be a whole number, got {format_value(seed)}")
    return seed


def _read_stop(stop: Any) -> bool:
    if stop is None:
        return False
    if isinstance(stop, str) and fold(stop) == fold(AFTER_STEP):
        return True
    raise Impossible(
        "stop", f"can only be `{AFTER_STEP}`, got {format_value(stop)}; leave it out otherwise"
    )


def _read_part(document: Document, key: str, shape: type, what: str, *, above: str = "") -> Any:
    value = document.get(key)
    if value is None:
        raise Impossible(f"{above}{key}", f"is missing; write {what}")
    if not isinstance(value, shape):
        raise Impossible(f"{above}{key}", f"must be {what}, got {format_value(value)}")
    return value


def _check_keys(document: Mapping[Any, Any], keys: Sequence[str], above: str) -> None:
    for key in document:
        if key not in keys:
            raise Impossible(
                f"{above}{key}", f"is no key of a scenario; there are {', '.join(keys)}"
            )
