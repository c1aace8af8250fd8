"""What makes the two editions differ: their actions, choices and endings, in one table."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_gate import (
    ending_2010,
    ending_second,
    harvest_2010,
    harvest_second,
    land_2010,
    land_second,
    movement,
    orbit,
    research,
    scan_2010,
    scan_second,
    specials,
)
from adjudicator.rules.jump_gate.components import Components
from adjudicator.rules.jump_gate.standings import Rank
from adjudicator.rules.jump_gate.state import Awaiting, Table
from adjudicator.rules.jump_gate.work import Work
from adjudicator.rules.jump_gate.written import Action

Perform = Callable[[Work, Action], None]
Resume = Callable[[Work, Awaiting, Orders], None]


class Edition(Struct, frozen=True, kw_only=True):
    """One edition's own rules."""

    limit: str
    """The rule that says how many actions a turn has (JG-16)."""
    actions: Mapping[str, Perform]
    """By the word after `do`."""
    resume: Mapping[str, Resume]
    """What goes on when a choice has been made, by step."""
    after_action: Callable[[Work], None]
    after_turn: Callable[[Work], None]
    finish: Callable[[Work], None]
    ranks: Callable[[Table, Seat], Rank]
    """What decides between equal scores, hidden resources apart."""


_COMMON: Final[Mapping[str, Perform]] = {
    "fly": movement.fly,
    "jump": movement.jump,
    "research": research.research,
}

FIRST: Final = Edition(
    limit="JGA-4",
    actions={
        **_COMMON,
        "scan": scan_2010.scan,
        "land": land_2010.land,
        "harvest": harvest_2010.harvest,
        "special": specials.special,
        "return-to-orbit": orbit.return_to_orbit,
    },
    resume={"collect": land_2010.resume},
    after_action=ending_2010.after_action,
    after_turn=ending_2010.after_turn,
    finish=ending_2010.finish,
    ranks=ending_2010.ranks,
)

SECOND: Final = Edition(
    limit="JGB-4",
    actions={
        **_COMMON,
        "scan": scan_second.scan,
        "land": land_second.land,
        "harvest": harvest_second.harvest,
    },
    resume={"collect": land_second.resume, "mark": scan_second.resume},
    after_action=ending_second.after_action,
    after_turn=ending_second.after_turn,
    finish=ending_second.finish,
    ranks=ending_second.ranks,
)


def edition_of(components: Components) -> Edition:
    """The edition whose box this is."""
    return SECOND if components.second else FIRST
