"""The open step: file orders for a player, remind, close."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document, digest
from adjudicator.core.forms.reading import Text
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    OPEN_STEP,
    SEAT_ARGUMENT,
    Act,
    Argument,
    ArgumentKind,
    Done,
    make_flag,
    word_closing,
    word_done,
)
from adjudicator.desk.acts.rollback import undo_closing
from adjudicator.desk.clock.reminders import write_reminders
from adjudicator.desk.model.context import STARTED, Context, Sender, current_step
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.standing import CLEARED, find_orders_on_file
from adjudicator.desk.model.values import HistoryNote, OrderSet, OutgoingLetter, Status
from adjudicator.desk.orders.submit import file_orders
from adjudicator.desk.outbox.queue import RECEIPT, REMINDER, is_out, queue_notice
from adjudicator.desk.questions.screens import find_report
from adjudicator.desk.requests.envelope import Envelope, OrderBlock, parse_block
from adjudicator.desk.requests.grant import grant_requests
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.lock import check_status

# submit


def _submit(context: Context, seat: str, orders: OrderBlock) -> Done:
    if context.game.status is Status.OPEN:
        return _submit_early(context, seat, orders.envelope)
    check_status(context)
    receipt = file_orders(context, seat, orders, by="gm").receipt
    faults = [fault["message"] for fault in receipt["faults"]]
    faults += [fault["message"] for entry in receipt["entries"] for fault in entry["faults"]]
    failed = receipt["outcome"] in ("refused", "unreadable")
    words = "; ".join(faults) or receipt["headline"]
    number = f"receipt {receipt['number']}, {receipt['outcome']}."
    return Done(
        sentence=words if failed else f"{seat}: {number}",
        would=words if failed else f"{seat} would get {number}",
        details=() if failed else tuple(faults),
        facts=receipt,
        document=receipt,
        template="receipt.txt",
        failed=failed,
    )


def _submit_early(context: Context, seat: str, head: Envelope) -> Done:
    """Grant a block's requests before the game begins: luck words, preferences, press."""
    check_status(context, (Status.OPEN,))
    rest = dict(head.requests)
    luck = rest.pop("luck", None)
    lines = []
    if luck is not None:
        context.keep_luck(seat, " ".join(str(luck).split()))
        lines.append("The luck words are kept")
    step, seating = current_step(context), context.seatings.get(seat)
    sender = Sender(seat=seat, seating=seating, step=step, at=context.at, by="gm")
    granted = grant_requests(context, sender, replace(head, requests=rest), preview=head.preview)
    lines += [one.rstrip(".") for one in granted.done]
    if not lines:
        reason = " ".join(granted.not_taken) or "orders are taken when it has begun"
        raise Refused(f"{context.id}: it has not begun: {reason}")
    words = f"{seat}: {'; '.join(lines)}"
    context.note("submit", f"{seat}: requests", data={"seat": seat})
    return Done(sentence=f"{words}.", would=f"To be done: {words}.", details=granted.not_taken)


def _read_submit(_words: Sequence[str], content: Any) -> Mapping[str, Any]:
    if not isinstance(content, Mapping) or len(content) != 1:
        raise Refused("name one seat and its orders, as in {submit: {blue: {build: 2}}}")
    seat, orders = next(iter(content.items()))
    return {"seat": seat, "orders": parse_block(Text(value=orders))}


