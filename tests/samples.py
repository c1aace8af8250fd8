"""Samples of cases: some run always, the others by `make soak`."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

T = TypeVar("T")


def sampled(
    cases: Iterable[T], one_in: int, name: Callable[[T], str] | None = None
) -> list[ParameterSet]:
    """All cases of one parameter; but for one in so many they are marked `soak`."""
    return [
        pytest.param(
            case,
            marks=() if number % one_in == 0 else (pytest.mark.soak,),
            id=name(case) if name else None,
        )
        for number, case in enumerate(cases)
    ]


def examples(number: int) -> int:
    """How many examples Hypothesis makes: all of them in `make soak`, a quarter otherwise."""
    return number if settings.get_current_profile_name() == "fresh" else max(number // 4, 10)
