"""Handle a letter with a valid key of a seat; the answer goes to the registered addresses."""

from collections.abc import Sequence
from operator import attrgetter

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.forms.reading import Text
from adjudicator.desk.inbox.blocks import (
    choose_block,
    drop_returned_plans,
    explain_unreadable,
    holds_orders,
    is_only_questions,
    leave_out_requests,
    requests_something,
)
from adjudicator.desk.inbox.free_text import (
    FreeText,
    explain_comments,
    join_free_text,
    read_free_text,
)
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.inbox.proof import KeyHolder, is_authentic, own_address
from adjudicator.desk.model.context import Context, RequestOutcome, Sender, current_step
from adjudicator.desk.model.errors import Changed, Refused
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.lineage import describe_end
from adjudicator.desk.model.values import Arrival, Status
from adjudicator.desk.orders.forecasting import FORECAST, answer_forecast
from adjudicator.desk.orders.leaving import ask_before_end
from adjudicator.desk.orders.reading_orders import MailedOrders
from adjudicator.desk.orders.submit import file_orders
from adjudicator.desk.outbox.form import bare_form, seat_form
from adjudicator.desk.outbox.notices import notify_seat
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.requests.envelope import GIVEN_AWAY, Envelope, OrderBlock, black_out_keys
from adjudicator.desk.requests.grant import grant_requests
from adjudicator.desk.steps.handover import leave_seat
from adjudicator.desk.steps.lock import lock_context

_MOST_PROBLEMS = 3
_ON_FILE = ("taken", "cleared")
_EMPTY = ("status", "refused", "unreadable")
_PLACES = {"quoted": "in the quoted text", "attachment": "attached"}

_DOUBT = (
    "A letter with your key came from {}. This game also wants it to come from one of your "
    "registered addresses, with a signature of its mail server (DKIM) that passes; so nothing "
    "was done. If it was not you, write `ask: new-key`."
)
_ELSEWHERE = (
    "Your letter came from {}, which is not among your addresses; it was accepted because of its "
    "key, and the answer goes to your own address. If it was not you, write `ask: new-key`."
)
_MORE_ORDERS = (
    "Your letter also contains other orders ({}). Only the first block with your key counts; the "
    "others were ignored."
)
_TOO_MANY = (
    "Today's limit of letters of your seat is reached: {}. Orders in this letter and in later ones "
    "are put on file as always, but until 00:00 UTC there are no receipts, and press "
    "and questions are ignored. If somebody else has your key, write `ask: new-key` tomorrow."
)
_EMPTY_HEAD = "No more receipts today for letters that change nothing"
_TOO_MANY_EMPTY = (
    "Many letters of yours have changed nothing today, so others like them get no answer until "
    "00:00 UTC. Orders that can be put on file and requests such as `ask: status` are answered as "
    "always."
)
_CAUSE_LETTERS = ("ask", "press")
_NOTHING = "Your letter contained nothing to do. To send orders or a request, use the form below."
_ATTACHED = (
    "Nothing is read from attachments such as {}: write your orders in the letter itself, a line "
    "for each."
)
_OLD_KEY = (
    "The key in your letter is from an older step, and the letter did not come from one of your "
    "addresses; so only its questions were answered."
)
_NEEDS_THIS_STEP = "{}: it needs the key of the current step, so it was ignored."
_VOTE_LATER = "`{}` would end the game at once, so it was left out: send it in a letter of its own."
_OF_ANY_STEP = ("ask", "press", "absent", "ahead")


class _EnoughError(Exception):
    """The letter needs no answer, only an entry in the log."""


def handle_player_letter(
    task: LetterTask, holder: KeyHolder, block: OrderBlock, blocks: Sequence[OrderBlock]
) -> Arrival:
    """Handle a player's letter; past the daily limit, without an answer."""
    game, seat, most = holder.game.id, holder.seat, task.house.seat_letters
    midnight = task.at.replace(hour=0, minute=0, second=0, microsecond=0)
    before = task.books.letters_read(game, seat, midnight, most + 1)
    if before < most:
        return _take(task, holder, block, blocks)
    return _take_quietly(task, holder, block, is_first=before == most)


