"""A house on a real Dovecot and a real Postfix, and players with mailboxes there."""

import email.policy
import shutil
import smtplib
import threading
import time
from pathlib import Path
from typing import Any

from adjudicator.cli.demo.mail_programs import open_message, read_envelope
from tests.daemon.conftest import SEATS, House, make_game
from tests.daemon.people import Bots, reply
from tests.daemon.running import config
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ports import HOST
from tests.servers.postfix import Postfix

PLAYERS = "players.test"
GAMES = "game.test"


def imap(dovecot: Dovecot, user: str, **changes: Any) -> dict[str, Any]:
    """The settings of a mailbox."""
    return {
        "kind": "imap",
        "host": "localhost",
        "port": dovecot.imaps,
        "user": user,
        "password": {"variable": "MAIL_PASSWORD"},
        "authority": dovecot.authority,
        **changes,
    }


class Served(House):
    """A house that is reached by real servers."""

    def __init__(self, folder: Path, dovecot: Dovecot, postfix: Postfix) -> None:
        super().__init__(folder)
        self.dovecot = dovecot
        self.postfix = postfix
        self.user = dovecot.user()
        self.users = {seat: dovecot.user() for seat in SEATS}
        self.config = config(
            folder,
            self.settings(
                address=f"{self.user}@{GAMES}",
                gm=[f"{dovecot.user()}@{PLAYERS}"],
                postboxes=[imap(dovecot, self.user)],
                postman={
                    "kind": "smtp",
                    "host": "localhost",
                    "port": postfix.smtps,
                    "user": self.user,
                    "password": {"variable": "MAIL_PASSWORD"},
                    "authority": dovecot.authority,
                },
            ),
        )

    def start(self, **environment: str) -> Any:
        return super().start(MAIL_PASSWORD=PASSWORD, **environment)

    def game(self, turns: int = 3, **settings: Any) -> None:
        addresses = {SEATS[seat]: f"{user}@{PLAYERS}" for seat, user in self.users.items()}
        make_game(self.office, addresses, turns, **settings)

    def close(self) -> None:
        """What the servers had to say is kept beside the daemon's log."""
        super().close()
        for name, server in (("postfix", self.postfix), ("dovecot", self.dovecot)):
            log = server.folder / f"{name}.log"
            if log.exists():
                shutil.copy(log, self.folder)

    def mailbox(self, seat: str) -> list[tuple[str, bytes]]:
        """Name and content of every letter that came for a seat."""
        folder = self.dovecot.maildir(self.users[seat])
        files = [path for name in ("new", "cur") for path in (folder / name).glob("*")]
        return [(path.name, path.read_bytes()) for path in sorted(files)]


class Table(threading.Thread):
    """Three players at once: each reads what came and replies to every report, once.

    Reports of the turn that is held, and of those after it, wait for `go_on`.
    """

    def __init__(self, served: Served, held: int) -> None:
        super().__init__(daemon=True)
        self.served = served
        self.holds = False
        """Somebody has a report that waits."""
        self._held: int | None = held
        self.written: list[str] = []
        """The Message-IDs of all that they wrote."""
        self.skipped: list[str] = []
        """Reports that they did not answer, and why."""
        self.trouble: BaseException | None = None
        # not an office of its own: a process that opens an SQLite file anew loses its locks on it
        self._bots = Bots(served.office, "ember")
        self._seen: set[tuple[str, str]] = set()
        self._answered: set[tuple[str, str]] = set()
        self._over = threading.Event()

    def __str__(self) -> str:
        return f"the end of the game (reports without an answer: {self.skipped})"

    def run(self) -> None:
        try:
            while not self._over.is_set():
                for seat in SEATS:
                    self._turn(seat)
                time.sleep(0.02)
        except BaseException as error:
            self.trouble = error

    def go_on(self) -> None:
        """Reports of every turn are answered."""
        self._held, self.holds = None, False

    def rise(self) -> None:
        """Nobody writes any more."""
        self._over.set()
        self.join()
        self.well()

    def well(self) -> bool:
        """Nobody has stumbled."""
        if self.trouble:
            raise self.trouble
        return True

    def _turn(self, seat: str) -> None:
        for name, content in self.served.mailbox(seat):
            if (seat, name) in self._seen:
                continue
            letter = open_message(content)
            facts = read_envelope(letter) if ".report." in str(letter["Message-ID"]) else None
            if facts and self._held is not None and _turn(facts["step"]) >= self._held:
                self.holds = True
                continue
            self._seen.add((seat, name))
            if facts and (seat, facts["step"]) not in self._answered:
                self._reply(seat, letter, facts)

    def _reply(self, seat: str, letter: Any, facts: dict[str, str]) -> None:
        step, wanted = self._bots.wanted()
        if step != facts["step"] or seat not in wanted:
            self.skipped.append(f"{seat} {facts['step']}: {step} waits for {sorted(wanted)}")
            return
        self._answered.add((seat, facts["step"]))
        sender = f"{self.served.users[seat]}@{PLAYERS}"
        house = f"{self.served.user}@{GAMES}"
        content = reply(sender, letter, facts, wanted[seat], 1, to=house)
        with smtplib.SMTP(HOST, self.served.postfix.smtp) as smtp:
            smtp.sendmail(sender, [house], content)
        self.written.append(str(open_message(content)["Message-ID"]))


def _turn(step: str) -> int:
    return int(step.partition("-")[0])


def bare(content: bytes) -> bytes:
    """A letter without what servers on its way wrote on top."""
    letter = email.message_from_bytes(content, policy=email.policy.compat32)
    for name in ("Return-Path", "Delivered-To", "Received", "X-Original-To"):
        del letter[name]
    return letter.as_bytes()
