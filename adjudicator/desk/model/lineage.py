"""Where a game stands: the steps that count, and how it began or ended.

Their numbers do not tell their order: after a ruling the open step goes on behind a higher one.
"""

from collections.abc import Iterable

from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status, Step


def counting_steps(steps: Iterable[Step]) -> list[Step]:
    """The steps that count, the last one first; none before the game has begun."""
    counting = {step.number: step for step in steps if not step.void}
    followed = {step.predecessor for step in counting.values()}
    step = next((step for step in counting.values() if step.number not in followed), None)
    found = []
    while step is not None:
        found.append(step)
        step = None if step.predecessor is None else counting[step.predecessor]
    return found


BACK = "back"
"""In the data of a note: the act was taken back."""
REOPENED = "reopened"
"""In the data of a note: since then the game is open again, and waits as long as a new one."""


def has_begun(books: Books, game: str) -> bool:
    """Whether the game has been dealt, in a start that still counts."""
    return any(not step.void for step in books.steps(game))


def was_never_begun(books: Books, game: str) -> bool:
    """Whether it is over without having been played: its seed is still secret."""
    return books.game(game).status is Status.OVER and not has_begun(books, game)


def describe_end(books: Books, game: str) -> str:
    """What became of a game that is over, to be read behind its name."""
    if has_begun(books, game):
        return "is over"
    acts = [note.act for note in books.notes(game) if note.act in ("announce", "expire")]
    if acts[-1:] == ["expire"]:
        return "was given up before it began"
    return "was withdrawn by its GM before it began"
