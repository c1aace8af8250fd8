"""A game as a value: what is due, what a seat may know, the game after the next step, reports."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderKind, FolderLibrary
from adjudicator.adapters.yaml.reader import Unreadable, parse_yaml
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Impossible, Seat, decode, digest, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.fault_messages import format_finding
from adjudicator.core.forms.reading import Reading, Text
from adjudicator.core.game import Due, Over, Strength, choose_orders
from adjudicator.core.report import REPORT_VERSION
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.outbox.report import ReportedStep, complete_report, make_game_part
from adjudicator.desk.requests.envelope import parse_block
from adjudicator.desk.steps.advance import find_owed_phase

if TYPE_CHECKING:
    from adjudicator.adapters.render.printer import Printer

SETUP_STEP = "0-setup"
WIDTH = 78
"""Columns of a report's text where nobody asks for another width."""
_NOT_FILED = (Grade.UNREADABLE, Grade.REFUSED)


class OrdersError(Refused, ValueError):
    """Orders that cannot be read; `findings` say where and why, `seat` whose they are."""

    def __init__(self, seat: Seat, findings: Sequence[Finding]) -> None:
        messages = "; ".join(format_finding(finding) for finding in findings)
        super().__init__(f"orders of {seat}: {messages}")
        self.seat = seat
        self.findings = tuple(findings)


