"""The game under test, found by its kind, its package or its checkout, and games of it played."""

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from adjudicator.adapters.games.checkout import open_checkout
from adjudicator.adapters.games.library import FolderKind, FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.events import Event
from adjudicator.core.game import AnyRules, Over
from adjudicator.desk.model.errors import Refused, Unknown

BOT: Final = "bot"
LEGAL: Final = "legal"
LONGEST = 3000
"""Steps after which a game that goes on is said to have no end."""
CUT = 100
"""Steps of a game that need not be played to its end."""


class NonConformanceError(Exception):
    """A game does not keep a promise; the message names the first thing that differs."""


class PlayedStep(Struct, frozen=True, kw_only=True):
    """One step as it was adjudicated."""

    number: int
    before: Any
    orders: Mapping[Seat, Document]
    forms: Mapping[Seat, str]
    dice: Dice
    after: Any
    events: Sequence[Event]


class PlayedGame(Struct, frozen=True, kw_only=True):
    """A game that was played, and by whom."""

    what: str
    """`game 3 (4 seats, legal)`"""
    seats: tuple[Seat, ...]
    start: Any
    steps: Sequence[PlayedStep]
    cut: bool
    """Whether it was stopped before its end."""


class Subject:
    """A kind of game under test; the games that are played of it are played once."""

    def __init__(self, library: FolderLibrary, kind: FolderKind, games: int) -> None:
        self.library = library
        self.kind = kind
        self.games = games

    @property
    def rules(self) -> AnyRules:
        """The rules of the kind."""
        return self.kind.rules

    @cached_property
    def played(self) -> tuple[PlayedGame, ...]:
        """Games between bots, at random and mixed; the first two go to their end."""
        return tuple(self._play(number) for number in range(max(2, self.games)))

    def sample(self, most: int) -> Iterator[tuple[PlayedGame, PlayedStep]]:
        """Of each game at most so many steps, spread over it."""
        for game in self.played:
            every = max(1, -(-len(game.steps) // most))
            for step in game.steps[::every]:
                yield game, step

    def _play(self, number: int) -> PlayedGame:
        kind, choice = self.kind, Dice(b"conform", str(number)).draw("players")
        spread = range(kind.smallest, kind.largest + 1)
        who = ((BOT,), (LEGAL,), (LEGAL, BOT))[number % 3]
        players = spread[-1 - number % len(spread)] if who != (LEGAL,) else kind.smallest
        seats = tuple(kind.seats[:players])
        cut = CUT if who == (LEGAL, BOT) else LONGEST
        roles = {seat: who[choice.below(len(who))] for seat in seats}
        key = derive_dice_key(seed_from_number(number))
        options, start = self._set_up(number, seats, Dice(key, "0-setup"))
        what = f"game {number} ({players} seats, {' and '.join(who)}, options {options})"
        steps = tuple(play_steps(self.rules, start, key, roles, cut))
        over = isinstance(self.rules.due(steps[-1].after if steps else start), Over)
        if not over and cut == LONGEST:
            raise NonConformanceError(f"{what}: no end after {LONGEST} steps")
        return PlayedGame(what=what, seats=seats, start=start, steps=steps, cut=not over)

    def _set_up(self, number: int, seats: tuple[Seat, ...], dice: Dice) -> tuple[Document, Any]:
        """The defaults in the first three games, then options at random that can be."""
        for given in [self._options(number), {}] if number > 2 else [{}]:
            try:
                options = self.kind.options(given, seats)
                return dict(given), self.rules.setup(options, seats, dice)
            except Impossible as wrong:
                if not given:
                    raise NonConformanceError(f"the default options: {wrong}") from wrong
        raise AssertionError

    def _options(self, number: int) -> Document:
        draw = Dice(b"conform", str(number)).draw("options")
        found: dict[str, Any] = {}
        for name, schema in self.kind.beside("options").schema.get("properties", {}).items():
            values = _possible(schema)
            if values and draw.below(2):
                found[name] = draw.choice(values)
        return found


def _possible(schema: Document) -> Sequence[Any]:
    """Some values that an option can have."""
    if "enum" in schema:
        return [value for value in schema["enum"] if value is not None]
    if schema.get("type") == "boolean":
        return [True, False]
    if schema.get("type") == "integer" and "maximum" in schema:
        return [schema.get("minimum", 0), schema["maximum"]]
    return []


def play_steps(
    rules: AnyRules, state: Any, key: bytes, roles: Mapping[Seat, str], most: int
) -> Iterator[PlayedStep]:
    """Play on from a state until the game is over, or for so many steps."""
    for number in range(1, most + 1):
        due = rules.due(state)
        if isinstance(due, Over):
            return
        forms = {seat: owed.form for seat, owed in due.items()}
        if not forms:
            raise NonConformanceError(f"step {number}: nobody owes orders, and it is not over")
        dice = Dice(key, f"{number}-{next(iter(forms.values()))}")
        orders = {
            seat: (rules.bot if roles[seat] == BOT else rules.legal)(
                rules.view(state, seat), seat, dice
            )
            for seat in due
        }
        after, events = rules.resolve(state, orders, dice)
        yield PlayedStep(
            number=number,
            before=state,
            orders=orders,
            forms=forms,
            dice=dice,
            after=after,
            events=events,
        )
        state = after


def find_subjects(module: str, games: int) -> tuple[Subject, ...]:
    """The kinds that are meant: by name, by the package that plays them, or by their checkout."""
    path = Path(module)
    if path.is_dir() and not (path / "__init__.py").is_file():
        library, kinds = open_checkout(path)
    else:
        library, kinds = _installed(module, path)
    return tuple(Subject(library, library.kind(kind), games) for kind in kinds)


def _installed(module: str, path: Path) -> tuple[FolderLibrary, Sequence[str]]:
    library = FolderLibrary()
    if module in library.kinds():
        return library, [module]
    if path.is_dir():
        sys.path.insert(0, str(path.resolve().parent))
        module = path.resolve().name
    try:
        package = importlib.import_module(module)
    except (ImportError, ValueError):
        known = ", ".join(library.kinds())
        raise Unknown(
            f'"{module}" is no kind of game ({known}), no package that can be imported, and no '
            "folder of a checkout"
        ) from None
    kinds = tuple(getattr(package, "GAMES", ()))
    if not kinds:
        raise Refused(f"{module}: the package has no GAMES; they name its kinds and who plays them")
    return FolderLibrary(packages=[package]), kinds