def _undo_submit(context: Context, note: HistoryNote) -> Done:
    """Put back on file what was there before, if anything."""
    check_status(context)
    seat, step = str(note.data["seat"]), context.open_step()
    sets = [one for one in context.sets if one.seat == seat]
    own_sets = [one for one in sets if one.arrived == note.at and one.by == "gm"]
    if not own_sets:
        raise Refused(f"{context.id}: no orders that you entered for {seat} are on file")
    before = find_orders_on_file(one for one in sets if one.number < own_sets[-1].number).get(seat)
    last = context.books.last_letter(context.id, seat, RECEIPT)
    put_back = replace(
        before or replace(own_sets[-1], orders=CLEARED, digest=digest(CLEARED)),
        number=max(last, *(one.number for one in sets)) + 1,
        arrived=context.at,
    )
    context.books.save(put_back)
    label = f"receipt {before.number}" if before else "none"
    text = f"{seat}: the orders before are on file again ({label})"
    context.note("submit", text, data={"seat": seat})
    lines = [
        "The GM took back the orders that were entered on your behalf.",
        f"On file now: {label}.",
    ]
    seating = context.seatings.get(seat)
    queue_notice(context, step, seat, "Orders taken back", lines, seating=seating)
    return Done(
        sentence=f"{seat}: orders on file now: {label}.",
        would=f"{seat}: orders on file would be: {label}.",
    )


ACT_SUBMIT = Act(
    name="submit",
    about=(
        "The orders are the form as a player writes it, in YAML. It can contain everything that a "
        "letter's block can: press, absences, preferences, votes, and luck words before the game "
        "begins. The result is the receipt that the player gets."
    ),
    arguments=(
        SEAT_ARGUMENT,
        Argument(
            name="orders",
            kind=ArgumentKind(lambda _context, raw: raw, source="form"),
            help="The order form.",
            label="the order form",
            metavar="FILE",
        ),
    ),
    examples=(
        "submit ember red orders.yaml",
        "echo 'jump: [A1-B2 x3]' | submit ember red -",
    ),
    letters=("{submit: {blue: {ORDERS: as in the form}}}",),
    read_letter=_read_submit,
    do=_submit,
    undo=_undo_submit,
    blocked_by=(*MOVING_ACTS, "submit"),
    json=True,
)


# close


def _close(context: Context, *, now: bool, step: str | None) -> Done:
    closing = close_step(context, now=now, step=step)
    name, next_step = closing.step.name, closing.next_step
    sets = [one for one in context.books.orders(context.id, closing.step.number) if one.executed]
    facts: Document = {
        "game": context.id,
        "status": closing.game.status,
        "closed": name,
        "open": next_step.name if next_step else None,
        "letters": [
            {"kind": one.kind, "number": one.number, "seat": one.seat}
            for one in context.books.new_letters.values()
        ],
        "orders": [{"seat": s.seat, "receipt": s.number or None, "by": s.by} for s in sets],
        "notes": closing.notes,
        "report": None,
        "dry_run": False,
    }
    return word_closing(
        context,
        closing,
        f"Step [closed]: {context.label(closing.step)}.",
        f"Orders: {'; '.join(_describe_origin(one) for one in sets) or 'none'}.",
        facts=facts,
        revealed=lambda: find_report(context.books, context.id, step=name),
        template="report.txt",
    )


def _describe_origin(own: OrderSet) -> str:
    origin = {"bot": "by the bot", "default": "none, so the default"}
    return f"{own.seat} " + (f"receipt {own.number}" if own.number else origin[own.by])


def _open_now(context: Context) -> str | None:
    """Return the open step; when two commands close it at once, the second closes nothing."""
    number = context.game.open_step
    return None if number is None else str(number)


ACT_CLOSE = Act(
    name="close",
    about=(
        "The reports of the step are published and the next step opens. Closing is refused while "
        "orders are missing or a player asked to wait. The results are not shown, since you may be "
        "playing."
    ),
    arguments=(
        make_flag("now", "Close even if orders are missing; the game's default replaces them."),
        Argument(
            name="step",
            kind=OPEN_STEP,
            help="Close only if this step is the open one, so that it is not closed twice.",
            place="option",
            required=False,
            early=_open_now,
        ),
    ),
    examples=("close ember", "close ember --now"),
    do=_close,
    undo=undo_closing,
    blocked_by=(*MOVING_ACTS, "submit"),
    json=True,
    reveal="what closing the step brings",
)


# remind


