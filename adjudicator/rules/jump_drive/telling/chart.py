"""The race to the goal as bars of signs, and in words that say the same."""

from collections.abc import Mapping, Sequence
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.core.events import format_count, label_seat
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import list_earnings, sum_earnings
from adjudicator.rules.jump_drive.position.state import Table

_WIDTH: Final = 50
"""Signs of a bar that has reached the goal."""

_NAME: Final = 10
"""Signs of a name; longer ones are cut, the words have them whole."""


def draw_chart(table: Table, components: Components) -> Sequence[str]:
    """Draw a bar for each player: `#` is what there is, `+` what the next scoring would bring."""
    goal, gained = components.constants.goal, _count_gains(table, components)
    bars = []
    for seat in table.seats:
        have = table.vp[seat]
        signs_now, then = _count_signs(have, goal), _count_signs(have + gained[seat], goal)
        bar = ("#" * signs_now + "+" * (then - signs_now)).ljust(_WIDTH)
        bars.append(f"{seat[:_NAME]:<{_NAME}} {bar}| {have:>3}")
    scale = "".join(str(goal * part // 5).ljust(_WIDTH // 5) for part in range(5))
    return [*bars, f"{'':<{_NAME}} {scale}{goal}"]


def _count_signs(number: int, goal: int) -> int:
    return min(_WIDTH, number * _WIDTH // goal)


def describe_chart(table: Table, components: Components, reader: Seat | None) -> Sequence[str]:
    """Describe the same, seat by seat."""
    goal, gained = components.constants.goal, _count_gains(table, components)
    sentences = []
    for seat in table.seats:
        have, more = table.vp[seat], gained[seat]
        name = label_seat(seat, reader)
        gains = "" if table.over else f" and gains {more} a round"
        sentences.append(f"{name} has {have} VP{gains}{_foretell_goal(have, more, goal)}.")
    return sentences


def _count_gains(table: Table, components: Components) -> Mapping[Seat, int]:
    """Count what the next scoring would bring; nothing when the game is over."""
    if table.over:
        return dict.fromkeys(table.seats, 0)
    earnings = list_earnings(table.empires, components)
    return {seat: sum_earnings(earned)[0] for seat, earned in earnings.items()}


def _foretell_goal(have: int, gained: int, goal: int) -> str:
    if have >= goal:
        return ": the goal is reached"
    if not gained:
        return ""
    return f": {goal} in {format_count(-(-(goal - have) // gained), 'round')} if nothing changes"
