"""A home with few or many games in which nothing is due: what the same things cost there."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, Table, insert, select, update

from adjudicator.adapters.store.tables import METADATA, games, outbox
from adjudicator.cli.demo.post_office import write_demo_settings
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.members import boot_id, boot_seconds
from adjudicator.cli.serving.rounds import Clockwork
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.wiring import open_own_books
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.clock.readings import ClockReading
from adjudicator.desk.clock.rounds import end_round
from adjudicator.desk.questions.overview import page_games
from tests.at_the_desk import close_step
from tests.bench import books, table
from tests.bench.measures import cpu_milliseconds, milliseconds
from tests.bench.rules import Midgame

ROUNDS = 10
"""So many are made in a row."""
AT_ONCE = 8
"""So many letters are claimed."""
_NAMES = {"keys": "digest", "outbox": "message_id"}
"""What else names a row, by its table."""


class Crowd:
    """A game that is measured, and others that are like it but for their names."""

    def __init__(self, folder: Path, position: Midgame, name: str, number: int) -> None:
        self._folder = folder
        self._position = position
        self._name = name
        books.make(folder, position, "jump")
        self._office = open_own_books(folder)
        with self._office.store.engine.begin() as connection:
            for one in METADATA.sorted_tables:
                if one is games or "game" in one.c:
                    _copy_rows(connection, one, number - 1)
            connection.execute(update(games).values(wake=None))
        _, self._step = position.before("jump")

    def measure(self) -> Mapping[str, float]:
        """Milliseconds for what is done with one game, or seen of all."""
        works = (self._begin, self._close, self._claim, self._find_key, self._look)
        for work in works:
            work()  # the first time prepares every statement
        found = [books.time_receipts(self._office, self._step)]
        found += [milliseconds(work, ROUNDS) for work in works]
        return {
            f"{what} beside {self._name} games": taken
            for what, taken in zip(table.CROWDED, found, strict=True)
        }

    def _begin(self) -> None:
        """Make a game."""
        position = self._position
        with self._office.making(dry_run=True) as own:
            create_game(
                own,
                self._office.library,
                game="another",
                kind=position.rules.kind,
                seats=dict.fromkeys(position.seats, "bot"),
                options=position.options,
                settings={},
                seed=position.seed,
                luck={},
                verifiable=False,
                components=None,
                start=True,
                at=datetime.now(UTC),
            )

    def _close(self) -> None:
        """Close the open step of a game."""
        with self._office.acting(dry_run=True) as own:
            close_step(own, self._office.library, books.GAME, at=datetime.now(UTC), now=True)

    def _claim(self) -> None:
        """Claim the letters that wait: those of one game."""
        at = datetime.now(UTC)
        with self._office.acting(dry_run=True) as own:
            own.claim_letters("bench", at + timedelta(hours=1), AT_ONCE, at, urgent=True)

    def _find_key(self) -> None:
        """Look up the key of a letter."""
        with self._office.reading() as own:
            own.issued_key("unknown")

    def _look(self) -> None:
        """Look at the first page of all games, as `status` does."""
        with self._office.reading() as own:
            page_games(own, self._office.library)

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
        if table is outbox:
            row["status"] = "sent"
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
