"""A client of an IMAP server: connected, encrypted and logged in."""

import imaplib
import logging
import socket
import ssl
import sys
from collections.abc import Sequence
from contextlib import suppress

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from adjudicator.adapters.mail.accounts import ImapBox, Secret
from adjudicator.adapters.mail.oauth.bearer import Bearer
from adjudicator.adapters.mail.oauth.login import Login
from adjudicator.adapters.mail.troubles import TokenRejected, explain_trouble
from adjudicator.desk.model.errors import Away

IMAP_ERRORS = (IMAPClientError, OSError, ValueError, LookupError, TypeError)
"""What a broken connection, a refusal or a babbling server raises."""

_PROBES = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""How a silent server is asked whether it is still there, as far as the system knows how."""

# imaplib's own debugging writes whole letters, and AUTHENTICATE with the password
logging.getLogger("imapclient.imaplib").setLevel(logging.WARNING)


class _Imap(imaplib.IMAP4):
    """imaplib, which goes on believing after STARTTLS what anybody could say before it."""

    def _get_capabilities(self) -> None:
        """Ask what the server can; of what was said in the clear nothing is kept (RFC 3501, 6.2.1).

        imaplib asks as soon as the connection is private, before it reads anything else.
        """
        if self._tls_established:
            self.untagged_responses.clear()
            if sys.version_info >= (3, 14):
                self._readbuf.clear()
        super()._get_capabilities()  # type: ignore[misc]  # its types lack it


class ImapClient(IMAPClient):  # type: ignore[misc]  # it has no types
    """imapclient with what it lacks: imaplib of Python 3.14 keeps what it has read by itself."""

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802 - imapclient's name
        wait = self._timeout.connect
        if self.ssl:  # imapclient's own class connects without a timeout
            context = self.ssl_context
            return imaplib.IMAP4_SSL(self.host, self.port, ssl_context=context, timeout=wait)
        return _Imap(self.host, self.port, wait)

    def starttls(self, ssl_context: ssl.SSLContext | None = None) -> None:
        """Encrypt the connection; raises IMAPClientError if the server refuses."""
        try:
            self._imap.starttls(ssl_context)
        except imaplib.IMAP4.abort as why:
            raise IMAPClientAbortError(f"STARTTLS: {why}") from why
        self._starttls_done = True

    def _poll_socket(self, sock: socket.socket, timeout: float | None = None) -> Sequence[object]:
        """Wait for IDLE; a line may be here already, read together with the one before."""
        if self._has_read_ahead(sock):
            return [sock]
        polled: Sequence[object] = super()._poll_socket(sock, timeout)
        return polled

    def _has_read_ahead(self, sock: socket.socket) -> bool:
        if sys.version_info >= (3, 14):
            decrypted = sock.pending() if isinstance(sock, ssl.SSLSocket) else 0
            return any(self._imap._readbuf) or decrypted > 0  # noqa: SLF001
        with suppress(ssl.SSLWantReadError):  # idle_check has made it a socket that does not block
            return bool(self._imap.file.peek())
        return False


def enter_mailbox(settings: ImapBox, entry: Secret | Login, context: ssl.SSLContext) -> ImapClient:
    """Connect and log in; a token that is rejected is renewed once. Raises IMAP_ERRORS."""
    if isinstance(entry, Secret):
        return _enter(settings, entry, context, by_token=False)
    token = entry.find_token()
    try:
        return _enter(settings, token, context, by_token=True)
    except TokenRejected:
        newer = entry.find_token(token)
    return _enter(settings, newer, context, by_token=True)


def _enter(
    settings: ImapBox, words: Secret, context: ssl.SSLContext, *, by_token: bool
) -> ImapClient:
    client = _connect(settings, context)
    try:
        if by_token:
            Bearer(settings.user, words, (settings.host, settings.number)).log_in_to_imap(client)
        else:
            _log_in(client, settings.user, words)
    except BaseException:
        with suppress(*IMAP_ERRORS):
            client.shutdown()
        raise
    return client


def _connect(settings: ImapBox, context: ssl.SSLContext) -> ImapClient:
    """Connect, encrypted as configured; raises what imapclient, the network or TLS raise."""
    client = ImapClient(
        settings.host,
        port=settings.number,
        ssl=settings.security == "tls",
        ssl_context=context,
        timeout=SocketTimeout(settings.timeout, settings.timeout),
    )
    client.normalise_times = False  # INTERNALDATE with its own UTC offset
    _keep_asking(client.socket())
    if settings.security == "starttls":
        try:
            client.starttls(context)
        except BaseException:
            client.shutdown()
            raise
    return client


def _keep_asking(connection: socket.socket) -> None:
    """Let the system notice that a server is gone that is not expected to say anything."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _PROBES.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _log_in(client: ImapClient, user: str, password: Secret) -> None:
    """Log in by LOGIN, or by PLAIN if name or password is not ASCII; raises LoginError."""
    if client.has_capability("LOGINDISABLED"):
        raise LoginError("the server takes no password on this connection; set `security` to tls")
    if (user + password.reveal()).isascii():
        client.login(user, password.reveal())
    elif client.has_capability("AUTH=PLAIN"):
        client.plain_login(user, password.reveal())
    else:
        raise LoginError("the server takes passwords in ASCII only; choose another password")


def probe_mailbox(
    settings: ImapBox, entry: Secret | Login, context: ssl.SSLContext
) -> tuple[int, bool]:
    """Count the waiting letters, and find out whether the server announces new ones at once.

    Connects, logs in, counts, logs out; raises Away with the reason.
    """
    try:
        client = enter_mailbox(settings, entry, context)
        try:
            client.select_folder(settings.folder, readonly=True)
            return len(client.search(["UNDELETED"])), client.has_capability("IDLE")
        finally:
            for leave in (client.logout, client.shutdown):
                with suppress(*IMAP_ERRORS):
                    leave()
    except IMAP_ERRORS as error:
        raise Away(explain_trouble(settings.place, error)) from error
