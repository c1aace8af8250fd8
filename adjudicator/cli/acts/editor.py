"""Open a position in the GM's editor, again while it is impossible."""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

import click
from msgspec import Struct

from adjudicator.cli.acts.hidden_parts import has_secret, remove_secrets, restore_secrets
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import decode_file, find_game, read_text_file
from adjudicator.cli.terminal.options import Setting
from adjudicator.cli.terminal.output import print_note
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Document, Impossible
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Game

_ERROR_NUMBER = re.compile(r"\[Errno \d+\] ")
_OPENED = 30
"""How often the editor is opened; only a program saves an impossible position each time."""
_FAULT = "# NOT POSSIBLE: "
_HEAD = """\
# The position of {game}. Change it, save it and leave the editor.
# Leave it as it is, or empty it, to change nothing. A part (a key at the margin)
# that you remove stays as it was; to clear it, write it empty, as in
# `tokens: {{}}`. Inside a part, what you remove is gone.
"""
_HIDDEN = """\
# What is secret is left out and stays as it is: {keys}.
# With --reveal they are shown, and the history records it.
"""


Attempt = Callable[[Document], None]
"""Puts a whole position in the place of the present one; raises where it is impossible."""


class PositionEdit(Struct, frozen=True, kw_only=True):
    """A position before and after the GM edited it."""

    setting: Setting
    game: str
    before: Mapping[str, Any]
    secret: tuple[str, ...]
    """What is not shown (cli/acts/hidden_parts.py); it stays as it is unless the GM writes it."""
    attempt: Attempt

    def apply(self, text: str) -> None:
        """Replace the current position by the one that the text describes."""
        from adjudicator.adapters.yaml.reader import Unreadable, load_yaml

        try:
            document = load_yaml(text)
        except Unreadable as fault:
            raise Refused(str(fault)) from fault
        if not isinstance(document, dict):
            raise Refused("a position is a mapping: `turn: 4`, `fleets: {red: {A1: 5}}` and so on")
        self.attempt(restore_secrets({**self.before, **document}, self.before, self.secret))

    def page(self) -> str:
        """Format the text that the editor shows first."""
        from adjudicator.adapters.render.text_layout import format_block

        hidden = [secret for secret in self.secret if has_secret(self.before, secret)]
        head = _HEAD.format(game=self.game)
        if hidden:
            head += _HIDDEN.format(keys=", ".join(hidden))
        return f"{head}{format_block(remove_secrets(self.before, self.secret))}\n"


def edit_position_by_hand(
    setting: Setting, game: str, *, file: str | None, reveal: bool, attempt: Attempt
) -> None:
    """Let the GM write a position, in a file or in an editor, until it is accepted."""
    from adjudicator.desk.acts.edit import open_position
    from adjudicator.desk.model.context import Context

    office = setting.office
    with office.reading() as books:
        found_game = find_game(books, game)
        before = open_position(Context(books, office.library, found_game.id))
    if file is None and not _can_be_edited():
        raise Refused(
            "there is no terminal for an editor here; set EDITOR to a program, or give the "
            "position with --file"
        )
    edit = PositionEdit(
        setting=setting,
        game=game,
        before=before,
        secret=() if reveal else _list_secrets(office, found_game),
        attempt=attempt,
    )
    if file is None:
        _open_editor(edit)
        return
    try:
        edit.apply(read_text_file(file, "position"))
    except (Impossible, Refused) as wrong:
        raise Refused(f"{file}: {wrong}") from wrong


def _list_secrets(office: Office, game: Game) -> tuple[str, ...]:
    """List the secret parts of the position, as named by the game's rules."""
    rules = office.library.kind(game.kind, game.components).rules
    names = getattr(rules, "secrets", None)
    if names is None:
        raise Refused(
            f"{game.id}: {game.kind} does not say which parts of a position are secret; "
            "add --reveal to see all of it"
        )
    return tuple(name.partition(" of ")[0] for name in names)


def _can_be_edited() -> bool:
    """Whether there is an editor that needs no terminal, or a terminal to edit at."""
    return questions.can_ask() or any(os.environ.get(name) for name in ("VISUAL", "EDITOR"))


def _open_editor(ruling: PositionEdit) -> None:
    original = text = ruling.page()
    fault = ""
    for time in range(_OPENED):
        remarks = "".join(f"{_FAULT}{line}\n" for line in fault.splitlines())
        edited = _read_saved(ruling, remarks + text, again=bool(time))
        if (
            edited is None
            or not _strip_comments(edited)
            or _strip_comments(edited) == _strip_comments(original)
        ):
            print_note(f"{ruling.game}: nothing was changed.")
            return
        before, text = text, _drop_faults(edited)
        try:
            ruling.apply(text)
        except (Impossible, Refused) as wrong:
            fault = str(wrong)
            if text == before:  # it came back unchanged: there is no use in opening it a third time
                break
        else:
            return
    raise Refused(f"{fault}{_keep_text(ruling, text)}")


def _read_saved(ruling: PositionEdit, text: str, *, again: bool) -> str | None:
    """Read what the editor saved, None if nothing; a second attempt is read in any case."""
    try:
        content = click.edit(text.encode(), extension=".yaml", require_save=not again)
    except click.ClickException as fault:
        way_out = "set EDITOR to another one, or give the position with --file"
        copy = _keep_text(ruling, _drop_faults(text)) if again else ""
        reason = _ERROR_NUMBER.sub("", fault.format_message()).rstrip(".")
        raise Refused(f"{reason}; nothing was changed. Try again, {way_out}{copy}") from fault
    return None if content is None else decode_file(content).replace("\r\n", "\n")


def _drop_faults(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_FAULT))


def _keep_text(ruling: PositionEdit, text: str) -> str:
    """Keep a rejected text, and return where the GM can find it."""
    path = ruling.setting.office.home.path / f"{ruling.game}-position.yaml"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_text(text, encoding="utf-8")
    except OSError:
        return ""
    return f" (what you wrote is in {path}; correct it and give it with --file)"


def _strip_comments(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and line[0] != "#"]
