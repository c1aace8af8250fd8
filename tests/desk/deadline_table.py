"""A real desk beside the model: every act is done on both, and what players were told is read."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.core.document import decode
from adjudicator.desk.clock import readings
from adjudicator.desk.clock.readings import ClockReading
from adjudicator.desk.clock.rounds import begin_round, end_round
from adjudicator.desk.clock.tick import Ticked, tick
from adjudicator.desk.model.absences import list_seat_absences
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import current_seatings
from adjudicator.desk.model.values import Absence, OutgoingLetter, Player, Seating, Status, Step
from adjudicator.desk.steps.publish import is_held_back
from tests.desk.conftest import GAME, Desk
from tests.desk.deadline_model import NOTHING, Model, Round, Rule, Seat, span

SEATS = ("red", "blue", "green")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")
_STATED = re.compile(r"(?:deadline is(?: now)?|due:?) (\w{3} \d+ \w{3} \d{4}, \d\d:\d\d [^.]*)")


@contextmanager
def table(library: FolderLibrary) -> Iterator["Table"]:
    """A desk in memory, where the machine has a place for files that live there."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
    try:
        with open_store(folder / "adjudicator.db") as store:
            yield Table(Desk(store, library))
    finally:
        shutil.rmtree(folder)


def sitting(books: Books, seating: Seating) -> list[int]:
    """The numbers under which a player has had this seat without leaving it: keys may be new."""
    own = [one for one in books.seatings(seating.game) if one.seat == seating.seat]
    return [s.number for s in takewhile(lambda s: s.player == seating.player, reversed(own))]


