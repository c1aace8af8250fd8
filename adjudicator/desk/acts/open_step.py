"""The open step: file orders for a player, remind, close."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, digest
from adjudicator.core.finding import Finding
from adjudicator.core.forms.reading import Text
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    OPEN_STEP,
    SEAT_ARGUMENT,
    Act,
    Argument,
    ArgumentKind,
    Call,
    Done,
    describe_closing,
    make_flag,
)
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.clock.reminders import write_reminders
from adjudicator.desk.model.context import STARTED, Context, Sender, current_step
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.standing import CLEARED, orders_on_file
from adjudicator.desk.model.values import (
    HistoryNote,
    OrderSet,
    OutgoingLetter,
    Seating,
    Status,
    Step,
)
from adjudicator.desk.orders.submit import submit
from adjudicator.desk.outbox.queue import RECEIPT, REMINDER, is_out, queue_notice
from adjudicator.desk.questions.screens import find_report
from adjudicator.desk.requests.envelope import parse_block
from adjudicator.desk.requests.table import grant_requests
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.lock import lock_context

# submit


class GivenOrders(Struct, frozen=True):
    """An order form as it was read, and the words it was read from."""

    text: Text | Sequence[Finding]
    source: str = ""


def _submit(call: Call, seat: str, orders: GivenOrders) -> Done:
    if call.books.game(call.game).status is Status.OPEN:
        return _submit_early(call, seat, orders)
    receipt = submit(
        call.books,
        call.library,
        call.game,
        seat,
        orders.text,
        by="gm",
        at=call.at,
        source=orders.source,
    )
    faults = [fault["message"] for fault in receipt["faults"]]
    faults += [fault["message"] for entry in receipt["entries"] for fault in entry["faults"]]
    failed = receipt["outcome"] in ("refused", "unreadable")
    words = "; ".join(faults) or receipt["headline"]
    number = f"receipt {receipt['number']}, {receipt['outcome']}."
    return Done(
        said=words if failed else f"{seat}: {number}",
        would=words if failed else f"{seat} would get {number}",
        details=() if failed else tuple(faults),
        facts=receipt,
        document=receipt,
        template="receipt.txt",
        failed=failed,
    )


def _submit_early(call: Call, seat: str, orders: GivenOrders) -> Done:
    """Grant what a block holds for a game that has not begun: luck words, preferences, press."""
    context = lock_context(call.books, call.library, call.game, at=call.at, status=(Status.OPEN,))
    head = parse_block(orders.text, source=orders.source).envelope
    wanted = dict(head.requests)
    luck = wanted.pop("luck", None)
    done = []
    if luck is not None:
        kept = {**dict(context.game.luck), seat: " ".join(str(luck).split())}
        context.now(luck=tuple((one, kept[one]) for one in context.game.seats if kept.get(one)))
        done.append(f"{seat}'s luck words are kept")
    sender = Sender(
        seat=seat,
        seating=context.seatings.get(seat),
        step=current_step(context),
        at=call.at,
    )
    granted = grant_requests(context, sender, replace(head, requests=wanted), preview=head.preview)
    done += [one.rstrip(".") for one in granted.done]
    if not done:
        refused = " ".join(granted.not_taken) or "orders are taken when it has begun"
        raise Refused(f"{call.game}: it has not begun: {refused}")
    words = f"{seat}: {'; '.join(done)}"
    data = {"seat": seat}
    context.note("submit", f"{seat}: requests", data=data)
    return Done(said=f"{words}.", would=f"Would be done: {words}.", details=granted.not_taken)


def _read_submit(_words: Sequence[str], content: Any) -> Mapping[str, Any]:
    if not isinstance(content, Mapping) or len(content) != 1:
        raise Refused("name one seat and its orders, as in {submit: {blue: {build: 2}}}")
    seat, orders = next(iter(content.items()))
    return {"seat": seat, "orders": GivenOrders(Text(value=orders))}


def _undo_submit(call: Call, note: HistoryNote) -> Done:
    """Put back on file what stood there before; nothing, if nothing did."""
    seat = str(note.data["seat"])
    context = lock_context(call.books, call.library, call.game, at=call.at)
    step = context.open_step()
    sets = [one for one in call.books.orders(call.game, step.number) if one.seat == seat]
    given = [one for one in sets if one.arrived == note.at and one.by == "gm"]
    if not given:
        raise Refused(f"{call.game}: no orders that you entered for {seat} are on file")
    before = orders_on_file([one for one in sets if one.number < given[-1].number], seat)
    last = call.books.last_letter(call.game, seat, RECEIPT)
    put_back = replace(
        before or given[-1],
        number=max(last, *(one.number for one in sets)) + 1,
        arrived=call.at,
        by=before.by if before else "gm",
        orders=before.orders if before else CLEARED,
        digest=before.digest if before else digest(CLEARED),
    )
    call.books.save_orders(put_back)
    told = f"receipt {before.number}" if before else "none"
    text = f"{seat}: the orders before are on file again ({told})"
    context.note("submit", text, data={"seat": seat})
    lines = [
        "The GM took back the orders that were entered on your behalf.",
        f"On file now: {told}.",
    ]
    seating, subject = context.seatings.get(seat), "Orders taken back"
    queue_notice(context, step, seat, subject, lines, seating=seating)
    return Done(
        said=f"{seat}: orders on file now: {told}.",
        would=f"{seat}: orders on file would be: {told}.",
    )


ACT_SUBMIT = Act(
    name="submit",
    about=(
        "The orders are the form as a player writes it, in YAML. It can contain everything that a "
        "letter's block can: press, absences, preferences, votes. The result is the receipt that "
        "the player gets."
    ),
    arguments=(
        SEAT_ARGUMENT,
        Argument(
            name="orders",
            kind=ArgumentKind(lambda _call, raw: raw, source="form"),
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


def _close(call: Call, *, now: bool, step: str | None) -> Done:
    closing = close_step(
        call.books, call.library, call.game, at=call.at, now=now, step=step, by="gm"
    )
    name, opened = closing.step.name, closing.opened
    sets = [own for own in call.books.orders(call.game, closing.step.number) if own.executed]
    facts: Document = {
        "game": closing.game.id,
        "status": closing.game.status,
        "closed": name,
        "open": opened.name if opened else None,
        "letters": [
            {"kind": one.kind, "number": one.number, "seat": one.seat} for one in closing.letters
        ],
        "orders": [{"seat": s.seat, "receipt": s.number or None, "by": s.by} for s in sets],
        "notes": closing.notes,
        "report": None,
        "dry_run": False,
    }
    orders = f"Orders: {', '.join(_origin(own) for own in sets) or 'none'}."
    return describe_closing(
        call,
        closing,
        f"Step closed: {call.label(closing.step)}.",
        f"The step would be closed: {call.label(closing.step)}.",
        orders,
        facts=facts,
        revealed=lambda: find_report(call.books, call.game, step=name),
        template="report.txt",
    )


def _origin(own: OrderSet) -> str:
    origin = {"bot": "by the bot", "default": "none, so the default"}
    return f"{own.seat} " + (f"receipt {own.number}" if own.number else origin[own.by])


def _undo_close(call: Call, note: HistoryNote) -> Done:
    name = str(note.data["step"])
    closing = roll_back(
        call.books, call.library, call.game, name, same_dice=False, keep_orders=True, at=call.at
    )
    return describe_closing(
        call,
        closing,
        f"Step undone: {call.label(closing.step)}. Its orders are on file again.",
        f"The step would be undone: {call.label(closing.step)}. Its orders would be on file again.",
    )


def _open_now(call: Call) -> str | None:
    """The open step; of two commands at once one closes it, the other not the next one."""
    game = call.books.game(call.game)
    return None if game.open_step is None else str(game.open_step)


ACT_CLOSE = Act(
    name="close",
    about=(
        "The reports of the step are published and the next step opens. Closing is refused while "
        "orders are missing or a player asked to wait. The results are not shown, since you may be "
        "playing."
    ),
    arguments=(
        make_flag("now", "Even if orders are missing; the game's default takes their place."),
        Argument(
            name="step",
            kind=OPEN_STEP,
            help="Only if this step is the open one, so that it is closed once.",
            place="option",
            required=False,
            early=_open_now,
        ),
    ),
    examples=("close ember", "close ember --now"),
    do=_close,
    undo=_undo_close,
    blocked_by=(*MOVING_ACTS, "submit"),
    json=True,
    reveal="what closing the step brings",
)


# remind


def remind_late(
    books: Books, library: Library, game: str, *, at: datetime
) -> tuple[OutgoingLetter, ...]:
    """Write to everybody who is not in."""
    context = lock_context(books, library, game, at=at, status=STARTED)
    step = context.open_step()
    letters = write_reminders(context, step, context.standings, by="gm")
    if not letters:
        raise Refused(f"{game}: no orders are missing, so nobody is reminded")
    return letters


def withdraw_reminder(
    books: Books, library: Library, game: str, *, at: datetime
) -> tuple[OutgoingLetter, ...]:
    """Take the GM's last reminder of the open step back; the reminders as they are now.

    Those of the clock come by the settings and are true; none of them is taken back here.
    """
    context = lock_context(books, library, game, at=at, status=STARTED)
    step = context.open_step()
    made = _last_reminders(context, step)
    taken = tuple(_withdrawn(context, letter) for letter in made)
    late = [letter for letter in taken if is_out(letter)]
    for letter in late:
        _disregard(context, step, letter)
    kept = len(taken) - len(late)
    text = f"the reminder was taken back: {kept} not sent, {len(late)} to be disregarded"
    data = {BACK: True, "seats": [letter.seat for letter in taken]}
    context.note("remind", text, data=data)
    return taken


def _last_reminders(context: Context, step: Step) -> tuple[OutgoingLetter, ...]:
    """The reminders of the GM's last wish that may still be read."""
    game = context.game.id
    note = next((one for one in reversed(context.books.notes(game)) if _is_mine(one)), None)
    if note is None or BACK in note.data:
        raise Refused(f"{game}: there is no reminder to undo")
    made = tuple(
        letter
        for letter in context.books.letters(game, step.number)
        if letter.kind == REMINDER and letter.made == note.at and letter.status != "withdrawn"
    )
    if not made:
        raise Refused(
            f"{game}: your last reminder was for another step, or nobody needs it any more, so "
            "there is nothing to take back"
        )
    return made