class GameKind(Struct, frozen=True):
    """A kind of game: its rules, its rulebook and its order forms."""

    name: str
    """As `adjudicator.kinds()` lists it: jump-drive."""
    source: FolderKind
    library: FolderLibrary

    @property
    def title(self) -> str:
        """The name of the game for readers: Jump Drive."""
        return self.source.title

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The names that seats have by default, as many as may play."""
        return self.source.seats

    @property
    def players(self) -> range:
        """The numbers of players that can play."""
        return range(self.source.smallest, self.source.largest + 1)

    @property
    def forms(self) -> tuple[str, ...]:
        """The names of the order forms."""
        return tuple(self.source.forms())

    @property
    def rules(self) -> Mapping[str, str]:
        """The text of each rule by its number, in the order of the rulebook."""
        return self.source.rulebook

    @property
    def defaults(self) -> dict[str, Any]:
        """The options of the rules with their default values."""
        return dict(self.source.options({}, self.seats[: self.source.book[0]]))

    def new(
        self,
        *,
        seed: int | bytes,
        seats: int | Sequence[Seat] | None = None,
        options: Document | None = None,
        name: str = "game",
    ) -> "GameState":
        """Set up a game, by default for the fewest players that the rulebook recommends.

        The same seed gives the same game, byte for byte, on every machine: an `int` means what
        `adjudicator new --seed` means, `bytes` are a seed of 32 bytes as the program draws it.
        """
        names = self._name_seats(self.source.book[0] if seats is None else seats)
        if isinstance(seed, bytes) and len(seed) != 32:
            raise Refused(f"a seed is 32 bytes, this one has {len(seed)}")
        key = derive_dice_key(seed if isinstance(seed, bytes) else seed_from_number(seed))
        try:
            all_options = self.source.options(options or {}, names)
            position = self.source.rules.setup(all_options, names, Dice(key, SETUP_STEP))
        except Impossible as wrong:
            raise Refused(f"options: {wrong}") from wrong
        return GameState(
            kind=self, name=name, seats=names, options=all_options, key=key, position=position
        )

    def _name_seats(self, seats: int | Sequence[Seat]) -> tuple[Seat, ...]:
        number = seats if isinstance(seats, int) else len(seats)
        if number not in self.players:
            least, most = self.source.smallest, self.source.largest
            raise Refused(f"{self.title} is played by {least} to {most} seats, not {number}")
        names = self.seats[:number] if isinstance(seats, int) else tuple(seats)
        if len(set(names)) < number:
            raise Refused("two seats have the same name")
        return names


class GameState(Struct, frozen=True, kw_only=True):
    """A game between two steps; it never changes, `close` gives the next one."""

    kind: GameKind
    name: str
    seats: tuple[Seat, ...]
    options: Document
    key: bytes
    """The key of the dice; it reveals every draw of the game."""
    position: Any
    """The state as the rules know it, with everything that is hidden."""
    earlier: Any = None
    """The state before the step that was closed last; None before the first."""
    number: int = 0
    """Counts the steps that were closed; the setup is 0."""
    closed: str = SETUP_STEP
    """The step that was closed last: `3-place`."""
    executed: Mapping[Seat, Document] = {}
    """The orders that were executed in it."""
    events: tuple[Event, ...] = ()
    """The events of it, with everything that is hidden; reports show what a seat may know."""

    @property
    def step(self) -> str | None:
        """The step that is open: `4-place`; None when the game is over."""
        return None if self.over else f"{self.number + 1}-{find_owed_phase(self.due)}"

    @property
    def due(self) -> Mapping[Seat, Due]:
        """The seats that owe orders, each with the form that is due; empty after the end."""
        due = self.kind.source.rules.due(self.position)
        return {} if isinstance(due, Over) else due

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.kind.source.rules.due(self.position), Over)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winners: several seats can share a victory; none before the end, or in a draw."""
        due = self.kind.source.rules.due(self.position)
        return due.winners if isinstance(due, Over) else ()

    @property
    def dice(self) -> Dice:
        """The dice of the open step; they give its draws away."""
        return Dice(self.key, self.step or "")

    @property
    def scores(self) -> dict[Seat, int]:
        """A number per seat that orders the seats as if the game ended now."""
        return dict(self.kind.source.rules.score(self.position))

    @property
    def document(self) -> dict[str, Any]:
        """The whole position as the rulebook's state document, with everything that is hidden."""
        return _copy_plain(self.kind.source.rules.dump(self.position))

    def view(self, seat: Seat | None = None) -> dict[str, Any]:
        """Return what a seat may know of the position; without a seat, what everybody may know."""
        return _copy_plain(self._view(seat))

    def bot(self, seat: Seat, strength: Strength = "normal") -> dict[str, Any]:
        """Choose sensible orders for a seat that owes some, from its view alone."""
        rules, view = self.kind.source.rules, self._view(self._owing(seat))
        return _copy_plain(choose_orders(rules, view, seat, self.dice, strength))

    def legal(self, seat: Seat, seed: int | None = None) -> dict[str, Any]:
        """Choose random legal orders for a seat that owes some; another seed gives others."""
        rules = self.kind.source.rules
        dice = self.dice if seed is None else Dice(seed_from_number(seed), self.step or "")
        return _copy_plain(rules.legal(self._view(self._owing(seat)), seat, dice))

    def imagine(self, seat: Seat | None = None, seed: int = 0) -> "GameState":
        """Make a random game that a seat cannot tell from this one, to try orders out on.

        It is made from the seat's view alone; its hidden parts and its dice follow from the seed.
        """
        key, view = derive_dice_key(seed_from_number(seed)), self._view(seat)
        return replace(
            self,
            position=self.kind.source.rules.imagine(view, seat, Dice(key, f"{self.step} imagined")),
            earlier=None,
            key=key,
            executed={one: orders for one, orders in self.executed.items() if one == seat},
            events=tuple(list_visible(self.events, seat)),
        )

    def check(self, seat: Seat, orders: Document | str) -> tuple[Finding, ...]:
        """Return what a receipt would find wrong with these orders; an empty tuple for nothing.

        Orders are a mapping, or the YAML text that a player writes. An unreadable or refused
        entry keeps `close` from taking them; doomed and doubtful ones are taken.
        """
        return self._read(seat, orders)[1]

    def close(self, orders: Mapping[Seat, Document | str] | None = None) -> "GameState":
        """Adjudicate the open step and return the game after it.

        A seat that is left out sends nothing. Raises OrdersError for orders that cannot be read.
        """
        return self.advance({seat: self._file(seat, own) for seat, own in (orders or {}).items()})

    def advance(self, orders: Mapping[Seat, Document]) -> "GameState":
        """Adjudicate the open step with orders as they stand on file, which are not read again."""
        step = self.step
        if step is None:
            raise Refused(f"{self.name}: the game is over")
        executed = {
            seat: orders.get(seat, {}) for seat in self.seats if seat in (*orders, *self.due)
        }
        position, events = self.kind.source.rules.resolve(self.position, executed, self.dice)
        return replace(
            self,
            position=position,
            earlier=self.position,
            events=tuple(events),
            executed=executed,
            closed=step,
            number=self.number + 1,
        )

    def report(self, seat: Seat | None = None) -> "GameReport":
        """Return the report of the last closed step for a seat; without a seat, the public's."""
        kind = self.kind.source
        view = self._view(seat)
        before = None if self.earlier is None else kind.rules.view(self.earlier, seat)
        own, events = self.executed.get(seat) if seat else None, list_visible(self.events, seat)
        step = ReportedStep(before=before, after=view, orders=own, events=events)
        part = make_game_part(kind.rules, view, seat, [step])
        document = encode(complete_report(part, self._frame(seat)))
        return GameReport(document, kind.game, tuple(self.kind.library.templates()))

    def _frame(self, seat: Seat | None) -> Document:
        """Make the desk's part of a report: here there is no clock, press or receipt."""
        step, due = self.step, self.due
        form = due[seat].form if seat and seat in due else find_owed_phase(due)
        deadline = {"deadline": None, "zone": "UTC", "waiting": seat in due}
        envelope = {"game": self.name, "step": step, "key": None, "after": 0}
        own = self.executed.get(seat) if seat else None
        own_orders = {"receipt": None, "digest": None if own is None else digest(encode(own))}
        return {
            "report": REPORT_VERSION,
            "game": {"id": self.name, "kind": self.kind.name, "title": self.kind.title},
            "seat": seat,
            "player": None,
            "number": self.number + 1 if seat else self.number,
            "step": self.closed,
            "due": {"step": step, "form": form, **deadline} if step else None,
            "orders": own_orders if seat in self.executed else None,
            "form": {"envelope": envelope, "orders": None} if seat and step else None,
            "press": [],
        }

    def _view(self, seat: Seat | None) -> Any:
        return self.kind.source.rules.view(
            self.position, None if seat is None else self._seat(seat)
        )

    def _seat(self, seat: Seat) -> Seat:
        if seat not in self.seats:
            raise Unknown(f'there is no seat "{seat}"; the seats are {", ".join(self.seats)}')
        return seat

    def _owing(self, seat: Seat) -> Seat:
        if self._seat(seat) not in self.due:
            raise Refused(f"{seat} owes no orders in {self.step or 'a game that is over'}")
        return seat

    def _file(self, seat: Seat, orders: Document | str) -> Document:
        readable, findings = self._read(seat, orders)
        wrong = [finding for finding in findings if finding.grade in _NOT_FILED]
        if wrong:
            raise OrdersError(seat, wrong)
        return readable

    def _read(self, seat: Seat, orders: Document | str) -> tuple[Document, tuple[Finding, ...]]:
        """Read the orders as they would stand on file, and everything that is wrong with them."""
        view = self._view(self._seat(seat))
        debt = self.due.get(seat)
        if isinstance(orders, str):
            try:
                text = parse_block(parse_yaml(orders)).form
            except Unreadable as fault:
                return {}, fault.findings
        else:
            text = Text(value=decode(encode(orders)))
        form = debt.form if debt else find_owed_phase(self.due)
        reading: Reading = self.kind.source.read(form, text, self.seats)
        if reading.orders is None or reading.fallen.paths:
            return {}, reading.findings
        if debt is None:
            return reading.orders, (*reading.findings, *self._not_asked(seat, reading.orders))
        more = self.kind.source.rules.check(view, seat, reading.orders)
        return reading.orders, (*reading.findings, *more)

    def _not_asked(self, seat: Seat, orders: Document) -> tuple[Finding, ...]:
        if set(orders) <= {"standing"}:
            return ()
        message = f"{seat} owes nothing in {self.step}; only standing orders count"
        return (Finding(grade=Grade.REFUSED, rule="", message=message),)


