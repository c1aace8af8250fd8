"""Letters in: what a reply costs from its bytes to its receipt in the outbox, and what it must."""

import email
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.cli.demo.mail_programs import (
    Program,
    Reply,
    fill_form,
    open_message,
    read_envelope,
    reply_in_plain_text,
    reply_like_gmail,
    reply_like_outlook,
)
from adjudicator.cli.wiring import Office, open_own_books
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.desk.inbox.receive import receive_letter
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from tests.at_the_desk import write_letters
from tests.bench import table
from tests.bench.books import GAME, copy_home, make, weight
from tests.bench.calls import Calls, trace_calls
from tests.bench.measures import Ledger
from tests.bench.rules import KIND, Midgame

HOUSE = House(address="games@house.example", gm=("gm@house.example",))
_MANNERS: tuple[Program, ...] = (reply_like_gmail, reply_like_outlook, reply_in_plain_text)
_ROUNDS = 2
_MOST_EVENTS, _MOST_LEVELS = 5000, 20


class Letter(Struct, frozen=True):
    """A reply, and what its parts are for whoever reads nothing but those."""

    content: bytes
    block: str
    orders: Document


class Mailbag:
    """A home in which the jump step of the shipped position is open, and replies to its letters."""

    def __init__(self, folder: Path, position: Midgame, ledger: Ledger) -> None:
        self._folder = folder
        self._ledger = ledger
        self._copies = count()
        make(folder / "open", position)
        with closing(open_own_books(folder / "open")) as office:
            self._secret = office.home.secret()
            made = _reports(office, self._secret)
            schema = office.library.kind(KIND).form("jump").schema
        self.sent = tuple(made.values())
        """What the house wrote: a letter for everybody."""
        self._validator = Draft202012Validator(schema)
        _, step = position.before("jump")
        self._replies = [*_replies({s: open_message(one) for s, one in made.items()}, step.orders)]
        self._bare = bytes(self._kept())

    def measure(self) -> Mapping[str, float]:
        """Everything bare and everything of ours, letter by letter, in the step as it opened."""
        found: dict[str, list[float]] = {}
        with closing(self._copy()) as office:
            self._taken(office, self._replies[0])  # the first one opens everything
            for letter in self._replies[1:]:
                for name, taken in (*self._floors(letter), *self._whole(office, letter)):
                    found.setdefault(name, []).append(1000 * taken)
        told = {name: statistics.median(times) for name, times in found.items()}
        parsed = told.pop(table.PARSED)
        return {**told, table.PARSED: 1000 / parsed, table.TAKEN: 1000 / told[table.LETTER]}

    def calls(self) -> Calls:
        """What a letter passes through, in a program that has taken one of another game."""
        library = None
        for _ in range(2):
            with closing(self._copy()) as office:
                office.library = library or office.library
                library = office.library
                library.kind(KIND)._load.cache_clear()  # each step has a position of its own
                calls = self._taken(office, self._replies[0], traced=True)
        assert calls is not None
        return calls

    def _copy(self) -> Office:
        place = self._folder / f"copy-{next(self._copies)}"
        return open_own_books(copy_home(self._folder / "open", place))

    def _floors(self, letter: Letter) -> Iterator[tuple[str, float]]:
        whole = 0.0
        for name, work in (
            (table.BARE_PARSE, lambda: bare_parse(letter.content)),
            (table.BARE_YAML, lambda: bare_yaml(letter.block)),
            (table.BARE_SCHEMA, lambda: list(self._validator.iter_errors(letter.orders))),
            (table.BARE_KEPT, lambda: self._ledger.write(self._bare)),
        ):
            taken = _timed(work)
            whole += taken
            yield name, taken
        yield table.BARE_LETTER, whole

    def _whole(self, office: Office, letter: Letter) -> Iterator[tuple[str, float]]:
        yield table.PARSED, _timed(lambda: parse_letter(letter.content))
        yield table.LETTER, _timed(lambda: self._taken(office, letter))

    def _taken(self, office: Office, letter: Letter, *, traced: bool = False) -> Calls | None:
        """As the daemon does it: read, then everything in one transaction."""
        incoming, at = parse_letter(letter.content), datetime.now(UTC)
        with office.acting() as books, trace_calls() if traced else nullcontext() as calls:
            received = receive_letter(
                books,
                office.library,
                incoming,
                house=HOUSE,
                secret=self._secret,
                arrived=at,
                at=at,
            )
        if (received.outcome, received.reason) != ("receipt", "taken"):
            raise Refused(f"a letter was not taken: {received}")
        return calls

    def _kept(self) -> int:
        """How many bytes a letter leaves in the books."""
        with closing(self._copy()) as office:
            with office.reading() as books:
                before = _weight(books)
            self._taken(office, self._replies[0])
            with office.reading() as books:
                return _weight(books) - before


def _reports(office: Office, secret: bytes) -> Mapping[Seat, bytes]:
    """Everybody's newest letter with a form for the open step, as it arrives."""
    at = datetime.now(UTC)
    with office.acting() as books:
        for seating in books.seatings(GAME):
            player = books.player(seating.player or "")
            assert player is not None
            books.save(replace(player, addresses=(_address(seating.seat),)))
        made = write_letters(
            books,
            MimeWriter(office.printer, office.library),
            library=office.library,
            until=at + timedelta(hours=1),
            at=at,
            limit=1000,
            secret=secret,
            house=HOUSE,
        )
        game = books.game(GAME)
        assert game.open_step is not None
        step = books.step(GAME, game.open_step).name
    letters = ((one.letter.seat, one.posting.content) for one in made)
    return {
        seat: one for seat, one in letters if read_envelope(open_message(one)).get("step") == step
    }


def _replies(asked: Mapping[Seat, EmailMessage], orders: Orders) -> Iterator[Letter]:
    """Every seat in every manner, twice; each letter changes what its seat has on file."""
    for number in range(_ROUNDS * len(_MANNERS)):
        manner = _MANNERS[number % len(_MANNERS)]
        for seat, letter in asked.items():
            form = {"ready": number % 2 == 0, **(orders[seat] or {"pass": True})}
            text = fill_form(read_envelope(letter), format_block(form))
            reply = Reply(
                asked=letter,
                sender=_address(seat),
                to=HOUSE.address,
                message_id=f"<{number}.{seat}@players.example>",
                block=text,
                name=seat,
                date=datetime.now(UTC),
            )
            yield Letter(manner(reply), text, orders[seat])


def bare_parse(content: bytes) -> tuple[list[str], str]:
    """What the standard library makes of a letter: its addresses, and its text."""
    letter = email.message_from_bytes(content, policy=default)
    addresses = [one.addr_spec for name in ("from", "to") for one in letter[name].addresses]
    body = letter.get_body(("plain", "html"))
    return addresses, str(body.get_content()) if body else ""


def bare_yaml(text: str) -> Any:
    """YAML as PyYAML reads it in C, once its events are neither too many nor too deep."""
    levels = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.CSafeLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            levels += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            levels -= 1
        if number > _MOST_EVENTS or levels > _MOST_LEVELS or isinstance(event, yaml.AliasEvent):
            raise Refused("this YAML is not read")
    return yaml.load(text, Loader=yaml.CSafeLoader)


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _weight(books: Books) -> int:
    """Everything that a letter may add to."""
    parts = (books.orders(GAME), books.letters(GAME), books.notes(GAME), books.arrivals())
    return sum(weight(one) for part in parts for one in part)


def _address(seat: Seat) -> str:
    return f"{seat}@players.example"
