"""The daemon that is tortured: its home, its database, its post, its clock."""

import json
import os
import shutil
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

from adjudicator.cli.wiring import DATABASE_VARIABLE, Office
from adjudicator.desk.outbox.tokens import sign_message_id
from tests.daemon.running import Running
from tests.servers.nursery import open_nursery
from tests.servers.postgres import PostgreSQL
from tests.torture.disk import Disk, may_mount
from tests.torture.posts import PASSWORDS, Folders
from tests.torture.serve import CLOCK, END

_MOMENT = 2
"""Rounds of the daemon."""
_OVERRIDES = "dac_override,dac_read_search"


class House:
    """One at a time: its office is closed whenever the home must not be held open."""

    def __init__(self, place: Path, post: Folders, postgresql: PostgreSQL | None) -> None:
        self.place = place
        self.post = post
        self.postgresql = postgresql
        self.home = place / "home"
        self.disk = Disk(self.home) if may_mount() else None
        self.clock, self.far_clock = place / "clock", place / "far clock"
        """Of this host, and of another whose daemons share the database."""
        for clock in (self.clock, self.far_clock):
            clock.write_text("0")
        self.url = postgresql.database() if postgresql else None
        if self.url is not None:
            os.environ[DATABASE_VARIABLE] = self.url
        self.config = place / "adjudicator.yaml"
        facts = {"home": str(self.home), "gm": ["gm@players.test"], "round": 1, "log": "json"}
        facts |= {"seat_letters": 1000000, "hourly_letters": 1000000, "strangers_all": 100000}
        facts |= {"strangers_domain": 100000}
        self.config.write_text(json.dumps({**facts, **post.settings()}))
        self.bundle = place / "games.bundle"
        self._backed_up_in = 0
        self.vanished: set[str] = set()
        """The Message-IDs of letters that were queued in a time that an old backup undid."""
        self._nursery = open_nursery(_without_overrides(), "tests.torture.serve:be_impatient")
        self._office: Office | None = None

    @property
    def office(self) -> Office:
        """For what the GM and the players' programs look at."""
        if self._office is None:
            self._office = Office(str(self.home))
        return self._office

    def leave(self) -> None:
        """Nothing of the home is held open."""
        if self._office is not None:
            with suppress(Exception):  # the database may be away
                self._office.close()
            self._office = None

    def back_up(self) -> bool:
        """Make a bundle of the home as it is; what was there before is older."""
        fresh = self.bundle.with_name("fresh.bundle")
        fresh.unlink(missing_ok=True)
        if self._command("backup", str(fresh)):
            return False  # what is done to the home is done to the backup, too
        fresh.replace(self.bundle)
        self._backed_up_in = self._count_rounds()
        return True

    def _count_rounds(self) -> int:
        remembered = self.office.journal.read()
        return remembered.rounds if remembered else 0

    def put_back(self, *, keep_journal: bool) -> None:
        """Restore the bundle in the home's place, perhaps beside the journal of what came since.

        Of a bundle that is only a moment old the journal knows nothing else.
        """
        keep_journal = keep_journal and self._count_rounds() > self._backed_up_in + _MOMENT
        with self.office.reading() as books:
            secret = self.office.home.secret()
            for game in (*(one.id for one in books.games()), ""):
                letters = books.letters(game)
                self.vanished |= {sign_message_id(books, secret, one) for one in letters}
        kept = {"journal", "rounds"} if keep_journal else set()
        self.leave()
        if self.postgresql is not None:
            self.url = os.environ[DATABASE_VARIABLE] = self.postgresql.database()
        restored = self.place / "restored"
        code = self._command("restore", str(self.bundle), home=restored)
        assert code == 0, "a backup cannot be restored"
        _empty(self.home, kept)
        for path in restored.iterdir():
            if path.name not in kept:
                shutil.move(path, self.home / path.name)
        shutil.rmtree(restored)

    def recover(self) -> None:
        """Go on with what was put back."""
        self.leave()
        code = self._command("recover", "--yes", "--config", str(self.config))
        assert code == 0, "a backup that was put back cannot be recovered"

    def _command(self, *words: str, home: Path | None = None) -> int:
        command = ("--home", home or self.home, *words)
        done = open_nursery().run(*command, environment={**os.environ, **PASSWORDS})
        with (self.place / "commands").open("a") as log:
            log.write(done.stdout + done.stderr)
        return done.returncode

    def start(self, *words: str, is_far: bool = False, end: int = 0) -> Running:
        """A daemon, for which rights count even when we are root; `end`: it kills itself there."""
        clock = self.far_clock if is_far else self.clock
        environment = {**os.environ, CLOCK: str(clock), END: str(end), **PASSWORDS}
        return Running(self._nursery.serve(self.config, environment, *words), self.place / "log")

    def close(self) -> None:
        """The home is gone afterwards, where it was a disk of its own."""
        self.leave()
        os.environ.pop(DATABASE_VARIABLE, None)
        if self.disk is not None:
            self.disk.close()


def _empty(folder: Path, kept: AbstractSet[str]) -> None:
    for path in folder.iterdir():
        if path.name in kept:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _without_overrides() -> tuple[str, ...]:
    if os.geteuid() or not shutil.which("setpriv"):
        return ()
    less = ",".join(f"-{name}" for name in _OVERRIDES.split(","))
    return ("setpriv", f"--bounding-set={less}", f"--inh-caps={less}")
