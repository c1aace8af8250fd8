"""The home: one folder with the database and the server's secret in it."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.rights import close_folder, make_folder
from adjudicator.desk.model.errors import Refused

SECRET_BYTES = 32
HOME_VARIABLE = "ADJUDICATOR_HOME"
DEFAULT_HOME = "games"
DEFAULT_SETTINGS_FILE = "adjudicator.yaml"
SETTINGS_VARIABLE = "ADJUDICATOR_CONFIG"
_WAY_OUT = "make a game there with `adjudicator new`, or name another home with --home"


class Home:
    """A folder that a GM's games live in; nothing is made before it is needed."""

    def __init__(self, path: str | Path, *, is_explicit: bool = False) -> None:
        self.path = Path(path).expanduser().absolute()
        self._is_explicit = is_explicit
        """It was named for this very command, so it should be there."""

    @classmethod
    def choose(
        cls,
        path: str | Path | None,
        environment: Mapping[str, str] = os.environ,
        *,
        is_explicit: bool = False,
    ) -> "Home":
        """Choose the home: --home, else ADJUDICATOR_HOME, else ./games."""
        return cls(path or environment.get(HOME_VARIABLE) or DEFAULT_HOME, is_explicit=is_explicit)

    @property
    def database(self) -> Path:
        """The database file."""
        return self.path / "adjudicator.db"

    def holds_games(self) -> bool:
        """Whether there is a database; raises Refused if this cannot be a home of ours."""
        if self.path.exists() and not self.path.is_dir():
            raise Refused(f"{self.path} is a file, not a home; name a folder with --home")
        if not self.path.exists():
            if self._is_explicit:
                raise Refused(f"there is no home {self.path}; {_WAY_OUT}")
            return False
        if not self.database.exists():
            if self._is_explicit:
                raise Refused(
                    f"{self.path} is not a home: it contains no adjudicator.db; {_WAY_OUT}"
                )
            return False
        if not self.database.stat().st_size:
            raise Refused(f"{self.database} is empty; put back a copy of it, or remove it")
        return True

    def is_ours(self) -> bool:
        """Whether the folder holds any part of a home."""
        return self.database.is_file() or self.secret_file.is_file()

    def is_writable(self) -> bool:
        """Whether the home can be changed, rather than only read."""
        return all(os.access(path, os.W_OK) for path in (self.path, self.database))

    @property
    def journal_file(self) -> Path:
        """The journal of what was played, beside the database."""
        return self.path / "journal"

    @property
    def secret_file(self) -> Path:
        """The file of the secret."""
        return self.path / "secret"

    def find_secret(self) -> bytes | None:
        """Read the secret if there is one, without making it."""
        return _read_secret(self.secret_file) if self.secret_file.exists() else None

    def secret(self) -> bytes:
        """Return the key that signs letters, made on first use; only its owner can read it."""
        path = self.secret_file
        try:
            if path.exists() and path.stat().st_mode & 0o077:
                path.chmod(0o600)
            return self.find_secret() or _make_secret(path)
        except OSError as error:
            raise Refused(
                f"cannot open {path}: {error.strerror}; name another home with --home"
            ) from error


def _read_secret(path: Path) -> bytes:
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise Refused(
            f"{path}: expected {SECRET_BYTES} bytes, got {len(secret)}; put back a copy of it, or"
            " move it away and run `adjudicator recover` to mail new keys"
        )
    return secret


def _make_secret(path: Path) -> bytes:
    """Write the secret whole or not at all; if two processes make one, both use the first."""
    make_folder(path.parent)
    with suppress(OSError):  # another user's file, which `doctor` reports
        close_folder(path.parent)
    draft = path.with_name(f".secret-{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
    return _read_secret(path)


def choose_settings_file(path: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Choose the settings file: --config, else ADJUDICATOR_CONFIG, else ./adjudicator.yaml."""
    return (
        Path(path or environment.get(SETTINGS_VARIABLE) or DEFAULT_SETTINGS_FILE)
        .expanduser()
        .absolute()
    )
