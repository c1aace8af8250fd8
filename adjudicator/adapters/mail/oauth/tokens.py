"""The tokens of one mailbox: what a token server grants, and the file in which they are kept."""

import os
import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.adapters.files import lock_folder, replace_file
from adjudicator.adapters.mail.oauth.http import TokenAnswer
from adjudicator.adapters.mail.troubles import LoginExpired, TokenTrouble

_TOKEN = re.compile(r"[\x21-\x7e]{1,16384}")
"""One that could not be taken for anything else on its way to a mail server."""
_UNSAID, _LONGEST = 600, 7 * 86400
"""Seconds that a token lives if the token server does not say so, and at most."""
_MARGIN = 300


class Tokens(Struct, frozen=True, kw_only=True):
    """What a login consists of. Instants are seconds of this machine's clock."""

    issuer: str
    client_id: str
    endpoint: str
    refresh_token: str
    since: str
    """When consent was given, as ISO 8601."""
    access_token: str = ""
    obtained: float = 0.0
    expires: float = 0.0
    ended: str = ""
    """Why the refresh token is of no use any more; it is not tried again."""

    def __repr__(self) -> str:
        return f"Tokens(issuer={self.issuer!r}, …)"

    def is_valid(self, now: float) -> bool:
        """Whether the access token should still be accepted; a clock that was set back says no."""
        return bool(self.access_token) and self.obtained - _MARGIN <= now < self.expires

    def is_fresh(self, now: float) -> bool:
        """Whether it is valid and need not be renewed yet."""
        margin = min(_MARGIN, (self.expires - self.obtained) / 4)
        return self.is_valid(now) and now < self.expires - margin


class TokenFile:
    """A file for its owner only, replaced as a whole."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._path = self._folder / "token.json"

    def read(self) -> Tokens | None:
        """Read the tokens; None if there are none. Raises TokenTrouble."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Tokens)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise TokenTrouble(f"{self._path}: {error.strerror}") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise LoginExpired(f"{self._path} is damaged") from None

    def write(self, tokens: Tokens) -> None:
        """Write the tokens to the disk, so that no crash brings the former ones back.

        Root, who looks with `doctor`, leaves them to the owner of the folder.
        """
        replace_file(self._path, msgspec.json.encode(tokens), synced=True)
        if os.geteuid() == 0:
            owner = self._folder.stat()
            os.chown(self._path, owner.st_uid, owner.st_gid)

    def lock(self) -> AbstractContextManager[None]:
        """Keep other programs from renewing the same tokens."""
        return lock_folder(self._folder)


def read_grant(answer: TokenAnswer, before: Tokens, now: float) -> Tokens:
    """Read what a token server granted; it may replace the refresh token, or leave it as it was."""
    content = answer.content
    kind = content.get("token_type", "bearer")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise TokenTrouble(
            f"{answer.place}: it gives tokens of another kind than bearer", slow=True
        )
    refresh = content.get("refresh_token", before.refresh_token)
    if refresh == "":
        raise TokenTrouble(
            f"{answer.place}: it gave no refresh token; `scopes` may need offline_access", slow=True
        )
    for token in (content.get("access_token"), refresh):
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise TokenTrouble(f"{answer.place}: it answered without a usable token")
    return msgspec.structs.replace(
        before,
        refresh_token=refresh,
        access_token=content["access_token"],
        obtained=now,
        expires=now + _read_seconds(content.get("expires_in")),
        ended="",
    )


def _read_seconds(value: Any) -> float:
    try:
        seconds = float(value) if isinstance(value, int | float | str) else 0.0
    except ValueError:
        seconds = 0.0
    return min(seconds, _LONGEST) if seconds > 0 else _UNSAID
