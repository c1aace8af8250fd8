"""The postman that needs nothing: each recipient has a Maildir that any mail program opens."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from adjudicator.adapters.mail import maildirs
from adjudicator.adapters.mail.accounts import MaildirOut
from adjudicator.adapters.mail.postman.delivery import are_fit_addresses
from adjudicator.desk.model.mail import Posting, Sent

_LONGEST = 150


class MaildirPostman:
    """A letter is taken when it is on the disk."""

    def __init__(self, settings: MaildirOut) -> None:
        self._folder = Path(settings.folder).expanduser().absolute()

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        """One file for each recipient."""
        return tuple(
            [
                await asyncio.to_thread(self._deliver, envelope, recipient)
                for recipient in dict.fromkeys(envelope.recipients)
            ]
        )

    async def close(self) -> None:
        """Nothing is held open."""

    def _deliver(self, envelope: Posting, recipient: str) -> Sent:
        if not are_fit_addresses(envelope.sender, recipient):
            return Sent(recipient, "never", "this is not a valid address")
        try:
            maildirs.deliver_letter(
                self._folder / recipient_folder(recipient), _stamp(envelope, recipient)
            )
        except OSError as error:
            return Sent(recipient, "later", f"{self._folder}: {error.strerror or error}")
        return Sent(recipient, "taken")


def recipient_folder(address: str) -> str:
    """A folder's name that reads like the address and cannot lead anywhere else."""
    name = quote(address.lower(), safe="@+-_=")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > _LONGEST:
        digest = hashlib.sha256(address.lower().encode("utf-8", "surrogatepass")).hexdigest()
        name = f"{name[: _LONGEST - 17]}-{digest[:16]}"
    return name


def _stamp(envelope: Posting, recipient: str) -> bytes:
    """As a mail server leaves it: who it was for on top, lines ended the way files are."""
    head = f"Return-Path: <{envelope.sender}>\nDelivered-To: {recipient}\n"
    return head.encode("utf-8", "replace") + envelope.content.replace(b"\r\n", b"\n")
