"""The daemon's parts one by one: a lease, troubles, the clock, the log, a worker."""

import asyncio
import json
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import text

from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving import lease as leases
from adjudicator.cli.serving import rounds
from adjudicator.cli.serving.lease import LENGTH, HomeTaken, Lease, LeaseLost
from adjudicator.cli.serving.log import TroubleFile, Troubles, locate_error, set_up_log
from adjudicator.cli.serving.members import list_members
from adjudicator.cli.serving.post.letters_in import LettersIn
from adjudicator.cli.serving.rounds import Clockwork
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.serving.systemd import Notifier
from adjudicator.cli.wiring import Office
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.clock.tick import Ticked, tick
from adjudicator.desk.model.errors import Changed
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.mail import Parcel
from adjudicator.desk.model.ports import Books, Library

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def events(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]


def take(home: Path, office: Office, at: datetime = AT) -> Lease:
    with office.making() as books:
        return Lease.take(home, books, at=at, boot=1.0)


def test_a_lease_keeps_others_out_until_it_is_given_back(office: Office, tmp_path: Path) -> None:
    home = tmp_path / "games"
    lease = take(home, office)
    with pytest.raises(HomeTaken, match="already serves this home"):
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
    with pytest.raises(HomeTaken, match="on elsewhere, home"):
        take(tmp_path / "games", office, AT + LENGTH / 2)
    mine = take(tmp_path / "games", office, AT + LENGTH)
    with office.acting() as books, pytest.raises(LeaseLost):
        other.renew(books, at=AT + LENGTH, boot=2.0, problems=())
    mine.unlock()
    other.unlock()


def test_who_was_killed_here_is_followed_at_once(office: Office, tmp_path: Path) -> None:
    home = tmp_path / "games"
    first = take(home, office)
    first.unlock()  # what the kernel does when a process is killed
    second = take(home, office, AT + timedelta(seconds=1))
    with office.reading() as books:
        (member,) = list_members(books)
    assert member.owner == second.owner
    second.unlock()


def test_a_trouble_is_told_when_it_begins_once_an_hour_and_when_it_is_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    troubles = Troubles(set_up_log("json"))
    for seconds in range(7300):
        troubles.begin("mailbox", "nobody answers", AT + timedelta(seconds=seconds))
    troubles.end("mailbox", AT + timedelta(seconds=7300))
    troubles.end("mailbox", AT + timedelta(seconds=7301))
    assert events(capsys) == ["trouble", "still in trouble", "still in trouble", "all well again"]
    assert troubles.now() == {}


