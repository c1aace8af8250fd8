"""Messages of players as reports tell them."""

from typing import Any

from adjudicator.core.document import Seat, digest
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Game, Press, Step
from adjudicator.desk.outbox.papers import was_mailed

EVERYBODY = "all"
ANONYMOUS = "anonymous"
UNNAMED = "(without a name)"


def shown_to(made: Press, reader: Seat | None) -> dict[str, Any]:
    """A message as a reader may know it: {from, to, text}."""
    to = ", ".join("the GM" if one == GM else one for one in made.to) or "all"
    return {"from": _name_writer(made, reader), "to": to, "text": made.text}


def _name_writer(made: Press, reader: Seat | None) -> str:
    if made.seat is None:
        return "the GM"
    if not made.anonymous:
        return made.seat
    return masked_name(made.seat) if made.seat == reader else ANONYMOUS


def masked_name(seat: Seat) -> str:
    """How a report names its reader who wrote without a name."""
    return f"{seat} {UNNAMED}"


def report_press(
    context: Context, step: Step, first: Step, reader: Seat | None
) -> list[dict[str, Any]]:
    """The messages in a report that tells of these steps, `first` to `step`, as its reader sees it.

    They are those that the reader (None: the public) wrote or got since the last report. What
    would have been read in a report that was struck before it went out is told now.
    """
    told = []
    if reader is not None and step.predecessor is None and context.game.luck:
        told.append(_luck_words(context.game))
    messages = context.books.press(context.id)
    if not messages:
        return told  # the usual thing, and a game has many steps
    before = (
        one for one in reversed(context.books.steps(context.id)) if _is_reported_before(one, first)
    )
    reported = (one.number for one in before if not one.void or _was_told(context, one, reader))
    last = next(reported, -1)
    return told + [
        shown_to(one, reader)
        for one in messages
        if last < (one.step or 0) <= step.number
        and (not one.to or (reader is not None and reader in (one.seat, *one.to)))
    ]


def _luck_words(game: Game) -> dict[str, Any]:
    """The server's own message in a player's first report: they are fixed from now on."""
    lines = [
        "The luck words are fixed now and mixed into the dice:",
        *(f"{seat}: {words}" for seat, words in game.luck),
        "The SHA-256 of the seed is",
        digest(game.seed),
        "At the end the seed is revealed, and everybody can check every draw.",
    ]
    return {"from": "the server", "to": EVERYBODY, "text": "\n".join(lines)}


def _is_reported_before(step: Step, first: Step) -> bool:
    """Whether a report covered this step, before the ones that are reported next."""
    return step.closed is not None and step.phase != "ruling" and step.number < first.number


def _was_told(context: Context, struck: Step, reader: Seat | None) -> bool:
    """Whether a reader had the report of a step that was struck later; the public sees all."""
    if reader is None:
        return True
    papers = context.books.papers(context.game.id, struck.number)
    return any(was_mailed(context, paper) for paper in papers if paper.seat == reader)
