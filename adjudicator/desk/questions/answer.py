"""Answer questions: a seat's from what it may know, the GM's from all that is not secret."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Seat, decode
from adjudicator.desk.model.context import Context, RequestOutcome, Sender, current_step, reject
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.seats import PLAYER, begin_seating, change_seating
from adjudicator.desk.model.values import OutgoingLetter, Status
from adjudicator.desk.outbox.form import answer_document, answer_part, gm_form, seat_form
from adjudicator.desk.outbox.notices import send_answer
from adjudicator.desk.outbox.past_reports import choose_report, position_document, report_as_resent
from adjudicator.desk.outbox.queue import ANSWER, RECEIPT, REPORTED, queue_letter
from adjudicator.desk.questions.answer_parts import (
    example_part,
    explain_event,
    full_history_part,
    gm_guide_part,
    gm_resend_part,
    guide_part,
    history_part,
    orders_part,
    players_part,
    rules_part,
    status_part,
    table_part,
    trust_part,
)
from adjudicator.desk.questions.glossary import free_question_part, words_part
from adjudicator.desk.questions.question_words import FREE, Question, first_number, parse_questions
from adjudicator.desk.steps.press import (
    PRESS_VERSION,
    choose_page,
    may_read,
    press_document,
    show_message,
)

Part = Callable[[Context, Seat, Question], Document]
"""part(context, reader, question): a part of the answer for a reader."""


class Answer(Struct, frozen=True):
    """The functions that answer a question, for a seat and for the GM; None: not for them."""

    seat: Part | None
    gm: Part | None


_ANSWERS: Mapping[str, Answer] = {
    "status": Answer(status_part, table_part),
    "orders": Answer(orders_part, table_part),
    "history": Answer(history_part, full_history_part),
    "rules": Answer(rules_part, rules_part),
    "why": Answer(explain_event, None),
    "players": Answer(players_part, table_part),
    "help": Answer(guide_part, gm_guide_part),
    "trust": Answer(trust_part, trust_part),
    "words": Answer(words_part, words_part),
    "example": Answer(example_part, example_part),
    "resend": Answer(None, gm_resend_part),
    FREE: Answer(free_question_part, free_question_part),
}
"""What is told in a part of one letter; a seat is also sent reports and keys, in their own."""

_MOST = 20
_OTHER_PRESS = "`ask: press 1` gets you those from the first on."


def answer_questions(context: Context, sender: Sender, value: Any) -> RequestOutcome:
    """Answer a seat's questions in one letter where possible; reports go in their own."""
    if context.player(sender.seating) is None:
        return reject(f"Nobody plays {sender.seat}, so there is nobody to answer.")
    questions, wrong, outcome = parse_questions(value), list[str](), RequestOutcome()
    if len(questions) > _MOST:
        wrong.append(f"a letter may contain {_MOST} questions; the later ones were left out.")
        questions = questions[:_MOST]
    if any(one.word == "new-key" for one in questions):
        outcome += issue_new_key(context, sender.seat)
    parts: dict[Question, Document] = {}
    for one in questions:
        try:
            if one.word in _OWN_LETTERS:
                outcome += _OWN_LETTERS[one.word](context, sender.seat, one)
            elif one.word in _ANSWERS and (make := _ANSWERS[one.word].seat):
                part = make(context, sender.seat, one)
                if part not in parts.values():  # `rules` and `rules all` are alike
                    parts[one] = part
        except Refused as error:
            wrong.append(str(error))
    return outcome + _send_answer(context, sender.seat, parts, wrong)


def _send_answer(
    context: Context, seat: Seat, parts: Mapping[Question, Document], wrong: Sequence[str]
) -> RequestOutcome:
    """Send the answer, with what could not be answered in the same letter if there is one."""
    if not parts:
        return reject(*(f"ask: {one}" for one in wrong))
    headline = ", ".join(dict.fromkeys(one.word for one in parts))
    all_parts = [*parts.values(), *([answer_part("NOT ANSWERED", wrong)] if wrong else ())]
    return RequestOutcome(letter=_send(context, seat, f"Your answer: {headline}", all_parts))


def _find_name(context: Context, seat: Seat) -> str | None:
    """Find the name of whoever reads the seat's letters now."""
    player = context.player(context.seatings.get(seat))
    return player.name if player else None


def _send(context: Context, seat: Seat, headline: str, parts: list[Document]) -> OutgoingLetter:
    name = _find_name(context, seat)
    document = answer_document(context, seat, name, headline, parts, seat_form(context, seat))
    return queue_letter(context, current_step(context), seat, ANSWER, document, template="answer/1")


def _answer_report(context: Context, seat: Seat, question: Question) -> RequestOutcome:
    paper = choose_report(context, seat, first_number(question.rest))
    return RequestOutcome(letter=_send_again(context, seat, paper.document))


def _answer_map(context: Context, seat: Seat, _: Question) -> RequestOutcome:
    """Send the position alone, in a letter with its pictures."""
    if context.game.status is Status.OPEN:
        raise Refused(f"map: {context.id} has not begun, so there is no position yet")
    document, step = position_document(context, seat), current_step(context)
    letter = queue_letter(context, step, seat, ANSWER, document, template=REPORTED)
    return RequestOutcome(letter=letter)


