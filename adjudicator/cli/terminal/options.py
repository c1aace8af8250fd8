"""Options that many commands share: the home, JSON, examples in helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office

_F = TypeVar("_F", bound=Callable[..., Any])


class Setting:
    """The options before the command's name; the office is opened when first used."""

    def __init__(self) -> None:
        self.home: str | None = None
        self.home_named = False
        """It was named by --home, so it should be there."""
        self.debug = False
        self._office: Office | None = None

    @property
    def office(self) -> Office:
        """The home's desk with everything that belongs to it."""
        if self._office is None:
            from adjudicator.cli.wiring import Office

            self._office = Office(self.home, is_explicit=self.home_named)
        return self._office

    def close(self) -> None:
        """Close the office at the end of the command."""
        if self._office is not None:
            self._office.close()


def _choose(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    if value is not None:
        setting = ctx.ensure_object(Setting)
        setting.home, setting.home_named = value, True


_HOME: dict[str, Any] = {
    "type": click.Path(),
    "metavar": "FOLDER",
    "expose_value": False,
    "callback": _choose,
    "help": "The folder with the games. [ADJUDICATOR_HOME, else ./games]",
}
_JSON: dict[str, Any] = {"is_flag": True, "help": "JSON, for programs."}


def home_option(work: _F) -> _F:
    """Add --home behind the command's name too, where people write it."""
    return click.option("--home", **_HOME)(work)


def json_option(work: _F) -> _F:
    """Add --json, for programs."""
    return click.option("--json", "as_json", **_JSON)(work)


def reveal_option(work: _F) -> _F:
    """Add --reveal: include secrets, and note that they were seen."""
    return click.option(
        "--reveal", is_flag=True, help="Include secrets. That you looked is noted in the history."
    )(work)


def command(*examples: str, name: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Make a command with --json and --home after its own options, and examples after its help."""

    def make(work: Callable[..., Any]) -> click.Command:
        new_command = click.command(name, epilog=format_example(*examples))(click.pass_obj(work))
        new_command.params += [click.Option(["--json", "as_json"], **_JSON)]
        new_command.params += [click.Option(["--home"], **_HOME)]
        return new_command

    return make


def format_example(*lines: str) -> str:
    """Format the end of a help text: lines that can be pasted."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
