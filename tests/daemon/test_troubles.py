"""Servers away, a full disk, a locked database, a crash at the worst moment: nothing is lost."""

import asyncio
import resource
import signal
import socket
import sqlite3
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from adjudicator.cli.demo.mail_programs import open_message, read_envelope
from adjudicator.cli.serving.status import collect_status, list_status_rows
from adjudicator.desk.model.deadlines import format_deadline
from tests.daemon.conftest import House
from tests.daemon.people import Bots, reply
from tests.daemon.running import PATIENCE, config, until
from tests.daemon.servers import GAMES, imap
from tests.daemon.test_maildir import _orders, _receipts, _status
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.servers.ports import HOST, free_ports
from tests.servers.smtpd import HANG_UP, Manners, smtpd


def smtp(port: int) -> dict[str, Any]:
    """The settings of a mail server on this machine."""
    return {"kind": "smtp", "host": HOST, "port": port, "security": "plain", "timeout": "10"}


def sent(manners: Manners, kind: str) -> list[tuple[str, bytes]]:
    """Message-ID and content of the letters of this kind that a server took."""
    found = [(open_message(content), content) for _, _, content in manners.taken]
    return [(str(one["Message-ID"]), c) for one, c in found if f".{kind}." in one["Message-ID"]]


def test_a_mail_server_that_is_away_is_one_line_and_no_letter_less(house: House) -> None:
    (port,) = free_ports(1)
    config(house.folder, house.settings(postman=smtp(port)))
    house.game()
    daemon = house.serve()
    (line,) = until(lambda: daemon.logged("trouble", place="postman"))
    assert f"{HOST}:{port}: the connection was refused" in line["words"]
    time.sleep(2)
    assert len(daemon.logged("trouble")) == 1
    manners = Manners()
    with smtpd(manners, port=port):
        until(lambda: len(sent(manners, "report")) == 3, what="the reports")
        until(lambda: daemon.logged("all well again", place="postman"))
    assert daemon.stop() == 0


class TongueTied(Manners):
    """Takes a letter and says so once its tongue is loosened."""

    loosened = False

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.original_content or b""
        self.taken.append((envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
        while not self.loosened:
            await asyncio.sleep(0.02)
        return "250 taken"


def test_half_a_letter_is_sent_again_as_it_was(house: House) -> None:
    (port,) = free_ports(1)
    config(house.folder, house.settings(postman={**smtp(port), "connections": 1}))
    house.game()
    manners = TongueTied()
    with smtpd(manners, port=port):
        daemon = house.serve()
        until(lambda: len(manners.taken) == 1)
        daemon.kill()  # the server has the letter, and nobody heard that it took it
        manners.loosened = True
        daemon = house.serve()
        until(lambda: len(manners.taken) == 4)
        first, *others = sent(manners, "report")
        assert first in others
        assert len({name for name, _ in others}) == 3
        assert daemon.stop() == 0


def test_a_server_that_hangs_up_in_the_middle_gets_it_again(house: House) -> None:
    (port,) = free_ports(1)
    config(house.folder, house.settings(postman=smtp(port)))
    house.game()
    manners = Manners(data=HANG_UP)
    with smtpd(manners, port=port):
        daemon = house.serve()
        (line,) = until(lambda: daemon.logged("trouble", place="postman"))
        assert "the connection was lost" in line["words"]
        manners.data = None
        until(lambda: len(sent(manners, "report")) == 3)
        assert daemon.stop() == 0


def test_a_server_that_wants_fewer_letters_is_left_alone(house: House) -> None:
    (port,) = free_ports(1)
    config(house.folder, house.settings(postman=smtp(port)))
    house.game()
    manners = Manners(data="454 Throttling failure: Daily message quota exceeded")
    with smtpd(manners, port=port):
        daemon = house.serve()
        (line,) = until(lambda: daemon.logged("trouble", place="postman"))
        assert "Daily message quota exceeded" in line["words"]
        asked = until(lambda: len(manners.options) >= 3 and len(manners.options))
        time.sleep(1.5)
        assert len(manners.options) == asked
        assert daemon.stop() == 0
    with house.office.reading() as books:
        assert not any(one.bounced for one in books.addresses("Ada"))
        assert all(one.status == "queued" for one in books.letters("ember"))


def test_a_mailbox_that_is_away_is_one_line_and_no_letter_less(house: House) -> None:
    with running_dovecot() as server:
        user = server.user()
        box = imap(server, user)
        config(house.folder, house.settings(address=f"{user}@{GAMES}", postboxes=[box]))
        house.game()
        daemon = house.serve(MAIL_PASSWORD=PASSWORD)
        letter = _orders(house, "Ada", "red")
        server.end()
        until(lambda: daemon.logged("trouble", place="postbox 1"))
        time.sleep(1.5)
        assert len(daemon.logged("trouble")) == 1
        server.start()
        server.deliver(user, letter)
        until(lambda: _receipts(house, "Ada"))
        until(lambda: daemon.logged("all well again", place="postbox 1"))
        assert PASSWORD not in [str(v) for line in daemon.lines() for v in line.values()]
        assert daemon.stop() == 0


def test_a_full_disk_is_one_line_and_no_letter_less(house: House) -> None:
    house.game()
    daemon = house.serve()
    letter = _orders(house, "Ada", "red")
    whole = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (1024, whole[1]))
    house.post(letter)
    until(lambda: daemon.logged("trouble", place="database"))
    time.sleep(2)
    assert len(daemon.logged("trouble", place="database")) == 1
    assert not daemon.logged("letter in")
    told = _status(house, code=1)  # no word of it can stand in the database
    words = {one["place"]: one["words"] for one in told["problems"]}
    assert "the disk" in words["database"]
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, whole)
    until(lambda: _receipts(house, "Ada"))
    until(lambda: daemon.logged("all well again", place="database"))
    assert daemon.stop() == 0


