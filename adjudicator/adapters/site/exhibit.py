"""Choose what a reader may see of a game, from papers meant for that reader.

Pages get this and nothing else, so that what is not in it cannot be on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import PurePosixPath

from msgspec import Struct

from adjudicator.adapters.archive.places import step_folder
from adjudicator.adapters.archive.public import publish_dossier
from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.adapters.render.html_helpers import locate_turn_page
from adjudicator.adapters.render.sentences import label_report
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.adapters.site import press
from adjudicator.adapters.site.sheet import describe_status
from adjudicator.core.document import Document, Seat, decode, digest
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.seats import BOT, describe_bot
from adjudicator.desk.model.settings import settings_of
from adjudicator.desk.model.values import OrderSet, Seating, Status, Step
from adjudicator.desk.questions.ratings import Ended, read_ended
from adjudicator.desk.steps.record import Record


class SeatHolder(Struct, frozen=True, kw_only=True):
    """Who plays a seat, and since when."""

    name: str
    since: str
    """In words."""


class Scene(Struct, frozen=True, kw_only=True):
    """A closed step that counts."""

    name: str
    """6-jump"""
    folder: str
    """steps/006-jump"""
    closed: str
    """In words."""
    at: str
    """The same instant as RFC 3339."""
    paper: bytes
    """The public's report, as it was."""
    public: Document
    own: Mapping[Seat, Document] = {}
    """The reports of the seats that may be shown."""
    written: Mapping[Seat, str] = {}
    """Their orders as executed, as YAML."""
    struck: tuple[str, ...] = ()
    """The undone steps before it."""
    press: tuple[Document, ...] = ()
    """The public press of those steps."""
    ruled: tuple[tuple[str, str], ...] = ()
    """The rulings just before it: their names, and why the GM made them."""
    reason: str = ""
    """Why it ended the game when no rule did, in the GM's words."""

    @property
    def label(self) -> str:
        """The step as people call it: `turn 3, jump`."""
        return label_report(self.public)

    @property
    def turn(self) -> str:
        """The name of its turn's page: `17`."""
        return PurePosixPath(locate_turn_page(self.public)).stem


class Proof(Struct, frozen=True, kw_only=True):
    """The seed and words with which everybody can check every draw and step."""

    seed: str
    digest: str
    luck: tuple[tuple[Seat, str], ...]
    links: int
    last: str
    verifiable: bool


class Exhibit(Struct, frozen=True, kw_only=True):
    """A game as a reader may know it."""

    id: str
    kind: str
    title: str
    templates: str
    """The folder of its templates."""
    status: str
    created: str
    """RFC 3339, for the order of games."""
    seats: tuple[Seat, ...]
    shown: tuple[Seat, ...] = ()
    """The seats of which everything is shown."""
    holders: Mapping[Seat, tuple[SeatHolder, ...]] = {}
    scenes: tuple[Scene, ...] = ()
    struck: tuple[str, ...] = ()
    """Undone steps since the last one that counts."""
    press: tuple[Document, ...] = ()
    """What everybody may read and no report here tells yet."""
    ruled: tuple[tuple[str, str], ...] = ()
    """The rulings since the last step that counts."""
    links: int = 0
    """The number of the chain's last link."""
    proof: Proof | None = None
    ended: Ended | None = None
    """What the game came to for everybody, for the table of players."""

    @property
    def over(self) -> Document | None:
        """The result of a finished game: {winners, text}."""
        last = self.scenes[-1].public if self.scenes else {}
        return last.get("over") if self.status == Status.OVER else None

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """The seats that won; None until the game is over."""
        return tuple(self.over["winners"]) if self.over else None

    @property
    def state(self) -> str:
        """The status of the game as a whole."""
        return describe_status(self.status, has_begun=bool(self.scenes))

    @property
    def outcome(self) -> str:
        """How the game ended, or what happened last."""
        if self.over:
            return str(self.over["text"])
        if self.scenes:
            return str(self.scenes[-1].public["headline"])
        withdrawn = self.status == Status.OVER
        return "The game was withdrawn." if withdrawn else "The game has not begun."

    @property
    def owed(self) -> str:
        """What the players of a running game owe now, without a deadline, since pages age."""
        due = self.scenes[-1].public["due"] if self.scenes and not self.over else None
        return str(due["what"]) if due else ""


