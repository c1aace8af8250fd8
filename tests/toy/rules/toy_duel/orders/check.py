"""What is said of orders when they arrive (TD-4, TD-6)."""

from collections.abc import Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding, Grade
from adjudicator.rules.toy_duel.position.view import View


def check(view: View, seat: Seat, orders: Document) -> Sequence[Finding]:
    """What the seat can see to fail."""
    card, victim = orders.get("play"), orders.get("from")
    if card is not None and card not in view.hand:
        return [_doomed("TD-4", f"you have no {card}", "play")]
    if victim is not None and (victim == seat or victim not in view.victims):
        return [_doomed("TD-6", f"{victim} is nobody from whom you can take", "from")]
    return []


def _doomed(rule: str, message: str, key: str) -> Finding:
    return Finding(grade=Grade.DOOMED, rule=rule, message=message, path=(key,), entry=(key,))
