"""How commands speak."""

import sys
from pathlib import Path

import pytest

from adjudicator.cli.terminal.output import find_own_command


def test_a_command_that_is_named_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / ".venv" / "adjudicator"
    monkeypatch.setattr(sys, "argv", [str(program), "demo"])
    # as after `make demo`, when nobody has put it on the PATH yet
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_own_command("--home", Path("my games"), "show", "ember") == (
        f"{program} --home 'my games' show ember"
    )
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert find_own_command("verify", "pub") == "adjudicator verify pub"
