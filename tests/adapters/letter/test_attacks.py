"""No letter of up to 1 MB takes a second, 200 MB or the reader down."""

import json
import subprocess
import sys
from pathlib import Path

from tests.adapters.letter.hostile import LETTERS

_ROOT = Path(__file__).parents[3]


def test_hostile_letters() -> None:
    """All in one test: each is read in a process of its own, and two workers need not do it."""
    command = [sys.executable, "-m", "tests.adapters.letter.hostile"]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    measured = json.loads(done.stdout)
    assert [name for name, *_ in measured] == list(LETTERS)
    assert len(measured) >= 180
    too_much = [one for one in measured if one[1] >= 1 or one[2] >= 200 or one[3]]
    assert too_much == []
