"""Describe to the GM how a game's steps would come out under changed rules.

The GM may be playing, so values are shown only where everybody may know them.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from adjudicator.core.document import decode, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.finding import format_path
from adjudicator.core.scenario.comparison import list_changed_parts
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import Step
from adjudicator.desk.outbox.report import decode_events
from adjudicator.desk.steps.record import read_record
from adjudicator.desk.steps.replay import Recomputed, Replay

_LONGEST = 60
_HIDDEN = "{}: something hidden would be different"


def describe_changes(context: Context) -> Iterator[str]:
    """Describe the differences, a line each, from the first step on; none if a replay matches."""
    record, kind = read_record(context.books, context.id), context.kind
    replay = Replay(record, kind)
    for step in record.steps:
        if step.state is None or step.number < record.since:
            continue
        label = f"{context.label(step)} ({step.name})"
        try:
            again = replay.recompute(step)
            sentences = list(_compare_step(kind, step, again))
        except Exception as wrong:  # the new rules may not know the old ones' documents
            yield f"{label}: it cannot be adjudicated again ({type(wrong).__name__})"
            continue
        yield from (f"{label}: {words}" for words in sentences)
        if not sentences and encode(kind.rules.dump(again.state)) != step.state:
            yield _HIDDEN.format(label)


def _compare_step(kind: Kind, step: Step, again: Recomputed) -> Iterator[str]:
    """Compare what everybody would have seen in a step."""
    was = kind.rules.load(decode(step.state or b"null"))
    views = [_make_plain(kind.rules.view(state, None)) for state in (was, again.state)]
    for path, before, after in list_changed_parts(*views):
        place = format_path(path) or "the position"
        yield f"{place} was {_show(before)} and would be {_show(after)}"
    events = (list_visible(decode_events([step]), None), list_visible(again.events, None))
    pairs = enumerate(zip_longest(*events), 1)
    number, (old, now) = next(
        ((number, pair) for number, pair in pairs if pair[0] != pair[1]), (0, (None, None))
    )
    if number:
        yield f"event {number} was {_name(old)} and would be {_name(now)}"


def _make_plain(view: Any) -> Any:
    return decode(encode(view))


def _show(value: Any) -> str:
    if value is None:
        return "nothing"
    words = value if isinstance(value, str) else encode(value).decode()
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"


def _name(event: Event | None) -> str:
    if event is None:
        return "none"
    facts = _show({name: fact for name, fact in event.data.items() if fact is not None})
    return f"{event.kind} [{event.rule}] {facts}"
