"""Three people at their mail programs, who read letters and reply."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.adapters.mail.maildir import deliver_letter, recipient_folder
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.cli.demo.mail_programs import (
    Program,
    Reply,
    fill_form,
    list_inbox,
    open_message,
    read_envelope,
    reply_in_plain_text,
    reply_like_gmail,
    reply_like_outlook,
)
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.ports import Books


class Person(Struct, frozen=True, kw_only=True):
    """Somebody with a mail program."""

    name: str
    seat: Seat
    """The seat that they would like, and get."""
    address: str
    program: Program
    manner: str
    luck: str
    greeting: str


class PersonalLetter(Struct, frozen=True):
    """One of a person's letters."""

    own: bool
    """Whether they wrote it themselves."""
    content: bytes


DEMO_PEOPLE = (
    Person(
        name="Ada",
        seat="red",
        address="ada@example.org",
        program=reply_like_gmail,
        manner="as from Gmail",
        luck="seven magpies",
        greeting="Good luck, everybody!",
    ),
    Person(
        name="Bo",
        seat="blue",
        address="bo@example.net",
        program=reply_like_outlook,
        manner="HTML as from Outlook",
        luck="rain on Sunday",
        greeting="And to you, Ada.",
    ),
    Person(
        name="Cleo",
        seat="green",
        address="cleo@example.com",
        program=reply_in_plain_text,
        manner="plain text",
        luck="a blue door",
        greeting="May the best fleet win.",
    ),
)


def choose_bot_orders(
    office: Office, books: Books, game: str
) -> tuple[str | None, dict[Seat, dict[str, Any]]]:
    """Choose the bot's orders for all seats still missing in the open step, and return the step.

    Each choice uses only what the seat may see.
    """
    context = Context(books, office.library, game)
    if context.game.open_step is None:
        return None, {}
    step, rules = context.open_step(), context.kind.rules
    missing = [one.seat for one in context.standings if not one.is_in]
    dice = context.dice(step.dice)
    return step.name, {seat: dict(rules.bot(context.view(seat), seat, dice)) for seat in missing}


class Table:
    """Everybody who plays; each letter is read once, and replied to if it wants something."""

    def __init__(
        self,
        office: Office,
        game: str,
        post: Path,
        house: str,
        people: Sequence[Person] = DEMO_PEOPLE,
    ) -> None:
        self._office = office
        self._game = game
        self._post = post
        self._house = house
        self._people = people
        self._joining: set[str] = set()
        self._greeted: set[str] = set()
        self._wanted: tuple[str | None, Mapping[Seat, Mapping[str, Any]]] = (None, {})
        self.letters: dict[str, list[PersonalLetter]] = {one.name: [] for one in people}
        """What everybody got and wrote, in that order."""

    def write(self) -> bool:
        """Let everybody read what is new; returns True if somebody wrote."""
        # A program that plays has no eyes: what a person reads in the report's text it is told as
        # the view of its seat, which holds the same and nothing else. The letter that comes of it
        # is a person's: key and form are those of the letter in the Maildir.
        with self._office.reading() as books:
            self._wanted = choose_bot_orders(self._office, books, self._game)
        wrote = [self._read_new(person) for person in self._people]
        return any(wrote)

    def _read_new(self, person: Person) -> bool:
        wrote = False
        for path in list_inbox(self._post / "out" / recipient_folder(person.address), "new"):
            content = path.read_bytes()
            path.rename(path.parents[1] / "cur" / f"{path.name}:2,S")
            self.letters[person.name].append(PersonalLetter(own=False, content=content))
            wrote |= self._answer(person, open_message(content))
        return wrote

    def _answer(self, person: Person, letter: EmailMessage) -> bool:
        facts = read_envelope(letter)
        if "join" in facts:
            orders = self._join(person, facts)
        elif ".report." in str(letter["Message-ID"]):
            orders = self._order(person, facts)
        else:
            return False  # receipts and press are read with pleasure
        if orders is not None:
            self._send_reply(person, letter, fill_form(facts, format_block(orders)))
        return orders is not None

    def _join(self, person: Person, facts: Mapping[str, str]) -> Mapping[str, Any] | None:
        """Answer the announcement, then confirm with the key that arrived."""
        if "key" in facts and person.name in self._joining:
            self._joining.remove(person.name)
        elif "key" in facts:
            return None
        else:
            self._joining.add(person.name)
        return {"name": person.name, "luck": person.luck, "prefer": {"seats": [person.seat]}}

    def _order(self, person: Person, facts: Mapping[str, str]) -> Mapping[str, Any] | None:
        step, orders_by_seat = self._wanted
        if facts.get("step") != step or person.seat not in orders_by_seat:
            return None
        # a form with no line filled in would request nothing
        orders = dict(orders_by_seat[person.seat]) or {"pass": True}
        if person.name not in self._greeted:
            self._greeted.add(person.name)
            orders["press"] = [{"to": "all", "text": person.greeting}]
        return orders

    def _send_reply(self, person: Person, letter: EmailMessage, text: str) -> None:
        letters = self.letters[person.name]
        reply = Reply(
            asked=letter,
            sender=person.address,
            name=person.name,
            to=self._house,
            message_id=f"<{len(letters)}.{person.address}>",
            block=text,
            date=datetime.now(UTC),
        )
        content = person.program(reply)
        letters.append(PersonalLetter(own=True, content=content))
        deliver_letter(self._post / "in", content)
