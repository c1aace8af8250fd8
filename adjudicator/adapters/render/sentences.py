"""Whole sentences of letters, for the templates of both plain text and HTML."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.adapters.render.text_layout import format_instant, shorten_digest
from adjudicator.core.document import digest, encode
from adjudicator.core.events import format_steps
from adjudicator.core.forms.orders_as_text import write_inline

_NO_ORDERS = (digest(encode({})), digest(encode({"pass": True})))
_READY = "Change them and reply, or add the line `ready: yes` to send them as they are."
_LAST_COUNTS = "You may send new orders until then; the last ones count."
_LAST_BY_HAND = "You may send new orders until the step closes; the last ones count."
_CLOSES_EARLY = "The step closes early once all orders are in; `ready: no` prevents that."
_STANDS = "These are your orders on file. Change them and reply, or do nothing."
_QUIET = "Nothing is due from you. Use these lines in a reply to write to others or to ask."
_NEXT = "These lines belong to the step that is open now; the report explains it."
_EMPTY = "You have no orders on file. Fill in this form and send it back."
_BY_HAND = "There is no fixed deadline; the GM closes the step by hand."


def explain_due(document: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """Explain what a report asks for: a heading in capitals, what follows it, and a sentence."""
    seat, due, over = document["seat"], document["due"], document["over"]
    if over:
        return "THE GAME IS OVER", "", over["text"]
    if document.get("overtaken"):
        return "READ ON", ": the next report is on its way, and says what is due", ""
    if not due:
        wait = "There is nothing to send now; the next report comes by itself."
        return ("NOTHING IS DUE FROM YOU", "", wait) if seat else None
    until = format_instant(due["deadline"], due["zone"]) if due["deadline"] else ""
    if seat and due["waiting"]:
        example = _show_example(document.get("form") or {})
        return "DUE FROM YOU", f": {due['what']}", _explain_deadline(until, example)
    if seat:
        they = f"They have until {until}." if until else ""
        return "NOTHING IS DUE FROM YOU", f"; waiting for others: {due['what']}", they
    return "NEXT", f": {due['what']}", f"Due by {until}." if until else ""


def label_step(document: Mapping[str, Any]) -> str:
    """Name the step of a letter by its label, or by its name if an older letter has no label."""
    return str(document.get("label") or f"step {document['step']}")


def label_report(document: Mapping[str, Any]) -> str:
    """Name the turn and the phase that a report covers: `turn 4, jump`."""
    turn, phase = str(document["turn"]), str(document["step"]).partition("-")[2]
    return turn if phase == "setup" or turn.startswith(f"{phase} ") else f"{turn}, {phase}"


def name_report(document: Mapping[str, Any]) -> str:
    """Name a report by its number and its reader, or as the position that somebody asked for."""
    reader = document["seat"] or "everybody"
    if document.get("alone"):
        return f"Position for {reader}"
    if document.get("forecast"):
        return f"FORECAST for {reader}"
    return f"Report {document['number']} to {reader}"


def explain_forecast(document: Mapping[str, Any]) -> str:
    """Explain what a forecast was computed on."""
    forecast = document["forecast"]
    guessed = " and ".join(forecast["others"])
    others = f"{guessed} ordered what you wrote, and nobody else" if guessed else "nobody else"
    return (
        f"NOTHING WAS PUT ON FILE. This is what would happen if {others} did anything. It was "
        f"played in {forecast['worlds']} imagined worlds, which all agree with what you know; what "
        "happens only in some of them says in how many. Map, tables and hand are those of a "
        "likely one."
    )


def summarize_report(document: Mapping[str, Any]) -> str:
    """Summarize a report for a list of mails: its deadline, and what happened."""
    task, due = explain_due(document), document["due"]
    words = f"{task[0].capitalize()}{task[1]}" if task else ""
    until = format_instant(due["deadline"], due["zone"]) if due and due["deadline"] else ""
    first = f"{words}, by {until}" if words and until else words
    return " ".join(f"{one.rstrip('.')}." for one in (first, document["headline"]) if one)


def _explain_deadline(until: str, example: str) -> str:
    how = f"for example with the line `{example}`; the form below shows more" if example else ""
    if until:
        advice = f", {how}" if how else "; the form is below"
        return f"Reply to this letter by {until}{advice}."
    advice = f"Reply {how}" if how else "The form is at the end of this letter"
    return f"{_BY_HAND} {advice}."


_LONGEST_EXAMPLE = 70


def _show_example(form: Mapping[str, Any]) -> str:
    """Show a line of a form's example, better one word than a list, if no orders stand there."""
    example = {} if form.get("orders") else dict(form.get("example") or {})
    lines = {write_inline({key: one}): isinstance(one, str | bool) for key, one in example.items()}
    line = min(lines, key=lambda one: (not lines[one], len(one)), default="")
    return line if len(line) <= _LONGEST_EXAMPLE else ""


