"""A command for every act of the GM's, made from the act's declaration."""

from collections.abc import Callable, Mapping
from typing import Any

import click
from msgspec import Struct

from adjudicator.cli.acts.sources import read_form, read_message
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import complete_games, complete_values, find_game
from adjudicator.cli.terminal.options import (
    Setting,
    example,
    home_option,
    json_option,
    reveal_option,
)
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.core.document import Document
from adjudicator.desk.acts import find_act
from adjudicator.desk.acts.act import Act, Argument, Call, read_arguments
from adjudicator.desk.acts.perform import Performed, find_last_game, perform
from adjudicator.desk.model.errors import Misused, Refused


def make_command(name: str) -> click.Command:
    """The command of the act of this name."""
    act = find_act(name)

    def callback(context: click.Context, /, **params: Any) -> None:
        try:
            _run(context, act, params)
        except Misused as wrong:
            raise click.UsageError(str(wrong), context) from wrong

    work: Callable[..., Any] = home_option(callback)
    if act.json:
        work = json_option(work)
    if act.reveal:
        work = reveal_option(work)
    if act.asks:
        work = click.option("--yes", is_flag=True, help="Do not ask; do it.")(work)
    work = click.option(
        "--dry-run", is_flag=True, help="Only show what would change and what would go out."
    )(work)
    for argument in reversed(act.arguments):
        work = _parameter(argument)(work)
    work = click.argument("game", required=not act.any_game, shell_complete=complete_games)(work)
    return click.command(
        name, help="\n\n".join(filter(None, (act.help, act.about))), epilog=_examples(act)
    )(click.pass_context(work))


def _examples(act: Act) -> str:
    lines = []
    for line in act.examples:
        before, pipe, after = line.rpartition("| ")
        lines.append(f"{before}{pipe}adjudicator {after}")
    return example(*lines)


def _parameter(argument: Argument) -> Callable[[Any], Any]:
    name, kind = argument.name, argument.kind
    option = f"--{name.replace('_', '-')}"
    complete = complete_values(kind.complete) if kind.complete else None
    if kind.source == "position":
        text = "Take the position from this file; no editor is opened."
        return click.option("--file", name, type=click.Path(), help=text)
    if argument.place == "flag":
        return click.option(option, name, is_flag=True, help=argument.help)
    if argument.place == "option":
        return click.option(
            option,
            name,
            multiple=argument.many,
            required=argument.required and kind.source == "words",
            help=argument.help,
            metavar=argument.metavar,
            shell_complete=complete,
        )
    return click.argument(
        name,
        nargs=-1 if argument.many else 1,
        required=argument.required,
        metavar=argument.metavar,
        type=click.Path(allow_dash=True) if kind.source == "form" else str,
        shell_complete=complete,
    )


class _Asked(Struct, frozen=True, kw_only=True):
    """An act as a command line asks for it."""

    setting: Setting
    act: Act
    game: str
    dry_run: bool
    yes: bool
    reveal: bool
    as_json: bool


def _run(context: click.Context, act: Act, params: dict[str, Any]) -> None:
    setting: Setting = context.obj
    asked = _Asked(
        setting=setting,
        act=act,
        game=_find_game(setting, params.pop("game")),
        dry_run=params.pop("dry_run"),
        yes=params.pop("yes", False),
        reveal=params.pop("reveal", False),
        as_json=params.pop("as_json", False),
    )
    given = {name: value for name, value in params.items() if value is not None}
    given = _early(asked, given)
    if asked.reveal:
        _record_look(asked)
    position = next((one for one in act.arguments if one.kind.source == "position"), None)
    if position is not None:
        for one in act.arguments:
            if one is not position and one.required and not str(given.get(one.name, "")).strip():
                raise Refused(f"{one.label} is missing")
        from adjudicator.cli.acts.editor import edit_position_by_hand
        from adjudicator.desk.acts.edit import WholePosition

        file = given.pop(position.name, None)

        def attempt(document: Document) -> None:
            _finish(context, asked, {**given, position.name: WholePosition(document)})

        edit_position_by_hand(setting, asked.game, file=file, reveal=asked.reveal, attempt=attempt)
        return
    for argument in act.arguments:
        if argument.kind.source == "form":
            seat = str(given.get("seat", ""))
            given[argument.name] = read_form(setting, asked.game, seat, given[argument.name])
        elif argument.kind.source == "text":
            given[argument.name] = read_message(given.get(argument.name))
    _finish(context, asked, given)