def test_a_locked_database_is_waited_for_and_does_not_keep_it_from_stopping(house: House) -> None:
    house.game()
    daemon = house.serve()
    letter = _orders(house, "Ada", "red")
    other = sqlite3.connect(house.office.home.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    house.post(letter)
    time.sleep(1)
    assert not _receipts(house, "Ada")
    other.execute("ROLLBACK")
    until(lambda: _receipts(house, "Ada"))
    other.execute("BEGIN IMMEDIATE")
    time.sleep(1.2)
    assert daemon.stop(signal.SIGTERM) == 0
    other.close()
    assert house.serve().stop() == 0


def test_servers_that_say_nothing_do_not_keep_it_from_stopping(house: House) -> None:
    with socket.create_server((HOST, 0)) as silent:
        port = silent.getsockname()[1]
        box = {
            "kind": "imap",
            "host": HOST,
            "port": port,
            "security": "plain",
            "user": "games",
            "password": {"variable": "MAIL_PASSWORD"},
            "timeout": "600",
        }
        postman = {**smtp(port), "timeout": "600"}
        config(house.folder, house.settings(postboxes=[box], postman=postman))
        house.game()
        daemon = house.serve(MAIL_PASSWORD=PASSWORD)
        time.sleep(0.5)
        assert daemon.stop(signal.SIGTERM) == 0
    config(house.folder, house.settings())
    daemon = house.serve()
    until(lambda: house.letters("Ada"))
    assert daemon.stop() == 0


def test_a_letter_is_answered_at_once_not_at_the_next_round(house: House, dovecot: Dovecot) -> None:
    user = dovecot.user()
    manners = Manners()
    with smtpd(manners) as server:
        facts = house.settings(
            address=f"{user}@{GAMES}", postboxes=[imap(dovecot, user)], postman=smtp(server.port)
        )
        config(house.folder, {**facts, "round": 300})
        assert PATIENCE < 300
        house.game()
        daemon = house.serve(MAIL_PASSWORD=PASSWORD)
        until(lambda: len(manners.taken) == 3)
        report = next(c for _, c in sent(manners, "report") if b".red." in c)
        letter = open_message(report)
        _, wanted = Bots(house.office, "ember").wanted()
        for number in range(1, 4):
            facts = {**read_envelope(letter), "after": str(number - 1)}
            words = reply("ada@players.test", letter, facts, wanted["red"], number)
            dovecot.deliver(user, words)
            until(lambda: len(sent(manners, "receipt")) == number)  # noqa: B023 - used at once
        assert daemon.stop() == 0


def test_the_home_is_refused_where_it_cannot_be(house: House, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    config(house.folder, house.settings(home="file/home"))
    assert house.start().process.wait(PATIENCE) == 1
    assert "Error: " in until(house.log.read_text)


def test_status_says_until_when_a_mail_server_wants_no_letters(house: House) -> None:
    manners = Manners(data="550 5.7.708 access denied, too many messages")
    with smtpd(manners) as server:
        config(house.folder, house.settings(postman=smtp(server.port)))
        house.game()
        daemon = house.serve()
        pause = until(lambda: collect_status(house.office)["paused_until"])
        assert daemon.stop() == 0
    until_when = format_deadline(datetime.fromisoformat(pause), "UTC", seconds=True)
    queued = dict(list_status_rows(collect_status(house.office)))["queued"]
    assert queued.endswith(f"; the mail server takes none before {until_when}")
