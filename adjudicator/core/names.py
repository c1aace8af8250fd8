"""Matching what people type against the names of a game."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

_IGNORED = re.compile(r"[\s_'\u2018\u2019\u02bc`\u00b4-]+")


def fold(text: str) -> str:
    """Fold a name for comparison: case, spaces, hyphens, underscores do not matter.

    Nor do apostrophes: hunter's post is hunters-post.
    """
    return _IGNORED.sub("", text).casefold()


def match(text: str, names: Sequence[str]) -> str | None:
    """Find the name that equals this one after folding, else the only one that begins with it."""
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
    return _match_number(wanted, names) or (starts[0] if len(starts) == 1 else None)


def match_exactly(text: str, names: Iterable[str]) -> str | None:
    """Find the name that equals this one after folding, where a beginning is not enough."""
    known, wanted = tuple(names), fold(text)
    found = next((name for name in known if fold(name) == wanted), None)
    return found or _match_number(wanted, known)


_NOUGHTS = re.compile(r"(?<=[a-z])0+(?=\d)")


def _match_number(wanted: str, names: Sequence[str]) -> str | None:
    """Find the one name that differs in noughts before its number only: n6 is n06."""
    if not any(map(str.isdigit, wanted)):
        return None
    plain = _NOUGHTS.sub("", wanted)
    same = [name for name in names if _NOUGHTS.sub("", fold(name)) == plain]
    return same[0] if len(same) == 1 else None


_BEGINNING = 3
"""Fewer signs do not say which name is meant, unless they are a good part of it."""
_ALIKE = 0.76
"""So alike (difflib) are a word and the one that was meant; scan and sand are less, and two."""
_LONG = 6
"""Of so many signs, a slip may stand in the beginning of a name that is not written out."""


def suggest(text: str, names: Iterable[str]) -> str | None:
    """Suggest the name that was probably meant; better none than a silly one."""
    folded = {fold(name): name for name in sorted(names)}
    wanted = fold(text)
    begun = match(text, tuple(folded))
    if begun is not None and (len(wanted) >= _BEGINNING or len(begun) <= 4 * len(wanted)):
        return folded[begun]
    worded = find_by_words(text, folded.values())
    if worded:
        return worded[0] if len(worded) == 1 else None
    numbers = ("", _list_digits(wanted))  # a typing mistake does not make another number
    likely = {one: name for one, name in folded.items() if _list_digits(one) in numbers}
    slips = [one for one in likely if _is_slip(wanted, one)]
    close = slips or difflib.get_close_matches(wanted, likely, n=1, cutoff=_ALIKE)
    return likely[close[0]] if close else _find_by_beginning(wanted, likely)


def find_by_words(text: str, names: Iterable[str]) -> list[str]:
    """Find the names that have all these words in them: mining moles, the trendsetters."""
    wanted = [word for word in _split_words(text.strip()) if word]
    if not wanted or not any(map(str.isalpha, text)):
        return []
    return [name for name in names if _has_words(_split_words(name), wanted)]


def _has_words(known: Sequence[str], wanted: Iterable[str]) -> bool:
    """Whether all words are among the known ones, in the singular or in the plural."""
    return all(
        word in known
        or (len(word) > _BEGINNING and {word.removesuffix("s"), f"{word}s"} & {*known})
        for word in wanted
    )


def _is_slip(one: str, other: str) -> bool:
    """Whether one character is wrong, missing or too many, or two have changed places."""
    if min(len(one), len(other)) < _BEGINNING or abs(len(one) - len(other)) > 1:
        return False
    at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1), -1)
    if at < 0:
        return one != other
    left, right = one[at:], other[at:]
    swapped = left[1::-1] + left[2:]
    return right in (swapped, left[1:]) or right[1:] in (left, left[1:])


def _split_words(name: str) -> list[str]:
    """Split a name into words: gem-red can be called red, too."""
    return re.split(r"[\s_-]", name.casefold())


def _list_digits(text: str) -> str:
    """List the digits of a word."""
    return "".join(sign for sign in text if sign.isdigit())


def _find_by_beginning(wanted: str, names: Mapping[str, str]) -> str | None:
    """Find the only name that begins like this, allowing one typing mistake."""
    begun = [one for one in names if one[:1] == wanted[:1] and len(one) > len(wanted) >= _LONG]
    starts = [one[: len(wanted)] for one in begun]
    close = difflib.get_close_matches(wanted, starts, n=2, cutoff=_ALIKE)
    return names[begun[starts.index(close[0])]] if len(close) == 1 else None
