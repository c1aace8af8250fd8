"""Every command explains itself, and every example in a help can be pasted."""

import shlex
from typing import Any

import click
import pytest

from adjudicator.cli.app import SECTIONS, cli

NAMES = [name for part in SECTIONS.values() for name in part]


def _command(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def _examples(command: click.Command) -> list[str]:
    text = (command.epilog or "").replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if " adjudicator " in f" {line.strip()}"]


@pytest.mark.parametrize("name", NAMES)
def test_the_help_ends_with_an_example(name: str) -> None:
    command = _command(name)
    page = command.get_help(click.Context(command, info_name=name))
    assert "\nExample:\n" in page.replace("  Example:", "Example:")
    assert _examples(command)


@pytest.mark.parametrize("name", NAMES)
def test_every_example_parses(name: str) -> None:
    for line in _examples(_command(name)):
        words = shlex.split(line.rpartition("|")[2])
        assert words[:2] == ["adjudicator", name]
        # parsing alone: nothing is run, so nothing needs to exist
        with _command(name).make_context(name, words[2:], obj=None, resilient_parsing=False):
            pass


@pytest.mark.parametrize("name", NAMES)
def test_the_table_names_the_command(name: str) -> None:
    command = _command(name)
    assert command.name == name
    assert command.help
    options = [o for p in command.params for o in p.opts]
    assert "--help" in options or command.add_help_option


def test_completion_is_explained() -> None:
    page = cli.get_help(click.Context(cli))
    for shell in ("bash", "zsh", "fish"):
        assert f"_ADJUDICATOR_COMPLETE={shell}_source" in page


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("adjudicator sho", ["show"]),
        ("adjudicator show --rev", ["--reveal"]),
        ("adjudicator show em", ["ember"]),
        ("adjudicator report nowhere ", []),
        ("adjudicator submit ember b", ["blue"]),
        ("adjudicator submit embr b", []),
    ],
)
def test_completion_knows_commands_games_and_seats(
    duel: Any, words: str, answers: list[str]
) -> None:
    env = {
        "_ADJUDICATOR_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    told = duel(**env).stdout.split()
    assert [line.partition(",")[2] for line in told] == answers
