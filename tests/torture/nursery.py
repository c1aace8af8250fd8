"""Daemons that are forked from a program which has imported and compiled everything already.

To start Python and to import the package takes longer than most daemons live under torture. A
forked daemon is a process of its own like any other; only its first second is shorter.
"""

import gc
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from adjudicator.__main__ import main as adjudicator
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.cli.app import cli  # noqa: F401 - all commands
from adjudicator.cli.wiring import Office
from tests.daemon.running import Running
from tests.torture.serve import be_impatient

_LONGEST = 65536
_STDERR = 2


class Child:
    """The daemon that was forked last, with the manners of `subprocess.Popen`."""

    def __init__(self, pid: int, stderr: int, nursery: socket.socket) -> None:
        self.pid = pid
        self.stderr = os.fdopen(stderr, "rb")
        self._nursery = nursery
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code, once it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has ended."""
        if self._code is None:
            if not select.select([self._nursery], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a daemon", timeout or 0.0)
            self._code = int(self._nursery.recv(_LONGEST))
        return self._code

    def send_signal(self, number: int) -> None:
        """Nothing happens when it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """As the power does."""
        self.send_signal(signal.SIGKILL)


class Forked(Running):
    """A daemon from the nursery."""

    def __init__(self, config: Path, log: Path, nursery: "Nursery", **environment: str) -> None:
        self._watch(nursery.fork(config, environment), log)


class Nursery:
    """The program that daemons are forked from, one after the other."""

    def __init__(self, before: Sequence[str] = ()) -> None:
        """`before` is a command that runs another, as `setpriv` does."""
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        number = theirs.fileno()
        self._process = subprocess.Popen(
            [*before, sys.executable, "-m", "tests.torture.nursery", str(number)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[number],
            start_new_session=True,
        )
        theirs.close()

    def fork(self, config: Path, environment: Mapping[str, str]) -> Child:
        """A daemon with these settings; the one before has ended."""
        stderr, theirs = os.pipe()
        order = json.dumps({"config": str(config), "environment": {**os.environ, **environment}})
        socket.send_fds(self._socket, [order.encode()], [theirs])
        os.close(theirs)
        return Child(int(self._socket.recv(_LONGEST)), stderr, self._socket)

    def close(self) -> None:
        """No more daemons."""
        self._socket.close()
        self._process.wait()


def main() -> None:
    """Fork a daemon for each order that comes; tell its number, and then its exit code."""
    be_impatient()
    _compile_everything()
    orders = socket.socket(fileno=int(sys.argv[1]))
    while True:
        order, handles, _, _ = socket.recv_fds(orders, _LONGEST, 1)
        if not order:
            return
        pid = os.fork()
        if pid == 0:
            orders.close()
            _live(json.loads(order), handles[0])
        os.close(handles[0])
        orders.send(str(pid).encode())
        orders.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _compile_everything() -> None:
    """What is read from files and never changes is shared by all daemons."""
    Office.library = FolderLibrary()  # type: ignore[assignment]
    Office.printer = Printer(Office.library.templates())  # type: ignore[assignment]
    for name in Office.library.kinds():
        kind = Office.library.kind(name)
        assert kind.digest
        assert kind.reporting
        for form in kind.forms():
            kind.form(form)
    environment = Office.printer._environment
    for name in environment.list_templates(filter_func=lambda one: ".j2" in one):
        environment.get_template(name)
    gc.freeze()


def _live(order: dict[str, Any], stderr: int) -> NoReturn:
    """A daemon to its end."""
    os.setsid()
    os.dup2(stderr, _STDERR)
    sys.stderr = os.fdopen(_STDERR, "w")
    os.environ.clear()
    os.environ.update(order["environment"])
    random.seed()
    sys.argv = ["adjudicator", "serve", "--config", order["config"]]
    code: Any = 1
    try:
        adjudicator()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    main()
