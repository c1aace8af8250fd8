"""The end of a game: its seed is told, and who played what."""

from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.letters import notices
from adjudicator.desk.seating import PLAYER
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import Letter, Seating, Step


def farewell(case: Case, step: Step, *, at: datetime) -> tuple[Letter, ...]:
    """Open the seed: from now on everybody can check every draw."""
    game = case.game
    opened = {"seed": game.seed.hex(), "luck": [list(pair) for pair in game.luck]}
    lines = [
        f"{game.id} is over. Its seed is told now; with it every draw can be checked:",
        f"seed {opened['seed']}",
        *(f"luck words of {seat}: {words}" for seat, words in game.luck),
        f"The chain ends with link {_last(case)}.",
        *_unmasked(case),
    ]
    if step.reason:
        lines.insert(0, f"It ended before its rules end it: {step.reason}.")
    if not game.verifiable:
        lines.append("The seed was chosen by the GM, so the draws prove nothing.")
    subject = "The game is over: seed and luck words"
    tell_gm(case, step, subject, lines, at=at)
    return notices(
        case,
        step,
        subject,
        lines,
        seatings=_last_people(case),
        at=at,
        opened=opened,
    )


def _unmasked(case: Case) -> list[str]:
    """Who played what, where nobody could know it until now."""
    if not case.settings.anonymous:
        return []
    return [
        f"{seating.seat} was played by {seating.player}."
        for seating in case.books.seatings(case.game.id)
        if seating.player
    ]


def _last_people(case: Case) -> dict[Seat, Seating]:
    """The last person on each seat, also where nobody sits any more: they may check, too."""
    seatings = case.books.seatings(case.game.id)
    return {seating.seat: seating for seating in seatings if seating.kind == PLAYER}


def _last(case: Case) -> str:
    link = case.books.last_link(case.game.id)
    return link.digest if link else "none"
