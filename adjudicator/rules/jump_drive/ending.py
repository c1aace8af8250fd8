"""The end of the game (JD-13, JD-16, JD-28)."""

from collections.abc import Mapping

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.counting import income, totals
from adjudicator.rules.jump_drive.state import Over
from adjudicator.rules.jump_drive.work import Work


def why_over(work: Work, idle: int) -> str | None:
    """Why the game ends after this scoring; None when it goes on."""
    constants = work.components.constants
    if max(work.vp.values()) >= constants.goal:
        return "goal"
    return "idle" if idle >= constants.idle else None


def end(work: Work, why: str) -> Over:
    """Most VP wins; ties: hand cards and the income that would have been drawn; then shared."""
    counted = totals(work.empires, work.components, income)
    spare = {seat: len(work.hands[seat]) + counted[seat] for seat in work.table.seats}
    winners = best(work.vp, spare, work.table.seats)
    work.tell("ended", "JD-13" if why == "goal" else "JD-28", why=why)
    for seat in work.table.seats:
        work.tell("final-score", "JD-16", seat=seat, total=work.vp[seat], spare=spare[seat])
    work.tell("won", "JD-16", winners=list(winners))
    return Over(winners, dict(work.vp))


def best(
    vp: Mapping[Seat, int], spare: Mapping[Seat, int], seats: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """The winners, in seat order."""
    highest = max((vp[seat], spare[seat]) for seat in seats)
    return tuple(seat for seat in seats if (vp[seat], spare[seat]) == highest)
