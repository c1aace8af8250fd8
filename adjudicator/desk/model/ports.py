"""What the desk needs of the world."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from adjudicator.core.chain import Link
from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Path
from adjudicator.core.forms.reading import FallenEntries, Reading, Text
from adjudicator.core.game import AnyRules
from adjudicator.desk.model.mail import Parcel, Posting, Sent
from adjudicator.desk.model.values import (
    Absence,
    Address,
    Arrival,
    Caller,
    Epoch,
    Game,
    Head,
    Heartbeat,
    HistoryNote,
    IssuedKey,
    LastReport,
    Observer,
    OrderSet,
    OutgoingLetter,
    Paper,
    Player,
    Press,
    ReturnedLetter,
    Seating,
    Signup,
    Step,
)

Saved = (
    Absence
    | Address
    | Arrival
    | Caller
    | Epoch
    | Game
    | Heartbeat
    | HistoryNote
    | IssuedKey
    | Observer
    | OrderSet
    | OutgoingLetter
    | Paper
    | Player
    | Press
    | ReturnedLetter
    | Seating
    | Signup
    | Step
)
"""What the books keep; links of a chain besides."""


class Books(Protocol):
    """The store inside one transaction. What is read is what is written.

    A question asked twice gets the same value, until something is written that changes it.
    """

    def save(self, value: Saved) -> None:
        """New or changed; raises errors.Already where another one stands, or it may not change.

        A player is saved with all addresses; what is known of those that stay is kept. An address
        that is new is the player's last.
        """

    def save_link(self, game: str, link: Link) -> None: ...

    def games(self) -> Sequence[Game]: ...
    def game_names(self) -> Sequence[str]:
        """Of all games, in order, whatever else can be read of them."""

    def game(self, game: str) -> Game:
        """Raises errors.Unknown."""

    def locked(self, game: str) -> Game:
        """The game, with its row locked first: for whatever changes what is on file."""

    def add_game(self, game: Game) -> None: ...
    def delete_game(self, game: str) -> None:
        """Everything that is kept about the game; its players stay."""

    def players(self) -> Sequence[Player]: ...
    def people(self, game: str) -> Mapping[str, Player]:
        """Whoever has had a seat in a game, by name."""

    def player(self, name: str) -> Player | None: ...
    def addresses(self, player: str) -> Sequence[Address]:
        """In the player's order, with what is known of each."""

    def holders(self, address: str) -> Sequence[str]:
        """The names of the players who have this address (bare, lower case)."""

    def seatings(self, game: str) -> Sequence[Seating]:
        """All of them, by seat (in the game's order) and number; the last of a seat counts."""

    def steps(self, game: str) -> Sequence[Step]: ...
    def step_names(self, game: str) -> Sequence[str]:
        """By number: 0-setup, 1-plan …"""

    def step(self, game: str, number: int) -> Step: ...
    def orders(self, game: str, step: int | None = None) -> Sequence[OrderSet]:
        """Every version, by seat (in the game's order), step and number.

        (game, step, seat, number) names a set: number 0 is what the server made itself, by a bot
        or as the default, at the closing of that step.
        """

    def last_word(self, game: str, seat: Seat, step: int) -> str | None:
        """The luck word of the last set with one that was executed in a step before this one."""

    def papers(self, game: str, step: int | None = None) -> Sequence[Paper]: ...
    def last_reports(self, game: str) -> Mapping[Seat, LastReport]:
        """For every seat what its next report follows."""

    def letters(self, game: str, step: int | None = None) -> Sequence[OutgoingLetter]: ...
    def letter(
        self, game: str, step: int, seat: Seat, kind: str, number: int
    ) -> OutgoingLetter | None:
        """The letter of this name, which is unique."""

    def last_letter(self, game: str, seat: Seat, kind: str) -> int:
        """The highest number of a letter of this kind to this seat; 0 for none."""

    def because(self, cause: str) -> None:
        """Set the cause of what is queued from now on, unless it names one (model/history.py)."""

    def caused(self, cause: str) -> Sequence[tuple[str, Seat, int]]:
        """(kind, seat, number) of the letters that have this cause, in the order of making."""

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime, *, urgent: bool | None = None
    ) -> Sequence[OutgoingLetter]:
        """The oldest queued letters that nobody holds at this instant, held for the owner.

        `urgent`: only those that keep games going, or only the others: press, and letters to
        people without a seat.
        """

    def release_letters(self) -> None:
        """Nobody holds a letter any more; the one daemon of a home says so when it starts."""

    def withdraw_all_letters(self) -> None:
        """Keep in whatever is queued."""

    def withdraw_letters(self, game: str, step: int, seats: Sequence[Seat], kind: str) -> None:
        """Keep in what is still queued of this kind for these seats."""

    def waiting_letters(self) -> int:
        """How many letters are queued."""

    def last_sent(self) -> OutgoingLetter | None:
        """The latest made of those that went out."""

    def arrival(self, message_id: str, digest: str) -> Arrival | None:
        """The letter in of this Message-ID (empty when it had none) and digest."""

    def arrivals(self, game: str | None = None) -> Sequence[Arrival]:
        """Letters that came in, of a game or all, in the order of reading."""

    def arrival_of(self, game: str, seat: Seat, number: int) -> Arrival | None:
        """The letter in that put this set of orders on file."""

    def letters_read(self, game: str, seat: Seat, since: datetime, most: int) -> int:
        """How many letters of a seat were read since then; `most` stands for more."""

    def answered_by(self, message_id: str) -> Arrival | None:
        """The letter in that the letter out of this Message-ID answers."""

    def last_arrival(self) -> Arrival | None: ...
    def returned(self, address: str) -> Sequence[ReturnedLetter]:
        """The letters that came back from an address since its owner last wrote."""

    def forget_returned(self, address: str) -> None: ...

    def issued_key(self, digest: str) -> IssuedKey | None: ...
    def knows_keys(self) -> bool:
        """Whether any key was ever issued."""

    def caller(self, address: str) -> Caller | None: ...
    def heartbeats(self) -> Sequence[Heartbeat]:
        """By name."""

    def epoch(self, game: str = "") -> int:
        """The one that a game lives in; of no game, or none that is there, the newest."""

    def last_epoch(self) -> Epoch | None:
        """The newest that was written down; None before the first game."""

    def heads(self) -> Mapping[str, Head]:
        """Where the chain of each game ends, by its name; those that have one."""

    def links(self, game: str) -> Sequence[Link]: ...
    def last_link(self, game: str) -> Link | None: ...

    def notes(self, game: str) -> Sequence[HistoryNote]: ...
    def last_note(self, game: str) -> int:
        """The number of the latest note; 0 for none."""

    def press(self, game: str) -> Sequence[Press]:
        """Every message, by number."""

    def absences(self, game: str) -> Sequence[Absence]:
        """By seat (in the game's order) and number."""

    def observers(self, game: str) -> Sequence[Observer]:
        """By address, those who left too."""

    def signups(self, game: str) -> Sequence[Signup]:
        """In the order in which they were asked."""

    def part(self) -> AbstractContextManager[None]:
        """A part of the transaction: leaving it by an exception undoes what was written in it."""


