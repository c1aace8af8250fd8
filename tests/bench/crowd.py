"""A home with many games in which nothing is due: what a round and a receipt cost there."""

import asyncio
from pathlib import Path

from sqlalchemy import Connection, Table, insert, select, update

from adjudicator.adapters.store.tables import METADATA, games
from adjudicator.cli.demo.post_office import write_demo_settings
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.roster import boot_id, boot_seconds
from adjudicator.cli.serving.rounds import Clockwork
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.desk.clock.readings import ClockReading
from adjudicator.desk.clock.rounds import end_round
from tests.bench import books
from tests.bench.measures import cpu_milliseconds
from tests.bench.rules import Midgame

ROUNDS = 10
"""So many are made in a row."""
_NAMES = {"keys": "digest", "outbox": "message_id"}
"""What else names a row, by its table."""


class Crowd:
    """A game that is measured, and others that are like it but for their names."""

    def __init__(self, folder: Path, position: Midgame, number: int) -> None:
        self._folder = folder
        books.make(folder, position, "jump")
        self._office = books.office_of(folder)
        with self._office.store.engine.begin() as connection:
            for table in METADATA.sorted_tables:
                if table is games or "game" in table.c:
                    _copy_rows(connection, table, number - 1)
            connection.execute(update(games).values(wake=None))
        _, self._step = position.before("jump")

    def receipt(self) -> float:
        """Milliseconds for taking an order set of one of the games."""
        return books.time_receipts(self._office, self._step)

    def round(self) -> float:
        """Milliseconds of a processor for a round of the clock in which nothing is due."""
        log = set_up_log("json")
        settings = write_demo_settings(self._folder)
        secret = self._office.home.secret()
        runtime = Runtime(self._office, settings, log, Troubles(log), Worker("bench"), secret)
        with self._office.acting() as own:
            lease = Lease.take(self._folder, own, at=runtime.now(), boot=boot_seconds())
            now = ClockReading(
                at=runtime.now(), read_until=None, boot=boot_seconds(), machine=boot_id()
            )
            end_round(own, now, None)
        clock = Clockwork(runtime, lambda _: None)
        clock._is_first = False
        try:
            return cpu_milliseconds(lambda: asyncio.run(clock.round(whole=True)), ROUNDS)
        finally:
            lease.unlock()
            runtime.writer.end()

    def close(self) -> None:
        """Let go of the database."""
        self._office.close()


def _copy_rows(connection: Connection, table: Table, copies: int) -> None:
    """Write the game's rows again so many times, each time under another name."""
    column = "id" if table is games else "game"
    rows = [dict(row) for row in connection.execute(select(table)).mappings()]
    other = _NAMES.get(table.name)
    for row in rows:
        if table is not games:
            row.pop("id", None)
        if "document" in row:
            row["document"] = b"{}"
    made = [
        {
            **row,
            column: f"{books.GAME}{number:05}",
            **({other: f"{row[other]}{number}"} if other else {}),
        }
        for number in range(copies)
        for row in rows
    ]
    if made:
        connection.execute(insert(table), made)
