"""Postboxes and postmen as the settings name them: where letters arrive and how they leave."""

from typing import ClassVar

from msgspec import Struct

from adjudicator.adapters.mail.access import Password, Security

MAX_FETCHED_BYTES = 1024 * 1024
"""Of a letter of more bytes only the header is handed out."""
HEAD_BYTES = 64 * 1024
"""A header is so long at most."""
TOGETHER = 32 * 1024 * 1024
"""Bytes of letters that are handed out together, and the one that goes beyond."""
_LONGEST_IDLE = 28 * 60
"""A server may end IDLE after 29 minutes (RFC 2177)."""


class _Account(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class _ServerAccount(_Account, frozen=True, kw_only=True):
    ports: ClassVar[dict[str, int]]
    """The usual ports, by security."""

    host: str
    port: int | None = None
    security: Security = "tls"
    authority: str | None = None
    """A file with the certificate of an authority of your own, in PEM form."""

    @property
    def number(self) -> int:
        """The port, the usual one when none is named."""
        return self.port or self.ports[self.security]

    @property
    def place(self) -> str:
        """The server as people name it."""
        return f"{self.host}:{self.number}"


class MaildirBox(_Account, frozen=True, kw_only=True, tag="maildir"):
    """A Maildir on this machine: procmail, fetchmail or another program feeds it."""

    folder: str
    """The Maildir, the folder with new/ and cur/ in it; it is made when it is not there."""
    done: str | None = "Done"
    """The subfolder that letters go to when they are done with. None: they go to cur/, flagged
    as seen, and whatever a mail program moved to cur/ before counts as done."""
    poll: float = 0.25
    """Seconds between two looks while waiting."""


class ImapBox(_ServerAccount, frozen=True, kw_only=True, tag="imap"):
    """A mailbox on an IMAP server."""

    ports = {"tls": 993, "starttls": 143, "plain": 143}

    user: str
    password: Password
    folder: str = "INBOX"
    done: str | None = "Done"
    """The folder for letters that are done with. None: they stay, marked $Adjudicated."""
    idle: bool = True
    """Let the server tell at once what arrives, where it can."""
    renew: float = 540.0
    """Seconds after which IDLE is begun anew: servers end it after 29 minutes, routers earlier."""
    poll: float = 30.0
    """Seconds between two looks where the server cannot tell."""
    timeout: float = 30.0
    """Seconds to wait for an answer."""

    def __post_init__(self) -> None:
        if self.renew > _LONGEST_IDLE:
            raise ValueError(f"renew: expected at most {_LONGEST_IDLE} seconds, got {self.renew:g}")


class MaildirOut(_Account, frozen=True, kw_only=True, tag="maildir"):
    """Letters land in Maildirs on this machine, one for each recipient."""

    folder: str


class SmtpOut(_ServerAccount, frozen=True, kw_only=True, tag="smtp"):
    """A mail server that takes our letters."""

    ports = {"tls": 465, "starttls": 587, "plain": 25}

    user: str | None = None
    password: Password | None = None
    connections: int = 4
    """How many letters are under way at the same time."""
    keep: float = 30.0
    """Seconds that a connection is kept for the next letter."""
    timeout: float = 60.0
    """Seconds to wait for an answer."""

    def __post_init__(self) -> None:
        if (self.user is None) != (self.password is None):
            raise ValueError("user and password: expected both of them, or none")
        if self.connections < 1:
            raise ValueError(f"connections: expected at least 1, got {self.connections}")


PostboxSettings = MaildirBox | ImapBox
PostmanSettings = MaildirOut | SmtpOut
