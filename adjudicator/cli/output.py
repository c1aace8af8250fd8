"""How commands speak: data on standard output, talk on standard error."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from adjudicator.cli.streams import inert
from adjudicator.core.canonical import encode


def data(text: str) -> None:
    """What was asked for."""
    click.echo(inert(text.rstrip("\n")))


def say(text: str) -> None:
    """What the reader should know beside it."""
    click.echo(inert(text), err=True)


def command(*words: object) -> str:
    """A command of ours that can be pasted, also when the program is not on the PATH."""
    import shlex
    import shutil

    called = Path(sys.argv[0])
    known = called.name != "adjudicator" or shutil.which("adjudicator")
    return shlex.join(["adjudicator" if known else str(called), *map(str, words)])


def document(value: Any) -> None:
    """A document for programs, also pleasant for eyes."""
    click.echo(msgspec.json.format(encode(value), indent=2).decode())


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under headings, numbers to the right."""
    from adjudicator.adapters.layout import table as laid_out

    return laid_out(columns, rows, indent=0)
