"""A real game in the books, closed by the desk itself, to be broken or killed as it is."""

from datetime import UTC, datetime

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import Document, decode
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.at_the_desk import close_step

KIND = "jump-wars"
GAME = "ember1"
"""The first."""
LIBRARY = FolderLibrary()
AT = datetime(2026, 11, 2, 20, 0, tzinfo=UTC)


def begin(books: Books) -> None:
    """One more game: somebody who never writes, and two bots."""
    number = len(books.games()) + 1
    create_game(
        books,
        LIBRARY,
        game=f"ember{number}",
        kind=KIND,
        seats={"red": "Ada", "blue": "bot", "green": "bot"},
        options={"turn_limit": 8},
        settings={"pace": "72h", "nmr_limit": 99},
        seed=seed_from_number(number),
        luck={},
        verifiable=True,
        components=None,
        start=True,
        at=AT,
    )


def go_on(books: Books) -> None:
    """Close the step that is open, or begin another game when all are over."""
    running = [one.id for one in books.games() if one.status is Status.RUNNING]
    if running:
        close_step(books, LIBRARY, running[0], at=AT, now=True)
    else:
        begin(books)


def told_in(report: Document) -> list[str]:
    """The steps of which a report tells: those that its reader was not told of yet, too."""
    return [*(one["step"] for one in report.get("since", ())), report["step"]]


def verified(store: SqlStore) -> int:
    """How many steps are closed; all of them whole, once, and as they are when played again."""
    kind, count = LIBRARY.kind(KIND), 0
    with store.reading() as books:
        for game in books.games():
            record = read_record(books, game.id)
            assert [*check_chain(record), *replay_game(record, kind)] == []
            steps = [step for step in record.steps if step.closed]
            assert len(record.links) == len(steps)
            closings = [one.data["step"] for one in books.notes(game.id) if one.act == "close"]
            assert closings == [step.name for step in steps[1:]]
            reports = [one for one in books.letters(game.id) if one.kind == "report"]
            assert [one.number for one in reports] == list(range(1, len(reports) + 1))
            told = [name for one in reports for name in told_in(decode(one.document))]
            assert told == [step.name for step in steps][: len(told)]  # each once, some later
            count += len(steps)
    return count
