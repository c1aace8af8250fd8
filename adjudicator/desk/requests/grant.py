"""What a block requests besides orders: each key with the function that does it."""

from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.desk.model.context import Context, RequestOutcome, Sender, reject
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.questions.answer import answer_questions
from adjudicator.desk.requests.absences import handle_absence
from adjudicator.desk.requests.ahead import handle_ahead
from adjudicator.desk.requests.envelope import Envelope
from adjudicator.desk.requests.preferences import handle_preferences
from adjudicator.desk.requests.press import handle_press


def grant_requests(
    context: Context, sender: Sender, envelope: Envelope, *, preview: bool
) -> RequestOutcome:
    """Handle a letter's requests beside orders; one rejected request leaves the others alone."""
    outcome = RequestOutcome()
    for key in envelope.requests:
        if key == "gm":
            outcome += reject("gm: this needs the GM's key, so it was ignored.")
        elif key == "forecast":
            outcome += reject("forecast: it works only in a letter with orders of an open step.")
        elif key not in HANDLERS and not (key == "luck" and context.settings.luck == EACH_TURN):
            outcome += reject(
                f"{key}: this belongs in a letter that joins a game, so it was ignored."
            )
    for key, handler in HANDLERS.items():
        value = envelope.requests.get(key)
        if value is None:
            continue
        if preview and key != "ask":
            outcome += RequestOutcome(done=(f"{key}: it would be done; this was a preview.",))
            continue
        try:
            with context.books.part():
                granted = handler(context, sender, value)
        except Refused as why:
            granted = reject(f"{key}: {why}")
        outcome += granted
    return outcome


RequestHandler = Callable[[Context, Sender, Any], RequestOutcome]
"""handler(context, sender, value): the value as it was read, scalars as text."""

HANDLERS: Mapping[str, RequestHandler] = {
    "ahead": handle_ahead,
    "prefer": handle_preferences,
    "absent": handle_absence,
    "press": handle_press,
    "ask": answer_questions,
}
"""The handlers in the order in which they run, each in a nested transaction."""
