"""What the settings say about where letters arrive."""

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


class MaildirBox(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="maildir"
):
    """A Maildir on this machine: procmail, fetchmail or another program feeds it."""

    folder: str
    """The Maildir, the folder with new/ and cur/ in it; it is made when it is not there."""
    done: str | None = "Done"
    """The subfolder that letters go to when they are done with. None: they go to cur/, flagged
    as seen, and whatever a mail program moved to cur/ before counts as done."""
    poll: float = 0.25
    """Seconds between two looks while waiting."""


class ImapBox(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="imap"
):
    """A mailbox on an IMAP server."""

    host: str
    user: str
    password: Password
    port: int | None = None
    """993 with tls, else 143."""
    security: Security = "tls"
    authority: str | None = None
    """A file with the certificate of an authority of your own, in PEM form."""
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

    @property
    def place(self) -> str:
        """The server as people name it."""
        return f"{self.host}:{self.port or (993 if self.security == 'tls' else 143)}"


PostboxSettings = MaildirBox | ImapBox
