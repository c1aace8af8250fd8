"""A game at hand: its row locked, its rules the ones it began with."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from adjudicator.core.dice import Dice, key_of
from adjudicator.core.document import Impossible, Seat
from adjudicator.core.game import Due, Over
from adjudicator.desk.ended import how_over, never_begun
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.ports import Books, Kind, Library
from adjudicator.desk.replay import pinned
from adjudicator.desk.report import names
from adjudicator.desk.settings import Settings, settings_of
from adjudicator.desk.values import Game, Status, Step

RUNNING = (Status.RUNNING,)
STARTED = (Status.RUNNING, Status.PAUSED)
_WAY_OUT = {
    Status.OPEN: "it has not been started: start it first",
    Status.RUNNING: "it is running already",
    Status.PAUSED: "it is paused: resume it first",
    Status.OVER: "it is over: only a rollback opens it again",
}


@dataclass(frozen=True)
class Case:
    """The books, the game and its kind, as every act needs them."""

    books: Books
    game: Game
    kind: Kind
    settings: Settings

    @property
    def names(self) -> dict[str, str]:
        """How every document names the game."""
        return names(self.game, self.kind)

    def now(self, **changes: Any) -> "Case":
        """The case with its game changed, and the change written down."""
        game = msgspec.structs.replace(self.game, **changes)
        self.books.save_game(game)
        return self.of(game)

    def of(self, game: Game) -> "Case":
        """The case with its game as it is now."""
        return Case(self.books, game, self.kind, self.settings)

    def dice(self, step: str) -> Dice:
        """The dice of a step of this name."""
        return Dice(key_of(self.game.seed, self.game.luck), step)

    def open_step(self) -> Step:
        """The step in which orders are owed."""
        if self.game.open_step is None:
            raise Refused(f"{self.game.id}: no step is open; {_way_out(self)}")
        return self.books.step(self.game.id, self.game.open_step)

    def before(self, step: Step) -> Any:
        """The state in which a step opens."""
        if step.predecessor is None:
            raise Refused(f"{self.game.id}: {step.name} has nothing before it")
        return self.after(self.books.step(self.game.id, step.predecessor))

    def after(self, step: Step) -> Any:
        """The state after a closed step."""
        if step.state is None:
            raise Refused(f"{self.game.id}: {step.name} is still open and has no state yet")
        try:
            return self.kind.state(step.state)
        except (Impossible, ValueError, RecursionError) as wrong:
            game = self.game.id
            place = f" at {wrong.path}" if isinstance(wrong, Impossible) else ""  # no secrets
            raise Refused(
                f"{game}: the state that is kept of {step.name} is damaged{place}; put back a copy "
                f"of the database, or import an archive (`adjudicator verify {game}` tells more)"
            ) from wrong

    def due(self, state: Any) -> dict[Seat, Due]:
        """Who owes what in a state, in seat order; nobody when the game is over in it."""
        owed = self.kind.rules.due(state)
        if isinstance(owed, Over):
            return {}
        return {seat: owed[seat] for seat in self.game.seats if seat in owed}

    def seat(self, seat: str) -> Seat:
        """The seat of this name."""
        if seat not in self.game.seats:
            seats = ", ".join(self.game.seats)
            raise Unknown(f'{self.game.id} has no seat "{seat}"; its seats are {seats}')
        return seat


def step_named(books: Books, game: str, name: str) -> Step:
    """The step of this name or number."""
    steps = books.steps(game)
    for step in steps:
        if name in (step.name, str(step.number)):
            return step
    known = ", ".join(step.name for step in steps) or "none yet"
    raise Unknown(f'{game} has no step "{name}"; its steps are {known}')


def look(books: Books, library: Library, game: str) -> Case:
    """The game for reading only: nothing is locked, rules may have changed."""
    return _case(books, library, books.game(game))


def take(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    status: tuple[Status, ...] = STARTED,
) -> Case:
    """The game for an act that changes it; refuses when it does not stand where it must."""
    case = _case(books, library, books.locked(game))
    if case.game.status not in status:
        raise Refused(f"{game}: {_way_out(case)}")
    return _case(books, library, pinned(books, case.game, case.kind, at=at))


def _way_out(case: Case) -> str:
    if never_begun(case.books, case.game.id):
        return f"it {how_over(case.books, case.game.id)}; announce it to open it again"
    return _WAY_OUT[case.game.status]


def _case(books: Books, library: Library, game: Game) -> Case:
    kind = library.kind(game.kind, game.components)
    return Case(books, game, kind, settings_of(game.settings))
