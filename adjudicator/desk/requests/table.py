"""What a block requests besides orders: each key with the function that does it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from adjudicator.desk.model.context import Context, RequestOutcome, Sender
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.questions.player import answer_questions
from adjudicator.desk.requests.absences import handle_absence
from adjudicator.desk.requests.envelope import Envelope
from adjudicator.desk.requests.preferences import handle_preferences
from adjudicator.desk.requests.press import handle_press


def grant_requests(
    context: Context, sender: Sender, envelope: Envelope, *, preview: bool, at: datetime
) -> RequestOutcome:
    """Do what a letter wishes beside orders; a wish that is refused leaves the others alone."""
    told = RequestOutcome()
    wishes = envelope.wishes
    for key in wishes:
        if key not in HANDLERS:
            told += RequestOutcome(not_taken=(_elsewhere(key),))
    for key, handler in HANDLERS.items():
        if key not in wishes or wishes[key] is None:
            continue
        if preview and key != "ask":
            told += RequestOutcome(done=(f"{key}: it would be done; this was a preview.",))
            continue
        told += _one(context, sender, key, handler, wishes, at)
    return told


def _one(
    context: Context,
    sender: Sender,
    key: str,
    handler: Any,
    wishes: Mapping[str, Any],
    at: datetime,
) -> RequestOutcome:
    try:
        with context.books.part():
            told: RequestOutcome = handler(context, sender, wishes[key], at)
    except Refused as why:
        return RequestOutcome(not_taken=(f"{key}: {why}",))
    return told


def _elsewhere(key: str) -> str:
    if key == "gm":
        return "gm: only the GM's own key does this; nothing was done about it."
    return f"{key}: this belongs in a letter that joins a game; nothing was done about it."


RequestHandler = Callable[[Context, Sender, Any, datetime], RequestOutcome]
"""wish(case, sender, value, at): the value as it was read, scalars as text."""

HANDLERS: Mapping[str, RequestHandler] = {
    "prefer": handle_preferences,
    "absent": handle_absence,
    "press": handle_press,
    "ask": answer_questions,
}
"""In the order in which they are done, each in a part of the transaction of its own."""
