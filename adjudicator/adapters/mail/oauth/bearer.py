"""How a token is shown to a mail server: OAUTHBEARER (RFC 7628), else XOAUTH2."""

import base64
from collections.abc import Collection

from aiosmtplib import SMTP, SMTPAuthenticationError, SMTPResponse
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from adjudicator.adapters.mail.accounts import Secret
from adjudicator.adapters.mail.oauth.faults import describe_rejection, hide_secrets, read_challenge
from adjudicator.adapters.mail.troubles import TokenRejected, TokenTrouble

_MECHANISMS = ("OAUTHBEARER", "XOAUTH2")
_LONGEST_COMMAND = 500
"""What goes beyond is sent after the server has said that it waits for it (RFC 4954, 4)."""
_CHALLENGE, _WELL = 334, 235


class Bearer:
    """The token of a user for one connection."""

    def __init__(self, user: str, token: Secret, place: tuple[str, int]) -> None:
        self._user = user
        self._token = token
        self._place = place
        self._status = ""
        """Why the server rejected it."""

    def log_in_to_imap(self, client: IMAPClient) -> None:
        """Log in; raises TokenRejected, or TokenTrouble if the server takes no token."""
        mechanism = _choose([name for name in _MECHANISMS if client.has_capability(f"AUTH={name}")])
        try:
            client._imap.authenticate(  # noqa: SLF001 - imapclient's own drops the challenge
                mechanism, lambda challenge: self._answer(mechanism, challenge)
            )
        except client._imap.abort:  # noqa: SLF001
            raise
        except (client._imap.error, IMAPClientError) as error:  # noqa: SLF001
            raise self._describe(str(error), temporary="[UNAVAILABLE]" in str(error)) from None

    async def log_in_to_smtp(self, smtp: SMTP) -> None:
        """Log in; raises what `log_in_to_imap` raises."""
        mechanism = _choose([name.upper() for name in smtp.server_auth_methods])
        first = base64.b64encode(self._make_first(mechanism).encode())
        long = len(first) > _LONGEST_COMMAND
        command = [b"AUTH", mechanism.encode(), *([] if long else [first])]
        reply = await smtp.execute_command(*command)
        if long and reply.code == _CHALLENGE:
            reply = await smtp.execute_command(first)
        if reply.code == _CHALLENGE:
            self._status = read_challenge(reply.message)
            reply = await smtp.execute_command(base64.b64encode(_give_up(mechanism).encode()))
        if reply.code != _WELL:
            raise self._judge(reply)

    def _judge(self, reply: SMTPResponse) -> Exception:
        if reply.code < 500:
            reason = hide_secrets(reply.message, self._secrets)
            return SMTPAuthenticationError(reply.code, reason)
        return self._describe(f"{reply.code} {reply.message}")

    def _answer(self, mechanism: str, challenge: bytes) -> str:
        """Answer what the server says: first nothing, then perhaps why it rejects the token."""
        if not challenge:
            return self._make_first(mechanism)
        self._status = read_challenge(challenge)
        return _give_up(mechanism)

    def _make_first(self, mechanism: str) -> str:
        token = self._token.reveal()
        if mechanism == "XOAUTH2":
            return f"user={self._user}\1auth=Bearer {token}\1\1"
        name = self._user.replace("=", "=3D").replace(",", "=2C")
        host, port = self._place
        return f"n,a={name},\1host={host}\1port={port}\1auth=Bearer {token}\1\1"

    @property
    def _secrets(self) -> tuple[str, ...]:
        first_lines = (
            base64.b64encode(self._make_first(name).encode()).decode() for name in _MECHANISMS
        )
        return (self._token.reveal(), *first_lines)

    def _describe(self, reply: str, *, temporary: bool = False) -> TokenTrouble:
        if temporary:
            words = hide_secrets(reply, self._secrets)
            return TokenTrouble(f"the server cannot check logins now ({words})")
        words = describe_rejection(self._user, self._status, reply, self._secrets)
        return TokenRejected(words, slow=True)


def _give_up(mechanism: str) -> str:
    """What the server waits for before it says no (RFC 7628, 3.2.3)."""
    return "\1" if mechanism == "OAUTHBEARER" else ""


def _choose(offered: Collection[str]) -> str:
    for name in _MECHANISMS:
        if name in offered:
            return name
    raise TokenTrouble(
        "the server offers neither OAUTHBEARER nor XOAUTH2 here; use a password, or check host,"
        " port and `security`",
        slow=True,
    )
