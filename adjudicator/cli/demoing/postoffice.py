"""The daemon's own parts, each begun when there is work for it instead of by the time of day."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from adjudicator.adapters.library import FolderLibrary
from adjudicator.adapters.mime import MimeWriter
from adjudicator.adapters.settings import FORM, ServeSettings, read_settings
from adjudicator.cli.serving.clockwork import Clockwork, boot_seconds
from adjudicator.cli.serving.daemon import opened
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.logs import set_up
from adjudicator.cli.serving.postin import PostIn
from adjudicator.cli.serving.postout import PostOut
from adjudicator.cli.serving.shift import Shift
from adjudicator.cli.serving.template import rendered
from adjudicator.cli.serving.troubles import Troubles
from adjudicator.cli.serving.worker import Worker
from adjudicator.cli.wiring import Office
from adjudicator.desk.closing import Closing

ADDRESS, GM = "games@house.example", "gm@house.example"
SETTINGS, LOG = "adjudicator.yaml", "log.txt"


def settle_in(folder: Path) -> ServeSettings:
    """The settings that a daemon could go on with: letters come and go by Maildir."""
    given = {
        "home": ".",
        "address": ADDRESS,
        "gm": [GM],
        "postboxes": [{"kind": "maildir", "folder": "post/in"}],
        "postman": {"kind": "maildir", "folder": "post/out"},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS
    path.write_text(rendered(FolderLibrary().common(FORM).schema, given, SETTINGS), "utf-8")
    return read_settings(path)


class PostOffice:
    """Letters in, clock, letters out: with nothing to wait for, one after the other."""

    def __init__(self, office: Office, folder: Path, closed: Callable[[Closing], None]) -> None:
        settings = settle_in(folder)
        self._ends = ExitStack()
        log = set_up(settings.log, self._ends.enter_context((folder / LOG).open("a", 1, "utf-8")))
        self._shift = Shift(
            office=office,
            settings=settings,
            log=log,
            troubles=Troubles(log),
            writer=Worker("books"),
            secret=office.home.secret(),
        )
        self._ends.callback(self._shift.writer.end)
        at, boot = datetime.now(UTC), boot_seconds()
        with office.making() as books:
            lease = Lease.take(office.home.path, books, at=at, boot=boot)
        self._ends.callback(lease.unlock)
        (box,), postman = opened(settings)
        self._in = PostIn(self._shift, "postbox 1", box)
        self._clock = Clockwork(self._shift, lease, closed)
        writer = MimeWriter(office.printer, office.library, office.artist)
        self._out = PostOut(self._shift, lease.owner, postman, writer)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._in.close()
        await self._out.close()
        self._ends.close()

    async def work(self) -> None:
        """Until everything that came is read, everything due is done and everything is sent."""
        shift = self._shift
        while await self._in.look():
            pass
        while shift.whole or shift.touched:
            whole, shift.whole = shift.whole, False
            await self._clock.round(whole=whole)
        while await self._out.round():
            pass
