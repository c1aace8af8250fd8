"""The game at hand inside a transaction, and who makes a request in it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from operator import is_not
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice, MixedWords, derive_dice_key
from adjudicator.core.document import Document, Impossible, Seat, decode
from adjudicator.core.finding import format_path
from adjudicator.core.forms.order_form import explain_missing
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Due, Over
from adjudicator.desk.model.errors import Refused, Suggest, Unknown
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.lineage import (
    describe_end,
    list_counting_steps,
    read_turn,
    was_never_begun,
)
from adjudicator.desk.model.ports import Books, Kind, Library
from adjudicator.desk.model.seats import BOT, PLAYER, last_seatings, seat_holders
from adjudicator.desk.model.settings import Settings, read_settings
from adjudicator.desk.model.standing import (
    Standing,
    find_orders_on_file,
    list_standings,
    list_waiting_plans,
)
from adjudicator.desk.model.values import (
    Game,
    HistoryNote,
    Observer,
    OrderSet,
    OutgoingLetter,
    PlanAhead,
    Player,
    Seating,
    Status,
    Step,
)

_T = TypeVar("_T")
RUNNING = (Status.RUNNING,)
STARTED = (Status.RUNNING, Status.PAUSED)
_WAY_OUT = {
    Status.OPEN: "it has not started; start it first",
    Status.RUNNING: "it is running already",
    Status.PAUSED: "it is paused; resume it first",
    Status.OVER: "it is over; only a rollback opens it again",
}


class Context:
    """The game at hand inside a transaction: always up to date, nothing computed twice.

    What the books hand out is the same value until something is written that changes it; whatever
    is worked out from such values (settings, who owes what, who sits where …) is kept with them.
    Made by itself it is for reading only: nothing is locked, rules may have changed.
    """

    def __init__(
        self, books: Books, library: Library, game: str, at: datetime | None = None
    ) -> None:
        self.books = books
        self.library = library
        self.id = game
        self._at = at
        self._values: dict[Any, tuple[tuple[Any, ...], Any]] = {}

    @property
    def at(self) -> datetime:
        """The instant of the transaction."""
        assert self._at is not None, "only what is read has no instant"
        return self._at

    def _once(self, name: Any, work: Callable[..., _T], *facts: Any) -> _T:
        """Compute a value from these values; compute it again only when one of them changes."""
        entry = self._values.get(name)
        if entry is None or any(map(is_not, entry[0], facts)):
            entry = self._values[name] = (facts, work(*facts))
        value: _T = entry[1]
        return value

    # the game

    @cached_property
    def kind(self) -> Kind:
        """The kind of this game."""
        game = self.game
        return self.library.kind(game.kind, game.components)

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return self.books.game(self.id)

    @property
    def settings(self) -> Settings:
        """The GM's choices besides the rules, with defaults filled in."""
        return self._once("settings", read_settings, self.game.settings)

    @property
    def names(self) -> dict[str, str]:
        """The names that every document gives the game."""
        return game_names(self.game, self.kind)

    def now(self, **changes: Any) -> "Context":
        """Change the game and save it; return the same context, for chaining."""
        self.books.save(replace(self.game, **changes))
        return self

    def keep_luck(self, seat: Seat, words: str) -> None:
        """Save the luck words of a seat; empty ones are none."""
        luck = {**dict(self.game.luck), seat: words}
        self.now(luck=tuple((one, luck[one]) for one in self.game.seats if luck.get(one)))

    def note(
        self, act: str, text: str, *, by: str = "gm", data: Mapping[str, Any] | None = None
    ) -> HistoryNote:
        """Record who did what in the history; no orders, hands or seeds go into it."""
        return write_note(self.books, self.id, act, text, at=self.at, by=by, data=data)

    def seat(self, seat: str) -> Seat:
        """Find the seat of this name."""
        seats = self.game.seats
        if seat not in seats:
            raise Unknown(f'{self.id} has no seat "{seat}"; its seats are {", ".join(seats)}')
        return seat

    def dice(self, step: str, words: MixedWords = ()) -> Dice:
        """Make the dice of a step of this name; `words` are luck words for these dice alone."""
        return Dice(derive_dice_key(self.game.seed, self.game.luck, words), step)

    def last_word(self, seat: Seat, step: Step) -> str | None:
        """Find the last word of a luck sheet that the seat gave before this step."""
        word = self.books.last_word(self.id, seat, step.number)
        return word or dict(self.game.luck).get(seat)

    # who plays

    @property
    def seatings(self) -> Mapping[Seat, Seating]:
        """Who sits where now."""
        return self._once("seatings", last_seatings, self.books.seatings(self.id))

    def player(self, seating: Seating | None) -> Player | None:
        """Find the person of a seating, if there is one."""
        if seating is None or seating.kind != PLAYER or seating.player is None:
            return None
        for one in self.books.people(self.id):
            if one.name == seating.player:
                return one
        return Player(name=seating.player)

    def seat_of(self, address: str) -> Seat | None:
        """Find the seat that the owner of an address plays."""
        for seat, name in seat_holders(self.seatings).items():
            player = self.books.player(name)
            if player is not None and address in player.addresses:
                return seat
        return None

    @property
    def observers(self) -> Sequence[Observer]:
        """Who observes the game now, by address."""
        return [one for one in self.books.observers(self.id) if one.until is None]

    def zone(self, player: Player | None) -> str:
        """Find the zone in which a reader reads instants."""
        return player.zone if player and player.zone != "UTC" else self.settings.zone

    def read_request(self, key: str, value: Any) -> tuple[Any, tuple[str, ...]]:
        """Read what a letter requests under a key, as its form has it, and what is wrong."""
        reading = self.kind.read("envelope", Text(value={key: value}), self.game.seats)
        wrong = tuple(f"{format_path(one.path)}: {one.message}" for one in reading.findings)
        return (reading.orders or {}).get(key), wrong

    # the open step

    def open_step(self) -> Step:
        """Return the step in which orders are owed."""
        if self.game.open_step is None:
            raise Refused(f"{self.id}: no step is open; {status_advice(self)}")
        return self.books.step(self.id, self.game.open_step)

    def label(self, step: Step) -> str:
        """Name the step as people call it: `turn 5, jump`."""
        number = step.predecessor
        before = None if number is None else self.books.step(self.id, number)
        turn = self._once(("turn", step.number), read_turn, before)
        if turn is None:
            return "the set-up" if before is None else f"step {step.number}, {step.phase}"
        return turn if turn.startswith(f"{step.phase} ") else f"{turn}, {step.phase}"

    @property
    def state(self) -> Any:
        """The state in which the open step opened."""
        return self.before(self.open_step())

    @property
    def due(self) -> Mapping[Seat, Due]:
        """The forms that each seat owes in the open step, in seat order; empty if none is open."""
        return {} if self.game.open_step is None else self.due_in(self.state)

    @property
    def sets(self) -> Sequence[OrderSet]:
        """Every set of orders of the open step, by seat and number."""
        step = self.game.open_step
        return () if step is None else self.books.orders(self.id, step)

    @property
    def on_file(self) -> Mapping[Seat, OrderSet]:
        """The sets that would be executed now."""
        on_file, seatings = self._once("on file", find_orders_on_file, self.sets), self.seatings
        for seat in on_file:
            if seat in seatings and seatings[seat].kind == BOT:
                return self._once("on file beside bots", self._complete_sets, on_file, seatings)
        return on_file

    def _complete_sets(
        self, on_file: Mapping[Seat, OrderSet], seatings: Mapping[Seat, Seating]
    ) -> Mapping[Seat, OrderSet]:
        """Leave out what a bot has taken over incomplete: it leaves nothing undone."""
        due = self.due
        return {
            seat: own
            for seat, own in on_file.items()
            if seat not in seatings
            or seatings[seat].kind != BOT
            or seat not in due
            or explain_missing(self.kind.form(due[seat].form), decode(own.orders)) is None
        }

    @property
    def plans(self) -> Mapping[Seat, Sequence[PlanAhead]]:
        """The orders ahead that wait for a later step, by seat."""
        plans = self.books.plans(self.id)
        return self._once("plans", list_waiting_plans, plans, self.seatings) if plans else {}

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The standing of every seat in the open step, in seat order."""
        work = partial(list_standings, self.game.seats)
        return self._once("standings", work, self.due, self.seatings, self.on_file)

    def standing(self, seat: Seat) -> Standing:
        """Find how this seat stands in the open step."""
        return self.standings[self.game.seats.index(seat)]

    def view(self, seat: Seat | None, state: Any = None) -> Any:
        """Make the view of a seat; of the position in the open step unless another is given."""
        state = self.state if state is None else state
        return self._once(("view", seat, id(state)), self.kind.rules.view, state, seat)

    def report_position(self, seat: Seat | None, state: Any = None) -> Document:
        """Make the game's part of a report of a position alone, as a seat sees it; as `view`."""
        view = self.view(seat, state)
        return self._once(("position", seat, id(view)), self.kind.rules.report, view, ())

    # states

    def before(self, step: Step) -> Any:
        """Return the state in which a step opens."""
        if step.predecessor is None:
            raise Refused(f"{self.id}: {step.name} has nothing before it")
        return self.after(self.books.step(self.id, step.predecessor))

    def after(self, step: Step) -> Any:
        """Return the state after a closed step."""
        if step.state is None:
            raise Refused(f"{self.id}: {step.name} is still open and has no state yet")
        try:
            return self.kind.state(step.state)
        except (Impossible, ValueError, RecursionError) as wrong:
            place = f" at {wrong.path}" if isinstance(wrong, Impossible) else ""  # no secrets
            raise Refused(
                f"{self.id}: the stored state of {step.name} is damaged{place}; put back a copy "
                "of the database, or import an archive; a check says more",
                suggest=Suggest("verify", self.id),
            ) from wrong

    def due_in(self, state: Any) -> Mapping[Seat, Due]:
        """List who owes what in a state, in seat order; nobody when the game is over in it."""
        return self._once(("due", id(state)), self._find_due_in, state)

    def _find_due_in(self, state: Any) -> Mapping[Seat, Due]:
        due = self.kind.rules.due(state)
        if isinstance(due, Over):
            return {}
        return {seat: due[seat] for seat in self.game.seats if seat in due}


