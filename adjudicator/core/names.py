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
    start = fold(text)
    if not start:
        return None
    starts = []
    for name in names:
        candidate = fold(name)
        if candidate == start:
            return name
        if candidate.startswith(start):
            starts.append(name)
    return _match_number(start, names) or (starts[0] if len(starts) == 1 else None)


def match_exactly(text: str, names: Iterable[str]) -> str | None:
    """Find the name that equals this one after folding, where a beginning is not enough."""
    candidates, folded_text = tuple(names), fold(text)
    equal = next((name for name in candidates if fold(name) == folded_text), None)
    return equal or _match_number(folded_text, candidates)


_NOUGHTS = re.compile(r"(?<=[a-z])0+(?=\d)")


def _match_number(folded_text: str, names: Sequence[str]) -> str | None:
    """Find the one name that differs in noughts before its number only: n6 is n06."""
    if not any(map(str.isdigit, folded_text)):
        return None
    plain = _NOUGHTS.sub("", folded_text)
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
    by_folded_name = {fold(name): name for name in sorted(names)}
    folded_text = fold(text)
    beginning = match(text, tuple(by_folded_name))
    if beginning is not None and (
        len(folded_text) >= _BEGINNING or len(beginning) <= 4 * len(folded_text)
    ):
        return by_folded_name[beginning]
    worded = find_by_words(text, by_folded_name.values())
    if worded:
        return worded[0] if len(worded) == 1 else None
    numbers = ("", _list_digits(folded_text))  # a typing mistake does not make another number
    likely = {one: name for one, name in by_folded_name.items() if _list_digits(one) in numbers}
    slips = [one for one in likely if _is_slip(folded_text, one)]
    close = slips or difflib.get_close_matches(folded_text, likely, n=1, cutoff=_ALIKE)
    return likely[close[0]] if close else _find_by_beginning(folded_text, likely)


def find_by_words(text: str, names: Iterable[str]) -> list[str]:
    """Find the names that have all these words in them: mining moles, the trendsetters."""
    words = [word for word in _split_words(text.strip()) if word]
    if not words or not any(map(str.isalpha, text)):
        return []
    return [name for name in names if _has_words(_split_words(name), words)]


def _has_words(words_of_name: Sequence[str], words: Iterable[str]) -> bool:
    """Whether all words are among the known ones, in the singular or in the plural."""
    return all(
        word in words_of_name
        or (len(word) > _BEGINNING and {word.removesuffix("s"), f"{word}s"} & {*words_of_name})
        for word in words
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


def _find_by_beginning(folded_text: str, names: Mapping[str, str]) -> str | None:
    """Find the only name that begins like this, allowing one typing mistake."""
    longer = [
        one for one in names if one[:1] == folded_text[:1] and len(one) > len(folded_text) >= _LONG
    ]
    starts = [one[: len(folded_text)] for one in longer]
    close = difflib.get_close_matches(folded_text, starts, n=2, cutoff=_ALIKE)
    return names[longer[starts.index(close[0])]] if len(close) == 1 else None
