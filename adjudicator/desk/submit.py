"""Take a seat's orders: read, checked, put on file, and acknowledged by a receipt."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.canonical import digest, encode
from adjudicator.core.document import Document
from adjudicator.core.falling import Fallen
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.reading import Text
from adjudicator.desk.case import Case, take
from adjudicator.desk.entries import NOT_ON_FILE, told, without
from adjudicator.desk.envelope import Envelope, opened
from adjudicator.desk.house import GM
from adjudicator.desk.inform import NOTHING, on_file
from adjudicator.desk.letters import RECEIPT, person, queue
from adjudicator.desk.log import log
from adjudicator.desk.mailed import Mailed, astray, came_back, granted, held, overtaken
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.receipt import Found, Sender, faults_of, receipt
from adjudicator.desk.reminders import lapse
from adjudicator.desk.resign import leave
from adjudicator.desk.seating import PLAYER, change, current
from adjudicator.desk.values import OrderSet
from adjudicator.desk.vote import counted, decision

_CUT_SHORT = (
    "What stands before the refused order {} on file, but {} done before you send a "
    "corrected letter or the deadline comes."
)


class _Read(Struct, frozen=True, kw_only=True):
    """A letter as it was understood."""

    envelope: Envelope
    orders: Document | None
    """What could go on file; None when the letter holds no form, or none that can be read."""
    entries: Sequence[Document] = ()
    faults: Sequence[Document] = ()
    outcome: str | None = None
    """Set when the letter as a whole changes nothing: refused, unreadable, held."""
    waits: bool = False
    """A list of orders was cut short; what is left waits for a corrected letter."""
    owing: str | None = None
    """Said of orders that give nothing of what is due: the step waits for more."""
    foretold: Sequence[str] = ()
    """What the orders will do, where the game can say it."""
    remarks: Sequence[str] = ()


def submit(
    books: Books,
    library: Library,
    game: str,
    seat: str,
    text: Text | Sequence[Finding],
    *,
    by: str,
    at: datetime,
    source: str = "",
    mailed: Mailed | None = None,
) -> Document:
    """Take what a seat wrote; the receipt (desk/receipt.py) says what became of it.

    `text` is the block as it was read, or why it could not be read; `source` the writer's own
    words, from which the receipt quotes the faulty lines. `by` is player or gm. Only what was
    `mailed` can hold press and other wishes of the kind, which are done here, too.
    """
    case = take(books, library, game, at=at)
    step = case.open_step()
    seating = current(books, game).get(case.seat(seat))
    arrived = mailed.arrived if mailed else at
    sender = Sender(seat=seat, seating=seating, step=step, at=arrived, source=source)
    before = case.before(step)
    sets = tuple(books.orders(game, step.number))
    number = _next_number(case, sender, sets)
    read = _read(case, sender, before, text, mailed)
    if mailed and read.orders is not None:
        read = _weighed(case, sender, read, sets, mailed)
    found, made = _decide(case, sender, read, sets, number, by)
    if made is not None:
        books.save_orders(made)
        lapse(case, step, seat)
        sets = (*sets, made)
    if mailed:
        found = _beside(case, sender, read, found, mailed, at)
    document = receipt(case, sender, found, before, sets, number)
    _file(case, sender, document, at)
    log(books, game, "submit", _words(seat, found, number), at=at, by=by, data={"seat": seat})
    if found.outcome not in ("preview", "unreadable", "refused", "held"):
        _do_wishes(case, sender, read.envelope, by, at)
    return document


def _next_number(case: Case, sender: Sender, sets: Sequence[OrderSet]) -> int:
    last = case.books.last_letter(case.game.id, sender.seat, RECEIPT)
    return max([last, *(own.number for own in sets if own.seat == sender.seat)]) + 1


def _weighed(
    case: Case, sender: Sender, read: _Read, sets: Sequence[OrderSet], mailed: Mailed
) -> _Read:
    """Orders of a letter that are only a form come back, or older than what is on file, do not
    count."""
    back = came_back(case, sender, read.envelope, read.orders or {}, sets)
    if back is not None:
        return replace(read, orders=None, entries=(), faults=(), remarks=[back] if back else [])
    late = held(case, mailed, read.envelope, on_file(sets, sender.seat))
    return read if late is None else replace(read, outcome="held", remarks=[late])


def _beside(
    case: Case, sender: Sender, read: _Read, found: Found, mailed: Mailed, at: datetime
) -> Found:
    """What a letter holds beside orders is done, and told in the same receipt."""
    if found.outcome == "unreadable":
        ignored = [*_not_done(read.envelope), *mailed.remarks]
        return replace(found, wishes=mailed.notes, ignored=ignored)
    told_ = granted(case, sender, read.envelope, preview=read.envelope.preview, at=at)
    undone = _not_done(read.envelope) if read.outcome else ()
    return replace(
        found,
        wishes=[*mailed.notes, *read.remarks, *found.wishes, *told_.done],
        ignored=[*undone, *told_.not_taken, *mailed.remarks],
    )


def _read(
    case: Case,
    sender: Sender,
    before: Any,
    text: Text | Sequence[Finding],
    mailed: Mailed | None,
) -> _Read:
    if not isinstance(text, Text):
        return _Read(envelope=Envelope(), orders=None, faults=faults_of(text), outcome="unreadable")
    envelope, form = opened(text)
    owes = sender.seat in case.due(before)
    if mailed:
        wrong = astray(mailed, envelope, sender.step.name, orders=bool(form.value), owes=owes)
    else:
        wrong = _astray(case, sender, envelope, owes=owes)
    if wrong:
        fault = Finding(grade=Grade.REFUSED, rule="", message=wrong)
        return _Read(envelope=envelope, orders=None, faults=faults_of([fault]), outcome="refused")
    if not form.value:
        return _Read(envelope=envelope, orders=None, faults=faults_of(envelope.faults))
    return _read_form(case, sender, before, envelope, form)


def _astray(case: Case, sender: Sender, envelope: Envelope, *, owes: bool) -> str | None:
    """Why the letter is not for this game or step; None when it is."""
    name = sender.step.name
    if envelope.game is not None and envelope.game != case.game.id:
        return f"these orders are for the game {envelope.game}, but this is {case.game.id}"
    if envelope.step is None or envelope.step in (name, str(sender.step.number)):
        return None
    return overtaken(envelope.step, name, owes=owes)


def _read_form(case: Case, sender: Sender, before: Any, envelope: Envelope, form: Text) -> _Read:
    due = case.due(before).get(sender.seat)
    name = due.form if due else sender.step.phase
    reading = case.kind.read(name, form, case.game.seats)
    if reading.orders is None:
        faults = faults_of((*envelope.faults, *reading.findings))
        return _Read(envelope=envelope, orders=None, faults=faults, outcome="unreadable")
    owed = reading.orders if due else _standing_only(reading.orders)
    if owed is None:
        message = f"{sender.seat} owes nothing in {sender.step.name}; only standing orders count"
        fault = Finding(grade=Grade.REFUSED, rule="", message=message)
        return _Read(envelope=envelope, orders=None, faults=faults_of([fault]), outcome="refused")
    checked = _checked(case, sender, before, name, owed, reading.fallen) if due else _Checked(owed)
    say = partial(case.kind.said, name)
    entries, faults = told(reading.orders, reading, form, checked.findings, checked.fallen, say)
    nothing_left = bool(entries) and all(entry["mark"] in NOT_ON_FILE for entry in entries)
    return _Read(
        envelope=envelope,
        orders=None if nothing_left else checked.orders,
        entries=entries,
        faults=[*faults_of(envelope.faults), *faults],
        outcome="refused" if nothing_left else None,
        waits=checked.waits,
        owing=case.kind.owing(name, checked.orders) if due and not checked.waits else None,
        foretold=() if nothing_left else checked.foretold,
    )


def _standing_only(orders: Document) -> Document | None:
    return orders if set(orders) <= {"standing"} else None


class _Checked(Struct, frozen=True):
    """The orders that go on file, and what the rules say about them, by their places as read."""

    orders: Document
    findings: tuple[Finding, ...] = ()
    fallen: tuple[Path, ...] = ()
    waits: bool = False
    foretold: tuple[str, ...] = ()


def _checked(
    case: Case, sender: Sender, before: Any, form: str, orders: Document, cut: Fallen
) -> _Checked:
    rules, seat = case.kind.rules, sender.seat
    view = rules.view(before, seat)
    if cut.whole:
        return _Checked({}, fallen=cut.paths)
    left, _ = without(orders, cut.paths)
    findings = tuple(rules.check(view, seat, left))
    refused = [f for f in findings if f.grade in (Grade.REFUSED, Grade.UNREADABLE)]
    more = case.kind.fallen(form, left, [f.entry or f.path for f in refused])
    waits = bool(cut.stopped or more.stopped)
    if not refused:
        foretold = tuple(rules.foretell(view, seat, left)) if hasattr(rules, "foretell") else ()
        return _Checked(left, findings, cut.paths, waits, foretold)
    fallen = (*cut.paths, *more.paths)
    kept, moved = without(left, [*(f.entry or f.path for f in refused), *more.paths])
    again = (replace(f, path=_back(f.path, moved)) for f in rules.check(view, seat, kept))
    graded = tuple(f for f in again if f.grade in (Grade.DOOMED, Grade.DOUBTFUL))
    return _Checked(kept, (*refused, *graded), fallen, waits)


def _back(path: tuple[str | int, ...], moved: Mapping[Any, Any]) -> tuple[str | int, ...]:
    return (*moved.get(path[:2], path[:2]), *path[2:])


def _decide(
    case: Case, sender: Sender, read: _Read, sets: Sequence[OrderSet], number: int, by: str
) -> tuple[Found, OrderSet | None]:
    """What becomes of the letter, and the set that goes on file."""
    on = on_file(sets, sender.seat)
    envelope = read.envelope
    found = Found(
        outcome=read.outcome or "status",
        entries=read.entries,
        faults=read.faults,
        foretold=read.foretold,
        ignored=envelope.ignored,
    )
    if read.outcome is not None:
        return replace(found, ignored=(*found.ignored, *_not_done(envelope))), None
    content, ready = _wanted(read, on)
    wishes = _wishes(case, sender, read, on)
    if by == GM and person(case, sender.seating) is not None:
        wishes.insert(0, "The GM wrote this for you.")
    found = replace(found, wishes=wishes)
    if envelope.preview:
        return replace(found, outcome="preview"), None
    same = on is not None and (content, ready) == (on.orders, on.ready)
    if content is None or same or (content == NOTHING and on is None):
        return found, None
    made = OrderSet(
        game=case.game.id,
        step=sender.step.number,
        seat=sender.seat,
        number=number,
        orders=content,
        digest=digest(content),
        arrived=sender.at,
        ready=ready,
        by=by,
    )
    outcome = "cleared" if content == NOTHING else "taken"
    return replace(found, outcome=outcome, replaces=on.number if on else None), made


def _not_done(envelope: Envelope) -> tuple[str, ...]:
    """What stands or falls with the orders, where they fall."""
    asked = {"vote": envelope.vote, "clear": envelope.clear, "resign": envelope.resign}
    return tuple(
        f"{key}: it was not done either; send it again, by itself or with orders that can be read."
        for key, value in asked.items()
        if value
    )


def _wanted(read: _Read, on: OrderSet | None) -> tuple[bytes | None, bool]:
    """What should be on file after the letter (None: what is there), and whether it is ready."""
    envelope = read.envelope
    ready = envelope.ready if envelope.ready is not None else True
    if read.orders is not None:
        return encode(read.orders), ready and not read.waits and not read.owing
    if envelope.clear:
        return NOTHING, True
    if envelope.ready is None:
        return None, ready
    return on.orders if on else encode({}), ready


def _wishes(case: Case, sender: Sender, read: _Read, on: OrderSet | None) -> list[str]:
    """What is done beside the orders, a sentence each."""
    envelope, would = read.envelope, "would be" if read.envelope.preview else "is"
    told_ = []
    if envelope.clear:
        told_.append(_clear_words(read, on, would))
    if envelope.ready is not None and read.orders is None and not on and not envelope.clear:
        told_.append("You order nothing in this step, and that is on file now.")
    if read.waits and read.orders is not None:
        told_.append(_CUT_SHORT.format(would, "would not be" if envelope.preview else "is not"))
    if read.owing and read.orders is not None:
        told_.append(read.owing)
    if envelope.ready is False:
        told_.append("ready: false is noted; your set counts at the deadline, not before.")
    after = envelope.after if read.orders is not None else None
    if after is not None and on is not None and after < on.number:
        told_.append(f"Your form was made after receipt {after}; receipt {on.number} came later.")
    if envelope.vote:
        told_.append(_vote_words(case, sender, envelope.vote, would))
    if envelope.resign:
        told_.append(f"Your resignation from {sender.seat} {would} taken. Thank you for playing.")
    return told_


def _clear_words(read: _Read, on: OrderSet | None, would: str) -> str:
    if read.orders is not None:
        return "clear: true was not needed: your new set replaces the old one whole."
    if on is None:
        return "There was nothing on file to be cleared."
    return f"The set of receipt {on.number} {would} withdrawn."


def _vote_words(case: Case, sender: Sender, vote: str, would: str) -> str:
    seatings = current(case.books, case.game.id)
    seating = seatings.get(sender.seat)
    if seating is None or seating.kind != PLAYER:
        return f"Nobody plays {sender.seat}, so it has no vote."
    after = {**seatings, sender.seat: replace(seating, vote=vote)}
    ends = " With it the game ends." if decision(case.game.seats, after) else ""
    return f"Your vote {would} now: {vote}.{ends}"


def _do_wishes(case: Case, sender: Sender, envelope: Envelope, by: str, at: datetime) -> None:
    """Vote and resignation, after the receipt is written."""
    game, seat = case.game.id, sender.seat
    seating = current(case.books, game).get(seat)
    if seating is None or seating.kind != PLAYER:
        return
    if envelope.vote and envelope.vote != seating.vote:
        change(case.books, seating, vote=envelope.vote)
        log(case.books, game, "vote", f"{seat} changed its vote", at=at, by=by)
        if counted(case, at=at) is not None:
            return
    if envelope.resign:
        leave(case, seat, by=by, at=at)


def _file(case: Case, sender: Sender, document: Document, at: datetime) -> None:
    """The receipt into the outbox; on a seat without a player it is only kept."""
    letter = queue(
        case,
        sender.step,
        sender.seat,
        RECEIPT,
        document,
        at=at,
        number=document["number"],
    )
    if person(case, sender.seating) is None:
        case.books.save_letter(replace(letter, status="withdrawn"))


def _words(seat: str, found: Found, number: int) -> str:
    return f"{seat}: receipt {number}, {found.outcome}"
