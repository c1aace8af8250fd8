"""Add a note, write to players, accept changed rules."""

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any

from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    RAW_TEXT,
    SEAT,
    WORDS,
    Act,
    Argument,
    Done,
    word_done,
)
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import HistoryNote
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.questions.changes import describe_changes
from adjudicator.desk.requests.press import send_gm_press
from adjudicator.desk.steps.press import EVERYBODY
from adjudicator.desk.steps.record import ACCEPT_ACT

_SHOWN = 5

# note


def add_note(context: Context, text: Sequence[str]) -> Done:
    """Write the GM's own words into the history."""
    words = " ".join(" ".join(text).split())
    if not words:
        raise Refused(f"{context.id}: a note needs words")
    return word_done(f"Note {context.note('note', words).number} [is] in the history.")


def _undo_note(_context: Context, note: HistoryNote) -> Done:
    return word_done(f"Note {note.number} [is] undone; the history keeps both.")


ACT_NOTE = Act(
    name="note",
    about="Players do not see it.",
    arguments=(
        Argument(
            name="text",
            kind=WORDS,
            help="Your words.",
            label="the text",
            sentence=True,
            many=True,
        ),
    ),
    examples=("note ember 'Bo is on holiday until Friday.'",),
    letters=("'note \"Bo is on holiday until Friday\"'",),
    do=add_note,
    undo=_undo_note,
)


# accept


def accept_rules(context: Context) -> Done:
    """Let the game go on under the present rules; earlier steps stay as they are."""
    game, digest = context.game, context.kind.digest
    if digest == game.rules_digest:
        raise Refused(f"{game.id}: its rules have not changed; there is nothing to accept")
    changes = _tell_changes(context)
    since = game.next_number if game.open_step is None else game.open_step
    context.now(rules_digest=digest)
    data = {"since": since, "rules_digest": digest, "before": game.rules_digest}
    text = f"changed rules accepted; steps before number {since} stay as they were adjudicated"
    context.note(ACCEPT_ACT, text, data=data)
    if game.open_step is not None:  # the players should know, since results change
        step = context.open_step()
        sentence = (
            "The program has changed since this game began, in a way that changes results. The GM "
            f"continues with the new version from {context.label(step)}. Earlier steps stay as "
            "they were adjudicated."
        )
        lines = [sentence, "{deadline}"]
        queue_notices(context, step, "The rules have changed", lines)
    return word_done("The game [continues] under the changed rules.", *changes)


def _tell_changes(context: Context) -> tuple[str, ...]:
    """Describe the first differences, and say how many more there are."""
    changes = list(describe_changes(context))
    if not changes:
        return ("Every step comes out as it was adjudicated.",)
    more = len(changes) - _SHOWN
    rest = [f"and {more} more"] if more > 0 else []
    return (
        "The changed rules give other results:",
        *(f"- {one}" for one in [*changes[:_SHOWN], *rest]),
    )


def _undo_accept(context: Context, note: HistoryNote) -> Done:
    context.now(rules_digest=str(note.data["before"]))
    context.note("unaccept", f"the changed rules are no longer accepted (entry {note.number})")
    return word_done("The changed rules [are] no longer accepted; the game [waits] until they are.")


ACT_ACCEPT = Act(
    name="accept",
    about=(
        "The rules have changed if a newer program would adjudicate earlier steps of the game "
        "differently. Those steps stay as they are; players get a notice. A dry run lists the "
        "first differences and changes nothing."
    ),
    examples=("accept ember --dry-run", "accept ember"),
    letters=("accept",),
    do=accept_rules,
    undo=_undo_accept,
    blocked_by=MOVING_ACTS,
)


# message


def _send_message(context: Context, seats: Sequence[str], text: str) -> Done:
    before = len(context.books.press(context.id))
    outcome = send_gm_press(context, [{"to": list(seats) or [EVERYBODY], "text": text}])
    if outcome.not_taken:
        raise Refused(" ".join(outcome.not_taken))
    whom = ", ".join(seats) or "everybody"
    context.note("message", f"a message to {whom}", data={"press": before + 1})
    return Done(sentence=" ".join(outcome.done), would=f"Your message would go to {whom}.")


def _take_message_back(context: Context, note: HistoryNote) -> Done:
    """Write to the same readers once more: what they have read cannot be unread."""
    message = context.books.press(context.id)[note.data["press"] - 1]
    text = f'Please ignore my message "{shorten(message.text, 200)}"'
    send_gm_press(context, [{"to": list(message.to) or [EVERYBODY], "text": text}])
    whom = ", ".join(message.to) or "everybody"
    return word_done(f"A message [asks] {whom} to ignore the one of entry {note.number}.")


def _read_message(words: Sequence[str], content: Any) -> Mapping[str, Any]:
    if isinstance(content, Mapping):
        to = content.get("to") or ()
        names = [to] if isinstance(to, str) else list(to)
        seats = tuple(seat for seat in names if seat != EVERYBODY)
        return {"seats": seats, "text": content.get("text")}
    names = [word for word in words[:-1] if word != EVERYBODY]
    return {"seats": tuple(names), "text": words[-1] if words else None}


ACT_MESSAGE = Act(
    name="message",
    about=(
        "The message goes to these seats, or to everybody, even if players may not write to "
        "each other. It is also part of the next report."
    ),
    arguments=(
        Argument(name="seats", kind=SEAT, help="The seats that get it.", required=False, many=True),
        Argument(
            name="text",
            kind=RAW_TEXT,
            help="The message. Default: standard input, or an editor.",
            label="the message",
            place="option",
        ),
    ),
    examples=(
        "message ember --text 'The server was away last night.'",
        "message ember red blue --text 'Please send your orders tonight.'",
    ),
    letters=(
        "'message \"The server was away last night.\"'",
        "'message red blue \"Please send your orders tonight.\"'",
    ),
    read_letter=_read_message,
    do=_send_message,
    undo=_take_message_back,
)
