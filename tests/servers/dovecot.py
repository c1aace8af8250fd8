"""A Dovecot of our own: IMAP, IMAPS, LMTP and passwords for Postfix, all as one plain user."""

import grp
import os
import pwd
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tests.servers.certificate import make_certificate
from tests.servers.needed import need
from tests.servers.ports import HOST, end, free_ports, patiently, wait_for_banner

BINARY = Path("/usr/sbin/dovecot")
PASSWORD = "pw"
DOMAIN = "game.test"
USERS = tuple(f"u{number}" for number in range(200))
FULL = "full"
"""A user whose mailbox holds 4,000 bytes."""
_CONFIGURATION = Path(__file__).with_name("dovecot.conf")
_ASKS = """\
introspection_mode = post
introspection_url = @introspection@
username_attribute = username
active_attribute = active
active_value = true
"""
"""Whether a token is good."""
_OAUTH = {
    "2.3": """\
passdb {
  driver = oauth2
  mechanisms = oauthbearer xoauth2
  args = @folder@/oauth2.conf
}
""",
    "2.4": f"oauth2 {{\n{_ASKS}}}\n",
}
_QUOTA = {"2.3": "userdb_quota_rule=*:bytes=4000", "2.4": "userdb_quota_storage_size=4000B"}
"""What the full user's account says in each version whose configuration is known."""


@cache
def _version() -> str:
    """The one whose configuration the installed program reads: 2.4 began another language."""
    said = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = (int(part) for part in said.split(".")[:2])
    return "2.4" if (major, minor) >= (2, 4) else "2.3"


def installed() -> bool:
    """Both programs are there."""
    return BINARY.exists() and Path("/usr/lib/dovecot/lmtp").exists()


class Dovecot:
    """One server. A test takes a user of its own by `user()`; the server is shared.

    Its folder is short and under /tmp: names of sockets have at most 107 bytes.
    """

    def __init__(
        self,
        capability: str = "",
        prefix: str = "",
        certificate: str = "localhost",
        introspection: str = "",
    ) -> None:
        """`capability` is what it says that it can, `prefix` what all folders' names begin with.

        `introspection` is the address that tells of tokens; without one there are only passwords.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="dc", dir="/tmp"))
        self.imap, self.imaps, self.lmtp, self.sasl = free_ports(4)
        self._left = list(reversed(USERS))
        self._owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        try:
            make_certificate(self.folder, certificate)
            self._write(capability, prefix, introspection)
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    @classmethod
    def bare(cls) -> "Dovecot":
        """Without IDLE and MOVE, and with every folder below INBOX."""
        return cls("IMAP4rev1 SASL-IR LITERAL+ UIDPLUS NAMESPACE", "INBOX/")

    @property
    def authority(self) -> str:
        """The certificate to trust."""
        return str(self.folder / "cert.pem")

    def user(self) -> str:
        """A user that nobody had before."""
        return self._left.pop()

    def maildir(self, user: str) -> Path:
        """Where the letters of a user lie."""
        return self.folder / "mail" / user / "Maildir"

    def deliver(self, user: str, *letters: bytes) -> None:
        """As a mail server does, by LMTP; the mailbox has them when this returns."""
        with smtplib.LMTP(HOST, self.lmtp) as lmtp:
            for letter in letters:
                lmtp.sendmail("ada@players.test", [f"{user}@{DOMAIN}"], letter)

    def place(self, user: str, *letters: bytes) -> None:
        """Many letters at once, straight into the folder; numbered in this order."""
        new = self.maildir(user) / "new"
        new.mkdir(parents=True, exist_ok=True)
        for number, letter in enumerate(letters):
            path = new / f"{1_700_000_000 + number}.M1P1.test"
            path.write_bytes(letter.replace(b"\r\n", b"\n"))
        if os.geteuid() == 0:
            home = self.folder / "mail" / user
            for path in [home, *home.rglob("*")]:
                os.chown(path, self._owner.pw_uid, self._owner.pw_gid)

    def _write(self, capability: str, prefix: str, introspection: str) -> None:
        for name in ("run", "state", "mail"):
            (self.folder / name).mkdir()
        lines = [self._account(user) for user in USERS]
        lines.append(self._account(FULL) + _QUOTA[_version()])
        (self.folder / "passwd").write_text("\n".join(lines) + "\n")
        facts = {
            "oauth": _OAUTH[_version()] if introspection else "",
            "mechanisms": "oauthbearer xoauth2" if introspection else "",
            "introspection": introspection,
            "folder": self.folder,
            "user": self._owner.pw_name,
            "group": grp.getgrgid(self._owner.pw_gid).gr_name,
            "imap": self.imap,
            "imaps": self.imaps,
            "lmtp": self.lmtp,
            "sasl": self.sasl,
            "prefix": f"prefix = {prefix}" if prefix else "",
            "capability": f"imap_capability = {capability}" if capability else "",
        }
        own = _CONFIGURATION.with_name(f"dovecot-{_version()}.conf")
        text = _CONFIGURATION.read_text().replace("@version@", own.read_text())
        for name, fact in facts.items():
            text = text.replace(f"@{name}@", str(fact))
        (self.folder / "dovecot.conf").write_text(text)
        asks = _ASKS.replace("@introspection@", introspection)
        (self.folder / "oauth2.conf").write_text(asks)
        if os.geteuid() == 0:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, self._owner.pw_uid, self._owner.pw_gid)
        self.folder.chmod(0o755)

    def _account(self, user: str) -> str:
        ids = f"{self._owner.pw_uid}:{self._owner.pw_gid}"
        return f"{user}:{{PLAIN}}{PASSWORD}:{ids}::{self.folder}/mail/{user}::"

    def start(self) -> None:
        """Also again, on the same ports and with the same letters, after `end`."""
        drop: dict[str, Any] = {}
        if os.geteuid() == 0:
            drop = {"user": self._owner.pw_uid, "group": self._owner.pw_gid, "extra_groups": []}
        log = self.folder / "dovecot.log"
        with (self.folder / "stderr").open("wb") as errors:
            self.process = subprocess.Popen(
                [BINARY, "-F", "-c", self.folder / "dovecot.conf"],
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
                **drop,
            )
        try:
            wait_for_banner(self.imap, b"* OK", self.process, log)
            wait_for_banner(self.imaps, b"* OK", self.process, log, tls=True)
            wait_for_banner(self.lmtp, b"220", self.process, log)
        except BaseException:
            end(self.process)
            raise

    def end(self) -> None:
        """The server goes; letters and ports stay for another `start`."""
        end(self.process)

    def stop(self) -> None:
        """Ends it and takes its folder away."""
        end(self.process, 0)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def running_dovecot(make: Callable[[], Dovecot] = Dovecot) -> Iterator[Dovecot]:
    """A server that is gone afterwards; where none is installed, the test is skipped."""
    need("Dovecot", there=installed())
    server = patiently(make)
    try:
        yield server
    finally:
        server.stop()
