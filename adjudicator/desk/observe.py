"""Observers: people without a seat who get what the public may know, and nothing else."""

from datetime import datetime

import msgspec

from adjudicator.core.canonical import decode
from adjudicator.core.document import Document
from adjudicator.desk.case import Case
from adjudicator.desk.house import PUBLIC
from adjudicator.desk.letters import ANSWER, REPORT, to_address
from adjudicator.desk.log import log
from adjudicator.desk.seating import current, holders
from adjudicator.desk.values import Letter, Observer, Paper, Step


def observers(case: Case) -> tuple[Observer, ...]:
    """Who observes the game now, by address."""
    return tuple(one for one in case.books.observers(case.game.id) if one.until is None)


def observe(case: Case, address: str, name: str | None, *, at: datetime) -> str:
    """Let an address observe, once its owner has confirmed it; says what came of it."""
    game = case.game.id
    if any(one.address == address for one in observers(case)):
        return f"You observe {game} already."
    if _plays(case, address):
        return f"You play in {game}, so you get your own reports and need not observe it."
    made = Observer(game=game, address=address, name=name, since=at)
    case.books.save_observer(made)
    log(case.books, game, "observe", "somebody observes the game", at=at, by="stranger")
    last = _last(case)
    if last is not None:
        report = decode(last.document)
        to_address(case, address, ANSWER, report, at=at, reader=PUBLIC, template="report/1")
    return f"You observe {game} from now on: you get what everybody may know."


def unobserve(case: Case, address: str, *, at: datetime) -> str:
    """Send an address nothing more."""
    game = case.game.id
    mine = [one for one in observers(case) if one.address == address]
    if not mine:
        return f"You do not observe {game}."
    for one in mine:
        case.books.save_observer(msgspec.structs.replace(one, until=at))
    log(case.books, game, "observe", "somebody observes no more", at=at, by="stranger")
    return f"You observe {game} no more."


def publish(case: Case, step: Step, report: Document, *, at: datetime) -> tuple[Letter, ...]:
    """The public's report of a step to everybody who observes."""
    return tuple(
        to_address(case, one.address, REPORT, report, at=at, reader=PUBLIC, step=step)
        for one in observers(case)
    )


def _plays(case: Case, address: str) -> bool:
    held = holders(current(case.books, case.game.id)).values()
    players = [case.books.player(name) for name in held]
    return any(player is not None and address in player.addresses for player in players)


def _last(case: Case) -> Paper | None:
    struck = {step.number for step in case.books.steps(case.game.id) if step.void}
    papers = [
        paper
        for paper in case.books.papers(case.game.id)
        if paper.seat is None and paper.step not in struck
    ]
    return papers[-1] if papers else None
