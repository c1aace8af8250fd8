"""No letter of up to 1 MB takes a second, 200 MB or the reader down."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adapters.letter.hostile import LETTERS

_ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def measured() -> dict[str, tuple[float, float, str]]:
    """What each took, in a process of its own without what the tests have loaded."""
    command = [sys.executable, "-m", "tests.adapters.letter.hostile"]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    return {name: (seconds, size, wrong) for name, seconds, size, wrong in json.loads(done.stdout)}


@pytest.mark.parametrize("name", LETTERS)
def test_hostile_letters(name: str, measured: dict[str, tuple[float, float, str]]) -> None:
    seconds, size, wrong = measured[name]
    assert wrong == ""
    assert seconds < 1
    assert size < 200
