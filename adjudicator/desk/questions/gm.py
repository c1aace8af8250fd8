"""Answer the GM's questions: everything but what is secret."""

from typing import Any

from adjudicator.core.document import Document
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.absences import current_absences, describe_absence
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import describe_end
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import OutgoingLetter, Status
from adjudicator.desk.outbox.answers import answer_document, answer_part, gm_form
from adjudicator.desk.outbox.queue import ANSWER, queue_to_address
from adjudicator.desk.questions.parts import rules_part, trust_part
from adjudicator.desk.questions.words import Question, parse_questions

GUIDE = "guide-gm"
"""The template whose text answers the GM's `ask: help`."""


def answer_gm(context: Context, value: Any) -> list[Document]:
    """The parts of the answer; what cannot be answered is said in one of them."""
    asked, wrong = parse_questions(value)
    parts: list[Document] = []
    for one in asked:
        try:
            made = _answer_one(context, one)
            parts += [made] if made not in parts else []  # status and players are told alike
        except Refused as why:
            wrong.append(str(why))
    if wrong:
        parts.append(answer_part("NOT ANSWERED", wrong))
    return parts


def _answer_one(context: Context, question: Question) -> Document:
    if question.word in ("status", "players", "orders"):
        return _describe_status(context)
    if question.word == "history":
        zone = context.settings.zone
        rows = [
            (deadlines.format_deadline(note.at, zone), note.by, f"{note.act}: {note.text}")
            for note in context.books.notes(context.game.id)
        ]
        return answer_part("HISTORY", columns=("when", "by", "what"), rows=rows)
    if question.word == "rules":
        return rules_part(context, "", question)
    if question.word == "help":
        return {**answer_part("HELP"), "guide": GUIDE}
    if question.word == "trust":
        return trust_part(context, "", question)
    if question.word == "resend":
        return answer_part(
            "RESEND", ["This letter contains your key; there is nothing else to send again."]
        )
    raise Refused(
        f"{question.word} is a player's question; the GM asks status, players, history, rules, "
        "trust and help"
    )


def _describe_status(context: Context) -> Document:
    """Where the game stands, who plays, and who is in; nobody's orders."""
    game, zone = context.game, context.settings.zone
    seatings = context.seatings
    is_over = game.status is Status.OVER
    lines = [
        f"{game.id} {describe_end(context.books, game.id) if is_over else f'is {game.status}'}."
    ]
    here: dict[str, str] = {}
    if game.open_step is not None:
        step = context.open_step()
        when = deadlines.format_deadline(step.deadline, zone) if step.deadline else "none"
        lines.append(f"Open now: {context.label(step)}. Deadline: {when}.")
        here = {one.seat: _describe_seat(one) for one in context.standings}
    if game.status is not Status.OVER:
        lines += [f"{describe_absence(one, zone)}." for one in current_absences(context)]
    rows = []
    for seat in game.seats:
        seating = seatings.get(seat)
        plays = (seating.player or seating.kind) if seating else "free"
        rows.append((seat, plays, here.get(seat, "")))
    return answer_part("STATUS", lines, columns=("seat", "player", "orders"), rows=rows)


def _describe_seat(one: Standing) -> str:
    """How a seat stands; who owes nothing is neither in nor late."""
    if one.due is None:
        return "nothing due"
    return "in" if one.is_in else "NOT in"


def send_gm_key(context: Context) -> OutgoingLetter:
    """Where the game stands, and the block with which its GM writes."""
    how = (
        "Reply with lines like those below; the block contains the GM's key, so do not pass it on. "
        "`ask: help` gets you the GM's guide."
    )
    parts = [*answer_gm(context, "status"), answer_part("WHAT YOU CAN DO", [how])]
    document = answer_document(context, None, None, "Your key", parts, gm_form(context))
    return queue_to_address(context, (), ANSWER, document, template="answer/1", reader=GM)
