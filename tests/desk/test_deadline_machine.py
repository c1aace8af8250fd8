"""The whole deadline machine against a small model of what must hold (tests/desk/deadline_*)."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.acts.calendar import extend_deadline, pause_game, resume_game
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.open_step import remind_late
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.clock.reminders import list_reminder_times
from adjudicator.desk.model.context import Sender
from adjudicator.desk.model.deadlines import find_zone
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.questions.answer import issue_new_key
from adjudicator.desk.requests.absences import handle_absence
from adjudicator.desk.steps.handover import replace_player, resign_seat
from adjudicator.desk.steps.lock import lock_context
from tests.desk.conftest import GAME
from tests.desk.deadline_model import HOUR, NOTHING, span
from tests.desk.deadline_table import SEATS, ZONES, table

PLACES = (
    # the nights in which clocks change, a steady zone, and one far from every other
    ("Europe/Berlin", "2026-03-27T10:00"),
    ("Europe/Berlin", "2026-10-23T10:00"),
    ("America/New_York", "2026-03-06T15:00"),
    ("America/New_York", "2026-10-30T15:00"),
    ("Australia/Lord_Howe", "2026-04-03T01:00"),
    ("Australia/Lord_Howe", "2026-10-02T01:00"),
    ("Asia/Kolkata", "2026-11-02T04:15"),
    ("UTC", "2026-02-27T23:59"),
)
SETTINGS = st.fixed_dictionaries(
    {
        "pace": st.sampled_from(
            ["2h", "24h", "72h", "daily 02:30", "sat,sun 02:15", "daily 01:30", "mon,thu 20:00"]
        ),
        "least": st.sampled_from(["0m", "6h", "24h"]),
        "grace": st.sampled_from(["0m", "30m", "5h"]),
        "settle": st.sampled_from(["0m", "10m", "2h"]),
        "interrupt_pace": st.sampled_from(["1h", "24h"]),
        "outage": st.sampled_from(["1h", "6h", "20h"]),
        "nmr": st.sampled_from(["idle", "bot", "substitute"]),
        "nmr_limit": st.integers(1, 3),
        "late_visible": st.booleans(),
        "remind": st.sampled_from([["24h"], [], ["6h", "1h"]]),
    }
)
SEAT, SECONDS = st.sampled_from(SEATS), st.sampled_from([-1, 0, 1])


class Deadlines(RuleBasedStateMachine):
    """Rounds of the clock, letters, the GM's acts and misfortunes, in any order."""

    library: FolderLibrary

    def __init__(self) -> None:
        super().__init__()
        self._house = ExitStack()

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self._closed_once()
        self._house.close()

    @initialize(
        place=st.sampled_from(PLACES),
        given=SETTINGS,
        zones=st.tuples(*[st.sampled_from(ZONES)] * 3),
        delay=st.integers(0, 3 * 24 * 60),
    )
    def begin(
        self, place: tuple[str, str], given: dict[str, Any], zones: tuple[str, ...], delay: int
    ) -> None:
        zone, start = place
        self.given, self.zones = {**given, "zone": zone}, zones
        at = datetime.fromisoformat(start).replace(tzinfo=UTC) + timedelta(minutes=delay)
        self._sit_down(at, 1000)
        self.table.ring()

    def _sit_down(self, at: datetime, boot: int) -> None:
        self._house.close()
        self.table = self._house.enter_context(table(self.library))
        self.desk, self.table.boot = self.table.desk, boot
        self.table.begin(at, self.given, self.zones)

    @property
    def model(self) -> Any:
        return self.table.model

    @property
    def paused(self) -> bool:
        return self.model.paused is not None

    @invariant()
    def another_game_when_one_is_over(self) -> None:
        if hasattr(self, "table") and self.table.over:
            self._closed_once()
            self._sit_down(self.desk.at, self.table.boot)
            self.table.ring()

    def _closed_once(self) -> None:
        """Steps, links and history tell the same closings, each once."""
        notes = self.desk.see(lambda books: books.notes(GAME))
        steps = self.desk.see(lambda books: books.steps(GAME))
        links = self.desk.see(lambda books: books.links(GAME))
        told = [note.data["step"] for note in notes if note.act == "close"]
        played = [s.name for s in steps if s.closed and s.phase in ("pick", "prize")]
        assert sorted(told) == sorted(played) == sorted(k.step for k in links if k.kind == "step")
        assert len(told) == len(set(told))

    # time passes

    def _await(self, length: timedelta, seconds: int) -> None:
        """Up to an instant counted from the deadline, in a game that runs."""
        if self.paused:
            self._goes_on()
        self._go(self.model.deadline + length + timedelta(seconds=seconds))

    def _go(self, target: datetime) -> None:
        """Rounds up to an instant; a house that is awake leaves no gaps."""
        stride = min(span(self.given["outage"]), 12 * HOUR) * 0.9
        number = self.model.step
        while self.desk.at < target and not self.table.over and self.model.step == number:
            self._pass(min(stride, target - self.desk.at))
            self.table.ring()

    def _pass(self, length: timedelta) -> None:
        self.desk.at += length
        self.table.boot += int(length.total_seconds())

    @rule(minutes=st.integers(0, 600))
    def time_passes(self, minutes: int) -> None:
        self._go(self.desk.at + timedelta(minutes=minutes))
        if not self.table.over:
            self.table.ring()

    @rule(seconds=SECONDS)
    def the_deadline_comes(self, seconds: int) -> None:
        self._await(NOTHING, seconds)

    @rule(seconds=SECONDS)
    def the_grace_is_over(self, seconds: int) -> None:
        self._await(self.model.rule.grace, seconds)

    @rule(seconds=SECONDS)
    def all_is_settled(self, seconds: int) -> None:
        self._go(
            self.model.changed(self.desk.at) + self.model.rule.settle + timedelta(seconds=seconds)
        )

    @rule(seconds=SECONDS)
    def reminders_are_due(self, seconds: int) -> None:
        with self.desk.store.reading() as books:
            reminders = list_reminder_times(self.table.context(books), self.desk.step())
        for mark in reminders[:1]:
            self._go(mark + timedelta(seconds=seconds))

    # letters

    @rule(seat=SEAT, pick=st.integers(0, 2), ready=st.sampled_from(["", "ready: false\n"]))
    def orders_arrive(self, seat: str, pick: int, ready: str) -> None:
        self._orders(seat, pick, ready)

    @rule(pick=st.integers(0, 2))
    def orders_of_all_arrive(self, pick: int) -> None:
        self.all_orders_arrive(pick)

    def all_orders_arrive(self, pick: int) -> None:
        for seat in SEATS:
            self._orders(seat, pick, "")

    def _orders(self, seat: str, pick: int, ready: str) -> None:
        mine = self.model.seats[seat]
        if mine.kind != "player":
            return
        hand = self.desk.state()["hands"][seat]
        other = SEATS[(SEATS.index(seat) + 1) % 3]
        prize = self.desk.step().phase == "prize"
        order = f"from: {other}" if prize else f"play: {hand[pick % len(hand)] if hand else 'owl'}"
        told = self.desk.send(seat, ready + order)
        if told["outcome"] == "taken":
            assert mine.owes
            mine.sent, mine.ready = True, not ready
            self.model.filed = max(self.model.filed, self.desk.at)
        assert told["standing"]["in"] == mine.is_in
        self.table.see(only=seat)

    @rule(seat=SEAT)
    def orders_are_taken_back(self, seat: str) -> None:
        mine = self.model.seats[seat]
        if mine.kind != "player":
            return
        if self.desk.send(seat, "clear: true")["outcome"] == "cleared":
            mine.sent = False
            self.model.filed = max(self.model.filed, self.desk.at)
        self.table.see(only=seat)

    @rule(seat=SEAT, ahead=st.integers(1, 4), days=st.integers(3, 10))
    def a_player_goes_away(self, seat: str, ahead: int, days: int) -> None:
        before = self.desk.step()
        first = self.desk.at.astimezone(find_zone(self.given["zone"])).date()
        wish = {
            "from": (first + timedelta(days=ahead)).isoformat(),
            "until": (first + timedelta(days=ahead + days - 1)).isoformat(),
        }
        with self.desk.store.writing() as books:
            context = lock_context(books, self.library, GAME, at=self.desk.at)
            sender = Sender(
                seat=seat, seating=self.desk.seating(seat), step=before, at=self.desk.at
            )
            handle_absence(context, sender, wish)
        assert self.desk.step() == before, "an absence never moves the deadline that runs"
        self.table.see()

    # the GM

    @rule(hours=st.integers(-30, 48))
    def the_gm_extends(self, hours: int) -> None:
        if hours <= 0:
            with pytest.raises(Refused):
                self.desk.act(extend_deadline, f"{hours}h")
            return
        later = self.model.deadline + hours * HOUR
        if later <= self.desk.at:
            with pytest.raises(Refused):
                self.desk.act(extend_deadline, f"{hours}h")
            return
        self.desk.act(extend_deadline, f"{hours}h")
        self.model.deadline = later
        self.table.see(moved=True)

    @precondition(lambda self: not self.paused)
    @rule()
    def the_gm_pauses(self) -> None:
        self.desk.act(pause_game)
        self.model.paused = self.desk.at
        self.table.see(paused=True)

    @precondition(lambda self: self.paused)
    @rule()
    def the_gm_goes_on(self) -> None:
        self._goes_on()

    def _goes_on(self) -> None:
        model = self.model
        stood = self.desk.at - max(model.paused, model.opened)
        self.desk.act(resume_game)
        model.deadline += max(stood, NOTHING)
        model.paused = None
        self.table.see(moved=True)

    @precondition(lambda self: not self.paused)
    @rule(now=st.booleans())
    def the_gm_closes(self, now: bool) -> None:
        if not now and not all(seat.agrees for seat in self.model.seats.values()):
            with pytest.raises(Refused):
                self.desk.close(now=False)
            return
        self.desk.close(now=now)
        self._after_closing()

    def _after_closing(self) -> None:
        self.table.closed()
        if not self.table.over:
            self.table.see()

    @rule(
        seat=SEAT,
        how=st.sampled_from(["replaced", "replaced", "comes back", "bot", "resigns"]),
        zone=st.sampled_from(ZONES),
    )
    def a_seat_changes_hands(self, seat: str, how: str, zone: str) -> None:
        if how in ("replaced", "comes back"):
            former = self.table.former(seat) if how == "comes back" else None
            self.desk.act(replace_player, seat, former or self.table.fresh_name(zone))
            self._new_player(seat)
        elif how == "bot":
            self._bot(seat)
        else:
            self._resigns(seat)

    def _new_player(self, seat: str) -> None:
        """A substitute has a full deadline, and orders on file stay."""
        model = self.model
        model.seated(seat, "player", self.desk.at)
        full = model.rule.deadline(self.desk.at)
        moved = full > model.deadline
        model.deadline = max(full, model.deadline)
        assert self.desk.step().deadline == model.deadline
        self.table.see(moved=moved and not self.paused)

    def _bot(self, seat: str) -> None:
        if self.model.seats[seat].kind == "bot":
            return
        self.desk.act(seat_bot, seat)
        self.table.to_a_bot(seat)
        self.table.see()

    def _resigns(self, seat: str) -> None:
        if self.model.seats[seat].kind != "player":
            return
        self.desk.act(resign_seat, seat, by="player")
        self.table.resigned(seat)
        if self.table.over:
            return
        if self.model.seats[seat].kind == "player":
            self._new_player(seat)
        else:
            assert self.desk.step().deadline == self.model.deadline
            self.table.see()

    @rule(seat=SEAT)
    def a_player_asks_for_new_keys(self, seat: str) -> None:
        """It is the same player who sits there."""
        if self.model.seats[seat].kind != "player":
            return
        with self.desk.store.writing() as books:
            issue_new_key(lock_context(books, self.library, GAME, at=self.desk.at), seat)
        self.model.seats[seat].since = self.desk.at
        self.table.seated()
        self.table.see()

    @rule()
    def the_gm_reminds(self) -> None:
        missing = self.model.missing()
        if not missing or self.paused:
            return
        self.desk.act(remind_late)
        self.table.see(reminded=missing)

    @rule(far=st.integers(0, 3))
    def the_gm_goes_back(self, far: int) -> None:
        """To a step that was played, or to a ruling."""
        past = self.model.past
        if not past:
            return
        target = past[-1 - min(far, len(past) - 1)].number
        name = self.desk.see(lambda books: books.step(GAME, target)).name
        self.desk.act(roll_back, name, same_dice=False)
        self.model.struck(target)
        self.table.seated()
        self.table.opened(turn=None)
        self.table.see(moved=not self.paused)

    @rule(points=st.integers(0, 9))
    def the_gm_rules(self, points: int) -> None:
        document = self.desk.act(open_position)
        scores = {**document["scores"], "red": document["scores"]["red"] + points + 1}
        done = self.desk.act(edit_position, {**document, "scores": scores}, reason="a slip")
        self.model.ruled(done.step.number)
        assert self.desk.step().number == self.model.step
        self.table.see(moved=not self.paused)

    # misfortunes

    @rule(
        minutes=st.sampled_from([3, 61, 100, 361, 700, 1201, 1439, 1441, 3000]),
        around=st.booleans(),
        then=st.sampled_from(["", "orders", "close"]),
    )
    def nobody_watches_the_clock(self, minutes: int, around: bool, then: str) -> None:
        half = timedelta(minutes=minutes) / 2
        if around:
            self._await(-half, 0)
        if self.table.over:
            return
        self._pass(half)
        if then == "orders":
            self.all_orders_arrive(0)
        elif then == "close" and not self.paused:
            self.the_gm_closes(now=True)
        if not self.table.over:
            self._pass(half)
            self.table.ring()

    @rule(away=st.booleans())
    def the_post_fails_or_comes_back(self, away: bool) -> None:
        self.table.post_is_away = away
        self.table.ring()

    @rule(minutes=st.one_of(st.integers(-4, 4), st.integers(-3000, 3000)))
    def the_clock_jumps(self, minutes: int) -> None:
        self.desk.at += timedelta(minutes=minutes)
        self.table.ring()

    @rule(minutes=st.integers(0, 200))
    def the_machine_starts_anew(self, minutes: int) -> None:
        self.desk.at += timedelta(minutes=minutes)
        self.table.boot = 20
        self.table.ring(unread=True)
        self.table.ring()

    @rule()
    def letters_go_out(self) -> None:
        with self.desk.store.writing() as books:
            for letter in books.letters(GAME):
                if letter.status == "queued":
                    books.save(_sent(letter))


def _sent(letter: OutgoingLetter) -> OutgoingLetter:
    fields = {name: getattr(letter, name) for name in letter.__struct_fields__}
    return OutgoingLetter(**{**fields, "status": "sent"})


QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def _run(library: FolderLibrary, examples: int, *, steps: int, derandomize: bool) -> None:
    run_state_machine_as_test(
        type("Deadlines", (Deadlines,), {"library": library}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=derandomize,
            deadline=None,
            database=None,
            suppress_health_check=QUIET,
        ),
    )


def test_deadlines_hold_whatever_happens(toy_library: FolderLibrary) -> None:
    _run(toy_library, 20, steps=30, derandomize=True)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_deadlines_hold_whatever_happens_for_long(toy_library: FolderLibrary) -> None:
    _run(toy_library, 5000, steps=40, derandomize=False)
