"""A desk for tests: a store in a file, the toy game, and short words for the acts."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, OutgoingLetter, Player, Seating, Step
from adjudicator.desk.steps import close as closing
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.lock import lock_game
from tests.at_the_desk import submit

if TYPE_CHECKING:
    from tests.desk.post import Post

AT = datetime(2026, 11, 2, 20, 0, tzinfo=UTC)
GAME = "tiny"
T = TypeVar("T")


class Desk:
    """Everything that a test does at the desk; each act is a transaction of its own."""

    def __init__(self, store: SqlStore, library: FolderLibrary) -> None:
        self.store = store
        self.library = library
        self.at = AT
        self.made: tuple[OutgoingLetter, ...] = ()
        """The letters that the last act has queued."""

    def new(self, **changes: Any) -> Game:
        wishes: dict[str, Any] = {
            "game": GAME,
            "kind": "toy-duel",
            "seats": {"red": "Ada", "blue": "Bo", "green": "Cleo"},
            "options": {},
            "settings": {},
            "seed": seed_from_number(1),
            "luck": {"red": "owls at noon"},
            "verifiable": True,
            "components": None,
            "start": True,
            **changes,
        }
        with self.store.writing() as books:
            for name in wishes["settings"].get("substitutes", ()):
                if "@" not in name and books.player(name) is None:
                    books.save(Player(name=name))
            return create_game(books, self.library, at=self.at, **wishes)

    def act(self, function: Callable[..., T], *given: Any, **named: Any) -> T:
        """One act of the GM's, on the game, now."""
        with self.store.writing() as books:
            if "context" in signature(function).parameters:
                context = lock_game(books, self.library, GAME, at=self.at)
                outcome = function(context, *given, **named)
            else:
                outcome = function(books, self.library, GAME, *given, at=self.at, **named)
            self.made = tuple(one for one in books.new_letters.values() if one.status == "queued")
            return outcome

    def see(self, function: Callable[[Books], T]) -> T:
        """A look into the books."""
        with self.store.reading() as books:
            return function(books)

    def send(self, seat: str, text: str, by: str = "player") -> Mapping[str, Any]:
        """A letter of a seat; its receipt."""
        block = try_parse_yaml(text)
        with self.store.writing() as books:
            return submit(books, self.library, GAME, seat, block, by=by, at=self.at, source=text)

    def play(self, *, seats: tuple[str, ...] = ("red", "blue", "green")) -> None:
        """Every seat sends its weakest card, if it owes one."""
        for seat in seats:
            hand = self.state()["hands"][seat]
            if hand and self.step().phase == "pick":
                self.send(seat, f"play: {hand[0]}")

    def close(self, *, now: bool = True, step: str | None = None) -> StepClosing:
        return self.act(closing.close_step, now=now, step=step)

    def later(self, **length: int) -> None:
        self.at += timedelta(**length)

    def game(self) -> Game:
        return self.see(lambda books: books.game(GAME))

    def step(self) -> Step:
        number = self.game().open_step
        assert number is not None, "no step is open"
        return self.see(lambda books: books.step(GAME, number))

    def state(self) -> dict[str, Any]:
        """The position in which orders are owed."""
        before = self.step().predecessor
        assert before is not None
        state: dict[str, Any] = decode(
            self.see(lambda books: books.step(GAME, before)).state or b""
        )
        return state

    def letters(self, kind: str | None = None, seat: str | None = None) -> list[OutgoingLetter]:
        return [
            letter
            for letter in self.see(lambda books: books.letters(GAME))
            if kind in (None, letter.kind) and seat in (None, letter.seat)
        ]

    def told(self, seat: str | None = None) -> list[dict[str, Any]]:
        """What notices say, also those that stand in another letter, each with its reader."""
        found = []
        for one in self.letters(seat=seat):
            document = decode(one.document)
            own = [document] if one.kind == "notice" else []
            parts = [*own, *document.get("notices", ())]
            found += [{**part, "reader": one.seat, "form": document["form"]} for part in parts]
        return found

    def seating(self, seat: str) -> Seating:
        return [s for s in self.see(lambda books: books.seatings(GAME)) if s.seat == seat][-1]


@pytest.fixture
def desk(tmp_path: Path, toy_library: FolderLibrary) -> Iterator[Desk]:
    with open_store(tmp_path / "adjudicator.db") as store:
        yield Desk(store, toy_library)


@pytest.fixture
def post(desk: Desk) -> "Post":
    """A running game with its post office."""
    from tests.desk.post import Post

    made = Post(desk)
    made.new()
    return made
