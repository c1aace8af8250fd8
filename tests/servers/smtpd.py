"""A small mail server that does what a test tells it: refuse, stall, hang up, take its time."""

import asyncio
import re
import ssl
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

HANG_UP = "hang up"
STALL = "stall"


@dataclass
class Manners:
    """What the server answers; `taken` is what it took."""

    sender: str | None = None
    recipients: dict[str, str] = field(default_factory=dict)
    data: str | None = None
    pause: float = 0.0
    together: int = 0
    """Letters wait for each other until so many are under way at once."""
    taken: list[tuple[str, tuple[str, ...], bytes]] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    connections: int = 0
    at_once: int = 0
    most_at_once: int = 0
    open: list["_Talk"] = field(default_factory=list)

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.options.append(options)
        if (refused := await answer_so(server, self.sender)) is not None:
            return refused
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 fine"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if (refused := await answer_so(server, self.recipients.get(address))) is not None:
            return refused
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        while self.most_at_once < self.together:
            await asyncio.sleep(0.01)
        await asyncio.sleep(self.pause)
        self.at_once -= 1
        if (refused := await answer_so(server, self.data)) is not None:
            return refused
        content = envelope.original_content or b""
        self.taken.append((envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
        return "250 taken"


@dataclass
class Renaming(Manners):
    """A provider that gives every letter a name of its own, as Amazon SES and Outlook do."""

    names: str = "<{}@eu-west-1.amazonses.com>"
    keeps: str | None = None
    """The header in which it keeps the name that the letter had."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        head, gap, body = (envelope.original_content or b"").partition(b"\r\n\r\n")
        (old,) = _MESSAGE_ID.findall(head)
        new = self.names.format(f"0102{len(self.taken):012x}-1e2d-000000")
        kept = f"{self.keeps}: {old.decode()}\r\n".encode() if self.keeps else b""
        head = _MESSAGE_ID.sub(b"Message-ID: " + new.encode() + b"\r\n", head)
        envelope.original_content = kept + head + gap + body
        said = await super().handle_DATA(server, session, envelope)
        return f"250 2.0.0 OK {new}" if said == "250 taken" else said


_MESSAGE_ID = re.compile(rb"^Message-ID:[ \r\n]*(<[^>]+>)\r\n", re.MULTILINE)


async def answer_so(server: SMTP, manner: str | None) -> str | None:
    """The answer that a test wants, or the deed."""
    if manner == HANG_UP:
        assert server.transport is not None
        server.transport.abort()  # type: ignore[attr-defined]  # a socket's transport has it
        return "250 nobody hears this"
    if manner == STALL:
        await asyncio.sleep(30)
    return manner


class _Talk(SMTP):
    """One connection, counted."""

    manners: Manners

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.manners.connections += 1
        self.manners.open.append(self)


class _Server(Controller):
    def __init__(self, manners: Manners, talk: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(manners, hostname="127.0.0.1", **kwargs)
        self._manners = manners
        self._talk = talk

    def factory(self) -> SMTP:
        with warnings.catch_warnings():
            # on loopback a password without TLS is what the test is about
            warnings.filterwarnings("ignore", "Requiring AUTH while not requiring TLS")
            talk = _Talk(
                self._manners, hostname="test.example", enable_SMTPUTF8=False, **self._talk
            )
        talk.manners = self._manners
        return talk

    def hang_up(self) -> None:
        """Closes every connection, as a server does with idle ones."""

        def close() -> None:
            for talk in self._manners.open:
                if talk.transport is not None:
                    talk.transport.close()

        self.loop.call_soon_threadsafe(close)


@contextmanager
def smtpd(
    manners: Manners,
    *,
    port: int = 0,
    tls: ssl.SSLContext | None = None,
    starttls: ssl.SSLContext | None = None,
    passwords: dict[str, str] | None = None,
) -> Iterator["_Server"]:
    """A running server on a free port (`server.port`), in a thread of its own."""
    from tests.servers.ports import free_ports

    talk: dict[str, Any] = {"tls_context": starttls, "require_starttls": bool(starttls)}
    if passwords is not None:
        talk |= {
            "authenticator": _authenticator(passwords),
            "auth_required": True,
            "auth_require_tls": False,
        }
    server = _Server(manners, talk, port=port or free_ports(1)[0], ssl_context=tls)
    server.start()
    manners.connections = 0  # the controller knocks once to see that somebody answers
    manners.open.clear()
    try:
        yield server
    finally:
        server.stop()


def _authenticator(passwords: dict[str, str]) -> Callable[..., AuthResult]:
    def check(_server: Any, _session: Any, _envelope: Any, _how: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        known = passwords.get(data.login.decode()) == data.password.decode()
        return AuthResult(success=known, handled=known)

    return check
