"""The table of commands, each imported when it is called.

`adjudicator --help` lists names and one-line helps from a table, so it answers at once.
"""

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from adjudicator.adapters.rights import keep_to_owner
from adjudicator.cli.terminal.faults import run_guarded
from adjudicator.cli.terminal.options import Setting
from adjudicator.desk.acts import PEOPLE, REPAIR, RUN, SETUP, TABLE


class Entry(NamedTuple):
    """One command of the table."""

    place: str
    """`module:attribute`, a command or what makes the command of a name"""
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
        """List the names in the order of the help page."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return the command, also under its former name."""
        entry = self._table.get(FORMER_NAMES.get(cmd_name, cmd_name))
        if entry is None:
            return None
        module, _, attribute = entry.place.partition(":")
        maker = getattr(import_module(module), attribute)
        command: click.Command = maker if isinstance(maker, click.Command) else maker(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command; the error for an unknown one suggests the nearest name."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            name = error.command_name
            raise click.exceptions.NoSuchCommand(
                name,
                f"there is no command {name!r}.{_HINTS.get(name, '')}",
                possibilities=self._table,
                ctx=ctx,
            ) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands from the table, and the group's own options."""
        names = [
            CompletionItem(name, help=entry.help)
            for name, entry in self._table.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Format the table, section by section, without importing anything."""
        width = max(len(name) for name in self._table)
        for title, part in self.sections.items():
            rows: Sequence[tuple[str, str]] = [
                (name.ljust(width), entry.help) for name, entry in part.items()
            ]
            with formatter.section(title):
                formatter.write_dl(rows)


def _enter(module: str, attribute: str, text: str) -> Entry:
    return Entry(f"adjudicator.cli.{module}:{attribute}_command", text)


def _list_acts(group: str) -> Mapping[str, Entry]:
    """List the acts of a group from their own table."""
    place = "adjudicator.cli.acts.command:make_command"
    return {name: Entry(place, act.help) for name, act in TABLE.items() if act.group == group}


FORMER_NAMES = {"letter": "inspect", "read": "receive"}
"""Names under which other programs still call commands; no help lists them."""

_HINTS = {
    "help": " `adjudicator --help` lists the commands.",
    "list": " `adjudicator games` lists the games.",
    "ls": " `adjudicator games` lists the games.",
    "version": " `adjudicator --version` shows it.",
}
"""Hints for command names that people try."""

SECTIONS: Sections = {
    "See it work": {
        "demo": _enter("demo.command", "demo", "Play a whole game with letters and archive."),
        "play": _enter("demo.play", "play", "Let bots play a whole game."),
        "rules": _enter("reference", "rules", "Show or search a game's rules."),
        "form": _enter("reference", "form", "Explain an order form."),
        "guide": _enter("reference", "guide", "Show the guide for players or GMs."),
        "luck": _enter("reference", "luck", "Print a sheet of luck words."),
    },
    "Set up a game": {
        "new": _enter("acts.new_game", "new", "Make a game."),
        **_list_acts(SETUP),
    },
    "Who plays": _list_acts(PEOPLE),
    "Run it": {
        "games": _enter("screens.games", "games", "List the games and their progress."),
        "show": _enter("screens.games", "show", "Show a game: position, orders due, deadline."),
        "orders": _enter("screens.games", "orders", "Show who has sent orders."),
        **_list_acts(RUN),
        "letters": _enter("outgoing", "letters", "Write the letters that wait to be mailed."),
        "inspect": _enter("incoming", "inspect", "Show what the server would read in letters."),
        "receive": _enter("incoming", "receive", "Process letters without a daemon."),
        "ratings": _enter("keeping.ratings", "ratings", "Show how players have done so far."),
        "report": _enter("outgoing", "report", "Show the report of a seat or the public."),
        "forecast": _enter("outgoing", "forecast", "Show what orders would bring a seat."),
        "history": _enter("screens.games", "history", "Show everything done in a game."),
    },
    "Run it by mail": {
        "init": _enter("serving.init", "init", "Write the settings of the daemon."),
        "login": _enter("keeping.login", "login", "Log in to a mailbox by OAuth."),
        "serve": _enter("serving.serve", "serve", "Run the daemon: mail, deadlines, reports."),
        "status": _enter("serving.status", "status", "Show how the daemon is doing."),
        "top": _enter("screens.top", "top", "Watch all games live, and act on them."),
    },
    "Put things right": {
        **_list_acts(REPAIR),
        "try": _enter("acts.try_step", "try", "Play a step again without changing the game."),
    },
    "Prove it and keep it": {
        "verify": _enter("archives", "verify", "Replay a game or an archive and compare."),
        "export": _enter("archives", "export", "Write a game's archive."),
        "site": _enter("site", "site", "Write games as pages to browse."),
        "import": _enter("archives", "import", "Import a game from an archive."),
        "scenario": _enter("scenarios", "scenario", "Run scenarios that test a rule."),
        "conform": _enter("scenarios", "conform", "Check that a game does what every game must."),
        "backup": _enter("keeping.backup", "backup", "Write the whole home into one file."),
        "restore": _enter("keeping.backup", "restore", "Turn a backup into a home."),
        "recover": _enter("keeping.recover", "recover", "Continue after a backup was put back."),
        "vacuum": _enter("keeping.vacuum", "vacuum", "Make the database smaller."),
        "doctor": _enter(
            "keeping.doctor", "doctor", "Check the installation, the home and the mail."
        ),
    },
}


class Front(LazyGroup):
    """The outermost group: its `main` turns every fault into one line and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT002 - click's signature
        **extra: Any,
    ) -> Any:
        """Run the program, report a fault in one line, and exit."""
        setting = Setting()
        main = super().main

        def work() -> object:
            with keep_to_owner(), closing(setting):
                return main(
                    args, prog_name, complete_var, standalone_mode=False, obj=setting, **extra
                )

        if not standalone_mode:
            return work()
        as_json = "--json" in (sys.argv[1:] if args is None else args)
        code = run_guarded(
            work,
            debug=lambda: setting.debug,
            home=lambda: setting.home if setting.home_named else None,
            as_json=as_json,
        )
        return sys.exit(code)


EPILOG = """\b
Every command explains itself: adjudicator COMMAND --help
Data goes to standard output, messages to standard error; --json is for programs.
With --json an error is a JSON object on standard error: {"error": ..., "exit": 1}.
ADJUDICATOR_DATABASE=postgresql://... stores everything in PostgreSQL instead.
Exit codes: 0 done, 1 the request was refused, 2 wrong usage, 130 stopped.

\b
Tab completion, once per shell:
  bash  echo 'eval "$(_ADJUDICATOR_COMPLETE=bash_source adjudicator)"' >> ~/.bashrc
  zsh   echo 'eval "autoload -Uz compinit; compinit; \\
        $(_ADJUDICATOR_COMPLETE=zsh_source adjudicator)"' >> ~/.zshrc
  fish  mkdir -p ~/.config/fish/completions; _ADJUDICATOR_COMPLETE=fish_source \\
          adjudicator > ~/.config/fish/completions/adjudicator.fish

\b
Example:
  adjudicator demo
"""


@click.group(
    "adjudicator",
    cls=Front,
    sections=SECTIONS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 78},
)
@click.version_option(package_name="pbem-adjudicator", prog_name="adjudicator")
@click.option(
    "--home",
    type=click.Path(),
    metavar="FOLDER",
    envvar="ADJUDICATOR_HOME",
    help="The folder with the games. [ADJUDICATOR_HOME, else ./games]",
)
@click.option("--debug", is_flag=True, envvar="ADJUDICATOR_DEBUG", help="Show tracebacks.")
@click.pass_context
def cli(ctx: click.Context, home: str | None, debug: bool) -> None:
    """Adjudicate games that are played by mail.

    Written orders in, explained results out, every turn verifiable.
    """
    setting: Setting = ctx.obj
    setting.home = home
    setting.home_named = ctx.get_parameter_source("home") is ParameterSource.COMMANDLINE
    setting.debug = debug
