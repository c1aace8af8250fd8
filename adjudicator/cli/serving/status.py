"""Show how the server is doing: status."""

import os
import socket
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click

from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import TROUBLES, TroubleFile
from adjudicator.cli.serving.runtime import DATABASE_PLACE
from adjudicator.cli.serving.verifier import list_verified
from adjudicator.cli.terminal.faults import format_refusal
from adjudicator.cli.terminal.games_table import describe_changed, format_games, word_pages
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import (
    find_terminal_width,
    make_inert,
    print_coloured,
    print_document,
)
from adjudicator.cli.wiring import Office, find_settings
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Arrival, Heartbeat, OutgoingLetter
from adjudicator.desk.questions.overview import page_games

KeptTroubles = tuple[int, list[dict[str, Any]]] | None


@command("adjudicator status", "adjudicator status --json")
@click.option("--config", metavar="FILE", help="The daemon's settings; they name the home.")
def status_command(setting: Setting, config: str | None, as_json: bool) -> int:
    """Show how the daemon is doing: games, letters, deadlines, problems.

    Exits with 1 if no daemon serves the home, or if it has a problem.
    """
    if config is not None and (settings := find_settings(config)):
        setting.home = setting.home or settings.home
    office = setting.office
    facts = collect_status(office)
    if as_json:
        print_document(facts)
    else:
        print_coloured(_format_status(facts, office.at))
    wrong = facts["changed_rules"] or facts["problems"]
    return int(not facts["daemon"]["running"] or bool(wrong))


def collect_status(office: Office, *, page: int = 1) -> dict[str, Any]:
    """Collect how the server is doing and the games of one page; also without its database."""
    kept = TroubleFile.read(office.home.path / TROUBLES)
    try:
        with office.reading() as books:
            facts = _collect_facts(books, office.library, office.at, page)
            fault = office.find_journal_fault(books) or office.find_secret_fault(books)
    except Refused as refused:  # the database is unreachable, damaged or gone
        if not (isinstance(refused, StoreTrouble) or (kept and _is_alive(kept[0]))):
            raise
        facts = _collect_without_books(str(refused), kept, office.at)
    else:
        _add_kept_troubles(facts, kept)
        if fault:
            problem = _make_problem("home", format_refusal(fault), office.at)
            facts["problems"] = [*facts["problems"], problem]
    aside = sorted(str(path) for path in (office.home.path / "unread").glob("*.eml"))
    return {"home": str(office.home.path), **facts, "set_aside": aside}


def _collect_facts(books: Books, library: Library, at: datetime, page: int) -> dict[str, Any]:
    beats = {beat.name: beat for beat in books.heartbeats()}
    overview = page_games(books, library, number=page)
    games = overview.games
    daemon = _describe_daemon(beats.get("daemon"), at)
    return {
        "daemon": daemon,
        "games": games,
        "pages_of_games": overview.of,
        "changed_rules": overview.changed,
        "postboxes": [
            {"name": name, "read_until": beat.at.isoformat()}
            for name, beat in beats.items()
            if name.startswith("postbox ")
        ],
        "verified": list_verified([*beats.values()], books.game_names()),
        "queued": books.waiting_letters(),
        "last_letter_in": _last_in(books.last_arrival()),
        "last_letter_out": _last_out(books.last_sent()),
        "next_deadline": min(
            (game["deadline"]["at"] for game in games if game["deadline"]), default=None
        ),
        "problems": daemon.pop("problems"),
    }


def _collect_without_books(words: str, kept: KeptTroubles, at: datetime) -> dict[str, Any]:
    """Collect what the daemon keeps beside the database, which can't be read."""
    pid, problems = kept if kept and _is_alive(kept[0]) else (None, [])
    problems = [one for one in problems if one["place"] != DATABASE_PLACE]
    own = _make_problem(DATABASE_PLACE, words, at)
    daemon = {"running": pid is not None, "seen": None, "pid": pid, "host": socket.gethostname()}
    nothing = ("queued", "last_letter_in", "last_letter_out", "next_deadline")
    return {
        "daemon": daemon,
        "games": [],
        "pages_of_games": 0,
        "changed_rules": [],
        "postboxes": [],
        "verified": [],
        **dict.fromkeys(nothing),
        "problems": [own, *problems],
    }


def _make_problem(place: str, words: str, at: datetime) -> dict[str, Any]:
    return {"place": place, "words": words, "since": at.isoformat(), "mailed": False}


