"""A look at an IMAP mailbox that changes nothing in it."""

import ssl
from contextlib import suppress

from msgspec import Struct

from adjudicator.adapters.credentials import Secret
from adjudicator.adapters.postbox.session import ERRORS, connected, log_in
from adjudicator.adapters.postbox.settings import ImapBox
from adjudicator.adapters.posttrouble import trouble
from adjudicator.desk.errors import Away


class Facts(Struct, frozen=True, kw_only=True):
    """What a server told about itself and the mailbox."""

    waiting: int
    idle: bool
    move: bool


def probe(settings: ImapBox, password: Secret, context: ssl.SSLContext) -> Facts:
    """Connects, logs in, counts, says goodbye; raises Away with what is wrong."""
    try:
        client = connected(settings, context)
        try:
            log_in(client, settings.user, password)
            client.select_folder(settings.folder, readonly=True)
            return Facts(
                waiting=len(client.search(["UNDELETED"])),
                idle=client.has_capability("IDLE"),
                move=client.has_capability("MOVE"),
            )
        finally:
            with suppress(*ERRORS):
                client.logout()
            with suppress(*ERRORS):
                client.shutdown()
    except ERRORS as error:
        raise Away(trouble(settings.place, error)) from error
