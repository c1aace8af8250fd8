"""The public facts of a game, from which pages and public archives are made."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from adjudicator.adapters.archive.order_sheet import read_kept
from adjudicator.adapters.archive.places import part_path
from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.core.document import Document, Seat, digest
from adjudicator.desk.model.settings import NEXT
from adjudicator.desk.model.values import Game, OrderSet, Paper, Press, Seating, Step
from adjudicator.desk.steps.press import publish_report
from adjudicator.desk.steps.record import Record, find_withheld

_PRIVATE_SETTINGS = ("invited", "substitutes")


def publish_dossier(dossier: Dossier, seat: Seat | None = None) -> Dossier:
    """Reduce the game to what is public; while it runs, also to what this seat knows.

    Once it is over, only private press, the authors of anonymous press and addresses stay hidden.
    """
    record = dossier.record
    game, is_revealed = record.game, record.is_revealed
    readers = {None, *game.seats} if is_revealed else {None, seat}
    seed = {} if is_revealed else {"seed": b"", "luck": ()}
    public = replace(game, settings=_publish_settings(game), **seed)
    return Dossier(
        record=Record(
            game=public,
            steps=tuple(step if is_revealed else _hide_outcome(step) for step in record.steps),
            orders=tuple(own for own in record.orders if _is_shown(own, readers)),
            papers=tuple(_publish_papers(record, readers)),
            links=record.links,
            since=record.since,
            starts=record.starts if is_revealed else (),
            retold=record.retold,
        ),
        seatings=tuple(_publish_seatings(dossier)),
        unrated=dossier.unrated if is_revealed else (),
        press=publish_press(dossier.press, record.steps),
        seed_digest=dossier.seed_digest or digest(game.seed),
        withheld=(dossier.withheld | find_withheld(record)) if is_revealed else frozenset(),
    )


def publish_press(press: Iterable[Press], steps: Sequence[Step]) -> tuple[Press, ...]:
    """List the press sent to everybody since the start, without the authors of anonymous press.

    Numbers and instants are replaced: gaps would reveal the count of private messages, and the
    instant of a letter its author.
    """
    if not _has_begun(steps):  # who has joined is secret until the start
        return ()
    instants = {step.number: step.opened for step in steps}
    messages = [one for one in press if not one.to]
    return tuple(
        replace(
            one,
            number=number,
            at=instants.get(one.step or 0, steps[-1].opened),
            **({"seat": None, "seating": 0} if one.anonymous else {}),
        )
        for number, one in enumerate(messages, 1)
    )


def _publish_settings(game: Game) -> Document:
    later = game.settings.get(NEXT, {})
    settings = {
        name: v for name, v in game.settings.items() if name not in (*_PRIVATE_SETTINGS, NEXT)
    }
    coming = {name: value for name, value in later.items() if name not in _PRIVATE_SETTINGS}
    return {**settings, **({NEXT: coming} if NEXT in game.settings else {})}


def _hide_outcome(step: Step) -> Step:
    return replace(step, state=None, events=b"[]")


def _is_shown(own: OrderSet, readers: set[Seat | None]) -> bool:
    return own.executed and own.seat in readers


def _publish_papers(record: Record, readers: set[Seat | None]) -> Iterator[Paper]:
    for paper in record.papers:
        if paper.seat in readers:
            if record.is_revealed:
                path = part_path(record.steps_by_number[paper.step], "report", paper.seat)
                read_kept(path, paper.document)
            document = publish_report(paper.document) if record.is_revealed else paper.document
            yield replace(paper, document=document)


def _publish_seatings(dossier: Dossier) -> Iterator[Seating]:
    """List the seatings without votes, and without names and late orders while those are secret."""
    record, settings = dossier.record, dossier.record.game.settings
    has_names = record.is_revealed or not settings.get("anonymous")
    has_names = has_names and _has_begun(record.steps)
    late = record.is_revealed or settings.get("late_visible")
    for seating in dossier.seatings:
        yield replace(
            seating,
            player=seating.player if has_names else None,
            missed=seating.missed if late else 0,
            vote="none",
        )


def _has_begun(steps: Iterable[Step]) -> bool:
    return any(step.closed is not None and not step.void for step in steps)
