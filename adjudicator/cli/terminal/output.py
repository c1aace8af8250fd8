"""Output of commands: data on standard output, messages and progress on standard error."""

import codecs
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click
import msgspec

from adjudicator.core.document import encode, escape_unseen, replace_unseen

_PLAIN = {
    "\u2713": "ok",
    "\u2717": "x",
    "\u26a0": "!",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\u00d7": "x",
    "\u2192": "->",
    "\u2026": "...",
    "\u00b7": ".",
    "\u2022": "*",
    "\u00a0": " ",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
}
"""Replacements for characters that a terminal cannot show."""

_ENDLESS = 10_000


def make_inert(text: str) -> str:
    """Remove every effect that a text could have on a terminal."""
    return replace_unseen(text.replace("\r", ""), "?")


def _replace_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end])
    return text, error.end


def prepare_streams() -> None:
    """Make standard output and error replace characters that they can't write."""
    codecs.register_error("adjudicator.plainer", _replace_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="adjudicator.plainer")


def silence_output() -> None:
    """Discard the last flush, since the reader of our output is gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        return


def finish_output() -> None:
    """Discard unwritable output after a fault, so that Python doesn't complain, too."""
    try:
        flush_output()
    except OSError:
        silence_output()


def flush_output() -> None:
    """Flush output here, so that we report a fault rather than Python at exit."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def print_data(text: str) -> None:
    """Print the requested data."""
    click.echo(make_inert(text.rstrip("\n")))


def print_coloured(text: str) -> None:
    """Print the requested data, in colours if the terminal shows them and the user wants them.

    The text must be made inert before it is coloured.
    """
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def find_terminal_width() -> int:
    """Find the width of the terminal; output elsewhere has no limit."""
    return shutil.get_terminal_size((_ENDLESS, 24)).columns


def find_line_width() -> int:
    """Find the width at which lines end that other programs read whole: only at a terminal."""
    return find_terminal_width() if sys.stdout.isatty() else _ENDLESS


def find_text_width() -> int:
    """Find the width for sentences: that of a mail if the output is no terminal."""
    return min(shutil.get_terminal_size((78, 24)).columns, 100)


def print_note(text: str) -> None:
    """Print a message on standard error."""
    click.echo(make_inert(text), err=True)


def find_own_command(*words: object) -> str:
    """Find how to call this program in a line to paste, even if it is not on the PATH."""
    called = Path(sys.argv[0])
    is_on_path = called.name != "adjudicator" or shutil.which("adjudicator")
    return shlex.join(["adjudicator" if is_on_path else str(called), *map(str, words)])


def print_document(value: Any) -> None:
    """Print a document for programs, laid out for people, too."""
    text = msgspec.json.format(encode(value), indent=2).decode()
    click.echo(escape_unseen(text))


def format_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Align rows under headings, numbers to the right."""
    from adjudicator.adapters.render.text_layout import lay_out_table

    return lay_out_table(columns, rows, indent=0, width=find_text_width())


@contextmanager
def show_progress(what: str, total: int | None = None) -> Iterator[Callable[[int, str], None]]:
    """Show a progress bar; yields a function that takes how much is done, and where.

    Without a total, it only shows a sign of life.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _word: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[word]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=total, word="")
        yield lambda count, word: bar.update(task, completed=count, word=word)