def _take_quietly(
    task: LetterTask, holder: KeyHolder, block: OrderBlock, *, is_first: bool
) -> Arrival:
    """Take the orders of a letter, and withhold what would be sent to its writer.

    Whoever has had one letter of a seat can write many: its player's orders must count all the
    same, but mail must not.
    """
    game, seat, books = holder.game.id, holder.seat, task.books
    arrival = _take(replace(task, ignored=_CAUSE_LETTERS), holder, block, (block,))
    context = task.context(game)
    step = current_step(context)
    for kind, reader, number in books.caused(trace_id(task.letter.message_id, task.letter.digest)):
        letter = books.letter(game, step.number, reader, kind, number) if reader == seat else None
        if letter:
            books.save(replace(letter, status="withdrawn"))
    reason = "one of too many letters of this seat today"
    if not is_first:
        return replace(arrival, outcome="silence", answer=None, reason=reason)
    lines = [_TOO_MANY.format(task.house.seat_letters)]
    notice = notify_seat(context, seat, "Too many letters today", lines, form=bare_form(context))
    answer = task.answered(notice, reason, seat=seat)
    return replace(answer, number=arrival.number)


def _take(
    task: LetterTask, holder: KeyHolder, block: OrderBlock, blocks: Sequence[OrderBlock]
) -> Arrival:
    """Take a player's letter; one that is rejected as a whole is answered, and nothing is kept."""
    game, seat = holder.game.id, holder.seat
    is_registered = _greet_sender(task, holder)
    try:
        with task.books.part():
            context = lock_context(task.books, task.library, game, at=task.at, status=tuple(Status))
            return _handle(task, context, holder, block, blocks, is_registered=is_registered)
    except _EnoughError:
        reason = "a letter that changes nothing, after many of the kind today"
        if not task.may_tell_enough(game, seat):
            return task.no_answer(reason, game=game, seat=seat)
        context = task.context(game)
        form = bare_form(context)
        notice = notify_seat(context, seat, _EMPTY_HEAD, [_TOO_MANY_EMPTY], form=form)
        return task.answered(notice, reason, seat=seat)
    except Changed:  # the letter waits in its postbox until the GM has looked at them
        raise
    except Refused as error:
        why, reason = str(error), f"refused: {error}"
    context = task.context(game)
    lines = [f"Nothing in your letter was done: {why}."]
    if context.game.status is Status.OVER:
        lines = [f"{game} is over, so nothing in your letter was done. Only the GM can reopen it."]
    letter = notify_seat(
        context, seat, "Your letter changed nothing", lines, form=bare_form(context)
    )
    return task.answered(letter, reason, seat=seat)


def _greet_sender(task: LetterTask, holder: KeyHolder) -> bool:
    """Whether the letter claims to come from one of the seat's own addresses.

    An address that was marked works again; whoever writes from elsewhere gets one line without
    key, and learns nothing but that the letter arrived.
    """
    books, sender = task.books, task.letter.sender
    own = own_address(books, holder.seating, sender)
    if own is not None:
        if own.bounced is not None:
            books.save(replace(own, bounced=None, reason=None))
            books.forget_returned(own.address)
        return True
    if sender and not task.letter.bulk and task.may_answer_sender():
        game = holder.game.id
        line = f"Your letter for {game} has arrived; the answer went to the address of its seat."
        task.tell_sender(f"{game}: your letter has arrived", [line])
    return False


