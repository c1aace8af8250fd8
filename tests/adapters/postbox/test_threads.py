"""Letters of a game stay one thread in a mailbox, whatever a provider calls each of them."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.printer import Printer
from adjudicator.desk.outbox.notices import word_document
from tests.adapters.postbox.conftest import other_program
from tests.adapters.test_mime import heading, letter
from tests.servers.dovecot import Dovecot

THREAD = "<ember.red.1@example.org>"
REPLY = b"Message-ID: <p1@example.net>\r\nReferences: %b\r\nSubject: Re: Hi\r\n\r\nOrders\r\n"


def letters() -> tuple[bytes, bytes, bytes]:
    """Two reports, and a receipt that answers a reply to the first of them."""
    writer = MimeWriter(Printer([find_data_folder("templates")]), FolderLibrary())
    about = heading(thread=THREAD, answers=None, date=datetime(2026, 11, 18, 12, tzinfo=UTC))
    made = []
    for number, answers in ((1, None), (2, None), (3, "<p1@example.net>")):
        own = letter(message_id=f"<ember.{number}-jump.red.report.{number}.token@example.org>")
        document = word_document(f"Letter {number}", ["Hello."])
        made.append(writer.write_letter(own, document, replace(about, answers=answers)))
    return made[0], made[1], made[2]


def tell_children(thread: Sequence[object]) -> set[int]:
    """Every number in a thread, however deep."""
    inside = [tell_children(one) if isinstance(one, tuple) else {one} for one in thread]
    return {number for one in inside for number in one}  # type: ignore[misc]


@pytest.mark.parametrize("renamed", [False, True])
def test_a_thread_holds_whatever_its_letters_are_called(dovecot: Dovecot, renamed: bool) -> None:
    first, second, receipt = letters()
    if renamed:
        first, second, receipt = (
            re.sub(rb"(?m)^Message-ID: .*\r$", b"Message-ID: <%d@outlook.test>\r" % number, one)
            for number, one in enumerate((first, second, receipt))
        )
    name = re.search(rb"(?m)^Message-ID: (.*)\r$", first)
    chain = re.search(rb"(?m)^References: ((?:.*\r\n )*.*)\r$", first)
    assert name
    assert chain
    user = dovecot.user()
    dovecot.place(user, first, REPLY % (chain[1] + b" " + name[1]), second, receipt)
    with other_program(dovecot, user) as program:
        program.select_folder("INBOX")
        (thread,) = program.thread("REFERENCES")
    assert tell_children(thread) == {1, 2, 3, 4}
