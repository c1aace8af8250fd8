"""A wire between the daemon and a server, which can be cut, fall silent, or talk nonsense."""

import random
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field

from tests.servers.ports import HOST

_NONSENSE = (
    b"* OK\r\n" * 3,
    b"554 go away\r\n",
    b"* BYE\r\n* 1 EXISTS\r\n",
    b"+ \r\n{999999999}\r\n",
    b"\x00\xff\xfe\r\n\r\n" * 20,
    b"HTTP/1.1 400 Bad Request\r\n\r\n<html>",
    b"250-\r\n" * 50,
    b"* 1 FETCH (UID x RFC822.SIZE -1)\r\n",
)


@dataclass
class Wire:
    """What it does is looked up for every connection and every piece that passes."""

    target: int
    seed: int = 0
    mode: str = "pass"
    """pass | refuse | mute | babble | spoil"""
    length: int | None = None
    """After so many bytes of the server's a connection is cut."""
    _sockets: list[socket.socket] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def set(self, mode: str, length: int | None = None) -> None:
        """From now on, for connections that are open, too."""
        self.mode, self.length = mode, length
        if mode in ("refuse", "mute", "babble"):
            self.cut()

    def heal(self) -> None:
        """Everything passes, through new connections."""
        self.set("pass")
        self.cut()

    def cut(self) -> None:
        """Whoever talks is cut off."""
        while self._sockets:
            with suppress(OSError):
                self._sockets.pop().shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Nobody is listened to any more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._sockets.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client:
            if self.mode == "refuse":
                return
            if self.mode == "mute":
                while client.recv(65536):
                    pass
            elif self.mode == "babble":
                client.sendall(self._chance.choice(_NONSENSE))
                while client.recv(65536):
                    client.sendall(self._chance.choice(_NONSENSE))
            else:
                self._join(client)

    def _join(self, client: socket.socket) -> None:
        with socket.create_connection((HOST, self.target)) as server:
            self._sockets.append(server)
            up = threading.Thread(target=self._pump_up, args=(client, server), daemon=True)
            up.start()
            with suppress(OSError):
                self._pump_down(server, client)
            for end in (client, server):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            up.join()

    def _pump_up(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while piece := client.recv(65536):
                server.sendall(piece)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _pump_down(self, server: socket.socket, client: socket.socket) -> None:
        passed = 0
        while piece := server.recv(65536):
            if self.length is not None and passed + len(piece) > self.length:
                client.sendall(piece[: max(0, self.length - passed)])
                return
            passed += len(piece)
            client.sendall(self._spoil(piece) if self.mode == "spoil" else piece)

    def _spoil(self, piece: bytes) -> bytes:
        """Now and then something else than the server said."""
        if self._chance.random() < 0.7:
            return piece
        at = self._chance.randrange(len(piece))
        return piece[:at] + self._chance.choice(_NONSENSE) + piece[at + 3 :]
