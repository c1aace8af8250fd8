"""What the GM's acts share: one transaction over a named game, which can be a dry run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from msgspec import Struct

from adjudicator.cli.terminal.arguments import find_game
from adjudicator.cli.terminal.options import Setting
from adjudicator.cli.terminal.output import print_note
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, Status, Step
from adjudicator.desk.steps.advance import StepClosing

_F = TypeVar("_F", bound=Callable[..., Any])


class GameTransaction(Struct, frozen=True):
    """A transaction at the desk, under way."""

    office: Office
    books: Books
    game: Game


@contextmanager
def open_transaction(setting: Setting, game: str, *, dry_run: bool) -> Iterator[GameTransaction]:
    """One transaction over the game of this name; said at its end if it was only tried."""
    office = setting.office
    with office.acting(dry_run=dry_run) as books:
        yield GameTransaction(office, books, find_game(books, game))
    if dry_run:
        print_note("Nothing was changed: this was a dry run.")


def dry_run_option(command: _F) -> _F:
    """--dry-run: do it, tell what came of it, undo it."""
    return click.option(
        "--dry-run", is_flag=True, help="Only tell what would change and what would go out."
    )(command)


def describe_deadline(act: GameTransaction, step: Step) -> str:
    """The step's deadline in the game's own zone."""
    from adjudicator.desk.model.deadlines import deadline_words
    from adjudicator.desk.model.settings import settings_of

    if step.deadline is None:
        return "no deadline, the GM closes by hand"
    return "deadline " + deadline_words(step.deadline, settings_of(act.game.settings).zone)


def describe_closing(act: GameTransaction, closing: StepClosing, done: str) -> str:
    """What came of an act that changed the state; no secrets."""
    lines = [f"{closing.game.id}: {closing.step.name} {done}."]
    lines.append(_next(act, closing))
    by_seat = [f"{letter.kind} {letter.number} to {letter.seat}" for letter in closing.letters]
    lines.append(f"Letters: {', '.join(by_seat) or 'none'}.")
    lines += [f"Note: {note}" for note in closing.notes]
    return "\n".join(lines)


def _next(act: GameTransaction, closing: StepClosing) -> str:
    from adjudicator.desk.steps.close import missing_seats

    if closing.opened is None:
        over = closing.game.status == Status.OVER
        return "The game is over." if over else f"{closing.game.id} is open again."
    waits = missing_seats(act.books, act.office.library, closing.game.id)
    whom = f"waits for {', '.join(waits)}" if waits else "waits for nobody"
    return f"Now open: {closing.opened.name}, {describe_deadline(act, closing.opened)}; {whom}."