class Store(Protocol):
    """Where the books are kept."""

    def reading(self) -> AbstractContextManager[Books]:
        """A consistent look; whatever is written in it is an error."""

    def writing(self) -> AbstractContextManager[Books]:
        """One transaction: all of it or, when anything is raised, nothing."""

    def trying(self) -> AbstractContextManager[Books]:
        """One transaction that is always undone: previews and dry runs run the real code in it."""


Look = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]
"""The beginnings of these letters, by what the postbox calls them."""
Choose = Callable[[Sequence[str], Look], Sequence[str]]
"""In which order letters are handed out that wait in this order."""


class Postbox(Protocol):
    """Where letters arrive. What has been handed out comes again until it is done with."""

    def fetch(self, limit: int = 100, choose: Choose | None = None) -> Sequence[Parcel]:
        """The oldest letters that are not done with, at most so many.

        Where more wait, `choose` may say which of them go first.
        """

    def done(self, ids: Sequence[str]) -> None:
        """These were read and what they caused is in the books; they need not come again."""

    def reread(self, since: datetime) -> Sequence[Parcel]:
        """The letters done with that arrived since then, the oldest first; they stay so."""

    def wait(self, seconds: float) -> bool:
        """Wait until something may have arrived, at most so long; False when nothing did."""

    def close(self) -> None: ...


class Postman(Protocol):
    """Where letters leave."""

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        """One letter to all its recipients; what each of them came to."""

    async def close(self) -> None: ...


class Kind(Protocol):
    """A kind of game as the library hands it out: rules, forms and facts together."""

    kind: str
    game: str
    """The folder of its texts."""
    title: str
    rules: AnyRules
    smallest: int
    largest: int
    book: tuple[int, int]
    """The numbers of players that the rulebook names."""
    seats: tuple[Seat, ...]
    """The names that seats have when the GM gives none."""

    @property
    def digest(self) -> str:
        """Of the code that adjudicates, and the components."""

    @property
    def reporting(self) -> str:
        """Of the code and templates that make reports."""

    @property
    def rulebook(self) -> Mapping[str, str]:
        """Rule number to its text, in the order of the rulebook."""

    def state(self, content: bytes) -> Any:
        """The state that is kept in these bytes; nobody changes it."""

    def forms(self) -> Sequence[str]: ...
    def explained(self, form: str) -> Document:
        """An order form explained to whoever has to fill it in (core/forms/explanation.py)."""

    def read(self, form: str, text: Text, seats: Sequence[Seat]) -> Reading:
        """Orders as a player wrote them, against the form's schema and the names."""

    def fallen(self, form: str, orders: Document, refused: Sequence[Path]) -> FallenEntries:
        """What falls with entries of the orders that the check refused."""

    def owing(self, form: str, orders: Document) -> str | None:
        """What to say of orders that give nothing of what is due; None: they give something."""

    def around(self, text: Text, seats: Sequence[Seat]) -> Reading:
        """Requests beside orders, as their writer wrote them, against orders/common/envelope."""

    def spelled(self, form: str, orders: Document) -> Document:
        """Orders on file as a player would write them, in the order of the form."""

    def said(self, form: str, path: Path, value: Any) -> str:
        """What stands at a place of a form, in plain words."""

    def options(self, given: Document, seats: Sequence[Seat]) -> Document:
        """The game's options with defaults filled in; raises Impossible."""

    def components(self) -> Document: ...


class Library(Protocol):
    """Every kind of game on this server."""

    def kinds(self) -> Sequence[str]: ...
    def kind(self, kind: str, components: Document | None = None) -> Kind:
        """The kind, with the shipped components or with these; raises errors.Unknown."""
