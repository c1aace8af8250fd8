"""A PostgreSQL of our own: a short folder under /tmp, a unix socket, an unprivileged user."""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.tables import METADATA
from tests.servers.needed import need
from tests.servers.ports import HOST, free_ports, patiently


def binaries() -> Path | None:
    """Where initdb and postgres are; None when they are not installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("postgres")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    for folder in [*candidates, *folders]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


class PostgreSQL:
    """One server; `database()` makes an empty database and gives its URL."""

    def __init__(self, folder: Path, *, durable: bool = False, tcp: bool = False) -> None:
        """`durable`: as servers are run in earnest, with every commit on the disk.

        `tcp`: as it is reached from another host.
        """
        self.binaries = folder
        self._durable = durable
        self._port = free_ports(1)[0] if tcp else None
        self._home = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
        self._numbers = itertools.count()
        self._store: str | None = None
        try:
            self._user = self._make_cluster()
            self._process = self._start()
        except BaseException:
            shutil.rmtree(self._home, ignore_errors=True)
            raise

    def _make_cluster(self) -> dict[str, Any]:
        """Its files; whose they are."""
        self._home.chmod(0o711)  # whoever knows the socket's name may use it
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._home, nobody.pw_uid, nobody.pw_gid)
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        data = self._home / "data"
        subprocess.run(
            [
                self.binaries / "initdb",
                f"--pgdata={data}",
                "--username=app",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            check=True,
            capture_output=True,
            cwd="/tmp",
            **user,
        )
        return user

    def _start(self) -> "subprocess.Popen[bytes]":
        data = self._home / "data"
        settings = (
            *(f"listen_addresses={HOST if self._port else ''}", f"port={self._port or 5432}"),
            *("max_connections=40", "jit=off"),
            *("wal_level=minimal", "max_wal_senders=0"),
        )
        if not self._durable:  # no machine loses its power; nothing lives long enough to be swept
            settings += ("fsync=off", "full_page_writes=off", "autovacuum=off")
            settings += ("shared_buffers=16MB",)
        with (self._home / "log").open("wb") as log:
            process = subprocess.Popen(
                [
                    self.binaries / "postgres",
                    *("-D", data, "-k", self._home),
                    *(f"--{setting}" for setting in settings),
                ],
                cwd="/tmp",
                stdout=log,
                stderr=log,
                **self._user,
            )
        while True:
            try:
                self._connect().close()
            except psycopg.OperationalError:
                if process.poll() is not None:
                    raise RuntimeError((self._home / "log").read_text()) from None
                time.sleep(0.03)
            else:
                return process

    def _connect(self) -> "psycopg.Connection[Any]":
        place = f"host={self._home} port={self._port or 5432}"
        return psycopg.connect(f"{place} dbname=postgres user=app", autocommit=True)

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"t{next(self._numbers)}"
        with self._connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        if self._port:
            return f"postgresql://app@{HOST}:{self._port}/{name}"
        return f"postgresql://app@/{name}?host={self._home}"

    def store(self) -> str:
        """The URL of a database with a store's tables and nothing in them: always the same one."""
        if self._store is None:
            self._store = self.database()
            open_store(self._store).close()
        with psycopg.connect(self._store) as connection:
            connection.execute("SET session_replication_role = replica")  # in any order
            for table in METADATA.tables:
                connection.execute(f"DELETE FROM {table}")  # of few rows: quicker than TRUNCATE
        return self._store

    def execute(self, *statements: str) -> None:
        """As the owner of everything."""
        with self._connect() as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[call-overload]

    def restart(self, number: int = signal.SIGINT) -> None:
        """Ends it by this signal, SIGQUIT as a crash does, and starts it on the same files."""
        self._end(number)
        self._process = self._start()

    def _end(self, number: int) -> None:
        self._process.send_signal(number)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(15)

    def stop(self) -> None:
        """Ends it at once, as nothing of it is kept, and takes its folder away."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self._home, ignore_errors=True)


@contextmanager
def running_postgresql(*, tcp: bool = False) -> Iterator[PostgreSQL]:
    """A server that is gone afterwards; where none is installed, the test is skipped."""
    folder = binaries()
    need("PostgreSQL", there=folder is not None)
    assert folder is not None
    server = patiently(lambda: PostgreSQL(folder, tcp=tcp))
    try:
        yield server
    finally:
        server.stop()
