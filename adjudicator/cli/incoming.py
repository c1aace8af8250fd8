"""Letters in, by hand: inspect, receive."""

from os import fstat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.desk.model.mail import IncomingLetter

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office
    from adjudicator.core.finding import Finding
    from adjudicator.desk.model.people import House
    from adjudicator.desk.model.ports import Books


@click.command(
    epilog=example(
        "adjudicator inspect reply.eml",
        "adjudicator inspect --json *.eml",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.eml...", type=click.Path())
@json_option
@click.pass_context
def inspect_command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:  # noqa: FBT001
    """Show what the server would read in letters, file by file.

    Nothing is done with the letters. No game is opened, so keys are not checked.
    """
    readable = True
    for file in files:
        content, why = _read_file(file)
        readable = readable and not why
        if why:
            print_note(why)
        letter = _describe_letter(file, content, why)
        print_data(_format_json(letter) if as_json else _format_letter(letter))
    ctx.exit(0 if readable else 1)


def _read_file(file: str) -> tuple[bytes, str]:
    """The content of the file, as far as it is read, or why it cannot be read."""
    from adjudicator.adapters.mail.inbound.letter import MAX_LETTER_BYTES

    try:
        with Path(file).open("rb") as stream:
            return stream.read(MAX_LETTER_BYTES + 1), ""
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        return b"", f"{click.format_filename(file)}: cannot be read: {reason}"


def _describe_letter(file: str, content: bytes, why: str) -> dict[str, Any]:
    from adjudicator.adapters.mail.inbound.letter import parse_letter
    from adjudicator.core.forms.reading import Text

    if why:
        return _facts(file, problems=[_make_problem(why)])
    seen = parse_letter(content)
    return _facts(
        file,
        automatic=seen.automatic is not None,
        sender=seen.sender,
        message_id=seen.message_id,
        blocks=[block.text.value for block in seen.blocks if isinstance(block.text, Text)],
        problems=_describe_problems(seen),
        bounced=list(seen.bounced),
    )


def _facts(file: str, **known: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"file": file, "automatic": False, "sender": None, "message_id": None}
    facts |= {"blocks": [], "problems": [], "bounced": []}
    return facts | known


def _describe_problems(seen: "IncomingLetter") -> list[dict[str, Any]]:
    """What is wrong with the letter, then with the blocks that cannot be read, in their order."""
    from adjudicator.core.forms.reading import Text

    findings = list(seen.problems)
    for block in seen.blocks:
        if not isinstance(block.text, Text):
            findings += block.text
    return [_describe_problem(finding) for finding in findings]


def _describe_problem(finding: "Finding") -> dict[str, Any]:
    from adjudicator.core.finding import path_text

    return {
        "line": finding.line,
        "column": finding.column,
        "path": path_text(finding.path),
        "message": finding.message,
    }


def _make_problem(message: str) -> dict[str, Any]:
    return {"line": None, "column": None, "path": "", "message": message}


def _format_json(facts: dict[str, Any]) -> str:
    import json

    return json.dumps(facts)


def _format_letter(facts: dict[str, Any]) -> str:
    """A letter for people."""
    import json

    lines = [
        click.format_filename(facts["file"]),
        f"  from       {facts['sender'] or 'no readable sender'}",
        f"  message    {facts['message_id'] or 'no Message-ID'}",
    ]
    if facts["automatic"]:
        lines.append("  automatic  gets no answer")
    lines += [f"  bounced    {address}" for address in facts["bounced"]]
    lines += [
        f"  block {number}    {json.dumps(block, ensure_ascii=False)}"
        for number, block in enumerate(facts["blocks"], start=1)
    ]
    if not facts["blocks"]:
        lines.append("  no block")
    for one in facts["problems"]:
        place = f"line {one['line']}, column {one['column']}: " if one["line"] else ""
        lines.append(f"  problem    {place}{one['message']}")
    return "\n".join(lines)


@click.command(
    epilog=example("adjudicator receive reply.eml", "adjudicator receive --dry-run Maildir/new/*")
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.eml...", type=click.Path())
@click.option(
    "--config",
    metavar="FILE",
    help="The daemon's settings, for the server's addresses. [ADJUDICATOR_CONFIG, "
    "else ./adjudicator.yaml if it is there]",
)
@click.option("--dry-run", is_flag=True, help="Only show what each letter would do.")
@json_option
@home_option
@click.pass_context
def receive_command(
    context: click.Context,
    files: tuple[str, ...],
    config: str | None,
    dry_run: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Process letters as the daemon would, one after the other.

    A letter with a valid key does what it asks for, and its answer is queued. A
    letter that was processed before does nothing twice. All count as arrived now.
    Exits with 1 if a file cannot be read or is no letter.
    """
    setting: Setting = context.obj
    office = setting.office
    house = _find_house(config)
    outcomes: list[dict[str, Any]] = []
    if dry_run:
        with office.acting(dry_run=True) as books:
            outcomes += [_receive(office, books, house, file) for file in files]
    for file in files if not dry_run else ():
        with office.acting() as books:
            outcomes.append(_receive(office, books, house, file))
    if as_json:
        print_document(outcomes)
    for one in outcomes if not as_json else []:
        print_data(_format_outcome(one))
    if dry_run:
        print_note("Nothing was changed: this was a dry run.")
    if any(one["outcome"] == "unread" or one["reason"] == NO_LETTER for one in outcomes):
        context.exit(1)


NO_LETTER = "this is not a letter: it has no header"


def _find_house(config: str | None) -> "House":
    """The server as its settings describe it; without settings, one without a GM's address."""
    from adjudicator.adapters.settings import choose_settings_file, read_settings
    from adjudicator.desk.model.people import House

    file = choose_settings_file(config)
    if config is None and not file.exists():
        return House()
    return read_settings(file).house


def _receive(office: "Office", books: "Books", house: "House", file: str) -> dict[str, Any]:
    from adjudicator.adapters.mail.inbound.letter import MAX_LETTER_BYTES
    from adjudicator.adapters.mail.inbound.letter import parse_letter as opened
    from adjudicator.desk.inbox.receive import receive_letter

    try:
        with Path(file).open("rb") as stream:
            content = stream.read(MAX_LETTER_BYTES + 1)
            size = fstat(stream.fileno()).st_size
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        return _describe_received(file, "unread", reason)
    letter = opened(content, size)
    if letter.sender is None and not letter.message_id and not letter.recipients:
        return _describe_received(file, "silence", NO_LETTER)
    received = receive_letter(
        books,
        office.library,
        letter,
        house=house,
        secret=office.home.secret(),
        arrived=office.at,
        at=office.at,
    )
    return _describe_received(
        file,
        received.outcome,
        received.reason,
        game=received.game,
        seat=received.seat,
        answer=received.answer,
    )


def _describe_received(
    file: str,
    outcome: str,
    reason: str,
    *,
    game: str | None = None,
    seat: str | None = None,
    answer: str | None = None,
) -> dict[str, Any]:
    return {
        "file": file,
        "outcome": outcome,
        "reason": reason,
        "game": game,
        "seat": seat,
        "answer": answer,
    }


def _format_outcome(one: dict[str, Any]) -> str:
    whose = " ".join(part for part in (one["game"], one["seat"]) if part)
    said = f"{one['outcome']} ({one['reason']})" if one["reason"] else one["outcome"]
    return f"{one['file']}: {whose}{': ' if whose else ''}{said}"
