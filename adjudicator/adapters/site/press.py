"""Public press that no report on the page contains: of undone steps, and later."""

from collections.abc import Iterable, Iterator, Sequence

from adjudicator.core.document import Document
from adjudicator.desk.model.values import Press, Step
from adjudicator.desk.steps.press import show_message


def find_press_between(
    press: Iterable[Press], steps: Sequence[Step], after: int, before: int | None
) -> tuple[Document, ...]:
    """Find press that only reports of undone steps between these numbers showed.

    Without an end, press that no report showed is included.
    """
    by_number = {step.number: step for step in _list_reported(steps)}
    documents: list[Document] = []
    for one in press:
        # the first step reported after this was written
        teller = min((number for number in by_number if number >= (one.step or 0)), default=None)
        if teller is None:
            is_ours = before is None
        else:
            is_between = after < teller and (before is None or teller < before)
            is_ours = is_between and by_number[teller].void
        if is_ours:
            documents.append(show_message(one, None))
    return tuple(documents)


def find_press_since(press: Iterable[Press], steps: Sequence[Step]) -> tuple[Document, ...]:
    """Find press written after the last valid step, or shown only by an undone step after it."""
    last = max((step.number for step in _list_reported(steps) if not step.void), default=None)
    if last is None:  # who has joined is secret until the start
        return ()
    return find_press_between(press, steps, last, None)


def _list_reported(steps: Iterable[Step]) -> Iterator[Step]:
    return (step for step in steps if step.closed is not None and step.phase != "ruling")