def explain_since(document: Mapping[str, Any]) -> str:
    """Name the other steps that a report covers, and explain why; empty if there are none."""
    names = list(dict.fromkeys(map(label_step, document.get("since", ()))))
    if not names:
        return ""
    why = (
        ""
        if any(one["receipt"] for one in document["since"])
        else ", when nothing was due from you"
    )
    return f"This report also covers {format_steps(names)}{why}."


def describe_executed(orders: Mapping[str, Any], since: Sequence[Mapping[str, Any]] = ()) -> str:
    """Name the reader's orders that a report covers; empty if there were none."""
    sets = [f"{_describe_set(one)} in {label_step(one)}" for one in since if one["receipt"]]
    if orders["receipt"]:
        sets.append(_describe_set(orders))
    return f" ({'; '.join(sets)})" if sets else ""


def _describe_set(own: Mapping[str, Any]) -> str:
    return f"receipt {own['receipt']}, digest {shorten_digest(own['digest'])}"


def explain_no_entries(orders: Mapping[str, Any], since: Sequence[Mapping[str, Any]] = ()) -> str:
    """Explain why a report lists no orders."""
    if not any(one["receipt"] for one in (orders, *since)):
        return "No orders of yours were received."
    if orders["digest"] in _NO_ORDERS:
        return "You ordered nothing."
    return "Their results, if any, are listed below."


_OUTCOMES = {
    "unreadable": "YOUR LETTER CHANGED NOTHING: it could not be read as orders.",
    "refused": "NONE OF YOUR ORDERS WERE PUT ON FILE; what was on file before still counts.",
    "preview": "A PREVIEW, as you asked: nothing was put on file.",
    "held": "HELD: these orders are older than those on file, which still count.",
    "cleared": "WITHDRAWN, as you asked: you have no orders on file now.",
}


def describe_arrival(receipt: Mapping[str, Any]) -> str:
    """Describe when the letter arrived, with the digest of the orders on file since then."""
    sentence = f"Arrived {receipt['arrived']['text']}."
    if receipt["outcome"] in ("taken", "cleared") and receipt["set"]:
        sentence += f" Digest: {shorten_digest(receipt['set']['digest'])}."
    return sentence


_OWING = "No orders of yours are on file yet"
"""How the headline of a receipt begins whose reader still owes orders."""


def explain_outcome(receipt: Mapping[str, Any]) -> str:
    """Explain what happened to the letter if its orders were not simply put on file."""
    if receipt["outcome"] == "status" and receipt.get("asked"):
        return ""
    if receipt["outcome"] == "status" and receipt["headline"].startswith("NOT RECEIVED"):
        return "NOTHING WAS PUT ON FILE: no line of your letter could be read as an order."
    if receipt["outcome"] == "status" and receipt["form"]:
        if receipt["headline"].startswith(_OWING):
            return ""  # the next sentence says so
        if not receipt["headline"].startswith("Your status"):  # what became of other requests
            return f"{receipt['headline'].rstrip('.')}."
        return (
            "Your letter contained NO NEW ORDERS. This is your current status."
            if receipt["wishes"]
            else "Your letter contained NOTHING NEW. This is your current status."
        )
    if receipt["outcome"] == "refused" and not receipt["set"]:
        return "NONE OF YOUR ORDERS WERE PUT ON FILE."
    return _OUTCOMES.get(receipt["outcome"], "")


def explain_question(receipt: Mapping[str, Any]) -> str:
    """Ask what was meant by a slip; empty without any."""
    question = receipt.get("asked")
    return f"PLEASE ANSWER: {question['question']}" if question else ""


def list_ignored(receipt: Mapping[str, Any]) -> list[str]:
    """List what was ignored, but for the question that stands at the top."""
    question = receipt.get("asked") or {}
    return [one for one in receipt["ignored"] if one != question.get("question")]


