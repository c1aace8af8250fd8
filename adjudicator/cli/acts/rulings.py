"""Putting things right: edit, rollback, note, accept, end."""

import os
from collections.abc import Mapping
from typing import Any

import click
from msgspec import Struct

from adjudicator.cli.acts.transaction import (
    GameTransaction,
    describe_closing,
    dry_run_option,
    open_transaction,
)
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import (
    decode_file,
    find_exact_seat,
    game_argument,
    read_text_file,
)
from adjudicator.cli.terminal.options import Setting, example, home_option, reveal_option
from adjudicator.cli.terminal.output import print_data, print_note
from adjudicator.core.document import Impossible
from adjudicator.core.hidden_parts import has_secret, remove_secrets, restore_secrets
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import find_step

_OPENED = 30
"""So often an editor is opened; only a program saves what is impossible every time."""
_FAULT = "# NOT POSSIBLE: "
_HEAD = """\
# The position of {game}. Change it, save it and leave the editor.
# Leave it as it is, or empty it, to change nothing. A part (a key at the margin)
# that you take out whole stays as it was; to clear it write it empty, as in
# `tokens: {{}}`. Inside a part counts what stands there: what you take out goes.
"""
_HIDDEN = """\
# What is secret is left out and stays as it is: {keys}.
# With --reveal it is shown, and the history says so.
"""


class PositionEdit(Struct, frozen=True, kw_only=True):
    """What the GM wants to change, and how it was."""

    setting: Setting
    game: str
    reason: str
    dry_run: bool
    before: Mapping[str, Any]
    secret: tuple[str, ...]
    """What is not shown (core/hidden_parts.py); it stays as it is unless the GM writes it."""

    def made(self, text: str) -> str:
        """Put the position that the text describes in the place of the present one."""
        from adjudicator.adapters.yaml.reader import Unreadable, load_yaml
        from adjudicator.desk.acts.edit import edit_position as rule

        try:
            document = load_yaml(text)
        except Unreadable as fault:
            raise Refused(str(fault)) from fault
        if not isinstance(document, dict):
            raise Refused("a position is a mapping: `turn: 4`, `fleets: {red: {A1: 5}}` and so on")
        with open_transaction(self.setting, self.game, dry_run=self.dry_run) as now:
            closing = rule(
                now.books,
                now.office.library,
                now.game.id,
                restore_secrets({**self.before, **document}, self.before, self.secret),
                reason=self.reason,
                at=now.office.at,
            )
            return describe_closing(now, closing, "is a ruling")

    def page(self) -> str:
        """What the editor shows first."""
        from adjudicator.adapters.render.text_layout import block

        hidden = [secret for secret in self.secret if has_secret(self.before, secret)]
        head = _HEAD.format(game=self.game)
        if hidden:
            head += _HIDDEN.format(keys=", ".join(hidden))
        return f"{head}{block(remove_secrets(self.before, self.secret))}\n"


@click.command(
    epilog=example(
        "adjudicator edit ember --reason 'fleets were lost in a misread letter'",
        "adjudicator edit ember --file position.yaml --reason 'as agreed' --dry-run",
    )
)
@game_argument
@click.option("--reason", required=True, help="Why; everybody is told.")
@click.option("--file", help="Take the position from this file; no editor is opened.")
@reveal_option
@dry_run_option
@home_option
@click.pass_obj
def edit_command(
    setting: Setting,
    game: str,
    reason: str,
    file: str | None,
    reveal: bool,  # noqa: FBT001
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Change the position in $EDITOR, as a ruling with its reason.

    What comes out of the editor is checked as every position is; an
    impossible one opens the editor again and says what is wrong. A part (a key
    at the margin, as `planets`) that the editor or FILE leaves out stays as it
    is; one that is there takes the place of the old one whole. To change a
    single place inside a part, write `edit` in a letter of the GM's.
    """
    from adjudicator.desk.acts.edit import open_position
    from adjudicator.desk.questions.screens import record_look

    if not reason.strip():
        raise Refused(f"{game}: a ruling needs its reason; the players will read it")
    with open_transaction(setting, game, dry_run=False) as now:
        before = open_position(now.books, now.office.library, now.game.id)
        if file is None and not _anybody_edits():
            raise Refused(
                "there is no terminal for an editor here; set EDITOR to a program, or give the "
                "position with --file"
            )
        secret = () if reveal else _secrets(now)
        if reveal:
            record_look(now.books, now.game.id, "the whole position, to edit it", at=now.office.at)
    ruling = PositionEdit(
        setting=setting,
        game=game,
        reason=reason,
        dry_run=dry_run,
        before=before,
        secret=secret,
    )
    if file is None:
        _in_editor(ruling)
    else:
        print_data(ruling.made(read_text_file(file, "position")))


def _secrets(now: GameTransaction) -> tuple[str, ...]:
    """The parts of the position that not everybody may know, as the game's rules name them."""
    rules = now.office.library.kind(now.game.kind, now.game.components).rules
    named = getattr(rules, "secrets", None)
    if named is None:
        raise Refused(
            f"{now.game.id}: {now.game.kind} does not say what of a position is secret; "
            "add --reveal to see all of it"
        )
    return tuple(named)


def _anybody_edits() -> bool:
    """Whether an editor is named that may need no terminal, or somebody sits at one."""
    return questions.can_ask() or any(os.environ.get(name) for name in ("VISUAL", "EDITOR"))


def _in_editor(ruling: PositionEdit) -> None:
    original = text = ruling.page()
    fault = ""
    for time in range(_OPENED):
        said = "".join(f"{_FAULT}{line}\n" for line in fault.splitlines())
        edited = _saved(ruling, said + text, again=bool(time))
        if edited is None or not _bare(edited) or _bare(edited) == _bare(original):
            print_note(f"{ruling.game}: nothing was changed.")
            return
        before, text = text, _without_faults(edited)
        try:
            print_data(ruling.made(text))
        except (Impossible, Refused) as wrong:
            fault = str(wrong)
            if text == before:  # it came back as it was: no use to open it a third time
                break
        else:
            return
    raise Refused(f"{fault}{_kept(ruling, text)}")


def _saved(ruling: PositionEdit, text: str, *, again: bool) -> str | None:
    """What the editor leaves, None where it was not saved; of a second time all is kept."""
    try:
        saved = click.edit(text.encode(), extension=".yaml", require_save=not again)
    except click.ClickException as fault:
        way = "set EDITOR to another one, or give the position with --file"
        kept = _kept(ruling, _without_faults(text)) if again else ""
        said = fault.format_message().rstrip(".")
        raise Refused(f"{said}; nothing was changed. Try again, {way}{kept}") from fault
    return None if saved is None else decode_file(saved).replace("\r\n", "\n")


def _without_faults(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_FAULT))


