"""No letter of up to 1 MB takes seconds, 200 MB or the reader down."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adapters.letter.hostile import ALL

_SECONDS = 5.0
"""Of work (process time): ten times what the worst of them takes on a quiet machine."""
_MEGABYTES = 200
"""Of memory at the most, Python and the program counted."""
_ROOT = Path(__file__).parents[3]


def read_hostile_letters(*words: str) -> None:
    """All in one test: each is read in a process of its own, and two workers need not do it."""
    command = [sys.executable, "-m", "tests.adapters.letter.hostile", *words]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    measured = json.loads(done.stdout)
    assert [name for name, *_ in measured] == list(ALL)
    assert len(measured) >= 230
    too_much = [one for one in measured if one[1] > _SECONDS or one[2] > _MEGABYTES or one[3]]
    assert too_much == []


def test_hostile_letters() -> None:
    read_hostile_letters()


@pytest.mark.soak
def test_hostile_letters_as_long_as_a_letter_may_be() -> None:
    read_hostile_letters("whole")
