"""The demo: a whole game that leaves letters, archive and proof, from anywhere."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import click.testing
import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.settings import read_settings_file
from adjudicator.cli.app import cli
from adjudicator.cli.demo import command as demo
from adjudicator.cli.wiring import Office
from tests.modes import readable, umask
from tests.servers.nursery import open_nursery

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    """Games of three turns (`make soak` plays one to its end, in tests/test_house.py)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "_TURNS", 3)
        yield


@pytest.fixture(scope="module")
def played(short: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo, and what was told of it."""
    folder = tmp_path_factory.mktemp("demo") / "my demo"
    # it has books of its own, wherever the GM keeps theirs
    env = {"ADJUDICATOR_DATABASE": "postgresql://nobody@nowhere.invalid/books"}
    words = ["demo", "--out", str(folder), "--seed", "1"]
    with umask(0):
        done = click.testing.CliRunner().invoke(cli, words, env=env)
    assert done.exit_code == 0, done.output
    return folder, done.stdout


def test_whatever_the_umask_only_the_pages_are_for_everybody(played: tuple[Path, str]) -> None:
    out, _ = played
    assert [path for path in readable(out) if not path.is_relative_to(out / "site")] == []


def test_the_demo_leaves_a_game_to_look_at(played: tuple[Path, str], gm: Any, gm_at: Any) -> None:
    out, told = played
    assert re.search(r"(red|blue|green)( and \w+)? ha(s|ve) won the game", told)
    assert "fights were fought" in told
    assert "Verified:" in told
    places = dict(line.split(maxsplit=1) for line in told.splitlines()[-7:])
    assert list(places) == ["Letters", "Archive", "Reports", "Site", "Play", "Log", "Look"]
    page = Path(places["Play"].partition(",")[0])
    assert '"seat": "red"' in page.read_text("utf-8")
    pages = Path(places["Site"].partition(",")[0])
    (game,) = re.findall(r'href="([^"]*/ember/index.html)"', pages.read_text("utf-8"))
    assert "red" in (pages.parent / game).read_text("utf-8")
    archive = Path(places["Archive"])
    assert (archive / "steps" / "000-setup" / "red" / "report.txt").is_file()
    assert gm_at(out)("verify", archive).exit_code == 0
    status = {one["id"]: one["status"] for one in gm_at(out).json("games", "--all")}
    assert status == {"ember": "over", "spark": "running"}
    look = shlex.split(places["Look"])
    assert look == ["adjudicator", "--home", str(out), "show", "ember"]
    assert "not empty" in gm.refused("demo", "--out", out)
    lines = Path(places["Log"].partition(",")[0]).read_text().splitlines()
    assert len(lines) > 100
    assert all("[info " in line for line in lines)


def test_it_tells_who_took_whose_homeworld_and_lost_it_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    where = {"map": {"A1": {"home": "red"}, "A2": "nebula"}}
    held = [{"A1": "red"}, {"A1": "blue"}, {"A1": "blue"}, {}]
    demo._narrate(
        [
            {"turn": f"turn {n}", "step": f"{2 * n}-jump", "events": [], "position": position}
            for n, position in enumerate([{**where, "held": one} for one in held], start=1)
        ]
    )
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "turn 2: blue takes red's homeworld.",
        "turn 4: blue has lost red's homeworld again.",
        "0 fights were fought.",
    ]


def test_its_letters_are_letters(played: tuple[Path, str]) -> None:
    out, told = played
    folders = {path.name: sorted(path.iterdir()) for path in (out / "letters").iterdir()}
    assert sorted(folders) == ["ada", "bo", "cleo"]
    assert f"({sum(map(len, folders.values()))} files" in told
    for name, files in folders.items():
        for path in files:
            letter = message_from_bytes(path.read_bytes(), policy=default)
            end = "From" if "reply" in path.name else "To"
            assert letter[end].addresses[0].username == name
        kinds = {kind for path in files for kind in path.stem.split("-") if kind.isalpha()}
        assert {"answer", "reply", "report", "receipt", "press"} <= kinds
        # start and end of a game are told by its reports, with the notices inside
        assert "notice" not in kinds
        first, *_, last = (path for path in files if "-report-" in path.name)
        assert first.name.endswith("-0-setup-report-1.eml")
        end = message_from_bytes(last.read_bytes(), policy=default)
        assert end["Subject"].startswith("[ember] Game over: ")
        assert "How to check the draws" in end.get_body(("plain",)).get_content()


def test_people_reply_each_in_the_manner_of_a_mail_program(played: tuple[Path, str]) -> None:
    out, _ = played
    types = {}
    for name in ("ada", "bo", "cleo"):
        for path in (out / "letters" / name).glob("*-reply.eml"):
            letter = message_from_bytes(path.read_bytes(), policy=default)
            types[name] = [part.get_content_type() for part in letter.walk()]
            blocks = [block.origin for block in parse_letter(path.read_bytes()).blocks]
            assert blocks[0] == "text"
            # what was answered is quoted below, as most programs do it
            assert len(blocks) == (1 if name == "cleo" else 2)
    assert types == {
        "ada": ["multipart/alternative", "text/plain", "text/html"],
        "bo": ["text/html"],
        "cleo": ["text/plain"],
    }


def test_everything_went_by_letter(played: tuple[Path, str]) -> None:
    out, _ = played
    office = Office(str(out))
    with office.reading() as books:
        orders, came, went = books.orders("ember"), books.arrivals(), books.letters("ember")
    office.close()
    assert {own.by for own in orders} == {"player"}
    assert {one.outcome for one in came} == {"answer", "receipt"}
    assert sum(one.outcome == "receipt" for one in came) == len(orders)
    assert {one.status for one in went} == {"sent"}
    assert list((out / "post" / "in" / "new").iterdir()) == []
    assert read_settings_file(out / "adjudicator.yaml").home == str(out)


def test_the_same_seed_is_the_same_game(played: tuple[Path, str], gm: Any, tmp_path: Path) -> None:
    out, told = played
    once_more = tmp_path / "once more"
    again = gm("demo", "--out", once_more, "--seed", "1").stdout
    assert again.replace(str(once_more), str(out)) == told


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    import pty

    command = [open_nursery().program, "play", "jump-wars", "--bots"]
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
