"""An IMAP server of a few lines: it says what a test tells it, and hangs up when told to."""

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

HANG_UP = "hang up"
_USUAL: Mapping[str, Sequence[str]] = {
    "CAPABILITY": ("* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS",),
    "LIST": ('* LIST () "/" "Done"',),
    "SELECT": (
        "* FLAGS (\\Seen)",
        "* OK [PERMANENTFLAGS (\\Seen \\*)] x",
        "* OK [UIDVALIDITY 7] x",
    ),
    "SEARCH": ("* SEARCH",),
}


@dataclass
class Script:
    """What is answered to a command: lines before its `OK`, or a line `TAG NO …`, or HANG_UP."""

    answers: dict[str, Sequence[str]] = field(default_factory=dict)
    idle: Sequence[str] = ()
    """Told as soon as IDLE has begun."""
    greeting: str = "* OK hello"
    tls: ssl.SSLContext | None = None
    """For STARTTLS."""
    injected: tuple[Sequence[str], Sequence[str]] = ((), ())
    """Somebody on the way says this in the clear, before and after the answer to STARTTLS."""
    heard: list[str] = field(default_factory=list)
    connections: int = 0

    def count(self, command: str) -> int:
        """How often a command was heard."""
        return sum(command in line for line in self.heard)


@contextmanager
def imapd(script: Script) -> Iterator[int]:
    """Gives the port; the server is a thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []
    sockets: list[socket.socket] = []

    def listen() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                sockets.append(client)
                script.connections += 1
                threads.append(threading.Thread(target=_talk, args=(client, script)))
                threads[-1].start()

    server = threading.Thread(target=listen)
    server.start()
    try:
        yield listener.getsockname()[1]
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        server.join()
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()


def _talk(client: socket.socket, script: Script) -> None:
    with suppress(OSError), client:
        _say(client, script.greeting)
        _listen_to(client, script)


def _listen_to(client: socket.socket, script: Script) -> None:
    with client.makefile("rb") as lines:
        for raw in lines:
            line = raw.decode("latin-1").strip()
            script.heard.append(line)
            if script.tls and line.endswith(" STARTTLS"):
                before, after = script.injected
                _say(client, *before, f"{line.split()[0]} OK begin", *after)
                with script.tls.wrap_socket(client, server_side=True) as private:
                    _listen_to(private, script)
                return
            if not _answer(client, script, line):
                return


def _answer(client: socket.socket, script: Script, line: str) -> bool:
    if line == "DONE":
        return _say(client, f"{script.heard[-2].split()[0]} OK idled")
    tag, _, rest = line.partition(" ")
    words = rest.upper().removeprefix("UID ").split()
    said = [*script.answers.get(words[0], _USUAL.get(words[0], ()))]
    if said and said[0] == HANG_UP:
        return False
    if said and said[-1].startswith("TAG "):
        final = said.pop().replace("TAG", tag, 1)
    else:
        final = f"{tag} OK done"
    if words[0] == "IDLE":
        return _say(client, *said, "+ idling", *script.idle)
    if words[0] == "LOGOUT":
        said = ["* BYE see you"]
    return _say(client, *said, final)


def _say(client: socket.socket, *lines: str) -> bool:
    hang_up = HANG_UP in lines
    kept = [line for line in lines if line != HANG_UP]
    client.sendall("".join(f"{line}\r\n" for line in kept).encode("latin-1"))
    return not hang_up
