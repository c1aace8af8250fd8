"""The interfaces through which the desk reaches the outside world."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from adjudicator.core.chain import Link
from adjudicator.core.document import Document, Seat
from adjudicator.core.forms.order_form import Form
from adjudicator.core.forms.reading import FreeReading, Reading, Text, WrittenLine
from adjudicator.core.game import AnyRules
from adjudicator.desk.model.mail import Caller, Claim, Parcel, Posting, ReturnedLetter, Sent
from adjudicator.desk.model.values import (
    Absence,
    Address,
    Arrival,
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
    PlanAhead,
    Player,
    Press,
    Seating,
    Signup,
    Step,
)

LetterName = tuple[str, int, Seat, str, int]
"""What names a letter for ever: game, step, seat, kind, number."""
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
    | PlanAhead
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

    new_letters: dict[LetterName, OutgoingLetter]
    """The letters saved in this transaction, as they are now, oldest first."""

    def save(self, value: Saved) -> None:
        """Save a new or changed value; raises errors.Already if it conflicts or may not change.

        A player is saved with all addresses; what is known of those that stay is kept. A new
        address is the player's last.
        """

    def save_link(self, game: str, link: Link) -> None: ...
    def games(self, *, are_open: bool = False) -> Sequence[Game]: ...
    def game_names(self, after: str = "", most: int = 2**31) -> Sequence[str]:
        """List the names of all games, in order, even of unreadable ones."""

    def games_moved(self, since: datetime) -> Sequence[str]: ...
    def count_games(self, *, every: bool) -> int: ...
    def urgent_names(self, *, every: bool, skip: int, most: int) -> Sequence[str]:
        """List the names by deadline; `every`: finished and archived games, too, at the end."""

    def game(self, game: str) -> Game:
        """Return the game; raises errors.Unknown."""

    def locked(self, game: str) -> Game:
        """Lock the game's row, then return the game: for whatever changes what is on file.

        The clock looks at the game in its next round, unless `wake_game` says otherwise.
        """

    def wake_game(self, game: str, at: datetime | None) -> None:
        """Set when time can next change something in the game; None for never by itself."""

    def lock_awake(self, game: str, at: datetime) -> bool:
        """Lock the game's row if time may change something in it by now and nobody else has it."""

    def awake(self, at: datetime) -> Sequence[str]:
        """List the names of the games in which time may change something by now, in order."""

    def add_game(self, game: Game) -> None: ...
    def delete_game(self, game: str) -> None:
        """Delete everything that is kept about the game; its players stay."""

    def games_of(self, player: str) -> Sequence[str]: ...
    def rules_played(self) -> Sequence[tuple[str, Document | None, str]]: ...
    def games_under(self, rules_digest: str) -> Sequence[str]: ...
    def players(self) -> Sequence[Player]: ...
    def people(self, game: str) -> Sequence[Player]:
        """List everybody who has had a seat in a game, by name."""

    def player(self, name: str) -> Player | None: ...
    def addresses(self, player: str) -> Sequence[Address]:
        """List a player's addresses in order, with what is known of each."""

    def holders(self, address: str) -> Sequence[str]:
        """List the names of the players who have this address (bare, lower case)."""

    def seatings(self, game: str) -> Sequence[Seating]:
        """List all seatings, by seat (in the game's order) and number; a seat's last one counts."""

    def steps(self, game: str) -> Sequence[Step]: ...
    def first_step(self, game: str) -> Step | None: ...
    def step_names(self, game: str) -> Sequence[str]:
        """Return the names of the steps by number: 0-setup, 1-plan …"""

    def step(self, game: str, number: int) -> Step: ...
    def orders(self, game: str, step: int | None = None) -> Sequence[OrderSet]:
        """List every version of the orders, by seat (in the game's order), step and number.

        (game, step, seat, number) names a set: number 0 is what the server made itself, by a bot
        or as the default, at the closing of that step.
        """

    def last_word(self, game: str, seat: Seat, step: int) -> str | None:
        """Return the luck word of the last set with one that was executed before this step."""

    def papers(self, game: str, step: int | None = None) -> Sequence[Paper]: ...
    def paper(self, game: str, seat: Seat | None, number: int | None = None) -> Paper | None:
        """Return the paper of this number, or the newest one of a step that counts, if any."""

    def last_reports(self, game: str) -> Mapping[Seat, LastReport]:
        """Return for every seat what its next report follows."""

    def letters(self, game: str, step: int | None = None) -> Sequence[OutgoingLetter]: ...
    def letter(
        self, game: str, step: int, seat: Seat, kind: str, number: int
    ) -> OutgoingLetter | None:
        """Return the letter of this name, which is unique."""

    def last_letter(self, game: str, seat: Seat, kind: str) -> int:
        """Return the highest number of a letter of this kind to this seat; 0 if there is none."""

    def because(self, cause: str) -> None:
        """Set the cause of letters queued from now on, unless they name one (model/history.py)."""

    def caused(self, cause: str) -> Sequence[tuple[str, Seat, int]]:
        """List (kind, seat, number) of the letters with this cause, in the order of making."""

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime, *, urgent: bool | None = None
    ) -> Sequence[OutgoingLetter]:
        """Claim the oldest queued letters that nobody holds at this instant for the owner.

        `urgent`: only those that keep games going, or only the others: press, and letters to
        people without a seat.
        """

    def are_letters_due(self, at: datetime, *, urgent: bool | None) -> bool:
        """Whether there are letters that could be claimed at this instant."""

    def release_letters(self, owner: str) -> None:
        """Release the letters that this owner holds."""

    def letter_holders(self) -> Sequence[str]: ...
    def withdraw_all_letters(self) -> None: ...
    def withdraw_letters(self, game: str, step: int, seats: Sequence[Seat], kind: str) -> None:
        """Withhold what is still queued of this kind for these seats."""

    def drop_letter(self, letter: OutgoingLetter) -> None:
        """Drop a letter that was queued in this transaction: another one says it."""

    def record_results(self, letter: OutgoingLetter) -> None:
        """Keep what became of a letter that was sent; raises errors.Already if it was withdrawn."""

    def rewrite_letter(self, letter: OutgoingLetter) -> None:
        """Change the document of a queued letter that was not written out yet."""

    def waiting_letters(self) -> int: ...
    def last_sent(self) -> OutgoingLetter | None:
        """Return the most recently made of the letters that went out."""

    def arrival(self, message_id: str, digest: str) -> Arrival | None:
        """Return the incoming letter with this Message-ID (empty if it had none) and digest."""

    def arrivals(self, game: str | None = None) -> Sequence[Arrival]: ...
    def arrival_of(self, game: str, seat: Seat, number: int) -> Arrival | None:
        """Return the incoming letter that put this set of orders on file."""

    def letters_read(self, game: str, seat: Seat, since: datetime, most: int) -> int:
        """Count a seat's letters read since then; `most` stands for more."""

    def answered_by(self, message_id: str) -> Arrival | None:
        """Return the incoming letter that the outgoing letter with this Message-ID answers."""

    def last_arrival(self) -> Arrival | None: ...
    def returned(self, address: str) -> Sequence[ReturnedLetter]:
        """List the letters that came back from an address since its owner last wrote."""

    def forget_returned(self, address: str) -> None: ...

    def issued_key(self, digest: str) -> IssuedKey | None: ...
    def knows_keys(self) -> bool:
        """Whether any key was ever issued."""

    def caller(self, address: str) -> Caller | None: ...
    def add_answers(self, caller: Caller, number: int) -> int: ...
    def heartbeats(self, beginning: str = "") -> Sequence[Heartbeat]:
        """Return the heartbeats whose names begin so, by name."""

    def heartbeat(self, name: str) -> Heartbeat | None: ...
    def forget_heartbeat(self, name: str) -> None: ...

    def claim(self, claim: Claim, at: datetime) -> bool:
        """Claim what nobody else holds at this instant, or hold it longer; False if one does."""

    def claims(self) -> Sequence[Claim]: ...
    def release_claims(self, owner: str) -> None: ...
    def epoch(self, game: str = "") -> int:
        """Return the epoch that a game lives in; without a game, or for a missing one, the last."""

    def last_epoch(self) -> Epoch | None:
        """Return the newest epoch saved; None before the first game."""

    def heads(self) -> Mapping[str, Head]:
        """Return where the chain of each game ends, by name; only games that have one."""

    def links(self, game: str) -> Sequence[Link]: ...
    def last_link(self, game: str) -> Link | None: ...

    def notes(self, game: str) -> Sequence[HistoryNote]: ...
    def last_note(self, game: str) -> int:
        """Return the number of the latest note; 0 if there is none."""

    def press(self, game: str, after: int | None = None) -> Sequence[Press]:
        """List every message, or those of the steps after this one, by number."""

    def last_press(self, game: str) -> int:
        """Return the number of the latest message; 0 if there is none."""

    def plans(self, game: str) -> Sequence[PlanAhead]:
        """List the orders ahead by seat (in the game's order), number and place."""

    def drop_plans(self, game: str, seat: Seat, before: int) -> None:
        """Drop the seat's lists before this number, where others took their place."""

    def absences(self, game: str) -> Sequence[Absence]:
        """List the absences by seat (in the game's order) and number."""

    def observed(self, address: str) -> Sequence[Observer]: ...
    def observers(self, game: str) -> Sequence[Observer]: ...
    def signups_of(self, address: str) -> Sequence[Signup]: ...
    def signups(self, game: str) -> Sequence[Signup]:
        """List the signups in the order in which they were asked for."""

    def part(self) -> AbstractContextManager[None]:
        """Open a part of the transaction: an exception that leaves it undoes what it wrote."""


