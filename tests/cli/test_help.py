"""Every command explains itself, and every example in a help can be pasted."""

import os
import re
import shlex
import subprocess
import sysconfig
from pathlib import Path
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


@pytest.mark.parametrize(
    ("shell", "kept"),
    [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/completions/adjudicator.fish")],
)
def test_what_switches_completion_on_can_be_pasted(shell: str, kept: str, tmp_path: Path) -> None:
    page = cli.get_help(click.Context(cli)).replace("\\\n", "")
    (line,) = re.findall(rf"^ *{shell}  (.*)$", page, re.MULTILINE)
    place = tmp_path / kept
    place.parent.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    env = {"PATH": path, "HOME": str(tmp_path)}
    subprocess.run(["sh", "-ec", line], check=True, env=env, cwd=tmp_path)
    text = place.read_text("utf-8")
    if text.startswith("eval "):  # the shell asks for it whenever it starts
        shown = ["sh", "-ec", text.replace("eval", "echo", 1)]
        text = subprocess.run(shown, check=True, env=env, capture_output=True, text=True).stdout
    assert "_adjudicator_completion" in text
    assert f"_ADJUDICATOR_COMPLETE={shell}_complete" in text


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("adjudicator sho", ["show"]),
        ("adjudicator show --rev", ["--reveal"]),
        ("adjudicator show em", ["ember"]),
        ("adjudicator report nowhere ", []),
        ("adjudicator submit ember b", ["blue"]),
        ("adjudicator submit embr b", []),
        ("adjudicator orders ember --step ", ["0-setup", "1-plan"]),
        ("adjudicator history ember --step 1", ["1-plan"]),
        ("adjudicator history ember --act s", ["start"]),
        ("adjudicator report ember --seat r", ["red"]),
        ("adjudicator letters ember --seat ", ["red", "blue"]),
        ("adjudicator new frost --kind jump-d", ["jump-drive"]),
        ("adjudicator new frost --kind jump-wars --seat r", ["red"]),
        ("adjudicator new frost --kind jump-wars --option gr", ["grid="]),
        ("adjudicator new frost --setting pa", ["pace="]),
        ("adjudicator play jump-w", ["jump-wars"]),
        ("adjudicator form jump-wars o", ["options"]),
        ("adjudicator form ember rev", ["reveal"]),
        ("adjudicator report jump-gate-", ["jump-gate-2010"]),
        ("adjudicator rules jump-d", ["jump-drive"]),
        ("adjudicator rules jump-wars JW-13", ["JW-13", "JW-13a", "JW-13b", "JW-13c"]),
        ("adjudicator letter", ["letters"]),
        ("adjudicator verify ", ["ember"]),
        ("adjudicator site em", ["ember"]),
        ("adjudicator rollback ember ", ["0-setup"]),
        ("adjudicator end ember --winner b", ["blue"]),
        ("adjudicator history ember --turn ", ["1"]),
        ("adjudicator rules JW-13", ["JW-13", "JW-13a", "JW-13b", "JW-13c"]),
        ("adjudicator play jump-wars --option gr", ["grid="]),
        ("adjudicator scenario --dump em", ["ember"]),
        ("adjudicator scenario --dump ember ", ["0-setup", "1-plan"]),
        ("adjudicator site ember --out x --seat b", ["blue"]),
        ("adjudicator conform jump-d", ["jump-drive"]),
        ("adjudicator init --setting postbox.fo", ["postbox.folder="]),
        ("adjudicator form s", ["settings", "scenario"]),
        ("adjudicator report s", []),
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
