"""The end of a game: its seed is revealed, and who played what."""

from adjudicator.core.document import Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import OutgoingLetter, Seating, Step
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.queue import queue_notices


def reveal_seed(context: Context, step: Step) -> tuple[OutgoingLetter, ...]:
    """Open the seed: from now on everybody can check every draw."""
    game = context.game
    opened = {"seed": game.seed.hex(), "luck": [list(pair) for pair in game.luck]}
    lines = [
        f"{game.id} is over. Its seed is now revealed, so that every draw can be checked:",
        f"seed {opened['seed']}",
        *(f"luck words of {seat}: {words}" for seat, words in game.luck),
        f"The chain ends with link {_last(context)}.",
        *_unmasked(context),
    ]
    if step.reason:
        lines.insert(0, f"It was ended early: {step.reason}.")
    if not game.verifiable:
        lines.append("The seed was chosen by the GM, so the draws prove nothing.")
    subject = "The game is over: seed and luck words"
    tell_gm(context, step, subject, lines)
    return queue_notices(
        context, step, subject, lines, seatings=_last_people(context), opened=opened
    )


def _unmasked(context: Context) -> list[str]:
    """Who played what, where nobody could know it until now."""
    if not context.settings.anonymous:
        return []
    return [
        f"{seating.seat} was played by {seating.player}."
        for seating in context.books.seatings(context.game.id)
        if seating.player
    ]


def _last_people(context: Context) -> dict[Seat, Seating]:
    """The last person on each seat, also where nobody sits any more: they may check, too."""
    seatings = context.books.seatings(context.game.id)
    return {seating.seat: seating for seating in seatings if seating.kind == PLAYER}


def _last(context: Context) -> str:
    link = context.books.last_link(context.game.id)
    return link.digest if link else "none"
