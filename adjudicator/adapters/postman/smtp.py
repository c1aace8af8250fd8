"""The postman that speaks SMTP: a few connections, each used for many letters."""

import asyncio
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from aiosmtplib import SMTP, SMTPException

from adjudicator.adapters.backoff import Backoff
from adjudicator.adapters.credentials import Secret
from adjudicator.adapters.postman.connection import connect, goodbye, hang_up
from adjudicator.adapters.postman.settings import SmtpOut
from adjudicator.adapters.postman.transaction import LATER, Lost, Transaction
from adjudicator.adapters.posttrouble import trouble, wrong_password
from adjudicator.desk.errors import Away
from adjudicator.desk.mail import Posting, Sent


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
                return await self._send(envelope)
            except Away as error:
                return tuple(Sent(name, LATER, str(error)) for name in _everybody(envelope))

    async def close(self) -> None:
        """Says goodbye on every connection that is kept."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(goodbye(smtp) for _, smtp in idle))

    async def _send(self, envelope: Posting) -> tuple[Sent, ...]:
        kept = await self._kept()
        if kept is not None:
            try:
                return await self._spoken(kept, envelope)
            except Lost as lost:
                if lost.begun:
                    return self._unfinished(envelope, lost)
                # the server had grown tired of a kept connection: nothing was sent on it yet
        try:
            return await self._spoken(await self._new(), envelope)
        except Lost as lost:
            return self._unfinished(envelope, lost)

    async def _spoken(self, smtp: SMTP, envelope: Posting) -> tuple[Sent, ...]:
        try:
            results = await Transaction(smtp, envelope).run()
        except BaseException:
            hang_up(smtp)
            raise
        if smtp.is_connected:
            self._idle.append((self._clock(), smtp))
        return results

    def _unfinished(self, envelope: Posting, lost: Lost) -> tuple[Sent, ...]:
        """Half a letter may have arrived whole: a repeat carries the same Message-ID."""
        words = trouble(self._settings.place, lost.cause)
        settled = {sent.recipient: sent for sent in lost.settled}
        return tuple(settled.get(name, Sent(name, LATER, words)) for name in _everybody(envelope))

    async def _kept(self) -> SMTP | None:
        """The connection used last, if it is young enough; older ones are let go."""
        now = self._clock()
        while self._idle:
            since, smtp = self._idle.pop()
            if smtp.is_connected and now - since <= self._settings.keep:
                return smtp
            await goodbye(smtp)
        return None

    async def _new(self) -> SMTP:
        if self._backoff.left(self._clock()) > 0:
            raise Away(self._words)
        try:
            smtp = await connect(self._settings, self._password, self._context)
        except (SMTPException, OSError, ValueError) as error:
            self._backoff.failed(self._clock(), slowly=wrong_password(error))
            self._words = trouble(self._settings.place, error)
            raise Away(self._words) from error
        self._backoff.worked()
        return smtp


def _everybody(envelope: Posting) -> Sequence[str]:
    return tuple(dict.fromkeys(envelope.recipients))


async def reach(settings: SmtpOut, password: Secret | None, context: ssl.SSLContext) -> None:
    """Connects, logs in, says goodbye; raises Away with what is wrong."""
    try:
        smtp = await connect(settings, password, context)
    except (SMTPException, OSError, ValueError) as error:
        raise Away(trouble(settings.place, error)) from error
    with suppress(SMTPException, OSError):
        await goodbye(smtp)
