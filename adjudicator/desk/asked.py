"""What questions are answered with, a part of the answer for each."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from adjudicator.core.canonical import decode
from adjudicator.core.document import Document, Seat
from adjudicator.core.names import fold, suggest
from adjudicator.core.telling import listed
from adjudicator.desk import deadlines
from adjudicator.desk.absent import away, days_left, in_words
from adjudicator.desk.announce import who
from adjudicator.desk.answers import part
from adjudicator.desk.case import Case
from adjudicator.desk.ended import how_over
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.heldback import untold, waits_for
from adjudicator.desk.inform import NOTHING, is_in, on_file
from adjudicator.desk.letters import person, zone_for
from adjudicator.desk.papers import latest, numbered
from adjudicator.desk.question import Question, number_in
from adjudicator.desk.seating import current
from adjudicator.desk.values import Note, Paper, Status, Step

HELP = "guide-player"
"""The template whose text answers `ask: help`."""


def _zone(case: Case, seat: Seat) -> str:
    return zone_for(case, person(case, current(case.books, case.game.id).get(seat)))


def _when(instant: datetime | None, zone: str) -> str:
    if instant is None:
        return "no fixed deadline: the step closes when the GM says so"
    return deadlines.words(instant, zone)


def status(case: Case, seat: Seat, _: Question, at: datetime) -> Document:
    """Where the game and the asking seat stand; nothing about who else is in."""
    zone = _zone(case, seat)
    if case.game.status is Status.OVER:
        return part("STATUS", [f"The game {how_over(case.books, case.game.id)}."])
    lines = [_WHERE[case.game.status]]
    if case.game.open_step is not None:
        step = case.open_step()
        lines.append(f"Open is {step.name}. Deadline: {_when(step.deadline, zone)}.")
        lines += _own(case, seat, step)
        lines += _waiting(case, seat, step)
    lines += _vote(case, seat)
    lines += [f"{in_words(one, zone)}." for one in away(case, at)]
    lines.append(f"You have {days_left(case, seat)} days of absence left in this game.")
    return part("STATUS", lines)


_WHERE: Mapping[Status, str] = {
    Status.OPEN: "The game has not begun yet.",
    Status.RUNNING: "The game is running.",
    Status.PAUSED: "The game is paused: nothing closes until the GM goes on. Orders are taken.",
}


def _own(case: Case, seat: Seat, step: Step) -> list[str]:
    seating = current(case.books, case.game.id).get(seat)
    due = case.due(case.before(step)).get(seat)
    on = on_file(case.books.orders(case.game.id, step.number), seat)
    stand = is_in(seat, due, seating, on)
    if due is None:
        return ["Nothing is due from you in this step."]
    return [f"You are {'in' if stand.is_in else 'NOT in'}: {stand.why}."]


def _waiting(case: Case, seat: Seat, step: Step) -> list[str]:
    """The steps of which the seat's next report will tell beside the open one."""
    player = person(case, current(case.books, case.game.id).get(seat))
    if not waits_for(player, case.due(case.before(step)), seat):
        return []
    steps = untold(case, step, case.books.last_reported(case.game.id, seat))
    names = listed([one.name for one in steps])
    return [f"Your next report tells what came of {names}, too."] if steps else []


def _vote(case: Case, seat: Seat) -> list[str]:
    seating = current(case.books, case.game.id).get(seat)
    if seating is None or seating.vote == "none":
        return []
    return [f"Your vote stands: {seating.vote}. Change it with `vote: none`."]


def orders(case: Case, seat: Seat, _: Question, at: datetime) -> Document:  # noqa: ARG001 - all questions are called alike
    """What the seat has sent for the open step, and what of it counts."""
    step = case.open_step()
    mine = [
        one
        for one in case.books.orders(case.game.id, step.number)
        if one.seat == seat and one.number
    ]
    if not mine:
        return part("YOUR ORDERS", [f"Nothing of yours is on file for {step.name}."])
    zone = _zone(case, seat)
    rows = [
        (
            one.number,
            deadlines.words(one.arrived, zone, seconds=True),
            "withdrawn" if one.orders == NOTHING else one.digest[:8],
            "counts" if one is mine[-1] and one.orders != NOTHING else "replaced",
        )
        for one in mine
    ]
    lines = [f"For {step.name} you have sent the sets below. What counts stands in the form."]
    return part("YOUR ORDERS", lines, columns=("receipt", "arrived", "set", "now"), rows=rows)


_MARKUP = re.compile(r"\*\*(.+?)\*\*")

_PUBLIC_ACTS = (
    "new",
    "start",
    "close",
    "extend",
    "pause",
    "resume",
    "rollback",
    "edit",
    "replace",
    "bot",
    "resign",
    "vacate",
    "absent",
    "accept",
    "end",
    "expire",
)
"""Acts of which everybody is told anyway; who sent what, and when, is not among them."""


def history(case: Case, seat: Seat, _: Question, at: datetime) -> Document:  # noqa: ARG001
    """What was done in the game, as all may know it."""
    zone = _zone(case, seat)
    rows = [
        (deadlines.words(note.at, zone), _act(case, note))
        for note in case.books.notes(case.game.id)
        if note.act in _PUBLIC_ACTS
    ]
    return part("HISTORY", columns=("when", "what"), rows=rows)


