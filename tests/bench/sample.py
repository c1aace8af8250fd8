"""Every other kind of game: a whole game between bots is its sample."""

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Orders
from adjudicator.core.game import Over
from adjudicator.desk.model.ports import Kind
from tests.bench import table
from tests.bench.books import Desk
from tests.bench.measures import cpu_milliseconds, fingerprint, milliseconds, seconds
from tests.bench.rules import Choose, Midgame, Ordered, game

SEED = 1
GAMES = 5
"""So many are played in a row, with other dice each time."""


class _Step(Struct, frozen=True):
    """A step of the sample, before it is adjudicated."""

    name: str
    state: Any
    orders: Orders
    dice: Dice


class Sample:
    """A game of the kind, its steps, and a home in which the one in the middle is open."""

    def __init__(self, kind: Kind, folder: Path, players: int) -> None:
        self._rules = kind.rules
        self._seats = tuple(kind.seats[: min(max(players, kind.smallest), kind.largest)])
        self._options = kind.options({}, self._seats)
        self._steps = tuple(self._played())
        self._documents = [kind.rules.dump(step.state) for step in self._steps]
        middle = self._steps[len(self._steps) // 2]
        ordered = Ordered(middle.name, middle.orders)
        position = Midgame(kind.rules, seed_from_number(SEED), middle.state, (ordered,))
        self._desk = Desk(folder, position, ordered.phase)
        self._numbers = count()

    def _played(self) -> Iterator[_Step]:
        rules, key = self._rules, derive_dice_key(seed_from_number(SEED))
        state = rules.setup(self._options, self._seats, Dice(key, "0-setup"))
        for number in count(1):
            due = rules.due(state)
            if isinstance(due, Over):
                return
            name = f"{number}-{next(iter(due.values())).form}"
            dice = Dice(key, name)
            orders = {seat: rules.bot(rules.view(state, seat), seat, dice) for seat in due}
            yield _Step(name, state, orders, dice)
            state, _ = rules.resolve(state, orders, dice)

    def measure(self) -> Mapping[str, float]:
        """A step, what the standard library takes for its state, a receipt, and so on."""
        steps, kind = len(self._steps), self._rules.kind
        imagined = steps * len(self._seats)
        return {
            table.of_kind(table.KIND_FLOOR, kind): milliseconds(self._fingerprints) / steps,
            table.of_kind(table.KIND_STEP, kind): milliseconds(self._resolved) / steps,
            table.of_kind(table.RECEIPT, kind): self._desk.receipt(),
            table.of_kind(table.IMAGINED, kind): cpu_milliseconds(self._imagine) / imagined,
            table.of_kind(table.KIND_GAMES, kind): 1 / seconds(self._random, GAMES),
            table.of_kind(table.KIND_BOTS, kind): 1 / seconds(self._bots, GAMES),
        }

    def _fingerprints(self) -> None:
        for document in self._documents:
            fingerprint(document)

    def _resolved(self) -> None:
        for step in self._steps:
            self._rules.resolve(step.state, step.orders, step.dice)

    def _imagine(self) -> None:
        """What everybody imagines before each step."""
        for step in self._steps:
            for seat in self._seats:
                view = self._rules.view(step.state, seat)
                self._rules.imagine(view, seat, step.dice)

    def _random(self) -> None:
        self._game(self._rules.legal)

    def _bots(self) -> None:
        self._game(self._rules.bot)

    def _game(self, choose: Choose) -> None:
        game(self._rules, self._seats, self._options, choose, next(self._numbers))
