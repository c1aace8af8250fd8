"""A whole short game by letters, from the announcement to the end, under any settings.

Three people join, somebody looks on, and a stranger asks. Red writes what is refused and what is
private, blue asks and resigns, green is silent until the deadline is over, and then late.
"""

import re
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.adapters.archive.verify import verify_record
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import make_luck_sheet, seed_from_number
from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.record import read_record
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import GAME
from tests.desk.mailing import Mail, words
from tests.desk.post import HOUSE
from tests.desk.twins import NAMES, OBSERVER, World, address

SEATS = ("red", "blue", "green")
STRANGER = "sly@example.com"
PRIVATE, LONG = "between red and blue alone", "so much to say " * 80
_KEY = re.compile(r"^key: (\S+)$", re.MULTILINE)
_MARKS = {"Authentication-Results": "mx.example.org; dkim=pass header.d=example.org"}
_TALK = (
    ("red", f"press: [{{to: blue, text: {PRIVATE}}}, {{to: blue, text: {LONG}}}]"),
    ("blue", "ask: [status, orders, history, players, press, help, trust, report]"),
    ("blue", "vote: draw"),
    ("red", "press: [{to: all, as: anonymous, text: Hello}]"),
    ("green", "prefer: {width: 40}"),
    ("green", "absent: {from: 2026-11-20, until: 2026-11-21}"),
    ("red", "forecast: {}"),
    ("blue", "ask: [resend, new-key]"),
)
_A_STEP = 3
"""How much of that is said in a step."""
_STRIDE = timedelta(minutes=14)
_MOST = 99
"""More steps than one of these games has, and more hours than any letter waits."""


class Rules(Struct, frozen=True, kw_only=True):
    """Under what a game is played."""

    settings: Mapping[str, Any] = {}
    house: Mapping[str, Any] = {}
    site: str = ""
    kind: str = "toy-duel"


