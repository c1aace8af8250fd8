"""The server from start to stop: takes the lease, lets the tasks run, reloads, ends cleanly."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.adapters.bundle.workspace import sweep_workspaces
from adjudicator.adapters.mail.connections import identify_box, open_postbox, open_postman
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.rights import close_to_others
from adjudicator.adapters.settings import ServeSettings, list_post_folders, read_settings_file
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.archivist import Archivist
from adjudicator.cli.serving.lease import HomeTaken, Lease, LeaseLost, locked_home
from adjudicator.cli.serving.log import (
    TROUBLES,
    Log,
    TroubleFile,
    Troubles,
    describe_error,
    set_up_log,
)
from adjudicator.cli.serving.members import ROLES, boot_seconds
from adjudicator.cli.serving.post.letters_in import LettersIn
from adjudicator.cli.serving.post.letters_out import LettersOut
from adjudicator.cli.serving.rounds import Clockwork
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.serving.signs_of_life import Keeper, Listener
from adjudicator.cli.serving.systemd import Notifier
from adjudicator.cli.serving.verifier import Vacuum, Verifier
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Postbox, Postman
from adjudicator.desk.outbox.keys import issue_known_keys
from adjudicator.desk.steps.advance import StepClosing

ENDED, LOST = 0, 4
_PATIENCE = 2.5
"""Seconds that tasks get to finish their work."""
_STANDBY = 1.0
"""Seconds between two tries of a daemon that stands by."""
_STUCK = 600.0
"""A clock without a round for so long is dead; waiting for a locked database does not count."""


class Daemon:
    """Serves one home with one settings file."""

    def __init__(
        self, office: Office, file: Path, settings: ServeSettings, roles: Sequence[str] = ROLES
    ) -> None:
        self._office = office
        self._roles = roles
        self._file = file
        self._settings = settings
        self._log: Log = set_up_log(settings.log)
        self._troubles = Troubles(self._log)
        self._notifier = Notifier()
        self._writer = Worker("books")
        self._runtime: Runtime | None = None
        self._stopping = False
        self._is_outdated = False
        """Whether the settings are to be read again."""
        self._code = ENDED

    async def serve(self) -> int:
        """Serve until SIGTERM or SIGINT; returns the exit code. Raises Refused if it can't."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._take_signal, number)
        lease = await self._await_lease()
        if lease is None:
            return ENDED
        secret = self._office.home.secret()
        self._troubles.remember(lease.left)
        self._troubles.file = TroubleFile(self._office.home.path / TROUBLES)
        only = None if set(self._roles) == set(ROLES) else ",".join(self._roles)
        self._log.info("serving", home=str(self._office.home.path), pid=os.getpid(), only=only)
        try:
            while not self._stopping:
                self._renew_settings()
                await self._work(lease, secret)
        finally:
            self._notifier.say("STOPPING=1")
            await self._give_back(lease)
            self._log.info("stopped", code=self._code)
        return self._code

    def _take_signal(self, number: int) -> None:
        """Handle a signal: stop, or on SIGHUP restart with the current settings."""
        if number == signal.SIGHUP:
            self._notifier.reloading()
            self._is_outdated = True
        else:
            self._stopping = True
        if self._runtime is not None:
            self._runtime.stop.set()

    async def _await_lease(self) -> Lease | None:
        """Take the lease, standing by while somebody else has it; None after a stop."""
        holder = ""
        while not self._stopping:
            try:
                return await self._writer.do(self._take_lease)
            except HomeTaken as refusal:
                if self._renew_settings() or refusal.holder != holder:
                    holder = refusal.holder
                    words = f"standing by: {holder} serves this home"
                    self._log.info(words, home=str(self._office.home.path), pid=os.getpid())
                    self._notifier.say("READY=1", f"STATUS={words}")
            except StoreTrouble:
                if not holder:
                    raise
            self._notifier.say("WATCHDOG=1")
            await asyncio.sleep(_STANDBY)
        return None

    def _take_lease(self) -> Lease:
        store, home, boot = self._office.store, self._office.home.path, boot_seconds()
        at = store.read_clock()
        if not store.is_shared:
            with locked_home(home):
                pass  # whoever stands by asks no more than this
        with store.writing() as books:
            self._office.require_whole(books)
            if fault := self._office.find_archive_fault(books):
                raise fault
            lease = Lease.take(
                home,
                books,
                at=at or datetime.now(UTC),
                boot=boot,
                shared=store.is_shared,
                roles=self._roles,
            )
            issue_known_keys(books, self._office.home.secret())
        sweep_workspaces(home)
        close_to_others(home, list_post_folders(self._settings))
        return lease

    async def _give_back(self, lease: Lease) -> None:
        def work() -> None:
            at = self._office.store.read_clock() or datetime.now(UTC)
            with self._office.store.writing() as books:
                lease.give_back(books, at=at, boot=boot_seconds())

        try:
            await asyncio.wait_for(self._writer.do(work), 0.5)
        except (Refused, TimeoutError):
            self._log.warning("the lease runs out by itself")
        lease.unlock()

    def _renew_settings(self) -> bool:
        """Read the settings again if that was asked for, keeping the old ones if they are invalid.

        Returns whether it was asked for.
        """
        if not self._is_outdated:
            return False
        self._is_outdated = False
        try:
            settings = read_settings_file(self._file)
            open_mail(settings)
        except Refused as refusal:
            self._log.error("settings refused, the old ones stay in force", words=str(refusal))
            return True
        if settings.home != self._settings.home:
            self._log.warning("another home needs a restart", home=settings.home)
        self._log = set_up_log(settings.log)
        self._troubles.log = self._log
        self._log.info("settings reloaded", file=str(self._file))
        self._settings = settings
        return True

    async def _work(self, lease: Lease, secret: bytes) -> None:
        """Work with one set of settings until a stop or a reload."""
        office = self._office
        runtime = Runtime(
            office=office,
            settings=self._settings,
            log=self._log,
            troubles=self._troubles,
            writer=self._writer,
            secret=secret,
            owner=lease.owner,
            roles=self._roles,
            boxes={
                _name_box(n): identify_box(box) for n, box in enumerate(self._settings.postboxes, 1)
            },
        )
        archivist, verifier = Archivist(runtime), Verifier(runtime)
        keeper, listener, vacuum = Keeper(runtime, lease), Listener(runtime), Vacuum(runtime)
        on_closed = archivist.note_closing if "site" in self._roles else _leave_to_others
        posts_in, post_out, clock = open_parts(runtime, lease, on_closed)
        self._runtime = runtime
        work = {
            "post-in": [(post.name, post.run) for post in posts_in],
            "clock": [("clock", clock.run)],
            "post-out": [("post out", post_out.run)],
            "site": [
                ("archivist", archivist.run),
                ("verifier", verifier.run),
                ("vacuum", vacuum.run),
            ],
        }
        parts_to_run = [part for role in ROLES if role in self._roles for part in work[role]]
        watched = clock if "clock" in self._roles else None
        with suppress(StoreTrouble):
            await keeper.beat()
        if lease.is_shared:
            parts_to_run.append(("listener", listener.run))
        tasks = [
            asyncio.create_task(keeper.run(), name="keeper"),
            asyncio.create_task(self._watch(runtime, watched), name="watchdog"),
            *(asyncio.create_task(run(), name=name) for name, run in parts_to_run),
        ]
        if self._stopping:
            runtime.stop.set()
        self._notifier.say("READY=1", f"STATUS=serving {office.home.path}")
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            runtime.stop.set()
            self._judge_ended(tasks)
            await _await_end(tasks, _PATIENCE)
        finally:
            self._runtime = None
            closing = [post.close() for post in posts_in]
            parts = (post_out, archivist, verifier, vacuum, keeper, listener)
            closing += [part.close() for part in parts]
            await _await_end([asyncio.create_task(part) for part in closing], 1.0)

    def _judge_ended(self, tasks: Sequence["asyncio.Task[None]"]) -> None:
        """Stop the daemon if a task failed; systemd restarts the daemon."""
        for task in tasks:
            if not task.done() or task.cancelled():
                continue
            error = task.exception()
            if error is not None:
                self._stopping = True
                self._code = LOST if isinstance(error, LeaseLost) else 1
                words = describe_error(error)
                self._log.error("stopped by an error", task=task.get_name(), words=words)

    async def _watch(self, runtime: Runtime, clock: Clockwork | None) -> None:
        """Tell systemd that we are alive as long as the clock, if it is ours, keeps running."""
        pause = self._notifier.watchdog / 3 or 60.0
        while not runtime.stop.is_set():
            if clock is None or time.monotonic() - clock.alive < _STUCK:
                self._notifier.say("WATCHDOG=1")
            await runtime.pause(pause)


