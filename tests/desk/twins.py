"""Twins of a game that is played by letters: two of it, and what a reader got from each."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.adapters.store.opening import open_store
from adjudicator.core.chain import compute_commitment
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import decode, encode
from adjudicator.core.events import Event
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.desk.clock.tick import tick
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.values import Step
from adjudicator.desk.steps.publish import is_held_back
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail
from tests.desk.post import HOUSE, Post

NAMES = {"red": "Ada", "blue": "Bo", "green": "Cleo", "yellow": "Dan"}
OBSERVER = "eve@example.com"


class World:
    """One of two: a desk, its post office, and what everybody got since they parted."""

    def __init__(self, path: Path, library: FolderLibrary, ends: ExitStack) -> None:
        self.path = path
        self.desk = Desk(ends.enter_context(open_store(path)), library)
        self.post = Post(self.desk)
        self.mail = Mail(self.post)

    def new(self, kind: str, seed: int, seats: Iterable[str], **wishes: Any) -> None:
        people = {seat: NAMES[seat] for seat in seats}
        luck = {seat: f"luck of {seat}" for seat in people}
        self.desk.new(kind=kind, seed=seed_from_number(seed), seats=people, luck=luck, **wishes)
        for name in people.values():
            self.post.address(name, address(name))

    def people(self) -> tuple[str, ...]:
        """The seats."""
        return self.desk.game().seats

    def person(self, seat: str) -> str:
        return NAMES[seat]

    def context(self) -> AbstractContextManager[Context]:
        return _Looking(self.desk)

    def position(self) -> Any:
        """The state in which the open step stands."""
        with self.context() as context:
            return context.before(context.open_step())

    def change(self, changed: Callable[[Any], Any]) -> None:
        """Write another position into the books, which would refuse it, behind their back."""
        with self.context() as context:
            before = context.open_step().predecessor
            state = encode(context.kind.rules.dump(changed(context.before(context.open_step()))))
            step = context.books.step(GAME, before)
            link = next(one for one in context.books.links(GAME) if one.step == step.name)
            sealed = compute_commitment(context.game.seed, link.step, "", "state", state)
        with sqlite3.connect(self.path) as database:
            given = (state, GAME, before)
            database.execute("UPDATE steps SET state = ? WHERE game = ? AND number = ?", given)
            promised = (encode({**link.commitments, "state": sealed}).decode(), GAME, link.number)
            sql = "UPDATE links SET commitments = ? WHERE game = ? AND number = ?"
            database.execute(sql, promised)
        database.close()

    def choices(self, who: str, seed: int) -> dict[str, dict[str, Any]]:
        """What every seat orders that owes something: a bot's choice or a random one."""
        with self.context() as context:
            step = context.open_step()
            state, rules = context.before(step), context.kind.rules
            dice = Dice(derive_dice_key(seed_from_number(seed)), step.dice)
            return {
                seat: dict(getattr(rules, who)(rules.view(state, seat), seat, dice))
                for seat in context.due_in(state)
            }

    def order(self, seat: str, orders: Mapping[str, Any], *more: str) -> None:
        with self.context() as context:
            spelled = spell_orders(context.kind.form(context.open_step().phase), orders)
            text = format_block(spelled or {"pass": True})
        self.say(seat, *text.splitlines(), "ready: yes", *more)

    def say(self, seat: str, *lines: str) -> None:
        """A letter with the seat's key."""
        number = self.desk.seating(seat).number if seat in NAMES else 0
        with self.context() as context:
            step = current_step(context).name
        head = (f"game: {GAME}", f"step: {step}")
        key = f"key: {self.post.key(seat, step, seating=number)}"
        sender = address(NAMES[seat]) if seat in NAMES else HOUSE.gm[0]
        self.mail.write(sender, "\n".join([*head, key, *lines, "# end of orders"]))

    def close(self) -> Step:
        """Let the deadline and its grace pass."""
        step = self.desk.step()
        assert step.deadline is not None
        self.wait(step.deadline)
        if self.desk.game().open_step == step.number:
            self.wait(step.deadline + timedelta(minutes=31))
        assert self.desk.see(lambda books: books.step(GAME, step.number)).closed
        return step

    def finish(self) -> Step:
        """Close the step, and those after it in which somebody is asked in mid-turn."""
        step = self.close()
        while not self.over() and self.somebody_is_asked():
            self.close()
        return step

    def somebody_is_asked(self) -> bool:
        """Whether those who are not asked wait for their reports."""
        with self.context() as context:
            return is_held_back(context.due_in(context.before(context.open_step())), None)

    def wait(self, until: datetime) -> None:
        """Let time pass as the daemon does, round by round, so that no outage is seen."""
        self.round()
        while self.desk.at < until:
            self.desk.at = min(self.desk.at + timedelta(minutes=50), until)
            self.round()

    def round(self) -> None:
        at = self.desk.at
        with self.desk.store.writing() as books:
            tick(books, self.desk.library, GAME, at=at, read_until=at, boot=at.timestamp())
        self.mail.deliver()

    def got(self, reader: str) -> list[bytes]:
        """Every letter that somebody was sent, as bytes, in order."""
        return self.mail.got(reader)

    def over(self) -> bool:
        return self.desk.game().open_step is None


class _Looking(AbstractContextManager[Context]):
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._ends = ExitStack()

    def __enter__(self) -> Context:
        books = self._ends.enter_context(self._desk.store.reading())
        return Context(books, self._desk.library, GAME, self._desk.at)

    def __exit__(self, *_: object) -> None:
        self._ends.close()


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def copy_of(world: World, path: Path, ends: ExitStack) -> World:
    """The same game once more, in books of its own; from here on they part."""
    path.unlink(missing_ok=True)
    source, target = sqlite3.connect(world.path), sqlite3.connect(path)
    with source, target:
        source.backup(target)
    source.close()
    target.close()
    made = World(path, world.desk.library, ends)
    made.desk.at = world.desk.at
    made.mail.written.update(world.mail.written)
    if world.mail.writes_late:
        made.mail.write_late()
    return made


def events_of(world: World, step: Step) -> list[Event]:
    """What has happened from a step on, secret or not."""
    steps = world.desk.see(lambda books: books.steps(GAME))
    later = [one for one in steps if one.number >= step.number and one.closed]
    return [event for one in later for event in msgspec.convert(decode(one.events), list[Event])]
