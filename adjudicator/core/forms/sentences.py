"""Several sentences on one line of a letter: each may be an order, a greeting, or neither."""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from adjudicator.core.forms.line_reader import KEYED_LINE
from adjudicator.core.forms.reading import WrittenLine
from adjudicator.core.names import fold

GREETING = re.compile(r"(?:hi|hello|hey|dear|hallo|moin|good \w+)\b[\w\s,.!]{0,40}", re.IGNORECASE)
CLOSING = re.compile(
    r"(?:(?:many |all the )?(?:thanks|thank you|thx|cheers|best|regards|greetings|bye|see you|"
    r"have fun|good luck|kind(?:est)? regards)\b.{0,40}"
    r"|please|sent from my .{1,30}|[-\u2013\u2014~]+ ?\w+)",
    re.IGNORECASE,
)
"""What ends a letter below what it orders."""
_COURTESY = re.compile(
    r"\b(?:regards|greetings|respects|compliments|condolences|apologies|congrat(?:s|ulations)|"
    r"(?:best|kind|good|warm) w[a-z]+s|my best(?= to\b)|(?:my|much|lots of) love|my thanks|"
    r"thank(?! you)|good work|say (?:hello|hi)|raise a glass)\b",
    re.IGNORECASE,
)
"""Words of a courtesy that no order has."""
_BETWEEN = re.compile(
    r"(?:(?<=[^\W_][.!?])|(?<=[.!?][.!?)]))\s+"
    r"(?!(?:with|using|discarding|at|on|and|or|else|then|for|to|here|there|as)\b)(?=\w)"
)
"""Where a sentence ends; the sign of a name such as water! ends none: take water! with n12."""
_TAKEN_BACK = re.compile(
    r"(?:no|not|wait|or|actually|rather|instead|sorry|oops|hmm+|but|unless|if|otherwise|"
    r"just kidding|kidding|scratch|maybe|perhaps)\b",
    re.IGNORECASE,
)
"""How a sentence begins that may take back what the one before it said."""
_SAID_AS_IT_IS = ("press",)
_MOST = 6
_LONGEST = 300


def is_courtesy(text: str) -> bool:
    """Whether a sentence has the words of a courtesy: `Please pass my regards to blue.`"""
    return bool(_COURTESY.search(text))


def split_sentences(
    lines: Sequence[WrittenLine],
    is_order: Callable[[WrittenLine], bool],
    is_guessed: Callable[[WrittenLine], bool] = lambda _: False,
) -> list[WrittenLine]:
    """Split lines at the ends of sentences, where one is an order and none takes it back.

    A sentence can be guessed to be one where its line as a whole cannot.
    """
    split: list[WrittenLine] = []
    for line in lines:
        pieces = list(_split(line))
        is_split = len(pieces) > 1 and (
            any(map(is_order, pieces)) or (not is_guessed(line) and any(map(is_guessed, pieces)))
        )
        split += pieces if is_split else [line]
    return split


def _split(line: WrittenLine) -> Iterator[WrittenLine]:
    pieces = _BETWEEN.split(line.text) if len(line.text) <= _LONGEST and line.lines == 1 else []
    keyed = KEYED_LINE.fullmatch(line.text)
    as_it_is = keyed is not None and fold(keyed["key"]) in _SAID_AS_IT_IS
    is_whole = as_it_is or any(map(_TAKEN_BACK.match, pieces[1:]))
    if not 1 < len(pieces) <= _MOST or is_whole:
        yield line
        return
    for number, text in enumerate(pieces, 1):
        ends = line.ends and number == len(pieces)
        yield replace(line, text=text, raw=text, value=None, ends=ends)
