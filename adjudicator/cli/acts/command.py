"""Commands for the GM's acts, each made from the act's declaration."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.cli.acts.running import GAVE_AWAY, find_early, run_act, word_performed
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import (
    complete_games,
    complete_values,
    find_game,
    read_text_file,
)
from adjudicator.cli.terminal.options import (
    Setting,
    format_example,
    home_option,
    json_option,
    reveal_option,
)
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.core.document import Document
from adjudicator.desk.acts import find_act
from adjudicator.desk.acts.act import Act, Argument, find_exact_seat, read_arguments
from adjudicator.desk.acts.perform import Performed, find_last_game
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Misused, Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.requests.envelope import (
    Envelope,
    OrderBlock,
    black_out_keys,
    parse_block,
)


def make_command(name: str) -> click.Command:
    """Make the command for the act of this name."""
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
        work = _make_parameter(argument)(work)
    work = click.argument("game", required=not act.any_game, shell_complete=complete_games)(work)
    return click.command(
        name, help="\n\n".join(filter(None, (act.help, act.about))), epilog=_format_examples(act)
    )(click.pass_context(work))


def _format_examples(act: Act) -> str:
    lines = []
    for line in act.examples:
        before, pipe, after = line.rpartition("| ")
        lines.append(f"{before}{pipe}adjudicator {after}")
    return format_example(*lines)


def _make_parameter(argument: Argument) -> Callable[[Any], Any]:
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


class _Request(Struct, frozen=True, kw_only=True):
    """An act requested at the command line."""

    click: click.Context
    act: Act
    game: str
    dry_run: bool
    yes: bool = False
    reveal: bool = False
    as_json: bool = False

    @property
    def setting(self) -> Setting:
        """The environment of the command."""
        setting: Setting = self.click.obj
        return setting


def _run(context: click.Context, act: Act, params: dict[str, Any]) -> None:
    flags = [name for name in ("dry_run", "yes", "reveal", "as_json") if name in params]
    own = {name: params.pop(name) for name in flags}
    game = _find_game(context.obj, params.pop("game"))
    request = _Request(click=context, act=act, game=game, **own)
    arguments = _prepare(request, {name: it for name, it in params.items() if it is not None})
    if request.reveal:
        request.setting.office.record_look(request.game, request.act.reveal)
    for argument in act.arguments:
        if argument.kind.source == "form":
            seat = str(arguments.get("seat", ""))
            arguments[argument.name] = _read_form(
                request.setting, game, seat, arguments[argument.name]
            )
        elif argument.kind.source == "text":
            arguments[argument.name] = _read_message(arguments.get(argument.name))
        elif argument.kind.source == "position":
            _edit(request, argument, arguments)
            return
    _finish(request, arguments)


def _edit(request: _Request, position: Argument, arguments: dict[str, Any]) -> None:
    """Do an act whose position is written in an editor or read from a file."""
    from adjudicator.cli.acts.editor import edit_position_by_hand
    from adjudicator.desk.acts.edit import WholePosition

    for one in request.act.arguments:
        if one is not position and one.required and not str(arguments.get(one.name, "")).strip():
            raise Refused(f"{one.label} is missing")
    file = arguments.pop(position.name, None)

    def attempt(document: Document) -> None:
        _finish(request, {**arguments, position.name: WholePosition(document)})

    edit_position_by_hand(
        request.setting, request.game, file=file, reveal=request.reveal, attempt=attempt
    )


def _find_game(setting: Setting, name: str | None) -> str:
    with setting.office.reading() as books:
        return find_last_game(books) if name is None else find_game(books, name).id


def _prepare(request: _Request, arguments: dict[str, Any]) -> dict[str, Any]:
    """Prepare what must be known before the transaction begins, asking at a terminal."""
    act, office = request.act, request.setting.office
    early = [one for one in act.arguments if one.early and one.name not in arguments]
    asks = act.asks and not request.yes and not request.dry_run and questions.can_ask()
    if not early and not asks:
        return arguments
    with office.reading() as books:
        context = Context(books, office.library, request.game, office.at)
        arguments = find_early(context, act, arguments)
        loss = act.confirm(context, **read_arguments(context, act, arguments)) if asks else None
    if loss is None:
        return arguments
    questions.confirm_loss(loss.sentence)
    return {**arguments, "yes": True}


def _finish(request: _Request, arguments: Mapping[str, Any]) -> None:
    """Do the act and print its outcome."""
    office, as_json = request.setting.office, request.as_json
    yes = request.yes or bool(arguments.get("yes"))
    if request.act.exports and not request.dry_run:
        from adjudicator.cli.archives import export_game

        _perform(request, arguments, dry_run=True, yes=yes)  # nothing is written before a refusal
        folder, _ = export_game(office, request.game, None)
        print_note(f"Archive written: {folder}")
    dry_run = request.dry_run
    performed_act, kind, secrets = _perform(request, arguments, dry_run=dry_run, yes=yes or dry_run)
    outcome = performed_act.done
    if as_json:
        more_facts = {"report": secrets, "dry_run": dry_run}
        facts = outcome.facts or {}
        print_document({**facts, **{key: more_facts[key] for key in more_facts if key in facts}})
    elif outcome.document is not None:
        print_data(office.printed(outcome.template, outcome.document, kind))
    else:
        _print(request, performed_act)
        if secrets is not None:
            print_data(f"\n{office.printed(outcome.template, secrets, kind)}")
    if dry_run:
        print_note("Nothing was changed: this was a dry run.")
    if outcome.failed:
        request.click.exit(1)


def _perform(
    request: _Request, arguments: Mapping[str, Any], *, dry_run: bool, yes: bool
) -> tuple[Performed, str, Document | None]:
    return run_act(
        request.setting.office,
        request.act,
        request.game,
        arguments,
        dry_run=dry_run,
        yes=yes,
        reveal=request.reveal,
        warn=print_note,
    )


def _print(request: _Request, performed_act: Performed) -> None:
    outcome, is_trial = performed_act.done, request.dry_run
    print_data("\n".join(word_performed(request.game, performed_act, is_trial=is_trial)))
    if outcome.next and not is_trial:
        command, *rest = outcome.next
        acts = find_act(command).arguments
        flags = {one.name.replace("_", "-") for one in acts if one.place == "flag"}
        words = [f"--{word}" if word in flags else word for word in rest]
        print_note(f"Next: adjudicator {' '.join([command, request.game, *words])}")


# where long arguments come from: a file with an order form, a message


def _read_form(setting: Setting, game: str, seat: str, file: str) -> OrderBlock:
    """Read the order form in a file, or in a letter pasted into it."""
    from adjudicator.adapters.mail.inbound.candidates import parse_pasted

    office = setting.office
    with office.reading() as books:
        find_exact_seat(books.game(game).seats, seat)
    text = read_text_file(file, "order form")
    orders, source = parse_pasted(text)
    if not text.strip():
        raise Refused(f"{file}: the form is empty; to order nothing, write `pass: yes`")
    block = parse_block(orders, source=source)
    with office.reading() as books:
        secret = office.secret(books)
        _refuse_other_key(books, secret, game, seat, block.envelope)
        block = black_out_keys(books, secret, block)
    if block.gave_away:
        print_note(GAVE_AWAY)
    return block


def _refuse_other_key(books: Books, secret: bytes, game: str, seat: str, head: Envelope) -> None:
    """Refuse a form with another seat's key, a sign of mixed-up files; a form may have no key."""
    from adjudicator.core.names import match_exactly
    from adjudicator.desk.inbox.proof import find_key_holder
    from adjudicator.desk.model.people import GM

    if head.key is None:
        return
    seats = books.game(game).seats
    holder = find_key_holder(books, secret, replace(head, game=game))
    if holder is not None and holder.seat not in (match_exactly(seat, seats), GM):
        raise Refused(
            f"the key in this form is {holder.seat}'s, so these are not orders for {seat}; "
            "nothing was put on file. If they are, remove the line with the key"
        )


def _read_message(text: str | None) -> str:
    """Read the message: as given, from standard input, or from an editor at a terminal."""
    if text is not None and text != "-":
        return text
    if text is None and questions.can_ask():
        message = click.edit()
        return message or ""
    return sys.stdin.read()
