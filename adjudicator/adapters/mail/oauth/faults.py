"""What servers say of tokens, in a GM's words and without the tokens."""

import base64
import binascii
from collections.abc import Iterable

import msgspec

from adjudicator.adapters.mail.troubles import flatten_reply

_SHORTEST_SECRET = 8


def hide_secrets(words: str, secrets: Iterable[str]) -> str:
    """Shorten what a server said to one line, without any secret that it may have repeated."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            words = words.replace(secret, "…")
    return flatten_reply(words)


def read_challenge(challenge: bytes | str) -> str:
    """Read why a token was rejected: base64 of JSON, or JSON (RFC 7628, 3.2.2); empty if neither.

    `status` is a word such as invalid_token, or at Google and Microsoft a number of HTTP.
    """
    raw = challenge.encode() if isinstance(challenge, str) else challenge
    try:
        text = raw if raw.lstrip()[:1] == b"{" else base64.b64decode(raw, validate=True)
        content = msgspec.json.decode(text)
    except (binascii.Error, ValueError):
        return ""
    status = content.get("status") if isinstance(content, dict) else None
    return str(status) if isinstance(status, str | int) else ""


def describe_rejection(user: str, status: str, reply: str, secrets: Iterable[str]) -> str:
    """Describe that a mail server does not accept the token of this user."""
    why = hide_secrets(": ".join(filter(None, (status, reply))), secrets)
    return (
        f"the login of {user} was rejected ({why}); check that the mailbox is open to mail programs"
        f" (IMAP, SMTP) and that consent was given as {user}, or by somebody who may open it;"
        f" `adjudicator login {user}` asks again"
    )
