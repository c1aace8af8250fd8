"""What it changes that a block came by letter: its key's step, its age, forms that come back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from adjudicator.core.canonical import encode
from adjudicator.core.document import Document
from adjudicator.desk.case import Case
from adjudicator.desk.envelope import Envelope
from adjudicator.desk.errors import Refused
from adjudicator.desk.form import prefill
from adjudicator.desk.inform import NOTHING
from adjudicator.desk.receipt import Sender
from adjudicator.desk.values import OrderSet
from adjudicator.desk.wish import Told
from adjudicator.desk.wishes import HANDLERS


class Mailed(Struct, frozen=True, kw_only=True):
    """A letter, apart from its block."""

    arrived: datetime
    date: datetime | None
    """What the writer's clock said."""
    step: str
    """The step that its key was made for."""
    notes: tuple[str, ...] = ()
    """What its writer should know beside all this."""
    remarks: tuple[str, ...] = ()
    """What of it was not taken."""


def astray(
    mailed: Mailed, envelope: Envelope, now: str, *, orders: bool, owes: bool = True
) -> str | None:
    """Why the orders of a letter are not for the open step; None when they are, or there are none.

    Press and questions take any key of the present seating; what moves the game wants this step's.
    """
    bound = orders or envelope.clear or envelope.vote or envelope.resign
    if not bound and envelope.ready is None:
        return None
    for name in (envelope.step, mailed.step):
        if name is not None and name not in (now, now.partition("-")[0]):
            return overtaken(name, now, owes=owes)
    return None


def overtaken(step: str, now: str, *, owes: bool) -> str:
    """Why orders for a step that is over are not taken, and what the writer can do now."""
    told = "what is due now stands in the form" if owes else "nothing is due from you in it"
    return f"these orders are for step {step}, but the step is {now} now; {told}"


def came_back(
    case: Case, sender: Sender, envelope: Envelope, orders: Document, sets: Sequence[OrderSet]
) -> str | None:
    """What to say of a form that came back as it was mailed: it is no orders; None if it is not.

    Orders and `after` together name the form; other wishes in the letter still count.
    """
    if envelope.after is None:
        return None
    content = encode(orders)
    mine = [s for s in sets if s.seat == sender.seat and s.number > 0]
    for own in mine:
        if own.number == envelope.after and own.orders == content:
            last = mine[-1]
            if own is last:
                return ""
            stands = "nothing is on file" if last.orders == NOTHING else "that set stands"
            return (
                f"The form of receipt {own.number} came back unchanged, so it is no new orders; "
                f"receipt {last.number} came later, and {stands}."
            )
    if envelope.after or envelope.ready is not None:
        return None
    offered = prefill(case, sender.step, sender.seat)
    if offered is not None and _alike(case, sender, orders, offered):
        return (
            "The form came back as it was offered, and is not on file. To send it as it is, add "
            "the line `ready: yes`."
        )
    return None


def _alike(case: Case, sender: Sender, orders: Document, offered: Document) -> bool:
    return encode(case.kind.spelled(sender.step.phase, orders)) == encode(offered)


def held(case: Case, mailed: Mailed, envelope: Envelope, on: OrderSet | None) -> str | None:
    """Why a set is not put on file before its writer says so again; None when it is."""
    if on is None or envelope.after is None or envelope.after >= on.number or mailed.date is None:
        return None
    before = case.books.arrival_of(case.game.id, on.seat, on.number)
    written = (before.date if before else None) or on.arrived
    if mailed.date >= written:
        return None
    return (
        f"This letter was written before the one of receipt {on.number}, but arrived after it. "
        f"Receipt {on.number} stands. If you want these orders instead, send them again with "
        f"`after: {on.number}`."
    )


def granted(case: Case, sender: Sender, envelope: Envelope, *, preview: bool, at: datetime) -> Told:
    """Do what a letter wishes beside orders; a wish that is refused leaves the others alone."""
    told = Told()
    wishes = envelope.wishes
    for key in wishes:
        if key not in HANDLERS:
            told += Told(not_taken=(_elsewhere(key),))
    for key, handler in HANDLERS.items():
        if key not in wishes or wishes[key] is None:
            continue
        if preview and key != "ask":
            told += Told(done=(f"{key}: it would be done; this was a preview.",))
            continue
        told += _one(case, sender, key, handler, wishes, at)
    return told


def _one(
    case: Case, sender: Sender, key: str, handler: Any, wishes: Mapping[str, Any], at: datetime
) -> Told:
    try:
        with case.books.part():
            told: Told = handler(case, sender, wishes[key], at)
    except Refused as why:
        return Told(not_taken=(f"{key}: {why}",))
    return told


def _elsewhere(key: str) -> str:
    if key == "gm":
        return "gm: only the GM's own key does this; nothing was done about it."
    return f"{key}: this belongs in a letter that joins a game; nothing was done about it."
