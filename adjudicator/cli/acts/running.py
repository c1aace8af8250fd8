"""Run an act by hand, at a command line or on a screen, and word what it brought."""

from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.cli.wiring import Office
from adjudicator.core.document import Document
from adjudicator.desk.acts.act import Act
from adjudicator.desk.acts.perform import Performed, perform
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.ports import Books
from adjudicator.desk.requests.envelope import hide_keys
from adjudicator.desk.steps.lock import lock_game

GAVE_AWAY = (
    "Note: a key, or the Message-ID of a letter of this server, would have been read by others; "
    "it was blacked out."
)


def find_early(context: Context, act: Act, given: Mapping[str, Any]) -> dict[str, Any]:
    """Find the defaults that must be known before the transaction begins."""
    missing = [one for one in act.arguments if one.early and one.name not in given]
    meant = {one.name: one.early(context) for one in missing if one.early}
    return {**given, **{name: value for name, value in meant.items() if value is not None}}


def run_act(
    office: Office,
    act: Act,
    game: str,
    given: Mapping[str, Any],
    *,
    dry_run: bool,
    yes: bool,
    reveal: bool = False,
    warn: Callable[[str], None],
) -> tuple[Performed, str, Document | None]:
    """Perform the act in a transaction; returns its outcome, the kind and what is revealed."""
    with office.acting(dry_run=dry_run) as books:
        context = lock_game(books, office.library, game, at=office.at)
        made = perform(context, act, _hide_keys(office, books, given, warn), yes=yes)
        done = made.done
        kind = context.game.kind if done.template else ""
        revealed = done.revealed() if reveal and done.revealed else None
        return made, kind, revealed


def _hide_keys(
    office: Office, books: Books, given: Mapping[str, Any], warn: Callable[[str], None]
) -> dict[str, Any]:
    """Hide keys and tokens in the arguments, since players read what the GM writes."""
    words = {name: one for name, one in given.items() if isinstance(one, str | list | tuple)}
    hidden = hide_keys(books, office.secret(books), words)
    if hidden != words:
        warn(GAVE_AWAY)
    return {**given, **hidden}


def word_performed(game: str, made: Performed, *, tried: bool) -> list[str]:
    """Word what an act did, or would do, in lines."""
    done = made.done
    lines = [f"{game}: {done.would if tried else done.said}"]
    if tried and made.loss:
        lines.append(made.loss)
    lines += done.details
    if tried and made.changes:
        lines += ["What would change:", *(f"  {one}" for one in made.changes)]
    return [*lines, made.letter_line, *(f"Note: {note}" for note in done.notes)]
