"""Incoming letters by hand: inspect, receive."""

import json
from os import fstat
from pathlib import Path
from typing import Any

import click

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.cli.terminal.options import Setting, command, format_example, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.cli.wiring import Office, find_settings
from adjudicator.core.finding import Finding, Grade, format_path
from adjudicator.core.forms.reading import Text
from adjudicator.desk.inbox.receive import receive_letter
from adjudicator.desk.model.errors import Changed
from adjudicator.desk.model.mail import MAX_LETTER_BYTES, IncomingLetter
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.outbox.keys import issue_known_keys

NO_LETTER = "this is not a letter: it has no header"
_WAITS = "the rules of its game have changed; read it again once they are accepted"

_files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE.eml...", type=click.Path()
)


@click.command(
    epilog=format_example("adjudicator inspect reply.eml", "adjudicator inspect --json *.eml")
)
@_files_argument
@json_option
def inspect_command(files: tuple[str, ...], as_json: bool) -> int:
    """Show what the server would read in letters, file by file.

    Nothing is done with the letters. No game is opened, so keys are not checked.
    """
    readable = True
    for file in files:
        content, _, why = _read_file(file)
        if why:
            readable = False
            why = f"{click.format_filename(file)}: cannot be read: {why}"
            print_note(why)
        facts = _describe_letter(file, _unread_letter(why) if why else parse_letter(content))
        print_data(json.dumps(facts) if as_json else _format_letter(facts))
    return 0 if readable else 1


def _read_file(file: str) -> tuple[bytes, int, str]:
    """Read the file's content and size, and why it can't be read."""
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MAX_LETTER_BYTES + 1), fstat(stream.fileno()).st_size, ""
    except (OSError, ValueError) as fault:
        return b"", 0, getattr(fault, "strerror", None) or str(fault)


def _unread_letter(why: str) -> IncomingLetter:
    problem = Finding(grade=Grade.UNREADABLE, rule="", message=why)
    return IncomingLetter(message_id=None, digest="", sender=None, problems=(problem,))


def _describe_letter(file: str, letter: IncomingLetter) -> dict[str, Any]:
    """Describe a letter for programs, its own problems before those of unreadable blocks."""
    findings = list(letter.problems)
    for block in letter.blocks:
        if not isinstance(block.text, Text):
            findings += block.text
    return {
        "file": file,
        "automatic": letter.automatic is not None,
        "sender": letter.sender,
        "message_id": letter.message_id,
        "blocks": [block.text.value for block in letter.blocks if isinstance(block.text, Text)],
        "problems": [
            {
                "line": finding.line,
                "column": finding.column,
                "path": format_path(finding.path),
                "message": finding.message,
            }
            for finding in findings
        ],
        "bounced": list(letter.bounced),
    }


def _format_letter(facts: dict[str, Any]) -> str:
    """Describe a letter for people."""
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


@command("adjudicator receive reply.eml", "adjudicator receive --dry-run Maildir/new/*")
@_files_argument
@click.option(
    "--config",
    metavar="FILE",
    help="The daemon's settings, for its home and the server's addresses. [ADJUDICATOR_CONFIG, "
    "else ./adjudicator.yaml if it exists]",
)
@click.option("--dry-run", is_flag=True, help="Only show what each letter would do.")
def receive_command(
    setting: Setting, files: tuple[str, ...], config: str | None, dry_run: bool, as_json: bool
) -> int:
    """Process letters as the daemon would, one after the other.

    A letter with a valid key does what it asks for, and its answer is queued. A
    letter that was processed before is not processed again. All count as arrived now.
    Exits with 1 if a file cannot be read or is no letter.
    """
    settings = find_settings(config)
    if settings is not None and config is not None:
        setting.home = setting.home or settings.home
    office = setting.office
    house = settings.house if settings else House()
    outcomes: list[dict[str, Any]] = []
    if dry_run:
        with office.acting(dry_run=True) as books:
            outcomes += [_receive(office, books, house, file) for file in files]
    for file in files if not dry_run else ():
        with office.acting() as books:
            issue_known_keys(books, office.secret(books))
            outcomes.append(_receive(office, books, house, file))
    if as_json:
        print_document(outcomes)
    for one in outcomes if not as_json else []:
        print_data(_format_outcome(one))
    if dry_run:
        print_note("Nothing was changed: this was a dry run.")
    return int(any(one["outcome"] == "unread" or one["reason"] == NO_LETTER for one in outcomes))


def _receive(office: Office, books: Books, house: House, file: str) -> dict[str, Any]:
    content, size, why = _read_file(file)
    facts: dict[str, Any] = {"file": file, "game": None, "seat": None, "answer": None}
    if why:
        return {**facts, "outcome": "unread", "reason": why}
    letter = parse_letter(content, size)
    if letter.sender is None and not letter.message_id and not letter.recipients:
        return {**facts, "outcome": "silence", "reason": NO_LETTER}
    try:
        with books.part():
            received = receive_letter(
                books,
                office.library,
                letter,
                house=house,
                secret=office.secret(books),
                arrived=office.at,
                at=office.at,
            )
    except Changed as change:
        why = f"{_WAITS}: adjudicator accept {change.game} --dry-run"
        return {**facts, "game": change.game, "outcome": "waits", "reason": why}
    names = ("outcome", "reason", "game", "seat", "answer")
    return {"file": file, **{name: getattr(received, name) for name in names}}


def _format_outcome(one: dict[str, Any]) -> str:
    owner = " ".join(part for part in (one["game"], one["seat"]) if part)
    outcome = "ignored" if one["outcome"] == "silence" else one["outcome"]
    words = f"{outcome} ({one['reason']})" if one["reason"] else outcome
    return f"{one['file']}: {owner}{': ' if owner else ''}{words}"
