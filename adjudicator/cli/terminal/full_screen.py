"""A whole terminal for a program that draws and reads keys, put back as it was afterwards."""

import codecs
import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any

from rich.console import Console, RenderableType
from rich.live import Live

from adjudicator.desk.model.errors import Refused, Suggest

UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END = "up", "down", "page up", "page down", "home", "end"
ENTER, ESCAPE, BACKSPACE = "enter", "escape", "backspace"
_SUSPEND = "\x1a"
_NAMES = {
    **dict.fromkeys(("\x1b[A", "\x1bOA"), UP),
    **dict.fromkeys(("\x1b[B", "\x1bOB"), DOWN),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"), HOME),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"), END),
    "\x1b[5~": PAGE_UP,
    "\x1b[6~": PAGE_DOWN,
    "\x1b": ESCAPE,
    "\r": ENTER,
    "\n": ENTER,
    "\x7f": BACKSPACE,
    "\b": BACKSPACE,
}
"""What terminals send for keys that are no signs."""
_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])|.", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
_PATIENCE = 0.05
"""So many seconds the rest of a key that has begun may take; Escape has none."""


class Keys:
    """The keys that are pressed at a terminal."""

    def __init__(self, handle: int, bell: int) -> None:
        """`bell` can be read when a signal came."""
        self._handle, self._bell = handle, bell
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def wait(self, seconds: float) -> Sequence[str]:
        """Wait for keys, a change of the terminal's size, or the end of these seconds."""
        ready, _, _ = select.select([self._handle, self._bell], [], [], max(0.0, seconds))
        if self._bell in ready:
            os.read(self._bell, 1024)
        if self._handle not in ready:
            return ()
        text = self._read()
        while _BEGUN.search(text) and select.select([self._handle], [], [], _PATIENCE)[0]:
            text += self._read()
        return [name for key in _KEY.findall(text) if (name := _name_key(key))]

    def _read(self) -> str:
        data = os.read(self._handle, 1024)
        if not data:  # whoever sat at the terminal is gone
            raise KeyboardInterrupt
        return self._decoder.decode(data)

    def forget(self) -> None:
        """Forget what was typed before a question was seen."""
        termios.tcflush(self._handle, termios.TCIFLUSH)


def _name_key(key: str) -> str:
    """Name the key; empty for one that means nothing here."""
    if key in _NAMES:
        return _NAMES[key]
    return key if key == _SUSPEND or key.isprintable() else ""


class FullScreen:
    """A terminal that is drawn on, between `enter` and `leave`."""

    def __init__(self, console: Console, handle: int, bell: int) -> None:
        self._console, self._handle = console, handle
        self._keys = Keys(handle, bell)
        self._before = termios.tcgetattr(handle)
        self._stack = ExitStack()
        self._live: Live | None = None

    def enter(self) -> None:
        """Take the terminal."""
        self._stack.callback(self._put_back)
        _set_up_keys(self._handle)
        live = Live(
            console=self._console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live = self._stack.enter_context(live)

    def leave(self) -> None:
        """Put the terminal back as it was; no signal may come in between."""
        waiting = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        try:
            self._stack.close()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, waiting)

    def _put_back(self) -> None:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(self._handle, termios.TCSADRAIN, self._before)

    @property
    def size(self) -> tuple[int, int]:
        """Its columns and lines at this moment."""
        return self._console.size

    def draw(self, picture: RenderableType) -> None:
        """Draw the whole screen anew."""
        if self._live is not None:
            self._live.update(picture, refresh=True)

    def wait(self, seconds: float) -> Sequence[str]:
        """Wait so long for keys; Ctrl-Z stops the program as in a shell, with its terminal back."""
        keys = self._keys.wait(seconds)
        if _SUSPEND in keys:
            self.leave()
            os.kill(0, signal.SIGTSTP)
            self.enter()
        return [key for key in keys if key != _SUSPEND]

    def forget_keys(self) -> None:
        """Forget what was typed before a question was seen."""
        self._keys.forget()


def require_terminal(instead: Suggest) -> Console:
    """Require a terminal that can be drawn on; the refusal names what can be used elsewhere."""
    console = Console(highlight=False, markup=False, emoji=False)
    can_draw = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM")
    if not can_draw or console.is_dumb_terminal:
        raise Refused(
            "this screen needs a terminal on which a program can draw; use another command",
            suggest=instead,
        )
    return console


@contextmanager
def open_full_screen(console: Console) -> Iterator[FullScreen]:
    """Take the terminal of standard input, and put it back as it was, whatever happens."""
    with _ring_on_signals() as bell:
        screen = FullScreen(console, sys.stdin.fileno(), bell)
        try:
            screen.enter()
            yield screen
        finally:
            screen.leave()


def _set_up_keys(handle: int) -> None:
    """Let keys come one by one and unseen; Ctrl-Z comes as a key, Ctrl-C as ever."""
    tty.setcbreak(handle)
    state: list[Any] = termios.tcgetattr(handle)
    state[6][termios.VSUSP] = os.fpathconf(handle, "PC_VDISABLE").to_bytes(1, "big")
    termios.tcsetattr(handle, termios.TCSANOW, state)


@contextmanager
def _ring_on_signals() -> Iterator[int]:
    """Yield what can be read after a change of size, and end the program in order on SIGTERM."""
    bell, ring = os.pipe()
    os.set_blocking(ring, False)
    rung = signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    handlers = {signal.SIGWINCH: _go_on, signal.SIGTERM: _end, signal.SIGHUP: _end}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield bell
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(rung)
        os.close(bell)
        os.close(ring)


def _go_on(_number: int, _frame: FrameType | None) -> None:
    """Do nothing; the bell rings."""


def _end(number: int, _frame: FrameType | None) -> None:
    """End as shells say it of a program that a signal ended."""
    raise SystemExit(128 + number)
