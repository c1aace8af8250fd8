"""The postman that speaks SMTP: a few connections, each used for many letters."""

import asyncio
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from msgspec.structs import replace

from adjudicator.adapters.mail.accounts import Secret, SmtpOut
from adjudicator.adapters.mail.deliverability.limits import ServerLimit, read_limit
from adjudicator.adapters.mail.oauth.bearer import Bearer
from adjudicator.adapters.mail.oauth.login import Login
from adjudicator.adapters.mail.troubles import (
    UNFIT_ADDRESS,
    Backoff,
    TokenRejected,
    are_fit_addresses,
    explain_trouble,
    flatten_reply,
    is_wrong_password,
)
from adjudicator.desk.model.errors import Away
from adjudicator.desk.model.mail import Posting, Sent

_HOST = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$")
_GOODBYE_SECONDS = 2.0
_PERMANENT = range(500, 600)
_OURS = (503, 530, 534, 535, 538)
"""Refusals of the login or the dialogue: the letter itself is not at fault."""
_CLOSING = 421
"""The server ends the connection, whatever it was asked."""
_FULL = 552
"""After RCPT it says that a mailbox is full or that there are too many recipients; both pass."""


_Entry = Secret | Login | None
"""What lets us in: a password, a login that gives tokens, or nothing where none is asked for."""


async def connect(settings: SmtpOut, entry: _Entry, context: ssl.SSLContext) -> SMTP:
    """Connect, ready for a letter; raises what aiosmtplib, the network, TLS or a login raise.

    A token that is rejected is renewed once.
    """
    if not isinstance(entry, Login):
        return await _connect(settings, entry, context, by_token=False)
    token = await _find_token(entry)
    try:
        return await _connect(settings, token, context, by_token=True)
    except TokenRejected:
        newer = await _find_token(entry, token)
    return await _connect(settings, newer, context, by_token=True)


async def _find_token(login: Login, old_token: Secret | None = None) -> Secret:
    """Find a token in a thread, which a token server may block and which delays no exit."""
    future: Future[Secret] = Future()

    def work() -> None:
        try:
            future.set_result(login.find_token(old_token))
        except BaseException as error:  # the caller gets it
            future.set_exception(error)

    future.set_running_or_notify_cancel()  # whoever waits may go; the work goes on
    Thread(target=work, name="token", daemon=True).start()
    return await asyncio.wrap_future(future)


async def _connect(
    settings: SmtpOut, words: Secret | None, context: ssl.SSLContext, *, by_token: bool
) -> SMTP:
    own_name = socket.gethostname()  # a name server may take its time
    smtp = SMTP(
        hostname=settings.host,
        port=settings.number,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=None if settings.security == "plain" else context,
        timeout=settings.timeout,
        local_hostname=own_name if _HOST.match(own_name) else "localhost",
    )
    await smtp.connect()
    try:
        await smtp.ehlo()
        if settings.user is not None and words is not None:
            if by_token:
                place = (settings.host, settings.number)
                await Bearer(settings.user, words, place).log_in_to_smtp(smtp)
            else:
                await smtp.login(settings.user.encode(), words.reveal().encode())
    except BaseException:
        hang_up(smtp)
        raise
    return smtp


async def say_goodbye(smtp: SMTP) -> None:
    """End the connection, politely if the server answers soon."""
    with suppress(SMTPException, OSError):
        if smtp.is_connected:
            # aiosmtplib's own quit also says goodbye in TLS, which is slow and needless
            await smtp.execute_command(b"QUIT", timeout=_GOODBYE_SECONDS)
    hang_up(smtp)
    await asyncio.sleep(0)  # the loop closes the socket in its next round


def hang_up(smtp: SMTP) -> None:
    """Disconnect at once, even in the middle of a command."""
    if smtp.transport is not None:
        smtp.transport.abort()  # type: ignore[attr-defined]  # a socket's transport has it
    smtp.close()