def status_advice(context: Context) -> str:
    if was_never_begun(context.books, context.id):
        return f"it {describe_end(context.books, context.id)}; announce it to open it again"
    return _WAY_OUT[context.game.status]


def current_step(context: Context) -> Step:
    """Find the open step; after the end, the last that counts; before the start, the first."""
    if context.game.open_step is not None:
        return context.open_step()
    counting = list_counting_steps(context.books.steps(context.id))
    if counting:
        return counting[0]
    return Step(
        game=context.id,
        number=context.game.next_number,
        phase="setup",
        predecessor=None,
        dice="",
        opened=context.game.created,
    )


class RequestOutcome(Struct, frozen=True, kw_only=True):
    """The outcome of a request, in sentences for the one answer to the letter."""

    done: tuple[str, ...] = ()
    not_taken: tuple[str, ...] = ()
    """What was not done, and what to do instead."""
    subjects: tuple[str, ...] = ()
    """The same in clauses, for the subject of the answer."""
    letter: OutgoingLetter | None = None
    """A separate letter that answers it; a letter that only asks then needs no receipt."""
    messages: tuple[Document, ...] = ()
    """What its writer wrote to others, {to, text}, as they read it."""

    def __add__(self, other: "RequestOutcome") -> "RequestOutcome":
        """Join both outcomes, one after the other."""
        return RequestOutcome(
            done=self.done + other.done,
            not_taken=self.not_taken + other.not_taken,
            subjects=self.subjects + other.subjects,
            letter=other.letter or self.letter,
            messages=self.messages + other.messages,
        )


def reject(*sentences: str) -> RequestOutcome:
    """Report that nothing was done, and why."""
    return RequestOutcome(not_taken=sentences)


class Sender(Struct, frozen=True, kw_only=True):
    """Who wrote, when, and in which step."""

    seat: Seat
    seating: Seating | None
    step: Step
    at: datetime
    by: str = "player"
    """The player, or the GM who entered it for the seat."""


def game_names(game: Game, kind: Kind) -> dict[str, str]:
    """Return the names that every document gives its game."""
    return {"id": game.id, "kind": game.kind, "title": kind.title}
