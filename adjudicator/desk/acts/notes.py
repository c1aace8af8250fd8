"""Words and consents of the GM's: a note, a message to players, changed rules accepted."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    RAW_TEXT,
    SEAT,
    WORDS,
    Act,
    Argument,
    Call,
    Done,
)
from adjudicator.desk.model.context import Context, read_context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Game, HistoryNote
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.requests.press import send_gm_press
from adjudicator.desk.steps.press import EVERYBODY
from adjudicator.desk.steps.record import ACCEPT_ACT


def add_note(books: Books, library: Library, game: str, text: str, *, at: datetime) -> HistoryNote:  # noqa: ARG001 - every act of the GM is called alike
    """Write the GM's own words into the history."""
    words = " ".join(text.split())
    if not words:
        raise Refused(f"{game}: a note needs words")
    return write_note(books, books.locked(game).id, "note", words, at=at)


def accept_rules(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Let the game go on under the rules as they are now; earlier steps stay as they are."""
    found = books.locked(game)
    kind = library.kind(found.kind, found.components)
    if kind.digest == found.rules_digest:
        raise Refused(f"{game}: its rules are those it was played by; there is nothing to accept")
    since = found.next_number if found.open_step is None else found.open_step
    accepted = replace(found, rules_digest=kind.digest)
    books.save_game(accepted)
    data = {"since": since, "rules_digest": kind.digest, "before": found.rules_digest}
    text = f"changed rules accepted; steps before number {since} stay as they were adjudicated"
    write_note(books, game, ACCEPT_ACT, text, at=at, data=data)
    if accepted.open_step is not None:
        _tell(read_context(books, library, game, at))
    return accepted


def _tell(context: Context) -> None:
    """The players should know, since results change."""
    step = context.open_step()
    told = (
        "The program has changed since this game began, in a way that changes results. The GM "
        f"continues with the new version from {context.label(step)}. Earlier steps stay as they "
        "were adjudicated."
    )
    lines = [told, "{deadline}"]
    queue_notices(context, step, "The rules have changed", lines)


# the acts


def _note(call: Call, text: str) -> Done:
    written = add_note(call.books, call.library, call.game, text, at=call.at)
    number = written.number
    return Done(
        said=f"Note {number} is in the history.", would=f"Note {number} would be in the history."
    )


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
    do=lambda call, text: _note(call, " ".join(text)),
    lasting="the history keeps everything",
)


def _accept(call: Call) -> Done:
    accept_rules(call.books, call.library, call.game, at=call.at)
    return Done(
        said="The game continues under the rules as they are now.",
        would="The game would continue under the rules as they are now.",
    )


def _undo_accept(call: Call, note: HistoryNote) -> Done:
    game = call.books.locked(call.game)
    call.books.save_game(replace(game, rules_digest=str(note.data["before"])))
    text = f"the changed rules are no longer accepted (entry {note.number})"
    write_note(call.books, call.game, "unaccept", text, at=call.at)
    return Done(
        said="The changed rules are no longer accepted; the game waits until they are.",
        would="The changed rules would no longer be accepted; the game would wait.",
    )


ACT_ACCEPT = Act(
    name="accept",
    about=(
        "The rules have changed if a newer program would adjudicate earlier steps of the game "
        "differently. Those steps stay as they are; players get a notice."
    ),
    examples=("accept ember",),
    do=_accept,
    undo=_undo_accept,
    blocked_by=MOVING_ACTS,
)


def _message(call: Call, seats: Sequence[str], text: str) -> Done:
    context = call.context()
    before = len(call.books.press(call.game))
    value = [{"to": list(seats) or [EVERYBODY], "text": text}]
    outcome = send_gm_press(context, value)
    if outcome.not_taken:
        raise Refused(" ".join(outcome.not_taken))
    whom = ", ".join(seats) or "everybody"
    data = {"press": before + 1}
    context.note("message", f"a message to {whom}", data=data)
    return Done(said=" ".join(outcome.done), would=f"Your message would go to {whom}.")


def _read_message(words: Sequence[str], content: Any) -> Mapping[str, Any]:
    if isinstance(content, Mapping):
        to = content.get("to", ())
        named = [to] if isinstance(to, str) else list(to)
        seats = tuple(seat for seat in named if seat != EVERYBODY)
        return {"seats": seats, "text": content.get("text")}
    named = [word for word in words[:-1] if word != EVERYBODY]
    return {"seats": tuple(named), "text": words[-1] if words else None}


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
    do=_message,
    lasting="it has been read",
)