def test_a_trouble_is_mailed_once_even_by_the_next_daemon(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = Troubles(set_up_log("json"))
    first.begin("postbox 1", "nobody answers", AT)
    hour = timedelta(hours=1)
    assert not first.to_mail("postbox 1", AT, after=hour)
    assert first.to_mail("postbox 1", AT + hour, after=hour)
    first.mark_mailed("postbox 1")
    second = Troubles(set_up_log("json"))
    second.remember([one.facts() for one in first.now().values()])
    second.begin("postbox 1", "nobody answers", AT + 2 * hour)
    assert not second.to_mail("postbox 1", AT + 2 * hour, after=hour)
    assert second.now()["postbox 1"].since == AT
    assert events(capsys).count("trouble") == 2


def make_games(office: Office, *, start: bool) -> None:
    with office.making() as books:
        for name in ("amber", "ember"):
            create_game(
                books,
                office.library,
                game=name,
                kind="jump-wars",
                seats={"red": "Ada", "blue": "Bo", "green": "Cy" if start else None},
                options={},
                settings={},
                seed=b"s" * 32,
                luck={},
                verifiable=False,
                components=None,
                start=start,
                at=AT,
            )


def test_a_game_that_cannot_go_on_stops_no_other_and_the_gm_is_told_once(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ticked = []

    def stumbling(books: Books, library: Library, game: str, **facts: Any) -> Ticked:
        ticked.append(game)
        if game == "amber":
            raise Changed("amber: the rules have changed; accept them")
        return Ticked()

    monkeypatch.setattr(rounds, "tick", stumbling)
    make_games(office, start=False)
    lease = take(tmp_path / "games", office)

    async def whole() -> None:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        clock = Clockwork(runtime, lambda _closing: None)
        for _ in range(3):
            await clock.round(whole=True)

    asyncio.run(whole())
    lease.unlock()
    assert ticked == ["amber", "ember"] * 3
    with office.reading() as books:
        (told,) = books.letters("")
    assert "accept them" in told.document.decode()
    assert "Letters to it wait in the postbox" in told.document.decode()
    assert "still accepted" not in told.document.decode()


def test_a_game_that_is_gone_or_cannot_be_read_stops_no_other(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ticked: list[str] = []

    def watching(*given: Any, **more: Any) -> Ticked:
        ticked.append(given[2])
        return tick(*given, **more)

    monkeypatch.setattr(rounds, "tick", watching)
    make_games(office, start=True)
    lease = take(tmp_path / "games", office)

    async def whole() -> Runtime:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        clock = Clockwork(runtime, lambda _closing: None)
        await clock.round(whole=True)
        with office.acting() as books:
            books.delete_game("amber")
            books.locked("ember")
        with office.store.engine.begin() as connection:
            connection.execute(text("UPDATE games SET settings = '{' WHERE id = 'ember'"))
        runtime.stopped.add("amber")
        await clock.round(whole=False)
        return runtime

    runtime = asyncio.run(whole())
    lease.unlock()
    assert ticked == ["amber", "ember", "amber", "ember"]
    assert set(runtime.troubles.now()) == {"game ember"}
    assert not runtime.stopped


def test_a_round_looks_only_at_games_whose_time_has_come(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first one looks at all; so does one after an outage of the mail or a clock's jump."""
    ticked: list[str] = []
    now = AT
    monkeypatch.setattr(
        rounds, "tick", lambda *facts, **more: ticked.append(facts[2]) or tick(*facts, **more)
    )
    monkeypatch.setattr(rounds, "boot_seconds", lambda: now.timestamp() - AT.timestamp())
    monkeypatch.setattr(Runtime, "now", lambda _: now)
    make_games(office, start=True)
    lease = take(tmp_path / "games", office)

    async def whole() -> None:
        nonlocal now
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        clock = Clockwork(runtime, lambda _closing: None)

        async def looked_at(later: timedelta) -> list[str]:
            nonlocal now
            now += later
            ticked.clear()
            runtime.read_until["postbox 1"] = now
            await clock.round(whole=True)
            return list(ticked)

        second, hour = timedelta(seconds=1), timedelta(hours=1)
        assert await looked_at(second) == ["amber", "ember"]
        assert await looked_at(second) == []
        with office.acting() as books:
            books.locked("ember")
        assert await looked_at(second) == ["ember"]
        assert await looked_at(second) == []
        assert await looked_at(2 * hour) == ["amber", "ember"]
        assert await looked_at(second) == []

    asyncio.run(whole())
    lease.unlock()


def test_no_key_stands_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("text").info("letter in", words="key: 7f3k-q2mx is wrong", game="ember")
    set_up_log("text").info("letter in", reason="line one\nforged line")
    first, second = capsys.readouterr().err.splitlines()
    assert "7f3k" not in first
    assert "game=ember" in first
    assert "line one forged line" in second
    structlog.reset_defaults()


def test_an_unexpected_error_is_told_by_its_place_without_its_words() -> None:
    try:
        raise ValueError("key 7f3k-q2mx")  # noqa: TRY301
    except ValueError as error:
        told = locate_error(error)
    assert told.startswith("ValueError at test_parts.py:")


def test_letters_on_the_same_way_have_the_same_id() -> None:
    assert trace_id("<a@x>", "digest") == trace_id("<a@x>")
    assert trace_id(None, "digest") == trace_id("", "digest") != trace_id("<a@x>")


def test_post_is_read_when_every_box_is(office: Office, settings: ServeSettings) -> None:
    log = set_up_log("json")
    runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
    for readings, until in (
        ({}, None),
        ({"a": AT, "b": None}, None),
        ({"a": AT, "b": AT - LENGTH}, AT - LENGTH),
    ):
        runtime.read_until = readings
        assert runtime.find_read_until() == until
    runtime.awaited = AT
    assert [runtime.is_awaited(name) for name in "ab"] == [False, True]
    runtime.read_until = {"a": None}
    assert not runtime.is_awaited("a"), "it is still being read for the first time"


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


class _Restless:
    """A postbox that can be read, but not waited for."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.times = 0
        self._stop = stop

    def fetch(self, limit: int, choose: object = None) -> Sequence[Parcel]:
        return []

    def file_away(self, ids: Sequence[str]) -> None: ...

    def wait(self, seconds: float) -> bool:
        self.times += 1
        if self.times < 3:
            raise OverflowError("timestamp too large")
        self._stop()
        return False

    def close(self) -> None: ...


def test_a_postbox_that_cannot_wait_ends_nothing(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    async def whole() -> int:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        loop = asyncio.get_running_loop()
        box = _Restless(lambda: loop.call_soon_threadsafe(runtime.stop.set))
        await LettersIn(runtime, "postbox 1", box).run()
        assert not runtime.troubles.now()
        return box.times

    assert asyncio.run(whole()) == 3
    assert events(capsys) == ["trouble", "all well again"]


def test_troubles_are_kept_beside_the_database(tmp_path: Path) -> None:
    path = tmp_path / "serve.troubles"
    troubles = Troubles(set_up_log("json"))
    troubles.file = TroubleFile(path)
    size = path.stat().st_size
    assert path.stat().st_mode & 0o777 == 0o600
    for number in range(60):  # more than fits
        troubles.begin(f"place {number}", "the disk is full; make room " * 20, AT)
    assert path.stat().st_size == size
    kept = TroubleFile.read(path)
    assert kept is not None
    assert kept[0] == os.getpid()
    assert kept[1][0]["place"] == "place 0"
    assert 20 < len(kept[1]) < 60
    assert kept[1][0]["words"].startswith("the disk is full; make room")
    for number in range(60):
        troubles.end(f"place {number}", AT)
    assert TroubleFile.read(path) == (os.getpid(), [])


@pytest.mark.parametrize("content", ["", "[]", "{", '{"pid": "x"}', '{"pid": 1}'])
def test_a_damaged_file_of_troubles_says_nothing(tmp_path: Path, content: str) -> None:
    path = tmp_path / "serve.troubles"
    path.write_text(content)
    assert TroubleFile.read(path) is None
