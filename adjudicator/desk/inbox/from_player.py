"""A letter with a good key: done, and answered at the registered addresses."""

from collections.abc import Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.forms.reading import Text
from adjudicator.desk.inbox.authentication import KeyHolder, dkim_passed
from adjudicator.desk.inbox.blocks import Candidate, explain_unreadable
from adjudicator.desk.inbox.rate_limit import may_be_answered, may_be_told_again
from adjudicator.desk.inbox.results import LetterResult, LetterTask, answered_by, no_answer
from adjudicator.desk.model.context import (
    Context,
    RequestOutcome,
    Sender,
    current_step,
    read_context,
)
from adjudicator.desk.model.errors import Changed, Refused
from adjudicator.desk.model.lineage import describe_end
from adjudicator.desk.model.values import Status
from adjudicator.desk.orders.mailed import MailedOrders, detect_returned_form
from adjudicator.desk.orders.submit import submit
from adjudicator.desk.outbox.answers import bare_form, seat_form
from adjudicator.desk.outbox.bounces import unmark_address
from adjudicator.desk.outbox.notices import notify_seat, notify_stranger
from adjudicator.desk.outbox.queue import ANSWER, RECEIPT
from adjudicator.desk.requests.table import grant_requests
from adjudicator.desk.steps.leave import leave_seat
from adjudicator.desk.steps.lock import lock_context

_MOST_PROBLEMS = 3
_ON_FILE = ("taken", "cleared")
_EMPTY = ("status", "refused", "unreadable")


_WAITS = (
    "The program has changed since the last step, so the game waits until its GM has looked at "
    "it; the GM has been told. What you have on file stands. Send your letter again later: it is "
    "taken as soon as the game goes on."
)


class _EnoughError(Exception):
    """This letter need not be answered, nor be remembered for more than that."""


def handle_player_letter(
    post: LetterTask, mine: Candidate, others: Sequence[Candidate]
) -> LetterResult:
    """A player's letter; whatever is refused as a whole is told, and nothing of it is kept."""
    whose = mine.holder
    assert whose is not None
    known = _registered(post, whose)
    if known:
        unmark_address(post.books, _player(whose), post.letter.sender)
    elif not post.letter.bulk:
        _tell_other_sender(post, whose)
    try:
        with post.books.part():
            return _taken(post, whose, mine, others, known=known)
    except _EnoughError:
        return no_answer(
            "a letter that changes nothing, after many of the kind today",
            game=whose.game.id,
            seat=whose.seat,
        )
    except Changed:  # what differs is for the GM alone
        return _nothing_done(post, whose, _WAITS, "the rules have changed")
    except Refused as why:
        return _nothing_done(post, whose, str(why), f"refused: {why}")


def _nothing_done(post: LetterTask, whose: KeyHolder, why: str, reason: str) -> LetterResult:
    context = read_context(post.books, post.library, whose.game.id)
    lines = ["Nothing of your letter was done.", why]
    headline = "Your letter changed nothing"
    form = bare_form(context)
    told = notify_seat(context, whose.seat, headline, lines, at=post.at, form=form)
    return answered_by(told, reason, seat=whose.seat)


def _player(whose: KeyHolder) -> tuple[str, ...]:
    return (whose.seating.player,) if whose.seating and whose.seating.player else ()


def _registered(post: LetterTask, whose: KeyHolder) -> bool:
    """Whether the letter says that it comes from one of the seat's own addresses."""
    sender = post.letter.sender
    own = [one for player in _player(whose) for one in post.books.addresses(player)]
    return any(one.address == sender and one.confirmed for one in own)


def _tell_other_sender(post: LetterTask, whose: KeyHolder) -> None:
    """One line without key: who writes from elsewhere learns nothing but that it arrived."""
    sender, game = post.letter.sender, whose.game.id
    if sender is None or not may_be_answered(post.books, post.house, sender, post.at):
        return
    lines = [f"Your letter for {game} has arrived; the answer went to the address of its seat."]
    subject = f"{game}: your letter has arrived"
    notify_stranger(post.books, post.house, sender, subject, lines, at=post.at)


