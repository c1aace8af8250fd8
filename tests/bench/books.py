"""The desk with its store on the disk: receipts, a closing, a whole game and its replay."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.adapters.site.build import digest_version
from adjudicator.adapters.site.write import digest_facts, is_current
from adjudicator.adapters.store.upkeep.vacuum import measure_store, shrink_file, vacuum_portion
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.cli.demo.play import play_bots
from adjudicator.cli.site import update_site
from adjudicator.cli.wiring import Office, open_own_books
from adjudicator.core.document import Document, Seat, decode, encode
from adjudicator.desk.acts.edit import edit_position
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.steps.lock import lock_game
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.at_the_desk import close_step, submit
from tests.bench.calls import Calls, trace_calls
from tests.bench.measures import cpu_milliseconds, milliseconds, seconds
from tests.bench.rules import KIND, Midgame, Ordered

GAME = "bench"


class Desk:
    """A home in which a step of a position is open, and copies of it."""

    def __init__(self, folder: Path, position: Midgame, phase: str = "jump") -> None:
        self._folder = folder
        self._copies = 0
        _, step = position.before(phase)
        self._step = step
        self._texts = _write_orders(step, ready=True)
        self._open = folder / "open"
        self._ordered = folder / "ordered"
        self._last = next(reversed(self._texts))
        make(self._open, position, phase)
        copy_home(self._open, self._ordered)
        with closing(open_own_books(self._ordered)) as office:
            for seat in self._texts:
                if seat != self._last:
                    _submit(office, seat, self._texts[seat])

    def ordered(self) -> Path:
        """A copy in which all orders are on file."""
        home = self._copy(self._ordered)
        with closing(open_own_books(home)) as office:
            _submit(office, self._last, self._texts[self._last])
        return home

    def receipt(self) -> float:
        """Milliseconds for taking an order set: read, checked, on file, acknowledged."""
        with closing(open_own_books(self._copy(self._open))) as office:
            return time_receipts(office, self._step)

    def closing(self) -> float:
        """Milliseconds for closing the step in a program that has closed one before."""
        with closing(open_own_books(self._copy(self._ordered))) as office:
            _submit(office, self._last, self._texts[self._last])
            assert office.library.kind(KIND).reporting  # once in a program, like the rules' digest
            _close(office, dry_run=True)  # the first one prepares every statement
            return milliseconds(lambda: _close(office))

    def calls(self) -> Calls:
        """What the closing passes through, in a program that has closed another game's step."""
        library = None
        for _ in range(2):
            with closing(open_own_books(self._copy(self._ordered))) as office:
                office.library = library or office.library
                library = office.library
                library.kind(KIND)._load.cache_clear()  # each step has a position of its own
                _submit(office, self._last, self._texts[self._last])
                with office.acting() as books, trace_calls() as calls:
                    close_step(books, office.library, GAME, at=datetime.now(UTC), now=False)
        return calls

    def written(self) -> int:
        """How many bytes the closing writes."""
        with closing(open_own_books(self.ordered())) as office:
            number = _close(office)
            with office.reading() as books:
                return sum(weight(value) for value in _closed(books, number))

    def _copy(self, home: Path) -> Path:
        self._copies += 1
        return copy_home(home, self._folder / f"copy-{self._copies}")


def copy_home(home: Path, place: Path) -> Path:
    """A home that is no copy to the program: its journal stays behind."""
    return Path(shutil.copytree(home, place, ignore=shutil.ignore_patterns("journal")))


def make(home: Path, position: Midgame, phase: str = "jump") -> None:
    """The game, led to the position by a ruling."""
    state, _ = position.before(phase)
    kind, seats, options = position.rules.kind, position.seats, position.options
    with closing(open_own_books(home)) as office:
        _begin(office, kind, {seat: f"Player of {seat}" for seat in seats}, options, position.seed)
        with office.acting() as books:
            document = position.rules.dump(state)
            edit_position(
                lock_game(books, office.library, GAME, at=datetime.now(UTC)),
                document,
                reason="shipped",
            )


def time_receipts(office: Office, step: Ordered) -> float:
    """Milliseconds for taking an order set of the open step, each unlike the last."""
    sets = [*_write_orders(step, ready=False).items(), *_write_orders(step, ready=True).items()]
    following = iter(sets)
    _submit(office, *next(following))  # the first one opens everything
    return milliseconds(lambda: _submit(office, *next(following)), len(sets) - 1)


