"""How commands speak: data on standard output, messages and progress on standard error."""

import codecs
import os
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
"""What stands for a sign on a terminal that does not have it."""

_ENDLESS = 10_000


def make_inert(text: str) -> str:
    """Replace everything in a text that acts on a terminal, whoever wrote it."""
    return replace_unseen(text.replace("\r", ""), "?")


def _replace_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end])
    return text, error.end


def prepare_streams() -> None:
    """Let standard output and error write what they can and a stand-in for what they cannot."""
    codecs.register_error("adjudicator.plainer", _replace_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="adjudicator.plainer")


def silence_output() -> None:
    """Let the last flush go nowhere, since the reader of our output has gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        return


def finish_output() -> None:
    """After a fault: give up what cannot be written, or Python would complain of it, too."""
    try:
        flush_output()
    except OSError:
        silence_output()


def flush_output() -> None:
    """Write what is still held back, so that a fault is reported by us and not at the very end."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def print_data(text: str) -> None:
    """Print what was asked for."""
    click.echo(make_inert(text.rstrip("\n")))


def print_coloured(text: str) -> None:
    """Print what was asked for, in colours where a terminal shows them and nobody declined them.

    The text has been made inert before it was coloured.
    """
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def find_terminal_width() -> int:
    """Find the width of the terminal; where the output is none there is room for everything."""
    return shutil.get_terminal_size((_ENDLESS, 24)).columns


def find_text_width() -> int:
    """Find the width for sentences: that of a mail where the output is no terminal."""
    return min(shutil.get_terminal_size((78, 24)).columns, 100)


def print_note(text: str) -> None:
    """Print a message on standard error."""
    click.echo(make_inert(text), err=True)


def find_own_command(*words: object) -> str:
    """Write a command of ours to be pasted, also when the program is not on the PATH."""
    import shlex

    called = Path(sys.argv[0])
    known = called.name != "adjudicator" or shutil.which("adjudicator")
    return shlex.join(["adjudicator" if known else str(called), *map(str, words)])


def print_document(value: Any) -> None:
    """Print a document for programs, also pleasant for eyes."""
    text = msgspec.json.format(encode(value), indent=2).decode()
    click.echo(escape_unseen(text))


def format_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Align rows under headings, numbers to the right."""
    from adjudicator.adapters.render.text_layout import lay_out_table as laid_out

    return laid_out(columns, rows, indent=0, width=find_text_width())


@contextmanager
def show_progress(what: str, total: int | None = None) -> Iterator[Callable[[int, str], None]]:
    """Show a progress bar; call what is yielded with how much is done, and where it stands.

    Without a total it is a sign of life.
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
        yield lambda done, word: bar.update(task, completed=done, word=word)
