"""How a mail server is accessed: passwords, and which certificates are trusted."""

import os
import ssl
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from adjudicator.desk.model.errors import Refused

CREDENTIALS_DIRECTORY = "CREDENTIALS_DIRECTORY"
"""Where systemd puts what `LoadCredential=` names."""
_LONGEST = 4096
_WAYS = "`file: /path/to/it`, `credential: name` (systemd) or `variable: NAME` (environment)"


class Password(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a password is to be found; it never stands in the settings themselves."""

    file: str | None = None
    """A file of mode 0600 whose first line is the password."""
    credential: str | None = None
    """The name of a systemd credential."""
    variable: str | None = None
    """The name of an environment variable."""

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.file, self.credential, self.variable)) != 1:
            raise ValueError(f"a password is found in exactly one place: {_WAYS}")


class Secret:
    """A password that does not show itself in logs, errors and debuggers."""

    __slots__ = ("_words",)

    def __init__(self, words: str) -> None:
        self._words = words

    def reveal(self) -> str:
        """The password, for the server alone."""
        return self._words

    def __repr__(self) -> str:
        return "Secret(…)"


def find_password(password: Password, environment: Mapping[str, str] = os.environ) -> Secret:
    """The password itself; raises Refused with the way out."""
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
    """The descriptor is asked for its rights, not the path, so that nobody can swap the file."""
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


Security = Literal["tls", "starttls", "plain"]


def make_tls_context(authority: str | None) -> ssl.SSLContext:
    """What checks a server's certificate and name; there is no way to switch it off."""
    if authority is None:
        return ssl.create_default_context()
    path = Path(authority).expanduser()
    try:
        return ssl.create_default_context(cafile=str(path))
    except ssl.SSLError as error:
        raise Refused(f"{path}: expected certificates in PEM form; name such a file") from error
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}; name your authority's certificate") from error