def _write_orders(step: Ordered, *, ready: bool) -> dict[Seat, str]:
    return {
        seat: format_block({"ready": ready, **(form or {"pass": True})})
        for seat, form in step.orders.items()
    }


def _begin(
    office: Office, kind: str, seats: Mapping[Seat, str], options: Document, seed: bytes
) -> None:
    with office.making() as books:
        create_game(
            books,
            office.library,
            game=GAME,
            kind=kind,
            seats=seats,
            options=options,
            settings={},
            seed=seed,
            luck={},
            verifiable=False,
            components=None,
            start=True,
            at=datetime.now(UTC),
        )


def _submit(office: Office, seat: Seat, text: str) -> None:
    with office.acting() as books:
        at = datetime.now(UTC)
        receipt = submit(
            books, office.library, GAME, seat, parse_yaml(text), by="player", at=at, source=text
        )
    if receipt["outcome"] != "taken":
        raise Refused(f"the orders of {seat} were not taken: {receipt['headline']}")


def _close(office: Office, *, dry_run: bool = False) -> int:
    with office.acting(dry_run=dry_run) as books:
        closed = close_step(books, office.library, GAME, at=datetime.now(UTC), now=False)
    return closed.step.number


def _closed(books: Books, number: int) -> Iterator[Struct]:
    """What is written when a step is closed."""
    yield books.step(GAME, number)
    yield from (own for own in books.orders(GAME, number) if own.executed)
    yield from books.papers(GAME, number)
    yield from (letter for letter in books.letters(GAME, number) if letter.kind == "report")
    yield from books.links(GAME)[-1:]
    yield from books.notes(GAME)[-1:]


def weight(value: Struct) -> int:
    parts = (part for part in asdict(value).values() if part is not None)
    return sum(len(part if isinstance(part, bytes) else encode(part)) for part in parts)


class Whole:
    """A whole game between bots, kept in a home of its own."""

    def __init__(self, folder: Path, seats: Sequence[Seat], turn_limit: int) -> None:
        self._office = open_own_books(folder)
        empty = measure_store(self._office.store)
        bots = dict.fromkeys(seats, "bot")
        _begin(self._office, KIND, bots, {"turn_limit": turn_limit}, bytes(32))
        self.steps = len(play_bots(self._office, GAME, lambda _done, _word: None))
        with self._office.reading() as books:
            self._record = read_record(books, GAME)
        orders = sum(_orders(own.orders) for own in self._record.orders)
        self.bytes_per_order = (self._shrink() - empty) / orders
        """What the database keeps of the game once its steps are packed, for each order."""

    def _shrink(self) -> int:
        """Do what `adjudicator vacuum` does; returns how many bytes the database takes then."""
        store, at = self._office.store, datetime.now(UTC)
        while vacuum_portion(store, before=at, at=at):
            pass
        shrink_file(store)
        return measure_store(store)

    def verify(self) -> float:
        """Steps a second when it is played again and compared, as `adjudicator verify` does."""

        def work() -> None:
            kind = self._office.library.kind(KIND)
            faults = (*check_chain(self._record), *replay_game(self._record, kind))
            if faults:
                raise Refused(f"the game cannot be verified: {faults[0].message}")

        return self.steps / seconds(work)

    def site(self) -> tuple[float, float]:
        """Pages in a second of CPU when its site is written from nothing, pictures and charts with
        them; and milliseconds to see that it needs no writing.
        """
        with self._office.reading() as books:
            dossier = collect_dossier(books, GAME)
            facts = digest_facts(books, books.game(GAME))
        folders = tuple(self._office.library.templates())
        version = digest_version(folders, self._office.library.kind(KIND), "")

        def look(out: Path) -> None:
            with self._office.reading() as books:
                now = digest_facts(books, books.game(GAME))
            if not is_current(out, f"{KIND}/{GAME}", now, version):
                raise Refused("the site was written, and does not stand")

        with tempfile.TemporaryDirectory(dir=self._office.home.path) as folder:
            out = Path(folder)
            write = partial(update_site, self._office, dossier, out, facts=facts)
            taken = cpu_milliseconds(write, 1) / 1000
            again = milliseconds(lambda: look(out), 20)
            return len([*out.rglob("*.html")]) / taken, again

    def close(self) -> None:
        """Let go of the database."""
        self._office.close()


def _orders(content: bytes) -> int:
    """The orders of a form: what stands in a list counts one by one."""
    form: Mapping[str, Any] = decode(content) or {}
    return sum(len(wish) if isinstance(wish, list) else 1 for wish in form.values())