def _taken(
    post: LetterTask, whose: KeyHolder, mine: Candidate, others: Sequence[Candidate], *, known: bool
) -> LetterResult:
    context = lock_context(
        post.books, post.library, whose.game.id, at=post.at, status=tuple(Status)
    )
    seat = whose.seat
    doubt = None if _authentic(post, context, known=known) else _DOUBT.format(post.letter.sender)
    if doubt is not None:
        told = notify_seat(context, seat, "Your letter was not taken", [doubt], at=post.at)
        return answered_by(told, "not authenticated", seat=seat)
    notes = () if known else (_elsewhere(post),)
    remarks = _remarks(post, context, whose, mine, others)
    if is_only_questions(mine) and remarks == _stopped(mine):
        remarks = ()  # a name below a question; the answer shows what was understood
    if context.game.open_step is None or (is_only_questions(mine) and not remarks):
        return _beside_the_game(post, context, whose, mine, notes, remarks)
    receipt = submit(
        post.books,
        post.library,
        context.game.id,
        seat,
        mine.block.text,
        by="player",
        at=post.at,
        source=mine.block.source,
        mailed=MailedOrders(
            arrived=post.arrived,
            date=post.letter.date,
            step=whose.step,
            notes=notes,
            remarks=remarks,
        ),
    )
    if receipt["outcome"] in _EMPTY and not _wishes(mine):
        _count(post, context.game.id, seat)
    letter = post.books.newest_letter(context.game.id, seat, RECEIPT)
    done = answered_by(letter, receipt["outcome"], seat=seat)
    return _numbered(done, receipt) if receipt["outcome"] in _ON_FILE else done


_DOUBT = (
    "A letter with your key came from {}. This game also wants it to come from one of your "
    "registered addresses, with a signature of its mail server (DKIM) that passes; so nothing of "
    "it was done. If it was not you, write `ask: new-key`."
)


def _wishes(mine: Candidate) -> bool:
    envelope = mine.envelope
    return bool(envelope.wishes or envelope.vote or envelope.resign or envelope.clear)


def _count(post: LetterTask, game: str, seat: str) -> None:
    if not may_be_told_again(post.books, game, seat, post.at):
        raise _EnoughError


def _numbered(done: LetterResult, receipt: Document) -> LetterResult:
    return LetterResult(
        outcome=done.outcome,
        reason=done.reason,
        game=done.game,
        seat=done.seat,
        answer=done.answer,
        number=receipt["number"],
    )


def _authentic(post: LetterTask, context: Context, *, known: bool) -> bool:
    if context.settings.auth != "dkim":
        return True
    letter = post.letter
    return known and dkim_passed(
        letter.authentication, context.settings.auth_host, letter.sender or ""
    )


def is_only_questions(mine: Candidate) -> bool:
    """Whether a block holds questions and nothing else that wants a receipt."""
    envelope = mine.envelope
    if not mine.readable or mine.form.value or envelope.faults or envelope.ready is not None:
        return False
    if envelope.clear or envelope.vote or envelope.resign or envelope.preview:
        return False
    return tuple(envelope.wishes) == ("ask",)


def _beside_the_game(
    post: LetterTask,
    context: Context,
    whose: KeyHolder,
    mine: Candidate,
    notes: Sequence[str],
    remarks: Sequence[str],
) -> LetterResult:
    """Wishes that move nothing: questions, and all that can be wished while no step is open."""
    seat = whose.seat
    sender = Sender(seat=seat, seating=whose.seating, step=current_step(context), at=post.arrived)
    envelope = mine.envelope
    told = grant_requests(context, sender, envelope, preview=envelope.preview, at=post.at)
    told += _leaving(context, mine, seat)
    not_taken = [*told.not_taken, *remarks, *_no_orders(context, mine)]
    if told.answered and not told.done and not notes and not not_taken:
        letter = post.books.newest_letter(context.game.id, seat, ANSWER)
        return answered_by(letter, "questions", seat=seat)
    context = read_context(post.books, post.library, context.game.id)
    headline = "About your letter"
    lines = (*notes, *told.done) or (() if not_taken else (_state(context),))
    form = seat_form(context, seat)
    letter = notify_seat(context, seat, headline, lines, at=post.at, not_taken=not_taken, form=form)
    if _leaves(context, mine) and not envelope.preview:
        leave_seat(
            context, seat, by="player", at=post.at
        )  # once the answer is addressed to who leaves
    return answered_by(letter, "wishes", seat=seat)


