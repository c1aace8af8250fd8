"""What the settings say about how letters leave."""

from msgspec import Struct

from adjudicator.adapters.mail.access import Password, Security

_PORTS = {"tls": 465, "starttls": 587, "plain": 25}


class MaildirOut(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="maildir"
):
    """Letters land in Maildirs on this machine, one for each recipient."""

    folder: str


class SmtpOut(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="smtp"
):
    """A mail server that takes our letters."""

    host: str
    port: int | None = None
    """465 with tls, 587 with starttls, 25 with plain."""
    security: Security = "tls"
    user: str | None = None
    password: Password | None = None
    authority: str | None = None
    """A file with the certificate of an authority of your own, in PEM form."""
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

    @property
    def number(self) -> int:
        """The port, the usual one when none is named."""
        return self.port or _PORTS[self.security]

    @property
    def place(self) -> str:
        """The server as people name it."""
        return f"{self.host}:{self.number}"


PostmanSettings = MaildirOut | SmtpOut
