"""The live screen over all games, at a real terminal and without one."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.home import Home
from adjudicator.cli.screens import top
from adjudicator.cli.screens.top_page import draw_top
from adjudicator.cli.terminal import full_screen
from adjudicator.cli.wiring import Office
from adjudicator.desk.questions import overview
from adjudicator.desk.steps import replay
from tests.cli.test_damaged import change
from tests.servers.nursery import Child, open_nursery

SEATS = ("--seat", "red=Ada", "--seat", "blue=Bo", "--start")
PATIENCE = 30.0
OPENED = b"\x1b[?1049h"


class Terminal:
    """A pseudo-terminal at which `top` runs."""

    def __init__(self, home: Path, columns: int = 80, lines: int = 24, **env: str) -> None:
        self._parent, self._child = pty.openpty()
        self.resize(columns, lines)
        self.before = self.state()
        self.seen = b""
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        for name in ("COLUMNS", "LINES"):
            kept.pop(name, None)
        environment = {**kept, "TERM": "xterm-256color", **env}
        words = ["--home", home, "top"]
        self._streams = (self._child,) * 3
        self.program = Child(open_nursery().fork(words, environment, self._streams))

    def state(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._child)

    def resize(self, columns: int, lines: int) -> None:
        """Make it larger or smaller."""
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._parent, termios.TIOCSWINSZ, size)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._parent, text.encode())

    @property
    def picture(self) -> list[str]:
        """The lines of the screen as they were drawn last."""
        last = self.seen.decode("utf-8", "replace").rpartition("\x1b[H")[2]
        return re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]|\r", "", last).split("\n")

    def until(self, is_there: Callable[[], object]) -> None:
        """Read until this is so."""
        end = time.monotonic() + PATIENCE
        while not is_there():
            left = end - time.monotonic()
            assert left > 0, "\n".join(self.picture)
            if select.select([self._parent], [], [], min(left, 0.2))[0]:
                self.seen += os.read(self._parent, 65536)

    def shows(self, *words: str) -> str:
        """Wait until the screen shows all these words; return it."""
        self.until(lambda: all(word in "\n".join(self.picture) for word in words))
        return "\n".join(self.picture)

    def ends(self) -> int:
        """Wait for the end of the program; its exit code."""
        self.until(lambda: self.program.poll() is not None)
        self.until(lambda: not select.select([self._parent], [], [], 0)[0])
        return self.program.wait()

    def close(self) -> None:
        """Hang up."""
        self.program.kill()
        self.program.wait()
        os.close(self._child)
        os.close(self._parent)


@pytest.fixture
def house(gm: Any) -> Any:
    """A GM with three games: one with a deadline, two that are closed by hand."""
    new = ("--kind", "jump-wars", *SEATS)
    gm("new", "quick", *new, "--setting", "pace=3h")
    for name in ("ash", "birch"):
        gm("new", name, *new)
    return gm


@pytest.fixture
def terminal(house: Any) -> Iterator[Terminal]:
    """The screen over them at 80 columns and 24 lines."""
    with closing(Terminal(house.home)) as shown:
        shown.shows("q quit")
        yield shown


def _check_restored(terminal: Terminal, *, said: bytes = b"") -> None:
    """The terminal is set as before, its own screen is back, and so is the cursor."""
    assert terminal.state() == terminal.before
    _, _, after = terminal.seen.rpartition(b"\x1b[?25h")
    assert after.replace(b"\x1b[?1049l", b"") == said
    assert terminal.seen.count(OPENED) == terminal.seen.count(b"\x1b[?1049l") == 1


def test_a_gm_reminds_extends_previews_and_closes_at_80_columns(
    house: Any, terminal: Terminal
) -> None:
    shown = terminal.picture
    assert len(shown) == 24
    assert {len(line) for line in shown} == {80}
    assert [line[:7] for line in shown if "jump-wars" in line] == ["> quick", "  ash  ", "  birch"]
    assert "daemon  not running" in "\n".join(shown)
    terminal.type("r")
    terminal.shows("Would be reminded: red, blue.", "Do it?")
    terminal.type("n")
    terminal.shows("Nothing was changed.", "q quit")
    terminal.type("jj\x1b[A")
    terminal.shows("> ash")
    terminal.type("c")
    terminal.shows("waiting for orders from red, blue", "See what that would change?")
    terminal.type("y")
    terminal.shows("Step would be closed: turn 1, plan.", "Do it?")
    assert {one["step"] for one in house.json("games")} == {"1-plan"}
    terminal.type("y")
    terminal.shows("Step closed: turn 1, plan.", "2-jump")
    terminal.type("ke24x\x7fh\r")
    terminal.shows("What would change:", "Do it?")
    terminal.type("y")
    terminal.shows("Deadline moved", "1d 2h")
    terminal.type("p")
    terminal.shows("quick: Step would be closed", "Nothing was changed.")
    steps = {one["id"]: one["step"] for one in house.json("games")}
    assert steps == {"ash": "2-jump", "quick": "1-plan", "birch": "1-plan"}
    assert all(word not in terminal.seen for word in (b"seed", b"secret"))
    terminal.type("?")
    terminal.shows("Remind players whose orders are missing.", "any key")
    terminal.type("qq")
    assert terminal.ends() == 0
    _check_restored(terminal)


def test_an_answer_that_was_typed_before_its_question_is_none(
    house: Any, terminal: Terminal
) -> None:
    terminal.type("ry")
    terminal.shows("Do it?")
    terminal.type("n")
    terminal.shows("Nothing was changed.")
    assert not any(note["act"] == "remind" for note in house.json("history", "quick"))


@pytest.mark.parametrize(("columns", "lines"), [(132, 50), (40, 10), (20, 5), (3, 2)])
def test_it_follows_the_size_of_the_terminal(terminal: Terminal, columns: int, lines: int) -> None:
    terminal.resize(columns, lines)
    terminal.until(
        lambda: [len(line) for line in terminal.picture] == [columns] * lines,
    )
    terminal.type("q")
    assert terminal.ends() == 0


def test_ctrl_c_and_sigterm_put_the_terminal_back(house: Any, terminal: Terminal) -> None:
    with closing(Terminal(house.home)) as other:
        other.shows("q quit")
        assert other.state() != other.before
        other.program.send_signal(signal.SIGTERM)
        assert other.ends() == 128 + signal.SIGTERM
        _check_restored(other)
    terminal.type("c\x03")
    assert terminal.ends() == 130
    _check_restored(terminal, said=b"\r\nStopped.\r\n")


def test_two_at_once_see_what_either_does(house: Any, terminal: Terminal) -> None:
    with closing(Terminal(house.home)) as other:
        for one in (other, terminal):
            one.shows("q quit")
            one.type("jc")
            one.shows("See what that would change?")
            one.type("y")
            one.shows("Do it?")
        other.type("y")
        other.shows("Step closed")
        terminal.type("y")
        terminal.shows("1-plan is not open; 2-jump is now")
    assert [one["step"] for one in house.json("games") if one["id"] == "ash"] == ["2-jump"]


@pytest.mark.parametrize("term", ["dumb", ""])
def test_where_nothing_can_be_drawn_status_is_named(house: Any, term: str) -> None:
    with closing(Terminal(house.home, TERM=term)) as terminal:
        assert terminal.ends() == 1
        assert b"adjudicator status" in terminal.seen
        assert OPENED not in terminal.seen
    assert "adjudicator status" in house.refused("top")


def test_colours_are_left_out_where_they_are_not_wanted(house: Any) -> None:
    house("pause", "quick")
    for wanted, env in ((True, {}), (False, {"NO_COLOR": "1"})):
        with closing(Terminal(house.home, **env)) as terminal:
            terminal.shows("PAUSED", "q quit")
            assert (re.search(rb"\x1b\[[0-9;]*3[0-9]", terminal.seen) is not None) == wanted


# without a terminal


@pytest.fixture
def watch(house: Any) -> Iterator[top.Watch]:
    """What stands behind the screen."""
    with closing(Office(str(house.home))) as office:
        shown = top.Watch(office)
        shown.look()
        yield shown


def _press(watch: top.Watch, *keys: str) -> str:
    """Press these keys; the screen."""
    for key in keys:
        assert watch.press(key)
    return str(draw_top(watch.view, 80, 24))


def test_a_deleted_game_is_refused_and_gone(house: Any, watch: top.Watch) -> None:
    _press(watch, "G")
    asked = _press(watch, "r")
    assert "birch: Would be reminded" in asked
    house("delete", "birch", "--yes")
    assert "no game called birch" in _press(watch, "y")
    assert [game["id"] for game in watch.view.games] == ["quick", "ash"]
    assert "> ash" in _press(watch, "x")


def test_a_home_that_is_gone_is_a_trouble_until_it_is_back(house: Any, watch: top.Watch) -> None:
    away = house.home.with_name("away")
    house.home.rename(away)
    watch.look()
    assert "PROBLEM  this screen since" in _press(watch)
    assert "there are no games" in _press(watch, "r")
    away.rename(house.home)
    watch.look()
    assert "PROBLEM" not in _press(watch, "x")


def test_a_home_that_may_not_be_written_is_shown_and_left_alone(
    plain_user: Path, gm_at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm = gm_at(plain_user / "home")
    gm("new", "ember", "--kind", "jump-wars", *SEATS)
    monkeypatch.setattr(Home, "is_writable", lambda _home: False)  # the real user may be root
    gm.home.chmod(0o500)
    (gm.home / "adjudicator.db").chmod(0o400)
    try:
        with closing(Office(str(gm.home))) as office:
            watch = top.Watch(office)
            watch.look()
            assert "> ember" in _press(watch)
            assert "Permission denied" in _press(watch, "r")
    finally:
        gm.home.chmod(0o700)


def test_pages_of_games_are_turned(
    house: Any, watch: top.Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "PAGE", 2)
    watch.look()
    assert "> quick" in _press(watch, "[")
    assert "> birch" in _press(watch, full_screen.DOWN, "j")
    assert "> ash" in _press(watch, "k")
    assert "> birch" in _press(watch, "]")
    house("delete", "birch", "--yes")
    watch.look()
    assert watch.view.page == 1


def test_a_selected_game_stays_selected_when_its_line_moves(house: Any, watch: top.Watch) -> None:
    assert "> quick" in _press(watch)
    house("pause", "quick")
    house("adjust", "ash", "pace=1h")
    house("close", "ash", "--now")
    watch.look()
    assert [game["id"] for game in watch.view.games] == ["ash", "quick", "birch"]
    assert "> quick" in _press(watch)


def test_what_is_broken_off_changes_nothing(house: Any, watch: top.Watch) -> None:
    for keys in (("e", full_screen.ESCAPE), ("e", "q", full_screen.BACKSPACE, full_screen.ENTER)):
        assert "Nothing was changed." in _press(watch, *keys)
    assert '3d, not "up"' in _press(watch, "e", "u", "p", full_screen.ENTER)


def test_games_that_earlier_rules_played_are_replayed_once(
    house: Any, watch: top.Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    real = replay.replay_game
    monkeypatch.setattr(replay, "replay_game", lambda *given: made.append(1) or real(*given))
    change(house.home, "UPDATE games SET rules_digest = 'older'")
    for _ in range(3):
        watch.look()
        assert watch.view.facts["changed_rules"] == []
    assert len(made) == 3


def test_no_text_moves_the_cursor(watch: top.Watch) -> None:
    bad = "\x1b[2J\u202e\r\x07"
    problem = {"place": bad, "words": f"a\n{bad}b", "since": watch.view.at.isoformat()}
    watch.view = top.replace(watch.view, facts={**watch.view.facts, "problems": [problem]})
    watch.view = top.replace(watch.view, message=(f"x{bad}y",))
    shown = str(draw_top(watch.view, 80, 24))
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown) is None
    assert len(shown.split("\n")) == 24


def test_a_crash_puts_the_terminal_back(monkeypatch: pytest.MonkeyPatch) -> None:
    parent, child = pty.openpty()
    before = termios.tcgetattr(child)
    with os.fdopen(child, "r+b", buffering=0) as raw, os.fdopen(child, "w", closefd=False) as out:
        monkeypatch.setattr("sys.stdin", raw)
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.setenv("TERM", "xterm")
        console = full_screen.require_terminal(top.Suggest("status", ""))

        def crash() -> None:
            with full_screen.open_full_screen(console):
                assert termios.tcgetattr(child) != before
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            crash()
        assert termios.tcgetattr(child) == before
    written = b""
    with suppress(OSError):  # nobody is at the other end any more
        while part := os.read(parent, 1000):
            written += part
    assert written.startswith(OPENED)
    assert b"\x1b[?1049l" in written
    os.close(parent)
