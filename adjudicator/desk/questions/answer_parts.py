"""The parts of an answer, one for each question."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.events import format_steps
from adjudicator.core.forms.explanation import explain_form
from adjudicator.core.names import fold, suggest
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.absences import (
    count_days_left,
    describe_absence,
    describe_days_left,
    list_current_absences,
)
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.lineage import describe_end
from adjudicator.desk.model.standing import CLEARED, Standing
from adjudicator.desk.model.values import HistoryNote, Paper, Status, Step
from adjudicator.desk.outbox.announcement import seat_player_name
from adjudicator.desk.outbox.form import answer_part
from adjudicator.desk.outbox.introduction import describe_game_options
from adjudicator.desk.outbox.past_reports import choose_report
from adjudicator.desk.questions.glossary import list_rules, write_rule
from adjudicator.desk.questions.question_words import Question, list_numbers
from adjudicator.desk.steps.publish import is_held_back_for, list_unreported_steps

HELP = "guide-player"
GM_HELP = "guide-gm"
TRUST = "guide-trust"
EXAMPLE = "example"
"""The templates whose texts answer `ask: help` of a player and of the GM, `ask: trust`, and
`ask: example`."""
OF_A_GAME = ("example", "ahead")
"""What the player's guide takes from a game's own (orders/<game>/guide.yaml)."""
_FIRST_RULES = (
    "First the rules about your {}, then all others. `ask: rules {}` gets one rule alone."
)


def _find_zone(context: Context, seat: Seat) -> str:
    return context.zone(context.player(context.seatings.get(seat)))


def status_part(context: Context, seat: Seat, _: Question) -> Document:
    """Show where the game and the asking seat stand; nothing about who else is in."""
    zone = _find_zone(context, seat)
    if context.game.status is Status.OVER:
        return answer_part("STATUS", [f"The game {describe_end(context.books, context.id)}."])
    lines = [_WHERE[context.game.status]]
    if context.game.open_step is not None:
        step = context.open_step()
        when = deadlines.format_deadline(step.deadline, zone) if step.deadline else _BY_HAND
        lines.append(f"Open now: {context.label(step)}. Deadline: {when}.")
        stand = context.standing(seat)
        own = f"You are {'in' if stand.is_in else 'NOT in'}: {stand.why}."
        lines.append(own if stand.due else "Nothing is due from you in this step.")
        lines += _list_waiting(context, seat, step)
    lines += _describe_vote(context, seat)
    lines += [f"{describe_absence(one, zone)}." for one in list_current_absences(context)]
    lines += describe_game_options(context)
    lines.append(describe_days_left(count_days_left(context, seat)))
    return answer_part("STATUS", lines)


_BY_HAND = "no fixed deadline; the GM closes the step by hand"
_WHERE: Mapping[Status, str] = {
    Status.OPEN: "The game has not begun yet.",
    Status.RUNNING: "The game is running.",
    Status.PAUSED: "The game is paused: no step closes until the GM resumes it. Orders are "
    "accepted.",
}


def _list_waiting(context: Context, seat: Seat, step: Step) -> list[str]:
    """List the steps that the seat's next report covers beside the open one."""
    player = context.player(context.seatings.get(seat))
    if not is_held_back_for(player, context.due, seat):
        return []
    steps = list_unreported_steps(context, step, context.books.last_reports(context.id)[seat].step)
    names = format_steps([context.label(one) for one in steps])
    return [f"Your next report also covers {names}."] if steps else []


def _describe_vote(context: Context, seat: Seat) -> list[str]:
    seating = context.seatings.get(seat)
    if seating is None or seating.vote == "none":
        return []
    return [f"Your vote stands: {seating.vote}. Change it with `vote: none`."]


def orders_part(context: Context, seat: Seat, _: Question) -> Document:
    """Show what the seat has sent for the open step, and which of it counts."""
    step = context.open_step()
    own_sets = [one for one in context.sets if one.seat == seat and one.number]
    if not own_sets:
        return answer_part(
            "YOUR ORDERS", [f"You have no orders on file for {context.label(step)}."]
        )
    zone = _find_zone(context, seat)
    rows = [
        (
            one.number,
            deadlines.format_deadline(one.arrived, zone, seconds=True),
            "withdrawn" if one.orders == CLEARED else one.digest[:8],
            "counts" if one is own_sets[-1] and one.orders != CLEARED else "replaced",
        )
        for one in own_sets
    ]
    lines = [f"You have sent these orders for {context.label(step)}. The form shows which count."]
    return answer_part(
        "YOUR ORDERS", lines, columns=("receipt", "arrived", "set", "now"), rows=rows
    )


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
"""Acts that everybody may know of; who sent what, and when, is not among them."""


