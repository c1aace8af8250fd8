"""Messages as their writers typed them: lookalike characters are mended in orders only."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.text import DASH, mend_characters, straighten_quotes
from adjudicator.adapters.mail.inbound.writing.own_lines import ARROWS, TIMES
from adjudicator.core.forms.reading import Text, WrittenLine

_CURLY = re.compile("[\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b]")
_SPACE = re.compile(r"(\s+)")
_MENDED = re.compile(r"[^\x20-\x7e]|[-\"']")
"""Signs that mending may have put there, or changed."""
_MOST_TRIED = 100_000
"""Places that are looked at in one letter, so that none takes long."""
_MOST_WORDS = 20_000
_LONGEST_WORD = 100
_LONGEST_TEXT = 128 * 1024
_NOT_WRITTEN = ("to", "as")


class TypedWords:
    """The words of a letter before they were mended."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words: list[str] = []
        self._keys: list[str] = []
        self._gaps: list[str] = []
        """The space behind each word."""
        self._places: dict[str, list[int]] = defaultdict(list)
        self._left = _MOST_TRIED

    def _read(self) -> None:
        """Read the letter, when the first message is restored."""
        pieces = _SPACE.split(self._text[:_LONGEST_TEXT])[: 2 * _MOST_WORDS]
        self._text = ""
        for word, gap in zip_longest(pieces[::2], pieces[1::2], fillvalue=""):
            key = _make_key(word)
            if key:
                self._places[key].append(len(self._words))
                self._words.append(word)
                self._keys.append(key)
                self._gaps.append(gap)

    def restore(self, message: str) -> str:
        """Find the words of a message in the letter, and return them as they were typed."""
        if self._left < 0 or not _MENDED.search(message):
            return message
        if self._text:
            self._read()
        pieces = _SPACE.split(message)
        self._left -= len(pieces)
        keys = [_make_key(one) for one in pieces[::2]]
        if not all(keys[1:-1]):
            return message
        inside = [one for one in keys if one]
        start = self._find(inside) if inside else None
        if start is None:
            return message
        result, at = list(pieces), start
        for place, word in zip(_list_places(keys), self._cut(start, inside), strict=True):
            result[place] = word
            gap = self._gaps[at]
            if result[place + 1 : place + 2] == [" "] and len(gap) == 1 and gap not in "\t\n":
                result[place + 1] = gap
            at += 1
        return self._unbend(start, "".join(result))

    def restore_block(self, text: Text) -> Text:
        """Restore the messages of a form."""
        if not isinstance(text.value, dict):
            return text
        value = {
            key: self._walk(one) if str(key).strip().lower() == "press" else one
            for key, one in text.value.items()
        }
        return replace(text, value=value)

    def restore_line(self, line: WrittenLine) -> WrittenLine:
        """Restore a line of the letter, which may be one of a message."""
        value = self.restore_block(line.value) if line.value is not None else None
        return replace(line, raw=self.restore(line.raw), value=value)

    def _walk(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.restore(value)
        if isinstance(value, dict):
            return {
                key: one if key in _NOT_WRITTEN else self._walk(one) for key, one in value.items()
            }
        return [self._walk(one) for one in value] if isinstance(value, list) else value

    def _find(self, sought_keys: Sequence[str]) -> int | None:
        """Find where these words stand; other signs may touch the first and the last."""
        first, last = sought_keys[0], sought_keys[-1]
        if len(sought_keys) > 2:
            starts: Sequence[int] = [at - 1 for at in self._places.get(sought_keys[1], ())]
        else:
            starts = range(len(self._keys) - len(sought_keys) + 1)
        for start in starts:
            self._left -= 1
            end = start + len(sought_keys)
            if self._left < 0:
                return None
            if start < 0 or end > len(self._keys):
                continue
            keys = self._keys[start:end]
            fits = first in keys[0] if len(sought_keys) == 1 else keys[0].endswith(first)
            if fits and keys[1:-1] == sought_keys[1:-1] and last in keys[-1]:
                return start
        return None

    def _unbend(self, start: int, message: str) -> str:
        """Straighten the quotation marks of a text that stands in bent ones: a program bent all."""
        before = self._words[start].partition(message.split(maxsplit=1)[0])[0]
        return straighten_quotes(message) if _CURLY.search(before[-1:]) else message

    def _cut(self, start: int, keys: Sequence[str]) -> list[str]:
        """Cut from the words of the letter what belongs to the message."""
        words = self._words[start : start + len(keys)]
        words[0] = _cut_word(words[0], keys[0])
        words[-1] = _cut_word(words[-1], keys[-1])
        return words


def _list_places(keys: Sequence[str]) -> list[int]:
    """List the places of words among words and spaces."""
    return [2 * at for at, one in enumerate(keys) if one]


def _cut_word(word: str, key: str) -> str:
    """Cut the signs off that touch a word and are none of its own: `{text: "Hi`."""
    if word.isascii() or len(word) > _LONGEST_WORD:
        return key
    for start in range(len(word)):
        for end in range(len(word), start, -1):
            if _make_key(word[start:end]) == key:
                return word[start:end]
    return key


def _make_key(word: str) -> str:
    """Make what a word and its mended form have in common; what is too long is no word."""
    if word.isascii():
        return word.strip()
    if len(word) > _LONGEST_WORD:
        return ""
    plain = re.sub(DASH, "-", straighten_quotes(mend_characters(word)))
    return TIMES.sub("x", ARROWS.sub("->", plain)).strip()
