"""A ruling: the position itself is changed, in the GM's editor."""

import os
from collections.abc import Mapping
from typing import Any

import click
from msgspec import Struct

from adjudicator.cli import asking
from adjudicator.cli.acting import Act, act, dry_run_option, told
from adjudicator.cli.completing import game_argument
from adjudicator.cli.filetext import decoded, text_of
from adjudicator.cli.options import Setting, example, home_option, reveal_option
from adjudicator.cli.output import data, say
from adjudicator.core.document import Impossible
from adjudicator.core.secrecy import holds, open_part, with_secrets
from adjudicator.desk.errors import Refused

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


class Ruling(Struct, frozen=True, kw_only=True):
    """What the GM wants to change, and how it was."""

    setting: Setting
    game: str
    reason: str
    dry_run: bool
    before: Mapping[str, Any]
    secret: tuple[str, ...]
    """What is not shown (core/secrecy.py); it stays as it is unless the GM writes it."""

    def made(self, text: str) -> str:
        """Put the position that the text describes in the place of the present one."""
        from adjudicator.adapters.yamltext import Unreadable, load
        from adjudicator.desk.edit import edit as rule

        try:
            document = load(text)
        except Unreadable as fault:
            raise Refused(str(fault)) from fault
        if not isinstance(document, dict):
            raise Refused("a position is a mapping: `turn: 4`, `fleets: {red: {A1: 5}}` and so on")
        with act(self.setting, self.game, dry_run=self.dry_run) as now:
            closing = rule(
                now.books,
                now.office.library,
                now.game.id,
                with_secrets({**self.before, **document}, self.before, self.secret),
                reason=self.reason,
                at=now.office.at,
            )
            return told(now, closing, "is a ruling")

    def page(self) -> str:
        """What the editor shows first."""
        from adjudicator.adapters.layout import block

        hidden = [secret for secret in self.secret if holds(self.before, secret)]
        head = _HEAD.format(game=self.game)
        if hidden:
            head += _HIDDEN.format(keys=", ".join(hidden))
        return f"{head}{block(open_part(self.before, self.secret))}\n"


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
def edit(
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
    from adjudicator.desk import look
    from adjudicator.desk.edit import position

    if not reason.strip():
        raise Refused(f"{game}: a ruling needs its reason; the players will read it")
    with act(setting, game, dry_run=False) as now:
        before = position(now.books, now.office.library, now.game.id)
        if file is None and not _anybody_edits():
            raise Refused(
                "there is no terminal for an editor here; set EDITOR to a program, or give the "
                "position with --file"
            )
        secret = () if reveal else _secrets(now)
        if reveal:
            look.reveal(now.books, now.game.id, "the whole position, to edit it", at=now.office.at)
    ruling = Ruling(
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
        data(ruling.made(text_of(file, "position")))


def _secrets(now: Act) -> tuple[str, ...]:
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
    return asking.possible() or any(os.environ.get(name) for name in ("VISUAL", "EDITOR"))


def _in_editor(ruling: Ruling) -> None:
    original = text = ruling.page()
    fault = ""
    for time in range(_OPENED):
        said = "".join(f"{_FAULT}{line}\n" for line in fault.splitlines())
        edited = _saved(ruling, said + text, again=bool(time))
        if edited is None or not _bare(edited) or _bare(edited) == _bare(original):
            say(f"{ruling.game}: nothing was changed.")
            return
        before, text = text, _without_faults(edited)
        try:
            data(ruling.made(text))
        except (Impossible, Refused) as wrong:
            fault = str(wrong)
            if text == before:  # it came back as it was: no use to open it a third time
                break
        else:
            return
    raise Refused(f"{fault}{_kept(ruling, text)}")


def _saved(ruling: Ruling, text: str, *, again: bool) -> str | None:
    """What the editor leaves, None where it was not saved; of a second time all is kept."""
    try:
        saved = click.edit(text.encode(), extension=".yaml", require_save=not again)
    except click.ClickException as fault:
        way = "set EDITOR to another one, or give the position with --file"
        kept = _kept(ruling, _without_faults(text)) if again else ""
        said = fault.format_message().rstrip(".")
        raise Refused(f"{said}; nothing was changed. Try again, {way}{kept}") from fault
    return None if saved is None else decoded(saved).replace("\r\n", "\n")


def _without_faults(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_FAULT))


def _kept(ruling: Ruling, text: str) -> str:
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
