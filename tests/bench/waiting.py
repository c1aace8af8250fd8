"""How often a game of Jump Gate stands still until somebody writes.

`python -m tests.bench.waiting`: four people play each game at the desk, by letters. They choose
orders as the bot does, from what they see; some also plan ahead (tests/bench/planning.py), list
what they would collect, mark and take, and want reports only when something is due. The same seeds
give the same games.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from msgspec import Struct, field
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.game import choose_orders
from adjudicator.desk.clock.tick import tick
from adjudicator.desk.model.values import Player
from tests.at_the_desk import missing_seats
from tests.bench.planning import BOT, Planner
from tests.desk.conftest import AT, GAME, Desk
from tests.desk.mailing import Mail
from tests.desk.post import Post

KINDS = ("jump-gate", "jump-gate-2010")
SEATS = {"red": "Ada", "blue": "Bo", "green": "Cleo", "yellow": "Dan"}
_SETTLE = 10
_COLUMNS = (
    "game",
    "interrupts",
    "plans",
    "turns",
    "waits",
    "a turn",
    "unasked",
    "letters",
    "points",
)


class Habits(Struct, frozen=True):
    """How the people of a game write."""

    plans: int
    """For how many turns to come they plan; those who do not, want every report."""
    interrupts: str = "policy"

    @property
    def wishes(self) -> Document:
        """How they like their letters; nobody here looks at them."""
        mails = "due" if self.plans else "each"
        return {"mails": mails, "format": "text", "pictures": False}


class Tally(Struct):
    """What games took."""

    games: int = 0
    turns: int = 0
    """Of all seats, each of which is one player's own."""
    waits: int = 0
    """Moments at which a game stood still until somebody wrote."""
    letters: Counter[str] = field(default_factory=Counter)
    """Letters to the players, by kind."""
    points: int = 0
    """Of all players at the end."""

    def add(self, other: "Tally") -> None:
        """Add what other games took."""
        self.games += other.games
        self.turns += other.turns
        self.waits += other.waits
        self.points += other.points
        self.letters.update(other.letters)

    @property
    def waits_a_turn(self) -> float:
        """How often a game stands still in a turn."""
        return self.waits / self.turns

    @property
    def unasked(self) -> float:
        """How many letters a player gets for each own turn, but for the receipts of own letters."""
        return (self.letters.total() - self.letters["receipt"]) / self.turns


class _Game:
    """One game, whose letters come in as people write them and go out as they fall due."""

    def __init__(self, desk: Desk, kind: str, habits: Habits, number: int) -> None:
        self._desk, self._habits, self._number = desk, habits, number
        with desk.store.writing() as books:
            for one in SEATS.values():
                person = Player(name=one, addresses=(_write_address(one),))
                books.save(replace(person, preferences=habits.wishes))
        desk.new(
            kind=kind,
            seats=SEATS,
            luck={},
            seed=seed_from_number(number),
            options={"interrupts": habits.interrupts},
            settings={"pace": "72h", "settle": f"{_SETTLE}m"},
        )
        self._post = Post(desk)
        self._mail = Mail(self._post)
        self._rules: Any = desk.library.kind(kind).rules

    def play(self) -> Tally:
        """Play it to its end."""
        waits = 0
        while self._desk.game().open_step is not None:
            self._mail.deliver()
            waits += 1
            for seat in self._list_missing():
                self._write(seat)
            self._mail.deliver()
            self._desk.later(minutes=_SETTLE)
            self._close()
        self._mail.deliver()
        return self._sum_up(waits)

    def _list_missing(self) -> tuple[Seat, ...]:
        return self._desk.see(lambda books: missing_seats(books, self._desk.library, GAME))

    def _close(self) -> None:
        """Let the clock do all that is due in one round."""
        goes_on = True
        while goes_on:
            boot = (self._desk.at - AT).total_seconds()
            closing = self._desk.act(tick, read_until=self._desk.at, boot=boot).closing
            assert closing is not None, "the game stands still although everybody has written"
            goes_on = closing.goes_on

    def _write(self, seat: Seat) -> None:
        """Write what is due from a seat, and what it plans."""
        view = self._rules.view(self._rules.load(self._desk.state()), seat)
        orders = choose_orders(self._rules, view, seat, self._roll("now"), BOT)
        block = {**(orders or {"pass": True}), **self._plan(view, seat, orders)}
        lines = [f"{key}: {json.dumps(value)}" for key, value in block.items()]
        arrival = self._post.write(*lines, seat=seat, sender=_write_address(SEATS[seat]))
        receipt = self._post.answer(arrival)
        assert (receipt["outcome"], receipt["ignored"]) == ("taken", []), f"{seat} wrote {lines}"

    def _plan(self, view: Any, seat: Seat, orders: Document) -> Document:
        if not self._habits.plans:
            return {}
        planner = Planner(self._rules, seat, self._habits.plans)
        amid = view.table.awaiting is not None
        plans = [] if amid else planner.list_plans(view, orders, self._roll)
        return {"standing": planner.list_standing(view), **({"ahead": plans} if plans else {})}

    def _roll(self, label: str) -> Dice:
        key = derive_dice_key(seed_from_number(self._number))
        return Dice(key, f"{self._desk.step().name}-{label}")

    def _sum_up(self, waits: int) -> Tally:
        steps = self._desk.see(lambda books: books.steps(GAME))
        table = self._rules.load(decode(steps[-1].state or b"")).table
        sent = [one for one in self._desk.letters() if one.status == "sent"]
        return Tally(
            games=1,
            turns=table.turn,
            waits=waits,
            letters=Counter(one.kind for one in sent if one.seat in SEATS),
            points=sum(table.over.scores.values()),
        )


def _write_address(name: str) -> str:
    return f"{name.lower()}@example.org"


def measure(kind: str, habits: Habits, numbers: Iterable[int]) -> Tally:
    """Play the games of these numbers, and add up what they took."""
    whole, library = Tally(), FolderLibrary()
    for number in numbers:
        with TemporaryDirectory() as folder, open_store(Path(folder) / "adjudicator.db") as store:
            whole.add(_Game(Desk(store, library), kind, habits, number).play())
    return whole


def _list_cells(kind: str, habits: Habits, tally: Tally) -> Iterator[str]:
    yield from (kind, habits.interrupts, f"{habits.plans} ahead" if habits.plans else "none")
    yield f"{tally.turns / tally.games:.1f}"
    yield f"{tally.waits / tally.games:.1f}"
    yield f"{tally.waits_a_turn:.2f}"
    yield f"{tally.unasked:.2f}"
    yield f"{tally.letters.total() / tally.turns:.2f}"
    yield f"{tally.points / tally.games / len(SEATS):.1f}"


@click.command()
@click.option("--games", default=12, show_default=True, help="So many games each.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), default=KINDS)
@click.option("--interrupts", "ways", multiple=True, default=("policy", "ask"), show_default=True)
@click.option("--plans", multiple=True, default=(0, 1, 2), show_default=True)
def main(games: int, kinds: tuple[str, ...], ways: tuple[str, ...], plans: tuple[int, ...]) -> None:
    """Print turns and waits of a game, and what each player's own turn takes.

    Waits a turn; letters that a player gets, without and with receipts; points at the end.
    """
    click.echo("".join(f"{one:>15}" for one in _COLUMNS))
    for kind, way, ahead in product(kinds, ways, plans):
        habits = Habits(ahead, way)
        tally = measure(kind, habits, range(1, games + 1))
        click.echo("".join(f"{one:>15}" for one in _list_cells(kind, habits, tally)))


if __name__ == "__main__":
    main()
