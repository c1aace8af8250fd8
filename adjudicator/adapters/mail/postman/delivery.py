"""One letter to one server: which addresses it may have, and the result for each recipient."""

import re
from collections.abc import Sequence
from contextlib import suppress

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from adjudicator.adapters.mail.troubles import flatten_reply
from adjudicator.desk.model.mail import Posting, Sent

_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff<>]")


def is_fit_address(address: str) -> bool:
    """No line ends, brackets or other things that a server would take for a command."""
    return bool(address.strip()) and not _UNFIT.search(address)


def are_fit_addresses(sender: str, recipient: str) -> bool:
    """Both of them; an empty sender is one that wants no answer (RFC 3834, 3.3)."""
    return is_fit_address(recipient) and (not sender or is_fit_address(sender))


_TAKEN, _LATER, _NEVER = "taken", "later", "never"
_PERMANENT = range(500, 600)
_OURS = (503, 530, 534, 535, 538)
"""Refusals of who we are or of the order we speak in: the letter itself is not at fault."""
_CLOSING = 421
"""The server ends the connection, whatever it was asked."""
_FULL = 552
"""After RCPT it says that a mailbox is full or that there are too many recipients; both pass."""


class ConnectionLost(Exception):  # noqa: N818 - it is said of a connection
    """The connection broke; `begun` tells whether the letter itself was on its way."""

    def __init__(self, cause: Exception, settled: Sequence[Sent], *, begun: bool) -> None:
        super().__init__(flatten_reply(cause))
        self.cause = cause
        self.settled = tuple(settled)
        """What was already certain, in the order of the recipients."""
        self.begun = begun


class Transaction:
    """One letter; a result is written down as soon as it is certain."""

    def __init__(self, smtp: SMTP, posting: Posting) -> None:
        self._smtp = smtp
        self._posting = posting
        self._results: dict[str, Sent] = {}
        self._begun = False

    async def run(self) -> tuple[Sent, ...]:
        """Raises Lost."""
        try:
            await self._speak()
        except (SMTPException, OSError) as error:
            raise ConnectionLost(error, self._list_settled(), begun=self._begun) from error
        return self._list_settled()

    def _list_settled(self) -> tuple[Sent, ...]:
        everybody = dict.fromkeys(self._posting.recipients)
        return tuple(self._results[name] for name in everybody if name in self._results)

    def _list_open(self) -> list[str]:
        everybody = dict.fromkeys(self._posting.recipients)
        return [name for name in everybody if name not in self._results]

    def _settle(self, recipients: Sequence[str], status: str, reply: str) -> None:
        for name in recipients:
            self._results[name] = Sent(name, status, reply)

    async def _speak(self) -> None:
        wide = self._check_addresses()
        if not self._list_open():
            return
        try:
            encoding = "utf-8" if wide else "ascii"
            options = self._options(wide=wide)
            await self._smtp.mail(self._posting.sender, options=options, encoding=encoding)
            for recipient in self._list_open():
                await self._name_recipient(recipient, encoding)
            accepted = self._list_open()
            if accepted:
                self._begun = True
                answer = await self._smtp.data(self._posting.content)
                self._settle(accepted, _TAKEN, _format_reply(answer.code, answer.message))
                return
        except (SMTPSenderRefused, SMTPDataError) as error:
            if error.code == _CLOSING and not self._begun:
                raise
            self._settle(
                self._list_open(), _judge_code(error.code), _format_reply(error.code, error.message)
            )
        await self._reset()

    def _check_addresses(self) -> bool:
        """Whether some address needs SMTPUTF8; invalid addresses are settled here."""
        wide = False
        able = self._smtp.supports_extension("smtputf8")
        for recipient in self._list_open():
            if not are_fit_addresses(self._posting.sender, recipient):
                self._settle([recipient], _NEVER, "this is not a valid address")
            elif not (recipient + self._posting.sender).isascii():
                wide = wide or able
                if not able:
                    words = "the mail server takes only ASCII in addresses"
                    self._settle([recipient], _NEVER, words)
        return wide

    def _options(self, *, wide: bool) -> list[str]:
        options = ["SMTPUTF8"] if wide else []
        if not self._posting.content.isascii() and self._smtp.supports_extension("8bitmime"):
            options.append("BODY=8BITMIME")
        if self._smtp.supports_extension("size"):
            options.append(f"SIZE={_transmitted_size(self._posting.content)}")
        return options

    async def _name_recipient(self, recipient: str, encoding: str) -> None:
        try:
            await self._smtp.rcpt(recipient, encoding=encoding)
        except SMTPRecipientRefused as error:
            status = _LATER if error.code == _FULL else _judge_code(error.code)
            self._settle([recipient], status, _format_reply(error.code, error.message))

    async def _reset(self) -> None:
        """The next letter begins anew; where that is refused, so is the connection."""
        if not self._smtp.is_connected:
            return
        try:
            await self._smtp.rset()
        except (SMTPResponseException, OSError):
            with suppress(SMTPException, OSError):
                self._smtp.close()


def _transmitted_size(content: bytes) -> int:
    """Bytes on the wire, where every line ends with two (RFC 1870)."""
    return len(content) + content.count(b"\n") - content.count(b"\r\n")


def _judge_code(code: int) -> str:
    return _NEVER if code in _PERMANENT and code not in _OURS else _LATER


def _format_reply(code: int, message: str) -> str:
    return f"{code} {flatten_reply(message)}"
