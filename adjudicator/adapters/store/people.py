"""The books of the people: players, their addresses and seats, press, absences, sign-ups."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from adjudicator.adapters.store.rows import RowAccess, RowValues
from adjudicator.desk.model.values import Absence, Address, Observer, Player, Press, Seating, Signup


class PeopleBooks(RowAccess):
    """Players, addresses, seatings, press, absences, observers, signups."""

    def players(self) -> Sequence[Player]:
        """Everybody, by name."""
        return tuple(_players(self._rows(self._say.players)).values())

    def people(self, game: str) -> Mapping[str, Player]:
        """Whoever has had a seat in a game, by name."""
        place = (self._say.people, Player, game)
        if place not in self._seen:
            self._seen[place] = _players(self._rows(self._say.people, game=game))
        found: Mapping[str, Player] = self._seen[place]
        return found

    def player(self, name: str) -> Player | None:
        """The player of this name, if there is one."""
        return _players(self._rows(self._say.player, name=name)).get(name)

    def save_player(self, player: Player) -> None:
        """A player, new or changed, with all addresses; marks of those that stay are kept."""
        row = msgspec.structs.asdict(player)
        addresses = row.pop("addresses")
        known = {one.address: one for one in self.addresses(player.name)}
        self._write(self._say.save_player, [row], f"player {player.name}")
        marked = [known.get(a) or Address(player=player.name, address=a) for a in addresses]
        if marked != list(known.values()):
            self._rewrite(player.name, marked)

    def addresses(self, player: str) -> Sequence[Address]:
        """In the player's order, with what is known of each."""
        return self._values(Address, self._say.addresses, name=player)

    def save_address(self, address: Address) -> None:
        """What is known of an address; a new one is the player's last."""
        known = {one.address: one for one in self.addresses(address.player)}
        self._rewrite(address.player, list((known | {address.address: address}).values()))

    def _rewrite(self, player: str, addresses: Sequence[Address]) -> None:
        self._execute(self._say.clear_addresses, {"name": player})
        rows = [
            {**msgspec.structs.asdict(one), "position": position}
            for position, one in enumerate(addresses)
        ]
        if rows:
            self._write(self._say.add_address, rows, f"{player} has an address twice")

    def holders(self, address: str) -> Sequence[str]:
        """The names of the players who have this address."""
        rows = self._rows(self._say.holders, address=address)
        return [row["player"] for row in rows]

    def seatings(self, game: str) -> Sequence[Seating]:
        """By seat, in the game's order, and number."""
        return self._values(Seating, self._say.seatings, game=game)

    def save_seating(self, seating: Seating) -> None:
        """A seating, new or changed."""
        self._save(self._say.save_seating, seating, f"seat {seating.seat} of {seating.game}")

    # what they wish

    def press(self, game: str) -> Sequence[Press]:
        """By number."""
        return self._values(Press, self._say.press, game=game)

    def save_press(self, press: Press) -> None:
        """The next message; raises Already when there is one of that number."""
        words = f"{press.game} has a message {press.number} already"
        self._save(self._say.save_press, press, words)

    def absences(self, game: str) -> Sequence[Absence]:
        """By seat, in the game's order, and number."""
        return self._values(Absence, self._say.absences, game=game)

    def save_absence(self, absence: Absence) -> None:
        """An absence, new or changed."""
        self._save(self._say.save_absence, absence, f"absence of {absence.seat}")

    def observers(self, game: str) -> Sequence[Observer]:
        """By address, those who left too."""
        return self._values(Observer, self._say.observers, game=game)

    def save_observer(self, observer: Observer) -> None:
        """An observer, new or changed."""
        self._save(self._say.save_observer, observer, f"observer {observer.address}")

    def signups(self, game: str) -> Sequence[Signup]:
        """In the order in which they were asked."""
        return self._values(Signup, self._say.signups, game=game)

    def save_signup(self, signup: Signup) -> None:
        """A wish to play, new or changed."""
        self._save(self._say.save_signup, signup, f"{signup.name}'s request to play")


def _players(rows: Sequence[RowValues]) -> dict[str, Player]:
    """A row for each address; players without one have a row that says None."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        player = found.setdefault(row["name"], {**row, "addresses": []})
        if row["address"] is not None:
            player["addresses"].append(row["address"])
    return msgspec.convert(found, dict[str, Player])
