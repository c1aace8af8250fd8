"""The books of the desk inside one transaction."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from adjudicator.adapters.store import statements as say
from adjudicator.adapters.store.letter_books import LetterBooks
from adjudicator.adapters.store.rows import Row
from adjudicator.core.chain import Link
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.values import (
    Absence,
    Address,
    Epoch,
    Game,
    Head,
    HistoryNote,
    LastReport,
    Observer,
    OrderSet,
    Paper,
    Player,
    Press,
    Seating,
    Signup,
    Step,
)


class SqlBooks(LetterBooks):
    """Implements desk.ports.Books."""

    # games and seats

    def games(self) -> Sequence[Game]:
        """All of them, by name."""
        return self._values(say.GAMES)

    def game_names(self) -> Sequence[str]:
        """Of all games, in order, whatever else can be read of them."""
        return [row["id"] for row in self._values(say.GAME_NAMES)]

    def game(self, game: str) -> Game:
        """The game; raises Unknown."""
        found = self._value(say.GAME, game=game)
        if found is None:
            raise Unknown(f"there is no game called {game}; `adjudicator games` lists them")
        return found

    def locked(self, game: str) -> Game:
        """The game with its row locked until the transaction ends; raises Unknown."""
        if game not in self._locked:  # until it is, whatever was read may have changed
            self._seen.clear()
            self._values(say.LOCK, game=game)
            self._locked.add(game)
        return self.game(game)

    def add_game(self, game: Game) -> None:
        """A new game; raises Already when the name is taken."""
        words = f"there is already a game called {game.id}; choose another name"
        self._write(say.ADD_GAME, [_game_row(game)], words)
        self._write_seats(game)

    def save_game(self, game: Game) -> None:
        """What changed in a game that is there."""
        before = self.game(game.id)
        self._change(say.CHANGE_GAME, _game_row(game))
        if before.seats != game.seats:
            self._change(say.CLEAR_SEATS, {"game": game.id})
            self._write_seats(game)

    def delete_game(self, game: str) -> None:
        """Every row of the game, in every table."""
        for statement in say.DELETE_GAME:
            self._change(statement, {"game": game})
        self.moved[game] = None

    def _write_seats(self, game: Game) -> None:
        rows = [
            {"game": game.id, "seat": seat, "position": position}
            for position, seat in enumerate(game.seats)
        ]
        if rows:
            self._write(say.ADD_SEAT, rows, f"{game.id} has a seat twice: {game.seats}")

    # steps and orders

    def steps(self, game: str) -> Sequence[Step]:
        """By number, struck ones too."""
        return self._values(say.STEPS, game=game)

    def step_names(self, game: str) -> Sequence[str]:
        """By number; far less to read than the steps themselves."""
        rows = self._values(say.STEP_NAMES, game=game)
        return [f"{row['number']}-{row['phase']}" for row in rows]

    def step(self, game: str, number: int) -> Step:
        """One step; raises Unknown."""
        found = self._value(say.STEP, game=game, number=number)
        if found is None:
            raise Unknown(
                f"there is no step {number} in {game}; `adjudicator history {game}` lists them"
            )
        return found

    def save_step(self, step: Step) -> None:
        """A step, opened, changed or closed; raises Already when it was closed otherwise."""
        words = f"step {step.name} of {step.game} is already closed; roll it back to change it"
        self._save(step, words)

    def orders(self, game: str, step: int | None = None) -> Sequence[OrderSet]:
        """Every version, by seat in the game's order, step and number."""
        if step is None:
            return self._values(say.ORDERS, game=game)
        return self._values(say.ORDERS_OF_STEP, game=game, step=step)

    def save_orders(self, orders: OrderSet) -> None:
        """A set, new or moved on; raises Already when other orders have its number."""
        words = (
            f"{orders.game} has other orders of {orders.seat} on file as number {orders.number}"
            f" of step {orders.step}"
        )
        self._save(orders, words)

    # what went out

    def papers(self, game: str, step: int | None = None) -> Sequence[Paper]:
        """The public's first, then by seat in the game's order; by number."""
        if step is None:
            return self._values(say.PAPERS, game=game)
        return self._values(say.PAPERS_OF_STEP, game=game, step=step)

    def last_reports(self, game: str) -> Mapping[str, LastReport]:
        """By seat: what its next report follows."""
        return {one.seat: one for one in self._values(say.LAST_REPORTS, game=game)}

    def save_paper(self, paper: Paper) -> None:
        """A document; raises Already when the seat has one of that number."""
        words = f"{paper.game} has a report {paper.number} for {paper.seat or 'the public'} already"
        self._save(paper, words)

    # the record

    def epoch(self, game: str = "") -> int:
        """The one that a game lives in; of no game, or none that is there, the newest."""
        if game and (found := self._value(say.GAME, game=game)):
            return found.epoch
        newest = self.last_epoch()
        return newest.number if newest else 1

    def last_epoch(self) -> Epoch | None:
        """The newest that was written down; None before the first game."""
        return self._value(say.LAST_EPOCH)

    def save_epoch(self, epoch: Epoch) -> None:
        """An epoch, new or with another secret."""
        self._save(epoch, f"epoch {epoch.number}")

    def heads(self) -> Mapping[str, Head]:
        """Where the chain of each game ends, by its name; those that have one."""
        rows = self._values(say.HEADS)
        return {row.pop("game"): Head(**row) for row in map(dict, rows) if row["digest"]}

    def links(self, game: str) -> Sequence[Link]:
        """The chain from its beginning."""
        return self._values(say.LINKS, game=game)

    def last_link(self, game: str) -> Link | None:
        """The newest link, if there is one."""
        return self._value(say.LAST_LINK, game=game)

    def save_link(self, game: str, link: Link) -> None:
        """The next link; raises Already when there is one of that number."""
        self._save(link, f"the chain of {game} has a link {link.number} already", game=game)
        self.moved[game] = link

    def notes(self, game: str) -> Sequence[HistoryNote]:
        """By number."""
        return self._values(say.NOTES, game=game)

    def last_note(self, game: str) -> int:
        """The number of the latest note; 0 for none."""
        return self._number(say.LAST_NOTE, game=game)

    def save_note(self, note: HistoryNote) -> None:
        """The next act; raises Already when there is one of that number."""
        self._save(note, f"the history of {note.game} has an entry {note.number} already")

    # people

    def players(self) -> Sequence[Player]:
        """Everybody, by name."""
        return self._values(say.PLAYERS)

    def people(self, game: str) -> Mapping[str, Player]:
        """Whoever has had a seat in a game, by name."""
        return {one.name: one for one in self._values(say.PEOPLE, game=game)}

    def player(self, name: str) -> Player | None:
        """The player of this name, if there is one."""
        return self._value(say.PLAYER, name=name)

    def save_player(self, player: Player) -> None:
        """A player, new or changed, with all addresses; marks of those that stay are kept."""
        row = asdict(player)
        addresses = row.pop("addresses")
        known = {one.address: one for one in self.addresses(player.name)}
        self._write(say.SAVE[Player], [row], f"player {player.name}")
        marked = [known.get(a) or Address(player=player.name, address=a) for a in addresses]
        if marked != list(known.values()):
            self._rewrite(player.name, marked)

    def addresses(self, player: str) -> Sequence[Address]:
        """In the player's order, with what is known of each."""
        return self._values(say.ADDRESSES, player=player)

    def save_address(self, address: Address) -> None:
        """What is known of an address; a new one is the player's last."""
        known = {one.address: one for one in self.addresses(address.player)}
        self._rewrite(address.player, list((known | {address.address: address}).values()))

    def _rewrite(self, player: str, addresses: Sequence[Address]) -> None:
        self._change(say.CLEAR_ADDRESSES, {"player": player})
        rows = [{**asdict(one), "position": position} for position, one in enumerate(addresses)]
        if rows:
            self._write(say.ADD_ADDRESS, rows, f"{player} has an address twice")

    def holders(self, address: str) -> Sequence[str]:
        """The names of the players who have this address."""
        return [one.player for one in self._values(say.HOLDERS, address=address)]

    def seatings(self, game: str) -> Sequence[Seating]:
        """By seat, in the game's order, and number."""
        return self._values(say.SEATINGS, game=game)

    def save_seating(self, seating: Seating) -> None:
        """A seating, new or changed."""
        self._save(seating, f"seat {seating.seat} of {seating.game}")

    # requests

    def press(self, game: str) -> Sequence[Press]:
        """By number."""
        return self._values(say.PRESS, game=game)

    def save_press(self, press: Press) -> None:
        """The next message; raises Already when there is one of that number."""
        self._save(press, f"{press.game} has a message {press.number} already")

    def absences(self, game: str) -> Sequence[Absence]:
        """By seat, in the game's order, and number."""
        return self._values(say.ABSENCES, game=game)

    def save_absence(self, absence: Absence) -> None:
        """An absence, new or changed."""
        self._save(absence, f"absence of {absence.seat}")

    def observers(self, game: str) -> Sequence[Observer]:
        """By address, those who left too."""
        return self._values(say.OBSERVERS, game=game)

    def save_observer(self, observer: Observer) -> None:
        """An observer, new or changed."""
        self._save(observer, f"observer {observer.address}")

    def signups(self, game: str) -> Sequence[Signup]:
        """In the order in which they were asked."""
        return self._values(say.SIGNUPS, game=game)

    def save_signup(self, signup: Signup) -> None:
        """A wish to play, new or changed."""
        self._save(signup, f"{signup.name}'s request to play")


def _game_row(game: Game) -> Row:
    row = asdict(game) | {"status": game.status.value}
    del row["seats"]
    return row
