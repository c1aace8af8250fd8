"""Research: discard any number of cards, then refill the hand (JG-8)."""

from adjudicator.rules.jump_gate.hand import hold, refill, spend
from adjudicator.rules.jump_gate.work import Work
from adjudicator.rules.jump_gate.written import Action

_RULE = "JG-8"


def research(work: Work, action: Action) -> None:
    """What is discarded lies on the pile before the first card is drawn."""
    cards = list(action.get("discard") or ())
    hold(work, cards)
    spend(work, cards)
    work.tell("researched", _RULE, seat=work.active, cards=cards)
    refill(work, work.active, _RULE)