async def try_login(settings: SmtpOut, entry: _Entry, context: ssl.SSLContext) -> None:
    """Connect, log in and log out again; raises Away with the reason."""
    try:
        smtp = await connect(settings, entry, context)
    except (SMTPException, OSError, ValueError) as error:
        raise Away(explain_trouble(settings.place, error)) from error
    with suppress(SMTPException, OSError):
        await say_goodbye(smtp)


class SmtpPostman:
    """`send` never raises: no server is a result like any other, `later`."""

    def __init__(
        self,
        settings: SmtpOut,
        entry: _Entry,
        context: ssl.SSLContext,
        *,
        sign: Callable[[bytes], bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
    ) -> None:
        self._settings = settings
        self._entry = entry
        self._sign = sign
        self._context = context
        self._clock = clock
        self._backoff = backoff or Backoff(most=30.0)
        self._slots = asyncio.Semaphore(settings.connections)
        self._idle: list[tuple[float, SMTP]] = []
        self._words = ""
        self._limit = ServerLimit()

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        """Send one letter to all its recipients; returns the result for each."""
        if self._sign is not None:
            content = await asyncio.to_thread(self._sign, envelope.content)
            envelope = replace(envelope, content=content)
        async with self._slots:
            connection = await self._take_kept()
            if connection is not None:
                letter = await self._send_over(connection, envelope)
                if letter.lost is None or letter.begun:
                    return self._finish(letter)
                # the server had dropped a kept connection before anything was sent on it
            try:
                fresh = await self._connect()
            except Away as error:
                return Transaction(envelope).list_results(str(error), self._limit)
            return self._finish(await self._send_over(fresh, envelope))

    async def close(self) -> None:
        """Close every connection that is kept."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(say_goodbye(smtp) for _, smtp in idle))

    async def _send_over(self, smtp: SMTP, envelope: Posting) -> "Transaction":
        letter = Transaction(envelope)
        try:
            await letter.run(smtp)
        except BaseException:
            hang_up(smtp)
            raise
        if letter.lost is not None:
            hang_up(smtp)
        elif smtp.is_connected:
            self._idle.append((self._clock(), smtp))
        return letter

    def _finish(self, letter: "Transaction") -> tuple[Sent, ...]:
        """List the results; a letter cut off midway is repeated with the same Message-ID."""
        if letter.lost is None:
            return letter.list_results()
        words = explain_trouble(self._settings.place, letter.lost)
        return letter.list_results(words, _find_limit(letter.lost))

    async def _take_kept(self) -> SMTP | None:
        """Take the connection used last if it is recent enough, and close older ones."""
        now = self._clock()
        while self._idle:
            since, smtp = self._idle.pop()
            if smtp.is_connected and now - since <= self._settings.keep:
                return smtp
            await say_goodbye(smtp)
        return None

    async def _connect(self) -> SMTP:
        if self._backoff.count_seconds(self._clock()) > 0:
            raise Away(self._words)
        try:
            smtp = await connect(self._settings, self._entry, self._context)
        except (SMTPException, OSError, ValueError) as error:
            self._limit = _find_limit(error)
            slowly = is_wrong_password(error) or self._limit.for_all
            self._backoff.failed(self._clock(), slowly=slowly)
            self._words = explain_trouble(self._settings.place, error)
            raise Away(self._words) from error
        self._backoff.worked()
        return smtp


class Transaction:
    """One letter; the result for a recipient is written down as soon as it is certain."""

    def __init__(self, posting: Posting) -> None:
        self._posting = posting
        self._results: dict[str, Sent | None] = dict.fromkeys(posting.recipients)
        self.lost: Exception | None = None
        """Why the connection broke, if it did."""
        self.begun = False
        """The letter itself was on its way."""

    def list_results(
        self,
        otherwise: str = "",
        limit: ServerLimit = ServerLimit(),  # noqa: B008 - it is frozen
    ) -> tuple[Sent, ...]:
        """List the result for each recipient, with the reason to wait where it is uncertain."""
        uncertain = ("later", otherwise, limit.wait, limit.for_all)
        return tuple(result or Sent(name, *uncertain) for name, result in self._results.items())

    async def run(self, smtp: SMTP) -> None:
        """Send the letter to the server."""
        try:
            wide = self._check_addresses(able=smtp.supports_extension("smtputf8"))
            if self._list_open() and not await self._speak(smtp, wide=wide):
                await _reset(smtp)
        except (SMTPException, OSError) as error:
            self.lost = error

    def _list_open(self) -> list[str]:
        return [name for name, result in self._results.items() if result is None]

    def _settle(self, recipients: Sequence[str], status: str, reply: str) -> None:
        for name in recipients:
            self._results[name] = Sent(name, status, reply)

    def _check_addresses(self, *, able: bool) -> bool:
        """Whether some address needs SMTPUTF8; invalid addresses get their results here."""
        wide = False
        for recipient in self._list_open():
            if not are_fit_addresses(self._posting.sender, recipient):
                self._settle([recipient], "never", UNFIT_ADDRESS)
            elif not (recipient + self._posting.sender).isascii():
                wide = wide or able
                if not able:
                    words = "the mail server takes only ASCII in addresses"
                    self._settle([recipient], "never", words)
        return wide

    async def _speak(self, smtp: SMTP, *, wide: bool) -> bool:
        """Send the letter; returns whether it was accepted and the server expects the next."""
        encoding = "utf-8" if wide else "ascii"
        try:
            options = self._list_options(smtp, wide=wide)
            await smtp.mail(self._posting.sender, options=options, encoding=encoding)
            for recipient in self._list_open():
                await self._name_recipient(smtp, recipient, encoding)
            recipients = self._list_open()
            if recipients:
                self.begun = True
                answer = await smtp.data(self._posting.content)
                self._settle(recipients, "taken", _format_reply(answer.code, answer.message))
            return bool(recipients)
        except (SMTPSenderRefused, SMTPDataError) as error:
            if error.code == _CLOSING and not self.begun:
                raise
            self._refuse(self._list_open(), error)
            return False

    def _list_options(self, smtp: SMTP, *, wide: bool) -> list[str]:
        content = self._posting.content
        options = ["SMTPUTF8"] if wide else []
        if not content.isascii() and smtp.supports_extension("8bitmime"):
            options.append("BODY=8BITMIME")
        if smtp.supports_extension("size"):
            # bytes on the wire, where every line ends with two (RFC 1870)
            size = len(content) + content.count(b"\n") - content.count(b"\r\n")
            options.append(f"SIZE={size}")
        return options

    async def _name_recipient(self, smtp: SMTP, recipient: str, encoding: str) -> None:
        try:
            await smtp.rcpt(recipient, encoding=encoding)
        except SMTPRecipientRefused as error:
            self._refuse([recipient], error, passing=error.code == _FULL)

    def _refuse(
        self, recipients: Sequence[str], error: SMTPResponseException, *, passing: bool = False
    ) -> None:
        limit = _find_limit(error)
        status = "later" if passing or limit.for_all else _judge_code(error.code)
        reply = _format_reply(error.code, error.message)
        for name in recipients:
            self._results[name] = Sent(name, status, reply, limit.wait, limit.for_all)


async def _reset(smtp: SMTP) -> None:
    """Reset the connection for the next letter, or close it if that is refused."""
    if not smtp.is_connected:
        return
    try:
        await smtp.rset()
    except (SMTPResponseException, OSError):
        with suppress(SMTPException, OSError):
            smtp.close()


def _find_limit(error: BaseException) -> ServerLimit:
    if isinstance(error, SMTPResponseException):
        return read_limit(error.code, error.message)
    return ServerLimit()


def _judge_code(code: int) -> str:
    return "never" if code in _PERMANENT and code not in _OURS else "later"


def _format_reply(code: int, message: str) -> str:
    return f"{code} {flatten_reply(message)}"
