"""The daemon's parts one by one: a letter that spoils, a lease, troubles, the log, a worker."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click.testing
import pytest
import structlog

from adjudicator.adapters.letter import read
from adjudicator.adapters.settings import ServeSettings, parse_settings
from adjudicator.cli.app import cli
from adjudicator.cli.serving import clockwork, postin, spoilt
from adjudicator.cli.serving import lease as leases
from adjudicator.cli.serving.clockwork import Clockwork, read_until
from adjudicator.cli.serving.lease import DAEMON, LENGTH, Lease, Lost, Taken
from adjudicator.cli.serving.logs import set_up, way, where
from adjudicator.cli.serving.notify import Notifier
from adjudicator.cli.serving.postin import PostIn
from adjudicator.cli.serving.shift import Shift
from adjudicator.cli.serving.spoilt import Marker
from adjudicator.cli.serving.troubles import Troubles
from adjudicator.cli.serving.worker import Worker
from adjudicator.cli.wiring import Office
from adjudicator.desk.errors import Away, Changed
from adjudicator.desk.mail import Incoming, Parcel
from adjudicator.desk.new import new
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.receive import Received, receive
from adjudicator.desk.tick import Ticked
from adjudicator.desk.values import Note

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
SETTINGS = """\
address: games@game.test
gm: gm@players.test
round: 1
postboxes: [{kind: maildir, folder: in}]
postman: {kind: maildir, folder: out}
"""


def letter(name: str) -> bytes:
    return (
        f"From: ada@players.test\nTo: games@game.test\nMessage-ID: <{name}@x>\n"
        f"Subject: {name}\n\nHello, this is {name}.\n"
    ).encode()


class Box:
    """A postbox in memory; its `done` may fail as that of a server does."""

    def __init__(self, *contents: bytes | None) -> None:
        self.waiting = {str(n): content for n, content in enumerate(contents)}
        self.away = False

    def fetch(self, limit: int = 100) -> Sequence[Parcel]:
        found = list(self.waiting.items())[:limit]
        return [Parcel(name, AT, len(c or b"") or 2_000_000, c) for name, c in found]

    def done(self, ids: Sequence[str]) -> None:
        if self.away:
            raise Away("the connection was lost")
        for name in ids:
            del self.waiting[name]

    def wait(self, seconds: float) -> bool:
        time.sleep(0.01)
        return False

    def close(self) -> None:
        pass


@pytest.fixture
def settings(tmp_path: Path) -> ServeSettings:
    return parse_settings(SETTINGS, tmp_path / "adjudicator.yaml")


@pytest.fixture
def office(settings: ServeSettings) -> Iterator[Office]:
    office = Office(settings.home)
    yield office
    office.close()


@pytest.fixture
def spoiling(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subjects of letters that make the desk stumble, once for each time."""
    subjects: list[str] = []

    def stumbling(books: Books, library: Library, letter: Incoming, **facts: Any) -> Received:
        if letter.subject == "impossible":
            note = Note(game="nowhere", number=1, at=AT, act="note", by="gm", text="")
            books.save_note(note)
        if letter.subject in subjects:
            subjects.remove(letter.subject)
            raise KeyError(f"7f3k-q2mx {letter.subject}")
        return receive(books, library, letter, **facts)

    monkeypatch.setattr(postin, "receive", stumbling)
    monkeypatch.setattr(spoilt, "_PAUSES", (0.05, 0.05))
    return subjects


def run(office: Office, settings: ServeSettings, box: Box, seconds: float = 5) -> Shift:
    """The postbox's task, until the box is empty and read to its end."""

    async def whole() -> Shift:
        log = set_up("json")
        shift = Shift(
            office=office,
            settings=settings,
            log=log,
            troubles=Troubles(log),
            writer=Worker("books"),
            secret=b"s" * 32,
        )
        task = asyncio.create_task(PostIn(shift, "postbox 1", box).run())
        until = time.monotonic() + seconds
        while not task.done() and (box.waiting or shift.read_until["postbox 1"] is None):
            if time.monotonic() > until:
                break
            await asyncio.sleep(0.02)
        shift.stop.set()
        await task
        shift.writer.end()
        return shift

    return asyncio.run(whole())


