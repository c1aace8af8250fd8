"""Games to be shown: those that are shipped, and small ones that are played for a test."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest

from adjudicator.adapters.archive.stored_game import Dossier, collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.build import BuiltGame, KeptSite, build_game
from adjudicator.adapters.site.exhibit import make_exhibit
from adjudicator.adapters.site.front import render_front
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import digest, encode
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OrderSet, Player, Press
from tests.at_the_desk import close_step
from tests.played import list_records, play_again

ROOT = Path(__file__).resolve().parents[3]
AT = datetime(2026, 11, 2, 20, tzinfo=UTC)
GAME = "tiny"
PEOPLE = {"red": "Ada", "blue": "Bo", "green": "Cleo"}
LUCK = {"red": "quincunx", "green": "zwieback"}
SECRET_PRESS = "sesquipedalian"
OPEN_PRESS = "Hello <b>everybody</b> & good luck"


class Shop:
    """Builds pages, in memory."""

    def __init__(self, library: FolderLibrary) -> None:
        self.library = library
        self.folders = tuple(library.templates())
        self.printer = Printer(self.folders)

    def built(
        self,
        dossier: Dossier,
        seat: str | None = None,
        kept: KeptSite | None = None,
        facts: str = "",
        url: str = "",
    ) -> BuiltGame:
        kind = self.library.kind(dossier.record.game.kind)
        shown = make_exhibit(dossier, kind, kind.game, seat=seat)
        return build_game(self.printer, self.folders, kind, shown, kept, url, facts)

    def of(self, store: SqlStore, seat: str | None = None) -> BuiltGame:
        with store.reading() as books:
            return self.built(collect_dossier(books, GAME), seat)


def turn_pages(files: Mapping[str, bytes], folder: str = "turn") -> str:
    """The pages of all turns, one after the other; those of a seat in its folder."""
    names = sorted(files, key=lambda name: (len(name), name))
    return "".join(files[one].decode() for one in names if re.fullmatch(rf"{folder}/\d+.html", one))


def told_of(files: Mapping[str, bytes]) -> str:
    """All that everybody reads of a game: its turns, and what its own page has beside the last."""
    return turn_pages(files) + files["index.html"].decode().rpartition("</article>")[2]


@pytest.fixture
def shop(toy_library: FolderLibrary) -> Shop:
    return Shop(toy_library)


OF_EACH_KIND = ("three-square", "three-second", "three-2010", "three")
"""A game of each kind that is soon shown."""
LARGEST = "eight-hex"


@pytest.fixture(
    scope="session",
    params=[(), pytest.param((LARGEST,), marks=pytest.mark.soak)],
    ids=["", "largest"],
)
def shipped(request: pytest.FixtureRequest) -> Mapping[str, BuiltGame]:
    """The pages of one game of each kind, by folder of the site; and in `make soak` of the game
    with most of everything, which takes as long as all others.
    """
    return {one.folder: one for one in map(_built, (*OF_EACH_KIND, *request.param))}


@cache
def _built(name: str) -> BuiltGame:
    shop = Shop(FolderLibrary())
    (folder,) = (one for one in list_records() if one.name == name)
    return shop.built(play_again(folder))


@pytest.fixture(scope="session")
def pages(shipped: Mapping[str, BuiltGame]) -> Mapping[str, bytes]:
    """Every file of a site with the shipped games, by path."""
    files: dict[str, bytes] = {}
    for folder, built in shipped.items():
        files |= {f"{folder}/{path}": content for path, content in built.files.items()}
        files[str(PurePosixPath(folder).parent / "rules.html")] = built.rules
    sheets = [built.sheet for built in shipped.values()]
    return files | render_front(Shop(FolderLibrary()).printer, sheets)


def parsed(page: bytes) -> Element:
    """The page as a tree; every fault in it is an error."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False, strict=True)
    tree: Element = parser.parse(page.decode())
    return tree


@pytest.fixture(scope="session")
def trees(pages: Mapping[str, bytes]) -> Mapping[str, Element]:
    """The pages, read by the book."""
    return {path: parsed(page) for path, page in pages.items() if path.endswith(".html")}


Play = Callable[..., SqlStore]


@pytest.fixture
def play(tmp_path: Path, toy_library: FolderLibrary) -> Iterator[Play]:
    """Plays a game of three people so many steps by what the bots would do."""
    with ExitStack() as stack:

        def played(kind: str, steps: int, **settings: Any) -> SqlStore:
            store = stack.enter_context(open_store(tmp_path / f"{kind}.db"))
            with store.writing() as books:
                make(books, toy_library, kind, **settings)
                go_on(books, toy_library, steps)
            return store

        yield played


def make(books: Books, library: FolderLibrary, kind: str, **settings: Any) -> None:
    """A game of three people who wrote to each other; one that can be short is."""
    for name in PEOPLE.values():
        books.save(Player(name=name, addresses=(f"{name.lower()}@mailhost.example",)))
    create_game(
        books,
        library,
        game=GAME,
        kind=kind,
        seats=PEOPLE,
        options={"turn_limit": 5} if kind == "jump-wars" else {},
        settings={"pace": "72h", **settings},
        seed=seed_from_number(7),
        luck=LUCK,
        verifiable=True,
        components=None,
        start=True,
        at=AT,
    )
    step = books.game(GAME).open_step
    for number, (to, text) in enumerate([((), OPEN_PRESS), (("green",), SECRET_PRESS)], 1):
        books.save(
            Press(
                game=GAME, number=number, at=AT, step=step, seat="red", seating=1, to=to, text=text
            )
        )


def go_on(books: Books, library: FolderLibrary, steps: int) -> None:
    """Close so many steps, each with the bots' orders; to the end if there are fewer."""
    for _ in range(steps):
        game = books.game(GAME)
        if game.open_step is None:
            return
        at = books.step(GAME, game.open_step).opened + timedelta(hours=1)
        order(books, library, at)
        close_step(books, library, GAME, at=at, now=True)


def order(books: Books, library: FolderLibrary, at: datetime) -> None:
    """What a bot would do, on file for whoever owes something."""
    context = Context(books, library, GAME)
    step = context.open_step()
    state, rules = context.before(step), context.kind.rules
    dice = Dice(derive_dice_key(seed_from_number(1)), step.dice)
    for seat in context.due_in(state):
        content = encode(rules.bot(rules.view(state, seat), seat, dice))
        books.save(
            OrderSet(
                game=GAME,
                step=step.number,
                seat=seat,
                number=step.number + 1,
                orders=content,
                digest=digest(content),
                arrived=at,
                by="player",
            )
        )
