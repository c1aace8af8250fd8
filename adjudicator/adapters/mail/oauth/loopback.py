"""A door on this machine to which a browser comes back, for as long as one login takes."""

import os
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct

_LONGEST_REQUEST = 16 * 1024
_PATIENCE = 5.0
"""Seconds that a browser may take to say what it wants."""
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>adjudicator</title>"
    "<p>Your answer has arrived. Go back to the terminal; this page can be closed."
)
_HEAD = (
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n"
    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
)


class Loopback(Struct, frozen=True):
    """A socket that only this machine can reach."""

    listener: socket.socket

    @property
    def port(self) -> int:
        """Its port, one that was free."""
        return int(self.listener.getsockname()[1])

    def list_addresses(
        self,
        seconds: float,
        terminal: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Iterator[str]:
        """Give each address that a browser asks for or a person types in, until time is up.

        `terminal` is the open file that is typed into; a browser elsewhere cannot come here.
        """
        until = clock() + seconds
        sources: list[socket.socket | int] = [self.listener]
        sources += [] if terminal is None else [terminal]
        while (rest := until - clock()) > 0:
            for source in select.select(sources, [], [], rest)[0]:
                if isinstance(source, socket.socket):
                    yield _serve(source)
                    continue
                line = os.read(source, _LONGEST_REQUEST)
                if not line:  # the end of the file
                    sources.remove(source)
                yield line.decode("utf-8", "replace")


@contextmanager
def open_loopback() -> Iterator[Loopback]:
    """Open the door; it is closed afterwards."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Loopback(listener)


def _serve(listener: socket.socket) -> str:
    """Serve one request; returns what it asks for, empty if that is nothing of ours."""
    visitor, _ = listener.accept()
    with visitor, suppress(OSError):
        visitor.settimeout(_PATIENCE)
        request = b""
        while b"\r\n\r\n" not in request:
            part = visitor.recv(_LONGEST_REQUEST)
            request += part
            if not part or len(request) > _LONGEST_REQUEST:
                return ""
        method, _, rest = request.partition(b"\r\n")[0].partition(b" ")
        visitor.sendall((_HEAD.format(len(_PAGE)) + _PAGE).encode())
        return rest.partition(b" ")[0].decode("latin-1") if method == b"GET" else ""
    return ""
