"""What a mail server's refusal or silence means, and how long to wait before the next attempt."""

import re
import socket
import ssl
from collections.abc import Iterator

from aiosmtplib import SMTPAuthenticationError, SMTPResponseException
from imapclient.exceptions import LoginError

from adjudicator.core.document import replace_unseen

_BYTES = re.compile(r"""^b(['"])(.*)\1$""")
_LONGEST = 300
_EXPIRED, _OTHER_NAME = 10, 62
"""Of OpenSSL's reasons why a certificate is refused."""
_UNTRUSTED = "if it is your own authority's, set `authority` to the certificate of that authority"


_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff<>]")
"""Line ends, brackets and other things that a server would take for a command."""
UNFIT_ADDRESS = "this is not a valid address"


class TokenTrouble(OSError):  # noqa: N818 - a trouble like any other of a mail server
    """There is no token now; the message says why, and what helps."""

    def __init__(self, words: str, *, slow: bool = False) -> None:
        super().__init__(words)
        self.slow = slow
        """Whether trying again soon does harm, or is of no use."""


class LoginExpired(TokenTrouble):
    """There is no token before the GM logs in again."""


class TokenRejected(TokenTrouble):
    """The mail server does not accept a token."""


def are_fit_addresses(sender: str, recipient: str) -> bool:
    """Whether a server accepts both; an empty sender wants no answer (RFC 3834, 3.3)."""
    return (
        bool(recipient.strip())
        and (not sender or bool(sender.strip()))
        and not _UNFIT.search(sender + recipient)
    )


def flatten_reply(text: object) -> str:
    """Shorten a server's reply to one line."""
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    words = " ".join(replace_unseen(words, " ").split())
    words = _BYTES.sub(r"\2", words)  # imapclient shows the bytes of the reply as Python does
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def explain_trouble(place: str, error: BaseException) -> str:
    """Explain to a GM what is wrong with the server at this place."""
    for cause in _list_causes(error):
        words = _explain_cause(cause)
        if words:
            return f"{place}: {words}"
    return f"{place}: {flatten_reply(error) or type(error).__name__}"


def is_wrong_password(error: BaseException) -> bool:
    """Whether the server rejected the login; repeated attempts could make it lock the account."""
    for cause in _list_causes(error):
        if isinstance(cause, TokenTrouble):
            return cause.slow
        if isinstance(cause, SMTPAuthenticationError):
            return cause.code >= 500
        if isinstance(cause, LoginError):
            return not _is_temporary(cause)
    return False


def _list_causes(error: BaseException) -> Iterator[BaseException]:
    """List the error's causes, the root first, since it is the most precise.

    What troubles a token server says so itself: the mail server is not at fault.
    """
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and cause not in chain:
        if isinstance(chain[-1], TokenTrouble):
            break
        chain.append(cause)
    return reversed(chain)


def _explain_cause(error: BaseException) -> str | None:
    if isinstance(error, TokenTrouble):
        return str(error)
    if isinstance(error, LoginError | SMTPAuthenticationError):
        return _explain_refusal(error)
    if isinstance(error, SMTPResponseException):
        return f"the server answered {error.code} {flatten_reply(error.message)}"
    if isinstance(error, ssl.SSLCertVerificationError):
        return _explain_certificate(error)
    for kind, words in _NETWORK:
        if isinstance(error, kind):
            return words
    if isinstance(error, ssl.SSLError):
        reason = flatten_reply(getattr(error, "reason", None) or error)
        return f"no TLS on this port; check port and `security`, which belong together ({reason})"
    return _explain_reply(flatten_reply(error))


_LOST = "the connection was lost"
_NETWORK: tuple[tuple[type[OSError], str], ...] = (
    (ssl.SSLEOFError, _LOST),
    (ssl.SSLZeroReturnError, _LOST),
    (socket.gaierror, "no such host; check the spelling, or the network"),
    (
        ConnectionRefusedError,
        "the connection was refused; check host and port, or start the server",
    ),
    (TimeoutError, "no answer in time; check host and port, the firewall, and the network"),
    (ConnectionResetError, _LOST),
    (BrokenPipeError, _LOST),
)


def _explain_reply(words: str) -> str | None:
    """Explain rejections that only differ in their wording."""
    upper = words.upper()
    if "EOF" in upper or "SOCKET ERROR" in upper or "BYE" in upper:
        return _LOST
    if "OVERQUOTA" in upper or "QUOTA EXCEEDED" in upper:
        return f"the mailbox is full; make room in it ({words})"
    if "STARTTLS" in upper:
        return f"the server has no STARTTLS; set `security` to tls, or ask its operator ({words})"
    return None


def _explain_refusal(error: BaseException) -> str:
    reason = flatten_reply(error.message if isinstance(error, SMTPAuthenticationError) else error)
    if _is_temporary(error):
        return f"the server cannot check logins now ({reason})"
    return f"the user name or the password was rejected; correct them ({reason})"


def _is_temporary(error: BaseException) -> bool:
    if isinstance(error, SMTPAuthenticationError):
        return error.code < 500
    return any(code in str(error).upper() for code in ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]"))


def _explain_certificate(error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code == _OTHER_NAME:
        return "the certificate is for another name; set `host` to that name"
    if error.verify_code == _EXPIRED:
        return "the certificate has expired; its operator must renew it"
    return f"the certificate is not trusted: {error.verify_message}; {_UNTRUSTED}"


class Backoff:
    """Instants are seconds of any clock that only moves forward."""

    def __init__(self, first: float = 1.0, most: float = 60.0, slow: float = 300.0) -> None:
        self._first = first
        self._slow = slow
        self._most = most
        self._pause = 0.0
        self._until = 0.0

    def failed(self, now: float, *, slowly: bool = False) -> None:
        """Record a failure at this instant; `slowly` if retrying does harm (a wrong password)."""
        longer = self._pause * 2 if self._pause else self._first
        self._pause = self._slow if slowly else min(longer, self._most)
        self._until = now + self._pause

    def worked(self) -> None:
        """Record a success: the next failure starts from the beginning."""
        self._pause = self._until = 0.0

    def count_seconds(self, now: float) -> float:
        """Return the seconds until the next attempt is due; 0 for now."""
        return max(0.0, self._until - now)
