"""What `make` does on a machine on which nothing was set up yet."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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
        if found is None:
            pytest.skip(f"there is no {tool} on this machine")
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


def test_a_change_of_pyproject_is_set_up_again(machine: Path) -> None:
    checkout = machine / "checkout"
    ready = checkout / ".venv" / "ready"
    ready.parent.mkdir()
    ready.touch()
    for path, times in (
        (ready, 2),
        (checkout / ".make" / "setup", 1),
        (checkout / "pyproject.toml", 1),
    ):
        os.utime(path, (times, times))
    command = [machine / "bin" / "make", "--question", ".venv/ready"]
    env = {"PATH": str(machine / "bin")}
    assert subprocess.run(command, cwd=checkout, env=env, check=False).returncode == 0
    os.utime(checkout / "pyproject.toml", (3, 3))
    assert subprocess.run(command, cwd=checkout, env=env, check=False).returncode == 1
