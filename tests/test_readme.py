"""What the README and the pages beside it say is so."""

import os
import re
import shutil
import subprocess
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.cli.demo.people import DEMO_PEOPLE, Table
from adjudicator.cli.wiring import Office
from tests.servers.nursery import open_nursery
from tests.settings_page import PAGE, make_settings_page

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
SHOWN = ROOT / ".shown"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def _block(heading: str, kind: str) -> list[str]:
    """The lines of the one block of this kind below a heading."""
    (part,) = re.findall(rf"^## {heading}\n(.*?)(?=^## )", README, re.MULTILINE | re.DOTALL)
    (block,) = re.findall(rf"^```{kind}\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    return [line.removeprefix("$ ") for line in block.splitlines()]


def _shell(line: str, where: Path) -> str:
    # it starts quickly; tests/test_house.py starts the one that is installed
    path = os.pathsep.join([str(open_nursery().program.parent), os.environ["PATH"]])
    env = {"PATH": path, "HOME": str(where), "LC_ALL": "C.UTF-8"}
    command = ["sh", "-ec", line]
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _seen_by_git(folder: Path) -> str:
    """What `git add .` would take along if this folder were the checkout."""
    shutil.copy(ROOT / ".gitignore", folder)
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    command = [*git, "status", "--short", "--untracked-files=all"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Where the first game was played, and what each line said."""
    where = tmp_path_factory.mktemp("by-hand")
    lines = _block("A first game, by hand", "console")
    return where, {line: _shell(line, where) for line in lines}


def test_the_first_game_is_ten_lines_and_they_work(by_hand: tuple[Path, dict[str, str]]) -> None:
    where, told = by_hand
    assert len(told) <= 10
    assert (where / "games" / "adjudicator.db").is_file()
    assert list((where / "letters").iterdir())
    (report,) = (said for line, said in told.items() if line.startswith("adjudicator report"))
    assert "SPARK" in report
    assert "all is as it was recorded" in list(told.values())[-1]


def test_the_pages_lie_where_it_says(by_hand: tuple[Path, dict[str, str]]) -> None:
    where, _ = by_hand
    for line in _block("Pages for the browser", "console"):
        _shell(line, where)
    (place,) = re.findall(r"# open (\S+),", README)
    assert "spark" in (where / place).read_text("utf-8")
    one, everybody = (next(where.glob(f"{name}/*/spark")) for name in ("red-only", "pages"))
    assert "what red alone may know" in (one / "index.html").read_text("utf-8")
    for seat, alike in (("red", False), ("blue", True), ("green", True)):
        page = f"seats/{seat}.html"
        assert ((one / page).read_bytes() == (everybody / page).read_bytes()) is alike
    assert _seen_by_git(where) == "?? .gitignore\n"


FOLDER = "games/jump_wars/spark"
NAMES = {"GAME": "spark", "DIR": "letters/shown", "FOLDER": FOLDER, "FILE": "home.bundle"}


def test_every_command_that_it_mentions_works(by_hand: tuple[Path, dict[str, str]]) -> None:
    where, _ = by_hand
    named = re.findall(r"`(adjudicator [^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", README))
    assert len(named) >= 10
    for command in named:
        line = re.sub(r"\b[A-Z]+\b", lambda word: NAMES[word[0]], command)
        # the one asks for everything, as the first line of the first game shows; the other needs a
        # terminal, as tests/cli/test_top.py has
        if line not in ("adjudicator new", "adjudicator top"):
            assert _shell(line, where), line
    assert (where / "letters" / "shown" / "map.svg").is_file()


def _text(folder: Path) -> str:
    """All letters in it."""
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.iterdir()))


def _until(wanted: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 120
    while not wanted():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.05)


def test_the_first_game_by_mail_is_fifteen_lines_and_people_can_play_it(
    by_hand: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    # whoever reads on plays it beside the game before
    shutil.copytree(by_hand[0], tmp_path, dirs_exist_ok=True)
    (tmp_path / "games" / "journal").unlink()  # it would tell that this home is a copy
    *lines, last = _block("A first game, by mail", "console")
    assert len(lines) < 15
    assert last == "kill $!"
    serving = (
        "adjudicator serve >/dev/null 2>log & echo $! >pid; "
        "until grep -q serving log; do sleep 0.1; done"
    )
    assert sum(line.startswith("adjudicator serve & ") for line in lines) == 1
    lines = [serving if line.startswith("adjudicator serve & ") else line for line in lines]
    try:
        told = _shell("\n".join(lines), tmp_path)
        assert "A GM'S GUIDE" in told
        office = Office(str(tmp_path / "games"))
        table = Table(office, "ember", tmp_path / "post", "games@example.org")

        def played() -> bool:
            table.write()
            with office.reading() as books:
                return len(books.orders("ember")) == len(DEMO_PEOPLE)

        _until(played, "orders of everybody")
        with office.reading() as books:
            assert {own.by for own in books.orders("ember")} == {"player"}
            assert books.game("ember").settings["host"] == "example.org"
        office.close()
        assert "last in  " in _shell("adjudicator status", tmp_path)
    finally:
        if (tmp_path / "pid").exists():
            _shell(last.replace("$!", (tmp_path / "pid").read_text()), tmp_path)
    _until(lambda: "stopped" in (tmp_path / "log").read_text(), "the daemon's end")
    assert "code=0" in (tmp_path / "log").read_text()
    for own in ("log", "pid"):
        (tmp_path / own).unlink()
    assert _seen_by_git(tmp_path) == "?? .gitignore\n"


def test_a_mailbox_is_set_up_as_it_says(tmp_path: Path) -> None:
    (options,) = re.findall(r"`(--in imaps://[^`]*)`", README)
    wanted = f"adjudicator init --print --address games@example.org {options}"
    settings = _shell(wanted, tmp_path)
    assert "kind: imap" in settings
    assert "kind: smtp" in settings
    assert settings.count("{file: password}") == 2
    (tmp_path / "password").touch()
    assert _seen_by_git(tmp_path) == "?? .gitignore\n"


def test_a_players_first_turn_is_ten_lines_and_is_taken(tmp_path: Path) -> None:
    lines = _block("A player's first turn", "yaml")
    assert len(lines) <= 10
    home = "adjudicator --home home"
    seats = "--seat red=Ada --seat blue=Bo --seat green=Cleo"
    _shell(f"{home} new ember --kind jump-wars {seats} --start", tmp_path)
    _shell(f"{home} letters ember --out letters --seat red", tmp_path)
    (report,) = (tmp_path / "letters").iterdir()
    (key,) = re.findall(r"^key: .*$", report.read_text("utf-8"), re.MULTILINE)
    block = "\n".join(key if line.startswith("key: ") else line for line in lines)
    letter = f"From: ada@example.org\nMessage-ID: <1@example.org>\n\nHello,\n\n{block}\n"
    (tmp_path / "reply.eml").write_text(letter, encoding="utf-8")
    assert "ember red: receipt (taken)" in _shell(f"{home} read reply.eml", tmp_path)
    on_file = _shell(f"{home} orders ember --reveal", tmp_path)
    assert "build: max" in on_file
    assert "Good luck!" in _shell(
        f"{home} letters ember --out letters >/dev/null; cat letters/*blue*", tmp_path
    )


def test_preferences_and_questions_are_taken_as_it_writes_them(tmp_path: Path) -> None:
    (wish,) = re.findall(r"`(prefer: \{.*, .*\})`", README)
    questions = re.findall(r"`ask: (\w+)`", README)
    assert set(questions) == {"help", "trust"}
    home = "adjudicator --home home"
    _shell(f"{home} new ember --kind jump-wars --seat red=Ada --seat blue=Bo --start", tmp_path)
    _shell(f"{home} address ember red ada@example.org", tmp_path)
    _shell(f"{home} letters ember --out letters --seat red", tmp_path)
    (key,) = set(re.findall(r"^key: .*$", _text(tmp_path / "letters"), re.MULTILINE))
    block = f"game: ember\n{key}\n{wish}\nask: [{', '.join(questions)}]\n# end of orders"
    letter = f"From: ada@example.org\nMessage-ID: <1@example.org>\n\n{block}\n"
    (tmp_path / "letter.eml").write_text(letter, encoding="utf-8")
    _shell(f"{home} read letter.eml", tmp_path)
    _shell(f"{home} letters ember --out answers --seat red", tmp_path)
    answers = _text(tmp_path / "answers")
    assert "A PLAYER'S GUIDE" in answers
    assert "WHAT YOU MUST TRUST" in answers
    assert "✗" not in answers
    (kept,) = re.findall(r"Your preferences are kept: (.*?)\.", " ".join(answers.split()))
    told = ("Europe/Berlin", "plain text", "40 columns", "without pictures", "once a turn", "JSON")
    assert [wanted for wanted in told if wanted not in kept] == []
    assert wish.count(": ") == 1 + len(told)


def test_the_page_of_settings_is_up_to_date() -> None:
    way = ".venv/bin/python -m tests.settings_page > .github/SETTINGS.md"
    assert PAGE.read_text(encoding="utf-8") == make_settings_page(), f"run {way}"
    assert f"`{way}`" in CONTRIBUTING


def test_a_stranger_can_read_it_in_one_sitting() -> None:
    assert len(README.splitlines()) <= 150


def test_the_changelog_tells_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")
    told = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert told[0] == project["version"]
    assert told == sorted(told, reverse=True)


def test_the_games_that_it_names_are_those_that_there_are() -> None:
    library = FolderLibrary()
    titles = [library.kind(kind).title for kind in library.kinds()]
    editions = Counter(re.sub(r" \d{4}$", "", title) for title in titles)
    (named,) = re.findall(r"^The games are (.*)\.$", README, re.MULTILINE)
    names = re.split(r", (?:and )?", named)
    told = {one.removesuffix(" in two editions"): one.count("two") + 1 for one in names}
    assert told == editions


def test_the_python_that_it_asks_for_is_the_one_that_is_needed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (python,) = re.findall(r"need Python (\S+) or newer", README)
    assert project["project"]["requires-python"] == f">={python}"
    setup = (ROOT / ".make" / "setup").read_text(encoding="utf-8")
    assert f"version_info < ({python.replace('.', ', ')})" in setup
    assert f"Python {python} or newer is needed" in setup


def test_every_target_of_the_makefile_is_told_with_its_command() -> None:
    targets = re.findall(r"^([\w-]+): \.venv/ready ; (.*)$", MAKEFILE, re.MULTILINE)
    assert {name for name, _ in targets} >= {"demo", "test", "lint", "bench", "soak"}
    told = dict(re.findall(r"^make ([\w-]+)  +(\S.*)$", README, re.MULTILINE))
    told = {name: command for name, command in told.items() if not command.startswith("#")}
    assert told == dict(targets)


@pytest.mark.parametrize(
    "path",
    sorted(
        {
            path
            for path in re.findall(r"`((?:[\w.]+/)+[\w.]*)`", README + CONTRIBUTING)
            if "venv" not in path
        }
    ),
)
def test_every_place_that_they_name_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_the_layers_are_those_of_the_contract() -> None:
    (told,) = set(re.findall(r"`(\w+(?: > \w+)+)`", README + CONTRIBUTING))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = [c for c in settings["tool"]["importlinter"]["contracts"] if "layers" in c]
    assert told.split(" > ") == contract["layers"]


def test_a_game_needs_the_folders_that_it_names() -> None:
    named = re.findall(r"^- `([\w/]+)/<game>/`", CONTRIBUTING, re.MULTILINE)
    there = [folder for folder in named if (ROOT / folder / "jump_wars").is_dir()]
    assert len(named) == 6
    # every game so far can say all it has to say with the common templates
    assert set(named) - set(there) <= {"templates"}


def test_a_game_as_played_is_added_with_the_words_that_it_names(tmp_path: Path) -> None:
    (words,) = re.findall(r"`(git add [^`]*)`", CONTRIBUTING)
    played = tmp_path / "games" / "new_game" / "first" / "game.yaml"
    played.parent.mkdir(parents=True)
    played.touch()
    assert _seen_by_git(tmp_path) == "?? .gitignore\n"
    _shell(f"{words} games/new_game/first", tmp_path)
    assert "A  games/new_game/first/game.yaml\n" in _seen_by_git(tmp_path)


def test_its_pictures_are_there_small_and_told_in_words() -> None:
    shown = dict(re.findall(r'<img src="([^"]+)"[^>]* alt="([^"]+)">', README))
    assert sorted(shown) == sorted(str(path.relative_to(ROOT)) for path in SHOWN.iterdir())
    assert len(shown) == 4
    makes = (ROOT / ".make" / "pictures").read_text(encoding="utf-8")
    for name, words in shown.items():
        content = (ROOT / name).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) <= 80_000
        assert len(words) > 60
        assert f'"{Path(name).name}"' in makes