def _leaves(context: Context, mine: Candidate) -> bool:
    """Whether somebody leaves a game that has not begun."""
    return mine.readable and mine.envelope.resign and context.game.status is Status.OPEN


def _leaving(context: Context, mine: Candidate, seat: Seat) -> RequestOutcome:
    if not _leaves(context, mine):
        return RequestOutcome()
    if mine.envelope.preview:
        return RequestOutcome(done=("resign: it would be done; this was a preview.",))
    return RequestOutcome(done=(f"You leave {context.game.id}; {seat} is free again.",))


def _no_orders(context: Context, mine: Candidate) -> list[str]:
    envelope = mine.envelope
    if not mine.readable:
        return [
            "Your block could not be read, so nothing of it was done.",
            *explain_unreadable(mine),
        ]
    bound = mine.form.value or envelope.clear or envelope.vote
    if context.game.status is not Status.OPEN:
        bound = bound or envelope.resign
    if context.game.open_step is not None or not bound:
        return []
    return [f"{_state(context)} Orders and votes are not taken."]


def _state(context: Context) -> str:
    game = context.game
    if game.status is Status.OPEN:
        return f"{game.id} has not begun yet."
    if game.status is Status.OVER:
        return f"{game.id} {describe_end(context.books, game.id)}."
    return f"{game.id} is {game.status}."


# what the receipt says beside the orders


def _remarks(
    post: LetterTask,
    context: Context,
    whose: KeyHolder,
    mine: Candidate,
    others: Sequence[Candidate],
) -> tuple[str, ...]:
    """What was not taken, and why."""
    said = [*_stopped(mine)]
    for other in _other_orders(context, whose, mine, others):
        where = {"quoted": "in the quoted text", "attachment": "attached"}
        place = where.get(other.block.origin, "further down")
        said.append(
            f"Your letter holds other orders, too ({place}). Only the first block with your key "
            "counts; those were not taken."
        )
    said += [one.message for one in post.letter.problems[:_MOST_PROBLEMS]]
    return tuple(said)


def _stopped(mine: Candidate) -> tuple[str, ...]:
    return (mine.block.stopped,) if mine.block.stopped else ()


def _elsewhere(post: LetterTask) -> str:
    sender = post.letter.sender or "an unknown address"
    return (
        f"Your letter came from {sender}, which is not among your addresses; it was taken for its "
        "key, and is answered to yours. If it was not you, write `ask: new-key`."
    )


def _other_orders(
    context: Context, whose: KeyHolder, mine: Candidate, others: Sequence[Candidate]
) -> list[Candidate]:
    """Blocks with orders of their own for this step: no forms that came back, no copies."""
    if context.game.open_step is None:
        return []
    seen = [mine.form.value]
    found = []
    for other in others:
        new = other.readable and other.form.value and other.form.value not in seen
        if new and other.envelope.game in (None, context.game.id) and _moves(context, whose, other):
            found.append(other)
            seen.append(other.form.value)
    return found


def _moves(context: Context, whose: KeyHolder, one: Candidate) -> bool:
    """Whether a block holds orders for the open step that are more than a form come back."""
    step = context.open_step()
    if one.envelope.step not in (None, step.name, str(step.number)):
        return False
    due = context.due_in(context.before(step)).get(whose.seat)
    reading = context.kind.read(due.form if due else step.phase, one.form, context.game.seats)
    if not reading.orders:
        return False
    sender = Sender(seat=whose.seat, seating=whose.seating, step=step, at=step.opened)
    sets = context.books.orders(context.game.id, step.number)
    return detect_returned_form(context, sender, one.envelope, reading.orders, sets) is None


def is_unchanged_form(post: LetterTask, mine: Candidate) -> bool:
    """Whether a list's letter is only a form that went round."""
    envelope, whose = mine.envelope, mine.holder
    assert whose is not None
    if _wishes(mine):
        return False
    if not isinstance(mine.block.text, Text) or not mine.form.value:
        return envelope.ready is None
    context = read_context(post.books, post.library, whose.game.id)
    return context.game.open_step is None or not _moves(context, whose, mine)