def _send_again(context: Context, seat: Seat, content: bytes) -> OutgoingLetter:
    """Send a report again, under the name of whoever reads it now."""
    document = {
        **report_as_resent(context, seat, decode(content)),
        "player": _find_name(context, seat),
    }
    document["headline"] = document["headline"] or f"Report {document['number']}"
    return queue_letter(context, current_step(context), seat, ANSWER, document, template="report/1")


def _answer_press(context: Context, seat: Seat, question: Question) -> RequestOutcome:
    """Show the seat's press sent and received, as much as fits: the latest, or from a number on."""
    messages = [one for one in context.books.press(context.id) if may_read(one, seat)]
    if not messages:
        raise Refused("press: you have no messages yet, neither sent nor received")
    entries = [show_message(one, seat) for one in messages]
    page = choose_page(entries, first_number(question.rest))
    if not page:
        raise Refused(f"press: there are {len(messages)} messages")
    part = messages[page.start : page.stop]
    document = press_document(context, part, seat, _find_name(context, seat))
    whole = f"Messages {page.start + 1} to {page.stop} of {len(messages)}"
    if len(part) < len(messages):
        note = {"from": "the server", "to": seat, "text": f"{whole}. {_OTHER_PRESS}"}
        document = {**document, "messages": [*document["messages"], note]}
    document = {**document, "headline": f"{whole}, sent and received"}
    step = current_step(context)
    letter = queue_letter(context, step, seat, ANSWER, document, template=PRESS_VERSION)
    return RequestOutcome(letter=letter)


def resend_last_report(context: Context, seat: Seat) -> RequestOutcome:
    """Resend the last report and the last receipt to the addresses of the seat."""
    seating = context.seatings.get(seat)
    if context.player(seating) is None:
        return reject(f"Nobody plays {seat}, so there is nobody to send anything to.")
    try:
        paper = choose_report(context, seat, None)
    except Refused:
        return reject(f"{context.id} has not begun; there is nothing to send again yet.")
    report = _send_again(context, seat, paper.document)
    return RequestOutcome(letter=_last_receipt(context, seat) or report)


_OWN_LETTERS: Mapping[str, Callable[[Context, Seat, Question], RequestOutcome]] = {
    "report": _answer_report,
    "map": _answer_map,
    "press": _answer_press,
    "resend": lambda context, seat, _: resend_last_report(context, seat),
}
"""What a seat is told in a letter of its own."""


def _last_receipt(context: Context, seat: Seat) -> OutgoingLetter | None:
    """Find this person's latest receipt of the open step, under whichever key."""
    seatings = [one for one in context.books.seatings(context.id) if one.seat == seat]
    own = [one.number for one in seatings if one.player == seatings[-1].player]
    receipts = [
        letter
        for letter in context.books.letters(context.id, current_step(context).number)
        if letter.kind == RECEIPT and letter.seat == seat and letter.seating in own
    ]
    if not receipts:
        return None
    document, template = decode(receipts[-1].document), receipts[-1].template
    step = current_step(context)
    return queue_letter(context, step, seat, ANSWER, document, template=template)


def issue_new_key(context: Context, seat: Seat) -> RequestOutcome:
    """Void every key that a seat has been given; the next letters bring new ones."""
    books, game = context.books, context.id
    before = context.seatings.get(seat)
    if before is None or before.kind != PLAYER:
        return reject(f"Nobody plays {seat}, so it needs no new key.")
    after = begin_seating(
        books, game, seat, before, at=context.at, kind=PLAYER, player=before.player
    )
    change_seating(books, after, missed=before.missed, vote=before.vote)
    context.note("new-key", f"{seat} has new keys", by="player", data={"seat": seat})
    sentence = (
        "Your old keys are void. The block of this letter, and of every later one, holds the new "
        "key; it goes to your registered addresses only."
    )
    return RequestOutcome(done=(sentence,))


# the GM


def answer_gm(context: Context, value: Any) -> list[Document]:
    """Make the parts of the answer; one of them says what cannot be answered."""
    questions, wrong = parse_questions(value), list[str]()
    parts: list[Document] = []
    for one in questions:
        make = _ANSWERS[one.word].gm if one.word in _ANSWERS else None
        if make is None:
            wrong.append(_FOR_PLAYERS.format(one.word))
            continue
        try:
            part = make(context, GM, one)
            parts += [part] if part not in parts else []  # status and players may be alike
        except Refused as why:
            wrong.append(str(why))
    if wrong:
        parts.append(answer_part("NOT ANSWERED", wrong))
    return parts


_FOR_PLAYERS = (
    "{} is a player's question; the GM asks status, players, history, rules, words, example, "
    "trust and help"
)


def send_gm_key(context: Context) -> OutgoingLetter:
    """Send the GM where the game stands, and the block with which to write."""
    how = (
        "Reply with lines like those below; the block contains the GM's key, so do not pass it on. "
        "`ask: help` gets you the GM's guide."
    )
    parts = [*answer_gm(context, "status"), answer_part("WHAT YOU CAN DO", [how])]
    return send_answer(context, (), "Your key", parts, form=gm_form(context), reader=GM)
