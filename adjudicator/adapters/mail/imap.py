"""The postbox on an IMAP server, over a session that is opened again when it breaks."""

import ssl
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from adjudicator.adapters.mail.accounts import ImapBox, Secret
from adjudicator.adapters.mail.imap_client import IMAP_ERRORS, enter_mailbox
from adjudicator.adapters.mail.imap_session import ImapSession
from adjudicator.adapters.mail.oauth.login import Login
from adjudicator.adapters.mail.troubles import (
    Backoff,
    LoginExpired,
    explain_trouble,
    is_wrong_password,
)
from adjudicator.desk.model.errors import Away, LockedOut
from adjudicator.desk.model.mail import Parcel
from adjudicator.desk.model.ports import Choose

_T = TypeVar("_T")


class ImapPostbox:
    """Not for two threads at once. `fetch` and `file_away` raise Away while the server is; `wait`
    never raises: it sleeps until the server is worth asking again."""

    def __init__(
        self,
        settings: ImapBox,
        entry: Secret | Login,
        context: ssl.SSLContext,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        backoff: Backoff | None = None,
    ) -> None:
        self._settings = settings
        self._entry = entry
        self._context = context
        self._clock = clock
        self._sleep = sleep
        self._backoff = backoff or Backoff()
        self._session: ImapSession | None = None
        self._words = ""
        self._fault = Away

    def fetch(self, limit: int = 100, choose: Choose | None = None) -> Sequence[Parcel]:
        """Fetch the oldest unprocessed letters; INTERNALDATE is when they arrived."""
        return self._try(lambda session: session.fetch(limit, choose))

    def file_away(self, ids: Sequence[str]) -> None:
        """Move processed letters to the Done folder, or mark them; missing ones are skipped."""
        if ids:
            self._try(lambda session: session.file_away(ids))

    def reread(self, since: datetime) -> Sequence[Parcel]:
        """Read the processed letters that arrived since then again, oldest first."""
        try:
            return self._try(lambda session: session.reread(since))
        finally:
            self.close()  # another folder is selected now

    def wait(self, seconds: float) -> bool:
        """Wait until a letter may have arrived, or the server is worth asking again."""
        if self._session is None:
            pause = self._backoff.count_seconds(self._clock())
            self._sleep(min(seconds, pause))
            return pause <= seconds
        try:
            return self._session.wait(seconds)
        except IMAP_ERRORS as error:
            self._note_failure(error)
            return False

    def close(self) -> None:
        """Log out; a later fetch connects again."""
        if self._session is not None:
            self._session.end()
            self._session = None

    def _try(self, act: Callable[[ImapSession], _T]) -> _T:
        if self._session is not None:
            try:
                return act(self._session)
            except IMAP_ERRORS:
                # disconnected since its last use, or the folder was replaced: connect again
                self.close()
        if self._backoff.count_seconds(self._clock()) > 0:
            raise self._fault(self._words)
        try:
            client = enter_mailbox(self._settings, self._entry, self._context)
            self._session = ImapSession(self._settings, client, self._clock, self._sleep)
            result = act(self._session)
        except IMAP_ERRORS as error:
            self._note_failure(error)
            raise self._fault(self._words) from error
        self._backoff.worked()
        return result

    def _note_failure(self, error: Exception) -> None:
        self.close()
        self._backoff.failed(self._clock(), slowly=is_wrong_password(error))
        place = f"mailbox {self._settings.user} at {self._settings.place}"
        self._fault = LockedOut if isinstance(error, LoginExpired) else Away
        self._words = explain_trouble(place, error)
