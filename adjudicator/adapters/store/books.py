"""The books of the desk inside one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import asdict

from adjudicator.adapters.store.cells import write_seat
from adjudicator.adapters.store.serving_books import AT_ONCE, ServingBooks
from adjudicator.adapters.store.statements import post
from adjudicator.adapters.store.statements import records as say
from adjudicator.adapters.store.statements.saving import SAVE
from adjudicator.core.chain import Link
from adjudicator.desk.model.errors import Already, Unknown
from adjudicator.desk.model.mail import Caller, ReturnedLetter
from adjudicator.desk.model.ports import Saved
from adjudicator.desk.model.values import (
    Absence,
    Address,
    Arrival,
    Epoch,
    Game,
    Head,
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


class SqlBooks(ServingBooks):
    """The books; desk.model.ports.Books says what each question means."""

    # saving

    def save(self, value: Saved) -> None:
        match value:
            case Game():
                self._save_game(value)
            case Player():
                self._save_player(value)
            case Address():
                by_address = {one.address: one for one in self.addresses(value.player)}
                self._write_addresses(value.player, {**by_address, value.address: value}.values())
            case OutgoingLetter():
                name = (value.game, value.step, value.seat, value.kind, value.number)
                self.new_letters[name] = value
                row = asdict(value) | {"cause": value.cause or self._cause}
                self._write(SAVE[OutgoingLetter], row)
            case _:
                self._write(SAVE[type(value)], asdict(value))

    def save_link(self, game: str, link: Link) -> None:
        """Save the next link of a chain; raises Already if its number is taken."""
        self._write(SAVE[Link], {**asdict(link), "game": game})
        self.new_links[game] = link

    def add_game(self, game: Game) -> None:
        """Add a new game; raises Already if the name is taken."""
        self._write(say.ADD_GAME, asdict(game))
        self._write_seats(game)
        self.wake_game(game.id, AT_ONCE)

    def delete_game(self, game: str) -> None:
        for statement in say.DELETE_GAME:
            self._change(statement, {"game": game})
        self._wakes.pop(game, None)
        self.new_links[game] = None

    def _save_game(self, game: Game) -> None:
        before = self.game(game.id)
        self._change(say.CHANGE_GAME, asdict(game))
        if before.seats != game.seats:
            self._change(say.CLEAR_SEATS, {"game": game.id})
            self._write_seats(game)
        self._seen[say.GAME, game.id] = [game]  # as it would be read

    def _write_seats(self, game: Game) -> None:
        for position, seat in enumerate(game.seats):
            self._write(say.ADD_SEAT, {"game": game.id, "seat": seat, "position": position})

    def _save_player(self, player: Player) -> None:
        old = {one.address: one for one in self.addresses(player.name)}
        self._write(SAVE[Player], asdict(player))
        new = [old.get(a) or Address(player=player.name, address=a) for a in player.addresses]
        if new != list(old.values()):
            self._write_addresses(player.name, new)

    def _write_addresses(self, player: str, addresses: Iterable[Address]) -> None:
        self._change(say.CLEAR_ADDRESSES, {"player": player})
        for position, one in enumerate(addresses):
            self._write(say.ADD_ADDRESS, {**asdict(one), "position": position})

    # games and seats

    def games(self, *, are_open: bool = False) -> Sequence[Game]:
        """List all games by name, or only those that people can join."""
        return self._values(say.OPEN_GAMES if are_open else say.GAMES)

    def game(self, game: str) -> Game:
        value = self._value(say.GAME, game=game)
        if value is None:
            raise Unknown(f"there is no game called {game}; `adjudicator games` lists them")
        return value

    def locked(self, game: str) -> Game:
        if game not in self._locked and not self._is_alone:
            self._seen.clear()  # until the lock is held, anything read before may have changed
            self._values(say.LOCK_GAME, game=game)
            self._locked.add(game)
        if self._writable:
            self._wakes.setdefault(game, AT_ONCE)
        return self.game(game)

    def finish(self) -> None:
        """Write what waits for the end of the transaction."""
        for game, then in self._wakes.items():
            self._change(say.WAKE_GAME, {"game": game, "then": then})
        self.flush()

    # steps and orders

    def steps(self, game: str) -> Sequence[Step]:
        """List the steps by number, including undone ones."""
        return self._values(say.STEPS, game=game)

    def first_step(self, game: str) -> Step | None:
        """Return the first step, if the game was ever started."""
        return self._value(say.FIRST_STEP, game=game)

    def step_names(self, game: str) -> Sequence[str]:
        rows = self._values(say.STEP_NAMES, game=game)
        return [f"{row['number']}-{row['phase']}" for row in rows]

    def step(self, game: str, number: int) -> Step:
        """Return one step; raises Unknown."""
        value = self._value(say.STEP_BY_NUMBER, game=game, number=number)
        if value is None:
            raise Unknown(
                f"there is no step {number} in {game}; `adjudicator history {game}` lists them"
            )
        return value

    def orders(self, game: str, step: int | None = None) -> Sequence[OrderSet]:
        if step is None:
            return self._values(say.ORDERS, game=game)
        return self._values(say.ORDERS_OF_STEP, game=game, step=step)

    def last_word(self, game: str, seat: str, step: int) -> str | None:
        row = self._value(say.LAST_WORD, game=game, seat=seat, before=step)
        return row["luck"] if row else None

    # what went out

    def papers(self, game: str, step: int | None = None) -> Sequence[Paper]:
        """List the papers by number: the public's first, then by seat in the game's order."""
        if step is None:
            return self._values(say.PAPERS, game=game)
        return self._values(say.PAPERS_OF_STEP, game=game, step=step)

    def paper(self, game: str, seat: str | None, number: int | None = None) -> Paper | None:
        cell = write_seat(seat)
        if number is None:
            return self._value(say.NEWEST_PAPER, game=game, seat=cell)
        return self._value(say.PAPER, game=game, seat=cell, number=number)

    def last_reports(self, game: str) -> Mapping[str, LastReport]:
        return {one.seat: one for one in self._values(say.LAST_REPORTS, game=game)}

    # the record

    def epoch(self, game: str = "") -> int:
        if game and (value := self._value(say.GAME, game=game)):
            return value.epoch
        newest = self.last_epoch()
        return newest.number if newest else 1

    def last_epoch(self) -> Epoch | None:
        return self._value(say.LAST_EPOCH)

    def heads(self) -> Mapping[str, Head]:
        rows = self._values(say.CHAIN_HEADS)
        return {row.pop("game"): Head(**row) for row in map(dict, rows) if row["digest"]}

    def links(self, game: str) -> Sequence[Link]:
        """List the chain from its beginning."""
        return self._values(say.LINKS, game=game)

    def last_link(self, game: str) -> Link | None:
        """Return the newest link, if any."""
        return self._value(say.LAST_LINK, game=game)

    def notes(self, game: str) -> Sequence[HistoryNote]:
        """List the notes by number."""
        return self._values(say.NOTES, game=game)

    def last_note(self, game: str) -> int:
        return self._number(say.LAST_NOTE, game=game)

    # people

    def players(self) -> Sequence[Player]:
        """List all players by name."""
        return self._values(say.PLAYERS)

    def people(self, game: str) -> Sequence[Player]:
        return self._values(say.SEATED_PLAYERS, game=game)

    def games_of(self, player: str) -> Sequence[str]:
        """List the names of the games in which somebody has had a seat, in order."""
        return sorted(row["game"] for row in self._values(say.GAMES_OF, player=player))

    def player(self, name: str) -> Player | None:
        """Return the player of this name, if any."""
        return self._value(say.PLAYER_BY_NAME, name=name)

    def addresses(self, player: str) -> Sequence[Address]:
        return self._values(say.ADDRESSES, player=player)

    def holders(self, address: str) -> Sequence[str]:
        return [one.player for one in self._values(say.HOLDERS, address=address)]

    def seatings(self, game: str) -> Sequence[Seating]:
        return self._values(say.SEATINGS, game=game)

    # requests

    def press(self, game: str, after: int | None = None) -> Sequence[Press]:
        if after is None:
            return self._values(say.PRESS_MESSAGES, game=game)
        return self._values(say.PRESS_AFTER, game=game, after=after)

    def last_press(self, game: str) -> int:
        return self._number(say.LAST_PRESS, game=game)

    def plans(self, game: str) -> Sequence[PlanAhead]:
        return self._values(say.PLANS, game=game)

    def drop_plans(self, game: str, seat: str, before: int) -> None:
        self._change(say.DROP_PLANS, {"game": game, "seat": seat, "before": before})

    def absences(self, game: str) -> Sequence[Absence]:
        return self._values(say.ABSENCES, game=game)

    def observers(self, game: str) -> Sequence[Observer]:
        """List the observers by address, including former ones."""
        return self._values(say.OBSERVERS, game=game)

    def observed(self, address: str) -> Sequence[Observer]:
        """List what somebody at this address observes or observed, by game."""
        return self._values(say.OBSERVED, address=address)

    def signups_of(self, address: str) -> Sequence[Signup]:
        """List the signups of an address by game."""
        return self._values(say.SIGNUPS_OF, address=address)

    def signups(self, game: str) -> Sequence[Signup]:
        return self._values(say.SIGNUPS, game=game)

    # letters out

    def letters(self, game: str, step: int | None = None) -> Sequence[OutgoingLetter]:
        """List the letters in the order in which they were made."""
        if step is None:
            return self._values(post.LETTERS, game=game)
        return self._values(post.LETTERS_OF_STEP, game=game, step=step)

    def letter(
        self, game: str, step: int, seat: str, kind: str, number: int
    ) -> OutgoingLetter | None:
        names = {"game": game, "seat": seat, "kind": kind, "number": number, "step": step}
        return self._value(post.LETTER, **names)

    def last_letter(self, game: str, seat: str, kind: str) -> int:
        return self._number(post.LAST_LETTER, game=game, seat=seat, kind=kind)

    def because(self, cause: str) -> None:
        self._cause = cause

    def caused(self, cause: str) -> Sequence[tuple[str, str, int]]:
        rows = self._values(post.CAUSED, cause=cause)
        return [(row["kind"], row["seat"], row["number"]) for row in rows]

    def withdraw_letters(self, game: str, step: int, seats: Sequence[str], kind: str) -> None:
        rows = [{"game": game, "step": step, "kind": kind, "seat": seat} for seat in seats]
        self._change(post.WITHDRAW_LETTERS, *rows)

    def rewrite_letter(self, letter: OutgoingLetter) -> None:
        row = dict(zip(("game", "step", "seat", "kind", "number"), letter.name, strict=True))
        self._change(post.REWRITE_LETTER, {**row, "written": letter.document})
        if letter.name in self.new_letters:
            self.new_letters[letter.name] = letter

    def record_results(self, letter: OutgoingLetter) -> None:
        """Keep what became of a letter that was sent; raises Already if it was withdrawn."""
        row = asdict(letter)
        if not self._change(post.RECORD_RESULTS, row):
            raise Already(SAVE[OutgoingLetter].word_row_refusal(row))

    def drop_letter(self, letter: OutgoingLetter) -> None:
        row = dict(zip(("game", "step", "seat", "kind", "number"), letter.name, strict=True))
        self._change(post.DROP_LETTER, row)
        del self.new_letters[letter.name]

    # letters in

    def arrival(self, message_id: str, digest: str) -> Arrival | None:
        return self._value(post.ARRIVAL, message_id=message_id, digest=digest)

    def arrivals(self, game: str | None = None) -> Sequence[Arrival]:
        """List the arrivals in the order of reading."""
        if game is None:
            return self._values(post.ARRIVALS)
        return self._values(post.ARRIVALS_OF_GAME, game=game)

    def arrival_of(self, game: str, seat: str, number: int) -> Arrival | None:
        return self._value(post.ARRIVAL_OF, game=game, seat=seat, number=number)

    def letters_read(self, game: str, seat: str, since: datetime, most: int) -> int:
        return self._number(post.LETTERS_READ, game=game, seat=seat, since=since, most=most)

    def answered_by(self, message_id: str) -> Arrival | None:
        return self._value(post.ANSWERED_BY, answer=message_id)

    # returned letters, and keys

    def returned(self, address: str) -> Sequence[ReturnedLetter]:
        return self._values(post.RETURNED, address=address)

    def forget_returned(self, address: str) -> None:
        """Forget the letters returned from an address, because it works."""
        self._change(post.FORGET_RETURNED, {"address": address})

    def issued_key(self, digest: str) -> IssuedKey | None:
        """Return the key with this digest, if it was ever issued."""
        return self._value(post.KEY, digest=digest)

    def knows_keys(self) -> bool:
        return bool(self._values(post.ANY_KEY))

    # callers

    def caller(self, address: str) -> Caller | None:
        """Return what this address has used up, if it ever called."""
        return self._value(post.CALLER, address=address)
