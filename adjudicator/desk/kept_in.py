"""Reports that a rollback kept in: they go out after all when it is taken back."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from adjudicator.core.canonical import decode
from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.house import PUBLIC
from adjudicator.desk.letters import ANSWER, REPORT, REPORTED, person, queue, to_address
from adjudicator.desk.observe import observers
from adjudicator.desk.papers import as_it_is, newest
from adjudicator.desk.seating import current
from adjudicator.desk.substitute import send_last
from adjudicator.desk.values import Letter, Step

Reader = tuple[Seat, str]
"""A seat and the person on it, or the public and an address."""


def send_again(case: Case, restored: Sequence[Step], at: datetime) -> tuple[Letter, ...]:
    """What was kept in, to those who still read it; whoever is new on a seat gets the last one."""
    steps = {step.number: step for step in restored}
    written = _written(case, restored)
    readers = _readers(case)
    kept = [
        _again(case, steps[letter.step], letter, at)
        for (reader, _), letter in written.items()
        if letter.status == "withdrawn" and reader in readers
    ]
    known = {reader for reader, _ in written}
    for seat, seating in current(case.books, case.game.id).items():
        paper = newest(case, seat) if (seat, seating.player) not in known else None
        if paper is not None and paper.step in steps and person(case, seating):
            kept.append(send_last(case, seating, paper, at))
    return tuple(kept)


def _readers(case: Case) -> set[Reader]:
    """Everybody who is mailed reports now."""
    seated = current(case.books, case.game.id).items()
    watching = {(PUBLIC, one.address) for one in observers(case)}
    return watching | {(seat, seating.player or "") for seat, seating in seated}


def _written(case: Case, steps: Sequence[Step]) -> dict[tuple[Reader, int], Letter]:
    """By reader and number of the report: the letter with it, one kept in only if no other is."""
    seatings = case.books.seatings(case.game.id)
    people = {(one.seat, one.number): one.player or "" for one in seatings}
    found: dict[tuple[Reader, int], Letter] = {}
    for letter in _reports(case, steps):
        number = decode(letter.document)["number"]
        for name in letter.to or (people.get((letter.seat, letter.seating), ""),):
            key = (letter.seat, name), number
            if letter.status != "withdrawn" or key not in found:
                found[key] = letter
    return found


def _reports(case: Case, steps: Sequence[Step]) -> Iterator[Letter]:
    for step in steps:
        for letter in case.books.letters(case.game.id, step.number):
            if letter.template == REPORTED:
                yield letter


def _again(case: Case, step: Step, letter: Letter, at: datetime) -> Letter:
    document = decode(letter.document)
    if letter.to is None:
        again = as_it_is(case, letter.seat, document)
        return queue(case, step, letter.seat, ANSWER, again, at=at)
    again = as_it_is(case, None, document)
    return to_address(case, letter.to, REPORT, again, at=at, reader=PUBLIC, step=step)