def _handle(
    task: LetterTask,
    context: Context,
    holder: KeyHolder,
    block: OrderBlock,
    blocks: Sequence[OrderBlock],
    *,
    is_registered: bool,
) -> Arrival:
    seat, letter = holder.seat, task.letter
    if not is_authentic(task, context, registered=is_registered):
        doubt = _DOUBT.format(letter.sender)
        notice = notify_seat(context, seat, "Your letter was not accepted", [doubt])
        return task.answered(notice, "not authenticated", seat=seat)
    elsewhere = () if is_registered else (_ELSEWHERE.format(task.sender),)
    if len(blocks) > 1:
        block = choose_block(task, context, holder, block, blocks)
    original, free = block, FreeText()
    if "ahead" in block.envelope.requests:
        block = drop_returned_plans(context, seat, block)
    filled_in = bool(block.form.value) and block.origin != "quoted"
    if (letter.hints or (letter.lines and not filled_in)) and not letter.bulk:
        block, free = _join_lines(task, context, holder, block)
    if block.envelope.vote not in (None, free.confirmed_vote) and not block.envelope.preview:
        block, free = _hold_vote(context, seat, block, free)
    notes = (*elsewhere, *((GIVEN_AWAY,) if block.gave_away else ()), *free.read)
    block, late = _limit_requests(task, context, holder, block, is_registered=is_registered)
    more = len(blocks) > 1 or letter.problems
    remarks = (*late, *(_list_remarks(task, context, holder, original, blocks) if more else ()))
    is_explained = not original.stopped or letter.lines or is_only_questions(block)
    remarks = (
        *(() if is_explained else (original.stopped,)),
        *remarks,
        *free.odd,
        *((free.question.question,) if free.question else ()),
    )
    if not (block.form.value or remarks or block.envelope.requests):
        remarks = _explain_nothing(task, context, holder, original, block)
    if context.game.open_step is None or (is_only_questions(block) and not remarks):
        return _grant_without_orders(task, context, holder, block, notes, remarks)
    mailed = MailedOrders(
        arrived=task.arrived,
        date=letter.date,
        step=holder.step,
        notes=notes,
        remarks=remarks,
        question=free.question,
        lost=free.lost,
        untaken=free.untaken,
    )
    if FORECAST in block.envelope.requests:
        sender = Sender(
            seat=seat, seating=holder.seating, step=context.open_step(), at=task.arrived
        )
        forecast = answer_forecast(context, sender, block, mailed)
        return task.answered(forecast, "forecast", seat=seat)
    result = file_orders(context, seat, block, by="player", mailed=mailed)
    outcome = result.receipt["outcome"]
    is_empty = outcome in _EMPTY and not requests_something(block)
    if is_empty and not task.may_tell_again(context.id, seat):
        raise _EnoughError
    number = result.receipt["number"] if outcome in _ON_FILE else None
    return task.answered(result.letter, outcome, seat=seat, number=number)


def _join_lines(
    task: LetterTask, context: Context, holder: KeyHolder, block: OrderBlock
) -> tuple[OrderBlock, FreeText]:
    """Read what stands outside the block, and join both."""
    letter, seat = task.letter, holder.seat
    answered = find_letters(task.books, task.secret, letter.references)
    free = read_free_text(context, seat, letter.lines, answered, holder.step)
    free = replace(free, block=black_out_keys(task.books, task.secret, free.block))
    head = free.block.envelope
    if free.block.form.value and head.after is None:
        head = replace(head, after=holder.after)
        free = replace(free, block=replace(free.block, envelope=head))
    holds = bool(block.form.value) and holds_orders(context, seat, block)
    return join_free_text(context, seat, block, free, holds_orders=holds)


def _hold_vote(
    context: Context, seat: Seat, block: OrderBlock, free: FreeText
) -> tuple[OrderBlock, FreeText]:
    """Ask before a vote that ends the game by itself; a question about orders comes first."""
    question = ask_before_end(context, seat, block.envelope.vote)
    if question is None:
        return block, free
    block = replace(block, envelope=replace(block.envelope, vote=None))
    if free.question is None:
        return block, replace(free, question=question)
    return block, replace(free, odd=(*free.odd, _VOTE_LATER.format(question.guess)))


def _explain_nothing(
    task: LetterTask, context: Context, holder: KeyHolder, original: OrderBlock, block: OrderBlock
) -> tuple[str, ...]:
    """Explain what to do to somebody whose letter requests nothing."""
    if requests_something(block) or block.envelope.ready is not None or not block.is_readable:
        return ()
    commented = explain_comments(context, holder.seat, original, task.letter.lines)
    attached = (_ATTACHED.format(task.letter.attached[0]),) if task.letter.attached else ()
    return (*attached, *commented) or (() if original.source else (_NOTHING,))


