"""A letter's document as the bytes that a mail server takes."""

import re
import textwrap
from collections.abc import Callable
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, Message
from email.policy import SMTP, EmailPolicy, Policy
from email.utils import format_datetime
from itertools import count
from typing import Any

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.enclosures import enclose_pictures
from adjudicator.adapters.mail.outbound.subjects import flatten_header, make_subject
from adjudicator.adapters.render.png import NO_ALBUM, Album
from adjudicator.adapters.render.printer import Printer, Surroundings
from adjudicator.core.document import Document, digest, encode
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.report import LETTER_KEYS
from adjudicator.desk.outbox.send import Heading
from adjudicator.desk.requests.unsubscribing import is_optional, list_ways_out

_REPLIES = ("receipt", "answer")
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_LONGEST = 998  # octets of a line, RFC 5322
_LARGEST = 100 * 1024
"""Bytes of a page; Gmail cuts off what is longer, and with it the form at its end."""


class _Tokens(UnstructuredHeader, BaseHeader):
    """Message-IDs, one to a line where there are several.

    The standard library writes those that are wider than a line as encoded words, which no mail
    program takes for a Message-ID.
    """

    def fold(self, *, policy: "Policy[Any]") -> str:
        """Format the header's lines."""
        tokens = f"{policy.linesep} ".join(str(self).split())
        return f"{self.name}: {tokens}{policy.linesep}"


class _Words(UnstructuredHeader, BaseHeader):
    """A subject, folded between its words.

    The standard library leaves the first line empty where all words fit into the second, and mail
    programs show that as a space, or as no subject at all.
    """

    def fold(self, *, policy: "Policy[Any]") -> str:
        """Format the header's lines."""
        if not str(self).isascii():
            return super().fold(policy=policy)
        lines = textwrap.wrap(
            f"{self.name}: {self}",
            width=policy.max_line_length or 78,
            subsequent_indent=" ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        return policy.linesep.join([*lines, ""])


def _make_policy() -> "EmailPolicy[EmailMessage]":
    registry = HeaderRegistry()
    for name in ("message-id", "in-reply-to", "references", "list-id", "list-unsubscribe"):
        registry.map_to_type(name, _Tokens)
    registry.map_to_type("subject", _Words)
    return SMTP.clone(max_line_length=78, header_factory=registry)


_POLICY = _make_policy()


DrawPictures = Callable[[Document, str], Album]
"""The pictures of a document of a game, by the folder of its texts."""


class MimeWriter:
    """Implements desk.outbox.send.Writer."""

    def __init__(
        self,
        printer: Printer,
        library: FolderLibrary,
        draw: DrawPictures | None = None,
        site: str = "",
    ) -> None:
        self._printer = printer
        self._library = library
        self._draw = draw
        self._site = site

    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        """Write the letter: headers, plain text, and the same as HTML if wanted."""
        name = letter.template.partition("/")[0]
        folder = self._library.kind(heading.kind).game if heading.kind else "common"
        message = EmailMessage(policy=_POLICY)
        _set_headers(message, letter, document, heading)
        text = self._printer.text(f"{name}.txt", document, folder, heading.width)
        message.set_content(text, charset="utf-8", cte=_choose_encoding(text))
        if heading.page and self._printer.has(f"{name}.html", folder):
            album = self._draw(document, folder) if self._draw and heading.pictures else NO_ALBUM
            self._add_page(message, f"{name}.html", document, folder, album)
        if heading.data:
            _attach_report(message, letter, document)
        _set_boundaries(message)
        return message.as_bytes()

    def _add_page(
        self, message: EmailMessage, name: str, document: Document, game: str, album: Album
    ) -> None:
        # as short as the token that ends a Message-ID: a long one would be encoded, and not found
        token = message["Message-ID"].partition("@")[0].rpartition(".")[2]
        around = Surroundings(
            address=message["Reply-To"].addresses[0].addr_spec,
            subject=str(message["Subject"]),  # headers are texts of a kind that JSON does not know
            site=self._site,
        )
        parts = enclose_pictures(
            album.name_sources(token),
            around,
            message.get_content(),
            lambda around: self._printer.mail_page(name, document, game, around),
        )
        if len(parts.page.encode()) > _LARGEST:  # a thousand lines of press: the text has them all
            return
        message.add_alternative(parts.page, subtype="html", charset="utf-8", cte="quoted-printable")
        beside = message.get_body(("html",))
        assert beside is not None
        for one in parts.pictures:
            beside.add_related(
                one.content,
                maintype="image",
                subtype="png",
                cid=f"<{one.source}>",
                filename=one.source.partition("@")[0],
                disposition="inline",
            )


def _set_boundaries(message: EmailMessage) -> None:
    """Derive boundaries from the letter's name, so that the same letter has the same bytes."""
    inside = "\n".join(str(part.get_payload()) for part in message.walk() if _is_leaf(part))
    name = digest(str(message["Message-ID"]).encode())
    free = (f"=_{name[:24]}_{n}" for n in count() if f"=_{name[:24]}_{n}" not in inside)
    for part in message.walk():
        if not _is_leaf(part):
            part.set_boundary(next(free))


def _is_leaf(part: "Message[str, str]") -> bool:
    return not part.is_multipart()


def _set_headers(
    message: EmailMessage, letter: OutgoingLetter, document: Document, heading: Heading
) -> None:
    house, game = heading.house, letter.game
    message["From"] = Address(flatten_header(house.title), addr_spec=house.address)
    message["Reply-To"] = Address(addr_spec=house.reply_address(game))
    message["To"] = [Address(addr_spec=one) for one in heading.to]
    message["Subject"] = make_subject(letter, document, heading.turn)
    message["Date"] = format_datetime(heading.date)
    message["Message-ID"] = letter.message_id
    answers = heading.answers if heading.answers and _ID.fullmatch(heading.answers) else None
    message["In-Reply-To"] = answers or heading.thread
    ids = [heading.thread, answers, _name_lasting_id(letter.message_id)]
    message["References"] = " ".join(one for one in ids if one)
    message["Auto-Submitted"] = "auto-replied" if letter.kind in _REPLIES else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["List-Id"] = f"<{game or 'house'}.{house.host}>"
    if is_optional(letter, document):
        ways = [f"<{one}>" for one in list_ways_out(letter, house)]
        message["List-Unsubscribe"] = ", ".join(ways)
        if house.unsubscribe_url:
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message["Feedback-ID"] = f"{game}:{letter.kind}:{letter.seat}:adjudicator"


def _name_lasting_id(message_id: str) -> str:
    """Name a letter by an ID beside its Message-ID, which some providers replace by their own.

    Outlook and Amazon SES do, and leave References alone. A reply copies them, and a delivery
    report encloses them, so its token comes back all the same. A letter that named itself would
    be its own parent in a thread: no letter has this ID.
    """
    return message_id.replace("@", "@ref.", 1)


def _attach_report(message: EmailMessage, letter: OutgoingLetter, document: Document) -> None:
    """Attach the report as data for programs: the archive's exact bytes, without the key."""
    form = document.get("form")
    if form:
        form = {**form, "envelope": {**form["envelope"], "key": None}}
    content = {key: value for key, value in document.items() if key not in LETTER_KEYS}
    data = encode({**content, "form": form})
    name = f"report-{document.get('number') or letter.number}.json"
    message.add_attachment(data, maintype="application", subtype="json", filename=name)


def _choose_encoding(text: str) -> str:
    plain = text.isascii() and all(len(line) <= _LONGEST for line in text.splitlines())
    return "7bit" if plain else "quoted-printable"
