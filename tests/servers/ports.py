"""Free ports on this machine, and waiting until somebody answers on them."""

import os
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
HOST = "127.0.0.1"
_PATIENCE = 120.0


def free_ports(count: int) -> list[int]:
    """Ports that nobody has now; all are held together, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def patiently(start: Callable[[], T]) -> T:
    """Starts a server; somebody else may have taken a port between its finding and its use."""
    for _ in range(2):
        try:
            return start()
        except (RuntimeError, TimeoutError):
            continue
    return start()


def wait_for_banner(
    port: int, greeting: bytes, process: "subprocess.Popen[bytes]", log: Path, *, tls: bool = False
) -> None:
    """Until the server greets; raises with its log when it ends or takes too long."""
    until = time.monotonic() + _PATIENCE
    last: object = None
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"ended with {process.returncode}: {_tail(log)}")
        try:
            last = _banner(port, tls=tls)
        except OSError as error:
            last = error
        else:
            if last.startswith(greeting):
                return
        time.sleep(0.02)
    raise TimeoutError(f"port {port}: {last!r}; {_tail(log)}")


def _banner(port: int, *, tls: bool) -> bytes:
    with socket.create_connection((HOST, port), 1) as plain:
        if not tls:
            return plain.recv(200)
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with context.wrap_socket(plain, server_hostname="localhost") as wrapped:
            return wrapped.recv(200)


def end(process: "subprocess.Popen[bytes]", seconds: float = 5) -> None:
    """Ends a server that we started as the leader of a group, and whoever is left of the group.

    With 0 seconds it is not asked.
    """
    if process.poll() is None and seconds:
        process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-2000:] if log.exists() else "no log"
