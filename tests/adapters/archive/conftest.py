"""Games of Toy Duel with everything in them that an archive must keep."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode, digest, encode
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OrderSet, Player, Status
from adjudicator.desk.steps.lock import lock_game
from tests.at_the_desk import close_step

AT = datetime(2026, 11, 2, 20, 0, 0, 123456, tzinfo=UTC)
GAME = "tiny"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], SqlStore]]:
    """Opens stores in the test's folder."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(open_store(tmp_path / name))


@pytest.fixture
def texts(toy_library: FolderLibrary) -> Texts:
    """What renders the reports."""
    folders = [find_data_folder("templates")]
    return Texts(Printer(folders), toy_library.kind("toy-duel"))


def make(books: Books, library: FolderLibrary) -> None:
    """A game with two people and a bot."""
    books.save(Player(name="Ada", zone="Europe/Berlin", addresses=("ada@example.org",)))
    books.save(Player(name="Bo", preferences={"form": "short", "answer": "yes"}))
    create_game(
        books,
        library,
        game=GAME,
        kind="toy-duel",
        seats={"red": "Ada", "blue": "Bo", "green": "bot"},
        options={"rounds": 4},
        settings={"pace": "72h"},
        seed=seed_from_number(7),
        luck={"red": "owls: at 10", "green": "Glück 🍀\nzwei"},
        verifiable=True,
        components=None,
        start=True,
        at=AT,
    )


def send(books: Books, at: datetime) -> None:
    """A set on file for everybody who may write one now."""
    step = books.step(GAME, books.game(GAME).open_step or 0)
    hands = decode(books.step(GAME, step.predecessor or 0).state or b"")["hands"]
    for seat in ("red", "blue"):
        card = hands[seat][-1] if hands[seat] else "owl"
        content = encode({"play": card} if step.phase == "pick" else {"from": "green"})
        books.save(
            OrderSet(
                game=GAME,
                step=step.number,
                seat=seat,
                number=step.number + 10,
                orders=content,
                digest=digest(content),
                arrived=at,
                by="player",
            )
        )


def play(books: Books, library: FolderLibrary, steps: int, at: datetime = AT) -> None:
    """So many steps, or to the end."""
    for number in range(steps):
        if books.game(GAME).status is Status.OVER:
            return
        at += timedelta(hours=1)
        if number % 3 != 2:
            send(books, at)
        close_step(books, library, GAME, at=at, now=True)


def play_with_rulings(books: Books, library: FolderLibrary) -> None:
    """A whole game in which the GM ruled once and went back once."""
    make(books, library)
    play(books, library, 2)
    context = lock_game(books, library, GAME, at=AT)
    document = {**open_position(context), "scores": {"red": 3, "blue": 1, "green": 0}}
    edit_position(context, document, reason="a card was read wrongly")
    play(books, library, 2)
    last = [step for step in books.steps(GAME) if step.closed and not step.void][-1]
    roll_back(lock_game(books, library, GAME, at=AT), last.name, same_dice=False)
    play(books, library, 20)


def play_to_the_third_step(books: Books, library: FolderLibrary) -> None:
    """A game in its third step, with orders on file."""
    make(books, library)
    play(books, library, 3)
    send(books, AT)


@pytest.fixture
def finished(
    opened: Callable[[str], SqlStore], toy_library: FolderLibrary, tmp_path: Path
) -> SqlStore:
    """A game that is over."""
    (tmp_path / "finished.db").write_bytes(_played(play_with_rulings, toy_library))
    return opened("finished.db")


@pytest.fixture
def running(
    opened: Callable[[str], SqlStore], toy_library: FolderLibrary, tmp_path: Path
) -> SqlStore:
    """A game in its third step, with orders on file."""
    (tmp_path / "running.db").write_bytes(_played(play_to_the_third_step, toy_library))
    return opened("running.db")


@cache
def _played(play: Callable[[Books, FolderLibrary], None], library: FolderLibrary) -> bytes:
    """The store of a game that is played once; tests have copies of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "played.db"
        with open_store(path) as store, store.writing() as books:
            play(books, library)
        return path.read_bytes()


def packed(store: SqlStore, texts: Texts, *, public: bool = False) -> Files:
    """The archive of the game in a store."""
    with store.reading() as books:
        return pack_archive(collect_dossier(books, GAME), texts, public=public)


_ARCHIVE: Files = {}


@pytest.fixture
def files(finished: SqlStore, texts: Texts) -> Files:
    """The full archive of the game that is over, which is packed once."""
    if not _ARCHIVE:
        _ARCHIVE.update(packed(finished, texts))
    return dict(_ARCHIVE)