def events(capsys: pytest.CaptureFixture[str], event: str) -> list[dict[str, str]]:
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    return [line for line in lines if line["event"] == event]


def test_a_letter_that_spoils_keeps_no_other_from_being_read(
    office: Office, settings: ServeSettings, spoiling: list[str], tmp_path: Path
) -> None:
    spoiling += ["second"] * 9
    box = Box(letter("first"), letter("second"), letter("third"))
    shift = run(office, settings, box)
    assert shift.read_until["postbox 1"] is not None
    with office.reading() as books:
        outcomes = {one.message_id: one.reason for one in books.arrivals()}
        told = [one for one in books.letters("") if one.seat == "gm"]
    assert set(outcomes) == {"<first@x>", "<second@x>", "<third@x>"}
    (kept,) = (tmp_path / "games" / "unread").iterdir()
    assert kept.read_bytes() == letter("second")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert outcomes["<second@x>"].startswith("set aside after KeyError at ")
    assert outcomes["<second@x>"].endswith(f"; it is kept as unread/{kept.name}")
    (notice,) = told
    assert str(kept) in notice.document.decode()
    assert "7f3k" not in notice.document.decode()


def test_a_letter_that_the_database_refuses_is_no_trouble_of_the_database(
    office: Office, settings: ServeSettings, spoiling: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run(office, settings, Box(letter("impossible"), letter("second")))
    with office.reading() as books:
        reasons = {one.message_id: one.reason for one in books.arrivals()}
    assert "set aside after IntegrityError" in reasons["<impossible@x>"]
    assert "set aside" not in reasons["<second@x>"]
    assert events(capsys, "trouble") == []


def test_a_letter_that_failed_once_is_taken_the_next_time(
    office: Office, settings: ServeSettings, spoiling: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    spoiling.append("first")
    run(office, settings, Box(letter("first")))
    with office.reading() as books:
        (one,) = books.arrivals()
    assert "set aside" not in one.reason
    told = events(capsys, "letter failed")
    assert len(told) == 1
    assert "7f3k" not in str(told)


class Killed(BaseException):
    """As a crash of the interpreter: nothing below it runs."""


@pytest.fixture
def killing(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The program has ended twice while it read the first letter."""

    def deadly(content: bytes) -> Incoming:
        if b"first" in content:
            raise Killed
        return read(content)

    with monkeypatch.context() as patch:
        patch.setattr(postin, "read", deadly)
        patch.setattr(Marker, "end", lambda _self: None)
        for _ in range(2):
            with pytest.raises(Killed):
                run(office, settings, Box(letter("first")), seconds=1)
    yield
    assert not list((office.home.path / "unread").glob(".*"))


def test_a_letter_that_ends_the_program_is_set_aside(
    office: Office,
    settings: ServeSettings,
    killing: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(spoilt.sys, "executable", str(program))
    run(office, settings, Box(letter("first"), letter("second")))
    with office.reading() as books:
        reasons = [one.reason for one in books.arrivals()]
    assert len(reasons) == 2
    assert "the program that reads it ends" in reasons[0]
    (kept,) = (tmp_path / "games" / "unread").glob("*.eml")
    assert kept.read_bytes() == letter("first")
    told = click.testing.CliRunner().invoke(cli, ["--home", settings.home, "status"])
    assert str(kept) in told.stdout


def test_a_letter_during_which_others_ended_the_program_is_read(
    office: Office, settings: ServeSettings, killing: None
) -> None:
    run(office, settings, Box(letter("first"), letter("second")))
    with office.reading() as books:
        reasons = {one.message_id: one.reason for one in books.arrivals()}
    assert set(reasons) == {"<first@x>", "<second@x>"}
    assert not any("ends" in reason for reason in reasons.values())


def test_what_was_set_aside_can_be_read_later(
    office: Office, settings: ServeSettings, spoiling: list[str], tmp_path: Path
) -> None:
    spoiling += ["first"] * 9
    run(office, settings, Box(letter("first")))
    (kept,) = (tmp_path / "games" / "unread").glob("*.eml")
    words = ["--home", settings.home, "read", "--json", str(kept)]
    (told,) = json.loads(click.testing.CliRunner().invoke(cli, words).stdout)
    assert told["outcome"] != "repeat"


def test_until_it_is_taken_or_set_aside_the_postbox_is_not_read_to_its_end(
    office: Office, settings: ServeSettings, spoiling: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spoilt, "_PAUSES", (60.0,))
    spoiling.append("first")
    shift = run(office, settings, Box(letter("first"), letter("second")), seconds=0.5)
    assert shift.read_until["postbox 1"] is None


def test_what_the_postbox_cannot_let_go_of_does_nothing_twice_and_is_told_once(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    box = Box(letter("first"))
    box.away = True
    threading.Timer(1.5, setattr, (box, "away", False)).start()
    run(office, settings, box)
    assert not box.waiting
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines][:2] == ["letter in", "trouble"]
    assert {line["event"] for line in lines[2:]} <= {"all well again"}


def test_a_new_daemon_knows_what_the_old_one_read(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    run(office, settings, Box(letter("first")))
    run(office, settings, Box(letter("first")))
    assert [line["outcome"] for line in events(capsys, "letter in")][1:] == ["repeat"]
    with office.reading() as books:
        assert len(books.arrivals()) == 1


def test_a_letter_that_is_too_big_is_recorded(office: Office, settings: ServeSettings) -> None:
    run(office, settings, Box(None))
    with office.reading() as books:
        (one,) = books.arrivals()
    assert one.outcome == "silence"


# ---- the lease


def take(home: Path, office: Office, at: datetime = AT) -> Lease:
    with office.making() as books:
        return Lease.take(home, books, at=at, boot=1.0)


def test_a_lease_keeps_others_out_until_it_is_given_back(office: Office, tmp_path: Path) -> None:
    home = tmp_path / "games"
    lease = take(home, office)
    with pytest.raises(Taken, match="serves this home already"):
        take(home, office)
    with office.acting() as books:
        lease.give_back(books, at=AT, boot=1.0)
    lease.unlock()
    take(home, office).unlock()


def test_a_daemon_elsewhere_counts_until_it_was_not_heard_of_for_long(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two homes on one PostgreSQL: the lock on the machine says nothing, the books do."""
    monkeypatch.setattr(leases.socket, "gethostname", lambda: "elsewhere")
    other = take(tmp_path / "other", office)
    monkeypatch.undo()
    with pytest.raises(Taken, match="on elsewhere, home"):
        take(tmp_path / "games", office, AT + LENGTH / 2)
    mine = take(tmp_path / "games", office, AT + LENGTH)
    with office.acting() as books, pytest.raises(Lost):
        other.renew(books, at=AT + LENGTH, boot=2.0, problems=())
    mine.unlock()
    other.unlock()


def test_who_was_killed_here_is_followed_at_once(office: Office, tmp_path: Path) -> None:
    home = tmp_path / "games"
    first = take(home, office)
    first.unlock()  # what the kernel does when a process is killed
    second = take(home, office, AT + timedelta(seconds=1))
    with office.reading() as books:
        (beat,) = (one for one in books.heartbeats() if one.name == DAEMON)
    assert beat.facts["owner"] == second.owner
    second.unlock()


# ---- small things


def test_a_trouble_is_told_when_it_begins_once_an_hour_and_when_it_is_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    troubles = Troubles(set_up("json"))
    for seconds in range(7300):
        troubles.begin("mailbox", "nobody answers", AT + timedelta(seconds=seconds))
    troubles.end("mailbox", AT + timedelta(seconds=7300))
    troubles.end("mailbox", AT + timedelta(seconds=7301))
    told = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert told == ["trouble", "still in trouble", "still in trouble", "all well again"]
    assert troubles.now() == {}


def test_a_trouble_is_mailed_once_even_by_the_next_daemon(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = Troubles(set_up("json"))
    first.begin("postbox 1", "nobody answers", AT)
    hour = timedelta(hours=1)
    assert not first.to_mail("postbox 1", AT, after=hour)
    assert first.to_mail("postbox 1", AT + hour, after=hour)
    first.mailed("postbox 1")
    second = Troubles(set_up("json"))
    second.remember([one.facts() for one in first.now().values()])
    second.begin("postbox 1", "nobody answers", AT + 2 * hour)
    assert not second.to_mail("postbox 1", AT + 2 * hour, after=hour)
    assert second.now()["postbox 1"].since == AT
    assert len(events(capsys, "trouble")) == 2


def test_a_game_that_cannot_go_on_stops_no_other_and_the_gm_is_told_once(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ticked = []

    def stumbling(books: Books, library: Library, game: str, **facts: Any) -> Ticked:
        ticked.append(game)
        if game == "amber":
            raise Changed("amber: the rules have changed; accept them")
        return Ticked()

    monkeypatch.setattr(clockwork, "tick", stumbling)
    with office.making() as books:
        for name in ("amber", "ember"):
            new(
                books,
                office.library,
                game=name,
                kind="jump-wars",
                seats={"red": "Ada", "blue": "Bo", "green": None},
                options={},
                settings={},
                seed=b"s" * 32,
                luck={},
                verifiable=False,
                components=None,
                start=False,
                at=AT,
            )
    lease = take(tmp_path / "games", office)

    async def whole() -> None:
        log = set_up("json")
        shift = Shift(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        clock = Clockwork(shift, lease, lambda _closing: None)
        for _ in range(3):
            await clock.round(whole=True)

    asyncio.run(whole())
    lease.unlock()
    assert ticked == ["amber", "ember"] * 3
    with office.reading() as books:
        (told,) = books.letters("")
    assert "accept them" in told.document.decode()


def test_no_key_stands_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("text").info("letter in", words="key: 7f3k-q2mx is wrong", game="ember")
    set_up("text").info("letter in", reason="line one\nforged line")
    first, second = capsys.readouterr().err.splitlines()
    assert "7f3k" not in first
    assert "game=ember" in first
    assert "line one forged line" in second
    structlog.reset_defaults()


def test_an_unexpected_error_is_told_by_its_place_without_its_words() -> None:
    try:
        raise ValueError("key 7f3k-q2mx")  # noqa: TRY301
    except ValueError as error:
        told = where(error)
    assert told.startswith("ValueError at test_parts.py:")


def test_letters_on_the_same_way_have_the_same_id() -> None:
    assert way("<a@x>", "digest") == way("<a@x>")
    assert way(None, "digest") == way("", "digest") != way("<a@x>")


def test_post_is_read_when_every_box_is() -> None:
    assert read_until({}) is None
    assert read_until({"a": AT, "b": None}) is None
    assert read_until({"a": AT, "b": AT - LENGTH}) == AT - LENGTH


def test_nobody_listens_is_no_fault(tmp_path: Path) -> None:
    Notifier({}).say("READY=1")
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "none")}).say("READY=1")
    assert Notifier({"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"}).watchdog == 0
    assert Notifier({"WATCHDOG_USEC": "2000000"}).watchdog == 2


def test_a_worker_does_one_thing_after_the_other_and_tells_what_went_wrong() -> None:
    async def whole() -> list[int]:
        worker = Worker("test")
        with pytest.raises(ZeroDivisionError):
            await worker.do(lambda: 1 // 0)
        found = await asyncio.gather(*(worker.do(lambda n=n: n) for n in range(5)))
        worker.end()
        return found

    assert asyncio.run(whole()) == [0, 1, 2, 3, 4]


def test_a_postbox_with_a_fault_is_asked_again(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    class Faulty(Box):
        def fetch(self, limit: int = 100) -> Sequence[Parcel]:
            asked.append(limit)
            if len(asked) == 1:
                raise ZeroDivisionError
            return super().fetch(limit)

    run(office, settings, Faulty(letter("first")), seconds=1.5)
    with office.reading() as books:
        assert len(books.arrivals()) == 1
    (line,) = events(capsys, "trouble")
    assert line["words"].startswith("ZeroDivisionError at ")