def make_exhibit(
    dossier: Dossier, kind: Kind, templates: str, *, seat: Seat | None = None
) -> Exhibit:
    """Select what may be shown: everything of a finished game, else only what this seat knows."""
    dossier = publish_dossier(dossier, seat)
    record = dossier.record
    game = record.game
    zone = settings_of(game.settings).zone
    over = record.is_revealed
    shown_seats = game.seats if over else (seat,) if seat else ()
    if seat and seat not in game.seats:
        raise Refused(f'{game.id} has no seat "{seat}"; its seats are {", ".join(game.seats)}')
    seats_there = {paper.seat for paper in record.papers}
    missing = [one for one in shown_seats if seats_there and one not in seats_there]
    if missing:
        raise Refused(
            f"{game.id}: no report of {missing[0]} is here; a public archive contains none"
        )
    scenes = tuple(_make_scenes(dossier, kind, shown_seats, zone))
    last = max((step.number for step in _list_reported(record) if not step.void), default=-1)
    return Exhibit(
        id=game.id,
        kind=game.kind,
        title=kind.title,
        templates=templates,
        status=game.status,
        created=game.created.isoformat(timespec="seconds"),
        seats=game.seats,
        shown=shown_seats,
        holders=_find_holders(dossier, zone),
        scenes=scenes,
        struck=_find_undone_steps(record, last, None),
        press=press.find_press_since(dossier.press, record.steps),
        ruled=_find_rulings(record, game.open_step),
        links=record.links[-1].number if record.links else 0,
        proof=_make_proof(dossier) if over else None,
        ended=read_ended(record, dossier.seatings, kind, dossier.unrated) if over else None,
    )


def _find_holders(dossier: Dossier, zone: str) -> dict[Seat, tuple[SeatHolder, ...]]:
    """List who held each seat, without names before the game begins."""
    if all(step.closed is None or step.void for step in dossier.record.steps):
        return {}
    holders: dict[Seat, tuple[SeatHolder, ...]] = {}
    for seating in sorted(dossier.seatings, key=lambda one: one.number):
        since = format_deadline(seating.since, zone)
        holder = SeatHolder(name=_name_holder(seating), since=since)
        holders[seating.seat] = (*holders.get(seating.seat, ()), holder)
    return holders


def _name_holder(seating: Seating) -> str:
    if seating.kind == "player":
        return seating.player or "somebody"
    return describe_bot(seating) if seating.kind == BOT else "nobody"


def _make_scenes(
    dossier: Dossier, kind: Kind, shown_seats: Sequence[Seat], zone: str
) -> Iterator[Scene]:
    record = dossier.record
    papers = {(paper.step, paper.seat): paper for paper in record.papers}
    orders = {(own.step, own.seat): own for own in record.orders if own.executed}
    last = -1
    for step in sorted(_list_reported(record), key=lambda step: step.number):
        if step.void or step.closed is None:
            continue
        public = papers[step.number, None].document
        own = {s: papers[step.number, s] for s in shown_seats if (step.number, s) in papers}
        wrote = {s: orders[step.number, s] for s in shown_seats if (step.number, s) in orders}
        yield Scene(
            name=step.name,
            folder=step_folder(step),
            closed=format_deadline(step.closed, zone),
            at=step.closed.astimezone(UTC).isoformat(timespec="seconds"),
            paper=public,
            public=decode(public),
            own={seat: decode(paper.document) for seat, paper in own.items()},
            written={seat: _write_orders(kind, step, one) for seat, one in wrote.items()},
            struck=_find_undone_steps(record, last, step.number),
            press=press.find_press_between(dossier.press, record.steps, last, step.number),
            ruled=_find_rulings(record, step.number),
            reason=step.reason or "",
        )
        last = step.number


def _list_reported(record: Record) -> Iterator[Step]:
    """List the steps of which everybody got a report; rulings have notices instead."""
    numbers = {paper.step for paper in record.papers if paper.seat is None}
    return (step for step in record.steps if step.number in numbers)


def _write_orders(kind: Kind, step: Step, orders: OrderSet) -> str:
    content = decode(orders.orders) or {}
    has_form = step.phase in kind.forms()
    return format_block(spell_orders(kind.form(step.phase), content) if has_form else content)


def _find_rulings(record: Record, before: int | None) -> tuple[tuple[str, str], ...]:
    """Find the rulings made just before a step."""
    numbers = {step.number for step in _list_reported(record)}
    rulings: list[tuple[str, str]] = []
    last = None if before is None else record.steps_by_number.get(before)
    step = record.find_before(last) if last else None
    while step is not None and step.phase == "ruling" and step.number not in numbers:
        rulings.append((step.name, step.reason or ""))
        step = record.find_before(step)
    return tuple(reversed(rulings))


def _find_undone_steps(record: Record, after: int, before: int | None) -> tuple[str, ...]:
    """Find the undone steps between these numbers whose reports had been sent."""
    reports = {paper.step: paper.document for paper in record.papers if paper.seat is None}
    return tuple(
        label_report(decode(reports[step.number]))
        for step in _list_reported(record)
        if step.void and after < step.number and (before is None or step.number < before)
    )


def _make_proof(dossier: Dossier) -> Proof | None:
    record = dossier.record
    game = record.game
    if not game.seed:
        return None
    return Proof(
        seed=game.seed.hex(),
        digest=digest(game.seed),
        luck=game.luck,
        links=len(record.links),
        last=record.links[-1].digest if record.links else "",
        verifiable=game.verifiable,
    )
