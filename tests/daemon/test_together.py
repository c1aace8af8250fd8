"""Several daemons on one database, part by part: postboxes, clocks, troubles, what they do."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving import signs_of_life
from adjudicator.cli.serving.lease import HomeTaken, Lease, LeaseLost
from adjudicator.cli.serving.members import (
    ROLES,
    Member,
    boot_seconds,
    choose_roles,
    find_unserved,
    list_members,
)
from adjudicator.cli.serving.signs_of_life import CLOCK_PLACE
from adjudicator.cli.serving.status import collect_status, list_status_rows
from adjudicator.cli.wiring import DATABASE_VARIABLE, Office
from adjudicator.desk.clock.readings import ClockReading
from adjudicator.desk.clock.rounds import begin_round, end_round, look_between
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Heartbeat
from tests.daemon.parts import HOUR, MINUTE, Part, now, play
from tests.servers.postgres import PostgreSQL


def is_open(office: Office) -> bool:
    with office.reading() as books:
        return books.game("ember").next_number == 2


def test_no_step_closes_before_every_postbox_is_read_whoever_reads_it(
    shared: Office, settings: ServeSettings
) -> None:
    async def work() -> None:
        one, two = Part(shared, settings, "imap a"), Part(shared, settings, "imap b")
        for part in (two, one):
            await part.keeper.beat()
        await one.read()
        await one.clock.round(whole=True)
        assert is_open(shared), "the other postbox was never read"
        await two.read(now() - 2 * MINUTE)
        await one.keeper.beat()
        await one.clock.round(whole=True)
        assert is_open(shared), "the other postbox was read before the deadline"
        two.die()
        await one.read()
        await one.clock.round(whole=True)
        assert is_open(shared), "nobody reads the other postbox"
        three = Part(shared, settings, "imap b")
        await three.keeper.beat()
        assert three.runtime.may_read("postbox 1"), "it takes over what the dead one held"
        await one.read()
        await one.clock.round(whole=True)
        assert is_open(shared), "the other postbox was not read since"
        await three.read()
        await one.keeper.beat()
        await one.clock.round(whole=True)
        assert not is_open(shared)

    play(work)


def test_a_step_that_waits_for_a_look_into_the_post_waits_for_no_round(
    shared: Office, settings: ServeSettings
) -> None:
    async def work() -> None:
        one, two = Part(shared, settings, "imap a"), Part(shared, settings, "imap b")
        for part in (two, one):
            await part.keeper.beat()
        await one.read(now() - 2 * MINUTE)
        await two.read()
        await one.keeper.beat()
        await one.clock.round(whole=True)
        assert is_open(shared), "the own postbox was read before the deadline"
        assert one.runtime.is_awaited("postbox 1")
        one.runtime.clock.clear()
        await one.read()
        assert not one.runtime.is_awaited("postbox 1")
        await one.keeper.beat()
        assert not one.runtime.clock.is_set(), "nothing new was heard of the other postbox"
        await two.read()
        await one.keeper.beat()
        assert one.runtime.clock.is_set()
        await one.clock.round(whole=False)
        assert not is_open(shared)
        assert one.runtime.awaited is None

    play(work)


def test_the_gm_hears_of_a_postbox_that_nobody_reads_and_after_a_day_it_counts_no_more(
    shared: Office, settings: ServeSettings
) -> None:
    async def look(part: Part, later: timedelta) -> None:
        """Look again as long after the other was seen last; its own row is a fresh one."""
        two.die(later)
        await part.read()

    one, two = Part(shared, settings, "imap a"), Part(shared, settings, "imap b")

    async def work() -> None:
        for part in (one, two):
            await part.read()
        await look(one, MINUTE)
        (place,) = one.keeper._unread
        assert place == "postbox imap b"
        for minutes, mails in ((2, 0), (13, 1), (14, 1)):
            since = now() - minutes * MINUTE
            one.keeper._unread[place] = since
            known = one.runtime.troubles._open.get(place)
            if known:
                one.runtime.troubles._open[place] = replace(known, since=since)
            await look(one, minutes * MINUTE)
            with shared.reading() as books:
                told = [letter for letter in books.letters("") if b"imap b" in letter.document]
            assert len(told) == mails
        assert [p["place"] for p in collect_status(shared)["problems"]] == [place]
        await one.clock.round(whole=True)
        assert is_open(shared)
        await look(one, 25 * HOUR)
        await one.read()
        assert one.runtime.troubles.now() == {}
        await one.clock.round(whole=True)
        assert not is_open(shared)

    play(work)


def test_a_postbox_is_read_by_one(shared: Office, settings: ServeSettings) -> None:
    async def work() -> None:
        one, two = Part(shared, settings, "imap a"), Part(shared, settings, "imap a")
        for _ in range(2):
            for part in (one, two):
                await part.keeper.beat()
        assert one.runtime.may_read("postbox 1")
        assert not two.runtime.may_read("postbox 1")
        await one.read()
        await two.keeper.beat()
        (until,) = two.runtime.list_readings().values()
        assert until == one.runtime.read_until["postbox 1"]
        with shared.store.writing() as books:
            one.lease.give_back(books, at=now(), boot=1.0)
        await two.keeper.beat()
        assert two.runtime.may_read("postbox 1"), "what is given back is taken at once"
        assert two.runtime.list_readings() == {"postbox 1": None}, "and is read anew"

    play(work)


def test_a_daemon_that_was_unresponsive_does_not_read_on(
    shared: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        one = Part(shared, settings, "imap a")
        await one.keeper.beat()
        assert one.runtime.may_read("postbox 1")
        later = boot_seconds() + one.lease.length.total_seconds()
        monkeypatch.setattr("adjudicator.cli.serving.runtime.boot_seconds", lambda: later)
        assert not one.runtime.may_read("postbox 1")

    play(work)


class Ahead(datetime):
    """The clock of a machine that is five minutes ahead."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return super().now(tz) + 5 * MINUTE


