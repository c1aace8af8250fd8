"""A Postfix of our own: SMTP, submission and SMTPS, handing letters to Dovecot by LMTP."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.dovecot import DOMAIN, FULL, USERS, Dovecot
from tests.servers.needed import need, need_root
from tests.servers.ports import end, free_ports, patiently, wait_for_banner

_POSTFIX = Path("/usr/sbin/postfix")
_MASTER = Path("/usr/lib/postfix/sbin/master")
_HERE = Path(__file__)


class Postfix:
    """One server for the users of one Dovecot, at game.test and players.test."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pf", dir="/tmp"))
        self.smtp, self.submission, self.smtps = free_ports(3)
        try:
            self._write(dovecot)
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    @property
    def authority(self) -> str:
        """The certificate to trust."""
        return str(self.folder / "cert.pem")

    def _write(self, dovecot: Dovecot) -> None:
        self.folder.chmod(0o755)
        for name in ("cert.pem", "key.pem"):
            shutil.copy(dovecot.folder / name, self.folder / name)
        (self.folder / "key.pem").chmod(0o600)
        os.chown(self.folder / "key.pem", 0, 0)
        (self.folder / "queue").mkdir()
        (self.folder / "data").mkdir()
        shutil.chown(self.folder / "data", "postfix")
        names = [*USERS, FULL, "gm"]
        addresses = [f"{name}@{domain}" for name in names for domain in (DOMAIN, "players.test")]
        facts = {
            "folder": self.folder,
            "lmtp": dovecot.lmtp,
            "sasl": dovecot.sasl,
            "smtp": self.smtp,
            "submission": self.submission,
            "smtps": self.smtps,
            "addresses": ", ".join(f"{address}=1" for address in addresses),
        }
        for source, target in (("postfix-main.cf", "main.cf"), ("postfix-master.cf", "master.cf")):
            text = _HERE.with_name(source).read_text()
            for name, fact in facts.items():
                text = text.replace(f"@{name}@", str(fact))
            (self.folder / target).write_text(text)

    def start(self) -> None:
        """Also again, on the same ports and with the same queue, after `end`."""
        log = self.folder / "postfix.log"
        # `check` makes the folders of the queue
        subprocess.run([_POSTFIX, "-c", self.folder, "check"], check=True, capture_output=True)
        with (self.folder / "stderr").open("wb") as errors:
            self.process = subprocess.Popen(  # -d: it stays ours, no pid file elsewhere
                [_MASTER, "-c", self.folder, "-d"],
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        try:
            for port, tls in ((self.smtp, False), (self.submission, False), (self.smtps, True)):
                wait_for_banner(port, b"220", self.process, log, tls=tls)
        except BaseException:
            end(self.process)
            raise

    def end(self) -> None:
        """The server goes; queue and ports stay for another `start`."""
        end(self.process)

    def stop(self) -> None:
        """Ends it and takes its folder away."""
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def running_postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A server that is gone afterwards; where there can be none, the test is skipped."""
    need("Postfix", there=_POSTFIX.exists() and _MASTER.exists())
    need_root("Postfix")
    server = patiently(lambda: Postfix(dovecot))
    try:
        yield server
    finally:
        server.stop()
