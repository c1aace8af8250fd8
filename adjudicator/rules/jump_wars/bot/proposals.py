"""The forms that are worth trying out: plans and jumps in many styles, and massed attacks."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_wars.bot.campaign import Campaign
from adjudicator.rules.jump_wars.bot.planning import order_plan
from adjudicator.rules.jump_wars.bot.play import order_jumps, write_jumps
from adjudicator.rules.jump_wars.bot.style import HARD, NORMAL, Caution, Style
from adjudicator.rules.jump_wars.phases.jump.execution import move_fleets
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.order_forms import list_entries, parse_revealed
from adjudicator.rules.jump_wars.position.space import PLACE, Space
from adjudicator.rules.jump_wars.position.state import Table, View

Form = dict[str, Any]

_LARGEST: Final = 4
"""So many of each enemy's stacks may be attacked with everything."""
_RAISED: Final = ("diplomacy", "trade")
"""Technologies whose raise bars or steals at once, where it makes the highest (JW-9)."""
_BOLD: Final = Caution(boldness=2.0)
_RECKLESS: Final = Caution(boldness=3.0, ends=0)
_STYLES: Final = (
    HARD,
    NORMAL,
    replace(HARD, marches=True),
    replace(HARD, marches=False),
    replace(HARD, caution=_BOLD),
    replace(HARD, holds=False),
    replace(HARD, settles_first=True),
    replace(HARD, holds=False, marches=True, caution=_RECKLESS),
)
"""How jumps are planned; the first is the bot's own style."""
_ANSWERS: Final = (
    replace(HARD, holds=False),
    replace(HARD, holds=False, marches=False),
    replace(HARD, holds=False, marches=True, caution=_RECKLESS),
)
"""How jumps are planned where it is known what the others do this turn."""


def propose_plans(view: View, seat: Seat, components: Components) -> list[Form]:
    """Propose plan forms, that of the bot's own style first."""
    styles = _list_plan_styles(view, seat)
    return _keep_different(order_plan(view, seat, style, components) for style in styles)


def _list_plan_styles(view: View, seat: Seat) -> Iterator[Style]:
    yield HARD
    for tech in _RAISED:
        if tech in view.hand:
            yield replace(HARD, raises=tech)
        if "leadership" in view.table.players[seat].specials:
            yield replace(HARD, leads=tech)


def propose_jumps(view: View, seat: Seat, others: Orders, components: Components) -> list[Form]:
    """Propose jump forms, that of the bot's own style first."""
    return _keep_different(_list_jumps(view, seat, others, components))


def _list_jumps(view: View, seat: Seat, others: Orders, components: Components) -> Iterator[Form]:
    rivals = [other for other in view.table.seats if other != seat]
    goals = [replace(HARD, goal=rival, marches=True) for rival in rivals if len(rivals) > 1]
    for style in (*_STYLES, *goals):
        yield order_jumps(view, seat, style, components)
    yield {}
    new_view = replace(view, table=_foresee_table(view.table, others))
    for style in _ANSWERS:
        yield order_jumps(new_view, seat, style, components)
    for target in _list_targets(new_view.table, seat, others):
        for style in (HARD, replace(HARD, holds=False)):
            jumps = Campaign(new_view.table, seat, style, components).mass(target)
            yield write_jumps(new_view, seat, jumps)


def _foresee_table(table: Table, others: Orders) -> Table:
    """Foresee where the others' fleets will be, so that orders can meet them there."""
    lists = {other: list_entries(parse_revealed(form)) for other, form in others.items()}
    return move_fleets(table, lists)[0]


def _list_targets(table: Table, seat: Seat, others: Orders) -> Iterable[Space]:
    """List where a massed attack may pay: homeworlds, what enemies leave, where they will be."""
    targets = dict.fromkeys(table.homes.values())
    for form in others.values():
        for jump in form.get("jump", ()):
            targets[jump["from"]] = None
    for side, stacks in table.fleets.items():
        if side != seat:
            largest = sorted(stacks, key=lambda space: (-stacks[space], PLACE[space]))
            targets |= dict.fromkeys(largest[:_LARGEST])
    return targets


def _keep_different(forms: Iterable[Form]) -> list[Form]:
    """Keep the first of equal forms."""
    forms_by_text: dict[str, Form] = {}
    for form in forms:
        forms_by_text.setdefault(repr(form), form)
    return [*forms_by_text.values()]