def history_part(context: Context, seat: Seat, _: Question) -> Document:
    """Show what was done in the game, as all may know it."""
    zone = _find_zone(context, seat)
    rows = [
        (deadlines.format_deadline(note.at, zone), _describe_act(context, note))
        for note in context.books.notes(context.id)
        if note.act in _PUBLIC_ACTS
    ]
    return answer_part("HISTORY", columns=("when", "what"), rows=rows)


def _describe_act(context: Context, note: HistoryNote) -> str:
    """Describe an act without showing who was late or, in an anonymous game, who plays."""
    seat = note.data.get("seat")
    if note.act == "close":
        return note.text.partition(" closed")[0] + " closed"
    if note.act == "replace":
        return f"{seat} has a new player" if context.settings.anonymous else note.text
    if note.act == "vacate":
        return f"{seat}'s player left"
    return {"new": "the game was created", "resign": f"{seat} resigned"}.get(note.act, note.text)


def rules_part(context: Context, seat: Seat, question: Question) -> Document:
    """Show the text of rules; without a number, of all rules, those about the form due first."""
    book = context.kind.rulebook
    if question.rest and fold(question.rest[0]) != "all":
        return answer_part("RULES", [_describe_rule(book, one) for one in question.rest])
    form = _explain_due(context, seat)
    texts = (
        [form["rule"], form["description"], *(key["what"] for key in form["keys"])] if form else []
    )
    own = list_rules(book, " ".join(texts))
    rules = [write_rule(number, book[number]) for number in dict.fromkeys((*own, *book))]
    lead = [_FIRST_RULES.format(form["title"], own[0])] if form and own else []
    return answer_part("RULES", [*lead, *rules])


def _describe_rule(book: Mapping[str, str], name: str) -> str:
    """Describe a rule in plain text; its number alone is enough."""
    folded_name = fold(name)
    for number, text in book.items():
        if folded_name in (fold(number), fold(number.rpartition("-")[2])):
            return write_rule(number, text)
    suggestion = suggest(name, book)
    hint = f"did you mean {suggestion}?" if suggestion else f"they begin with {next(iter(book))}"
    raise Unknown(f'there is no rule "{name}"; {hint}')


def explain_event(context: Context, seat: Seat, question: Question) -> Document:
    """Explain an event of the seat's reports in all that it may know of it, and the rule."""
    numbers = list_numbers(question.rest)
    if not numbers:
        raise Refused("write the number of the event that you mean, as in `why 7`")
    paper = choose_report(context, seat, numbers[1] if len(numbers) > 1 else None)
    event = _find_event(paper, numbers[0])
    title = f"WHY {numbers[0]}, report {paper.number}"
    lines = [event["text"], *event["details"]]
    if rule := event["rule"]:
        text = context.kind.rulebook.get(rule)
        lines.append(write_rule(rule, text) if text else f"The rule is {rule}.")
    return answer_part(title, lines)


def _find_event(paper: Paper, number: int) -> Mapping[str, Any]:
    document = decode(paper.document)
    own = [_find_outcome(one) for one in (document["orders"] or {}).get("entries", ())]
    events = [*document["events"], *own]
    for event in events:
        if event["n"] == number:
            entry: Mapping[str, Any] = event
            return entry
    numbers = sorted(event["n"] for event in events)
    hint = f"its events are {numbers[0]} to {numbers[-1]}" if numbers else "it has no events"
    raise Unknown(f"report {paper.number} has no event {number}; {hint}")


