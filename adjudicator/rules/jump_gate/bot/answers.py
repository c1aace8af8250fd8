"""What a bot answers when the game stops for a choice of its seat (JG-15)."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.bot.thought import Thought
from adjudicator.rules.jump_gate.bot.trial import begin_trial, imagine_worlds
from adjudicator.rules.jump_gate.orders.prefill import can_decline, list_cards_to_choose
from adjudicator.rules.jump_gate.position.state import NONE, View


def answer(view: View, seat: Seat, dice: Dice, almanac: Almanac) -> dict[str, Any]:
    """Take or mark what brings most; leave what brings nothing."""
    table = view.table
    assert table.awaiting is not None
    what, site = table.awaiting.what, table.planets[table.awaiting.at]
    offer = [*list_cards_to_choose(view, seat, almanac.components)]
    if what == "mark" and seat in site.marks:
        offer.append(site.marks[seat])
    trial = begin_trial(next(imagine_worlds(view, seat, dice, almanac)), [], almanac)
    worth = Thought(trial, almanac, seat).worth
    best = max(offer, key=worth.__getitem__, default=None)
    if best is None:
        return {}
    if worth[best] <= 0 and can_decline(table, seat, almanac.components):
        return {what: [NONE]}
    return {what: [best]}
