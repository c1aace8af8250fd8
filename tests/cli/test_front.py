"""The front door: help at once, faults in one line, exit codes, any terminal."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from adjudicator.cli.app import cli
from adjudicator.cli.terminal import faults
from adjudicator.core.document import Impossible
from adjudicator.desk.model.errors import Refused

ROOT = Path(__file__).parents[2]


def _start(*args: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "adjudicator", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def _run(*args: str, **environment: str) -> tuple[int, str, str]:
    with _start(*args, **environment) as process:
        out, err = process.communicate(timeout=300)
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _end(work: Callable[[], object], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = faults.run_guarded(work, debug=lambda: False)
    return code, capfd.readouterr().err


def _raises(error: BaseException) -> Callable[[], object]:
    def work() -> object:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (Refused("there is no game ember"), 1, "Error: there is no game ember\n"),
        (Impossible("map.K4", "is off the map"), 1, "Error: map.K4: is off the map\n"),
        (click.UsageError("no\nGAME"), 2, "Error: no GAME.\n"),
        (PermissionError(13, "Permission denied", "/x"), 1, "Error: /x: Permission denied.\n"),
        (
            IsADirectoryError(21, "Is a directory", "/x"),
            1,
            "Error: /x: this is a folder; name a file.\n",
        ),
        (
            FileExistsError(17, "File exists", "/x"),
            1,
            "Error: /x: a file is in the way of a folder; name another place.\n",
        ),
        (click.UsageError("no (Did you mean it?)"), 2, "Error: no (Did you mean it?)\n"),
        (KeyboardInterrupt(), 130, "Stopped.\n"),
        (BrokenPipeError(32, "Broken pipe"), faults.PIPE, ""),
    ],
)
def test_every_fault_is_one_line_and_a_code(
    error: BaseException, code: int, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _end(_raises(error), capfd) == (code, line)


def test_the_unexpected_is_one_line_too(capfd: pytest.CaptureFixture[str]) -> None:
    code, line = _end(_raises(RuntimeError("first\nsecond")), capfd)
    assert code == 1
    assert line.startswith("Error: something unexpected went wrong: RuntimeError: first sec")
    assert line.count("\n") == 1
    assert "--debug" in line


def test_debug_lets_the_unexpected_through() -> None:
    with pytest.raises(RuntimeError):
        faults.run_guarded(_raises(RuntimeError("x")), debug=lambda: True)


def test_debug_does_not_trouble_with_tracebacks_for_refusals(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert faults.run_guarded(_raises(Refused("no")), debug=lambda: True) == 1
    assert capfd.readouterr().err == "Error: no\n"


def _list_modules(*args: str) -> set[str]:
    """List the modules that a command has loaded at its end."""
    code = (
        "import sys; from adjudicator.cli.app import cli\n"
        "cli.main(sys.argv[1:], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    program = [sys.executable, "-c", code, *args]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


_LETTERS = {"imapclient", "aiosmtplib", "css_inline", "adjudicator.adapters.mail"}
_PICTURES_AND_PAGES = {"PIL", "resvg_py", "markdown_it", "adjudicator.adapters.site"}
_SERVING = {"structlog", "rich", "alembic", "openskill", "pyrage", "adjudicator.desk.inbox"}
_FORMS = {"jsonschema", "adjudicator.desk.orders", "adjudicator.desk.requests"}
_BOTS = {f"adjudicator.rules.{name}.bot" for name in ("jump_wars", "jump_gate", "jump_drive")}
_HEAVY = _LETTERS | _PICTURES_AND_PAGES | _SERVING | _FORMS | _BOTS | {"sqlalchemy"}
"""What is slow to load, and belongs to other work than a look."""


def test_help_imports_no_command_and_no_engine() -> None:
    more = {"yaml", "jinja2", "adjudicator.cli.wiring"}
    assert not _list_modules("--help") & (_HEAVY | more)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a running game of each package of rules."""
    folder = tmp_path_factory.mktemp("home")
    for name, kind in (("wars", "jump-wars"), ("gate", "jump-gate"), ("drive", "jump-drive")):
        seats = ["--seat", "red=Ada", "--seat", "blue=Bo"]
        words = ["new", name, "--kind", kind, *seats, "--start", "--home", str(folder)]
        assert CliRunner().invoke(cli, words).exit_code == 0
    return folder


@pytest.mark.parametrize(
    "words",
    ["games", "show wars", "show gate", "show drive", "orders drive", "history gate", "form wars"],
)
def test_a_look_loads_nothing_that_other_work_needs(home: Path, words: str) -> None:
    assert not _list_modules(*words.split(), "--home", str(home)) & (_HEAVY | {"jinja2", "html"})


def test_a_report_loads_its_templates_and_no_letters(home: Path) -> None:
    loaded = _list_modules("report", "wars", "--home", str(home))
    assert "jinja2" in loaded
    assert not loaded & _HEAVY


@pytest.mark.parametrize("words", ["form jump-wars", "rules JW-30", "luck"])
def test_a_text_to_look_up_opens_no_books(words: str) -> None:
    assert not _list_modules(*words.split()) & (_HEAVY | {"jinja2", "html", "sqlite3"})


def test_without_a_command_the_help_is_shown() -> None:
    result = CliRunner().invoke(cli, [])
    assert result.exit_code == 2
    assert "adjudicator COMMAND --help" in result.stderr


def test_an_unknown_command_names_the_nearest() -> None:
    result = CliRunner().invoke(cli, ["shwo"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: there is no command 'shwo'. Did you mean 'show'?")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [("help", "adjudicator --help"), ("list", "adjudicator games"), ("version", "--version")],
)
def test_names_that_people_try_get_a_hint(name: str, said: str) -> None:
    result = CliRunner().invoke(cli, [name])
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(("former", "name"), [("letter", "inspect"), ("read", "receive")])
def test_former_names_still_work_and_are_not_listed(former: str, name: str) -> None:
    command = cli.get_command(click.Context(cli), former)
    assert command is not None
    assert command is cli.get_command(click.Context(cli), name)
    assert f"\n  {former} " not in CliRunner().invoke(cli, ["--help"]).stdout


def test_an_unknown_option_is_wrong_usage() -> None:
    result = CliRunner().invoke(cli, ["games", "--jsno"])
    assert result.exit_code == 2
    assert "--json" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
def test_no_terminal_setting_ends_in_an_error(environment: dict[str, str]) -> None:
    for args in (["rules", "jump-wars"], ["rules", "jump-wars", "\u2717\u2013\u65e5"]):
        code, _, err = _run(*args, **environment)
        assert "Traceback" not in err
        assert "UnicodeEncodeError" not in err
        assert code == (0 if len(args) == 2 else 1)


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with _start("rules", "jump-wars") as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.wait(timeout=300) == faults.PIPE
        assert process.stderr.read() == b""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told(unbuffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "rules", "jump-wars"],
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"Error: the disk is full; make room and try again.\n"


def test_ctrl_c_at_a_question_stops() -> None:
    code = (
        "import os, signal, click; from adjudicator.cli.terminal import faults\n"
        # a runner in the background hands down a SIGINT that is ignored
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def work(): os.kill(os.getpid(), signal.SIGINT); click.pause()\n"
        "raise SystemExit(faults.run_guarded(work, debug=lambda: False))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr.strip() == b"Stopped."
