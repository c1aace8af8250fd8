"""The postman that speaks SMTP: a few connections, each used for many letters."""

import asyncio
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from aiosmtplib import SMTP, SMTPException

from adjudicator.adapters.mail.access import Secret
from adjudicator.adapters.mail.accounts import SmtpOut
from adjudicator.adapters.mail.postman.delivery import _LATER, ConnectionLost, Transaction
from adjudicator.adapters.mail.troubles import Backoff, explain_trouble, is_wrong_password
from adjudicator.desk.model.errors import Away
from adjudicator.desk.model.mail import Posting, Sent

_HOST = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$")
_GOODBYE_SECONDS = 2.0


async def connect(settings: SmtpOut, password: Secret | None, context: ssl.SSLContext) -> SMTP:
    """Ready for a letter; raises what aiosmtplib, the network or TLS raise."""
    smtp = SMTP(
        hostname=settings.host,
        port=settings.number,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=None if settings.security == "plain" else context,
        timeout=settings.timeout,
        local_hostname=_own_name(),
    )
    await smtp.connect()
    try:
        await smtp.ehlo()
        if settings.user is not None and password is not None:
            await smtp.login(settings.user.encode(), password.reveal().encode())
    except BaseException:
        hang_up(smtp)
        raise
    return smtp


async def goodbye(smtp: SMTP) -> None:
    """Ended politely if the server answers soon, else ended."""
    with suppress(SMTPException, OSError):
        if smtp.is_connected:
            await _quit(smtp)
    hang_up(smtp)
    await asyncio.sleep(0)  # the loop closes the socket in its next round


async def _quit(smtp: SMTP) -> None:
    """As aiosmtplib does, but it begins a slow farewell of TLS, too, that nobody waits for."""
    await smtp.execute_command(b"QUIT", timeout=_GOODBYE_SECONDS)


def hang_up(smtp: SMTP) -> None:
    """At once, whatever was being said."""
    if smtp.transport is not None:
        smtp.transport.abort()  # type: ignore[attr-defined]  # a socket's transport has it
    smtp.close()


def _own_name() -> str:
    """Asked of the machine, not of a name server that may take its time."""
    name = socket.gethostname()
    return name if _HOST.match(name) else "localhost"


class SmtpPostman:
    """`send` never raises: no server is a result like any other, `later`."""

    def __init__(
        self,
        settings: SmtpOut,
        password: Secret | None,
        context: ssl.SSLContext,
        *,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
    ) -> None:
        self._settings = settings
        self._password = password
        self._context = context
        self._clock = clock
        self._backoff = backoff or Backoff(most=30.0)
        self._slots = asyncio.Semaphore(settings.connections)
        self._idle: list[tuple[float, SMTP]] = []
        self._words = ""

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        """One letter to all its recipients; what each of them came to."""
        async with self._slots:
            try:
                return await self._send_once(envelope)
            except Away as error:
                return tuple(Sent(name, _LATER, str(error)) for name in _list_recipients(envelope))

    async def close(self) -> None:
        """Says goodbye on every connection that is kept."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(goodbye(smtp) for _, smtp in idle))

    async def _send_once(self, envelope: Posting) -> tuple[Sent, ...]:
        kept = await self._take_kept()
        if kept is not None:
            try:
                return await self._send_over(kept, envelope)
            except ConnectionLost as lost:
                if lost.begun:
                    return self._report_unfinished(envelope, lost)
                # the server had grown tired of a kept connection: nothing was sent on it yet
        try:
            return await self._send_over(await self._connect(), envelope)
        except ConnectionLost as lost:
            return self._report_unfinished(envelope, lost)

    async def _send_over(self, smtp: SMTP, envelope: Posting) -> tuple[Sent, ...]:
        try:
            results = await Transaction(smtp, envelope).run()
        except BaseException:
            hang_up(smtp)
            raise
        if smtp.is_connected:
            self._idle.append((self._clock(), smtp))
        return results

    def _report_unfinished(self, envelope: Posting, lost: ConnectionLost) -> tuple[Sent, ...]:
        """Half a letter may have arrived whole: a repeat carries the same Message-ID."""
        words = explain_trouble(self._settings.place, lost.cause)
        settled = {sent.recipient: sent for sent in lost.settled}
        return tuple(
            settled.get(name, Sent(name, _LATER, words)) for name in _list_recipients(envelope)
        )

    async def _take_kept(self) -> SMTP | None:
        """The connection used last, if it is young enough; older ones are let go."""
        now = self._clock()
        while self._idle:
            since, smtp = self._idle.pop()
            if smtp.is_connected and now - since <= self._settings.keep:
                return smtp
            await goodbye(smtp)
        return None

    async def _connect(self) -> SMTP:
        if self._backoff.left(self._clock()) > 0:
            raise Away(self._words)
        try:
            smtp = await connect(self._settings, self._password, self._context)
        except (SMTPException, OSError, ValueError) as error:
            self._backoff.failed(self._clock(), slowly=is_wrong_password(error))
            self._words = explain_trouble(self._settings.place, error)
            raise Away(self._words) from error
        self._backoff.worked()
        return smtp


def _list_recipients(envelope: Posting) -> Sequence[str]:
    return tuple(dict.fromkeys(envelope.recipients))


async def reach(settings: SmtpOut, password: Secret | None, context: ssl.SSLContext) -> None:
    """Connects, logs in, says goodbye; raises Away with what is wrong."""
    try:
        smtp = await connect(settings, password, context)
    except (SMTPException, OSError, ValueError) as error:
        raise Away(explain_trouble(settings.place, error)) from error
    with suppress(SMTPException, OSError):
        await goodbye(smtp)