class WholeGame:
    """A game that is played to its end, and what everybody got."""

    def __init__(self, path: Path, library: FolderLibrary, ends: ExitStack, rules: Rules) -> None:
        self.world = World(path, library, ends)
        house = House(**{"address": HOUSE.address, "gm": HOUSE.gm, **rules.house})
        self.mail = self.world.mail = Mail(self.world.post, house, rules.site, _MARKS)
        self.desk = self.world.desk
        self._settings = rules.settings
        self._people = SEATS[:2] if {"smallest", "expires"} & set(rules.settings) else SEATS
        self._sheets = {seat: make_luck_sheet(seat, _MOST) for seat in SEATS}
        self.desk.new(
            kind=rules.kind,
            seats=dict.fromkeys(SEATS),
            settings={"pace": "12h", **rules.settings},
            options={
                "toy-duel": {"rounds": 2},
                "jump-wars": {"turn_limit": 2},
            }.get(rules.kind, {}),
            luck={},
            seed=seed_from_number(3),
            start=False,
        )

    def play(self) -> None:
        """Play all of it; whatever fails on the way is raised."""
        self._join()
        for number in range(_MOST):
            if self.is_over():
                break
            self._play_step(number)
        self._check_end()

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.desk.game().status is Status.OVER

    def letters(self, who: str) -> list[EmailMessage]:
        """List what somebody got: a seat, or an address."""
        name = NAMES.get(who)
        return list(self.mail.inbox.get(address(name) if name else who, ()))

    def texts(self, who: str) -> str:
        """Join the texts of all letters that somebody got, each below its subject."""
        return "\n\n".join(f"{one['Subject']}\n{words(one)}" for one in self.letters(who))

    # the beginning

    def _join(self) -> None:
        people = [address(NAMES[seat]) for seat in self._people]
        self.desk.act(announce_game, people)
        for seat, who in zip(self._people, people, strict=True):
            lines = (f"join: {GAME}", f"name: {NAMES[seat]}", f"luck: {self._take_luck(seat)}")
            self._confirm(who, *lines, f"prefer: {{seats: [{seat}]}}")
        self._confirm(OBSERVER, f"join: {GAME}", "observe: yes")
        for _ in range(3):
            self._write(STRANGER, f"May I play {GAME}?")
        if "expires" in self._settings:
            self._pass(timedelta(days=1))
        elif self.desk.game().status is Status.OPEN:
            self.desk.act(start_game)
        self._deliver()

    def _confirm(self, who: str, *lines: str) -> None:
        """Ask, and ask again with the key that comes back."""
        self._write(who, *lines, "# end of orders")
        if key := _KEY.search(self.texts(who)):
            self._write(who, *lines, key[0], "# end of orders")

    def _write(self, who: str, *lines: str) -> None:
        self.mail.write(who, "\n".join(lines))
        self._deliver()

    def _take_luck(self, seat: str) -> str:
        """Take the next word of a seat's sheet."""
        word, *self._sheets[seat] = self._sheets[seat]
        return word

    # a step

    def _play_step(self, number: int) -> None:
        step = self.desk.step()
        self._check_due(step.name)
        for seat, line in _TALK[number * _A_STEP : (number + 1) * _A_STEP]:
            self._say(seat, line)
        choices = self.world.choices("bot", 1)
        if "red" in choices:
            self._say("red", "nonsense: 7")
            self._order("red", choices, "preview: yes")
        for seat in SEATS if number else SEATS[:2]:
            self._order(seat, choices)
        if number == 0:
            self._pass(step.deadline - self.desk.at if step.deadline else timedelta(hours=12))
        if number == 0 and self.desk.game().open_step == step.number and not self._may_miss():
            self._order("green", choices)
        if number == 1:
            self._say("blue", "resign: yes")
        self._close(step.number)

    def _close(self, number: int) -> None:
        """Let time pass until the step is closed; the GM closes one without a deadline."""
        while self.desk.game().open_step == number:
            if self.desk.step().deadline is not None:
                self._pass(timedelta(hours=1))
            elif self.mail.house.gm:
                self._say(GM, "gm: close now")
            else:
                self.desk.close()
        self._deliver()

    def _order(self, seat: str, choices: Mapping[str, Any], *more: str) -> None:
        if seat in choices and self._plays(seat):
            each_turn = self._settings.get("luck") == "each-turn"
            luck = (f"luck: {self._take_luck(seat)}",) if each_turn else ()
            self.world.order(seat, choices[seat], *more, *luck)

    def _say(self, seat: str, *lines: str) -> None:
        if self.desk.game().open_step and (seat == GM or self._plays(seat)):
            self.world.say(seat, *lines)

    def _plays(self, seat: str) -> bool:
        """Whether the one who joined still plays this seat, and may write."""
        if seat not in self._people or self.desk.game().open_step is None:
            return False
        seating = self.desk.seating(seat)
        return seating.kind == PLAYER and seating.player == NAMES[seat]

    def _may_miss(self) -> bool:
        return self._settings.get("nmr_limit") == 1

    # time

    def _pass(self, length: timedelta) -> None:
        until = self.desk.at + length
        while self.desk.at < until:
            self.world.wait(min(self.desk.at + _STRIDE, until))
        self._deliver()

    def _deliver(self) -> None:
        """Send what waits, hours and days later where only so much goes out at once."""
        self.mail.deliver()
        for _ in range(_MOST):
            if not self._is_any_held():
                return
            self._pass_an_hour()
        raise AssertionError("letters wait for ever")

    def _pass_an_hour(self) -> None:
        for _ in range(4):
            self.world.wait(self.desk.at + timedelta(minutes=15))

    def _is_any_held(self) -> bool:
        """Whether a letter waits whose reader has an address; none failed when it was written."""
        letters = [*self.mail.post.outbox(), *self.mail.post.outbox("")]
        assert not [one for one in letters if one.attempts > (one.status == "sent")]
        seats = [one.seat for one in letters if one.status == "queued"]
        return any(seat != GM or self.mail.house.gm for seat in seats)

    # what must be so in every game

    def _check_due(self, step: str) -> None:
        """Whoever owes something has a letter with the form for it."""
        for seat in self.world.choices("bot", 1):
            if self._plays(seat):
                assert f"\nstep: {step}\n" in self.texts(seat), seat

    def _check_end(self) -> None:
        """The record of the game holds, and nobody read what is another's."""
        assert self.is_over()
        with self.desk.store.reading() as books:
            kind, seatings = self.desk.library.kind(books.game(GAME).kind), books.seatings(GAME)
            record = read_record(books, GAME)
        assert verify_record(record, kind, seatings).faults == ()
        others = (*SEATS, OBSERVER, STRANGER)
        keys = [key for who in others for key in set(_KEY.findall(self.texts(who)))]
        assert len(keys) == len(set(keys))
        assert not any(PRIVATE in self.texts(who) for who in ("green", OBSERVER, STRANGER))
        assert "fault in the program" not in self.texts(HOUSE.gm[0])
