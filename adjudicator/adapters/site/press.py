"""Press for everybody that no report on the page tells: of struck steps, and later."""

from collections.abc import Iterable, Iterator, Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.desk.model.values import Press, Step
from adjudicator.desk.steps.press import ANONYMOUS, EVERYBODY, masked_name, shown_to


def find_press_between(
    press: Iterable[Press], steps: Sequence[Step], after: int, before: int
) -> tuple[Document, ...]:
    """Press that only reports of undone steps between these numbers showed."""
    struck = {step.number for step in steps if step.void and after < step.number < before}
    return tuple(
        _show_to_all(one)
        for one in press
        if not one.to and (teller := _find_teller(one, steps)) is not None and teller in struck
    )


def find_press_since(press: Iterable[Press], steps: Sequence[Step]) -> tuple[Document, ...]:
    """Press written after the last step that counts, or shown only by an undone step after it."""
    counting = (step.number for step in _list_reported(steps) if not step.void)
    last = max(counting, default=None)
    if last is None:  # who is there before the start is nobody's business yet
        return ()
    return tuple(
        _show_to_all(one)
        for one in press
        if not one.to and ((teller := _find_teller(one, steps)) is None or teller > last)
    )


def find_public_press(messages: Iterable[Document], seat: Seat) -> list[Document]:
    """What of a seat's press all may read at the end; who wrote without a name stays unnamed."""
    hidden = masked_name(seat)
    return [
        {**one, "from": ANONYMOUS if one["from"] == hidden else one["from"]}
        for one in messages
        if one["to"] == EVERYBODY
    ]


def _find_teller(message: Press, steps: Iterable[Step]) -> int | None:
    """The first step that was reported from the one on in which this was written."""
    reported = (step.number for step in _list_reported(steps))
    return min((number for number in reported if number >= (message.step or 0)), default=None)


def _list_reported(steps: Iterable[Step]) -> Iterator[Step]:
    return (step for step in steps if step.closed is not None and step.phase != "ruling")


def _show_to_all(message: Press) -> Document:
    """As the public may know it; a public archive does not say who hid."""
    return shown_to(message, None) | ({"from": ANONYMOUS} if message.anonymous else {})