def _limit_requests(
    task: LetterTask,
    context: Context,
    holder: KeyHolder,
    block: OrderBlock,
    *,
    is_registered: bool,
) -> tuple[OrderBlock, tuple[str, ...]]:
    """Limit a block to what its key is good for today, and say why the rest was ignored.

    With a key of an older step anybody may ask, who had one of its letters; its owner, from an own
    address, may also write press, plan and be absent. What moves the game is refused.
    """
    if task.ignored:
        block = leave_out_requests(block, task.ignored)
    head = block.envelope
    if holder.step == current_step(context).name or not block.is_readable:
        return block, ()
    keys = _OF_ANY_STEP if is_registered else _OF_ANY_STEP[:1]
    requests = {key: value for key, value in head.requests.items() if key in keys}
    if is_registered:
        late = [_NEEDS_THIS_STEP.format(key) for key in head.requests if key not in keys]
        moves = head.resign and context.game.open_step is None
        late += [_NEEDS_THIS_STEP.format("resign")] if moves else []
        limited = replace(head, requests=requests, resign=head.resign and not moves)
        return replace(block, envelope=limited), tuple(late)
    limited = Envelope(
        game=head.game, step=head.step, key=head.key, preview=head.preview, requests=requests
    )
    is_whole = limited == replace(head, after=None, faults=()) and not block.form.value
    limited_block = replace(block, envelope=limited, form=Text(value=None))
    return limited_block, () if is_whole else (_OLD_KEY,)


# no step is open, or nothing in the letter moves the game


def _grant_without_orders(
    task: LetterTask,
    context: Context,
    holder: KeyHolder,
    block: OrderBlock,
    notes: Sequence[str],
    remarks: Sequence[str],
) -> Arrival:
    """Grant questions and everything that can be requested while no step is open."""
    seat, head = holder.seat, block.envelope
    step = current_step(context)
    sender = Sender(seat=seat, seating=holder.seating, step=step, at=task.arrived)
    outcome = grant_requests(context, sender, head, preview=head.preview)
    leaves = head.resign and context.game.status is Status.OPEN
    if leaves and head.preview:
        outcome += RequestOutcome(done=("resign: it would be done; this was a preview.",))
    elif leaves:
        outcome += RequestOutcome(done=(f"You leave {context.id}; {seat} is free again.",))
    not_taken = [*outcome.not_taken, *remarks, *_orders_not_taken(context, block)]
    if outcome.letter is not None and not outcome.done and not notes and not not_taken:
        return task.answered(outcome.letter, "questions", seat=seat)
    lines = (*notes, *outcome.done) or (() if not_taken else (_describe_state(context),))
    letter = notify_seat(
        context,
        seat,
        "About your letter",
        lines,
        not_taken=not_taken,
        form=seat_form(context, seat),
    )
    if leaves and not head.preview:  # after the answer is addressed to the player who leaves
        leave_seat(context, seat, by="player")
    return task.answered(letter, "requests", seat=seat)


def _orders_not_taken(context: Context, block: OrderBlock) -> list[str]:
    head = block.envelope
    unreadable = explain_unreadable(block)
    if not block.is_readable:
        return ["Your block could not be read, so nothing was done.", *unreadable]
    moves_game = block.form.value or head.clear or head.vote
    if context.game.status is not Status.OPEN:
        moves_game = moves_game or head.resign
    if context.game.open_step is not None or not moves_game:
        return unreadable
    return [*unreadable, f"{_describe_state(context)} Orders and votes are not accepted."]


def _describe_state(context: Context) -> str:
    game = context.game
    if game.status is Status.OPEN:
        return f"{game.id} has not begun yet."
    if game.status is Status.OVER:
        return f"{game.id} {describe_end(context.books, game.id)}."
    return f"{game.id} is {game.status}."


# what the receipt says beside the orders


def _list_remarks(
    task: LetterTask,
    context: Context,
    holder: KeyHolder,
    block: OrderBlock,
    blocks: Sequence[OrderBlock],
) -> list[str]:
    """List what was not taken and why: other blocks with orders, and faults of reading."""
    remarks, forms = [], [block.form.value]
    for other in blocks if context.game.open_step is not None else ():
        is_new = other is not block and bool(other.form.value) and other.form.value not in forms
        is_for_game = other.envelope.game in (None, context.id)
        if is_new and is_for_game and holds_orders(context, holder.seat, other):
            remarks.append(_MORE_ORDERS.format(_PLACES.get(other.origin, "further down")))
            forms.append(other.form.value)
    return [*remarks, *map(attrgetter("message"), task.letter.problems[:_MOST_PROBLEMS])]