def _act(case: Case, note: Note) -> str:
    """An act in words that hide who was late, and in an anonymous game who plays."""
    seat = note.data.get("seat")
    if note.act == "close":
        return note.text.partition(" closed")[0] + " closed"
    if note.act == "replace":
        return f"{seat} has a new player" if case.settings.anonymous else note.text
    if note.act == "vacate":
        return f"{seat}'s player left"
    return {"new": "the game was made", "resign": f"{seat} resigned"}.get(note.act, note.text)


def rules(case: Case, seat: Seat, question: Question, at: datetime) -> Document:  # noqa: ARG001
    """The text of rules; without a number, which rules there are."""
    book = case.kind.rulebook
    if not question.rest:
        numbers = ", ".join(book)
        lines = [
            f"{case.kind.title} has the rules {numbers}.",
            "Ask for one with `ask: rules NUMBER`, for all with `ask: rules all`.",
        ]
        return part("RULES", lines)
    if fold(question.rest[0]) == "all":
        return part("RULES", [_plain(number, text) for number, text in book.items()])
    return part("RULES", [_rule(book, one) for one in question.rest])


def _rule(book: Mapping[str, str], name: str) -> str:
    """A rule in plain text; its number alone is enough."""
    wanted = fold(name)
    for number, text in book.items():
        if wanted in (fold(number), fold(number.rpartition("-")[2])):
            return _plain(number, text)
    meant = suggest(name, book)
    hint = f"did you mean {meant}?" if meant else f"they begin with {next(iter(book))}"
    raise Unknown(f'there is no rule "{name}"; {hint}')


def _plain(number: str, text: str) -> str:
    words = _MARKUP.sub(r"\1", text)
    return f"{number}: {words}"


def why(case: Case, seat: Seat, question: Question, at: datetime) -> Document:  # noqa: ARG001
    """The rule behind an event of one of the seat's reports, and the facts that it may know."""
    number = number_in(question.rest)
    if number is None:
        raise Refused("write the number of the event that you mean, as in `why 7`")
    later = question.rest[question.rest.index(next(w for w in question.rest if w.isdigit())) + 1 :]
    report = number_in(later)
    paper = latest(case, seat) if report is None else numbered(case, seat, report)
    event = _event(paper, number)
    title = f"WHY {number}, report {paper.number}"
    facts = [f"{key.replace('_', ' ')}: {_fact(value)}" for key, value in event["data"].items()]
    lines = [event["text"], *event["details"]]
    if facts:
        lines.append(f"The facts that you may know: {'; '.join(facts)}.")
    if rule := event["rule"]:
        text = case.kind.rulebook.get(rule)
        lines.append(_plain(rule, text) if text else f"The rule is {rule}.")
    return part(title, lines)


def _event(paper: Paper, number: int) -> Mapping[str, Any]:
    document = decode(paper.document)
    own = [_ordered(entry) for entry in (document["orders"] or {}).get("entries", ())]
    events = [*document["events"], *own]
    for event in events:
        if event["n"] == number:
            found: Mapping[str, Any] = event
            return found
    numbers = sorted(event["n"] for event in events)
    known = f"its events are {numbers[0]} to {numbers[-1]}" if numbers else "it tells no events"
    raise Unknown(f"report {paper.number} has no event {number}; {known}")


def _ordered(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What became of one of the reader's own orders, as an event; reports number both alike."""
    came = f"it was {'done in part' if entry['outcome'] == 'part' else entry['outcome']}"
    why_not = [f"{entry['why'].rstrip('.')}."] if entry.get("why") else []
    text = f"Your order {entry['text']}: {came}."
    return {"n": entry["n"], "text": text, "details": why_not, "data": {}, "rule": entry["rule"]}


def _fact(value: Any) -> str:
    """A fact as a person reads it."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no"}.get(value, "none") if value is not None else "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key.replace('_', ' ')} {_fact(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_fact(one) for one in value) or "none"
    return str(value)


def players(case: Case, seat: Seat, _: Question, at: datetime) -> Document:
    """Who plays what, who is away; in an anonymous game without names."""
    zone = _zone(case, seat)
    seatings = current(case.books, case.game.id)
    gone: dict[Seat, list[str]] = {}
    for one in away(case, at):
        gone.setdefault(one.seat, []).append(
            in_words(one, zone).removeprefix(f"{one.seat} is away ")
        )
    rows = [
        (
            one,
            f"{who(case, seatings.get(one))}{' (you)' if one == seat else ''}",
            "; ".join(gone.get(one, ())),
        )
        for one in case.game.seats
    ]
    return part("PLAYERS", columns=("seat", "player", "away"), rows=rows)


def guide(case: Case, seat: Seat, _: Question, at: datetime) -> Document:  # noqa: ARG001 - all questions are called alike
    """The player's guide, a template that the answer's takes in, and the form explained."""
    told = {**part("HELP"), "guide": HELP}
    if case.game.open_step is None:
        return told
    step = case.open_step()
    due = case.due(case.before(step)).get(seat)
    name = due.form if due else step.phase
    return {**told, "due": case.kind.explained(name)} if name in case.kind.forms() else told
