"""What everybody may know of a game: all that pages and public archives are made of."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from adjudicator.adapters.archive.dossier import Dossier
from adjudicator.adapters.archive.order_sheet import read_kept
from adjudicator.adapters.archive.places import part_path
from adjudicator.core.document import Document, Seat, digest
from adjudicator.desk.model.settings import NEXT
from adjudicator.desk.model.values import Game, OrderSet, Paper, Press, Seating, Step
from adjudicator.desk.steps.press import publish_report
from adjudicator.desk.steps.record import Record, find_withheld

_PRIVATE_SETTINGS = ("invited", "substitutes")


def publish_dossier(dossier: Dossier, seat: Seat | None = None) -> Dossier:
    """The game as everybody may know it, of a running one also what this seat knows.

    At the end everything is told but private press, who wrote without a name, and addresses.
    """
    record = dossier.record
    game, told = record.game, record.is_told
    readers = {None, *game.seats} if told else {None, seat}
    seed = {} if told else {"seed": b"", "luck": ()}
    public = replace(game, settings=_publish_settings(game), **seed)
    return Dossier(
        record=Record(
            game=public,
            steps=tuple(step if told else _hide_outcome(step) for step in record.steps),
            orders=tuple(own for own in record.orders if _is_shown(own, readers)),
            papers=tuple(_publish_papers(record, readers)),
            links=record.links,
            since=record.since,
            starts=record.starts if told else (),
            retold=record.retold,
        ),
        seatings=tuple(_publish_seatings(dossier)),
        press=publish_press(dossier.press, record.steps),
        seed_digest=dossier.seed_digest or digest(game.seed),
        withheld=(dossier.withheld | find_withheld(record)) if told else frozenset(),
    )


def publish_press(press: Iterable[Press], steps: Sequence[Step]) -> tuple[Press, ...]:
    """What went to everybody, none of it before the start: without who wrote without a name.

    Numbers and instants are their own, since gaps would count private messages, and the instant
    of a letter can tell its writer.
    """
    if not _has_begun(steps):  # who is there before the start is nobody's business yet
        return ()
    opened = {step.number: step.opened for step in steps}
    shown = [one for one in press if not one.to]
    return tuple(
        replace(
            one,
            number=number,
            at=opened.get(-1 if one.step is None else one.step, steps[-1].opened),
            **({"seat": None, "seating": 0} if one.anonymous else {}),
        )
        for number, one in enumerate(shown, 1)
    )


def _publish_settings(game: Game) -> Document:
    later = game.settings.get(NEXT, {})
    kept = {name: v for name, v in game.settings.items() if name not in (*_PRIVATE_SETTINGS, NEXT)}
    coming = {name: value for name, value in later.items() if name not in _PRIVATE_SETTINGS}
    return {**kept, **({NEXT: coming} if NEXT in game.settings else {})}


def _hide_outcome(step: Step) -> Step:
    return replace(step, state=None, events=b"[]")


def _is_shown(own: OrderSet, readers: set[Seat | None]) -> bool:
    return own.executed and own.seat in readers


def _publish_papers(record: Record, readers: set[Seat | None]) -> Iterator[Paper]:
    for paper in record.papers:
        if paper.seat in readers:
            if record.is_told:
                path = part_path(record.numbered[paper.step], "report", paper.seat)
                read_kept(path, paper.document)
            document = publish_report(paper.document) if record.is_told else paper.document
            yield replace(paper, document=document)


def _publish_seatings(dossier: Dossier) -> Iterator[Seating]:
    """No names and no late ones while the players do not know them either, and no votes."""
    record, settings = dossier.record, dossier.record.game.settings
    named = record.is_told or not settings.get("anonymous")
    named = named and _has_begun(record.steps)
    late = record.is_told or settings.get("late_visible")
    for seating in dossier.seatings:
        yield replace(
            seating,
            player=seating.player if named else None,
            missed=seating.missed if late else 0,
            vote="none",
        )


def _has_begun(steps: Iterable[Step]) -> bool:
    return any(step.closed is not None and not step.void for step in steps)
