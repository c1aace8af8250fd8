"""A letter without a good key: joining, lost keys, and people who write for the first time.

From may be forged, so the answer may go to somebody who never wrote: it quotes nothing that the
writer chose, unless the address is one that somebody has confirmed.
"""

import math
import re
from collections.abc import Sequence

from adjudicator.core.document import Seat
from adjudicator.desk.inbox.blocks import explain_unreadable
from adjudicator.desk.inbox.from_joiner import (
    ENOUGH_ANSWERS,
    NO_SUCH_GAME,
    PLAYS_IN_IT,
    describe_open_games,
    find_join_request,
    handle_joining,
    is_visible,
)
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.model.context import Sender
from adjudicator.desk.model.values import ASKED, Arrival, Status
from adjudicator.desk.orders.reading_orders import MailedOrders
from adjudicator.desk.orders.submit import file_orders
from adjudicator.desk.outbox.form import seat_form
from adjudicator.desk.outbox.notices import notify_seat
from adjudicator.desk.questions.answer import resend_last_report, send_gm_key
from adjudicator.desk.questions.answer_parts import HELP, TRUST
from adjudicator.desk.questions.question_words import FREE, parse_questions
from adjudicator.desk.requests.envelope import Envelope, OrderBlock
from adjudicator.desk.requests.grant import grant_requests

_JOINS = re.compile(r"^\W*join\s*[:\uff1a]", re.IGNORECASE | re.MULTILINE)
_SHORT_WORD = 3
"""Words up to this length say nothing, wherever they stand."""
_HERE = "This is the address of a server for games played by mail."
_FORM = (
    "Reply to the latest letter of your game: the block at its end, from `game:` to `# end of "
    "orders`, contains your key."
)
_MANY_WRONG = (
    "Too many wrong keys have arrived, so for now a key counts only from a registered address of "
    "its seat. Write from one of yours, or reply to a letter of your game."
)
_HELP = ("To get the last report again, with its form and key, write this line:", "ask: resend")


def handle_stranger_letter(
    task: LetterTask, blocks: Sequence[OrderBlock], *, is_ignored: bool
) -> Arrival:
    """Answer the first block to its sender, with nothing that is not public."""
    sender = task.letter.sender
    if sender is None:
        return _handle_nobody(task)
    if task.letter.bulk:
        return task.no_answer("a mailing list's letter without a valid key")
    if is_ignored:
        return task.no_answer("too many wrong keys from this address; it is ignored for a while")
    first = blocks[0] if blocks else None
    joining = find_join_request(task, first)
    if joining is not None:
        return handle_joining(task, joining, sender)
    if not task.may_answer_sender():
        return task.no_answer(ENOUGH_ANSWERS)
    if first is None or not (first.envelope.key or first.envelope.requests):
        status = _send_status(task, first.envelope.game if first is not None else None)
        if status is not None:
            return status
    # from the GM's own address without the key: the key is sent there
    leads = task.house.is_gm(sender) and first is not None and "gm" in first.envelope.requests
    if first is not None and (_is_asked(first, "resend") or leads):
        return _resend(task, first)
    answer = _answer_questions(task, first) if first is not None else None
    if answer is not None:
        return answer
    headline, lines, reason = _choose_words(task, first, sender)
    guides = (("help", HELP), ("trust", TRUST)) if first is not None else ()
    guide = next((name for word, name in guides if first and _is_asked(first, word)), None)
    return task.answered(task.tell_sender(headline, lines, guide), reason)


def _handle_nobody(task: LetterTask) -> Arrival:
    """Tell the GM of a letter that could not even be read; nobody can be answered."""
    problems = [one.message for one in task.letter.problems]
    if problems:
        task.tell_gm(f"A letter arrived that could not be read: {problems[0]}. It was set aside.")
    return task.no_answer(": ".join(["no sender to answer", *problems[:1]]))


# players who wrote nothing that counts


