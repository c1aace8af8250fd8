"""What is fuzzed: each target takes chance, and fails where a promise is broken."""

import random
from collections.abc import Callable
from typing import NamedTuple

from tests.fuzz.archives import try_archive
from tests.fuzz.forms import try_form
from tests.fuzz.letters import try_broken_letter, try_long_letter
from tests.fuzz.texts import try_text


class Target(NamedTuple):
    """One way in for what strangers write."""

    attempt: Callable[[random.Random], None]
    usual: int
    """So many attempts are made by `make soak`, a third of them by `make test`: the same ones."""


TARGETS = {
    "letters": Target(try_broken_letter, 1_000),
    "long-letters": Target(try_long_letter, 8),
    "yaml": Target(try_text, 4_000),
    "forms": Target(try_form, 2_000),
    "archives": Target(try_archive, 60),
}


def attempt(name: str, number: int) -> None:
    """Make this attempt: the same number is the same attempt."""
    TARGETS[name].attempt(random.Random(f"{name} {number}"))
