"""The parts of the server, each run when there is work for it instead of by the time of day."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.adapters.settings import ServeSettings, read_settings_file
from adjudicator.cli.serving.daemon import open_parts
from adjudicator.cli.serving.init import render_settings
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.members import boot_seconds
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.wiring import Office
from adjudicator.desk.steps.advance import StepClosing

SERVER_ADDRESS, GM_ADDRESS = "games@house.example", "gm@house.example"
SETTINGS_FILE, LOG_FILE = "adjudicator.yaml", "log.txt"


def write_demo_settings(folder: Path) -> ServeSettings:
    """Write settings that a daemon could continue with: letters come and go by Maildir."""
    document = {
        "home": ".",
        "address": SERVER_ADDRESS,
        "gm": [GM_ADDRESS],
        "postboxes": [{"kind": "maildir", "folder": "post/in"}],
        "postman": {"kind": "maildir", "folder": "post/out"},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS_FILE
    path.write_text(render_settings(document, SETTINGS_FILE), "utf-8")
    return read_settings_file(path)


@asynccontextmanager
async def open_post_office(
    office: Office, folder: Path, on_closed: Callable[[StepClosing], None]
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Open mail and clock; each call of what is yielded receives, runs the clock and sends."""
    settings = write_demo_settings(folder)
    with ExitStack() as ends:
        log = set_up_log(
            settings.log, ends.enter_context((folder / LOG_FILE).open("a", 1, "utf-8"))
        )
        runtime = Runtime(
            office=office,
            settings=settings,
            log=log,
            troubles=Troubles(log),
            writer=Worker("books"),
            secret=office.home.secret(),
        )
        ends.callback(runtime.writer.end)
        with office.making() as books:
            lease = Lease.take(office.home.path, books, at=datetime.now(UTC), boot=boot_seconds())
        ends.callback(lease.unlock)
        (letters_in,), letters_out, clock = open_parts(runtime, lease, on_closed)

        async def work() -> None:
            while await letters_in.read_box():
                pass
            while runtime.clock.is_set():
                runtime.clock.clear()
                await clock.round(whole=False)
            while await letters_out.round():
                pass

        try:
            yield work
        finally:
            await letters_in.close()
            await letters_out.close()
