"""The daemon that is tortured: its home, its database, its post, its clock."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from adjudicator.cli.wiring import DATABASE_VARIABLE, Office
from tests.daemon.running import Running
from tests.servers.postgres import PostgreSQL
from tests.torture.disk import Disk, may_mount
from tests.torture.posts import PASSWORDS, Folders
from tests.torture.serve import CLOCK

_OVERRIDES = "dac_override,dac_read_search"


class House:
    """One at a time: its office is closed whenever the home must not be held open."""

    def __init__(self, place: Path, post: Folders, postgresql: PostgreSQL | None) -> None:
        self.place = place
        self.post = post
        self.postgresql = postgresql
        self.home = place / "home"
        self.disk = Disk(self.home) if may_mount() else None
        self.clock = place / "clock"
        self.clock.write_text("0")
        self.url = postgresql.database() if postgresql else None
        if self.url is not None:
            os.environ[DATABASE_VARIABLE] = self.url
        self.config = place / "adjudicator.yaml"
        facts = {"home": str(self.home), "gm": ["gm@players.test"], "round": 1, "log": "json"}
        facts |= {"seat_letters": 1000000, "hourly_letters": 1000000, "strangers_all": 100000}
        facts |= {"strangers_domain": 100000}
        self.config.write_text(json.dumps({**facts, **post.settings()}))
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

    def start(self) -> Running:
        """A daemon, for which rights count even when we are root."""
        return Running(
            self.config,
            self.place / "log",
            program=(*_without_overrides(), sys.executable, "-m", "tests.torture.serve"),
            **{CLOCK: str(self.clock), **PASSWORDS},
        )

    def close(self) -> None:
        """The home is gone afterwards, where it was a disk of its own."""
        self.leave()
        os.environ.pop(DATABASE_VARIABLE, None)
        if self.disk is not None:
            self.disk.close()


def _without_overrides() -> Sequence[str]:
    if os.geteuid() or not shutil.which("setpriv"):
        return ()
    less = ",".join(f"-{name}" for name in _OVERRIDES.split(","))
    return ("setpriv", f"--bounding-set={less}", f"--inh-caps={less}")