def remind_late(context: Context) -> tuple[OutgoingLetter, ...]:
    """Write to every seat whose orders are missing."""
    check_status(context, STARTED)
    step = context.open_step()
    letters = write_reminders(context, step, context.standings, by="gm")
    if not letters:
        raise Refused(f"{context.id}: no orders are missing, so nobody is reminded")
    return letters


def withdraw_reminder(context: Context) -> tuple[OutgoingLetter, ...]:
    """Withdraw the GM's last reminder of the open step; return the reminders that remain.

    Those of the clock come by the settings and are true; none of them is taken back here.
    """
    check_status(context, STARTED)
    reminders = []
    for letter in _last_reminders(context):
        waits = letter.status == "queued"
        now = replace(letter, status="withdrawn") if waits else letter
        context.books.save(now)
        if is_out(now):
            _disregard(context, now)
        reminders.append(now)
    late = sum(is_out(letter) for letter in reminders)
    early = len(reminders) - late
    text = f"the reminder was taken back: {early} not sent, {late} to be disregarded"
    context.note("remind", text, data={BACK: True, "seats": [letter.seat for letter in reminders]})
    return tuple(reminders)


def _last_reminders(context: Context) -> list[OutgoingLetter]:
    """Find the reminders that the GM asked for last and that may still be read."""
    notes, step = context.books.notes(context.id), context.open_step()
    own = [note for note in notes if note.act == "remind" and note.by == "gm"]
    if not own or BACK in own[-1].data:
        raise Refused(f"{context.id}: there is no reminder to undo")
    reminders = [
        letter
        for letter in context.books.letters(context.id, step.number)
        if letter.kind == REMINDER and letter.made == own[-1].at and letter.status != "withdrawn"
    ]
    if not reminders:
        raise Refused(
            f"{context.id}: your last reminder was for another step, or nobody needs it any "
            "more, so there is nothing to take back"
        )
    return reminders


def _disregard(context: Context, letter: OutgoingLetter) -> None:
    """Tell those who were reminded to disregard it, even if somebody else has the seat by now."""
    step, seat = context.open_step(), letter.seat
    label = context.label(step)
    lines = [
        f"The GM took back the reminder that you got: {label}.",
        "Please disregard it. Your orders still count. {deadline}",
    ]
    seatings = {(one.seat, one.number): one for one in context.books.seatings(context.id)}
    seating = seatings.get((seat, letter.seating))
    subject = f"Please disregard the reminder: {label}"
    queue_notice(context, step, seat, subject, lines, seating=seating)


def _remind(context: Context, *, back: bool) -> Done:
    if back:
        return _undo_remind(context)
    return word_done(f"[Reminded]: {_list_seats(remind_late(context))}.")


def _undo_remind(context: Context, note: HistoryNote | None = None) -> Done:
    if note is not None and BACK in note.data:
        raise Refused(
            f"{context.id}: a reminder that was taken back is not sent again; remind again"
        )
    reminders = withdraw_reminder(context)
    late = _list_seats(letter for letter in reminders if is_out(letter))
    early = _list_seats(letter for letter in reminders if not is_out(letter))
    sentences = [f"Reminders withdrawn: {early}."] if early else []
    sentences += [f"Asked to disregard theirs: {late}."] if late else []
    would = [f"Reminders would be withdrawn: {early}."] if early else []
    would += [f"Would be asked to disregard theirs: {late}."] if late else []
    return Done(sentence=" ".join(sentences), would=" ".join(would))


def _list_seats(letters: Iterable[OutgoingLetter]) -> str:
    return ", ".join(letter.seat for letter in letters)


ACT_REMIND = Act(
    name="remind",
    arguments=(
        make_flag(
            "back",
            "Undo your last reminder: letters not sent yet are withdrawn, and players who got one "
            "are asked to disregard it.",
        ),
    ),
    examples=("remind ember", "remind ember --back"),
    do=_remind,
    undo=_undo_remind,
    blocked_by=MOVING_ACTS,
)
