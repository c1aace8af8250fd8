"""The command line's front door: the table of commands and the options that all share."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from adjudicator.cli.faults import guarded
from adjudicator.cli.lazy import Entry, LazyGroup, Sections
from adjudicator.cli.options import Setting


def _at(module: str, attribute: str, text: str) -> Entry:
    return Entry(f"adjudicator.cli.{module}:{attribute}", text)


SECTIONS: Sections = {
    "See it work": {
        "demo": _at("demo", "demo", "A whole game, its letters and its archive, to look at."),
        "play": _at("play", "play", "Let bots play a whole game."),
        "rules": _at("rules", "rules", "A game's rules, or one of them."),
        "form": _at("form", "form", "An order form explained."),
        "guide": _at("guide", "guide", "A player's guide, and a GM's."),
    },
    "Set up a game": {
        "new": _at("new", "new", "Make a game."),
        "start": _at("new", "start", "Start an open game."),
        "resign": _at("seats", "resign", "Free the seat of somebody who leaves."),
        "announce": _at("seats", "announce", "Tell people that a game is open, and how to join."),
        "address": _at("seats", "address", "Say where a player gets letters."),
        "replace": _at("seats", "replace", "Give a seat to somebody else."),
        "bot": _at("seats", "bot", "Give a seat to the bot."),
    },
    "Run it": {
        "games": _at("looking", "games", "All games and where they stand."),
        "show": _at("looking", "show", "One game: position, who owes what, deadline."),
        "orders": _at("looking", "orders", "Who is in, and what is on file."),
        "submit": _at("submit", "submit", "Put a player's orders on file."),
        "close": _at("closing", "close", "Adjudicate the step that is due."),
        "letters": _at("letters", "letters", "Write the letters that would be mailed."),
        "letter": _at("letter", "letter", "What would be read in letters that came."),
        "read": _at("read", "read", "Give letters to the desk without a daemon."),
        "report": _at("reports", "report", "The report that a seat or the public got."),
        "history": _at("looking", "history", "Everything that was done in a game."),
        "extend": _at("calendar", "extend", "Move the deadline."),
        "pause": _at("calendar", "pause", "Stop the clock."),
        "resume": _at("calendar", "resume", "Let the clock run again."),
        "remind": _at("calendar", "remind", "Write to all whose orders are missing."),
    },
    "Run it by mail": {
        "init": _at("init", "init", "Write the settings of the daemon."),
        "serve": _at("serve", "serve", "The daemon: read letters, keep deadlines, send."),
        "status": _at("status", "status", "How the daemon is doing."),
    },
    "Put things right": {
        "edit": _at("edit", "edit", "Change the position by a ruling."),
        "rollback": _at("rulings", "rollback", "Go back to an earlier step."),
        "end": _at("rulings", "end", "End a game by vote or by decision."),
        "note": _at("rulings", "note", "Write something into the history."),
        "accept": _at("rulings", "accept", "Go on under rules that have changed."),
    },
    "Prove it and keep it": {
        "verify": _at("archives", "verify", "Replay a game or an archive and compare."),
        "export": _at("archives", "export", "Write a game's archive."),
        "site": _at("site", "site", "Write games as pages to browse."),
        "import": _at("archives", "import_", "Take a game over from an archive."),
        "scenario": _at("scenario", "scenario", "Run positions that show a rule."),
        "bench": _at("bench", "bench", "Measure speed and size."),
        "doctor": _at("doctor", "doctor", "Check that everything is in order here."),
    },
}


class Front(LazyGroup):
    """The outermost group: its `main` turns every fault into one line and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - click's signature
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002
        **extra: Any,
    ) -> Any:
        """Run, tell faults in one line, exit."""
        setting = Setting()

        def work() -> object:
            try:
                return super(Front, self).main(
                    args,
                    prog_name or "adjudicator",
                    complete_var,
                    standalone_mode=False,
                    windows_expand_args=windows_expand_args,
                    obj=setting,
                    **extra,
                )
            finally:
                setting.close()

        if not standalone_mode:
            return work()
        return sys.exit(guarded(work, debug=lambda: setting.debug))


EPILOG = """\b
Every command explains itself: adjudicator COMMAND --help
Data goes to standard output, talk to standard error; --json is for programs.
ADJUDICATOR_DATABASE=postgresql://... keeps the books there, not in the home.
Exit codes: 0 done, 1 a refused wish, 2 wrong usage, 130 stopped.

\b
Tab completion, once per shell:
  bash  echo 'eval "$(_ADJUDICATOR_COMPLETE=bash_source adjudicator)"' >> ~/.bashrc
  zsh   echo 'eval "$(_ADJUDICATOR_COMPLETE=zsh_source adjudicator)"' >> ~/.zshrc
  fish  _ADJUDICATOR_COMPLETE=fish_source adjudicator \\
          > ~/.config/fish/completions/adjudicator.fish

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
@click.pass_obj
def cli(setting: Setting, home: str | None, debug: bool) -> None:  # noqa: FBT001
    """Adjudicate games that are played by mail.

    Written orders in, explained results out, every turn verifiable.
    """
    setting.home = home
    setting.debug = debug
