"""A letter that spoils: the others are read all the same, and it is set aside and told of."""

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import click.testing
import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.settings import ServeSettings
from adjudicator.adapters.store.trouble import DamagedRowError
from adjudicator.cli.app import cli
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.post import letters_in, quarantine
from adjudicator.cli.serving.post.letters_in import LettersIn
from adjudicator.cli.serving.post.quarantine import Marker
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.wiring import Office
from adjudicator.desk.inbox.receive import receive_letter
from adjudicator.desk.model.errors import Away
from adjudicator.desk.model.mail import IncomingLetter, Parcel
from adjudicator.desk.model.ports import Books, Choose, Library
from adjudicator.desk.model.values import Arrival, HistoryNote
from tests.daemon.running import PATIENCE

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def letter(name: str) -> bytes:
    return (
        f"From: ada@players.test\nTo: games@game.test\nMessage-ID: <{name}@x>\n"
        f"Subject: {name}\n\nHello, this is {name}.\n"
    ).encode()


class Box:
    """A postbox in memory; its `done` may fail as that of a server does."""

    def __init__(self, *contents: bytes | None) -> None:
        self.waiting = {str(n): content for n, content in enumerate(contents)}
        self.refusals = 0
        """How many times it still cannot let go of letters."""

    def fetch(self, limit: int = 100, choose: Choose | None = None) -> Sequence[Parcel]:
        found = list(self.waiting.items())[:limit]
        big = letter("big")
        return [
            Parcel(name, AT, 2_000_000, None, big) if c is None else Parcel(name, AT, len(c), c)
            for name, c in found
        ]

    def file_away(self, ids: Sequence[str]) -> None:
        if self.refusals:
            self.refusals -= 1
            raise Away("the connection was lost")
        for name in ids:
            del self.waiting[name]

    def wait(self, seconds: float) -> bool:
        time.sleep(0.01)
        return False

    def close(self) -> None:
        pass


@pytest.fixture
def spoiling(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subjects of letters that make the desk stumble, once for each time."""
    subjects: list[str] = []

    def stumbling(books: Books, library: Library, letter: IncomingLetter, **facts: Any) -> Arrival:
        if letter.subject == "impossible":
            note = HistoryNote(game="nowhere", number=1, at=AT, act="note", by="gm", text="")
            books.save(note)
        if letter.subject == "damaged":
            raise DamagedRowError(["notes"])
        if letter.subject in subjects:
            subjects.remove(letter.subject)
            raise KeyError(f"7f3k-q2mx {letter.subject}")
        return receive_letter(books, library, letter, **facts)

    monkeypatch.setattr(letters_in, "receive_letter", stumbling)
    monkeypatch.setattr(quarantine, "_PAUSES", (0.05, 0.05))
    return subjects


def run(office: Office, settings: ServeSettings, box: Box, left: int = 0) -> Runtime:
    """The postbox's task, until so many letters are left and those before were all looked at."""

    async def whole() -> Runtime:
        log = set_up_log("json")
        runtime = Runtime(
            office=office,
            settings=settings,
            log=log,
            troubles=Troubles(log),
            writer=Worker("books"),
            secret=b"s" * 32,
        )
        task = asyncio.create_task(LettersIn(runtime, "postbox 1", box).run())
        until = time.monotonic() + PATIENCE
        while not task.done() and time.monotonic() < until:
            if len(box.waiting) == left and (left or runtime.read_until["postbox 1"]):
                break
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.1 if left else 0)  # time to claim what is not true
        runtime.stop.set()
        await task
        runtime.writer.end()
        return runtime

    return asyncio.run(whole())


def events(capsys: pytest.CaptureFixture[str], event: str) -> list[dict[str, str]]:
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    return [line for line in lines if line["event"] == event]


def test_a_letter_that_spoils_keeps_no_other_from_being_read(
    office: Office, settings: ServeSettings, spoiling: list[str], tmp_path: Path
) -> None:
    spoiling += ["second"] * 9
    box = Box(letter("first"), letter("second"), letter("third"))
    runtime = run(office, settings, box)
    assert runtime.read_until["postbox 1"] is not None
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


