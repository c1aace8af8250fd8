"""Play a seat's orders in positions that it imagines, and weigh what may fail in them.

Nothing of the true position counts but what the seat can see, and the dice are others than the
game's: whoever changes everything hidden gets the same outcomes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice, derive_dice_key
from adjudicator.core.document import Document, Seat, digest, encode
from adjudicator.core.events import CHOICE_FIRST, NEGATED, STRUCK, Event
from adjudicator.core.finding import Finding, Grade, Path, make_finding
from adjudicator.desk.model.context import Context

WORLDS = 200
"""How many positions are imagined."""


def play_imagined(
    context: Context, seat: Seat, orders: Mapping[Seat, Document]
) -> Iterator[tuple[Any, Sequence[Event]]]:
    """Play these orders in imagined positions; each outcome with its events."""
    rules, view = context.kind.rules, context.view(seat)
    seed = bytes.fromhex(digest(encode([context.id, context.open_step().name, seat, orders])))
    key = derive_dice_key(seed)
    due_orders = {one: own for one, own in orders.items() if one in context.due}
    for number in range(WORLDS):
        dice = Dice(key, f"imagined {number}")
        yield rules.resolve(rules.imagine(view, seat, dice), due_orders, dice)


def weigh_doubts(
    context: Context, seat: Seat, orders: Document, findings: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Give the odds of doubtful orders that hang on hidden things.

    Nobody else orders anything there. What hangs on nothing else and never fails is not doubtful;
    what the check called fine, and fails in some of them, is.
    """
    if all(one.hangs_on == "others" for one in findings):
        return tuple(findings)
    failed: Counter[Path] = Counter()
    reasons: dict[Path, Event] = {}
    unsure: set[Path] = set()
    for _, events in play_imagined(context, seat, {seat: orders}):
        own = dict(_list_failures(events, seat))
        failed.update(own.keys())
        unsure.update(path for path, one in own.items() if one.data["why"] == CHOICE_FIRST)
        reasons |= {path: one for path, one in own.items() if one.kind == NEGATED}
    for path in {one.path for one in findings} & reasons.keys():
        del reasons[path]
    more = (_make_doubt(path, one) for path, one in reasons.items())
    weighed = (
        one if one.path in unsure else _weigh(one, failed[one.path]) for one in (*findings, *more)
    )
    return tuple(one for one in weighed if one is not None)


def _list_failures(events: Iterable[Event], seat: Seat) -> Iterator[tuple[Path, Event]]:
    for event in events:
        if event.kind in (NEGATED, STRUCK) and event.data["seat"] == seat:
            yield tuple(event.data["path"]), event


def _make_doubt(path: Path, event: Event) -> Finding:
    why = f"May fail: {event.data['why']}"
    return make_finding(Grade.DOUBTFUL, event.rule, why, path, hangs_on="both")


def _weigh(finding: Finding, times: int) -> Finding | None:
    if finding.hangs_on == "hidden" and not times:
        return None
    if finding.hangs_on == "others" or (finding.hangs_on == "both" and times in (0, WORLDS)):
        return finding
    return replace(finding, odds=min(max(round(100 * times / WORLDS), 1), 99))
