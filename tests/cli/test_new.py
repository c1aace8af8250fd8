"""Making a game at the command line: what is missing, what cannot be, what is asked for."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli.wiring import Office
from tests.servers.nursery import open_nursery

ROOT = Path(__file__).parents[2]


def test_new_says_what_is_missing(gm: Any) -> None:
    assert "jump-wars" in gm.refused("new", "ember", code=2)
    assert "GAME" in gm.refused("new", "--kind", "jump-wars", code=2)
    assert "--seat red=Ada" in gm.refused("new", "ember", "--kind", "jump-wars", code=2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seat", "rod=Ada"], 'Did you mean "red"?'),
        (["--seat", "red=Ada", "--seat", "red=Bo"], "given twice"),
        (["--seat", "red=Ada", "--seat", "blue=Ada"], "nobody may hold two seats"),
        (["--seat", "red=Ada", "--seat", "blue=Bo", "--option", "gird=hex"], "grid"),
        (["--seat", "red=Ada", "--seat", "blue=Bo", "--setting", "pase=3d"], "pace"),
        (["--seat", "red=Ada", "--seat", "blue=Bo", "--pace", "soon"], "72h"),
        (["--seat", "red=Ada", "--seat", "blue=Bo", "--setting", "nmr=foo"], '"idle"'),
        (["--seat", "red=Ada", "--seat", "blue=Bo", "--setting", "grace=5"], "90m, 72h or 3d"),
        (
            ["--seat", "red=Ada", "--seat", "blue=Bo", "--pace", "72h", "--setting", "pace=24h"],
            "twice",
        ),
        (["--seat", "red=Ada", "--seat", "blue", "--option", "homeworlds={red: A1}"], "blue"),
        (
            ["--seat", "red=Ada", "--seat", "blue", "--option", "grid=hex", "--option", "grid=hex"],
            "grid is given twice",
        ),
        (["--seat", "red=Ada", "--seat", "blue", "--start"], "blue"),
        (["--seat", "red=Ada", "--seat", "blue=Bo", "--luck", "pink=x"], "pink"),
    ],
)
def test_new_refuses_what_cannot_be(gm: Any, words: list[str], said: str) -> None:
    assert said in gm.refused("new", "ember", "--kind", "jump-wars", *words)
    assert gm.json("games") == []


def test_a_game_is_not_called_like_a_kind(gm: Any) -> None:
    seats = ["--seat", "red=Ada", "--seat", "blue=Bo"]
    assert "kind of game" in gm.refused("new", "jump-wars", "--kind", "jump-wars", *seats)


def test_a_dry_run_makes_nothing(gm: Any) -> None:
    words = ["--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo", "--start"]
    assert "dry run" in gm("new", "ember", *words, "--dry-run").stderr
    assert gm.json("games") == []


def test_open_seats_are_filled_and_the_game_started(gm: Any) -> None:
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue")
    assert "blue" in gm.refused("start", "ember")
    gm("replace", "ember", "blue", "Bo")
    assert "turn 1, plan" in gm("start", "ember").stdout


def test_other_components(gm: Any, tmp_path: Path) -> None:
    box = tmp_path / "box.yaml"
    shipped = (ROOT / "seeds/jump_wars/components.yaml").read_text()
    box.write_text(shipped.replace("fleets: 5", "fleets: 6"))
    seats = ["--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo", "--start"]
    gm("new", "ember", *seats, "--components", box)
    state = gm.json("show", "ember", "--reveal")["state"]
    assert list(state["fleets"]["red"].values()) == [6]
    box.write_text("kind: [")
    assert "box.yaml" in gm.refused("new", "frost", *seats, "--components", box)


def test_questions_at_a_terminal(tmp_path: Path) -> None:
    """On a terminal `new` asks for what is missing."""
    out, _ = _asked(tmp_path, "jump-wars", "ember", "2", "Ada", "Bo", "none", "y")
    assert "It has started" in out


def test_the_answers_are_shown_before_the_game_is_made(tmp_path: Path) -> None:
    out, talk = _asked(tmp_path, "jump-wars", "ember", "2", "Ada", "Bo", "72h", "no")
    assert "It is open" in out
    for said in ("a game of Jump Wars", "red     Ada", "blue    Bo", "pace    72h"):
        assert said in talk
    # the kind of the latest game is offered for the next one
    again, talk = _asked(tmp_path, "", "frost", "2", "Ada", "Bo", "none", "stop", code=130)
    assert "[jump-wars]" in talk
    assert again == ""


def test_what_will_not_do_is_asked_again_at_once(tmp_path: Path) -> None:
    right = _asked(tmp_path, "jump-wars", "ember", "2", "Ada", "-", "72h")
    assert "It is open" in right[0]
    wrong = ("jump-wars", "Frost!", "ember", "frost", "99", "two", "2", "Ada", "Ada", "bo@", "Bo")
    out, talk = _asked(tmp_path, *wrong, "soon", "none", "y")
    assert "frost: jump-wars, 2 seats (red, blue)" in out
    for said in ("small letters", "already a game ember", "2 to 8", "two seats", '"bo@"', '"soon"'):
        assert said in talk


def _asked(home: Path, *answers: str, code: int = 0) -> tuple[str, str]:
    """What `new` prints, and what stands on the terminal beside it."""
    import pty

    parent, child = pty.openpty()
    process = subprocess.Popen(
        [open_nursery().program, "--home", str(home), "new"],
        stdin=child,
        stdout=subprocess.PIPE,
        stderr=child,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    )
    os.close(child)
    os.write(parent, "".join(f"{answer}\n" for answer in answers).encode())
    out, _ = process.communicate(timeout=300)
    talk = _rest(parent)
    os.close(parent)
    assert process.returncode == code, talk
    return out.decode(), talk


def _rest(terminal: int) -> str:
    """What was written to a terminal whose other side is closed."""
    parts = []
    with suppress(OSError):  # that is how it ends
        while part := os.read(terminal, 4096):
            parts.append(part)
    return b"".join(parts).decode()


def test_a_player_needs_a_name(duel: Any) -> None:
    for name in ("bot", "Bot"):
        assert "adjudicator bot ember blue" in duel.refused("replace", "ember", "blue", name)
    for name in ("", "  "):
        assert "name is missing" in duel.refused("replace", "ember", "blue", name)


SETTINGS = """\
home: home
address: games@Games.example.org
postboxes: [{kind: maildir, folder: in}]
postman: {kind: maildir, folder: out}
"""


@pytest.mark.parametrize(
    ("settings", "given", "host"),
    [
        (SETTINGS, "", "games.example.org"),
        (SETTINGS, "mine.example.net", "mine.example.net"),
        (SETTINGS.replace("home: home", "home: elsewhere"), "", "adjudicator.invalid"),
        (SETTINGS.replace("postman", "postmen"), "", "adjudicator.invalid"),
    ],
)
def test_games_of_a_house_have_its_message_ids(
    gm: Any, tmp_path: Path, settings: str, given: str, host: str
) -> None:
    file = tmp_path / "adjudicator.yaml"
    file.write_text(settings)
    words = ["new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo"]
    words += ["--setting", f"host={given}"] if given else []
    made = gm(*words, ADJUDICATOR_CONFIG=str(file))
    assert ("Note: the server's settings are not used" in made.stderr) is ("postmen" in settings)
    office = Office(str(gm.home))
    with office.reading() as books:
        stored = books.game("ember").settings
    office.close()
    assert stored.get("host", "adjudicator.invalid") == host


def test_a_game_without_luck_words_says_so_everywhere(gm: Any, tmp_path: Path) -> None:
    alone = "the server alone chose the dice"
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo", "--start")
    told = gm("new", "ember", "--kind", "jump-drive", *seats)
    assert alone in " ".join(told.stderr.split())
    assert alone in " ".join(gm("show", "ember").stdout.split())
    assert alone in " ".join(gm("verify", "ember").stderr.split())
    gm("end", "ember", "--reason", "late", "--yes")
    gm("export", "ember", "--out", tmp_path / "kept")
    assert alone in " ".join(gm("verify", tmp_path / "kept").stderr.split())
    lucky = gm("new", "frost", "--kind", "jump-drive", *seats, "--luck", "red=seven owls")
    assert alone not in " ".join(lucky.stderr.split())
    assert "the luck words of red are mixed" in " ".join(gm("show", "frost").stdout.split())
