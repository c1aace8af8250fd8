"""The players: programs that read their mailboxes and write real letters, often twice."""

import random
from collections import Counter
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from adjudicator.adapters.mail.maildir import deliver_letter, recipient_folder
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.cli.demo.mail_programs import (
    Reply,
    fill_form,
    list_inbox,
    open_message,
    read_envelope,
    reply_in_plain_text,
    reply_like_gmail,
    reply_like_outlook,
)
from adjudicator.cli.demo.people import choose_bot_orders
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.acts.calendar import resume_game
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Player, Status
from tests.torture.house import House

SEATS = ("red", "blue", "green")
KINDS = ("jump-wars", "jump-drive", "jump-gate", "jump-wars")
_PROGRAMS = (reply_in_plain_text, reply_like_gmail, reply_like_outlook)
_QUESTIONS = ("help", "status", "report")
_OFTEN, _SELDOM = 0.3, 0.1
_AT_ONCE = 16
"""At most so many write while few letters wait: the daemon never has nothing to do."""
_FEW = 8
_CHATTY = 0.5
"""In so many lives; in the others the postbox is read to its end now and then, and steps close."""


class Crowd:
    """Three players in each of some games; a game that is over is followed by another."""

    def __init__(self, house: House, seed: int, games: int) -> None:
        self._house = house
        self._chance = random.Random(seed)
        self._seed = seed
        self._games = games
        self._begun = 0
        self._open: list[str] = []
        self._numbers: Counter[str] = Counter()
        self._waiting: dict[str, tuple[EmailMessage, dict[str, str]]] = {}
        """The newest form that an address has not answered."""
        self._last: dict[str, tuple[EmailMessage, dict[str, str]]] = {}
        self._unsent: list[bytes] = []
        self.sent = house.place / "sent"
        """A Maildir, as mail programs keep what their owners wrote."""
        self.written = self.copies = 0
        self._is_chatty = True

    def open_games(self) -> None:
        """So many are running; those that wait for the GM go on."""
        self._is_chatty = self._chance.random() < _CHATTY
        with self._house.office.making() as books:
            open_ones = [game for game in books.games() if game.status is not Status.OVER]
            for game in open_ones:
                if game.status is Status.PAUSED:
                    office = self._house.office
                    resume_game(Context(books, office.library, game.id, office.at))
        self._open = [game.id for game in open_ones]
        for _ in range(self._games - len(open_ones)):
            self._open.append(self._open_game())

    def _open_game(self) -> str:
        number, office = self._begun, self._house.office
        self._begun += 1
        kind = KINDS[number % len(KINDS)]
        name = f"g{number}"
        seats = {seat: f"{seat.title()} of {name}" for seat in SEATS}
        with office.making() as books:
            for seat, player in seats.items():
                books.save(Player(name=player, addresses=(address(seat, name),)))
            create_game(
                books,
                office.library,
                game=name,
                kind=kind,
                seats=seats,
                options={"turn_limit": 3} if kind == "jump-wars" else {},
                settings={"settle": "0m", "pace": "72h", "host": "game.test"},
                seed=seed_from_number(self._seed + number),
                luck={},
                verifiable=False,
                components=None,
                start=True,
                at=office.at,
            )
        return name

    def look(self) -> None:
        """Everybody reads what came and answers what is due; somebody is always writing."""
        for game in self._open:
            for seat in SEATS:
                self._read(self._house.post.out / address(seat, game))
        for content in self._unsent[:]:
            self._post(content)
            self._unsent.remove(content)
        with suppress(Refused):  # the books may be away
            for sender in list(self._waiting):
                self._answer(sender)
        if self._is_chatty and self._last and self._house.post.waiting() < _FEW:
            for _ in range(self._chance.randint(1, _AT_ONCE)):
                self._ask(self._chance.choice(sorted(self._last)))

    def read_only(self) -> None:
        """Nobody writes any more."""
        for folder in sorted(self._house.post.out.glob("*@*")):
            self._read(folder)

    def _read(self, folder: Path) -> None:
        for path in list_inbox(folder, "new"):
            letter = open_message(path.read_bytes())
            try:
                path.rename(folder / "cur" / f"{path.name}:2,S")
            except PermissionError:
                return  # the mailbox's rights are lost; it is read later
            facts = read_envelope(letter)
            if {"game", "step", "key"} <= facts.keys():
                self._waiting[folder.name] = self._last[folder.name] = (letter, facts)

    def _answer(self, sender: str) -> None:
        letter, facts = self._waiting[sender]
        office, seat = self._house.office, sender.partition(".")[0]
        with office.reading() as books:
            step, wanted = choose_bot_orders(office, books, facts["game"])
        del self._waiting[sender]
        if step == facts["step"] and seat in wanted:
            orders: dict[str, Any] = dict(wanted[seat]) or {"pass": True}
            if self._chance.random() < _SELDOM:
                orders["press"] = [{"to": "all", "text": f"Good luck {self._chance.random()}"}]
            self._write(sender, letter, fill_form(facts, format_block(orders)))

    def _ask(self, sender: str) -> None:
        letter, facts = self._last[sender]
        question = format_block({"ask": self._chance.choice(_QUESTIONS)})
        self._write(sender, letter, fill_form(facts, question))

    def _write(self, sender: str, asked: EmailMessage, text: str) -> None:
        self._numbers[sender] += 1
        reply = Reply(
            asked=asked,
            sender=sender,
            to=self._house.post.address,
            message_id=f"<{self._numbers[sender]}.{sender}>",
            block=text,
        )
        content = self._chance.choice(_PROGRAMS)(reply)
        deliver_letter(self.sent, content)
        self.written += 1
        self._post(content)
        if self._chance.random() < _OFTEN:
            self.copies += 1
            self._post(content)

    def _post(self, content: bytes) -> None:
        """A mail server that is away gets it later."""
        try:
            self._house.post.post(content)
        except OSError:
            self._unsent.append(content)

    def all_posted(self) -> bool:
        """Whether everything that was written lies with the server, or is posted now."""
        for content in self._unsent[:]:
            self._unsent.remove(content)
            self._post(content)
        return not self._unsent


def address(seat: str, game: str) -> str:
    """Where a player reads letters."""
    name = f"{seat}.{game}@players.test"
    assert recipient_folder(name) == name
    return name
