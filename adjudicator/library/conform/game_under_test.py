"""The game under test, found by its kind, its package or its checkout, and games of it played."""

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from adjudicator.adapters.games.checkout import open_checkout
from adjudicator.adapters.games.library import FolderKind, FolderLibrary
from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.core.game import AnyRules
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.library.game import GameKind, GameState

BOT_ROLE: Final = "bot"
LEGAL_ROLE: Final = "legal"
LONGEST = 3000
"""Steps after which a game that goes on is said to have no end."""
CUT = 100
"""Steps of a game that need not be played to its end."""


class NonConformanceError(Exception):
    """A game does not keep a promise; the message names the first thing that differs."""


class PlayedStep(Struct, frozen=True, kw_only=True):
    """One step as it was adjudicated: the game before it and after it."""

    what: str
    """`game 3 (4 seats, legal), step 5`"""
    opened: GameState
    closed: GameState

    @property
    def before(self) -> Any:
        """The state in which the orders were given."""
        return self.opened.position

    @property
    def after(self) -> Any:
        """The state that came out."""
        return self.closed.position

    @property
    def orders(self) -> Mapping[Seat, Document]:
        """What was executed."""
        return self.closed.executed


class PlayedGame(Struct, frozen=True, kw_only=True):
    """A game that was played, and by whom."""

    what: str
    """`game 3 (4 seats, legal)`"""
    start: GameState
    steps: Sequence[PlayedStep]

    @property
    def end(self) -> GameState:
        """The game as it ended, or was cut."""
        return self.steps[-1].closed if self.steps else self.start

    def sample(self, most: int) -> Sequence[PlayedStep]:
        """Choose at most this many of its steps, spread over it."""
        return self.steps[:: max(1, -(-len(self.steps) // most))]


class Subject:
    """A kind of game under test; the games that are played of it are played once."""

    def __init__(self, library: FolderLibrary, kind: FolderKind, games: int) -> None:
        self.library = library
        self.kind = kind
        self.games = games
        self.playable = GameKind(kind.kind, kind, library)

    @property
    def rules(self) -> AnyRules:
        """The rules of the kind."""
        return self.kind.rules

    @cached_property
    def played(self) -> tuple[PlayedGame, ...]:
        """Games by bots, by random orders and by both; the first two go to their end."""
        return tuple(self._play(number) for number in range(max(2, self.games)))

    @property
    def steps(self) -> list[PlayedStep]:
        """Every step of every game."""
        return [step for game in self.played for step in game.steps]

    def sample(self, most: int) -> list[PlayedStep]:
        """Choose at most this many steps of each game."""
        return [step for game in self.played for step in game.sample(most)]

    def _play(self, number: int) -> PlayedGame:
        kind, choice = self.kind, Dice(b"conform", str(number)).draw("players")
        spread = range(kind.smallest, kind.largest + 1)
        who = ((BOT_ROLE,), (LEGAL_ROLE,), (LEGAL_ROLE, BOT_ROLE))[number % 3]
        players = spread[-1 - number % len(spread)] if who != (LEGAL_ROLE,) else kind.smallest
        roles = {seat: who[choice.below(len(who))] for seat in kind.seats[:players]}
        options, start = self._set_up(number, players)
        what = f"game {number} ({players} seats, {' and '.join(who)}, options {options})"
        cut = CUT if who == (LEGAL_ROLE, BOT_ROLE) else LONGEST
        game = PlayedGame(what=what, start=start, steps=tuple(play_on(what, start, roles, cut)))
        if cut == LONGEST and not game.end.over:
            raise NonConformanceError(f"{what}: no end after {LONGEST} steps")
        return game

    def _set_up(self, number: int, players: int) -> tuple[Document, GameState]:
        """Set up the first three games with default options, then others with random valid ones."""
        if number > 2:
            options = self._options(number)
            with suppress(Refused):
                return options, self.playable.new(seed=number, seats=players, options=options)
        try:
            return {}, self.playable.new(seed=number, seats=players)
        except Refused as wrong:
            raise NonConformanceError(f"the default {wrong}") from wrong

    def _options(self, number: int) -> Document:
        draw = Dice(b"conform", str(number)).draw("options")
        options: dict[str, Any] = {}
        for name, schema in self.kind.form("options").schema.get("properties", {}).items():
            values = _list_possible_values(schema)
            if values and draw.below(2):
                options[name] = draw.choice(values)
        return options


def _list_possible_values(schema: Document) -> Sequence[Any]:
    """List some values that an option can have."""
    if "enum" in schema:
        return [value for value in schema["enum"] if value is not None]
    if schema.get("type") == "boolean":
        return [True, False]
    if schema.get("type") == "integer" and "maximum" in schema:
        return [schema.get("minimum", 0), schema["maximum"]]
    return []


def play_on(
    what: str, game: GameState, roles: Mapping[Seat, str], most: int
) -> Iterator[PlayedStep]:
    """Play on until the game is over, or for this many steps."""
    while not game.over and game.number < most:
        step = f"{what}, step {game.number + 1}"
        if not game.due:
            raise NonConformanceError(f"{step}: nobody owes orders, and it is not over")
        orders = {s: game.bot(s) if roles[s] == BOT_ROLE else game.legal(s) for s in game.due}
        after = game.advance(orders)
        yield PlayedStep(what=step, opened=game, closed=after)
        game = after


def find_subjects(module: str, games: int) -> tuple[Subject, ...]:
    """Find the kinds by name, by the package that plays them, or by their checkout."""
    path = Path(module)
    if path.is_dir() and not (path / "__init__.py").is_file():
        library, kinds = open_checkout(path)
    else:
        library, kinds = _find_installed(module, path)
    return tuple(Subject(library, library.kind(kind), games) for kind in kinds)


def _find_installed(module: str, path: Path) -> tuple[FolderLibrary, Sequence[str]]:
    library = FolderLibrary()
    if module in library.kinds():
        return library, [module]
    if path.is_dir():
        sys.path.insert(0, str(path.resolve().parent))
        module = path.resolve().name
    try:
        package = importlib.import_module(module)
    except (ImportError, ValueError):
        shipped = ", ".join(library.kinds())
        raise Unknown(
            f'"{module}" is not a kind of game ({shipped}), a package that can be imported, or a '
            "folder of a checkout"
        ) from None
    kinds = tuple(getattr(package, "GAMES", ()))
    if not kinds:
        raise Refused(f"{module}: the package has no GAMES; they name its kinds and who plays them")
    return FolderLibrary(packages=[package]), kinds
