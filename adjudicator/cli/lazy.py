"""A group of commands that imports a command only when it is called.

`adjudicator --help` lists names and one-line helps from a table, so it answers at once.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem


class Entry(NamedTuple):
    """One command of the table."""

    place: str
    """`module:attribute`"""
    help: str


Sections = Mapping[str, Mapping[str, Entry]]
"""Heading of the help page -> command name -> entry."""


class LazyGroup(click.Group):
    """A click group over a table of sections."""

    def __init__(self, *args: Any, sections: Sections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sections = sections
        self._table = {n: entry for part in sections.values() for n, entry in part.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the help page."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        entry = self._table.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.place.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; an unknown one is told with the nearest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            name = error.command_name
            raise click.exceptions.NoSuchCommand(
                name,
                f"there is no command {name!r}.",
                possibilities=self._table,
                ctx=ctx,
            ) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands from the table, and the group's own options."""
        names = [
            CompletionItem(name, help=entry.help)
            for name, entry in self._table.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table, section by section, without importing anything."""
        width = max(len(name) for name in self._table)
        for title, part in self.sections.items():
            rows: Sequence[tuple[str, str]] = [
                (name.ljust(width), entry.help) for name, entry in part.items()
            ]
            with formatter.section(title):
                formatter.write_dl(rows)
