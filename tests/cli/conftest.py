"""A GM at a command line of their own: a home in a temporary folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click.testing
import pytest

from adjudicator.cli.app import cli


class Gm:
    """Types commands and looks at what comes back."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(
        self,
        *words: str | Path,
        code: int = 0,
        typed: str | bytes | None = None,
        color: bool = False,
        **env: str,
    ) -> click.testing.Result:
        """Run a command; it must end with this code."""
        result = click.testing.CliRunner().invoke(
            cli,
            [str(word) for word in words],
            input=typed,
            env={"ADJUDICATOR_HOME": str(self.home), **env},
            color=color,
        )
        assert result.exit_code == code, (words, result.output, result.exception)
        assert "Traceback" not in result.output
        return result

    def json(self, *words: str | Path, **wanted: Any) -> Any:
        """What a command says with --json."""
        return json.loads(self(*words, "--json", **wanted).stdout)

    def refused(self, *words: str | Path, code: int = 1, **wanted: Any) -> str:
        """The one line in which a command says no."""
        result = self(*words, code=code, **wanted)
        assert result.stderr.startswith("Error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr.removeprefix("Error: ").strip()


@pytest.fixture
def gm(tmp_path: Path) -> Gm:
    """A GM in an empty home."""
    return Gm(tmp_path / "home")


@pytest.fixture
def gm_at() -> Callable[[Path], Gm]:
    """A GM in this home."""
    return Gm


@pytest.fixture
def duel(gm: Gm) -> Gm:
    """A GM with a game of two, red at A1 and blue at C3, waiting for plan orders."""
    gm(
        "new",
        "ember",
        "--kind",
        "jump-wars",
        "--seat",
        "red=Ada",
        "--seat",
        "blue=Bo",
        "--option",
        "homeworlds={red: A1, blue: C3}",
        "--seed",
        "7",
        "--start",
    )
    return gm
