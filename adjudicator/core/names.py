"""Matching what people type against the names of a game."""

import difflib
import re
from collections.abc import Iterable, Sequence

_IGNORED = re.compile(r"[\s_'\u2018\u2019\u02bc`\u00b4-]+")


def fold(text: str) -> str:
    """The form in which names are compared: case, spaces, hyphens, underscores do not matter.

    Nor do apostrophes: hunter's post is hunters-post.
    """
    return _IGNORED.sub("", text).casefold()


def match(text: str, names: Sequence[str]) -> str | None:
    """The name that is meant: equal after folding, else the only one that begins like this."""
    wanted = fold(text)
    if not wanted:
        return None
    starts = []
    for name in names:
        folded = fold(name)
        if folded == wanted:
            return name
        if folded.startswith(wanted):
            starts.append(name)
    return starts[0] if len(starts) == 1 else None


def exact(text: str, names: Iterable[str]) -> str | None:
    """The name that is equal after folding: where a beginning is not enough."""
    return next((name for name in names if fold(name) == fold(text)), None)


def suggest(text: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant, for "did you mean"."""
    folded = {fold(name): name for name in names}
    begun = match(text, tuple(folded))
    if begun is not None:
        return folded[begun]
    close = difflib.get_close_matches(fold(text), sorted(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None
