"""Scoring and income (JD-13, JD-14)."""

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.counting import income, points, totals
from adjudicator.rules.jump_drive.state import clockwise
from adjudicator.rules.jump_drive.work import Work


def score(work: Work) -> bool:
    """Everybody gains the VP of the empire; whether anybody gained one."""
    gained = totals(work.empires, work.components, points)
    for seat in work.table.seats:
        work.vp[seat] += gained[seat]
        work.tell("scored", "JD-13", seat=seat, gained=gained[seat], total=work.vp[seat])
    return any(gained.values())


def draw_income(work: Work) -> None:
    """Everybody draws; all is counted before the first card is drawn."""
    counted = totals(work.empires, work.components, income)
    for seat in income_order(work):
        work.tell_drawn(seat, "JD-14", work.draw(seat, counted[seat]), "income")


def income_order(work: Work) -> tuple[Seat, ...]:
    """Most VP first, of equals the first to the dealer's left; then clockwise from there."""
    first = max(work.order, key=lambda seat: work.vp[seat])
    return (first, *(seat for seat in clockwise(work.table.seats, first) if seat != first))
