"""Checking a chain: each link follows the last one, and what it commits to is what is there."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from adjudicator.core.chain import Link, commitment, fault
from adjudicator.core.document import Seat
from adjudicator.desk.record import Record
from adjudicator.desk.values import Step


class Difference(Struct, frozen=True, kw_only=True):
    """Something that does not hold."""

    step: str
    part: str
    """orders/red, events, state, report/red, report (the public's), link."""
    message: str


def part_name(part: str, seat: Seat | None) -> str:
    """How a part is called in a link: orders/red, state, report (the public's)."""
    return f"{part}/{seat}" if seat else part


def parts_of(record: Record, step: Step) -> dict[str, tuple[Seat, str, bytes]]:
    """Everything of a step that its link commits to: (seat, part, bytes) by its name there."""
    parts: list[tuple[str, Seat | None, bytes]] = [
        ("events", None, step.events),
        ("state", None, step.state or b""),
    ]
    parts += [
        ("orders", own.seat, own.orders)
        for own in record.orders
        if own.step == step.number and own.executed
    ]
    parts += [
        ("report", paper.seat, paper.document)
        for paper in record.papers
        if paper.step == step.number
    ]
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
    return links_of(record.links) + tuple(_commitments(record))


def _commitments(record: Record) -> Iterator[Difference]:
    steps = {step.name: step for step in record.steps}
    linked = set()
    for link in record.links:
        step = steps.get(link.step)
        if step is None:
            yield _wrong(link, f"there is no step {link.step}")
            continue
        yield from _place(record, link, step)
        if link.kind not in ("rollback", "restore"):
            linked.add(link.step)
            yield from _opened(record, link, step)
    for step in record.steps:
        if step.closed is not None and step.name not in linked:
            told = "it is closed, but no link commits to it"
            yield Difference(step=step.name, part="link", message=told)


def _place(record: Record, link: Link, step: Step) -> Iterator[Difference]:
    before = next((s.name for s in record.steps if s.number == step.predecessor), None)
    if link.after != before:
        yield _wrong(link, f"it follows {link.after}, but the step follows {before}")
    if link.kind == "rollback" and not step.void and not _restored(record, link):
        yield _wrong(link, f"a rollback struck {step.name}, but the step still counts")


def _restored(record: Record, link: Link) -> bool:
    """Whether what this link struck counts again by a later one."""
    later = (one for one in record.links if one.number > link.number)
    return any(one.kind == "restore" and one.step == link.step for one in later)


def _opened(record: Record, link: Link, step: Step) -> Iterator[Difference]:
    """What is there against what was promised, part by part."""
    there: Mapping[str, tuple[Seat, str, bytes]] = parts_of(record, step)
    for name in sorted({*there, *link.commitments}):
        if name not in there:
            told = "the chain commits to it, but it is not there"
        elif name not in link.commitments:
            told = "it is there, but the chain does not commit to it"
        else:
            seat, part, content = there[name]
            made = commitment(record.game.seed, step.name, seat, part, content)
            if made == link.commitments[name]:
                continue
            told = "it is not what the chain commits to"
        yield Difference(step=step.name, part=name, message=told)


def _wrong(link: Link, message: str) -> Difference:
    return Difference(step=link.step, part="link", message=f"link {link.number}: {message}")