def open_mail(settings: ServeSettings) -> tuple[list[Postbox], Postman]:
    """Open postboxes and postman without connecting yet. Raises Refused."""
    return [open_postbox(box) for box in settings.postboxes], open_postman(settings.postman)


def open_parts(
    runtime: Runtime, lease: Lease, on_closed: Callable[[StepClosing], None]
) -> tuple[list[LettersIn], LettersOut, Clockwork]:
    """Open the parts that read, send and watch the time; each closed step goes to `on_closed`."""
    office = runtime.office
    boxes, postman = open_mail(runtime.settings)
    writer = MimeWriter(
        office.printer, office.library, office.artist, runtime.settings.site_url.rstrip("/")
    )
    return (
        [LettersIn(runtime, _name_box(n), box) for n, box in enumerate(boxes, 1)]
        if "post-in" in runtime.roles
        else [],
        LettersOut(runtime, lease.owner, postman, writer),
        Clockwork(runtime, on_closed),
    )


def _name_box(number: int) -> str:
    return f"postbox {number}"


def _leave_to_others(closing: StepClosing) -> None:
    """Leave the archive and the pages to the daemons that write them, which look for themselves."""


async def _await_end(tasks: Sequence["asyncio.Task[None]"], seconds: float) -> None:
    """Wait this long for the tasks, then cancel them; transactions end whole or not at all."""
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
