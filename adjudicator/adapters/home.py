"""The home: one folder with the database and the server's secret in it."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from adjudicator.desk.model.errors import Refused

SECRET_BYTES = 32
HOME_VARIABLE = "ADJUDICATOR_HOME"
DEFAULT_HOME = "games"


class Home:
    """A folder that a GM's games live in; nothing is made before it is needed."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser().absolute()

    @classmethod
    def chosen(
        cls, given: str | Path | None, environment: Mapping[str, str] = os.environ
    ) -> "Home":
        """What --home says, else ADJUDICATOR_HOME, else ./games."""
        return cls(given or environment.get(HOME_VARIABLE) or DEFAULT_HOME)

    @property
    def database(self) -> Path:
        """The file of the store."""
        return self.path / "adjudicator.db"

    def secret(self) -> bytes:
        """The key under which letters are signed, made once; only its owner may read it."""
        path = self.path / "secret"
        try:
            return _read(path) if path.exists() else _make(path)
        except OSError as error:
            raise Refused(
                f"{path}: {error.strerror}; name another home, or set it right"
            ) from error


def _read(path: Path) -> bytes:
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise Refused(
            f"{path}: expected {SECRET_BYTES} bytes, got {len(secret)}; put back a copy of it, or"
            " move it away to get a new one (keys in letters already sent are void then)"
        )
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    return secret


def _make(path: Path) -> bytes:
    """Whole or not at all; of two makers at once the first one's counts for both."""
    path.parent.mkdir(parents=True, exist_ok=True)
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
    return _read(path)