def test_a_daemon_whose_clock_is_wrong_says_so_and_closes_nothing(
    shared: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        one = Part(shared, settings, "imap a")
        await one.keeper.beat()
        with monkeypatch.context() as patched:
            patched.setattr(signs_of_life, "datetime", Ahead)
            await one.read()
            await one.clock.round(whole=True)
            assert is_open(shared)
            assert abs(one.runtime.now() - now()) < MINUTE, "it goes by the database's clock"
            (trouble,) = one.runtime.troubles.now().values()
            assert trouble.place == CLOCK_PLACE
            assert "300 seconds ahead of the database's" in trouble.words
        with shared.reading() as books:
            (told,) = (one for one in books.letters("") if one.seat == "gm")
        assert "300 seconds ahead" in told.document.decode()
        await one.read()
        await one.clock.round(whole=True)
        assert not one.runtime.troubles.now()
        assert not is_open(shared)

    play(work)


def test_a_jump_of_the_clock_that_all_share_is_seen_by_each_machines_own(office: Office) -> None:
    at = now()

    def read(machine: str, seconds: float, jumped: timedelta = timedelta()) -> ClockReading:
        instant = at + timedelta(seconds=seconds) + jumped
        return ClockReading(at=instant, read_until=instant, boot=seconds, machine=machine)

    with office.making() as books:
        end_round(books, read("b", 5), None)
        quiet = begin_round(books, read("a", 10), is_first=False, own=read("a", 0))
        assert quiet.is_noted
        jumped = read("a", 20, HOUR)
        for begun in (
            begin_round(books, jumped, is_first=False, own=read("a", 10)),
            look_between(books, jumped, own=read("a", 10)),
        ):
            assert begun.last is not None
            assert begun.last.machine == "a"
        assert not begin_round(books, jumped, is_first=False, own=read("a", 10)).is_noted


def test_books_that_are_put_back_under_a_daemon_are_refused(
    shared: Office, settings: ServeSettings
) -> None:
    async def work() -> None:
        one = Part(shared, settings, "imap a")
        with shared.store.reading() as books:
            (then,) = books.heartbeats("daemon")
        for _ in range(3):
            await one.keeper.beat()
        with shared.store.writing() as books:
            books.save(then)
        with pytest.raises(Refused, match="older than what the server did last"):
            await one.keeper.beat()

    play(work)


def test_a_daemon_ends_when_a_home_with_another_secret_takes_its_empty_books(
    postgresql: PostgreSQL, settings: ServeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until there is a game any secret will do, but one alone makes keys that all can read."""
    monkeypatch.setenv(DATABASE_VARIABLE, postgresql.store())
    one, other = Office(settings.home), Office(str(tmp_path / "other"))

    async def work() -> None:
        with one.making():
            part = Part(one, settings, "imap a")
        await part.keeper.beat()
        with other.making():
            pass
        with pytest.raises(Refused, match="daemons that share a database need the same secret"):
            await part.keeper.beat()

    play(work)
    one.close()
    other.close()


def test_who_comes_back_from_an_outage_of_the_database_takes_nothing_from_who_does_so_later(
    shared: Office, settings: ServeSettings
) -> None:
    """Neither showed a sign of life in time, and both live."""

    def held_letters() -> int:
        with shared.store.writing() as books:
            return len(books.letter_holders())

    async def work() -> None:
        one, two = Part(shared, settings, "imap a"), Part(shared, settings, "imap b")
        with shared.store.writing() as books:
            assert books.claim_letters(two.lease.owner, now() + HOUR, 1, now())
        for part in (one, two):
            part.die()
        await one.keeper.beat()
        assert held_letters() == 1, "the other may live"
        await two.keeper.beat()
        await one.keeper.beat()
        assert held_letters() == 1, "it does"
        two.die()
        await one.keeper.beat()
        assert held_letters() == 0

    play(work)


def test_the_gm_hears_of_a_trouble_from_one_daemon(shared: Office, settings: ServeSettings) -> None:
    async def work() -> None:
        for _ in range(2):
            part = Part(shared, settings, "imap a")
            part.runtime.troubles.begin("game ember", "it is stuck", now())
            await part.runtime.mail_gm("game ember", "ember has stopped", ["It is stuck."])

    play(work)
    with shared.reading() as books:
        assert sum(b"ember has stopped" in one.document for one in books.letters("")) == 1


def test_who_wants_to_be_alone_waits_for_all_and_keeps_others_out(
    shared: Office, settings: ServeSettings, tmp_path: Path
) -> None:
    def take_alone() -> Lease:
        with shared.store.writing() as books:
            return Lease.take(tmp_path / "other", books, at=now(), boot=1.0)

    part = Part(shared, settings, "imap a")
    with pytest.raises(HomeTaken, match="another daemon serves these games: process"):
        take_alone()
    part.die()
    alone = take_alone()
    with pytest.raises(HomeTaken):
        Part(shared, settings, "imap a")

    async def go_on() -> None:
        with pytest.raises(LeaseLost):
            await part.keeper.beat()

    play(go_on)
    with shared.store.writing() as books:
        alone.give_back(books, at=now(), boot=1.0)
    alone.unlock()
    Part(shared, settings, "imap a")


def test_status_lists_every_daemon_and_what_none_of_them_does(
    shared: Office, settings: ServeSettings
) -> None:
    async def work() -> None:
        reader = Part(shared, settings, "imap a", ("post-in",))
        sender = Part(shared, settings, "imap a", ("clock", "post-out"))
        del sender.runtime.read_until["postbox 1"]
        for part in (sender, reader):
            await part.keeper.beat()
        facts = collect_status(shared)
        assert sorted((one["roles"], one["reads"]) for one in facts["daemons"]) == [
            (["clock", "post-out"], []),
            (["post-in"], ["postbox 1"]),
        ]
        (problem,) = facts["problems"]
        assert problem["place"] == "site"
        assert "adjudicator serve --only site" in problem["words"]
        rows = list_status_rows(facts)
        assert [name for name, _ in rows][:3] == ["daemon", "", "postbox 1"]
        assert ", only clock, post-out, last seen" in f"{rows[0][1]} {rows[1][1]}"
        reader.die()
        facts = collect_status(shared)
        assert [one["running"] for one in facts["daemons"]] == [True, False]
        assert {one["place"] for one in facts["problems"]} == {"site", "post-in"}
        assert "not running (process" in dict(list_status_rows(facts))[""]

    play(work)


def test_a_daemon_that_is_started_again_at_once_forgets_the_one_before_it(
    shared: Office, settings: ServeSettings
) -> None:
    """In a container nobody sees that a process has ended; it seems to live for a while."""

    def list_owners() -> set[str]:
        with shared.reading() as books:
            return {one.owner for one in list_members(books)}

    async def work() -> None:
        before = Part(shared, settings, "imap a")
        again, beside = (Part(shared, settings, "imap a") for _ in range(2))
        assert list_owners() == {part.lease.owner for part in (before, again, beside)}
        before.die()
        beside.die(timedelta())
        await again.keeper.beat()
        assert list_owners() == {again.lease.owner, beside.lease.owner}, "one died meanwhile"

    play(work)


def test_roles_are_chosen_by_name() -> None:
    assert choose_roles(None) == ROLES
    assert choose_roles("site, clock") == ("clock", "site")
    for wrong in ("clock,post", "", "clock,"):
        with pytest.raises(Refused, match="expected some of post-in, clock, post-out, site"):
            choose_roles(wrong)


def test_a_row_of_an_older_daemon_is_followed(office: Office, tmp_path: Path) -> None:
    """The one daemon of older releases had one row for all, whose rounds still count."""
    with office.making() as books:
        books.save(Heartbeat(name="daemon", at=now(), facts={"round": 7, "problems": []}))
        lease = Lease.take(tmp_path / "games", books, at=now(), boot=1.0)
    assert lease.round == 8
    with office.reading() as books:
        (own,) = list_members(books)
        assert own.owner == lease.owner
        assert books.heartbeat("daemon") is None
        assert isinstance(own, Member)
        assert find_unserved([own], now()) == ()
    lease.unlock()