def _send_status(task: LetterTask, about: str | None) -> Arrival | None:
    """Send a seat's player the status and the form; None if the sender plays in no open step.

    From proves nothing, so this goes to the seat's registered addresses and changes nothing.
    """
    answered = None
    for game, seat in _find_seats(task, about)[:_MOST_STATUSES]:
        context = task.context(game)
        remarks = [_NO_REPLY]
        if task.letter.attached:
            remarks.append(_ATTACHED.format(task.letter.attached[0]))
        mailed = MailedOrders(arrived=task.arrived, date=None, step="", remarks=tuple(remarks))
        result = file_orders(context, seat, OrderBlock(), by="player", mailed=mailed)
        answered = answered or task.answered(result.letter, "nothing that counts")
    return answered


def _find_seats(task: LetterTask, about: str | None) -> Sequence[tuple[str, Seat]]:
    """Find the seats of the sender in open steps, of the game that the letter names if any."""
    seats = [
        (one.id, seat)
        for one, seat in task.seats_of_sender()
        if one.open_step is not None and about in (None, one.id)
    ]
    subject, tagged = task.letter.subject.casefold(), task.tagged_game
    named_seats = [one for one in seats if one[0] == tagged or f"[{one[0]}]".casefold() in subject]
    return named_seats or seats


def _answer_questions(task: LetterTask, first: OrderBlock) -> Arrival | None:
    """Answer a player who asks for texts that everybody may read, at the seat's addresses."""
    head = first.envelope
    if head.key or set(head.requests) != {"ask"} or first.form.value:
        return None
    questions = parse_questions(head.requests["ask"])
    seats = _find_seats(task, head.game)
    if len(seats) != 1 or not {one.word for one in questions} <= _FOR_EVERYBODY:
        return None
    ((game, seat),) = seats
    context = task.context(game)
    sender = Sender(
        seat=seat, seating=context.seatings.get(seat), step=context.open_step(), at=task.arrived
    )
    letter = grant_requests(context, sender, Envelope(requests=head.requests), preview=False).letter
    return task.answered(letter, "questions", seat=seat) if letter is not None else None


_FOR_EVERYBODY = frozenset(("rules", "help", "example", "words", "trust", FREE))
_MOST_STATUSES = 3
_NO_REPLY = (
    "Your letter is no reply to a letter of this game and holds no key, so nothing in it was done. "
    "Reply to this letter: write your orders in lines of their own above the form."
)
_ATTACHED = "Nothing is read from attachments such as {}."


# lost keys


def _is_asked(one: OrderBlock, word: str) -> bool:
    if "ask" not in one.envelope.requests:
        return False
    questions = parse_questions(one.envelope.requests["ask"])
    return any(question.word == word for question in questions)


def _resend(task: LetterTask, one: OrderBlock) -> Arrival:
    """Resend the last letters to a writer without a key, at registered addresses only."""
    name, letter = one.envelope.game, None
    leads, seats = task.house.is_gm(task.letter.sender), task.seats_of_sender()
    if (leads or seats) and not task.may_resend():
        return task.no_answer("the daily limit of letters sent again without a key")
    for game in task.books.games() if leads else ():
        if name in (None, game.id) and game.status is not Status.OVER:
            letter = send_gm_key(task.context(game.id))
    for game, seat in seats:
        if name in (None, game.id) and game.status is not Status.OPEN:
            letter = resend_last_report(task.context(game.id), seat).letter or letter
    if letter is not None:
        return task.answered(letter, "resend")
    lines = ["No player of a running game here uses this address.", *describe_open_games(task)]
    letter = task.tell_sender("There is nothing to send again", lines)
    return task.answered(letter, "nothing to send again")


# words


