"""The audit itself: of a run in which all was well it says nothing, and every loss it finds."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from msgspec.structs import replace

from adjudicator.cli.demo.mail_programs import list_inbox
from adjudicator.cli.wiring import Office
from tests.torture.audit import find_faults
from tests.torture.evidence import Evidence, collect_evidence
from tests.torture.run import Torture
from tests.torture.sink import Sink


class Remains:
    """A copy of what a run left, in which something can be changed."""

    def __init__(self, torture: Torture, place: Path) -> None:
        house = torture.house
        self.home, self.out, self.sent = (place / name for name in ("home", "out", "sent"))
        house.leave()
        for source, copy in (
            (house.home, self.home),
            (house.post.out, self.out),
            (torture.crowd.sent, self.sent),
        ):
            shutil.copytree(source, copy)

    def collect(self) -> Evidence:
        office = Office(str(self.home))
        try:
            return collect_evidence(office, self.out, self.sent)
        finally:
            office.close()

    def execute(self, statement: str) -> None:
        with closing(sqlite3.connect(self.home / "adjudicator.db")) as connection, connection:
            assert connection.execute(statement).rowcount > 0

    def letters(self, pattern: str = "*@players.test") -> list[Path]:
        return [path for box in sorted(self.out.glob(pattern)) for path in list_inbox(box)]


@pytest.fixture
def remains(ended: Torture, tmp_path: Path) -> Remains:
    return Remains(ended, tmp_path)


def _lose_a_letter_out(remains: Remains) -> None:
    first = remains.letters()[0]
    name = next(line for line in first.read_bytes().splitlines() if b"Message-I" in line)
    for path in remains.letters(first.parents[1].name):
        if name in path.read_bytes():
            path.unlink()


def _change_a_repeat(remains: Remains) -> None:
    first = remains.letters()[0]
    first.with_name("repeat").write_bytes(first.read_bytes() + b"another word\n")


def _invent_a_letter(remains: Remains) -> None:
    first = remains.letters()[0]
    first.with_name("new").write_bytes(b"Message-ID: <new@nowhere>\n\nhello\n")


def _write_a_letter(remains: Remains) -> None:
    (remains.sent / "new" / "x").write_bytes(b"Message-ID: <unread@players.test>\n\nhello\n")


LAST = "(SELECT max(rowid) FROM"
INJURIES: dict[str, tuple[Callable[[Remains], None], str]] = {
    "a letter out is lost": (_lose_a_letter_out, "is not in its mailbox"),
    "a repeat is not the same": (_change_a_repeat, "2 different letters with one Message-ID"),
    "a letter comes from nowhere": (_invent_a_letter, "was never queued: <new@nowhere>"),
    "a letter in is lost": (_write_a_letter, "has 0 fates: <unread@players.test>"),
    "the books forget a letter in": (
        lambda one: one.execute(f"DELETE FROM arrivals WHERE id = {LAST} arrivals)"),
        "has 0 fates",
    ),
    "a letter in counts twice": (
        lambda one: one.execute(
            "INSERT INTO arrivals (message_id, digest, arrived, read, outcome, reason)"
            " SELECT message_id, 'other', arrived, read, outcome, reason FROM arrivals LIMIT 1"
        ),
        "has 2 fates",
    ),
    "a letter in was set aside": (
        lambda one: one.execute(
            f"UPDATE arrivals SET digest = 'aside x' WHERE id = {LAST} arrivals)"
        ),
        "was set aside",
    ),
    "a letter out still waits": (
        lambda one: one.execute("UPDATE outbox SET status = 'queued' WHERE id = 1"),
        "a letter out is queued",
    ),
    "a letter out failed": (
        lambda one: one.execute("UPDATE outbox SET status = 'failed' WHERE id = 1"),
        "a letter out is failed",
    ),
    "the outbox forgets a letter": (
        lambda one: one.execute(f"DELETE FROM outbox WHERE id = {LAST} outbox)"),
        "was never queued",
    ),
    "a state is changed": (
        lambda one: one.execute("UPDATE steps SET state = X'7b7d' WHERE number = 0"),
        "not verified",
    ),
}


def test_a_run_in_which_all_was_well(remains: Remains) -> None:
    evidence = remains.collect()
    assert find_faults(evidence) == []
    assert min(map(len, (evidence.written, evidence.queued, evidence.received))) >= 8
    assert evidence.chained


@pytest.mark.parametrize("injury", INJURIES)
def test_every_injury_is_found(injury: str, remains: Remains) -> None:
    injure, words = INJURIES[injury]
    injure(remains)
    faults = find_faults(remains.collect())
    assert any(words in fault for fault in faults), faults


def test_a_step_that_was_closed_or_reported_twice_is_found(remains: Remains) -> None:
    evidence = remains.collect()
    report = next(one for one in evidence.queued if one.subject)
    again = replace(report, message_id="<again@game.test>")
    for changed, words in (
        (replace(evidence, closed=(*evidence.closed, "x closed", "x closed")), "closed twice"),
        (replace(evidence, chained=(*evidence.chained, evidence.chained[0])), "in the chain twice"),
        (replace(evidence, queued=(*evidence.queued, again)), "reported twice"),
        (replace(evidence, queued=(*evidence.queued, report)), "two letters out have one"),
        (replace(evidence, damage=("page 7",)), "damaged database: page 7"),
    ):
        assert any(words in fault for fault in find_faults(changed))


def test_what_the_sink_tells_one_connection_is_never_told_to_another(tmp_path: Path) -> None:
    """A letter that is refused while another is taken is not told to be taken."""
    sorts = iter(["data 451", None])

    class Two(Sink):
        def _fault(self, *stages: str) -> str | None:
            return next(sorts)

    sink = Two(folder=tmp_path)

    async def both() -> list[str]:
        server, session = cast("SMTP", None), cast("Session", None)
        envelopes = [Envelope(), Envelope()]
        for envelope, to in zip(envelopes, ("ada", "bo"), strict=True):
            envelope.rcpt_tos = [f"{to}@players.test"]
            envelope.original_content = b"Subject: hello\r\n\r\n"
        return await asyncio.gather(
            *(sink.handle_DATA(server, session, envelope) for envelope in envelopes)
        )

    assert asyncio.run(both()) == ["451 not now", "250 taken"]
    assert [path.name for path in tmp_path.iterdir()] == ["bo@players.test"]
