"""A daemon as a process of its own, its log, and the folders or servers around it."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

PATIENCE = 120.0
"""How long something may take before it counts as missing, however busy the machine."""


def until(
    wanted: Callable[[], Any],
    seconds: float = PATIENCE,
    what: object = "it",
    pause: float = 0.02,
) -> Any:
    """What is wanted, as soon as it is there."""
    end = time.monotonic() + seconds
    while True:
        found = wanted()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come in {seconds} s")
        time.sleep(pause)


class Process(Protocol):
    """What tests want of `subprocess.Popen`."""

    @property
    def pid(self) -> int: ...

    @property
    def stderr(self) -> IO[bytes] | None: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, number: int, /) -> None: ...

    def kill(self) -> None: ...


class Running:
    """`adjudicator serve`, started; every line of its log can be looked at."""

    def __init__(self, process: Process, log: Path) -> None:
        self._lines: list[dict[str, Any]] = []
        self._log = log
        self.process = process
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self._log.open("ab") as log, self.process.stderr:
            for line in self.process.stderr:
                log.write(line)
                log.flush()
                if line.startswith(b"{") and line.endswith(b"}\n"):
                    self._lines.append(json.loads(line))

    def lines(self) -> list[dict[str, Any]]:
        """The log of this process, up to now."""
        return list(self._lines)

    def logged(self, event: str, **facts: Any) -> list[dict[str, Any]]:
        """The lines about such an event."""
        return [
            line
            for line in self.lines()
            if line["event"] == event and all(line.get(k) == v for k, v in facts.items())
        ]

    def ready(self) -> "Running":
        """Once it says that it serves."""
        until(lambda: self.logged("serving") or self.ended(), what="the daemon")
        assert self.process.poll() is None, self._log.read_text()
        return self

    def ended(self) -> bool:
        """Whether it has ended."""
        return self.process.poll() is not None

    def stop(self, number: int = signal.SIGTERM, seconds: float = PATIENCE) -> int:
        """Ask it to stop; its exit code."""
        if not self.ended():
            self.process.send_signal(number)
        code = self.process.wait(seconds)
        self._reader.join()
        return code

    def kill(self) -> None:
        """As the power does."""
        self.process.kill()
        self.process.wait()
        self._reader.join()


def start_program(
    config: Path, log: Path, program: Sequence[str] = (sys.executable, "-m", "adjudicator")
) -> Running:
    """A daemon as a GM starts it; most tests fork theirs, see tests/servers/nursery.py."""
    process = subprocess.Popen(
        [*program, "serve", "--config", config],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    return Running(process, log)


def config(folder: Path, facts: Mapping[str, Any]) -> Path:
    """A settings file (JSON is YAML)."""
    path = folder / "adjudicator.yaml"
    path.write_text(json.dumps({"log": "json", **facts}, indent=1))
    return path