@pytest.mark.parametrize(
    ("subject", "kind"), [("impossible", "IntegrityError"), ("damaged", "DamagedRowError")]
)
def test_a_letter_that_the_database_refuses_is_no_trouble_of_the_database(
    office: Office,
    settings: ServeSettings,
    spoiling: list[str],
    capsys: pytest.CaptureFixture[str],
    subject: str,
    kind: str,
) -> None:
    run(office, settings, Box(letter(subject), letter("second")))
    with office.reading() as books:
        reasons = {one.message_id: one.reason for one in books.arrivals()}
    assert f"set aside after {kind}" in reasons[f"<{subject}@x>"]
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

    def deadly(content: bytes, size: int) -> IncomingLetter:
        if b"first" in content:
            raise Killed
        return parse_letter(content, size)

    with monkeypatch.context() as patch:
        patch.setattr(letters_in, "parse_letter", deadly)
        patch.setattr(Marker, "end", lambda _self: None)
        for _ in range(2):
            with pytest.raises(Killed):
                run(office, settings, Box(letter("first")))
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
    monkeypatch.setattr(quarantine.sys, "executable", str(program))
    run(office, settings, Box(letter("first"), letter("second")))
    with office.reading() as books:
        reasons = [one.reason for one in books.arrivals()]
    assert len(reasons) == 2
    assert "the program that reads it ends" in reasons[0]
    (kept,) = (tmp_path / "games" / "unread").glob("*.eml")
    assert kept.read_bytes() == letter("first")
    told = click.testing.CliRunner().invoke(cli, ["--home", settings.home, "status"])
    assert str(kept) in told.stdout


@pytest.mark.usefixtures("killing")
def test_a_letter_whose_trial_took_too_long_once_is_read(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the machine was stopped meanwhile."""
    ends = iter([subprocess.TimeoutExpired("trial", 60), subprocess.CompletedProcess((), 0)])
    monkeypatch.setattr(quarantine.subprocess, "run", Mock(side_effect=ends))
    run(office, settings, Box(letter("first")))
    with office.reading() as books:
        (arrival,) = books.arrivals()
    assert "the program that reads it ends" not in arrival.reason
    assert not list((office.home.path / "unread").glob("*.eml"))
    assert next(ends, None) is None


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
    monkeypatch.setattr(quarantine, "_PAUSES", (60.0,))
    spoiling.append("first")
    runtime = run(office, settings, Box(letter("first"), letter("second")), left=1)
    assert runtime.read_until["postbox 1"] is None


def test_what_the_postbox_cannot_let_go_of_does_nothing_twice_and_is_told_once(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    box = Box(letter("first"))
    box.refusals = 2
    run(office, settings, box)
    assert not box.waiting
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    way_in = ["letter fetched", "letter read", "letter in"]
    assert [line["event"] for line in lines][:4] == [*way_in, "trouble"]
    assert {line["event"] for line in lines[4:]} <= {"letter done with", "all well again"}


def test_a_new_daemon_knows_what_the_old_one_read(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    run(office, settings, Box(letter("first")))
    run(office, settings, Box(letter("first")))
    assert [line["outcome"] for line in events(capsys, "letter in")][1:] == ["repeat"]
    with office.reading() as books:
        assert len(books.arrivals()) == 1


def test_a_letter_that_is_too_big_is_answered(office: Office, settings: ServeSettings) -> None:
    run(office, settings, Box(None))
    with office.reading() as books:
        (one,) = books.arrivals()
        (answer,) = books.letters("")
    assert (one.outcome, one.message_id) == ("answer", "<big@x>")
    assert answer.to == ("ada@players.test",)
    assert "Your letter of 2.0 MB was not read" in answer.document.decode()


def test_a_postbox_with_a_fault_is_asked_again(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    class Faulty(Box):
        def fetch(self, limit: int = 100, choose: Choose | None = None) -> Sequence[Parcel]:
            asked.append(limit)
            if len(asked) == 1:
                raise ZeroDivisionError
            return super().fetch(limit, choose)

    run(office, settings, Faulty(letter("first")))
    with office.reading() as books:
        assert len(books.arrivals()) == 1
    (line,) = events(capsys, "trouble")
    assert line["words"].startswith("ZeroDivisionError at ")