def _find_game(setting: Setting, name: str | None) -> str:
    with setting.office.reading() as books:
        if name is None:
            return find_last_game(Call(books, setting.office.library, "", setting.office.at))
        return find_game(books, name).id


def _early(asked: _Asked, given: dict[str, Any]) -> dict[str, Any]:
    """What is known before the transaction begins; whoever sits at a terminal is asked."""
    act, office = asked.act, asked.setting.office
    early = [one for one in act.arguments if one.early and one.name not in given]
    if not early and not (act.asks and questions.can_ask()):
        return given
    with office.reading() as books:
        call = Call(books, office.library, asked.game, office.at)
        meant = {one.name: one.early(call) for one in early if one.early}
        given = {**given, **{name: value for name, value in meant.items() if value is not None}}
        if not act.asks or asked.yes or asked.dry_run or not questions.can_ask():
            return given
        loss = act.confirm(call, **read_arguments(call, act, given))
    if loss is not None:
        print_note(loss.sentence)
        if not questions.ask_yes_no("Go on?", default=False):
            raise Refused("nothing was changed")
        return {**given, "yes": True}
    return given


def _record_look(asked: _Asked) -> None:
    from adjudicator.desk.questions.screens import record_look

    with asked.setting.office.acting() as books:
        record_look(books, asked.game, asked.act.reveal, at=asked.setting.office.at)


def _finish(context: click.Context, asked: _Asked, given: Mapping[str, Any]) -> None:
    """Do the act and say what came of it."""
    office = asked.setting.office
    if asked.act.exports and not asked.dry_run:
        from adjudicator.cli.archives import export_game

        _check(asked, given)
        folder, _ = export_game(office, asked.game, None)
        print_note(f"Archive written: {folder}")
    with office.acting(dry_run=asked.dry_run) as books:
        call = Call(books, office.library, asked.game, office.at)
        yes = asked.yes or asked.dry_run or bool(given.get("yes"))
        made = perform(call, asked.act, given, yes=yes)
        done = made.done
        kind = books.game(asked.game).kind if done.template else ""
        revealed = done.revealed() if asked.reveal and done.revealed else None
    if asked.as_json:
        known = {"report": revealed, "dry_run": asked.dry_run}
        facts = done.facts or {}
        print_document({**facts, **{key: known[key] for key in known if key in facts}})
    elif done.document is not None:
        print_data(office.printed(done.template, done.document, kind))
    else:
        _print(asked, made)
        if revealed is not None:
            print_data(f"\n{office.printed(done.template, revealed, kind)}")
    if asked.dry_run:
        print_note("Nothing was changed: this was a dry run.")
    if done.failed:
        context.exit(1)


def _check(asked: _Asked, given: Mapping[str, Any]) -> None:
    """Refuse before an archive is written what would be refused after it."""
    office = asked.setting.office
    with office.acting(dry_run=True) as books:
        call = Call(books, office.library, asked.game, office.at)
        perform(call, asked.act, given, yes=asked.yes or bool(given.get("yes")))


def _print(asked: _Asked, made: Performed) -> None:
    done = made.done
    lines = [f"{asked.game}: {done.would if asked.dry_run else done.said}"]
    if asked.dry_run and made.loss:
        lines.append(made.loss)
    lines += done.details
    if asked.dry_run and made.changes:
        lines += ["What would change:", *(f"  {one}" for one in made.changes)]
    lines.append(made.letter_line)
    lines += [f"Note: {note}" for note in done.notes]
    print_data("\n".join(lines))
    if done.next and not asked.dry_run:
        print_note(f"To change that: adjudicator {_next(asked, done.next)}")


def _next(asked: _Asked, words: tuple[str, ...]) -> str:
    command, *rest = words
    flags = {
        one.name.replace("_", "-") for one in find_act(command).arguments if one.place == "flag"
    }
    return " ".join([command, asked.game, *(f"--{w}" if w in flags else w for w in rest)])
