"""orders.yaml: every step in the order of play, with the orders that were executed in it.

Of a ruling it holds the position that the GM made; what else came of a step is computed again.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.archive import places
from adjudicator.adapters.archive.places import ArchiveTrouble
from adjudicator.adapters.archive.sheets import format_sheet
from adjudicator.adapters.archive.stored_game import ReportFacts
from adjudicator.core.document import Seat, decode, digest, encode
from adjudicator.desk.model.values import OrderSet, Step
from adjudicator.desk.steps.record import Record

_HEAD = """\
# Every step in the order of play. `orders` are the orders that were executed, as a player can
# write them. `sets` says who sent a set and when; a set that is not listed there is a bot's.
# `reports` keeps the facts of reports that follow from nothing else here.
"""
_NAME = re.compile(rf"(0|[1-9][0-9]{{0,8}})-{places.NAME_PATTERN.pattern}")
WITHHELD = "withheld"
"""Says of a report that the chain commits to it with private press, which is left out."""
_WITHOUT_ORDERS = ("ruling", "end")
"""Phases whose state no orders lead to."""


class SetFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The origin of a seat's orders."""

    number: int = 0
    by: str = "bot"
    arrived: datetime | None = None
    """None: when the step was closed."""
    ready: bool = True
    executed: bool = True
    luck: str = ""


class StepEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step in orders.yaml."""

    after: str | None = None
    opened: datetime
    deadline: datetime | None = None
    closed: datetime | None = None
    dice: str | None = None
    """None: its own name."""
    undone: bool = False
    reason: str | None = None
    reporting: str | None = None
    """None: as game.yaml says."""
    orders: dict[Seat, Any] = {}
    sets: dict[Seat, SetFacts] = {}
    reports: dict[str, dict[str, Any]] = {}
    state: dict[str, Any] | None = None
    events: list[Any] | None = None


# ---- to the file


def format_order_sheet(record: Record, reporting: str, facts: ReportFacts) -> bytes:
    """Format the file, with the orders that the record contains."""
    if not record.steps:
        return format_sheet({}, _HEAD)
    text = _HEAD.encode()
    for step in record.steps:
        entry = replace(
            _make_entry(step, record.find_before(step), reporting),
            **_collect_fixed_parts(step, record.since),
            **_collect_orders(step, record.list_orders(step)),
            reports={who: dict(own) for who, own in facts.get(step.name, {}).items()},
        )
        text += _format_entry(step.name, msgspec.json.encode(entry))
    return text


@lru_cache(maxsize=2048)
def _format_entry(name: str, entry: bytes) -> bytes:
    """Format a step; those of games that go on are asked for again after each closing."""
    return format_sheet({name: decode(entry)})


def _make_entry(step: Step, before: Step | None, reporting: str) -> StepEntry:
    return StepEntry(
        after=before.name if before else None,
        opened=step.opened,
        deadline=step.deadline,
        closed=step.closed,
        dice=None if step.dice == step.name else step.dice,
        undone=step.void,
        reason=step.reason,
        reporting=None if step.reporting == reporting or step.closed is None else step.reporting,
    )


def _collect_fixed_parts(step: Step, since: int) -> dict[str, Any]:
    """Collect what cannot be computed again: rulings, and steps run under older rules."""
    if step.state is None:
        return {}
    fields = {}
    if step.number < since or step.phase in _WITHOUT_ORDERS:
        fields["state"] = read_kept(places.part_path(step, "state"), step.state)
    if step.number < since:
        fields["events"] = read_kept(places.part_path(step, "events"), step.events)
    return fields


def _collect_orders(step: Step, orders: Sequence[OrderSet]) -> dict[str, Any]:
    facts = {own.seat: _make_facts(step, own) for own in orders}
    paths = {own.seat: places.part_path(step, "orders", own.seat) for own in orders}
    return {
        "orders": {own.seat: read_kept(paths[own.seat], own.orders) for own in orders},
        "sets": {seat: one for seat, one in facts.items() if one != SetFacts()},
    }


def _make_facts(step: Step, own: OrderSet) -> SetFacts:
    return SetFacts(
        number=own.number,
        by=own.by,
        arrived=None if own.arrived == step.closed else own.arrived,
        ready=own.ready,
        executed=own.executed,
        luck=own.luck,
    )


def read_kept(path: str, content: bytes) -> Any:
    """Read what the store kept for a file; a disk error may have damaged it."""
    try:
        return decode(content)
    except (ValueError, RecursionError) as error:
        raise ArchiveTrouble(
            path,
            f"what is kept of it is damaged ({error}); put back a copy of the database, or import "
            "an archive that was written before",
        ) from error


# ---- from the file


def build_steps(game: str, entries: Mapping[str, StepEntry], reporting: str) -> list[Step]:
    """Build the steps, without an outcome where none is given."""
    numbers: dict[str, int] = {}
    for name in entries:
        number = _read_number(name)
        if number in numbers.values():
            raise ArchiveTrouble(places.ORDERS_FILE, f"two steps have the number {number}")
        numbers[name] = number
    return [_make_step(game, name, entry, numbers, reporting) for name, entry in entries.items()]


def _read_number(name: str) -> int:
    if not _NAME.fullmatch(name):
        raise ArchiveTrouble(places.ORDERS_FILE, f'"{name}" is no name of a step, such as 3-jump')
    return int(name.partition("-")[0])


def _make_step(
    game: str, name: str, entry: StepEntry, numbers: Mapping[str, int], reporting: str
) -> Step:
    if entry.after is not None and entry.after not in numbers:
        raise ArchiveTrouble(places.ORDERS_FILE, f"{name}: there is no step {entry.after}")
    own = reporting if entry.closed is not None else ""
    return Step(
        game=game,
        number=numbers[name],
        phase=name.partition("-")[2],
        predecessor=None if entry.after is None else numbers[entry.after],
        dice=name if entry.dice is None else entry.dice,
        opened=entry.opened,
        deadline=entry.deadline,
        closed=entry.closed,
        void=entry.undone,
        reason=entry.reason,
        reporting=own if entry.reporting is None else entry.reporting,
        state=None if entry.state is None else encode(entry.state),
        events=encode(entry.events or []),
    )


def build_orders(step: Step, entry: StepEntry, seats: Sequence[Seat]) -> list[OrderSet]:
    """Build the order sets of a step, in the game's order of seats."""
    pairs = [(seat, entry.orders[seat]) for seat in seats if seat in entry.orders]
    return [
        _make_set(step, seat, encode(own), entry.sets.get(seat, SetFacts())) for seat, own in pairs
    ]


def _make_set(step: Step, seat: Seat, content: bytes, facts: SetFacts) -> OrderSet:
    return OrderSet(
        game=step.game,
        step=step.number,
        seat=seat,
        number=facts.number,
        orders=content,
        digest=digest(content + facts.luck.encode()),
        arrived=facts.arrived or step.closed or step.opened,
        ready=facts.ready,
        by=facts.by,
        executed=facts.executed,
        luck=facts.luck,
    )
