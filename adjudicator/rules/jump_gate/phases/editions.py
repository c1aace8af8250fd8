"""The differences between the two editions: actions, choices and endings."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Orders
from adjudicator.rules.jump_gate.phases import ending, hand, harvest, land, movement, scan, specials
from adjudicator.rules.jump_gate.phases.ending import Ranking
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.order_forms import Action
from adjudicator.rules.jump_gate.position.state import Awaiting

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
    ranks: Ranking
    """What decides between equal scores."""


_COMMON: Final[Mapping[str, Perform]] = {
    "fly": movement.fly,
    "jump": movement.jump,
    "research": hand.research,
}

FIRST: Final = Edition(
    limit="JGA-4",
    actions={
        **_COMMON,
        "scan": scan.scan_2010,
        "land": land.land_2010,
        "harvest": harvest.harvest_2010,
        "special": specials.play_special,
        "return-to-orbit": movement.return_to_orbit,
    },
    resume={"collect": land.resume_2010},
    after_action=ending.end_action_2010,
    after_turn=ending.end_turn_2010,
    finish=ending.finish_2010,
    ranks=ending.rank_seat_2010,
)

SECOND: Final = Edition(
    limit="JGB-4",
    actions={
        **_COMMON,
        "scan": scan.scan_second,
        "land": land.land_second,
        "harvest": harvest.harvest_second,
    },
    resume={"collect": land.resume_second, "mark": scan.resume_mark},
    after_action=ending.end_action_second,
    after_turn=ending.end_turn_second,
    finish=ending.finish_second,
    ranks=ending.rank_seat_second,
)


def find_edition(components: Components) -> Edition:
    """Find the edition whose box this is."""
    return SECOND if components.is_second else FIRST
