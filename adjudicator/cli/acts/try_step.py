"""The command `try`: play a step again without changing the game, and perhaps rule by it."""

from collections.abc import Mapping
from difflib import unified_diff
from typing import Any

import click

from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.cli.terminal.arguments import (
    complete_games,
    complete_seats,
    complete_steps,
    find_game,
    find_seat,
    read_text_file,
)
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Document, decode, encode
from adjudicator.desk.acts.edit import ACT_EDIT, WholePosition, apply_patch
from adjudicator.desk.acts.perform import perform
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Step
from adjudicator.desk.questions.fork import Changes, Fork, fork_step
from adjudicator.desk.steps.lock import lock_game

_KEYS = ("orders", "change")


@command(
    "adjudicator try ember 5.jump --edit changes.yaml",
    "adjudicator try ember 5.jump --edit changes.yaml --same-dice --as-ruling 'a misread letter'",
)
@click.argument("game", shell_complete=complete_games)
@click.argument("step", shell_complete=complete_steps)
@click.option(
    "--edit",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="What to change, as YAML: orders: {red: {…}}, change: {fleets: {red: {A1: 5}}}.",
)
@click.option(
    "--same-dice", is_flag=True, help="Keep the dice of the step; without it they are new."
)
@click.option(
    "--seat",
    shell_complete=complete_seats,
    help="Show it as this seat sees it, not as the public does.",
)
@click.option(
    "--as-ruling",
    "reason",
    metavar="REASON",
    help="Make the outcome the position of the game. All players get the reason.",
)
def try_command(
    setting: Setting,
    game: str,
    step: str,
    edit: str | None,
    same_dice: bool,
    seat: str | None,
    reason: str | None,
    as_json: bool,
) -> None:
    """Show what a step would have brought with other orders, another position or other dice.

    The report is compared line by line with what happened, and the game is not touched. With
    --as-ruling the outcome of the last step becomes the position by a ruling.
    """
    office, edits = setting.office, _read_changes(edit)
    with office.reading() as books:
        found_game = find_game(books, game)
        name = find_step(books, found_game.id, step).name
        reader = find_seat(found_game, seat) if seat else None
    office.record_look(found_game.id, f"{name}, tried again")
    with office.reading() as books:
        context = Context(books, office.library, found_game.id, office.at)
        past_step = find_step(books, found_game.id, name)
        changes = Changes(
            orders=edits.get("orders") or {},
            position=_read_position(context, past_step, edits.get("change")),
            same_dice=same_dice,
        )
        fork = fork_step(context, past_step, changes, reader=reader)
        if reason is not None:
            _require_last(context, past_step)
    if as_json:
        print_document({"happened": fork.happened, "would": fork.would})
    else:
        print_data(_format_difference(office, fork, found_game.kind))
    if reason is None:
        print_note("Nothing was changed: the step was only tried.")
        return
    with office.acting() as books:
        print_note(_make_ruling(books, office, found_game.id, fork, reason))


def _read_changes(file: str | None) -> Mapping[str, Any]:
    changes = load_yaml(read_text_file(file, "file of changes")) if file else {}
    if not isinstance(changes, Mapping) or not set(changes) <= set(_KEYS):
        raise Refused(f"{file}: write `orders:` by seat, `change:` of the position, or both")
    return changes


def _read_position(context: Context, step: Step, change: Any) -> Document | None:
    if not change:
        return None
    before = decode(encode(context.kind.rules.dump(context.before(step))))
    return apply_patch(before, change)


def _require_last(context: Context, step: Step) -> None:
    """Require that nothing was played since: a ruling changes the present position."""
    if context.open_step().predecessor != step.number:
        raise Refused(
            f"{context.id}: {step.name} is not the last step, so its outcome cannot become the "
            "position; roll back to it first"
        )


def _format_difference(office: Office, fork: Fork, kind: str) -> str:
    """Format what would be otherwise in the report, line by line."""
    was = office.printed("report.txt", fork.happened, kind).splitlines()
    would = office.printed("report.txt", fork.would, kind).splitlines()
    names = ("as it happened", "as it would have been")
    lines = list(unified_diff(was, would, *names, n=1, lineterm=""))
    return "\n".join(lines) or "It comes out as it did."


def _make_ruling(books: Books, office: Office, game: str, fork: Fork, reason: str) -> str:
    context = lock_game(books, office.library, game, at=office.at)
    arguments = {"reason": reason, "change": WholePosition(fork.position)}
    return perform(context, ACT_EDIT, arguments).done.sentence
