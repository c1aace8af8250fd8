"""Standard streams that can print anything: no terminal setting may end in an error."""

import codecs
import os
import sys
from io import TextIOWrapper

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

_ACTS = dict.fromkeys((*range(32), *range(127, 160)), "?") | {9: "\t", 10: "\n", 13: ""}
"""Signs that would act on a terminal: move its cursor, clear it, rename its window."""


def inert(text: str) -> str:
    """The text without anything that acts on a terminal, whoever wrote it."""
    return text.translate(_ACTS)


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end])
    return text, error.end


def prepare() -> None:
    """Let standard output and error write what they can and a stand-in for what they cannot."""
    codecs.register_error("adjudicator.plainer", _plainer)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="adjudicator.plainer")


def silence() -> None:
    """The reader of our output has gone: let the last flush go nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        return


def finish() -> None:
    """After a fault: give up what cannot be written, or Python would complain of it, too."""
    try:
        flush()
    except OSError:
        silence()


def flush() -> None:
    """Write what is still held back, so that a fault is told by us and not at the very end."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