def _add_kept_troubles(facts: dict[str, Any], kept: KeptTroubles) -> None:
    """Add the living daemon's troubles, kept in a file in case the database can't be written."""
    if kept is None or not _is_alive(kept[0]):
        return
    pid, problems = kept
    facts["problems"] = problems
    if problems and facts["daemon"].get("pid") == pid:  # it could not renew its lease
        facts["daemon"]["running"] = True


def _last_in(arrival: Arrival | None) -> dict[str, Any] | None:
    if arrival is None:
        return None
    told = {name: getattr(arrival, name) for name in ("game", "outcome", "reason")}
    return {"at": arrival.read.isoformat(), **told}


def _last_out(letter: OutgoingLetter | None) -> dict[str, Any] | None:
    if letter is None:
        return None
    taken = [str(one["at"]) for one in letter.results.values() if "at" in one]
    told = {name: getattr(letter, name) for name in ("game", "kind", "message_id")}
    return {"at": max(taken, default=letter.made.isoformat()), **told}


def _describe_daemon(beat: "Heartbeat | None", at: datetime) -> dict[str, Any]:
    """Describe whether the daemon runs: its lease is valid, and its process exists."""
    if beat is None:
        return {"running": False, "seen": None, "problems": []}
    running = datetime.fromisoformat(str(beat.facts["until"])) > at and not _is_killed(beat.facts)
    return {
        "running": running,
        "seen": beat.at.isoformat(),
        "pid": beat.facts["pid"],
        "host": beat.facts["host"],
        "problems": list(beat.facts["problems"]) if running else [],
    }


def _is_killed(facts: Mapping[str, Any]) -> bool:
    """Whether it ran on this machine and its process is gone."""
    return facts["host"] == socket.gethostname() and not _is_alive(int(facts["pid"]))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's process, so it exists
        return True
    return True


def _format_status(facts: dict[str, Any], at: datetime) -> str:
    rows = [("home", facts["home"]), *list_status_rows(facts)]
    width = max(len(name) for name, _ in rows)
    parts = [make_inert("\n".join(f"{name:<{width}}  {words}" for name, words in rows))]
    if facts["games"]:
        parts.append(format_games(facts["games"], at=at, width=find_terminal_width()))
    if facts["pages_of_games"] > 1:
        parts.append(word_pages(1, facts["pages_of_games"]))
    if facts["set_aside"]:
        head = "These letters could not be read. Look at them, and remove them when done:"
        parts.append(make_inert("\n  ".join([head, *facts["set_aside"]])))
    for head, words in list_problems(facts):
        parts.append(make_inert("\n         ".join(filter(None, (f"PROBLEM  {head}", words)))))
    return "\n\n".join(parts)


def list_status_rows(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List what is said of the daemon and its letters: names and words."""
    rows = [("daemon", _format_daemon(facts["daemon"]))]
    rows += [
        (box["name"], f"read until {_format_time(box['read_until'])}") for box in facts["postboxes"]
    ]
    if last := facts["last_letter_in"]:
        about = " ".join(part for part in (last["game"], last["outcome"], last["reason"]) if part)
        rows.append(("last in", f"{_format_time(last['at'])}: {about}"))
    if last := facts["last_letter_out"]:
        about = f"{last['kind']} of {last['game'] or 'the server'}"
        rows.append(("last out", f"{_format_time(last['at'])}: {about}"))
    if facts["queued"] is not None:
        rows.append(("queued", str(facts["queued"])))
    rows += [("verified", _format_verified(one)) for one in facts["verified"][:1]]
    rows += [("", _format_verified(one)) for one in facts["verified"][1:] if one["fault"]]
    return rows


def list_problems(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List what is wrong: a head, and more words if there are any."""
    told = {one["place"] for one in facts["problems"]}
    untold = [game for game in facts["changed_rules"] if f"game {game}" not in told]
    changed = describe_changed(untold)
    found = [(changed, "")] if changed else []
    return found + [
        (f"{one['place']} since {_format_time(one['since'])}:", str(one["words"]))
        for one in facts["problems"]
    ]


def _format_verified(one: Mapping[str, str]) -> str:
    found = f"NOT as it was recorded ({one['fault']})" if one["fault"] else "as it was recorded"
    return f"{_format_time(one['at'])}: {one['game']}, {found}"


def _format_daemon(daemon: dict[str, Any]) -> str:
    seen = f", last seen {_format_time(daemon['seen'])}" if daemon["seen"] else ""
    if daemon["running"]:
        return f"process {daemon['pid']} on {daemon['host']}{seen}"
    return f"not running{seen}; start it with `adjudicator serve`"


def _format_time(instant: str) -> str:
    return format_deadline(datetime.fromisoformat(instant), "UTC", seconds=True)
