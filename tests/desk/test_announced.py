"""Whoever's lot changes is told, in the same transaction; what is told is so.

Random games under a restless GM, in which people resign, fall silent, write and vote. Each act is
one transaction; the books before and after it are compared with the letters that it queued, both
ways: every change has its letter, and every letter its change.
"""

import random
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.chain import Link
from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline, pause_game, resume_game
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.open_step import remind_late, withdraw_reminder
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import Game, OutgoingLetter, Seating, Status, Step
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.handover import replace_player, resign_seat
from adjudicator.desk.steps.lock import lock_game
from adjudicator.desk.steps.publish import is_held_back, list_unreported_steps
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from adjudicator.desk.steps.start import start_game
from tests.at_the_desk import missing_seats
from tests.desk.conftest import GAME
from tests.desk.twins import World
from tests.desk.wishing import text_of

SEATS = ("red", "blue", "green")
INSTANT = re.compile(r"(?:deadline is(?: now)?|due:) (?=\w{3} \d)")
TOLD = ("report", "notice", "answer")


class Seen(Struct, frozen=True, kw_only=True):
    """The books at one moment."""

    game: Game
    seatings: dict[str, Seating]
    steps: dict[int, Step]
    letters: tuple[OutgoingLetter, ...]
    links: tuple[Link, ...]
    late: tuple[str, ...]
    zones: dict[str, str]
    waiting: tuple[str, ...]
    """Who is not mailed of a step, because only others are asked something in mid-turn."""
    untold: dict[str, tuple[str, ...]]
    """The steps of which a seat has had no report yet."""

    @property
    def open(self) -> Step | None:
        return None if self.game.open_step is None else self.steps[self.game.open_step]


def seen(world: World) -> Seen:
    with world.desk.store.reading() as books:
        game = books.game(GAME)
        context = Context(books, world.desk.library, GAME, world.desk.at)
        seatings = current_seatings(books, GAME)
        open_step = context.open_step() if game.open_step is not None else None
        due = context.due_in(context.before(open_step)) if open_step else {}
        return Seen(
            game=game,
            seatings=seatings,
            steps={step.number: step for step in books.steps(GAME)},
            letters=tuple(books.letters(GAME)),
            links=tuple(books.links(GAME)),
            late=missing_seats(books, world.desk.library, GAME)
            if game.open_step is not None
            else (),
            zones={seat: context.zone(context.player(one)) for seat, one in seatings.items()},
            waiting=tuple(seat for seat in SEATS if is_held_back(due, seat)),
            untold={seat: _untold(context, open_step, seat) for seat in SEATS} if open_step else {},
        )


def _untold(context: Context, step: Step, seat: str) -> tuple[str, ...]:
    told = context.books.last_reports(GAME)[seat].step
    return tuple(one.name for one in list_unreported_steps(context, step, told))


# every change has its letter


def told(
    after: Seen, new: list[OutgoingLetter], seat: str, seating: Seating | None = None
) -> list[OutgoingLetter]:
    number = (seating or after.seatings[seat]).number
    own = [one for one in new if (one.seat, one.seating) == (seat, number)]
    return [one for one in own if one.kind in TOLD or decode(one.document).get("notices")]


def everybody(after: Seen, new: list[OutgoingLetter], why: str, held: Collection[str] = ()) -> None:
    for seat, seating in after.seatings.items():
        if seating.kind == PLAYER and seat not in held:
            assert told(after, new, seat), f"{seat} was not told: {why}"


def changes_are_told(before: Seen, after: Seen, new: list[OutgoingLetter]) -> None:
    for seat, now in after.seatings.items():
        if before.seatings[seat].number != now.number:
            _hands_are_told(before, after, new, seat)
    if before.game.status != after.game.status:
        everybody(after, new, f"the game is {after.game.status}")
    closed = [link.kind for link in after.links[len(before.links) :]] == ["step"]
    held = after.waiting if closed else ()
    for seat, steps in after.untold.items():
        assert not steps or seat in after.waiting, f"{seat} was never told of {steps}"
    if before.game.open_step != after.game.open_step:
        everybody(after, new, "another step is open", held)
    elif before.open and after.open and before.open.deadline != after.open.deadline:
        everybody(after, new, "the deadline moved")
    if len(before.links) != len(after.links):
        everybody(after, new, "the chain has a new link", held)


