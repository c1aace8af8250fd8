"""Long work shows that it goes on: on a terminal only, on standard error, silent when piped."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def _terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def busy(what: str) -> Iterator[None]:
    """A sign of life while something is done of which nobody knows how long it takes."""
    if not _terminal():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def counted(what: str, total: int | None) -> Iterator[Callable[[int, str], None]]:
    """A bar; call what is yielded with how much is done, and a word about where it stands."""
    if not _terminal():
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
