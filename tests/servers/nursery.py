"""Programs that are forked from one which has imported and compiled everything already.

To start Python and to import the package takes longer than most daemons and commands of tests
live. A forked program is a process of its own like any other; only its first second is shorter.
"""

import atexit
import fcntl
import gc
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name, walk_packages
from typing import IO, Any, NoReturn

import adjudicator as package
from adjudicator.__main__ import main as adjudicator
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render import png
from adjudicator.adapters.render.printer import Printer
from adjudicator.cli.wiring import Office
from tests.quick import SMALL

_LONGEST = 65536
_PROGRAM = """\
#!{python} -IS
import json, os, signal, socket, sys
line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
line.connect({place!r})
mask = os.umask(0o077)
order = {{"words": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd()}}
socket.send_fds(line, [json.dumps({{**order, "umask": mask}}).encode()], [0, 1, 2])
number = int(line.recv(99))
signal.signal(signal.SIGTERM, lambda *_: os.kill(number, signal.SIGTERM))
sys.exit(int(line.recv(99)) % 256)
"""
_STREAMS = ("stdin", "stdout", "stderr")


class Child:
    """A program that was forked, with the manners of `subprocess.Popen`."""

    def __init__(self, line: socket.socket, stderr: IO[bytes] | None = None) -> None:
        self._line = line
        self.stderr = stderr
        self.pid = int(line.recv(_LONGEST))
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code, once it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has ended."""
        if self._code is None:
            if not select.select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked program", timeout or 0.0)
            self._code = int(self._line.recv(_LONGEST))
            self._line.close()
        return self._code

    def send_signal(self, number: int) -> None:
        """Nothing happens when it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """As the power does."""
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The program that others are forked from."""

    def __init__(self, before: Sequence[str], prepared: str) -> None:
        """`before` is a command that runs another, as `setpriv` does.

        `prepared` names a function that changes the programs, as `module:function`.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="nursery", dir="/tmp")
        self._place = str(Path(self._folder.name) / "socket")
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
            door.bind(self._place)
            door.listen(40)
            number = door.fileno()
            self._process = subprocess.Popen(
                [*before, sys.executable, "-m", __name__, str(number), prepared],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,
            )

    def fork(
        self, words: Sequence[str | Path], environment: Mapping[str, str], streams: Sequence[int]
    ) -> socket.socket:
        """`adjudicator` with these words; over the line come its number, and then its exit code."""
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line.connect(self._place)
        before = os.umask(0o077)
        os.umask(before)
        order = {
            "words": [str(word) for word in words],
            "environment": dict(environment),
            "folder": str(Path.cwd()),
            "umask": before,
        }
        socket.send_fds(line, [json.dumps(order).encode()], list(streams))
        return line

    def serve(self, config: Path, environment: Mapping[str, str], *words: str) -> Child:
        """A daemon with these settings and words, whose standard error can be read."""
        stderr, theirs = os.pipe()
        with Path(os.devnull).open("rb+", buffering=0) as nothing:
            streams = (nothing.fileno(), nothing.fileno(), theirs)
            line = self.fork(["serve", "--config", config, *words], environment, streams)
        os.close(theirs)
        return Child(line, os.fdopen(stderr, "rb"))

    def run(
        self, *words: str | Path, environment: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """A command to its end."""
        with (
            Path(os.devnull).open("rb") as nothing,
            tempfile.TemporaryFile("w+") as out,
            tempfile.TemporaryFile("w+") as err,
        ):
            streams = (nothing.fileno(), out.fileno(), err.fileno())
            used = os.environ if environment is None else environment
            code = Child(self.fork(words, used, streams)).wait()
            for one in (out, err):
                one.seek(0)
            return subprocess.CompletedProcess(list(words), code, out.read(), err.read())

    @cached_property
    def program(self) -> Path:
        """An `adjudicator` for shells and terminals; it can be ended by SIGTERM."""
        path = Path(self._folder.name) / "adjudicator"
        path.write_text(_PROGRAM.format(python=sys.executable, place=self._place))
        path.chmod(0o755)
        return path

    def close(self) -> None:
        """No more programs."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


@cache
def open_nursery(before: Sequence[str] = (), prepared: str = "") -> Nursery:
    """The one of this process, which ends with it."""
    nursery = Nursery(before, prepared)
    atexit.register(nursery.close)
    return nursery


def main() -> None:
    """Fork a program for each order that comes, as long as standard input is open."""
    if sys.argv[2]:
        resolve_name(sys.argv[2])()
    _compile_everything()
    door = socket.socket(fileno=int(sys.argv[1]))
    ways = select.poll()
    ways.register(sys.stdin, select.POLLHUP)
    ways.register(door, select.POLLIN)
    living: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for handle, _ in ways.poll():
            if handle == sys.stdin.fileno():
                return
            if handle == door.fileno():
                ended, *child = _fork(door)
                living[ended] = (child[0], child[1])
                ways.register(ended, select.POLLIN)
            else:
                ways.unregister(handle)
                os.close(handle)
                _tell_end(*living.pop(handle))


def _fork(door: socket.socket) -> tuple[int, int, socket.socket]:
    """What tells of the end of the program, its number, and the line to whoever wanted it."""
    line, _ = door.accept()
    order, handles, _, _ = socket.recv_fds(line, _LONGEST, len(_STREAMS))
    pid = os.fork()
    if pid == 0:
        _live(json.loads(order), handles)
    for handle in handles:
        os.close(handle)
    line.send(str(pid).encode())
    return os.pidfd_open(pid), pid, line


def _tell_end(pid: int, line: socket.socket) -> None:
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with line, suppress(OSError):  # nobody may want to know any more
        line.send(str(code).encode())


def _compile_everything() -> None:
    """What is read from files and never changes is shared by all programs; pictures are small."""
    png._SHARP = SMALL
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if "migrations" not in module.name:  # alembic reads them as files
            import_module(module.name)
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


def _live(order: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    """A program to its end."""
    os.setsid()
    # a shell that runs the tests in its background has it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, (name, handle) in enumerate(zip(_STREAMS, streams, strict=True)):
        os.dup2(handle, number)
        setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: PTH123, SIM115
    os.closerange(len(_STREAMS), 1024)
    with suppress(OSError):  # a terminal is its own, so that Ctrl-C reaches it
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(order["folder"])
    os.umask(order["umask"])
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    random.seed()
    sys.argv = ["adjudicator", *order["words"]]
    code: Any = 1
    try:
        adjudicator()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    main()
