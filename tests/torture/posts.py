"""How letters come and go: by folders, or by servers behind wires that can be cut."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from adjudicator.adapters.mail.maildir import deliver_letter
from tests.servers import dovecot as dovecots
from tests.servers.dovecot import DOMAIN, PASSWORD, Dovecot
from tests.servers.ports import HOST, patiently
from tests.torture.sink import Sink, sinking
from tests.torture.wire import Wire

ADDRESS = "games@game.test"


class Folders:
    """Maildirs both ways."""

    name = "Maildir"

    def __init__(self, place: Path) -> None:
        self.inbox, self.out = place / "in", place / "out"
        self.address = ADDRESS
        self.wires: dict[str, Wire] = {}
        self.sink: Sink | None = None
        self.dovecot: Dovecot | None = None

    def settings(self) -> dict[str, Any]:
        """What the daemon is told."""
        return {
            "address": self.address,
            "postboxes": [{"kind": "maildir", "folder": str(self.inbox), "poll": "0.02"}],
            "postman": {"kind": "maildir", "folder": str(self.out)},
        }

    def post(self, letter: bytes) -> None:
        """A letter arrives."""
        deliver_letter(self.inbox, letter)

    def waiting(self) -> int:
        """How many letters were not taken out of the postbox yet."""
        return _count(self.inbox, "new", "cur")

    def close(self) -> None:
        """There is nothing to stop."""


class Servers(Folders):
    """IMAP by Dovecot, in the clear or with TLS, SMTP by a sink, a wire before each."""

    name = "IMAP and SMTP"

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place)
        self._stack = ExitStack()
        self.dovecot = patiently(Dovecot)
        self._stack.callback(self.dovecot.stop)
        self.sink = Sink(folder=self.out, seed=seed)
        port = self._stack.enter_context(sinking(self.sink))
        self._is_private = seed % 4 == 0  # half of the houses: what is spoilt then is not IMAP
        imap = self.dovecot.imaps if self._is_private else self.dovecot.imap
        self.wires = {"IMAP": Wire(imap, seed), "SMTP": Wire(port, seed + 1)}
        self._user = self.dovecot.user()
        self.address = f"{self._user}@{DOMAIN}"
        self.inbox = self.dovecot.maildir(self._user)

    def settings(self) -> dict[str, Any]:
        assert self.dovecot is not None
        return {
            "address": self.address,
            "postboxes": [
                {
                    "kind": "imap",
                    "host": "localhost",
                    "port": self.wires["IMAP"].port,
                    "security": "tls" if self._is_private else "plain",
                    "authority": self.dovecot.authority,
                    "user": self._user,
                    "timeout": "2",
                    "poll": "0.2",
                    "password": {"variable": "MAIL_PASSWORD"},
                }
            ],
            "postman": {
                "kind": "smtp",
                "host": HOST,
                "port": self.wires["SMTP"].port,
                "security": "plain",
                "timeout": "2",
            },
        }

    def post(self, letter: bytes) -> None:
        assert self.dovecot is not None
        self.dovecot.deliver(self._user, letter)

    def close(self) -> None:
        for wire in self.wires.values():
            wire.close()
        self._stack.close()


PASSWORDS = {"MAIL_PASSWORD": PASSWORD}


def open_post(place: Path, seed: int, *, servers: bool) -> Folders:
    """Servers where they are wanted and installed, else folders."""
    if servers and dovecots.installed():
        return Servers(place, seed)
    return Folders(place)


def _count(folder: Path, *names: str) -> int:
    return sum(
        not path.name.startswith(".") for name in names for path in (folder / name).glob("*")
    )
