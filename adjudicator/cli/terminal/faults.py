"""Every fault ends in one line and an exit code: 1 rejected, 2 wrong usage, 130 stopped."""

import errno
import json
import os
import shlex
import sys
from collections.abc import Callable

import click

from adjudicator.cli.terminal import output
from adjudicator.core.document import Impossible
from adjudicator.desk.model.errors import Refused

REFUSED = 1
USAGE = 2
STOPPED = 130  # as in shells: 128 + SIGINT
PIPE = 1  # as in click

_WAYS = {
    IsADirectoryError: "this is a folder; name a file",
    FileExistsError: "a file is in the way of a folder; name another place",
    NotADirectoryError: "a file is in the way of a folder; name another place",
}
"""What is wrong with a path, and what to do, instead of the system's words."""

_EXPECTED = (
    click.ClickException,
    click.Abort,
    Refused,
    Impossible,
    BrokenPipeError,
    KeyboardInterrupt,
)


def run_guarded(
    work: Callable[[], object],
    *,
    debug: Callable[[], bool],
    home: Callable[[], str | None] = lambda: None,
    as_json: bool = False,
) -> int:
    """Do the work and report how it ended; `debug` lets unexpected exceptions pass.

    `home` is the one that the command line named, and that a way out has to name again.
    """
    output.prepare_streams()
    try:
        result = work()
        output.flush_output()
    except SystemExit:
        raise
    except BaseException as error:
        if debug() and not isinstance(error, _EXPECTED):
            raise
        return _report(error, home(), as_json=as_json)
    return result if isinstance(result, int) else 0


def _report(error: BaseException, home: str | None, *, as_json: bool) -> int:
    """Report on standard error what went wrong, for people or programs; returns the exit code."""
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return _report_stop(error, as_json=as_json)
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        output.silence_output()
        return PIPE
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return USAGE
    return _write(*explain_error(error, home), as_json=as_json)


def _write(line: str, code: int, *, as_json: bool) -> int:
    text = output.make_inert(" ".join(line.split()))
    output_line = json.dumps({"error": text, "exit": code}) if as_json else f"Error: {text}"
    click.echo(output_line, err=True)
    output.finish_output()
    return code


def _report_stop(error: BaseException, *, as_json: bool) -> int:
    reason = error.__cause__ or error.__context__
    if isinstance(reason, EOFError):
        line = (
            "the input ended before every question was answered. Give the answers as options; "
            "--help lists them."
        )
        return _write(line, REFUSED, as_json=as_json)
    if as_json:
        return _write("stopped", STOPPED, as_json=True)
    click.echo("Stopped.", err=True)
    return STOPPED


def explain_error(error: BaseException, home: str | None = None) -> tuple[str, int]:
    """Explain in a line what went wrong; returns the exit code as well."""
    if isinstance(error, click.UsageError):
        return _explain_usage(error), USAGE
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, Refused):
        return format_refusal(error, home), REFUSED
    if isinstance(error, Impossible):
        return str(error), REFUSED
    if isinstance(error, OSError):
        return _explain_outside(error), REFUSED
    if isinstance(error, UnicodeError):
        return f"it contains bytes that are not text: {_shorten(error)}", REFUSED
    name = type(error).__name__
    reason = f"something unexpected went wrong: {name}: {_shorten(error)}"
    hint = f"`adjudicator --debug {_repeat_command()}` shows where."
    return f"{reason} {hint}", REFUSED


def format_refusal(error: Refused, home: str | None = None) -> str:
    """Explain the refusal, with the way out as a command."""
    way_out = error.suggest
    if way_out is None:
        return str(error)
    options = [
        f"--{name.replace('_', '-')} {shlex.quote(v)}" for name, v in way_out.options.items()
    ]
    flags = [f"--{flag.replace('_', '-')}" for flag in way_out.flags]
    if home is not None:
        flags.append(f"--home {shlex.quote(home)}")
    words = [
        "adjudicator",
        way_out.command,
        way_out.game,
        *map(shlex.quote, way_out.words),
        *options,
        *flags,
    ]
    return f"{error}: {' '.join(filter(None, words))}"


def _explain_usage(error: click.UsageError) -> str:
    text = _shorten(error.format_message())
    if error.ctx is None:
        return text
    return f"{text} `{error.ctx.command_path} --help` shows how."


def _explain_outside(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return f"{where}the disk is full; make room and try again."
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"{reason}."
    words = next((advice for kind, advice in _WAYS.items() if isinstance(error, kind)), reason)
    return f"{os.fsdecode(error.filename)}: {words}."


def _shorten(message: object) -> str:
    text = " ".join(str(message).split())
    if len(text) > 300:
        text = text[:300] + "..."
    return text if text.endswith((".", "!", "?", "?)")) else f"{text}."


def _repeat_command() -> str:
    return " ".join(sys.argv[1:]) or "..."
