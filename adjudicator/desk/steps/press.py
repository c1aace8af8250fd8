from collections.abc import Sequence
from typing import Any

from adjudicator.core.document import Seat, digest
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Press, Step
from adjudicator.desk.outbox.papers import was_mailed

EVERYBODY = "all"
ANONYMOUS = "anonymous"
UNNAMED = "(without a name)"


def shown_to(made: Press, reader: Seat | None) -> dict[str, Any]:
    """A message as a reader may know it: {from, to, text}."""
    to = ", ".join("the GM" if one == GM else one for one in made.to) or "all"
    return {"from": _from(made, reader), "to": to, "text": made.text}


def _from(made: Press, reader: Seat | None) -> str:
    if made.seat is None:
        return "the GM"
    if not made.anonymous:
        return made.seat
    return masked_name(made.seat) if made.seat == reader else ANONYMOUS


def masked_name(seat: Seat) -> str:
    """How a report names its reader who wrote without a name."""
    return f"{seat} {UNNAMED}"


def press_for(messages: Sequence[Press], reader: Seat | None) -> list[dict[str, Any]]:
    """The messages that this reader (None: the public) wrote or got."""
    return [
        shown_to(one, reader)
        for one in messages
        if not one.to or (reader is not None and reader in (one.seat, *one.to))
    ]


def luck_words_message(context: Context, step: Step, reader: Seat | None) -> list[dict[str, Any]]:
    """The house's own message in a player's first report: the luck words, fixed from now on."""
    if reader is None or step.predecessor is not None or not context.game.luck:
        return []
    lines = [
        "The luck words are fixed now and mixed into the dice:",
        *(f"{seat}: {words}" for seat, words in context.game.luck),
        "The SHA-256 of the seed is",
        digest(context.game.seed),
        "At the end the seed is revealed, and everybody can check every draw.",
    ]
    return [{"from": "the server", "to": EVERYBODY, "text": "\n".join(lines)}]


def press_since_report(
    context: Context, step: Step, first: Step, reader: Seat | None
) -> tuple[Press, ...]:
    """What was written since the last report, when these are the steps that are reported next.

    What a reader would have read in a report that was struck before it went out is told now.
    """
    messages = context.books.press(context.id)
    if not messages:
        return ()  # the usual thing, and a game has many steps
    written = [one for one in messages if (one.step or 0) <= step.number]
    before = (one for one in reversed(context.books.steps(context.game.id)) if _tells(one, first))
    reported = (one.number for one in before if not one.void or _was_told(context, one, reader))
    last = next(reported, -1)
    return tuple(one for one in written if last < (one.step or 0))


def _tells(step: Step, first: Step) -> bool:
    """Whether a report covered this step, before the ones that are reported next."""
    return step.closed is not None and step.phase != "ruling" and step.number < first.number


def _was_told(context: Context, struck: Step, reader: Seat | None) -> bool:
    """Whether a reader had the report of a step that was struck later; the public sees all."""
    if reader is None:
        return True
    papers = context.books.papers(context.game.id, struck.number)
    return any(was_mailed(context, paper) for paper in papers if paper.seat == reader)
