"""What the reader sees in letters, without any game: letter."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.options import example, json_option
from adjudicator.cli.output import data, say

if TYPE_CHECKING:
    from adjudicator.core.finding import Finding
    from adjudicator.desk.mail import Incoming


@click.command(
    epilog=example(
        "adjudicator letter reply.eml",
        "adjudicator letter --json *.eml",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.eml...", type=click.Path())
@json_option
@click.pass_context
def letter(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:  # noqa: FBT001
    """Show what would be read in letters, file by file.

    Nothing is done with them, and no game is looked at: keys are not checked.
    """
    readable = True
    for file in files:
        content, why = _content(file)
        readable = readable and not why
        if why:
            say(why)
        told = _told(file, content, why)
        data(_line(told) if as_json else _shown(told))
    ctx.exit(0 if readable else 1)


def _content(file: str) -> tuple[bytes, str]:
    """What the file holds, as far as it is read, or why it cannot be read."""
    from adjudicator.adapters.letter import MOST

    try:
        with Path(file).open("rb") as stream:
            return stream.read(MOST + 1), ""
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        return b"", f"{click.format_filename(file)}: cannot be read: {reason}"


def _told(file: str, content: bytes, why: str) -> dict[str, Any]:
    from adjudicator.adapters.letter import read
    from adjudicator.core.reading import Text

    if why:
        return _facts(file, problems=[_problem_of(why)])
    seen = read(content)
    return _facts(
        file,
        automatic=seen.automatic is not None,
        sender=seen.sender,
        message_id=seen.message_id,
        blocks=[block.text.value for block in seen.blocks if isinstance(block.text, Text)],
        problems=_problems(seen),
        bounced=list(seen.bounced),
    )


def _facts(file: str, **known: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"file": file, "automatic": False, "sender": None, "message_id": None}
    facts |= {"blocks": [], "problems": [], "bounced": []}
    return facts | known


def _problems(seen: "Incoming") -> list[dict[str, Any]]:
    """What is wrong with the letter, then with the blocks that are none, in their order."""
    from adjudicator.core.reading import Text

    findings = list(seen.problems)
    for block in seen.blocks:
        if not isinstance(block.text, Text):
            findings += block.text
    return [_problem(finding) for finding in findings]


def _problem(finding: "Finding") -> dict[str, Any]:
    from adjudicator.core.finding import path_text

    return {
        "line": finding.line,
        "column": finding.column,
        "path": path_text(finding.path),
        "message": finding.message,
    }


def _problem_of(message: str) -> dict[str, Any]:
    return {"line": None, "column": None, "path": "", "message": message}


def _line(facts: dict[str, Any]) -> str:
    import json

    return json.dumps(facts)


def _shown(facts: dict[str, Any]) -> str:
    """The same for eyes."""
    import json

    lines = [
        click.format_filename(facts["file"]),
        f"  from       {facts['sender'] or 'nobody that can be read'}",
        f"  message    {facts['message_id'] or 'without an identity'}",
    ]
    if facts["automatic"]:
        lines.append("  automatic  it would get no answer")
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