def _hands_are_told(before: Seen, after: Seen, new: list[OutgoingLetter], seat: str) -> None:
    was, now = before.seatings[seat], after.seatings[seat]
    if now.kind == PLAYER:
        assert told(after, new, seat), f"{now.player} was not told of {seat}"
    if was.player == now.player:
        return  # the same person with a new key
    if was.kind == PLAYER:
        assert told(after, new, seat, was), f"{was.player} was not told of losing {seat}"
    for other, seating in after.seatings.items():
        if other != seat and seating.kind == PLAYER:
            assert told(after, new, other), f"{other} was not told of {seat}"


# every letter has its change


def letters_are_so(before: Seen, after: Seen, new: list[OutgoingLetter]) -> None:
    for letter in new:
        if letter.kind in ("notice", "reminder") and letter.seat in SEATS:
            _headline_is_so(after, letter, decode(letter.document)["headline"])
            _deadline_is_so(after, letter)
        if letter.kind == "report":
            assert after.steps[letter.step].closed
            assert len(after.links) > len(before.links)
            _due_is_so(after, letter.step, decode(letter.document)["due"])


def _due_is_so(after: Seen, step: int, due: dict[str, Any] | None) -> None:
    """What a report says is due is open; or the end, of its own report, followed at once."""
    if after.open is None:
        ended = [one for one in after.steps.values() if one.phase == "end"]
        assert due is None or any(one.number > step for one in ended)
    else:
        assert due is not None
        assert due["step"] == after.open.name


def _headline_is_so(after: Seen, letter: OutgoingLetter, headline: str) -> None:
    now, status = after.seatings[letter.seat], after.game.status
    holds: dict[str, Callable[[], bool]] = {
        "You play ": lambda: now.kind == PLAYER and now.number == letter.seating,
        "You no longer play ": lambda: now.number > letter.seating,
        "A bot plays ": lambda: after.seatings[headline.rsplit(maxsplit=1)[-1]].kind == "bot",
        "Paused": lambda: status is Status.PAUSED,
        "The game continues": lambda: status is Status.RUNNING,
        "The game is over": lambda: status is Status.OVER,
        "Your orders for ": lambda: letter.seat in after.late,
    }
    for words, so in holds.items():
        if headline.startswith(words):
            assert so(), f"{letter.seat} was told: {headline}"


def _deadline_is_so(after: Seen, letter: OutgoingLetter) -> None:
    """The only instants that a notice may name: deadline, and the end of its grace."""
    if after.open is None or after.open.deadline is None:
        return
    text = " ".join(text_of(letter).partition("\ngame:")[0].split())
    zone = after.zones[letter.seat]
    when = deadlines.format_deadline(after.open.deadline, zone)
    for named in INSTANT.finditer(text):
        assert text[named.end() :].startswith(when) or after.game.status is Status.PAUSED, text


def nothing_stale_waits(after: Seen) -> None:
    """What still lies in the outbox holds, or will not be sent."""
    for letter in after.letters:
        if letter.status == "queued" and letter.kind == "reminder":
            assert letter.step == after.game.open_step
            assert letter.seat in after.late
        if letter.status == "queued" and letter.kind == "report":
            assert not after.steps[letter.step].void


# the restless GM


