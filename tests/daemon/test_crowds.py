"""What a flood may cost who writes meanwhile: counted letters and glances, never seconds."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.post.letters_in import LettersIn
from adjudicator.cli.serving.post.letters_out import LettersOut
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Document
from adjudicator.desk.model.mail import Parcel, Posting, Sent
from adjudicator.desk.model.ports import Choose
from adjudicator.desk.model.values import OutgoingLetter, Player
from adjudicator.desk.outbox.send import Heading
from tests.adapters.store.examples import begin, letter

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
FEW, GLANCES, AT_ONCE = 5, 100, 8
"""Letters that are read before the next look, glanced at in a look, and sent at the same time."""


class _Crowded:
    """A postbox in memory in which thousands of letters may wait."""

    def __init__(self, *contents: bytes) -> None:
        self.waiting: dict[str, bytes] = {}
        self.looks: list[int] = []
        """How many letters were glanced at in each look."""
        self.next: Callable[[], None] = lambda: None
        """What happens before each look."""
        self._numbers = iter(range(100_000))
        self.put(*contents)

    def put(self, *contents: bytes) -> None:
        self.waiting |= {f"{next(self._numbers):05}": one for one in contents}

    def fetch(self, limit: int, choose: Choose) -> Sequence[Parcel]:
        self.next()
        self.looks.append(0)
        names = sorted(self.waiting)
        if len(names) > limit:
            names = [*choose(names, self._look)]
        found = ((one, self.waiting[one]) for one in names[:limit])
        return [Parcel(name, AT, len(content), content) for name, content in found]

    def _look(self, wanted: Sequence[str]) -> list[tuple[str, bytes]]:
        self.looks[-1] += len(wanted)
        return [(one, self.waiting[one]) for one in wanted]

    def file_away(self, ids: Sequence[str]) -> None:
        for one in ids:
            del self.waiting[one]

    def wait(self, seconds: float) -> bool:
        return False

    def close(self) -> None: ...


def _letter(sender: str, number: int) -> bytes:
    return f"From: {sender}\r\nMessage-ID: <{number}@{sender}>\r\n\r\nHello\r\n".encode()


def _flood(number: int) -> list[bytes]:
    return [_letter(f"x@{one}.example", one) for one in range(number)]


BO = _letter("bo@players.test", 1)


@pytest.fixture
def players(office: Office) -> Office:
    with office.making() as books:
        for name in ("Ada", "Bo"):
            books.save(Player(name=name, addresses=(f"{name.lower()}@players.test",)))
    return office


def _read(office: Office, settings: ServeSettings, box: _Crowded) -> list[str]:
    """Who wrote the letters that were read, in the order of reading."""

    async def whole() -> list[str]:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        postbox = LettersIn(runtime, "postbox 1", box)
        while await postbox.read_box():
            pass
        assert not box.waiting
        assert runtime.read_until["postbox 1"] is not None
        return _count(office)

    return asyncio.run(whole())


def _count(office: Office) -> list[str]:
    with office.reading() as books:
        return [str(one.sender) for one in books.arrivals()]


@pytest.mark.parametrize("who", ["a stranger", "another player"])
def test_who_writes_in_a_flood_waits_for_a_handful_of_its_letters(
    who: str, players: Office, settings: ServeSettings
) -> None:
    flood = _flood(240)
    if who == "another player":
        flood = [_letter("ada@players.test", one) for one in range(60)]
    box = _Crowded(*flood)
    came: list[int] = []

    def write() -> None:
        """At each look a letter more has come than was there at the look before."""
        if len(box.looks) % 3 == 0 and len(came) < 4:
            came.append(len(_count(players)))
            box.put(_letter("bo@players.test", len(came)))

    box.next = write
    senders = _read(players, settings, box)
    read = [place for place, sender in enumerate(senders) if sender == "bo@players.test"]
    assert len(read) == len(came) == 4
    assert all(there - then <= FEW for then, there in zip(came, read, strict=True))
    assert max(box.looks) <= GLANCES + 1


def test_a_letter_amid_a_flood_is_read_before_any_of_it(
    players: Office, settings: ServeSettings
) -> None:
    flood = _flood(320)
    box = _Crowded(*flood[:160], BO, *flood[160:])
    assert _read(players, settings, box)[0] == "bo@players.test"
    assert box.looks[:4] == [100, 100, 100, 20 + 1]


def test_the_newest_letter_is_found_by_the_first_look(
    players: Office, settings: ServeSettings
) -> None:
    box = _Crowded(*_flood(320), BO)
    looks: list[int] = []
    box.next = lambda: looks.append(len(_count(players)))
    assert _read(players, settings, box)[0] == "bo@players.test"
    assert looks[:2] == [0, 1]


def test_players_are_read_before_strangers_and_by_turns(
    office: Office, settings: ServeSettings
) -> None:
    """And games go on while only letters of strangers wait."""
    with office.making() as books:
        for name in ("Ada", "Bo"):
            books.save(Player(name=name, addresses=(f"{name.lower()}@players.test",)))
    contents = [_letter(f"x@{number}.example", number) for number in range(60)]
    contents += [_letter("ada@players.test", number) for number in range(30)]
    contents += [_letter("bo@players.test", number) for number in range(2)]

    async def whole() -> tuple[list[str], list[bool]]:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        box = _Crowded(*contents)
        postbox = LettersIn(runtime, "postbox 1", box)
        ended = []
        while await postbox.read_box():
            ended.append(runtime.read_until["postbox 1"] is not None)
        assert not box.waiting
        with office.reading() as books:
            return [str(one.sender) for one in books.arrivals()], ended

    senders, ended = asyncio.run(whole())
    assert senders[:5] == [f"{name}@players.test" for name in ("ada", "bo", "ada", "bo", "ada")]
    players = senders.index("x@0.example")
    assert players == 32
    assert senders[players:] == [f"x@{number}.example" for number in range(60)]
    assert ended[-2:] == [True, True]
    assert not ended[0]


class _Plain:
    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        return b"Subject: hello\n\n"


class _Postman:
    """One who is asked by somebody, while under way with the first letter, to take another."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self.taken: list[str] = []
        self._ask = ask

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        self.taken += envelope.recipients
        if len(self.taken) == 1:
            self._ask()
        return [Sent(one, "taken", "250 ok") for one in envelope.recipients]

    async def close(self) -> None: ...


def test_a_receipt_waits_for_one_handful_of_what_somebody_else_has_caused(
    office: Office, settings: ServeSettings
) -> None:
    begin(office.store)

    def queue(seat: str, *numbers: int) -> None:
        with office.acting() as books:
            for number in numbers:
                to = (f"{seat}@players.test",)
                books.save(letter(seat, kind="receipt", number=number, to=to))

    queue("red", *range(1, 41))

    async def whole() -> list[str]:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        postman = _Postman(lambda: queue("blue", 1))
        out = LettersOut(runtime, "us", postman, _Plain())
        while await out.round():
            pass
        return postman.taken

    taken = asyncio.run(whole())
    assert len(taken) == 41
    assert taken.index("blue@players.test") < 2 * AT_ONCE, "in the handful after the one under way"
