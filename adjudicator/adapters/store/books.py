"""The books of the desk inside one transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Executable
from sqlalchemy.exc import IntegrityError

from adjudicator.adapters.store.prepared import Prepared
from adjudicator.adapters.store.statements import Statements
from adjudicator.core.chain import Link
from adjudicator.desk.errors import Already, Unknown
from adjudicator.desk.values import Game, Letter, Note, OrderSet, Paper, Player, Seating, Step

V = TypeVar("V")
Row = dict[str, Any]
LETTER = Letter.__struct_fields__


class SqlBooks:
    """Implements desk.ports.Books.

    Values saved one after the other in the same way are written by one statement: they wait until
    something else is saved, their table is read, or the transaction ends.
    """

    def __init__(self, connection: Connection, statements: Statements, *, writable: bool) -> None:
        self._connection = connection
        self._say = statements
        self._writable = writable
        self._waiting: list[Row] = []
        self._words: list[str] = []
        self._statement: Prepared | None = None
        self._known_seats: dict[str, tuple[str, ...]] = {}

    # games and seats

    def games(self) -> Sequence[Game]:
        """All of them, by name."""
        seats: dict[str, list[str]] = {}
        rows = self._rows(self._say.games)
        for row in self._rows(self._say.all_seats):
            seats.setdefault(row["game"], []).append(row["seat"])
        return [_game(row, seats.get(row["id"], ())) for row in rows]

    def game(self, game: str) -> Game:
        """The game; raises Unknown."""
        return self._game(self._say.game, game)

    def locked(self, game: str) -> Game:
        """The game with its row locked until the transaction ends; raises Unknown."""
        return self._game(self._say.locked, game)

    def _game(self, statement: Prepared, game: str) -> Game:
        rows = self._rows(statement, {"game": game})
        if not rows:
            raise Unknown(f"there is no game called {game}; `adjudicator games` lists them")
        return _game(rows[0], self._seats(game))

    def _seats(self, game: str) -> tuple[str, ...]:
        """Read once: who else would change them waits for the lock on the game."""
        if game not in self._known_seats:
            rows = self._rows(self._say.seats, {"game": game})
            self._known_seats[game] = tuple(row["seat"] for row in rows)
        return self._known_seats[game]

    def add_game(self, game: Game) -> None:
        """A new game; raises Already when the name is taken."""
        words = f"there is a game called {game.id} already; choose another name"
        self._write(self._say.add_game, [_game_row(game)], words)
        self._write_seats(game)

    def save_game(self, game: Game) -> None:
        """What changed in a game that is there."""
        row = _game_row(game)
        row["key"] = row.pop("id")
        self._must_write()
        self.flush()
        if self._say.save_game.write(self._connection, [row]) != 1:
            raise Unknown(f"there is no game called {game.id}; add it first")
        if self._seats(game.id) != game.seats:
            self._execute(self._say.clear_seats, {"game": game.id})
            self._write_seats(game)

    def _write_seats(self, game: Game) -> None:
        self._known_seats[game.id] = game.seats
        rows = [
            {"game": game.id, "seat": seat, "position": position}
            for position, seat in enumerate(game.seats)
        ]
        if rows:
            self._write(self._say.save_seat, rows, f"{game.id} has a seat twice: {game.seats}")

    # players and seatings

    def players(self) -> Sequence[Player]:
        """Everybody, by name."""
        return _players(self._rows(self._say.players))

    def player(self, name: str) -> Player | None:
        """The player of this name, if there is one."""
        found = _players(self._rows(self._say.player, {"name": name}))
        return found[0] if found else None

    def save_player(self, player: Player) -> None:
        """A player, new or changed, with all addresses."""
        row = msgspec.structs.asdict(player)
        addresses = row.pop("addresses")
        self._write(self._say.save_player, [row], f"player {player.name}")
        self._execute(self._say.clear_addresses, {"name": player.name})
        rows = [
            {"player": player.name, "position": position, "address": address}
            for position, address in enumerate(addresses)
        ]
        if rows:
            self._write(self._say.save_address, rows, f"{player.name} has an address twice")

    def seatings(self, game: str) -> Sequence[Seating]:
        """By seat, in the game's order, and number."""
        return self._values(Seating, self._say.seatings, {"game": game})

    def save_seating(self, seating: Seating) -> None:
        """A seating, new or changed."""
        self._save(self._say.save_seating, seating, f"seat {seating.seat} of {seating.game}")

    # steps and orders

    def steps(self, game: str) -> Sequence[Step]:
        """By number, struck ones too."""
        return self._values(Step, self._say.steps, {"game": game})

    def step(self, game: str, number: int) -> Step:
        """One step; raises Unknown."""
        found = self._values(Step, self._say.step, {"game": game, "number": number})
        if not found:
            raise Unknown(
                f"there is no step {number} in {game}; `adjudicator history {game}` lists them"
            )
        return found[0]

    def save_step(self, step: Step) -> None:
        """A step, opened, changed or closed; raises Already when it was closed otherwise."""
        words = f"step {step.name} of {step.game} is closed already; roll it back to change it"
        self._save(self._say.save_step, step, words)

    def orders(self, game: str, step: int | None = None) -> Sequence[OrderSet]:
        """Every version, by seat in the game's order, step and number."""
        return self._of_step(OrderSet, self._say.orders, self._say.orders_of_step, game, step)

    def save_orders(self, orders: OrderSet) -> None:
        """A set, new or moved on; raises Already when other orders have its number."""
        words = (
            f"{orders.game} has other orders of {orders.seat} on file as number {orders.number}"
            f" of step {orders.step}"
        )
        self._save(self._say.save_orders, orders, words)

    # what went out

    def papers(self, game: str, step: int | None = None) -> Sequence[Paper]:
        """The public's first, then by seat in the game's order; by number."""
        return self._of_step(Paper, self._say.papers, self._say.papers_of_step, game, step)

    def last_paper(self, game: str, seat: str) -> int:
        """The highest number of a paper of this seat; 0 for none."""
        return self._number(self._say.last_paper, {"game": game, "seat": seat})

    def save_paper(self, paper: Paper) -> None:
        """A document; raises Already when the seat has one of that number."""
        words = f"{paper.game} has a report {paper.number} for {paper.seat or 'the public'} already"
        self._save(self._say.save_paper, paper, words)

    def letters(self, game: str, step: int | None = None) -> Sequence[Letter]:
        """In the order in which they were made."""
        return self._of_step(Letter, self._say.letters, self._say.letters_of_step, game, step)

    def last_letter(self, game: str, seat: str, kind: str) -> int:
        """The highest number of a letter of this kind to this seat; 0 for none."""
        return self._number(self._say.last_letter, {"game": game, "seat": seat, "kind": kind})

    def save_letter(self, letter: Letter) -> None:
        """A letter, new or moved on; raises Already when it would go out a second time."""
        words = (
            f"the {letter.kind} {letter.number} for {letter.seat} in step {letter.step}"
            f" of {letter.game} is on its way already; a letter goes out once"
        )
        self._save(self._say.save_letter, letter, words)

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime
    ) -> Sequence[Letter]:
        """The oldest queued letters that nobody holds, held for this owner until then."""
        given = {"owner": owner, "until": until, "limit": limit, "at": at}
        rows = sorted(self._execute(self._say.claim_letters, given), key=lambda row: row.id)
        return [Letter(**{name: getattr(row, name) for name in LETTER}) for row in rows]

    # the record

    def links(self, game: str) -> Sequence[Link]:
        """The chain from its beginning."""
        return self._values(Link, self._say.links, {"game": game})

    def last_link(self, game: str) -> Link | None:
        """The newest link, if there is one."""
        found = self._values(Link, self._say.last_link, {"game": game})
        return found[0] if found else None

    def save_link(self, game: str, link: Link) -> None:
        """The next link; raises Already when there is one of that number."""
        words = f"the chain of {game} has a link {link.number} already"
        row = msgspec.structs.asdict(link) | {"game": game}
        self._write(self._say.save_link, [row], words)

    def notes(self, game: str) -> Sequence[Note]:
        """By number."""
        return self._values(Note, self._say.notes, {"game": game})

    def last_note(self, game: str) -> int:
        """The number of the latest note; 0 for none."""
        return self._number(self._say.last_note, {"game": game})

    def save_note(self, note: Note) -> None:
        """The next act; raises Already when there is one of that number."""
        words = f"the history of {note.game} has an entry {note.number} already"
        self._save(self._say.save_note, note, words)

    # reading and writing

    def _of_step(
        self,
        kind: type[V],
        everything: Prepared,
        of_step: Prepared,
        game: str,
        step: int | None,
    ) -> list[V]:
        if step is None:
            return self._values(kind, everything, {"game": game})
        return self._values(kind, of_step, {"game": game, "step": step})

    def _values(self, kind: type[V], statement: Prepared, given: Row) -> list[V]:
        return [msgspec.convert(row, kind) for row in self._rows(statement, given)]

    def _number(self, statement: Prepared, given: Row) -> int:
        rows = self._rows(statement, given)
        return int(rows[0]["number"]) if rows else 0

    def _rows(self, statement: Prepared, given: Row | None = None) -> list[Row]:
        if self._statement is not None and statement.touches(self._statement):
            self.flush()
        return statement.rows(self._connection, given or {})

    def _execute(self, statement: Executable, given: Row) -> Any:
        self._must_write()
        self.flush()
        return self._connection.execute(statement, given)

    def _save(self, statement: Prepared, value: msgspec.Struct, words: str) -> None:
        self._write(statement, [msgspec.structs.asdict(value)], words)

    def _write(self, statement: Prepared, rows: Sequence[Row], words: str) -> None:
        self._must_write()
        if statement is not self._statement:
            self.flush()
            self._statement = statement
        self._waiting.extend(rows)
        self._words.append(words)

    def _must_write(self) -> None:
        if not self._writable:
            raise RuntimeError("these books are open for reading; write in Store.writing()")

    def flush(self) -> None:
        """Writes what waits; raises Already when a row could not be what it should."""
        statement, rows, words = self._statement, self._waiting, self._words
        self._statement, self._waiting, self._words = None, [], []
        if statement is None:
            return
        try:
            written = statement.write(self._connection, rows)
        except IntegrityError as error:
            raise Already("; or ".join(words)) from error
        if written != len(rows):
            raise Already("; or ".join(words))


def _game(row: Mapping[str, Any], seats: Sequence[str]) -> Game:
    return msgspec.convert({**row, "seats": seats}, Game)


def _players(rows: Sequence[Row]) -> list[Player]:
    """A row for each address; players without one have a row that says None."""
    found: dict[str, Row] = {}
    for row in rows:
        address = row.pop("address")
        player = found.setdefault(row["name"], row | {"addresses": []})
        if address is not None:
            player["addresses"].append(address)
    return [msgspec.convert(player, Player) for player in found.values()]


def _game_row(game: Game) -> Row:
    row = msgspec.structs.asdict(game) | {"status": game.status.value}
    del row["seats"]
    return row