class Restless:
    """Does something at random, as a GM or as a player."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.dice = random.Random(seed)
        self.people = 0

    def act(self) -> None:
        names = [name for name in dir(self) if name.startswith("do_")]
        getattr(self, self.dice.choice(names))()

    def _gm(self, function: Callable[..., Any], *given: Any, **named: Any) -> None:
        self.world.desk.act(function, *given, **named)

    def seat(self) -> str:
        return self.dice.choice(SEATS)

    def letter(self, *lines: str) -> None:
        seat = self.seat()
        if self.world.desk.seating(seat).kind == PLAYER:
            self.world.say(seat, *lines)

    def do_order(self) -> None:
        if self.world.desk.game().open_step is None:
            return
        for seat, own in self.world.choices("legal", self.dice.randrange(99)).items():
            if self.world.desk.seating(seat).kind == PLAYER and self.dice.random() < 0.7:
                self.world.order(seat, own)

    do_order_again = do_order

    def do_wait(self) -> None:
        self.world.desk.later(minutes=50)
        self.world.round()

    do_wait_again = do_wait_more = do_wait

    def do_close(self) -> None:
        self._gm(close_step, now=True)

    def do_extend(self) -> None:
        self._gm(extend_deadline, "2h")

    def do_pause(self) -> None:
        self._gm(pause_game)

    def do_resume(self) -> None:
        self._gm(resume_game)

    do_resume_again = do_resume

    def do_bot(self) -> None:
        self._gm(seat_bot, self.seat())

    def do_replace(self) -> None:
        self.people += 1
        self._gm(replace_player, self.seat(), f"Zoe {self.people}")

    do_replace_again = do_replace

    def do_resign(self) -> None:
        self._gm(resign_seat, self.seat(), by="gm")

    def do_resign_by_letter(self) -> None:
        self.letter("resign: yes")

    def do_vote(self) -> None:
        self.letter("vote: draw")

    def do_new_key(self) -> None:
        self.letter("ask: [new-key]")

    def do_remind(self) -> None:
        self._gm(remind_late)

    def do_rollback(self) -> None:
        closed = [s for s in self.world.desk.see(lambda books: books.steps(GAME)) if s.closed]
        self._gm(roll_back, self.dice.choice(closed).name, same_dice=False)

    def do_rollback_back(self) -> None:
        notes = self.world.desk.see(lambda books: books.notes(GAME))
        struck = [note.data["struck"] for note in notes if "struck" in note.data]
        if struck:
            self._gm(undo_rollback, struck[-1][0])

    def do_start_back(self) -> None:
        if self.dice.random() < 0.5:
            self._gm(undo_start)

    def do_start(self) -> None:
        self._gm(start_game)

    do_start_again = do_start_once_more = do_start

    def do_remind_back(self) -> None:
        self._gm(withdraw_reminder)

    def do_edit(self) -> None:
        def ruled(books: Books, library: Any, game: str, at: Any) -> None:
            now = open_position(Context(books, library, game))
            changed = {**now, "scores": {**now["scores"], self.seat(): self.dice.randrange(9)}}
            edit_position(lock_game(books, library, game, at=at), changed, reason="a slip")

        self._gm(ruled)

    def do_end(self) -> None:
        if self.dice.random() < 0.2:
            self._gm(end_game, winners=[self.seat()], reason="agreed")


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("seed", range(8))
def test_every_change_has_its_letter_and_every_letter_its_change(
    tmp_path: Path, toy_library: FolderLibrary, ends: ExitStack, seed: int
) -> None:
    world = World(tmp_path / "adjudicator.db", toy_library, ends)
    policy = {"nmr": ("idle", "bot", "substitute")[seed % 3], "substitutes": ["Sub", "Sid"]}
    settings = {"pace": "3h", "nmr_limit": 2, "remind": ["1h"], **policy}
    world.new("toy-duel", seed, SEATS, settings=settings, options={"rounds": 5})
    world.mail.deliver = lambda: None  # type: ignore[method-assign]  # letters stay where they are
    restless = Restless(world, seed)
    before = seen(world)
    acts = 0
    while acts < 45 and before.game.status is not Status.OVER:
        was_refused = True
        with suppress(Refused):
            restless.act()
            was_refused = False
        after = seen(world)
        new = [one for one in after.letters if one not in before.letters]
        made = [one for one in new if one.message_id not in {x.message_id for x in before.letters}]
        if was_refused:
            assert after == before
        changes_are_told(before, after, made)
        letters_are_so(before, after, made)
        nothing_stale_waits(after)
        before, acts = after, acts + 1
    assert acts > 1
    record = world.desk.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()
    assert replay_game(record, toy_library.kind("toy-duel")) == ()
