"""The postbox on an IMAP server: connects when it is used, and again when it was cut off."""

import ssl
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from adjudicator.adapters.backoff import Backoff
from adjudicator.adapters.credentials import Secret
from adjudicator.adapters.postbox.session import ERRORS, Session
from adjudicator.adapters.postbox.settings import ImapBox
from adjudicator.adapters.posttrouble import trouble, wrong_password
from adjudicator.desk.errors import Away
from adjudicator.desk.mail import Parcel

T = TypeVar("T")


class ImapPostbox:
    """Not for two threads at once. `fetch` and `done` raise Away while the server is; `wait` never
    raises: it sleeps until the server is worth asking again."""

    def __init__(
        self,
        settings: ImapBox,
        password: Secret,
        context: ssl.SSLContext,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        backoff: Backoff | None = None,
    ) -> None:
        self._settings = settings
        self._password = password
        self._context = context
        self._clock = clock
        self._sleep = sleep
        self._backoff = backoff or Backoff()
        self._session: Session | None = None
        self._words = ""

    def fetch(self, limit: int = 100) -> Sequence[Parcel]:
        """The oldest letters that are not done with; INTERNALDATE is their arrival."""
        return self._trying(lambda session: session.fetch(limit))

    def done(self, ids: Sequence[str]) -> None:
        """Moved to the Done folder, or marked; what is not there any more is done already."""
        if ids:
            self._trying(lambda session: session.file_away(ids))

    def wait(self, seconds: float) -> bool:
        """Until something may have arrived, or the server is worth asking again."""
        if self._session is None:
            pause = self._backoff.left(self._clock())
            self._sleep(min(seconds, pause))
            return pause <= seconds
        try:
            return self._session.wait(seconds)
        except ERRORS as error:
            self._failed(error)
            return False

    def close(self) -> None:
        """Says goodbye; a later fetch connects again."""
        if self._session is not None:
            self._session.end()
            self._session = None

    def _trying(self, act: Callable[[Session], T]) -> T:
        if self._session is not None:
            try:
                return act(self._session)
            except ERRORS:
                # cut off since it was last used, or the folder is not what it was: once more anew
                self.close()
        if self._backoff.left(self._clock()) > 0:
            raise Away(self._words)
        try:
            self._session = self._new()
            result = act(self._session)
        except ERRORS as error:
            self._failed(error)
            raise Away(self._words) from error
        self._backoff.worked()
        return result

    def _new(self) -> Session:
        return Session(
            self._settings, self._password, self._context, clock=self._clock, sleep=self._sleep
        )

    def _failed(self, error: Exception) -> None:
        self.close()
        self._backoff.failed(self._clock(), slowly=wrong_password(error))
        self._words = trouble(f"mailbox {self._settings.user} at {self._settings.place}", error)
