"""What `make` does on a machine on which nothing was set up yet."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
NEW_ENOUGH = 'case "$*" in *version_info*) exit 0;; esac\n'
PYTHONS = {
    "none": (None, "Python 3.11 or newer is needed: install it"),
    "too old": ("exit 1\n", "Python 3.11 or newer is needed: install it"),
    "without venv": (f"{NEW_ENOUGH}exit 1\n", "python3 cannot make virtual environments: install"),
}


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A checkout, and a PATH on which there is hardly anything."""
    shutil.copytree(ROOT / ".make", tmp_path / "checkout" / ".make")
    shutil.copy(ROOT / "Makefile", tmp_path / "checkout")
    (tmp_path / "checkout" / "pyproject.toml").touch()
    (tmp_path / "bin").mkdir()
    for tool in ("sh", "dirname", "make", "touch"):
        found = shutil.which(tool)
        assert found is not None, f"there is no {tool} on this machine"
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


@pytest.mark.parametrize("python", PYTHONS)
def test_what_is_missing_is_told_in_one_line(python: str, machine: Path) -> None:
    script, told = PYTHONS[python]
    if script is not None:
        stub = machine / "bin" / "python3"
        stub.write_text(f"#!{machine / 'bin' / 'sh'}\n{script}", encoding="utf-8")
        stub.chmod(0o755)
    done = subprocess.run(
        [machine / "bin" / "make", "--silent", "test"],
        cwd=machine / "checkout",
        env={"PATH": str(machine / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    first, *rest = done.stderr.splitlines()
    assert first.startswith(f"setup: {told}")
    assert all(line.startswith("make") for line in rest)
    assert not (machine / "checkout" / ".venv" / "ready").exists()


WORKING = """\
here=$(pwd -P)/.venv/bin
case "$*" in
*"-m venv"*)
    echo venv >>../calls
    mkdir -p .venv/bin
    cp "$0" .venv/bin/python
    echo "#!$here/python" >.venv/bin/pip ;;
*editable*)
    echo install >>../calls
    echo "#!$here/python" >.venv/bin/adjudicator ;;
esac
"""
"""A Python that notes what it is asked for, and leaves of it what the next call looks for."""


def _python(place: Path, machine: Path) -> Path:
    place.write_text(f"#!{machine / 'bin' / 'sh'}\n{WORKING}", encoding="utf-8")
    place.chmod(0o755)
    return place


def _calls(machine: Path, checkout: str, **env: str) -> list[str]:
    """What is done when everything is to be set up."""
    asked = machine / "calls"
    asked.write_text("")
    command = [machine / "bin" / "make", "--silent", ".venv/ready"]
    env = {"PATH": str(machine / "bin"), **env}
    subprocess.run(command, cwd=machine / checkout, env=env, check=True, capture_output=True)
    return asked.read_text().split()


@pytest.fixture
def set_up(machine: Path) -> Path:
    """A machine on which that has been done once."""
    for tool in ("cp", "grep", "mkdir"):
        (machine / "bin" / tool).symlink_to(shutil.which(tool) or tool)
    _python(machine / "bin" / "python3", machine)
    for path in (".make/setup", ".make/constraints.txt", "pyproject.toml"):
        os.utime(machine / "checkout" / path, (1, 1))
    assert _calls(machine, "checkout") == ["venv", "install"]
    return machine


def test_what_is_done_is_not_done_again(set_up: Path) -> None:
    assert _calls(set_up, "checkout") == []


@pytest.mark.parametrize("path", ["pyproject.toml", ".make/setup", ".make/constraints.txt"])
def test_a_change_of_what_it_rests_on_is_set_up_again(path: str, set_up: Path) -> None:
    newer = (set_up / "checkout" / ".venv" / "ready").stat().st_mtime + 5
    os.utime(set_up / "checkout" / path, (newer, newer))
    assert _calls(set_up, "checkout") == ["install"]


def test_a_checkout_that_was_moved_or_copied_is_set_up_again(set_up: Path) -> None:
    shutil.copytree(set_up / "checkout", set_up / "a cöpy")
    assert _calls(set_up, "a cöpy") == ["venv", "install"]
    assert _calls(set_up, "a cöpy") == []
    (set_up / "checkout").rename(set_up / "moved")
    assert _calls(set_up, "moved") == ["venv", "install"]


@pytest.mark.parametrize("lost", ["python", "pip"])
def test_a_setup_of_which_half_is_there_is_begun_anew(lost: str, set_up: Path) -> None:
    # the system has got another Python, or somebody pressed Ctrl-C
    (set_up / "checkout" / ".venv" / "bin" / lost).unlink()
    (set_up / "checkout" / ".venv" / "bin" / "adjudicator").unlink()
    assert _calls(set_up, "checkout") == ["venv", "install"]


def test_another_python_may_be_named_wherever_it_lies(set_up: Path) -> None:
    shutil.rmtree(set_up / "checkout" / ".venv")
    (set_up / "bin" / "python3").unlink()
    named = _python(set_up / "my python", set_up)
    assert _calls(set_up, "checkout", PYTHON=str(named)) == ["venv", "install"]


# ---- the versions that are installed

LOCKED = re.compile(r"([A-Za-z0-9][\w.-]*)==(\d[\w.]*)")


def _locked() -> dict[str, str]:
    """What constraints.txt says, and nothing else stands there."""
    text = (ROOT / ".make" / "constraints.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    named = [re.fullmatch(LOCKED, line) for line in lines]
    assert None not in named
    return {canonicalize_name(one[1]): one[2] for one in named if one}


def _needed(requirements: Iterable[str], extras: frozenset[str] = frozenset()) -> set[str]:
    """Everything that comes along, as what is installed here asks for it."""
    found: set[str] = set()
    waiting = [(Requirement(one), extras) for one in requirements]
    while waiting:
        wanted, chosen = waiting.pop()
        if wanted.marker and not any(
            wanted.marker.evaluate({"extra": extra}) for extra in (*chosen, "")
        ):
            continue
        name = canonicalize_name(wanted.name)
        if name not in found:
            found.add(name)
            more = importlib.metadata.requires(name) or []
            waiting += [(Requirement(one), frozenset(wanted.extras)) for one in more]
    return found


def test_every_version_is_locked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = [*settings["project"]["dependencies"], *settings["dependency-groups"]["dev"]]
    locked = _locked()
    assert _needed(asked) <= locked.keys()
    for one in map(Requirement, asked):
        assert one.specifier.contains(locked[canonicalize_name(one.name)]), one


def test_the_setup_installs_what_is_locked() -> None:
    setup = (ROOT / ".make" / "setup").read_text("utf-8")
    (install,) = re.findall(r"pip install [^|]*--group dev", setup)
    assert "--constraint .make/constraints.txt" in install


def test_an_image_gets_everything_that_the_package_is_built_from() -> None:
    """Its recipe sends nothing else of a checkout, in which a GM's games and passwords may lie."""
    lines = (ROOT / ".github" / "Dockerfile.dockerignore").read_text().splitlines()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    wanted = {*wheel["packages"], *wheel["force-include"], *project["project"]["license-files"]}
    wanted |= {"pyproject.toml", "README.md", ".make/constraints.txt"}
    assert [one for one in sorted(wanted) if not any(_covers(path, one) for path in sent)] == []
    assert [path for path in sorted(sent) if not any(_covers(path, one) for one in wanted)] == []


def test_both_daemons_of_the_compose_file_are_the_same_but_for_their_names() -> None:
    services = yaml.safe_load((ROOT / ".github" / "compose.yaml").read_text())["services"]
    first, second = services["first"], services["second"]
    assert {name: value for name, value in first.items() if name != "build"} == {
        **second,
        "hostname": "first",
    }
    assert second["hostname"] == "second"
    assert (ROOT / ".github" / first["build"]["context"] / first["build"]["dockerfile"]).is_file()


def _covers(path: str, wanted: str) -> bool:
    return wanted == path or wanted.startswith(f"{path}/")
