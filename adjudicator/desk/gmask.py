"""Answer the GM's questions: everything but what is secret."""

from datetime import datetime
from typing import Any

from adjudicator.core.document import Document
from adjudicator.desk import deadlines
from adjudicator.desk.absent import away, in_words
from adjudicator.desk.answers import part
from adjudicator.desk.asked import rules
from adjudicator.desk.case import Case
from adjudicator.desk.ended import how_over
from adjudicator.desk.errors import Refused
from adjudicator.desk.inform import Standing, standings
from adjudicator.desk.question import Question, questions
from adjudicator.desk.seating import current
from adjudicator.desk.values import Status

GUIDE = "guide-gm"
"""The template whose text answers the GM's `ask: help`."""


def ask_gm(case: Case, value: Any, at: datetime) -> list[Document]:
    """The parts of the answer; what cannot be answered is said in one of them."""
    asked, wrong = questions(value)
    parts: list[Document] = []
    for one in asked:
        try:
            made = _one(case, one, at)
            parts += [made] if made not in parts else []  # status and players are told alike
        except Refused as why:
            wrong.append(str(why))
    if wrong:
        parts.append(part("NOT ANSWERED", wrong))
    return parts


def _one(case: Case, question: Question, at: datetime) -> Document:
    if question.word in ("status", "players", "orders"):
        return _status(case, at)
    if question.word == "history":
        zone = case.settings.zone
        rows = [
            (deadlines.words(note.at, zone), note.by, f"{note.act}: {note.text}")
            for note in case.books.notes(case.game.id)
        ]
        return part("HISTORY", columns=("when", "by", "what"), rows=rows)
    if question.word == "rules":
        return rules(case, "", question, at)
    if question.word == "help":
        return {**part("HELP"), "guide": GUIDE}
    if question.word == "resend":
        return part("RESEND", ["This letter holds your key; there is nothing else to send again."])
    raise Refused(
        f"{question.word} is a player's question; the GM asks status, players, history, rules "
        "and help"
    )


def _status(case: Case, at: datetime) -> Document:
    """Where the game stands, who plays, and who is in; nobody's orders."""
    game, zone = case.game, case.settings.zone
    seatings = current(case.books, game.id)
    is_over = game.status is Status.OVER
    lines = [f"{game.id} {how_over(case.books, game.id) if is_over else f'is {game.status}'}."]
    here: dict[str, str] = {}
    if game.open_step is not None:
        step = case.open_step()
        when = deadlines.words(step.deadline, zone) if step.deadline else "none"
        lines.append(f"Open is {step.name}. Deadline: {when}.")
        stand = standings(
            game.seats,
            case.due(case.before(step)),
            seatings,
            case.books.orders(game.id, step.number),
        )
        here = {one.seat: _where(one) for one in stand}
    if game.status is not Status.OVER:
        lines += [f"{in_words(one, zone)}." for one in away(case, at)]
    rows = []
    for seat in game.seats:
        seating = seatings.get(seat)
        plays = (seating.player or seating.kind) if seating else "free"
        rows.append((seat, plays, here.get(seat, "")))
    return part("STATUS", lines, columns=("seat", "player", "orders"), rows=rows)


def _where(one: Standing) -> str:
    """How a seat stands; who owes nothing is neither in nor late."""
    if one.due is None:
        return "nothing due"
    return "in" if one.is_in else "NOT in"