class GameReport(Struct, frozen=True):
    """A report on a step, report/1; texts and pictures are made from it alone."""

    content: bytes
    """The document as canonical JSON."""
    folder: str
    """Of the game's templates."""
    templates: tuple[Path, ...]

    @property
    def document(self) -> dict[str, Any]:
        """The document; `adjudicator report --fields KIND` explains everything in it."""
        return dict(decode(self.content))

    def json(self) -> str:
        """Return the document as JSON."""
        return self.content.decode()

    def text(self, width: int = WIDTH) -> str:
        """Return the report as a letter shows it in plain text, at most this many columns wide."""
        return open_printer(self.templates).text("report.txt", self.document, self.folder, width)

    def html(self) -> str:
        """Return the report as a page that needs no other file."""
        return open_printer(self.templates).page("report.html", self.document, self.folder)

    def pictures(self) -> dict[str, str]:
        """Return the pictures of the position as SVG, by name; empty if the game draws none."""
        from adjudicator.adapters.render.printer import draw_pictures

        pictures = draw_pictures(open_printer(self.templates), self.document, self.folder)
        return {picture.name: picture.whole.decode() for picture in pictures}


@lru_cache(maxsize=4)
def open_printer(templates: tuple[Path, ...]) -> "Printer":
    """Open the printer of these folders; its templates are compiled once."""
    from adjudicator.adapters.render.printer import Printer

    return Printer(templates)


def _copy_plain(value: object) -> dict[str, Any]:
    """Copy a value as its JSON reads; the caller may change the copy."""
    return dict(decode(encode(value)))


@cache
def open_shared_library() -> FolderLibrary:
    """Open the games of this installation, found once."""
    return FolderLibrary()


def load_kind(name: str, library: FolderLibrary | None = None) -> GameKind:
    """Load the kind of this name; raises Unknown with the nearest name."""
    kinds = library or open_shared_library()
    return GameKind(name, kinds.kind(name), kinds)
