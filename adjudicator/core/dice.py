"""Chance that can be checked afterwards: every draw follows from the seed and the draw's name.

A draw's stream is HMAC-SHA-256 under the game's key over the canonical JSON list
[step, *purpose, counter]; the counter begins at 0 and rises by one per block. Of each block the
first eight bytes are read as a big-endian number; numbers in the incomplete last stretch of
the bound are thrown away, the others are taken modulo the bound. tests/core/dice_vectors.yaml
spells it out for whoever wants to recompute a game's draws, with vectors to check against.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from adjudicator.core.document import encode

_T = TypeVar("_T")

_SPAN = 1 << 64

MixedWords = Sequence[tuple[str, str | None]]
"""By seat, in the game's order, the luck word mixed into the dice of a step; None: the seed's."""


def derive_dice_key(
    seed: bytes, luck: Iterable[tuple[str, str]] = (), words: MixedWords = ()
) -> bytes:
    """Derive the key of a game's dice: its seed, mixed with the luck words in seat order.

    `words` are those of a single step, where they are asked for in each.
    """
    mixed = [list(luck), list(words)] if words else list(luck)
    return hmac.digest(seed, encode(mixed), "sha256")


def label_dice(step: str, epoch: int) -> str:
    """Name the dice of a step: its own name and, after a new beginning, the epoch's number.

    So what players have seen of a lost time tells them nothing of the dice to come.
    """
    return step if epoch == 1 else f"{step}.{epoch}"


def seed_from_number(number: int) -> bytes:
    """Make the seed that `--seed N` and a scenario's `seed: N` stand for."""
    return hashlib.sha256(encode(["seed", number])).digest()


_LUCK_WORD = re.compile(r"[0-9a-f]{64}")


def is_luck_word(text: str) -> bool:
    """Whether this can be on a luck sheet, where each word is the SHA-256 of the next one."""
    return _LUCK_WORD.fullmatch(text) is not None


def follows(word: str, before: str | None) -> bool:
    """Whether a word comes right after this one, which has fixed it, on its sheet."""
    return bool(word) and hashlib.sha256(word.encode()).hexdigest() == before


def make_luck_sheet(last: str, count: int) -> tuple[str, ...]:
    """Make this many words in sending order; only their player knows `last`."""
    words = [last]
    while len(words) < count:
        words.append(hashlib.sha256(words[-1].encode()).hexdigest())
    return tuple(reversed(words))


@lru_cache(maxsize=64)
def _prepare_hmac(key: bytes) -> hmac.HMAC:
    """Read the key once, for any number of messages."""
    return hmac.new(key, digestmod="sha256")


def _shuffle(items: Iterable[_T], below: Callable[[int], int]) -> list[_T]:
    """Put the items in random order (Fisher-Yates from the end)."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


class Draw:
    """One named draw: a stream of numbers that no other draw can shift."""

    def __init__(self, key: bytes, name: Sequence[str]) -> None:
        self._hmac = _prepare_hmac(key)
        self._name = list(name)
        self._counter = 0

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1, each equally likely."""
        if not 1 <= bound <= _SPAN:
            raise ValueError(f"a draw needs a bound from 1 to 2^64, got {bound}")
        limit = _SPAN - _SPAN % bound
        while True:
            block = self._hmac.copy()
            block.update(encode([*self._name, self._counter]))
            self._counter += 1
            number = int.from_bytes(block.digest()[:8], "big")
            if number < limit:
                return number % bound

    def make_key(self) -> bytes:
        """Make a key for other dice, such as a bot's own, that tell nothing of these."""
        return b"".join(self.below(_SPAN).to_bytes(8, "big") for _ in range(4))

    def choice(self, items: Sequence[_T]) -> _T:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[_T]) -> tuple[_T, ...]:
        """Return the items in random order."""
        return tuple(_shuffle(items, self.below))


class Dice:
    """The dice of one step of one game."""

    def __init__(self, key: bytes, step: str) -> None:
        self._key = key
        self._step = step

    def draw(self, *purpose: str) -> Draw:
        """Make the draw for this purpose; a step's draws for one purpose are always the same."""
        if not purpose:
            raise ValueError("a draw must name its purpose")
        return Draw(self._key, (self._step, *purpose))


_POOL: Final = 1 << 62


class Chance:
    """Many small choices from few numbers of one draw."""

    def __init__(self, source: Draw) -> None:
        self._source = source
        self._pool = 0
        self._left = 1

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1."""
        if self._left < bound << 20:  # large enough that no number is noticeably favoured
            self._pool, self._left = self._source.below(_POOL), _POOL
        self._pool, number = divmod(self._pool, bound)
        self._left //= bound
        return number

    def one_in(self, times: int) -> bool:
        """Whether a chance of one in this many comes true."""
        return not self.below(times)

    def choice(self, items: Sequence[_T]) -> _T:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[_T]) -> list[_T]:
        """Return the items in random order."""
        return _shuffle(items, self.below)