class Table:
    """One game on a desk, and its model."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.boot = 1000
        self.read: datetime | None = None
        self.post_is_away = False
        self._names = 0
        self._documents: dict[str, Mapping[str, Any]] = {}
        self._known: set[str] = set()
        self._deserted: set[int] = set()

    # beginning

    def begin(self, at: datetime, settings: dict[str, Any], zones: Sequence[str]) -> None:
        """Seat three players and start."""
        self.desk.at = at
        given = {name: settings[name] for name in ("pace", "zone", "nmr", "nmr_limit")}
        lengths = {
            name: span(settings[key])
            for name, key in (
                ("least", "least"),
                ("grace", "grace"),
                ("settle", "settle"),
                ("interrupt", "interrupt_pace"),
                ("outage", "outage"),
            )
        }
        self.model = Model(
            Rule(**given, **lengths), {seat: Seat("player", since=at) for seat in SEATS}
        )
        with self.desk.store.writing() as books:
            for seat, zone in zip(SEATS, zones, strict=True):
                books.save(Player(name=f"Player {seat}", zone=zone))
            books.save(Player(name="Waiting", zone=zones[0]))
        self.desk.new(
            seats={seat: f"Player {seat}" for seat in SEATS},
            settings={**settings, "substitutes": ["Waiting"]},
            options={"rounds": 5},
        )
        self.opened(turn=None)
        self.see()

    # looks

    def context(self, books: Books) -> Context:
        return Context(books, self.desk.library, GAME, self.desk.at)

    def owing(self) -> tuple[set[str], bool, bool]:
        """Who owes orders; whether silence counts; whether the answer has a short time."""
        with self.desk.store.reading() as books:
            context = self.context(books)
            due = context.due_in(context.before(context.open_step()))
        counts = any(one.counts_as_missed for one in due.values())
        return set(due), counts, any(one.clock == "short" for one in due.values())

    @property
    def over(self) -> bool:
        return self.desk.game().status is Status.OVER

    # what follows when a step opens

    def opened(self, *, turn: datetime | None, seated: set[str] | None = None) -> None:
        """A step opened now: its deadline is what the rule says, or lies beyond an absence."""
        step, at = self.desk.step(), self.desk.at
        owing, counts, short = self.owing()
        assert step.opened == at
        rule = self.model.rule
        wanted = rule.soon(at) if short and turn else rule.deadline(at, turn)
        new = {name for name in seated or () if self.model.seats[name].kind == "player"}
        if new & owing:
            wanted = rule.deadline(at)  # a substitute has the time of a whole step
        self._beyond(step, wanted, owing)
        self.model.begin(step.number, at, step.deadline, owing, counts=counts)

    def _beyond(self, step: Step, wanted: datetime | None, owing: set[str]) -> None:
        away = [one for one in self._away() if one.seat in owing]
        if wanted is None or not any(one.start <= wanted < one.end for one in away):
            assert step.deadline == wanted, f"{step.deadline} instead of {wanted}"
            return
        assert step.deadline is not None
        back = max(one.end for one in away)
        assert wanted < step.deadline <= max(wanted, back) + timedelta(days=9)
        assert not any(one.start <= step.deadline < one.end for one in away)

    def _away(self) -> list[Absence]:
        with self.desk.store.reading() as books:
            context = self.context(books)
            return [
                one
                for seat in SEATS
                for one in list_seat_absences(context, seat)
                if one.end > self.desk.at
            ]

    # rounds

    def ring(self, *, unread: bool = False) -> Ticked:
        """A round of the clock on both; `unread`: the daemon has not read all post yet."""
        desk, model = self.desk, self.model
        if not self.post_is_away:
            self.read = desk.at
        if unread:
            self.read = None
        missing, was = model.missing(), model.paused
        told = model.round(desk.at, float(self.boot), self.read)
        if told != Round():
            with desk.store.trying() as books:  # a crash before the commit changes nothing
                self._tick(books)
        with desk.store.writing() as books:
            done, after = self._tick(books), books.game(GAME)
            open_step = books.step(GAME, after.open_step) if after.open_step is not None else None
        assert (done.closing is not None) == bool(told.closes), (done, told)
        if done.closing:
            assert done.closing.step.number == model.step
            self.closed()
        else:
            assert open_step is not None
            self._unclosed(open_step, told.moved)
        assert (after.status is Status.PAUSED) == (model.paused is not None)
        if told.pauses:
            assert was is None
            assert after.paused == model.paused
        if done.acts and after.status is not Status.OVER:
            self.see(reminded=missing, paused=told.pauses, moved=told.moved > NOTHING)
        return done

    def _tick(self, books: Books) -> Ticked:
        """A round as the daemon makes it: it looks at the game only when its time has come.

        Rounds of the daemon are seconds apart. Here they are further apart, up to an outage.
        """
        at, boot = self.desk.at, float(self.boot)
        now = ClockReading(at=at, read_until=self.read, boot=boot)
        with patch.object(readings, "SHORTEST_OUTAGE", self.model.rule.outage):
            begun = begin_round(books, now, is_first=False)
        done, last = Ticked(), begun.last
        if GAME in begun.games:
            library = self.desk.library
            done = tick(books, library, GAME, at=at, read_until=self.read, boot=boot, last=last)
        if not begun.is_noted:
            end_round(books, now, last)
        return done

    def _unclosed(self, after: Step, moved: timedelta) -> None:
        assert after.number == self.model.step
        wanted = self.model.deadline
        if moved:
            assert after.deadline is not None
            assert wanted is not None
            assert NOTHING <= after.deadline - wanted < timedelta(minutes=1)
            self.model.deadline = after.deadline
        assert after.deadline == self.model.deadline

    def closed(self) -> None:
        """The open step was just closed: who missed it, who lost a seat, what is due next."""
        model, turn = self.model, self.model.deadline
        gone = model.close(self.desk.at)
        if self.over:
            return  # nobody counts any more
        for name in sorted(gone):
            self.left(name)
        self.seated()
        self.opened(turn=turn, seated=gone)
        self.deserted()

    def deserted(self) -> None:
        """A running game whose last person has left it to bots is paused, once for each time."""
        kinds = {seat.kind for seat in self.model.seats.values()}
        seatings = self.desk.see(lambda books: books.seatings(GAME))
        people = sum(one.kind == "player" for one in seatings)
        alone = "bot" in kinds and "player" not in kinds and people not in self._deserted
        if alone and self.model.paused is None and self.model.deadline is not None:
            self._deserted.add(people)
            self.model.paused = self.desk.at
        assert (self.desk.game().status is Status.PAUSED) == (self.model.paused is not None)

    def seated(self) -> None:
        """What plays each seat, and how much in a row was missed there."""
        for name, seat in self.model.seats.items():
            seating = self.desk.seating(name)
            held, wanted = (seating.kind, seating.missed), (seat.kind, self.model.missed(name))
            assert held == wanted, f"{name} is {held}, not {wanted}"

    def left(self, name: str) -> None:
        """A player is gone: what the game's settings say has happened to the seat."""
        seating, policy = self.desk.seating(name), self.model.rule.nmr
        if policy == "substitute" and seating.kind == "player":
            assert seating.player == "Waiting"
        else:
            assert seating.kind == ("bot" if policy == "bot" else "idle")
        self.model.seated(name, seating.kind, self.desk.at)

    def resigned(self, name: str) -> None:
        """A player is gone between two closings."""
        self.left(name)
        if not self.over:
            self.deserted()

    def to_a_bot(self, name: str) -> None:
        """The GM gave a seat to a bot."""
        self.model.seated(name, "bot", self.desk.at)
        self.deserted()

    def former(self, name: str) -> str | None:
        """Who had this seat last among those who have none now."""
        seatings = self.desk.see(lambda books: books.seatings(GAME))
        sits = {self.desk.seating(seat).player for seat in SEATS}
        had = [one.player for one in seatings if one.seat == name and one.player not in sits]
        return next((player for player in reversed(had) if player), None)

    def fresh_name(self, zone: str) -> str:
        self._names += 1
        with self.desk.store.writing() as books:
            books.save(Player(name=f"New {self._names}", zone=zone))
        return f"New {self._names}"

    # what players were told

    def see(
        self,
        *,
        reminded: set[str] | None = None,
        paused: bool = False,
        moved: bool = False,
        only: str | None = None,
    ) -> None:
        """Read the outbox after an act; `only`: the one seat that may have got a letter."""
        with self.desk.store.reading() as books:
            context, step = self.context(books), self.context(books).open_step()
            owed = context.due_in(context.before(step))
            letters = list(books.letters(GAME))
            people = {
                seat: (sitting(books, seating), context.zone(context.player(seating)))
                for seat, seating in current_seatings(books, GAME).items()
                if context.player(seating) is not None
            }
        new = [letter for letter in letters if letter.message_id not in self._known]
        self._known |= {letter.message_id for letter in new}
        assert len(self._known) == len(letters), "a letter's name is its own"
        if only is not None:
            assert {letter.seat for letter in new} <= {only}
        late = {letter.seat for letter in new if letter.kind == "reminder"}
        assert late <= (reminded or set()), f"{late} were reminded, but {reminded} are missing"
        self._reminders(letters, step)
        for seat, (numbers, zone) in people.items():
            mine = [one for one in letters if one.seat == seat and one.seating in numbers]
            if paused:
                assert any("paused" in self._text(one) for one in mine if one in new), seat
            elif self.model.paused is None:
                if moved:
                    assert any(self._states(one, step, zone) for one in mine if one in new), seat
                self._truth(mine, step, zone, told=not is_held_back(owed, seat))

    def _reminders(self, letters: Sequence[OutgoingLetter], step: Step) -> None:
        """Those that are still to go out are true."""
        for letter in letters:
            if letter.kind == "reminder" and letter.status == "queued":
                assert letter.step == step.number
                assert letter.seat in self.model.missing()
                assert self.model.paused is None

    def _truth(
        self, letters: Sequence[OutgoingLetter], step: Step, zone: str, *, told: bool
    ) -> None:
        """What a player was told last about the deadline is so.

        Whose report waits while others are asked need not have been told of that step at all.
        """
        if step.deadline is None:
            return
        valid = [one for one in letters if one.status != "withdrawn"]
        last = next((one for one in reversed(valid) if self._stated(one)), None)
        if not told and (last is None or not self._speaks_of(last, step)):
            return
        assert last is not None, "nobody told this player when orders are due"
        assert self._states(last, step, zone), (
            self._stated(last),
            format_deadline(step.deadline, zone),
        )

    def _speaks_of(self, letter: OutgoingLetter, step: Step) -> bool:
        due = self._document(letter).get("due")
        return due["step"] == step.name if due else letter.step == step.number

    def _states(self, letter: OutgoingLetter, step: Step, zone: str) -> bool:
        stated = self._stated(letter)
        if stated is None or step.deadline is None:
            return step.deadline is None
        if isinstance(stated, datetime):
            return stated == step.deadline.replace(microsecond=0)
        return stated == format_deadline(step.deadline, zone)

    def _stated(self, letter: OutgoingLetter) -> datetime | str | None:
        """The deadline that a letter names, if any."""
        told = self._document(letter)
        due = (told.get("due") or {}).get("deadline") or (told.get("deadline") or {}).get("at")
        if due:
            return datetime.fromisoformat(due)
        found = _STATED.findall(self._text(letter))
        return found[-1] if found else None

    def _text(self, letter: OutgoingLetter) -> str:
        """All that it says, also in the notices inside it."""
        told = self._document(letter)
        parts = (told, *told.get("notices", ()))
        return " ".join(line for part in parts for line in part.get("lines", ()))

    def _document(self, letter: OutgoingLetter) -> Mapping[str, Any]:
        if letter.message_id not in self._documents:
            self._documents[letter.message_id] = decode(letter.document)
        return self._documents[letter.message_id]
