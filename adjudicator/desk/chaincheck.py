"""Checking a chain: each link follows the last one, and what it commits to is what is there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from adjudicator.core.chain import Link, commitment, fault
from adjudicator.core.document import Seat
from adjudicator.desk.record import Record, by_step
from adjudicator.desk.values import OrderSet, Paper, Step

UNMADE: Final = ("rollback", "restore")
"""Links that commit to nothing: they strike steps, or let them count again."""


class Difference(Struct, frozen=True, kw_only=True):
    """Something that does not hold."""

    step: str
    part: str
    """orders/red, events, state, report/red, report (the public's), link."""
    message: str


def part_name(part: str, seat: Seat | None) -> str:
    """How a part is called in a link: orders/red, state, report (the public's)."""
    return f"{part}/{seat}" if seat else part


def parts_of(
    step: Step, orders: Iterable[OrderSet], papers: Iterable[Paper]
) -> dict[str, tuple[Seat, str, bytes]]:
    """Everything of a step that its link commits to: (seat, part, bytes) by its name there."""
    parts: list[tuple[str, Seat | None, bytes]] = [
        ("events", None, step.events),
        ("state", None, step.state or b""),
    ]
    parts += [("orders", own.seat, own.orders) for own in orders if own.executed]
    parts += [("report", paper.seat, paper.document) for paper in papers]
    return {part_name(part, seat): (seat or "", part, content) for part, seat, content in parts}


def links_of(links: Sequence[Link]) -> tuple[Difference, ...]:
    """Check the chain alone, as one can without the seed."""
    found: list[Difference] = []
    previous: Link | None = None
    for link in links:
        wrong = fault(previous, link)
        if wrong:
            found.append(Difference(step=link.step, part="link", message=wrong))
        previous = link
    return tuple(found)


def chain_of(record: Record) -> tuple[Difference, ...]:
    """Check links, their order, and every commitment that the seed opens."""
    return (*line_of(record), *_commitments(record))


def line_of(record: Record) -> tuple[Difference, ...]:
    """Check the links, and that the steps stand as they tell it: all that needs no seed."""
    return (*links_of(record.links), *_places(record), *_counted(record))


def _places(record: Record) -> Iterator[Difference]:
    """Every link speaks of a step that is there, and follows the one that this step follows."""
    steps = {step.name: step for step in record.steps}
    names = {step.number: step.name for step in record.steps}
    for link in record.links:
        step = steps.get(link.step)
        if step is None:
            yield _wrong(link, f"there is no step {link.step}")
            continue
        before = None if step.predecessor is None else names.get(step.predecessor)
        if link.after != before:
            yield _wrong(link, f"it follows {link.after}, but the step follows {before}")


def _counted(record: Record) -> Iterator[Difference]:
    """Every closed step is in the chain, and counts unless a rollback there struck it."""
    linked = {link.step for link in record.links}
    counting = set(_counting(record.links))
    for step in record.steps:
        if step.closed is None:
            continue
        if step.name not in linked:
            told = "it is closed, but no link commits to it"
        elif step.void and step.name in counting:
            told = "it is struck, but the chain has no rollback that struck it"
        elif not step.void and step.name not in counting:
            told = "a rollback struck it, but it still counts"
        else:
            continue
        yield Difference(step=step.name, part="link", message=told)


def _counting(links: Sequence[Link]) -> list[str]:
    """The steps that count, as the chain alone tells it."""
    line: list[str] = []
    struck: dict[str, list[str]] = {}
    """By the step that a rollback went back to, what it struck."""
    for link in links:
        if link.kind not in UNMADE:
            line.append(link.step)
            continue
        at = line.index(link.step) if link.step in line else _behind(line, link)
        if link.kind == "rollback":
            struck[link.step] = line[at:]
        line[at:] = [] if link.kind == "rollback" else struck.get(link.step, [])
    return line


def _behind(line: Sequence[str], link: Link) -> int:
    """Where a step comes that is not in the line: behind the one that it follows."""
    return line.index(link.after) + 1 if link.after in line else 0


def _commitments(record: Record) -> Iterator[Difference]:
    steps = {step.name: step for step in record.steps}
    orders, papers = by_step(record.orders), by_step(record.papers)
    for link in record.links:
        step = steps.get(link.step)
        if step is not None and link.kind not in UNMADE:
            there = parts_of(step, orders.get(step.number, ()), papers.get(step.number, ()))
            yield from _opened(record.game.seed, link, there)


def _opened(
    seed: bytes, link: Link, there: Mapping[str, tuple[Seat, str, bytes]]
) -> Iterator[Difference]:
    """What is there against what was promised, part by part."""
    for name in sorted({*there, *link.commitments}):
        if name not in there:
            told = "the chain commits to it, but it is not there"
        elif name not in link.commitments:
            told = "it is there, but the chain does not commit to it"
        else:
            seat, part, content = there[name]
            made = commitment(seed, link.step, seat, part, content)
            if made == link.commitments[name]:
                continue
            told = "it is not what the chain commits to"
        yield Difference(step=link.step, part=name, message=told)


def _wrong(link: Link, message: str) -> Difference:
    return Difference(step=link.step, part="link", message=f"link {link.number}: {message}")