def explain_standing(receipt: Mapping[str, Any]) -> str:
    """Explain whether the reader's orders are in, and why."""
    if receipt.get("afterwards"):
        return str(receipt["afterwards"])
    stands = receipt["standing"]
    if not receipt["form"]:
        return ""
    if not stands["due"]:
        return "NOTHING IS DUE FROM YOU in this step."
    if stands["in"] and stands["ready"]:
        return f"YOU ARE IN: {stands['why']}."
    if stands["in"]:
        then = f" {stands['then']}" if stands.get("then") else ""
        return f"ON FILE, BUT NOT READY: {stands['why']}.{then}"
    return f"YOU ARE NOT IN: {stands['why']}."


def explain_closing(receipt: Mapping[str, Any]) -> str:
    """Explain until when orders can be sent; empty if nothing is due."""
    if not receipt["standing"]["due"]:
        return ""
    line = receipt["deadline"]
    if not line:
        return f"{_BY_HAND} {_LAST_BY_HAND}"
    if line.get("paused"):
        return (
            "The game is paused: no deadline is running, and no step closes. You may send new "
            "orders; the last ones count. You get the deadline when the game continues."
        )
    until = format_instant(line["at"], line["zone"])
    if line.get("passed"):
        return f"The deadline, {until}, has passed. Orders still count until the step is closed."
    return f"Deadline {until}. {_LAST_COUNTS} {_CLOSES_EARLY}"


def introduce_receipt_form(receipt: Mapping[str, Any]) -> str:
    """Introduce the block at the end of a receipt."""
    form = receipt["form"]
    if form["prefill"]:
        return f"These are your orders from before the rollback. They are NOT on file. {_READY}"
    if form["orders"]:
        return _STANDS
    if form["orders"] is not None:
        return "Your orders on file are empty: you order nothing. Fill in the form, or do nothing."
    if receipt.get("afterwards"):
        return _NEXT
    return _EMPTY if receipt["standing"]["due"] else _QUIET


def introduce_notice_form(notice: Mapping[str, Any]) -> str:
    """Introduce the block at the end of a notice."""
    form = notice["form"]
    if notice["seat"] == "gm":
        return "To act on this, reply with lines like these."
    if "quiet" in form:
        return _QUIET
    if form["prefill"]:
        return f"These are your earlier orders. They are NOT on file. {_READY}"
    return _STANDS if form["orders"] else _EMPTY


def explain_questions(document: Mapping[str, Any]) -> str:
    """Say above a block what its reader can ask, unless the letter opens with it."""
    form = document["form"]
    if document.get("welcome"):
        return ""
    if "join" in form.get("envelope", ()):
        return "Questions? Reply with only `ask: help`, and you get the player's guide."
    if any(line.startswith("gm:") for line in form.get("comments", ())):
        return "Questions? Write `ask: help` for the GM's guide, or `ask: status`."
    return "Questions? Write `ask: help`, `ask: words`, `ask: example`, `ask: map` or `ask: rules`."


def introduce_press_form(press: Mapping[str, Any]) -> str:
    """Introduce the block at the end of a letter that brings messages, or of a report."""
    form = press["form"]
    if form["prefill"]:
        return f"The orders in the form are your earlier ones. They are NOT on file. {_READY}"
    return "The orders in the form are on file." if form["orders"] else ""


def explain_answering(press: Mapping[str, Any]) -> str:
    """Explain how to answer the last message of others; nothing where all are the reader's own."""
    seats = [one["answer_to"] for one in press["messages"] if "answer_to" in one]
    to = next((one for one in reversed(seats) if one != press["seat"]), None)
    return _ANSWER.format(to) if to else ""


_ANSWER = (
    "To answer, reply with a line such as `to {0}: your words`. For a longer message write `to "
    "{0}:` alone on a line, and your words below it."
)


def name_order(entry: Mapping[str, Any]) -> str:
    """Name an order in a receipt by its key and, where it was written otherwise, its words."""
    key, text = str(entry["key"]), str(entry["written"] or "")
    if text in str(entry["words"]):
        return key
    return text if text.casefold().startswith(f"{key} ".casefold()) else f"{key} {text}"


def describe_mark(entry: Mapping[str, Any]) -> str:
    """Describe an order in a receipt as valid, or explain what is wrong with it."""
    odds = entry.get("odds")  # a waiting letter may be older than this key
    return f"{_MARKS[entry['mark']]}: {odds} %" if odds else _MARKS[entry["mark"]]


_MARKS = {
    "fine": "fine",
    "will fail": "✗ WILL FAIL",
    "may fail": "⚠ may fail",
    "refused": "✗ REFUSED, not on file",
    "not taken": "✗ not on file, since it depends on a refused one",
}
