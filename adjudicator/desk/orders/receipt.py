"""The receipt document, receipt/1: what a seat gets back for every letter.

receipt    "receipt/1"
game       {id, kind, title}
seat       the seat that wrote
player     its player's name, or null
number     counts this seat's receipts over the game
step       the open step, "12-jump"
label      the same for people, "turn 4, jump"
outcome    taken | preview | cleared | status | refused | unreadable | held (older than what is on
           file); only taken and cleared change what is on file
headline   one line for the subject
arrived    {at (RFC 3339 with the reader's offset), zone, text (with seconds)}
replaces   the number of the receipt whose set this one replaces, or null
set        null, or {receipt, digest (SHA-256 in hex)}: what is on file now
standing   {due, in, ready, why, then}: due says whether the seat owes anything in this step, and
           then how its orders become ready, where they are on file and are not; else it is null
deadline   null, or {at (RFC 3339 with the reader's offset), zone, passed, paused}
entries    [{n, key, written, words, mark, odds, faults}]: the orders of the letter as they were
           written; key is where in the form ("tech advance"), written the writer's own
           short text, or null where it says no more than the words, mark: fine | will fail |
           may fail | refused | not taken (it falls with one that is refused); odds: in how many of
           a hundred imagined positions what may fail does, or null where they were not weighed
faults     [{grade, message, rule, where, line, column}]: those of no entry, all of an unreadable
           letter; rule is null where the house's own form is meant; where: "line 7, jump[2].to"
foretold   [sentences]: what the orders will do, where the game can say it
excerpt    [{line, text, fault}]: the writer's own lines around the faults, when known
wishes     [sentences]: what was done of the other wishes (vote, ready, resign …)
ignored    [sentences]: what was not taken, and what to do instead
messages   [{to, text}]: what the seat wrote to others, as they read it
asked      null, or {question, keys}: what a slip probably meant; `yes` puts these keys on file.
           If orders depend on it, the step waits for the answer
missing    [sentences]: what this seat still owes
form       {envelope: {game, step, key (null: the sender fills it in), after}, orders, comments,
           example, prefill}: what stands now, ready to be edited; orders is null when nothing
           does; prefill is true when they come from a struck step and are not on file. It is null
           after a resignation and after the vote that ends the game: nothing more is due
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.deadlines import format_deadline, format_local
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import OrderSet, Status
from adjudicator.desk.orders.asking_back import QuestionBack
from adjudicator.desk.outbox.form import order_block

RECEIPT_VERSION = "receipt/1"
_KEY = re.compile(r"^([>\s]*key\s*[:\uff1a]).*", re.IGNORECASE)
_NEAR = 2
_MOST_LINES = 30
_WIDEST = 66  # this much of a line fits a mail after its number


class OrdersOutcome(Struct, frozen=True, kw_only=True):
    """The outcome of a letter."""

    outcome: str
    entries: Sequence[Document] = ()
    faults: Sequence[Document] = ()
    foretold: Sequence[str] = ()
    done: Sequence[str] = ()
    """What was done besides the orders."""
    not_taken: Sequence[str] = ()
    replaces: int | None = None
    farewell: str = ""
    """The headline of a letter after which nothing is due from its writer: no form, no deadline."""
    question: QuestionBack | None = None
    messages: Sequence[Document] = ()
    """What was written to others: {to, text}."""
    lost: str = ""
    """What looked like an order, in a letter of which nothing was taken."""
    also: Sequence[str] = ()
    """What became of the requests beside the orders, in clauses for the headline."""


def receipt_document(
    context: Context, sender: Sender, source: str, result: OrdersOutcome, number: int
) -> dict[str, Any]:
    """Make the receipt of a letter, after its requests were handled."""
    player = context.player(sender.seating)
    zone = context.zone(player)
    step, seat = sender.step, sender.seat
    on, stand = context.on_file.get(seat), context.standing(seat)
    waits_for_nothing = stand.is_in or bool(result.farewell)
    is_unreadable = result.outcome == "unreadable"
    return {
        "receipt": RECEIPT_VERSION,
        "game": context.names,
        "seat": seat,
        "player": player.name if player else None,
        "number": number,
        "step": step.name,
        "label": context.label(step),
        "outcome": result.outcome,
        "headline": _choose_headline(context.label(step), stand, result, source),
        "arrived": {
            "at": format_local(sender.at, zone),
            "zone": zone,
            "text": format_deadline(sender.at, zone, seconds=True),
        },
        "replaces": result.replaces,
        "set": {"receipt": on.number, "digest": on.digest} if on else None,
        "standing": {
            "due": stand.due is not None and not result.farewell,
            "in": stand.is_in,
            "ready": stand.ready,
            "why": stand.why,
            "then": _explain_becoming_ready(on) if stand.is_in and not stand.ready else None,
        },
        "deadline": (
            {
                "at": format_local(step.deadline, zone),
                "zone": zone,
                "passed": sender.at > step.deadline,
                "paused": context.game.status is Status.PAUSED,
            }
            if step.deadline and not result.farewell
            else None
        ),
        "entries": list(result.entries),
        "faults": list(result.faults),
        "foretold": list(result.foretold),
        "excerpt": excerpt_of_faults(source, result.faults) if is_unreadable else [],
        "wishes": list(result.done),
        "ignored": list(result.not_taken),
        "messages": list(result.messages),
        "asked": (
            {"question": result.question.question, "keys": result.question.keys}
            if result.question
            else None
        ),
        "missing": [] if waits_for_nothing else [f"orders for {context.label(step)}"],
        "form": None if result.farewell else order_block(context, seat),
    }


def _explain_becoming_ready(on: OrderSet | None) -> str | None:
    """Say how orders on file become ready, so that the step need not wait for the deadline."""
    return _BECOMING_READY.get(on.not_ready.partition(" ")[0]) if on else None


_BECOMING_READY: Mapping[str, str] = {
    "says": "To let the step close early, reply `ready: yes`.",
    "waits": (
        "To be ready, reply *yes* to the question, or write that line in other words; your other "
        "orders stay. To let the step close with the orders on file, reply `ready: yes`."
    ),
    "contains": "To be ready, send what is due, or `pass: yes` to do nothing.",
    "is": (
        "To be ready, send all your orders again with that one corrected. To let the step close "
        "with the orders on file, reply `ready: yes`."
    ),
    "keeps": (
        "To be ready, send all your orders again. To let the step close with the orders on file, "
        "reply `ready: yes`."
    ),
}
"""By the first word of why they are not (desk/orders/submit.py)."""


def _choose_headline(label: str, stand: Standing, result: OrdersOutcome, source: str) -> str:
    if result.farewell:
        return result.farewell
    is_lost = result.outcome in ("refused", "unreadable")
    if result.question is not None and (is_lost or result.outcome in ("taken", "status")):
        asks = f"id you mean {result.question.guess}? {label}"
        return f"NOT RECEIVED: d{asks}" if is_lost else f"D{asks}"
    if is_lost or result.lost:
        return f"NOT RECEIVED: {result.lost or _name_fault(result, source)}"
    marks = Counter(map(itemgetter("mark"), result.entries))
    if result.outcome == "status" and result.also:
        words = "; ".join(result.also)
        return f"{words[0].upper()}{words[1:]}"
    outcome = "waits" if result.outcome == "taken" and not stand.ready else result.outcome
    outcome = "owes" if outcome == "status" and not stand.is_in else outcome
    headline = [_HEADS[outcome].format(label)]
    kinds = ("will fail", "may fail", "refused")
    if not marks.keys().isdisjoint(kinds):
        headline.append(", ".join(f"{marks[mark]} {mark}" for mark in kinds if marks[mark]))
    return "; ".join((*headline, *result.also))


_HEADS: Mapping[str, str] = {
    "taken": "Orders received: {}",
    "waits": "Orders on file, but the step waits for you: {}",
    "preview": "Preview, nothing put on file: {}",
    "cleared": "Orders withdrawn: {}",
    "status": "Your status: {}",
    "owes": "No orders of yours are on file yet: {}",
    "held": "Older than your orders on file; please confirm: {}",
}


def _name_fault(result: OrdersOutcome, source: str) -> str:
    """Name what was refused or could not be read, as its writer finds it: the line and its words.

    A fault without a line says by itself what it is about.
    """
    faults = [*(fault for one in result.entries for fault in one["faults"]), *result.faults]
    if not faults:
        return "your orders could not be read"
    line, lines = faults[0]["line"], source.splitlines()
    if not line or line > len(lines):
        return str(faults[0]["message"])
    verb = "is refused" if faults[0]["grade"] == "refused" else "cannot be read"
    text = shorten(_show_line(lines[line - 1]).strip(" >-"))
    return f"line {line} {verb}: {text}"


def excerpt_of_faults(source: str, faults: Sequence[Document]) -> list[Document]:
    """Quote the writer's own lines around the faults; a key is never repeated."""
    lines = source.splitlines()
    bad = {int(one["line"]) for one in faults if one["line"]}
    near = sorted({n for line in bad for n in range(line - _NEAR, line + _NEAR + 1)})
    numbers = [n for n in near if 1 <= n <= len(lines)][:_MOST_LINES]
    return [{"line": n, "text": _show_line(lines[n - 1]), "fault": n in bad} for n in numbers]


def _show_line(line: str) -> str:
    """Show a line without its key, and no longer than a receipt is wide."""
    text = _KEY.sub(r"\1 …", line)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 2]} …"
