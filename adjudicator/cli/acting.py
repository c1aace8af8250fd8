"""What the GM's acts share: one transaction over a game that was named, which can be tried."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from msgspec import Struct

from adjudicator.cli.naming import game_of
from adjudicator.cli.options import Setting
from adjudicator.cli.output import say
from adjudicator.cli.wiring import Office
from adjudicator.desk.closing import Closing
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Game, Status, Step

F = TypeVar("F", bound=Callable[..., Any])


class Act(Struct, frozen=True):
    """A transaction at the desk, under way."""

    office: Office
    books: Books
    game: Game


@contextmanager
def act(setting: Setting, game: str, *, dry_run: bool) -> Iterator[Act]:
    """One transaction over the game of this name; said at its end if it was only tried."""
    office = setting.office
    with office.acting(dry_run=dry_run) as books:
        yield Act(office, books, game_of(books, game))
    if dry_run:
        say("Nothing was changed: this was a dry run.")


def dry_run_option(command: F) -> F:
    """--dry-run: do it, tell what came of it, undo it."""
    return click.option(
        "--dry-run", is_flag=True, help="Only tell what would change and what would go out."
    )(command)


def deadline_of(act: Act, step: Step) -> str:
    """The step's deadline in the game's own zone."""
    from adjudicator.desk.deadlines import words
    from adjudicator.desk.settings import settings_of

    if step.deadline is None:
        return "no deadline, the GM closes by hand"
    return "deadline " + words(step.deadline, settings_of(act.game.settings).zone)


def told(act: Act, closing: Closing, done: str) -> str:
    """What came of an act that changed the state; no secrets."""
    lines = [f"{closing.game.id}: {closing.step.name} {done}."]
    lines.append(_next(act, closing))
    by_seat = [f"{letter.kind} {letter.number} to {letter.seat}" for letter in closing.letters]
    lines.append(f"Letters: {', '.join(by_seat) or 'none'}.")
    lines += [f"Note: {note}" for note in closing.notes]
    return "\n".join(lines)


def _next(act: Act, closing: Closing) -> str:
    from adjudicator.desk.close import missing

    if closing.opened is None:
        over = closing.game.status == Status.OVER
        return "The game is over." if over else f"{closing.game.id} is open again."
    waits = missing(act.books, act.office.library, closing.game.id)
    whom = f"waits for {', '.join(waits)}" if waits else "waits for nobody"
    return f"Now open: {closing.opened.name}, {deadline_of(act, closing.opened)}; {whom}."