Look = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]
"""The beginnings of these letters, by what the postbox calls them."""
Choose = Callable[[Sequence[str], Look], Sequence[str]]
"""Chooses the order in which waiting letters are handed out."""


class Postbox(Protocol):
    """Where letters arrive; each is handed out again until it is processed."""

    def fetch(self, limit: int = 100, choose: Choose | None = None) -> Sequence[Parcel]:
        """Fetch the oldest letters that are not done, at most this many.

        If more are waiting, `choose` may say which of them go first.
        """

    def file_away(self, ids: Sequence[str]) -> None:
        """Mark letters as done: they were read, and their effects are in the books."""

    def reread(self, since: datetime) -> Sequence[Parcel]:
        """Fetch the letters already done that arrived since then, oldest first; they stay done."""

    def wait(self, seconds: float) -> bool:
        """Wait this long at most until something may have arrived; False when nothing did."""

    def close(self) -> None: ...


class Postman(Protocol):
    """Where letters leave."""

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        """Send one letter to all its recipients; return the result for each of them."""

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
    replayed: dict[tuple[str, str, str], Any]  # by game, digest of its rules, and last link

    @property
    def digest(self) -> str:
        """The digest of the code that adjudicates, and of the components."""

    @property
    def reporting(self) -> str:
        """The digest of the code and templates that make reports."""

    @property
    def rulebook(self) -> Mapping[str, str]:
        """The text of each rule by its number, in the order of the rulebook."""

    @property
    def guide(self) -> Document:
        """What the game tells people who have never played it; empty if it has no such text."""

    def state(self, content: bytes) -> Any:
        """Return the state that is kept in these bytes; nobody changes it."""

    def forms(self) -> Sequence[str]: ...
    def form(self, name: str) -> Form:
        """Return an order form, or what is written beside: options, settings, envelope, ahead."""

    def read(self, form: str, text: Text, seats: Sequence[Seat]) -> Reading:
        """Read what somebody wrote, against the form's schema and the names."""

    def free_lines(
        self,
        form: str | None,
        lines: Sequence[WrittenLine],
        seats: Sequence[Seat],
        keys: Collection[str],
        guess: Callable[[str], Document | None] = lambda _: None,
    ) -> FreeReading:
        """Read lines outside any block; `guess` says what one that is not read seems to order."""

    def mend(
        self, form: str, document: Document, seats: Sequence[Seat], keys: Collection[str]
    ) -> Document:
        """Read what the writer of a form with slips in it seems to mean."""

    def find_forms(self, keys: Collection[str]) -> Sequence[str]:
        """List the forms in which all of these keys can stand."""

    def options(self, options: Document, seats: Sequence[Seat]) -> Document:
        """Return the game's options with defaults filled in; raises Impossible."""

    def components(self) -> Document: ...


class Library(Protocol):
    """Every kind of game on this server."""

    def kinds(self) -> Sequence[str]: ...
    def kind(self, kind: str, components: Document | None = None) -> Kind:
        """Find the kind, with the shipped components or with these; raises errors.Unknown."""
