"""The game at hand inside a transaction, and who makes a request in it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.core.dice import Dice, derive_dice_key
from adjudicator.core.document import Impossible, Seat
from adjudicator.core.game import Due, Over
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.lineage import counting_steps, describe_end, was_never_begun
from adjudicator.desk.model.ports import Books, Kind, Library
from adjudicator.desk.model.settings import Settings, settings_of
from adjudicator.desk.model.values import Game, Seating, Status, Step

RUNNING = (Status.RUNNING,)
STARTED = (Status.RUNNING, Status.PAUSED)
_WAY_OUT = {
    Status.OPEN: "it has not been started: start it first",
    Status.RUNNING: "it is running already",
    Status.PAUSED: "it is paused: resume it first",
    Status.OVER: "it is over: only a rollback opens it again",
}


@dataclass(frozen=True)
class Context:
    """The books, the game and its kind, as every act needs them."""

    books: Books
    game: Game
    kind: Kind
    settings: Settings

    @property
    def names(self) -> dict[str, str]:
        """How every document names the game."""
        return game_names(self.game, self.kind)

    def now(self, **changes: Any) -> "Context":
        """The case with its game changed, and the change written down."""
        game = msgspec.structs.replace(self.game, **changes)
        self.books.save_game(game)
        return self.of(game)

    def of(self, game: Game) -> "Context":
        """The case with its game as it is now."""
        return Context(self.books, game, self.kind, self.settings)

    def dice(self, step: str) -> Dice:
        """The dice of a step of this name."""
        return Dice(derive_dice_key(self.game.seed, self.game.luck), step)

    def open_step(self) -> Step:
        """The step in which orders are owed."""
        if self.game.open_step is None:
            raise Refused(f"{self.game.id}: no step is open; {status_advice(self)}")
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


def find_step(books: Books, game: str, name: str) -> Step:
    """The step of this name or number."""
    steps = books.steps(game)
    for step in steps:
        if name in (step.name, str(step.number)):
            return step
    known = ", ".join(step.name for step in steps) or "none yet"
    raise Unknown(f'{game} has no step "{name}"; its steps are {known}')


def read_context(books: Books, library: Library, game: str) -> Context:
    """The game for reading only: nothing is locked, rules may have changed."""
    return context_of(books, library, books.game(game))


def status_advice(context: Context) -> str:
    if was_never_begun(context.books, context.game.id):
        return f"it {describe_end(context.books, context.game.id)}; announce it to open it again"
    return _WAY_OUT[context.game.status]


def context_of(books: Books, library: Library, game: Game) -> Context:
    kind = library.kind(game.kind, game.components)
    return Context(books, game, kind, settings_of(game.settings))


def current_step(context: Context) -> Step:
    """The open step; after the end the last one that counts; before the start what comes first."""
    if context.game.open_step is not None:
        return context.open_step()
    counting = counting_steps(context.books.steps(context.game.id))
    if counting:
        return counting[0]
    return Step(
        game=context.game.id,
        number=context.game.next_number,
        phase="setup",
        predecessor=None,
        dice="",
        opened=context.game.created,
    )


class RequestOutcome(Struct, frozen=True, kw_only=True):
    """What came of a wish, in sentences for the one answer that the letter gets."""

    done: tuple[str, ...] = ()
    not_taken: tuple[str, ...] = ()
    """What was not done, and what to do instead."""
    answered: bool = False
    """A letter of its own answers it, so that one which only asks needs no receipt."""

    def __add__(self, other: "RequestOutcome") -> "RequestOutcome":
        """Both, one after the other."""
        return RequestOutcome(
            done=self.done + other.done,
            not_taken=self.not_taken + other.not_taken,
            answered=self.answered or other.answered,
        )


def reject(*sentences: str) -> RequestOutcome:
    """Nothing was done, because of this."""
    return RequestOutcome(not_taken=sentences)


class Sender(Struct, frozen=True, kw_only=True):
    """Who wrote, when, and in which step."""

    seat: Seat
    seating: Seating | None
    step: Step
    at: datetime
    source: str = ""


def game_names(game: Game, kind: Kind) -> dict[str, str]:
    """How every document names its game."""
    return {"id": game.id, "kind": game.kind, "title": kind.title}
