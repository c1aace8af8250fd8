"""A pure function that remembers its last result."""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Latest(Generic[_P, _R]):
    """A pure function that remembers its last result, which is shared and must not be changed.

    For frozen values that hold mappings: they can be compared, but are no keys of a cache.
    """

    def __init__(self, make: Callable[_P, _R]) -> None:
        self._make = make
        self._last: tuple[object, _R] | None = None

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Return the result for these arguments."""
        arguments, last = (args, kwargs), self._last
        result = (
            last[1] if last is not None and last[0] == arguments else self._make(*args, **kwargs)
        )
        self._last = arguments, result
        return result