def _choose_words(
    task: LetterTask, first: OrderBlock | None, sender: str
) -> tuple[str, list[str], str]:
    """Choose the subject, the sentences, and one word for what it was."""
    plays = bool(task.books.holders(sender)) or task.house.is_gm(sender)
    may_quote = bool(task.people_of_sender())
    if first is None:
        lines = ["No orders and no question were found in your letter."]
        lines += [one.message for one in task.letter.problems[:2]] if may_quote else []
        lines += _list_unconfirmed(task, sender) or (
            [_FORM, *_HELP] if plays else [_HERE, *describe_open_games(task)]
        )
        return "Your letter contained nothing to do", lines, "no block"
    if _is_broken(first):
        lines = [
            "These lines of your letter could not be read, so nothing was done:",
            *(explain_unreadable(first) if may_quote else _name_lines(first)),
            "Correct that and send them again.",
        ]
        return "Your letter could not be read", lines, "unreadable"
    envelope = first.envelope
    if envelope.game is not None and not is_visible(task, envelope.game):
        lines = [NO_SUCH_GAME, PLAYS_IN_IT, *describe_open_games(task)]
        return "There is no such game", lines, "unknown game"
    if envelope.key and task.is_slowed():
        lines = [_MANY_WRONG, *_HELP]
        return "Your key was not accepted", lines, "keys are slowed"
    if envelope.key:
        lines = ["The key in your letter is not valid, so nothing was done.", _FORM, *_HELP]
        return "The key is not valid", lines, "wrong key"
    if set(envelope.requests) == {"ask"} and (not plays or _is_asked(first, "help")):
        return "About this server", [_HERE, *describe_open_games(task)], "a stranger's question"
    lines = ["Your letter contains no key, so nothing was done.", _FORM, *_HELP]
    return "The key is missing", lines, "no key"


def _name_lines(first: OrderBlock) -> list[str]:
    """Say where a block cannot be read, and why, without quoting it."""
    words = [word for word in first.source.split() if len(word) > _SHORT_WORD]
    lines = {
        one.line: "" if _may_quote(one.message, words) else f": {one.message}"
        for one in first.faults
        if one.line
    }
    return [f"line {line}{why}" for line, why in lines.items()][:3] or ["all of them"]


def _may_quote(message: str, words: Sequence[str]) -> bool:
    """Whether a sentence may quote what was written."""
    return '"' in message or any(word in message for word in words)


def _list_unconfirmed(task: LetterTask, sender: str) -> list[str]:
    """Explain confirmations that came back without their lines, as from phones."""
    return [
        f"You asked to join {game.id} and have NOT joined yet: your key is missing. Reply to our "
        "letter so that its lines, from `join:` to `# end of orders`, are in yours, too."
        for one in task.books.signups_of(sender)
        if one.status == ASKED and (game := task.books.game(one.game)).status is not Status.OVER
    ]


def _is_broken(one: OrderBlock) -> bool:
    """Whether a block is no YAML, and its key, if any, is not a seat's."""
    return not one.is_readable and (not one.envelope.key or bool(_JOINS.search(one.source)))


_MEGABYTE = 1024 * 1024
_HEADLINE = "Your letter was too large"
_LINE = (
    "Your letter of {} MB was not read, and nothing was done: at most 1 MB is read. Please "
    "send it again without pictures and other attachments."
)


def handle_too_big(task: LetterTask, size: int) -> Arrival:
    """Answer the apparent writer; a seat's player is answered at that seat's addresses."""
    sender = task.letter.sender
    # rounded up: "1.0 MB" would not sound too big
    megabytes = f"{math.ceil(size * 10 / _MEGABYTE) / 10:.1f}"
    reason = f"too big: {megabytes} MB"
    if sender is None:
        task.tell_gm(
            f"A letter of {megabytes} MB arrived, which is too large to be read. It was set aside."
        )
        return task.no_answer(f"{reason}; no sender to answer")
    if task.letter.bulk:
        return task.no_answer(f"{reason}; a list's letter")
    if task.is_ignored() and not task.books.holders(sender):
        return task.no_answer(f"{reason}; too many wrong keys from this address")
    if not task.may_answer_sender():
        return task.no_answer(f"{reason}; {ENOUGH_ANSWERS}")
    words = [_LINE.format(megabytes)]
    seats = [
        (game.id, seat) for game, seat in task.seats_of_sender() if game.status is not Status.OVER
    ]
    # the only seat, or that of the game it is a reply in: our Message-IDs begin with its name
    about = [one[1:].partition(".")[0] for one in reversed(task.letter.references)]
    replied = [one for game in about for one in seats if one[0] == game]
    choice = replied or (seats if len(seats) == 1 else [])
    if not choice:
        return task.answered(task.tell_sender(_HEADLINE, words), reason)
    context, seat = task.context(choice[0][0]), choice[0][1]
    letter = notify_seat(context, seat, _HEADLINE, words, form=seat_form(context, seat))
    return task.answered(letter, reason, seat=seat)
