"""A daemon in pieces, among others on one database."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.members import (
    DAEMON,
    ROLES,
    boot_seconds,
)
from adjudicator.cli.serving.rounds import Clockwork
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.serving.signs_of_life import Keeper
from adjudicator.cli.wiring import Office

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def now() -> datetime:
    return datetime.now(UTC)


class Part:
    """A daemon in pieces, which does only what it is told to do."""

    def __init__(self, office: Office, settings: ServeSettings, box: str, roles: Any = ROLES):
        self.office = office
        with office.store.writing() as books:
            self.lease = Lease.take(
                office.home.path, books, at=now(), boot=boot_seconds(), shared=True, roles=roles
            )
        log = set_up_log("json")
        self.runtime = Runtime(
            office=office,
            settings=settings,
            log=log,
            troubles=Troubles(log),
            writer=Worker("books"),
            secret=office.home.secret(),
            owner=self.lease.owner,
            roles=roles,
            boxes={"postbox 1": box},
        )
        self.runtime.read_until["postbox 1"] = None
        self.keeper = Keeper(self.runtime, self.lease)
        self.clock = Clockwork(self.runtime, lambda _closing: None)

    async def read(self, until: datetime | None = None) -> None:
        """Read the postbox to its end, and say so to the others."""
        self.runtime.read_until["postbox 1"] = until or now()
        await self.keeper.beat()

    def die(self, ago: timedelta = 2 * MINUTE) -> None:
        """Nothing was heard of it for long."""
        with self.office.store.writing() as books:
            beat = books.heartbeat(DAEMON + self.lease.owner)
            assert beat is not None
            facts = {**beat.facts, "until": (now() - ago / 2).isoformat()}
            books.save(replace(beat, at=now() - ago, facts=facts))


def play(work: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await work()

    asyncio.run(whole())
