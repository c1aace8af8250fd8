"""Postboxes and postmen as the settings name them, their passwords and trusted certificates."""

import os
import ssl
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal
from urllib.parse import quote

from msgspec import Struct

from adjudicator.desk.model.errors import Refused

TOGETHER = 32 * 1024 * 1024
"""Bytes of letters that are handed out together, and the one that goes beyond."""
_LONGEST_IDLE = 28 * 60
"""A server may end IDLE after 29 minutes (RFC 2177)."""
CREDENTIALS_DIRECTORY = "CREDENTIALS_DIRECTORY"
"""Where systemd puts what `LoadCredential=` names."""
_LONGEST = 4096
_WAYS = "`file: /path/to/it`, `credential: name` (systemd) or `variable: NAME` (environment)"
Security = Literal["tls", "starttls", "plain"]


class Password(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a password is to be found; it never stands in the settings themselves."""

    file: str | None = None
    """A file of mode 0600 whose first line is the password."""
    credential: str | None = None
    """The name of a systemd credential."""
    variable: str | None = None
    """The name of an environment variable."""

    def __post_init__(self) -> None:
        if sum(place is not None for place in (self.file, self.credential, self.variable)) != 1:
            raise ValueError(f"a password is found in exactly one place: {_WAYS}")


class OAuth(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom to ask for tokens in place of a password; `login` asks for consent, once."""

    client_id: str
    provider: Literal["microsoft", "google"] | None = None
    issuer: str | None = None
    """The address whose metadata names everything else."""
    client_secret: Password | None = None
    scopes: tuple[str, ...] = ()
    """Empty: those of the provider."""
    folder: str = ""
    """Where the login is kept; not written in the settings, but a part of the home."""

    def __post_init__(self) -> None:
        if (self.provider is None) == (self.issuer is None):
            raise ValueError("oauth: expected exactly one of provider and issuer")

    @property
    def name(self) -> str:
        """Who gives the tokens."""
        return self.provider or str(self.issuer)


def name_login(user: str) -> str:
    """Name the folder in which the login of this user is kept."""
    name = quote(user, safe="@")
    return f"%2E{name[1:]}" if name.startswith(".") else name


class Secret:
    """A password or a token that does not show itself in logs, errors and debuggers."""

    __slots__ = ("_words",)

    def __init__(self, words: str) -> None:
        self._words = words

    def reveal(self) -> str:
        """Return the words, to be shown to the server alone that they are for."""
        return self._words

    def __repr__(self) -> str:
        return "Secret(…)"


def find_password(password: Password, environment: Mapping[str, str] = os.environ) -> Secret:
    """Find the password; raises Refused with a way out."""
    if password.variable is not None:
        words = environment.get(password.variable)
        if not words:
            raise Refused(f"the environment variable {password.variable} is not set; set it")
        return Secret(words)
    if password.credential is not None:
        return _read_first_line(_find_credential(password.credential, environment), guarded=False)
    return _read_first_line(Path(str(password.file)).expanduser(), guarded=True)


def _find_credential(name: str, environment: Mapping[str, str]) -> Path:
    folder = environment.get(CREDENTIALS_DIRECTORY)
    if not folder:
        raise Refused(
            f"the credential {name}: {CREDENTIALS_DIRECTORY} is not set; start us by systemd with"
            f" `LoadCredential={name}:/path/to/it`, or name a file"
        )
    if Path(name).name != name:
        raise Refused(f"the credential {name}: expected a plain name without folders")
    return Path(folder) / name


def _read_first_line(path: Path, *, guarded: bool) -> Secret:
    """Read the first line, checking the rights of the open file so that nobody can swap it."""
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            content = file.read(_LONGEST)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}; put the password there (mode 0600)") from error
    if guarded and about.st_mode & 0o077:
        raise Refused(
            f"{path}: mode {stat.S_IMODE(about.st_mode):03o}, others can read this password;"
            f" chmod 600 {path}, and change the password if others use this machine"
        )
    line = content.decode("utf-8", "replace").split("\n", 1)[0].rstrip("\r")
    if not line:
        raise Refused(f"{path}: the first line is empty; write the password there")
    return Secret(line)


def make_tls_context(authority: str | None) -> ssl.SSLContext:
    """Make the TLS context that always checks a server's certificate and name."""
    if authority is None:
        return ssl.create_default_context()
    path = Path(authority).expanduser()
    try:
        return ssl.create_default_context(cafile=str(path))
    except ssl.SSLError as error:
        raise Refused(f"{path}: expected certificates in PEM form; name such a file") from error
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}; name your authority's certificate") from error


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
        """The port, the usual one by default."""
        return self.port or self.ports[self.security]

    @property
    def place(self) -> str:
        """The server as people name it."""
        return f"{self.host}:{self.number}"


def _require_one(password: Password | None, oauth: OAuth | None) -> None:
    if password is None and oauth is None:
        raise ValueError("this does not say how to log in: expected `password` or `oauth`")
    if password is not None and oauth is not None:
        raise ValueError("use `password` or `oauth`, not both")


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
    password: Password | None = None
    oauth: OAuth | None = None
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
        _require_one(self.password, self.oauth)
        if self.renew > _LONGEST_IDLE:
            raise ValueError(f"renew: expected at most {_LONGEST_IDLE} seconds, got {self.renew:g}")


class MaildirOut(_Account, frozen=True, kw_only=True, tag="maildir"):
    """Letters land in Maildirs on this machine, one for each recipient."""

    folder: str


class Dkim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How letters are signed, where the mail server does not sign them itself."""

    selector: str
    """The name of the key among those of the domain."""
    key: str
    """A file of mode 0600 with a private RSA key, in PEM form."""
    domain: str = ""
    """Whose key it is; that of the server's address where none is named."""


class SmtpOut(_ServerAccount, frozen=True, kw_only=True, tag="smtp"):
    """A mail server that takes our letters."""

    ports = {"tls": 465, "starttls": 587, "plain": 25}

    user: str | None = None
    password: Password | None = None
    oauth: OAuth | None = None
    connections: int = 4
    """How many letters are under way at the same time."""
    keep: float = 30.0
    """Seconds that a connection is kept for the next letter."""
    timeout: float = 60.0
    """Seconds to wait for an answer."""
    dkim: Dkim | None = None
    """The key to sign letters with, if the server does not."""

    def __post_init__(self) -> None:
        if (self.user is None) != (self.password is None and self.oauth is None):
            raise ValueError(
                "user and password: expected both of them, or none; `oauth` may be in place of the"
                " password"
            )
        if self.user is not None:
            _require_one(self.password, self.oauth)
        if self.connections < 1:
            raise ValueError(f"connections: expected at least 1, got {self.connections}")


PostboxSettings = MaildirBox | ImapBox
PostmanSettings = MaildirOut | SmtpOut


class CheckResult(Struct, frozen=True):
    """What a check of an account, or of something else that a server needs, came to."""

    what: str
    words: str
    well: bool = True
