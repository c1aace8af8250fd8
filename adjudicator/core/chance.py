"""Many small choices of a player who plays at random, from few numbers of one draw."""

from collections.abc import Sequence
from typing import Final, TypeVar

from adjudicator.core.dice import Draw

T = TypeVar("T")

_POOL: Final = 1 << 62


class Chance:
    """Many small choices from few numbers of one draw."""

    def __init__(self, source: Draw) -> None:
        self._source = source
        self._pool = 0
        self._left = 1

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        if self._left < bound << 20:  # so much is left that no number is noticeably favoured
            self._pool, self._left = self._source.below(_POOL), _POOL
        self._pool, number = divmod(self._pool, bound)
        self._left //= bound
        return number

    def one_in(self, times: int) -> bool:
        """True once in so many times."""
        return not self.below(times)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]