def _kept(ruling: PositionEdit, text: str) -> str:
    """Where the GM finds again what was written in vain."""
    path = ruling.setting.office.home.path / f"{ruling.game}-position.yaml"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_text(text, encoding="utf-8")
    except OSError:
        return ""
    return f" (what you wrote is in {path}; mend it and give it with --file)"


def _bare(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and line[0] != "#"]


@click.command(
    epilog=example(
        "adjudicator rollback ember 3-plan",
        "adjudicator rollback ember 3 --same-dice",
        "adjudicator rollback ember 3 --back",
    )
)
@game_argument
@click.argument("step")
@click.option("--same-dice", is_flag=True, help="Keep the dice: before its reports went out.")
@click.option("--back", is_flag=True, help="Take the last rollback back, to before this step.")
@dry_run_option
@home_option
@click.pass_obj
def rollback_command(
    setting: Setting,
    game: str,
    step: str,
    same_dice: bool,  # noqa: FBT001
    back: bool,  # noqa: FBT001
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Strike STEP and all after it, and play it again under a new number."""
    from adjudicator.desk.acts.rollback import roll_back as go_back

    if back and same_dice:
        raise click.UsageError("--back plays nothing again, so --same-dice does not go with it")
    with open_transaction(setting, game, dry_run=dry_run) as now:
        name = find_step(now.books, now.game.id, step, prefer="first").name
        closing = go_back(
            now.books,
            now.office.library,
            now.game.id,
            name,
            same_dice=same_dice,
            back=back,
            at=now.office.at,
        )
        came = "counts again" if back else "is struck"
        text = describe_closing(now, closing, f"{came}, with all that came after it")
    print_data(text)


@click.command(epilog=example("adjudicator note ember 'Bo is on holiday until Friday.'"))
@game_argument
@click.argument("text", nargs=-1, required=True)
@dry_run_option
@home_option
@click.pass_obj
def note_command(setting: Setting, game: str, text: tuple[str, ...], dry_run: bool) -> None:  # noqa: FBT001
    """Write TEXT into the history."""
    from adjudicator.desk.acts.notes import add_note as write

    with open_transaction(setting, game, dry_run=dry_run) as now:
        written = write(
            now.books, now.office.library, now.game.id, " ".join(text), at=now.office.at
        )
    print_data(f"{now.game.id}: note {written.number} is in the history.")


@click.command(epilog=example("adjudicator accept ember"))
@game_argument
@dry_run_option
@home_option
@click.pass_obj
def accept_command(setting: Setting, game: str, dry_run: bool) -> None:  # noqa: FBT001
    """Let a game go on under rules that have changed since it began."""
    from adjudicator.desk.acts.notes import accept_rules as agree

    with open_transaction(setting, game, dry_run=dry_run) as now:
        agree(now.books, now.office.library, now.game.id, at=now.office.at)
    print_data(f"{now.game.id} goes on under the rules as they are now.")


@click.command(
    epilog=example(
        "adjudicator end ember --reason 'all voted for a draw'",
        "adjudicator end ember --winner red --reason 'the others conceded'",
    )
)
@game_argument
@click.option("--winner", "winners", multiple=True, metavar="SEAT", help="Again for a shared win.")
@click.option("--reason", required=True, help="Why; it is told to everybody.")
@dry_run_option
@home_option
@click.pass_obj
def end_command(
    setting: Setting,
    game: str,
    winners: tuple[str, ...],
    reason: str,
    dry_run: bool,  # noqa: FBT001
) -> None:
    """End a game before its rules do; without a winner it is drawn."""
    from adjudicator.desk.acts.end import end_game as finish

    with open_transaction(setting, game, dry_run=dry_run) as now:
        seats = [find_exact_seat(now.game, winner) for winner in winners]
        closing = finish(
            now.books,
            now.office.library,
            now.game.id,
            winners=seats,
            reason=reason,
            at=now.office.at,
        )
        text = describe_closing(now, closing, "ends the game")
    print_data(text)
