"""The record of a game with its chain, from which replay and archive work."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from adjudicator.core.chain import Link, compute_commitment, find_link_fault
from adjudicator.core.document import Document, Seat, digest
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import bind_seats
from adjudicator.desk.model.values import Game, OrderSet, Paper, Status, Step
from adjudicator.desk.steps.press import publish_report

ACCEPT_ACT = "accept"
"""The act of the note that says from which step on changed rules count."""
IMPORT_ACT = "import"
"""The act of the note that keeps facts known only from an archive."""


class Start(Struct, frozen=True, kw_only=True):
    """A start that was undone, with its luck words and seats."""

    setup: int
    """The number of its setup step."""
    seats: tuple[Seat, ...]
    options: Document
    luck: tuple[tuple[Seat, str], ...]


class Record(Struct, frozen=True, kw_only=True, dict=True):
    """A game's steps with their orders, results and reports.

    The parts of a step are looked up once: a game may have thousands.
    """

    game: Game
    steps: tuple[Step, ...]
    """By number, including undone steps and the open one."""
    orders: tuple[OrderSet, ...]
    """The orders, at least those that were executed."""
    papers: tuple[Paper, ...]
    links: tuple[Link, ...]
    since: int = 0
    """Steps with a lower number ran under rules that were changed since (desk/acts/notes.py): they
    are checked against the chain but not computed again."""
    starts: tuple[Start, ...] = ()
    """Undone starts: their steps were played with other luck words and seats."""
    retold: bool = False
    """Its reports were made again when the game was imported from its record, by code that words
    them differently: the chain commits to the reports that players got, not to these."""

    @property
    def is_revealed(self) -> bool:
        """Whether the game ended and its seed is revealed; a withdrawn game keeps its secret."""
        return self.game.status is Status.OVER and any(not step.void for step in self.steps)

    def as_dealt(self, step: Step) -> Game:
        """Return the game as it was at the start that this step goes back to."""
        if not self.starts:
            return self.game
        while (before := self.find_before(step)) is not None:
            step = before
        start = next((one for one in self.starts if one.setup == step.number), None)
        if start is None:
            return self.game
        return replace(self.game, seats=start.seats, options=start.options, luck=start.luck)

    @cached_property
    def steps_by_number(self) -> Mapping[int, Step]:
        """The steps by their numbers."""
        return {step.number: step for step in self.steps}

    @cached_property
    def steps_by_name(self) -> Mapping[str, Step]:
        """The steps by their names."""
        return {step.name: step for step in self.steps}

    def find_before(self, step: Step) -> Step | None:
        """Find the step from whose state this one starts."""
        return None if step.predecessor is None else self.steps_by_number.get(step.predecessor)

    @cached_property
    def orders_by_step(self) -> Mapping[int, Sequence[OrderSet]]:
        """The orders by the numbers of their steps."""
        return _group_by_step(self.orders)

    @cached_property
    def _papers_by_step(self) -> Mapping[int, Sequence[Paper]]:
        return _group_by_step(self.papers)

    def list_orders(self, step: Step) -> Sequence[OrderSet]:
        """List the orders that were given in a step."""
        return self.orders_by_step.get(step.number, ())

    def list_papers(self, step: Step) -> Sequence[Paper]:
        """List the reports of a step."""
        return self._papers_by_step.get(step.number, ())

    def find_executed(self, step: Step) -> Mapping[Seat, OrderSet]:
        """Find the sets that were executed in a step, in seat order."""
        own = {one.seat: one for one in self.list_orders(step) if one.executed}
        return {seat: own[seat] for seat in self.game.seats if seat in own}


V = TypeVar("V", OrderSet, Paper)


def _group_by_step(values: Iterable[V]) -> Mapping[int, Sequence[V]]:
    groups: dict[int, list[V]] = {}
    for value in values:
        groups.setdefault(value.step, []).append(value)
    return groups


def read_record(books: Books, game: str) -> Record:
    """Read the record of a game as the store keeps it."""
    notes = books.notes(game)
    since = [note.data["since"] for note in notes if note.act in (ACCEPT_ACT, IMPORT_ACT)]
    imports = [note.data for note in notes if note.act == IMPORT_ACT]
    starts = [start for data in imports for start in data["starts"]]
    starts += [note.data for note in notes if note.act == "start" and BACK in note.data]
    return Record(
        game=books.game(game),
        steps=tuple(books.steps(game)),
        orders=tuple(o for o in books.orders(game) if o.executed),
        papers=tuple(books.papers(game)),
        links=tuple(books.links(game)),
        since=max(since, default=0),
        starts=tuple(convert(one, Start) for one in starts),
        retold=any(data["retold"] for data in imports),
    )


UNMADE: Final = ("rollback", "restore")
"""Links without commitments: they undo or restore steps."""


class Difference(Struct, frozen=True, kw_only=True):
    """A difference between the record and its replay."""

    step: str
    part: str
    """orders/red, events, state, report/red, report (the public's), link."""
    message: str
    reworded: bool = False
    """Whether only the wording of a report has changed, which is no fault of the game."""


def name_link_part(part: str, seat: Seat | None) -> str:
    """Name a part as a link does: orders/red, state, report (the public's)."""
    return f"{part}/{seat}" if seat else part


StepParts = Mapping[str, tuple[Seat, str, bytes]]
"""By the name in a link: (seat, part, bytes)."""


def collect_step_parts(
    step: Step, orders: Iterable[OrderSet], papers: Iterable[Paper]
) -> StepParts:
    """Collect all parts of a step that its link commits to: (seat, part, bytes) by name."""
    parts = {"events": ("", "events", step.events), "state": ("", "state", step.state or b"")}
    for own in orders:
        if own.executed:
            parts[name_link_part("orders", own.seat)] = (own.seat, "orders", own.committed)
    for paper in papers:
        name = name_link_part("report", paper.seat)
        parts[name] = (paper.seat or "", "report", publish_report(paper.document))
    return parts


_OUTSIDE = "the database was damaged, or changed from outside"
_UNBOUND = "no link of the chain commits to it"
_CHANGED = "it is not what the chain commits to"
_COPY = "put back a copy of it, or import an archive; a check says more"


def require_intact(context: Context, step: Step, on_file: Iterable[OrderSet] = ()) -> None:
    """Require that all from which the game goes on is as it was recorded.

    The state is what the chain commits to, each seat is held as it was given away, and the orders
    are those of their receipts.
    """
    game, fault, link = context.game, "", _find_link(context.books, step)
    if link is None or "state" not in link.commitments:
        fault = f"the stored state of {step.name} cannot be trusted, since {_UNBOUND}"
    elif not _is_commitment(game.seed, link, "state", ("", "state", step.state or b"")):
        fault = f"the stored state of {step.name} cannot be trusted, since {_CHANGED}"
    reseated = game.roster.items() - bind_seats(game.seats, context.seatings).items()
    if reseated:
        fault = f"who plays {min(reseated)[0]} is not what was recorded"
    for own in on_file:
        if digest(own.committed) != own.digest:
            fault = f"the orders of {own.seat} on file are not those of receipt {own.number}"
    if fault:
        raise Refused(
            f"{context.id}: {fault}: {_OUTSIDE}; {_COPY}", suggest=Suggest("verify", context.id)
        )


def _find_link(books: Books, step: Step) -> Link | None:
    """Find the link that commits to a step; nearly always the last one, which is read anyway."""
    last = books.last_link(step.game)
    if last is not None and last.step == step.name and last.kind not in UNMADE:
        return last
    links = (one for one in reversed(books.links(step.game)) if one.kind not in UNMADE)
    return next((one for one in links if one.step == step.name), None)


def is_as_recorded(record: Record, step: Step, state: bytes) -> bool:
    """Whether the chain commits to this state of a step."""
    links = (one for one in record.links if one.step == step.name and "state" in one.commitments)
    content = ("", "state", state)
    return any(_is_commitment(record.game.seed, link, "state", content) for link in links)


def check_links(links: Sequence[Link]) -> tuple[Difference, ...]:
    """Check the chain alone, as is possible without the seed."""
    differences: list[Difference] = []
    previous: Link | None = None
    for link in links:
        wrong = find_link_fault(previous, link)
        if wrong:
            differences.append(Difference(step=link.step, part="link", message=wrong))
        previous = link
    return tuple(differences)


def check_chain(record: Record) -> tuple[Difference, ...]:
    """Check links, their order, and every commitment that the seed opens."""
    return (*check_lineage(record), *_check_commitments(record))


def check_lineage(record: Record) -> tuple[Difference, ...]:
    """Check the links, and the steps against them: all that needs no seed."""
    return (*check_links(record.links), *_check_places(record), *_check_counting(record))


def _check_places(record: Record) -> Iterator[Difference]:
    """Check that every link has its step, and follows the same step that this step follows."""
    for link in record.links:
        step = record.steps_by_name.get(link.step)
        if step is None:
            yield _make_difference(link, f"there is no step {link.step}")
            continue
        before = record.find_before(step)
        name = before.name if before else None
        if link.after != name:
            yield _make_difference(link, f"it follows {link.after}, but the step follows {name}")


def _check_counting(record: Record) -> Iterator[Difference]:
    """Check that every closed step is in the chain, and counts unless a rollback there undid it."""
    linked = {link.step for link in record.links}
    counting = set(_find_counting(record.links))
    for step in record.steps:
        if step.closed is None:
            continue
        if step.name not in linked:
            fault = "it is closed, but no link commits to it"
        elif step.void and step.name in counting:
            fault = "it was undone, but the chain has no rollback for it"
        elif not step.void and step.name not in counting:
            fault = "a rollback undid it, but it still counts"
        else:
            continue
        yield Difference(step=step.name, part="link", message=fault)


def _find_counting(links: Sequence[Link]) -> list[str]:
    """Find the steps that count, from the chain alone."""
    line: list[str] = []
    undone_steps: dict[str, list[str]] = {}
    """The steps that a rollback undid, by the step it went back to."""
    for link in links:
        if link.kind not in UNMADE:
            line.append(link.step)
            continue
        if link.step in line:
            at = line.index(link.step)
        else:  # after the one that it follows
            at = line.index(link.after) + 1 if link.after in line else 0
        if link.kind == "rollback":
            undone_steps[link.step] = line[at:]
        line[at:] = [] if link.kind == "rollback" else undone_steps.get(link.step, [])
    return line


def _check_commitments(record: Record) -> Iterator[Difference]:
    for link in record.links:
        step = record.steps_by_name.get(link.step)
        if step is not None and link.kind not in UNMADE:
            seed = record.game.seed
            there = dict(collect_step_parts(step, record.list_orders(step), ()))
            for paper in record.list_papers(step):
                name = name_link_part("report", paper.seat)
                whole = _is_committed_whole(seed, link, paper)
                content = paper.document if whole else _publish(paper)
                there[name] = (paper.seat or "", "report", content)
            yield from _compare_parts(seed, link, there, retold=record.retold)


def find_withheld(record: Record) -> frozenset[tuple[str, Seat]]:
    """Find the reports, by step and seat, that the chain commits to with their private press.

    Chains that began before 0.3.0 do; without that press nobody can check such a report.
    """
    links = {link.step: link for link in record.links if link.kind not in UNMADE}
    return frozenset(
        (step.name, paper.seat)
        for step in record.steps
        for paper in record.list_papers(step)
        if paper.seat and _is_committed_whole(record.game.seed, links.get(step.name), paper)
    )


def _is_committed_whole(seed: bytes, link: Link | None, paper: Paper) -> bool:
    """Whether a link commits to a report with the private press in it."""
    name = name_link_part("report", paper.seat)
    if link is None or name not in link.commitments or _publish(paper) == paper.document:
        return False
    return _is_commitment(seed, link, name, (paper.seat or "", "report", paper.document))


def _publish(paper: Paper) -> bytes:
    """Return what a link commits to of a report; a tampered report is taken as it stands."""
    try:
        return publish_report(paper.document)
    except (ValueError, KeyError, TypeError, RecursionError):
        return paper.document


def _is_commitment(seed: bytes, link: Link, name: str, content: tuple[Seat, str, bytes]) -> bool:
    """Whether this is what a link committed to under this name."""
    return compute_commitment(seed, link.step, *content) == link.commitments[name]


def _compare_parts(
    seed: bytes, link: Link, there: StepParts, *, retold: bool
) -> Iterator[Difference]:
    """Compare the parts with what was committed to, one by one."""
    for name in sorted({*there, *link.commitments}):
        if name not in there:
            fault = "the chain commits to it, but it is not there"
        elif name not in link.commitments:
            fault = "it is there, but the chain does not commit to it"
        else:
            if _is_commitment(seed, link, name, there[name]) or (
                retold and there[name][1] == "report"
            ):
                continue
            fault = "it is not what the chain commits to"
        yield Difference(step=link.step, part=name, message=fault)


def _make_difference(link: Link, message: str) -> Difference:
    return Difference(step=link.step, part="link", message=f"link {link.number}: {message}")
