"""Everybody's inbox: letters go out as bytes, and come back as replies that the reader reads."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from typing import overload

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import Document
from adjudicator.desk.model.mail import Sent
from adjudicator.desk.model.people import House
from adjudicator.desk.model.values import Arrival, OutgoingLetter
from adjudicator.desk.outbox.send import Heading, Writer, record_delivery
from tests.at_the_desk import write_letters
from tests.desk.post import HOUSE, SECRET, Post


class Inbox(Sequence[EmailMessage]):
    """Somebody's letters, each parsed when it is first looked at: most never are."""

    def __init__(self) -> None:
        self._letters: list[bytes | EmailMessage] = []

    def __copy__(self) -> "Inbox":
        made = Inbox()
        made._letters.extend(self._letters)
        return made

    def put(self, letter: bytes) -> None:
        self._letters.append(letter)

    def __len__(self) -> int:
        return len(self._letters)

    @overload
    def __getitem__(self, place: int) -> EmailMessage: ...
    @overload
    def __getitem__(self, place: slice) -> list[EmailMessage]: ...
    def __getitem__(self, place: int | slice) -> EmailMessage | list[EmailMessage]:
        numbers = range(len(self))[place]
        if isinstance(numbers, int):
            return self._message(numbers)
        return [self._message(number) for number in numbers]

    def _message(self, number: int) -> EmailMessage:
        letter = self._letters[number]
        if isinstance(letter, bytes):
            letter = message_from_bytes(letter, policy=default)
            assert isinstance(letter, EmailMessage)
            self._letters[number] = letter
        return letter


class LateWriter:
    """Writes a letter when somebody reads it, which of most letters nobody does."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._given: dict[bytes, tuple[OutgoingLetter, Document, Heading]] = {}

    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        name = f"letter {len(self._given)}".encode()
        self._given[name] = (letter, document, heading)
        return name

    def read(self, name: bytes) -> bytes:
        return self._writer.write_letter(*self._given[name])


class Mail:
    """Everybody's inbox, and people who reply as their programs do."""

    def __init__(
        self, post: Post, house: House = HOUSE, site: str = "", marks: Mapping[str, str] = {}
    ) -> None:
        self.post = post
        self.house = house
        self.marks = marks
        """The headers that the mail server adds to every letter."""
        self.desk = post.desk
        self.inbox: dict[str, Inbox] = {}
        self.raw: dict[str, list[bytes]] = {}
        """The same letters as the mail server got them."""
        templates = Printer([find_data_folder("templates")])
        self._writer: Writer = MimeWriter(templates, self.desk.library, site=site)
        self.written: Counter[str] = Counter()
        self.paths: set[str] = set()
        """The addresses to which letters are returned."""

    def deliver(
        self, house: House | None = None, limit: int = 1000, urgent: bool | None = None
    ) -> int:
        """What waits goes out, as far as the house and the limit allow; how many letters."""
        at, house = self.desk.at, house or self.house
        with self.desk.store.writing() as books:
            made = write_letters(
                books,
                self._writer,
                library=self.desk.library,
                until=at + timedelta(minutes=1),
                at=at,
                limit=limit,
                secret=SECRET,
                house=house,
                urgent=urgent,
            )
            for one in made:
                said = [Sent(to, "taken", "250 ok") for to in one.posting.recipients]
                record_delivery(books, one.letter, said, at=at, house=house)
        for one in made:
            self.paths.add(one.posting.sender)
            for to in one.posting.recipients:
                self.inbox.setdefault(to, Inbox()).put(one.posting.content)
                self.raw.setdefault(to, []).append(one.posting.content)
        return len(made)

    def write_late(self) -> None:
        """From now on, for who reads few of the letters, and those by `got`."""
        self._writer = LateWriter(self._writer)

    @property
    def writes_late(self) -> bool:
        return isinstance(self._writer, LateWriter)

    def got(self, to: str) -> list[bytes]:
        """Every letter that somebody was sent, as bytes, in order."""
        self.deliver()
        letters = self.raw.get(to, [])
        if isinstance(self._writer, LateWriter):
            return [self._writer.read(one) for one in letters]
        return letters

    def last(self, to: str) -> EmailMessage:
        self.deliver()
        return self.inbox[to][-1]

    def give(self, content: bytes) -> Arrival:
        return self.post.take(parse_letter(content), house=self.house)

    def write(
        self,
        sender: str,
        text: str,
        about: EmailMessage | None = None,
        marks: Mapping[str, str] = {},
    ) -> Arrival:
        self.written[sender] += 1
        message = EmailMessage(policy=SMTP)
        message["From"] = sender
        message["To"] = self.house.address
        message["Subject"] = f"Re: {about['Subject'] if about else 'hello'}"
        message["Message-ID"] = f"<{self.written[sender]}.{sender}>"
        message["Date"] = self.desk.at
        if about is not None:
            message["In-Reply-To"] = str(about["Message-ID"])
        for name, value in {**self.marks, **marks}.items():
            message[name] = value
        message.set_content(text, cte="quoted-printable", charset="utf-8")
        return self.give(message.as_bytes())


def words(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    content: str = body.get_content()
    return content.replace("\r\n", "\n")


def quoted(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(["On Wed, 18 Nov 2026, Games wrote:", *(f"> {one}".rstrip() for one in lines)])


def form(text: str) -> list[str]:
    """The block at the end of a letter."""
    lines = text.splitlines()
    begin = max(n for n, line in enumerate(lines) if line.startswith("game:"))
    return lines[begin : lines.index("# end of orders", begin) + 1]


def ordering(block: Sequence[str], *orders: str) -> str:
    """The block with its orders, whatever they were, replaced."""
    head = [line for line in block if line.split(":")[0] in ("game", "step", "key", "after")]
    return "\n".join([*head, *orders, "# end of orders"])
