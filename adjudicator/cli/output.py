"""How commands speak: data on standard output, talk on standard error."""

from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec

from adjudicator.core.canonical import encode


def data(text: str) -> None:
    """What was asked for."""
    click.echo(text.rstrip("\n"))


def say(text: str) -> None:
    """What the reader should know beside it."""
    click.echo(text, err=True)


def document(value: Any) -> None:
    """A document for programs, also pleasant for eyes."""
    click.echo(msgspec.json.format(encode(value), indent=2).decode())


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under headings; numbers stand to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    right = [bool(cells) and all(_number(row[at]) for row in cells) for at in range(len(columns))]
    widths = [
        max(len(name), *(len(row[at]) for row in cells), 0) for at, name in enumerate(columns)
    ]
    lines = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in [list(columns), *cells]
    ]
    return "\n".join(lines)


def _number(text: str) -> bool:
    return text.lstrip("-").isdigit()