def _is_mine(note: HistoryNote) -> bool:
    return note.act == "remind" and note.by == "gm"


def _withdrawn(context: Context, letter: OutgoingLetter) -> OutgoingLetter:
    if letter.status != "queued":
        return letter
    kept = replace(letter, status="withdrawn")
    context.books.save_letter(kept)
    return kept


def _disregard(context: Context, step: Step, letter: OutgoingLetter) -> None:
    """To whoever was reminded, also where somebody else has the seat by now."""
    lines = [
        f"The GM took back the reminder that you got: {context.label(step)}.",
        "Please disregard it. Your orders still count. {deadline}",
    ]
    seating = _seating(context, letter)
    subject = f"Please disregard the reminder: {context.label(step)}"
    queue_notice(context, step, letter.seat, subject, lines, seating=seating)


def _seating(context: Context, letter: OutgoingLetter) -> Seating | None:
    known = context.books.seatings(context.game.id)
    mine = (letter.seat, letter.seating)
    return next((one for one in known if (one.seat, one.number) == mine), None)


def _remind(call: Call, *, back: bool) -> Done:
    if back:
        return _undo_remind(call)
    made = remind_late(call.books, call.library, call.game, at=call.at)
    whom = _seats(made)
    return Done(said=f"Reminded: {whom}.", would=f"Would be reminded: {whom}.")


def _undo_remind(call: Call, note: HistoryNote | None = None) -> Done:
    if note is not None and BACK in note.data:
        raise Refused(
            f"{call.game}: a reminder that was taken back is not sent again; remind again"
        )
    taken = withdraw_reminder(call.books, call.library, call.game, at=call.at)
    late = [letter for letter in taken if is_out(letter)]
    kept = [letter for letter in taken if letter not in late]
    said = [f"Not sent: the reminders to {_seats(kept)}."] if kept else []
    said += [f"Asked to disregard theirs: {_seats(late)}."] if late else []
    would = [f"Would not be sent: the reminders to {_seats(kept)}."] if kept else []
    would += [f"Would be asked to disregard theirs: {_seats(late)}."] if late else []
    return Done(said=" ".join(said), would=" ".join(would))


def _seats(letters: Sequence[OutgoingLetter]) -> str:
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
