"""The books of the desk inside one transaction."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from adjudicator.adapters.store.people import PeopleBooks
from adjudicator.adapters.store.post import PostBooks
from adjudicator.adapters.store.prepared import Prepared
from adjudicator.adapters.store.rows import Row
from adjudicator.adapters.store.trouble import DamagedRowError
from adjudicator.core.chain import Link
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.values import Game, HistoryNote, LastReport, OrderSet, Paper, Step


class SqlBooks(PostBooks, PeopleBooks):
    """Implements desk.ports.Books."""

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
        if game not in self._locked:  # until it is, whatever was read may have changed
            self._seen.clear()
            self._locked.add(game)
        found = self._game(self._say.locked, game)
        self._seen[(self._say.game, Game, game)] = found
        return found

    def _game(self, statement: Prepared, game: str) -> Game:
        place = (statement, Game, game)
        if place not in self._seen:
            rows = self._rows(statement, game=game)
            if not rows:
                raise Unknown(f"there is no game called {game}; `adjudicator games` lists them")
            self._seen[place] = _game(rows[0], self._seats(game))
        found: Game = self._seen[place]
        return found

    def _seats(self, game: str) -> tuple[str, ...]:
        """Read once: who else would change them waits for the lock on the game."""
        if game not in self._known_seats:
            rows = self._rows(self._say.seats, game=game)
            self._known_seats[game] = tuple(map(itemgetter("seat"), rows))
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
        if self._change(self._say.save_game, [row]) != 1:
            raise Unknown(f"there is no game called {game.id}; add it first")
        if self._seats(game.id) != game.seats:
            self._execute(self._say.clear_seats, {"game": game.id})
            self._write_seats(game)

    def delete_game(self, game: str) -> None:
        """Every row of the game, in every table."""
        for statement in self._say.delete_game:
            self._execute(statement, {"game": game})
        self._known_seats.pop(game, None)

    def _write_seats(self, game: Game) -> None:
        self._known_seats[game.id] = game.seats
        rows = [
            {"game": game.id, "seat": seat, "position": position}
            for position, seat in enumerate(game.seats)
        ]
        if rows:
            self._write(self._say.save_seat, rows, f"{game.id} has a seat twice: {game.seats}")

    # steps and orders

    def steps(self, game: str) -> Sequence[Step]:
        """By number, struck ones too."""
        return self._values(Step, self._say.steps, game=game)

    def step_names(self, game: str) -> Sequence[str]:
        """By number; far less to read than the steps themselves."""
        rows = self._rows(self._say.step_names, game=game)
        return [f"{row['number']}-{row['phase']}" for row in rows]

    def step(self, game: str, number: int) -> Step:
        """One step; raises Unknown."""
        found = self._value(Step, self._say.step, game=game, number=number)
        if found is None:
            raise Unknown(
                f"there is no step {number} in {game}; `adjudicator history {game}` lists them"
            )
        return found

    def save_step(self, step: Step) -> None:
        """A step, opened, changed or closed; raises Already when it was closed otherwise."""
        words = f"step {step.name} of {step.game} is closed already; roll it back to change it"
        self._save(self._say.save_step, step, words)

    def orders(self, game: str, step: int | None = None) -> Sequence[OrderSet]:
        """Every version, by seat in the game's order, step and number."""
        if step is None:
            return self._values(OrderSet, self._say.orders, game=game)
        return self._values(OrderSet, self._say.orders_of_step, game=game, step=step)

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
        if step is None:
            return self._values(Paper, self._say.papers, game=game)
        return self._values(Paper, self._say.papers_of_step, game=game, step=step)

    def last_reports(self, game: str) -> Mapping[str, LastReport]:
        """By seat: what its next report follows."""
        found = self._values(LastReport, self._say.last_reports, game=game)
        return {one.seat: one for one in found}

    def save_paper(self, paper: Paper) -> None:
        """A document; raises Already when the seat has one of that number."""
        words = f"{paper.game} has a report {paper.number} for {paper.seat or 'the public'} already"
        self._save(self._say.save_paper, paper, words)

    # the record

    def links(self, game: str) -> Sequence[Link]:
        """The chain from its beginning."""
        return self._values(Link, self._say.links, game=game)

    def last_link(self, game: str) -> Link | None:
        """The newest link, if there is one."""
        return self._value(Link, self._say.last_link, game=game)

    def save_link(self, game: str, link: Link) -> None:
        """The next link; raises Already when there is one of that number."""
        words = f"the chain of {game} has a link {link.number} already"
        row = msgspec.structs.asdict(link) | {"game": game}
        self._write(self._say.save_link, [row], words)

    def notes(self, game: str) -> Sequence[HistoryNote]:
        """By number."""
        return self._values(HistoryNote, self._say.notes, game=game)

    def last_note(self, game: str) -> int:
        """The number of the latest note; 0 for none."""
        return self._number(self._say.last_note, game=game)

    def save_note(self, note: HistoryNote) -> None:
        """The next act; raises Already when there is one of that number."""
        words = f"the history of {note.game} has an entry {note.number} already"
        self._save(self._say.save_note, note, words)


def _game(row: Mapping[str, Any], seats: Sequence[str]) -> Game:
    try:
        return msgspec.convert({**row, "seats": seats}, Game)
    except msgspec.ValidationError as error:
        raise DamagedRowError(["games"]) from error


def _game_row(game: Game) -> Row:
    row = msgspec.structs.asdict(game) | {"status": game.status.value}
    del row["seats"]
    return row
