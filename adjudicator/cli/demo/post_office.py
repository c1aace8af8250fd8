"""The server's own parts, each begun when there is work for it instead of by the time of day."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound import MimeWriter
from adjudicator.adapters.settings import SETTINGS_FORM, ServeSettings, read_settings
from adjudicator.cli.serving.daemon import open_mail
from adjudicator.cli.serving.init import render_settings
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.letters_in import LettersIn
from adjudicator.cli.serving.letters_out import LettersOut
from adjudicator.cli.serving.log import set_up_log
from adjudicator.cli.serving.rounds import Clockwork, boot_seconds
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.serving.troubles import Troubles
from adjudicator.cli.wiring import Office
from adjudicator.desk.steps.advance import StepClosing

SERVER_ADDRESS, GM_ADDRESS = "games@house.example", "gm@house.example"
SETTINGS_FILE, LOG_FILE = "adjudicator.yaml", "log.txt"


def write_demo_settings(folder: Path) -> ServeSettings:
    """The settings that a daemon could go on with: letters come and go by Maildir."""
    given = {
        "home": ".",
        "address": SERVER_ADDRESS,
        "gm": [GM_ADDRESS],
        "postboxes": [{"kind": "maildir", "folder": "post/in"}],
        "postman": {"kind": "maildir", "folder": "post/out"},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS_FILE
    path.write_text(
        render_settings(FolderLibrary().common(SETTINGS_FORM).schema, given, SETTINGS_FILE), "utf-8"
    )
    return read_settings(path)


class PostOffice:
    """Letters in, clock, letters out: with nothing to wait for, one after the other."""

    def __init__(self, office: Office, folder: Path, closed: Callable[[StepClosing], None]) -> None:
        settings = write_demo_settings(folder)
        self._ends = ExitStack()
        log = set_up_log(
            settings.log, self._ends.enter_context((folder / LOG_FILE).open("a", 1, "utf-8"))
        )
        self._runtime = Runtime(
            office=office,
            settings=settings,
            log=log,
            troubles=Troubles(log),
            writer=Worker("books"),
            secret=office.home.secret(),
        )
        self._ends.callback(self._runtime.writer.end)
        at, boot = datetime.now(UTC), boot_seconds()
        with office.making() as books:
            lease = Lease.take(office.home.path, books, at=at, boot=boot)
        self._ends.callback(lease.unlock)
        (box,), postman = open_mail(settings)
        self._in = LettersIn(self._runtime, "postbox 1", box)
        self._clock = Clockwork(self._runtime, lease, closed)
        writer = MimeWriter(office.printer, office.library, office.artist)
        self._out = LettersOut(self._runtime, lease.owner, postman, writer)

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
        runtime = self._runtime
        while await self._in.read_box():
            pass
        while runtime.whole or runtime.touched:
            whole, runtime.whole = runtime.whole, False
            await self._clock.round(whole=whole)
        while await self._out.round():
            pass
