"""A post office for tests: letters written by hand as the desk meets them."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from itertools import count
from typing import Any

from msgspec.structs import replace

from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.document import decode
from adjudicator.desk.inbox.receive import receive_letter
from adjudicator.desk.model.mail import Block, IncomingLetter
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.values import Arrival, OutgoingLetter
from adjudicator.desk.outbox.keys import fill_key, issue_key, save_key
from adjudicator.desk.outbox.tokens import sign_message_id
from tests.desk.conftest import GAME, Desk

SECRET = b"a secret of thirty-two bytes ...."
HOUSE = House(address="games@example.org", gm=("gm@example.org",))
_NUMBERS = count(1)


def block(text: str, origin: str = "text", stopped: str | None = None) -> Block:
    """A block as the reader of letters hands it over."""
    return Block(origin=origin, source=text, text=try_parse_yaml(text), stopped=stopped)


def letter(
    *texts: str, sender: str | None = "ada@example.org", blocks: Sequence[Block] = (), **given: Any
) -> IncomingLetter:
    """A letter with these blocks; no two are alike."""
    number = next(_NUMBERS)
    whole = (*(block(text) for text in texts), *blocks)
    return IncomingLetter(
        **{
            "message_id": f"<{number}@example.net>",
            "digest": sha256(repr((number, texts)).encode()).hexdigest(),
            "sender": sender,
            "blocks": whole,
            **given,
        }
    )


def hand(post: "Post", seat: str = "red") -> list[str]:
    """Three cards, the first of which is in the hand."""
    own: list[str] = post.desk.state()["hands"][seat]
    return list(dict.fromkeys((own[0], "owl", "fox", "wolf")))


class Post:
    """The desk with its post office; everybody has an address: ada@, bo@, cleo@example.org."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def new(self, **changes: Any) -> None:
        """A running game whose players have addresses."""
        self.desk.new(**changes)
        self.address("Ada", "ada@example.org")
        self.address("Bo", "bo@example.org")
        self.address("Cleo", "cleo@example.org")

    def address(self, player: str, *addresses: str) -> None:
        with self.desk.store.writing() as books:
            found = books.player(player)
            assert found is not None, f"nobody is called {player}"
            books.save(replace(found, addresses=addresses))

    def key(self, seat: str = "red", step: str | None = None, seating: int = 1) -> str:
        name = step or self.desk.step().name
        number = 0 if seat == GM else seating
        with self.desk.store.writing() as books:  # as if a letter had shown it
            return save_key(books, SECRET, game=GAME, seat=seat, seating=number, step=name)

    def filled(self, letter: OutgoingLetter) -> dict[str, Any]:
        """The document of a letter with the key in its form, which is good from then on."""
        with self.desk.store.writing() as books:
            issue_key(books, letter, SECRET)
            return fill_key(books, letter, SECRET)

    def form(self, *lines: str, seat: str = "red", step: str | None = None) -> str:
        """A block with the key of a seat, for the open step unless another is named."""
        name = step or self.desk.step().name
        head = [f"game: {GAME}", f"step: {name}", f"key: {self.key(seat, name)}"]
        return "\n".join([*head, *lines])

    def take(
        self, incoming: IncomingLetter, *, arrived: datetime | None = None, house: House = HOUSE
    ) -> Arrival:
        at = self.desk.at
        with self.desk.store.writing() as books:
            return receive_letter(
                books,
                self.desk.library,
                incoming,
                house=house,
                secret=SECRET,
                arrived=arrived or at,
                at=at,
            )

    def write(self, *lines: str, seat: str = "red", **given: Any) -> Arrival:
        """A player's letter with a good key."""
        sender = given.pop("sender", {"red": "ada", "blue": "bo"}.get(seat, "cleo"))
        address = sender if sender is None or "@" in sender else f"{sender}@example.org"
        return self.take(letter(self.form(*lines, seat=seat), sender=address, **given))

    def come_back(self, address: str, number: int = 3) -> None:
        """So many letters to this address are written, and come back."""
        for _ in range(number):
            self.write(f"press: [{{to: all, text: Hi {next(_NUMBERS)}}}]", seat="green")
            sent = [one for one in self.outbox() if one.seat == "red"][-1]
            with self.desk.store.writing() as books:
                results = {address: {"status": "taken"}}
                books.save(replace(sent, status="sent", content=b"x", results=results))
                name = sign_message_id(books, SECRET, sent)
            self.take(letter(sender="daemon@example.org", bounced=(address,), returned=(name,)))

    def outbox(self, game: str = GAME) -> list[OutgoingLetter]:
        return list(self.desk.see(lambda books: books.letters(game)))

    def arrivals(self) -> list[Arrival]:
        return list(self.desk.see(lambda books: books.arrivals()))

    def answer(self, received: Arrival) -> dict[str, Any]:
        """The document of the letter that answers."""
        document: dict[str, Any] = decode(self.answering(received).document)
        return document

    def answering(self, received: Arrival) -> OutgoingLetter:
        for game in (GAME, ""):
            for one in self.outbox(game):
                if one.message_id == received.answer:
                    return one
        raise AssertionError(f"no letter is called {received.answer}")

    def on_file(self, seat: str = "red") -> list[Any]:
        number = self.desk.game().open_step
        sets = self.desk.see(lambda books: books.orders(GAME, number))
        return [decode(own.orders) for own in sets if own.seat == seat]