def _find_outcome(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Find the outcome of one of the reader's orders, as an event; reports number both alike."""
    outcome = (
        f"{_OUTCOMES[entry['outcome']]}{': ' if entry.get('then') else ''}{entry.get('then', '')}"
    )
    why_not = [f"{entry['why'].rstrip('.')}."] if entry.get("why") else []
    text = f"{entry['text'][:1].upper()}{entry['text'][1:]}. {outcome}."
    return {**entry, "text": text, "details": why_not}


_OUTCOMES = {
    "done": "This was done",
    "part": "This was done in part",
    "nothing": "This came to nothing",
    "negated": "This was not done",
    "struck": "Another player cancelled this order",
}


def players_part(context: Context, seat: Seat, _: Question) -> Document:
    """Show who plays what and who is away; in an anonymous game without names."""
    zone = _find_zone(context, seat)
    seatings = context.seatings
    absences: dict[Seat, list[str]] = {}
    for one in list_current_absences(context):
        absences.setdefault(one.seat, []).append(
            describe_absence(one, zone).removeprefix(f"{one.seat} is away ")
        )
    rows = [
        (
            one,
            f"{seat_player_name(context, seatings.get(one))}{' (you)' if one == seat else ''}",
            "; ".join(absences.get(one, ())),
        )
        for one in context.game.seats
    ]
    return answer_part("PLAYERS", columns=("seat", "player", "away"), rows=rows)


def example_part(context: Context, _seat: Seat, _: Question) -> Document:
    """Show a turn from a real game, explained line by line."""
    example = context.kind.guide.get("example")
    if example is None:
        raise Refused(f"example: {context.kind.title} has none")
    return {**answer_part(None), "guide": EXAMPLE, "example": example}


def guide_part(context: Context, seat: Seat, _: Question) -> Document:
    """Make the player's guide, a template inside the answer's, with the form explained."""
    rule = next(iter(context.kind.rulebook), None)
    ahead = context.kind.guide.get("ahead")
    document = {**answer_part(None), "guide": HELP, "ahead": ahead, "rule": rule, "seated": True}
    form = _explain_due(context, seat)
    return {**document, "due": form} if form else document


def _explain_due(context: Context, seat: Seat) -> Document | None:
    """Explain the form that is due from the seat, or else that of the open step."""
    if context.game.open_step is None:
        return None
    due = context.due.get(seat)
    name = due.form if due else context.open_step().phase
    return explain_form(context.kind.form(name)) if name in context.kind.forms() else None


def trust_part(_context: Context, _seat: Seat, _: Question) -> Document:
    """Explain what a player must trust, and what can be checked."""
    return {**answer_part("TRUST"), "guide": TRUST}


# for the GM alone


def table_part(context: Context, _seat: Seat, _: Question) -> Document:
    """Show where the game stands, who plays, and who is in; nobody's orders."""
    game, zone = context.game, context.settings.zone
    seatings = context.seatings
    is_over = game.status is Status.OVER
    lines = [
        f"{game.id} {describe_end(context.books, game.id) if is_over else f'is {game.status}'}."
    ]
    here: dict[str, str] = {}
    if game.open_step is not None:
        step = context.open_step()
        when = deadlines.format_deadline(step.deadline, zone) if step.deadline else "none"
        lines.append(f"Open now: {context.label(step)}. Deadline: {when}.")
        here = {one.seat: _describe_seat(one) for one in context.standings}
    if game.status is not Status.OVER:
        lines += [f"{describe_absence(one, zone)}." for one in list_current_absences(context)]
    rows = []
    for seat in game.seats:
        seating = seatings.get(seat)
        plays = (seating.player or seating.kind) if seating else "free"
        rows.append((seat, plays, here.get(seat, "")))
    return answer_part("STATUS", lines, columns=("seat", "player", "orders"), rows=rows)


def _describe_seat(one: Standing) -> str:
    """Describe how a seat stands; a seat that owes nothing is neither in nor late."""
    if one.due is None:
        return "nothing due"
    return "in" if one.is_in else "NOT in"


def full_history_part(context: Context, _seat: Seat, _: Question) -> Document:
    """Show every act, with who did it."""
    zone = context.settings.zone
    rows = [
        (
            deadlines.format_deadline(note.at, zone),
            "server" if note.by == "house" else note.by,
            f"{note.act}: {note.text}",
        )
        for note in context.books.notes(context.id)
    ]
    return answer_part("HISTORY", columns=("when", "by", "what"), rows=rows)


def gm_guide_part(_context: Context, _seat: Seat, _: Question) -> Document:
    """Make the GM's guide, a template that the answer's includes."""
    return {**answer_part("HELP"), "guide": GM_HELP}


def gm_resend_part(_context: Context, _seat: Seat, _: Question) -> Document:
    """Say that the GM's own letters hold nothing but a key."""
    return answer_part(
        "RESEND", ["This letter contains your key; there is nothing else to send again."]
    )
