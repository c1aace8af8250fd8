"""The steps that count, each behind the one it came from.

Their numbers do not tell their order: after a ruling the open step goes on behind a higher one.
"""

from collections.abc import Iterable

from adjudicator.desk.values import Step


def line(steps: Iterable[Step]) -> list[Step]:
    """The steps that count, the last one first; none before the game has begun."""
    counting = {step.number: step for step in steps if not step.void}
    followed = {step.predecessor for step in counting.values()}
    step = next((step for step in counting.values() if step.number not in followed), None)
    found = []
    while step is not None:
        found.append(step)
        step = None if step.predecessor is None else counting[step.predecessor]
    return found
