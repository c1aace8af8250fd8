"""Where a game stands: its steps and turns, those that count, and how it began or ended.

Their numbers do not tell their order: after a ruling the open step goes on behind a higher one.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import asdict

from adjudicator.core.names import fold, suggest
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status, Step


def list_counting_steps(steps: Iterable[Step]) -> list[Step]:
    """List the steps that count, the last one first; none before the game has begun."""
    counting = {step.number: step for step in steps if not step.void}
    followed = {step.predecessor for step in counting.values()}
    step = next((step for step in counting.values() if step.number not in followed), None)
    lineage = []
    while step is not None:
        lineage.append(step)
        step = None if step.predecessor is None else counting[step.predecessor]
    return lineage


BACK = "back"
"""In the data of a note: the act was taken back."""
REOPENED = "reopened"
"""In the data of a note: the game was opened again, and waits as long as a new one."""


def has_begun(books: Books, game: str) -> bool:
    """Whether the game has been dealt, in a start that still counts."""
    return any(not step.void for step in books.steps(game))


def was_never_begun(books: Books, game: str) -> bool:
    """Whether the game ended without being played: its seed is still secret."""
    return books.game(game).status is Status.OVER and not has_begun(books, game)


def describe_end(books: Books, game: str) -> str:
    """Describe what became of a game that is over, to be read behind its name."""
    if has_begun(books, game):
        return "is over"
    acts = [note.act for note in books.notes(game) if note.act in ("announce", "expire")]
    if acts[-1:] == ["expire"]:
        return "was cancelled before it began"
    return "was withdrawn by its GM before it began"


_TURN = re.compile(r"(?i:(turn|round)\s*)?0*(\d{1,9})(?:\s*\.\s*([\w-]+))?")


class _TurnCount(Struct, frozen=True, kw_only=True):
    """The keys under which state documents count their turns; other keys are ignored."""

    turn: Any = None
    round: Any = None


_COUNTS = Decoder(_TurnCount)


def read_turn(before: Step | None) -> str | None:
    """Read the turn of a step behind this one, `turn 5` or `round 5`; None for the setup."""
    with suppress(ValueError):  # loading a damaged state reports it
        count = _COUNTS.decode((before and before.state) or b"{}")
        for name, number in asdict(count).items():
            if number is not None:
                return f"{name} {number}"
    return None


def find_turn(books: Books, step: Step) -> str | None:
    """Find the turn that a step belongs to."""
    before = step.predecessor
    return read_turn(None if before is None else books.step(step.game, before))


def find_step(
    books: Books, game: str, name: str, *, prefer: Literal["closed", "first", "open"] = "closed"
) -> Step:
    """Find a step by 12-jump, 12, `turn 5`, or 5.jump for the jump step of turn 5.

    Of several steps of a turn it is the last closed one, or the turn's first, or its last.
    """
    steps = books.steps(game)
    bare_name = name.strip().lstrip("0") or "0"
    for step in steps:
        if step.name in (name, bare_name) or str(step.number) == bare_name:
            return step
    own = _steps_of_turn(books, steps, name)
    if own:
        past = [step for step in own if step.closed]
        return own[0] if prefer == "first" else ((prefer == "closed" and past) or own)[-1]
    names = [step.name for step in steps]
    suggestion = suggest(name, names)
    hint = (
        f'Did you mean "{suggestion}"?'
        if suggestion
        else f"The last ones are {', '.join(names[-4:])}."
    )
    raise Unknown(f'{game} has no step "{name}". {hint if names else "It has none yet."}')


def _steps_of_turn(books: Books, steps: Iterable[Step], name: str) -> list[Step]:
    """List the steps that `turn 5` or `5.jump` may mean; undone ones only if no others are left."""
    match = _TURN.fullmatch(name.strip())
    if not match or not (match[1] or match[3]):
        return []
    candidates = [
        step
        for step in steps
        if (turn := find_turn(books, step)) is not None
        and turn.partition(" ")[2] == match[2]
        and (match[3] is None or fold(step.phase).startswith(fold(match[3])))
    ]
    return [step for step in candidates if not step.void] or candidates
