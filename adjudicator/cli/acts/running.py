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


def find_early(context: Context, act: Act, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Find the defaults that must be known before the transaction begins."""
    missing = [one for one in act.arguments if one.early and one.name not in arguments]
    defaults = {one.name: one.early(context) for one in missing if one.early}
    return {**arguments, **{name: value for name, value in defaults.items() if value is not None}}


def run_act(
    office: Office,
    act: Act,
    game: str,
    arguments: Mapping[str, Any],
    *,
    dry_run: bool,
    yes: bool,
    reveal: bool = False,
    warn: Callable[[str], None],
) -> tuple[Performed, str, Document | None]:
    """Perform the act in a transaction; returns its outcome, the kind and what is revealed."""
    with office.acting(dry_run=dry_run) as books:
        context = lock_game(books, office.library, game, at=office.at)
        performed_act = perform(context, act, _hide_keys(office, books, arguments, warn), yes=yes)
        outcome = performed_act.done
        kind = context.game.kind if outcome.template else ""
        secrets = outcome.revealed() if reveal and outcome.revealed else None
        return performed_act, kind, secrets


def _hide_keys(
    office: Office, books: Books, arguments: Mapping[str, Any], warn: Callable[[str], None]
) -> dict[str, Any]:
    """Hide keys and tokens in the arguments, since players read what the GM writes."""
    words = {name: one for name, one in arguments.items() if isinstance(one, str | list | tuple)}
    hidden = hide_keys(books, office.secret(books), words)
    if hidden != words:
        warn(GAVE_AWAY)
    return {**arguments, **hidden}


def word_performed(game: str, performed_act: Performed, *, is_trial: bool) -> list[str]:
    """Word what an act did, or would do, in lines."""
    outcome = performed_act.done
    lines = [f"{game}: {outcome.would if is_trial else outcome.sentence}"]
    if is_trial and performed_act.loss:
        lines.append(performed_act.loss)
    lines += outcome.details
    if is_trial and performed_act.changes:
        lines += ["What would change:", *(f"  {one}" for one in performed_act.changes)]
    return [*lines, performed_act.letter_line, *(f"Note: {note}" for note in outcome.notes)]
