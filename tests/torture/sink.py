"""Where letters out end: an SMTP server that keeps what it took, and fails when told to."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session

from adjudicator.adapters.mail.maildir import deliver_letter, recipient_folder
from tests.servers.smtpd import HANG_UP, Manners, answer_so, smtpd

SORTS = (
    *("mail 451", "mail 421", "mail hang up", "rcpt 450", "rcpt 452", "rcpt hang up"),
    *("data 451", "data 452", "data hang up", "taken, hang up", "taken, 451", "taken, silence"),
)
"""The last three take a letter, and the sender never learns it."""
_SILENCE = 2.5
"""Seconds, more than the daemon is told to wait."""


@dataclass
class Sink(Manners):
    """Each recipient has a Maildir; a letter lies there before anybody is told that it does."""

    folder: Path = Path()
    seed: int = 0
    often: float = 0.0
    """How many of a hundred commands fail, over a hundred."""
    faults: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    def _fault(self, *stages: str) -> str | None:
        """The sort of fault that is due at this stage."""
        sorts = [sort for sort in SORTS if sort.startswith(stages)]
        if self._chance.random() >= self.often:
            return None
        self.faults[sort := self._chance.choice(sorts)] += 1
        return sort

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.sender = _manner(self._fault("mail"))
        return await super().handle_MAIL(server, session, envelope, address, options)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        manner = _manner(self._fault("rcpt"))
        self.recipients = {} if manner is None else {address: manner}
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        fault = self._fault("data", "taken")
        if fault is None or fault.startswith("taken"):
            self._keep(envelope)
        if fault == "taken, silence":
            await asyncio.sleep(_SILENCE)
        # what one connection is told is no business of others that are served at the same time
        return await answer_so(server, _manner(fault)) or "250 taken"

    def _keep(self, envelope: Envelope) -> None:
        content = (envelope.original_content or b"").replace(b"\r\n", b"\n")
        for recipient in envelope.rcpt_tos:
            deliver_letter(self.folder / recipient_folder(recipient), content)


def _manner(fault: str | None) -> str | None:
    if fault is None or fault.endswith("silence"):
        return None
    return HANG_UP if fault.endswith("hang up") else f"{fault[-3:]} not now"


@contextmanager
def sinking(sink: Sink) -> Iterator[int]:
    """Gives the port."""
    with smtpd(sink) as server:
        yield server.port
