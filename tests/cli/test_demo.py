"""The demo: a whole game that leaves letters, archive and proof, from anywhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def test_the_demo_leaves_a_game_to_look_at(gm: Any, gm_at: Any, tmp_path: Path) -> None:
    out = tmp_path / "demo"
    told = gm("demo", "--out", out, "--seed", "1").stdout
    assert re.search(r"(red|blue|green)( and \w+)? ha(s|ve) won the game", told)
    assert "takes" in told
    assert "Verified:" in told
    places = dict(line.split(maxsplit=1) for line in told.splitlines()[-4:])
    letters = sorted(Path(places["Letters"].partition("  (")[0]).iterdir())
    kinds = {path.name.split("-")[3] for path in letters}
    assert kinds == {"notice", "receipt", "report"}
    archive = Path(places["Archive"])
    assert (archive / "steps" / "000-setup" / "red" / "report.txt").is_file()
    assert gm_at(out)("verify", archive).exit_code == 0
    assert gm_at(out).json("games")[0]["status"] == "over"
    assert "not empty" in gm.refused("demo", "--out", out)


def test_the_same_seed_is_the_same_game(gm: Any, tmp_path: Path) -> None:
    one, other = (
        gm("demo", "--out", tmp_path / name, "--seed", "5").stdout.replace(name, "")
        for name in ("one", "other")
    )
    assert one == other


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    import pty

    command = [sys.executable, "-m", "adjudicator", "play", "jump-wars", "--bots"]
    command += ["--seed", "1", "--option", "turn_limit=3"]
    piped = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout + piped.stderr
    parent, child = pty.openpty()
    env = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=child, env=env
    ) as process:
        os.close(child)
        seen = b""
        try:
            while part := os.read(parent, 4096):
                seen += part
        except OSError:  # the terminal's other end is closed
            pass
        assert process.stdout
        assert process.stdout.read() == piped.stdout
    os.close(parent)
    assert b"3 bots" in seen
