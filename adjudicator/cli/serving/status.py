"""How the server is doing: status."""

import os
import socket
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.terminal.games_table import format_games
from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import (
    make_inert,
    print_coloured,
    print_document,
    terminal_width,
)
from adjudicator.desk.model.deadlines import deadline_words

if TYPE_CHECKING:
    from adjudicator.desk.model.ports import Books
    from adjudicator.desk.model.values import Heartbeat


@click.command(epilog=example("adjudicator status", "adjudicator status --json"))
@click.option("--config", metavar="FILE", help="The daemon's settings; they name the home.")
@json_option
@home_option
@click.pass_context
def status_command(context: click.Context, config: str | None, as_json: bool) -> None:
    """Show how the daemon is doing: games, letters, deadlines, problems.

    Exits with 1 if no daemon serves the home, or if it has a problem.
    """
    setting: Setting = context.obj
    if config is not None:
        from adjudicator.adapters.settings import choose_settings_file, read_settings

        configured = read_settings(choose_settings_file(config)).home
        setting.home = setting.home or configured
    office = setting.office
    with office.reading() as books:
        facts = _facts(books, office.library, office.at)
    aside = sorted(str(path) for path in (office.home.path / "unread").glob("*.eml"))
    facts = {"home": str(office.home.path), **facts, "set_aside": aside}
    if as_json:
        print_document(facts)
    else:
        print_coloured(_text(facts, office.at))
    if not facts["daemon"]["running"] or facts["problems"]:
        context.exit(1)


def _facts(books: "Books", library: Any, at: datetime) -> dict[str, Any]:
    from adjudicator.desk.questions.screens import list_games

    beats = {beat.name: beat for beat in books.heartbeats()}
    told = [game for game in list_games(books, library) if game["status"] != "over"]
    last_in, last_out = books.last_arrival(), books.last_sent()
    deadlines = sorted(game["deadline"]["at"] for game in told if game["deadline"])
    daemon = _daemon(beats.get("daemon"), at)
    return {
        "daemon": daemon,
        "games": told,
        "postboxes": [
            {"name": name, "read_until": beat.at.isoformat()}
            for name, beat in beats.items()
            if name.startswith("postbox ")
        ],
        "queued": books.waiting_letters(),
        "last_letter_in": None
        if last_in is None
        else {
            "at": last_in.read.isoformat(),
            "game": last_in.game,
            "outcome": last_in.outcome,
            "reason": last_in.reason,
        },
        "last_letter_out": None
        if last_out is None
        else {
            "at": max(
                (str(one["at"]) for one in last_out.results.values() if "at" in one),
                default=last_out.made.isoformat(),
            ),
            "game": last_out.game,
            "kind": last_out.kind,
            "message_id": last_out.message_id,
        },
        "next_deadline": deadlines[0] if deadlines else None,
        "problems": daemon.pop("problems"),
    }


def _daemon(beat: "Heartbeat | None", at: datetime) -> dict[str, Any]:
    """Whether it runs: its lease has not run out, nor been given back, nor lost its process."""
    if beat is None:
        return {"running": False, "seen": None, "problems": []}
    running = datetime.fromisoformat(str(beat.facts["until"])) > at and not _killed(beat.facts)
    return {
        "running": running,
        "seen": beat.at.isoformat(),
        "pid": beat.facts["pid"],
        "host": beat.facts["host"],
        "problems": list(beat.facts["problems"]) if running else [],
    }


def _killed(facts: Mapping[str, Any]) -> bool:
    """Whether it ran on this machine and its process is no longer there."""
    if facts["host"] != socket.gethostname():
        return False
    try:
        os.kill(int(facts["pid"]), 0)
    except ProcessLookupError:
        return True
    except PermissionError:  # somebody else's, so it is there
        return False
    return False


def _text(facts: dict[str, Any], at: datetime) -> str:
    rows = [("home", facts["home"]), ("daemon", _living(facts["daemon"]))]
    rows += [(box["name"], f"read until {_when(box['read_until'])}") for box in facts["postboxes"]]
    last = facts["last_letter_in"]
    if last:
        about = " ".join(part for part in (last["game"], last["outcome"], last["reason"]) if part)
        rows.append(("last in", f"{_when(last['at'])}: {about}"))
    last = facts["last_letter_out"]
    if last:
        about = f"{last['kind']} of {last['game'] or 'the server'}"
        rows.append(("last out", f"{_when(last['at'])}: {about}"))
    rows.append(("queued", str(facts["queued"])))
    width = max(len(name) for name, _ in rows)
    parts = ["\n".join(make_inert(f"{name:<{width}}  {words}") for name, words in rows)]
    if facts["games"]:
        parts.append(format_games(facts["games"], at=at, width=terminal_width()))
    if facts["set_aside"]:
        parts.append(_set_aside(facts["set_aside"]))
    parts += [make_inert(_problem(problem)) for problem in facts["problems"]]
    return "\n\n".join(parts)


def _set_aside(paths: Sequence[str]) -> str:
    head = "These letters could not be read. Look at them, and remove them when done:"
    return make_inert("\n".join([head, *(f"  {path}" for path in paths)]))


def _problem(problem: Mapping[str, Any]) -> str:
    return (
        f"PROBLEM  {problem['place']} since {_when(problem['since'])}:\n         {problem['words']}"
    )


def _living(daemon: dict[str, Any]) -> str:
    if daemon["running"]:
        return f"process {daemon['pid']} on {daemon['host']}, last seen {_when(daemon['seen'])}"
    seen = f", last seen {_when(daemon['seen'])}" if daemon["seen"] else ""
    return f"not running{seen}; start it with `adjudicator serve`"


def _when(instant: str) -> str:
    return deadline_words(datetime.fromisoformat(instant), "UTC", seconds=True)
