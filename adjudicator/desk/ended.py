"""How a game came to its end: played, withdrawn by its GM, or given up before it began."""

from adjudicator.desk.ports import Books
from adjudicator.desk.values import Status

BACK = "back"
"""In the data of a note: the act was taken back."""
REOPENED = "reopened"
"""In the data of a note: since then the game is open again, and waits as long as a new one."""


def begun(books: Books, game: str) -> bool:
    """Whether the game has been dealt, in a start that still counts."""
    return any(not step.void for step in books.steps(game))


def never_begun(books: Books, game: str) -> bool:
    """Whether it is over without having been played: its seed is still secret."""
    return books.game(game).status is Status.OVER and not begun(books, game)


def how_over(books: Books, game: str) -> str:
    """What became of a game that is over, to be read behind its name."""
    if begun(books, game):
        return "is over"
    acts = [note.act for note in books.notes(game) if note.act in ("announce", "expire")]
    if acts[-1:] == ["expire"]:
        return "was given up before it began"
    return "was withdrawn by its GM before it began"
