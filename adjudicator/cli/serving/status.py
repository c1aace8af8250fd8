"""Show how the server is doing: status."""

import socket
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import click

from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import DATABASE_PLACE, TROUBLES, TroubleFile
from adjudicator.cli.serving.members import (
    BOX,
    ROLES,
    UNREAD,
    Member,
    find_readers,
    find_unserved,
    is_gone,
    list_members,
    name_unread,
)
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
from adjudicator.desk.model.values import Arrival, OutgoingLetter
from adjudicator.desk.outbox.budgets import find_pause
from adjudicator.desk.questions.overview import page_games

_NEW = timedelta(seconds=30)
"""So long the daemons have, after one of them began, to share the postboxes."""
VERIFIED = "verified "
"""Before the name of a game, in the name of the heartbeat that says how it was found."""
KeptTroubles = tuple[int, list[dict[str, Any]]] | None


@command("adjudicator status", "adjudicator status --json")
@click.option("--config", metavar="FILE", help="The daemon's settings; they name the home.")
def status_command(setting: Setting, config: str | None, as_json: bool) -> int:
    """Show how the daemon is doing: games, letters, deadlines, problems.

    Shows all daemons where several share a database, and what none of them does.
    Exits with 1 if no daemon serves the home, or if there is a problem.
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
    troubles = TroubleFile.read(office.home.path / TROUBLES)
    try:
        with office.reading() as books:
            facts = _collect_facts(books, office.library, office.at, page)
            fault = office.find_recent_fault(books) or office.find_secret_fault(books)
    except Refused as refusal:  # the database is unreachable, damaged or gone
        if not (isinstance(refusal, StoreTrouble) or (troubles and not is_gone(troubles[0]))):
            raise
        facts = _collect_without_books(str(refusal), troubles, office.at)
    else:
        unserved = facts.pop("unserved")
        _add_kept_troubles(facts, troubles)
        places = {one["place"] for one in facts["problems"]}
        new = [one for one in unserved if one["place"] not in places]
        facts["problems"] = [*facts["problems"], *new]
        if fault:
            problem = _make_problem("home", format_refusal(fault), office.at)
            facts["problems"] = [*facts["problems"], problem]
    aside = sorted(str(path) for path in (office.home.path / "unread").glob("*.eml"))
    return {"home": str(office.home.path), **facts, "set_aside": aside}


def _collect_facts(books: Books, library: Library, at: datetime, page: int) -> dict[str, Any]:
    members = list_members(books)
    readers = find_readers(books, members, at)
    boxes = _describe_boxes(books, members, readers)
    overview = page_games(books, library, number=page)
    games = overview.games
    return {
        "daemon": _describe_daemon(members, at),
        "daemons": _describe_daemons(members, readers, at),
        "games": games,
        "pages_of_games": overview.of,
        "changed_rules": overview.changed,
        "postboxes": boxes,
        "verified": _list_verified(books),
        "queued": books.waiting_letters(),
        "paused_until": pause.isoformat() if (pause := find_pause(books, at)) else None,
        "last_letter_in": _last_in(books.last_arrival()),
        "last_letter_out": _last_out(books.last_sent()),
        "next_deadline": min(
            (game["deadline"]["at"] for game in games if game["deadline"]), default=None
        ),
        "problems": _collect_problems(members, at),
        "unserved": _find_unserved(members, boxes, at),
    }


def _list_verified(books: Books) -> list[dict[str, str]]:
    """List when each game was last replayed, with the first difference, newest first."""
    beats = books.heartbeats(VERIFIED)
    names = frozenset(books.game_names()) if beats else frozenset()
    return [
        {
            "game": str(beat.facts["game"]),
            "at": beat.at.isoformat(),
            "fault": str(beat.facts["fault"]),
        }
        for beat in sorted(beats, key=lambda beat: beat.at, reverse=True)
        if beat.facts["game"] in names
    ]


def _collect_without_books(words: str, troubles: KeptTroubles, at: datetime) -> dict[str, Any]:
    """Collect what the daemon keeps beside the database, which can't be read."""
    pid, problems = troubles if troubles and not is_gone(troubles[0]) else (None, [])
    problems = [one for one in problems if one["place"] != DATABASE_PLACE]
    own = _make_problem(DATABASE_PLACE, words, at)
    daemon = {"running": pid is not None, "seen": None, "pid": pid, "host": socket.gethostname()}
    nothing = ("queued", "paused_until", "last_letter_in", "last_letter_out", "next_deadline")
    return {
        "daemon": daemon,
        "daemons": [],
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


def _add_kept_troubles(facts: dict[str, Any], troubles: KeptTroubles) -> None:
    """Add the living daemon's troubles, kept in a file in case the database can't be written."""
    if troubles is None or is_gone(troubles[0]):
        return
    pid, problems = troubles
    if sum(one["running"] for one in facts["daemons"]) < 2:
        facts["problems"] = problems
    if problems and facts["daemon"].get("pid") == pid:  # it could not renew its lease
        facts["daemon"]["running"] = True


def _last_in(arrival: Arrival | None) -> dict[str, Any] | None:
    if arrival is None:
        return None
    facts = {name: getattr(arrival, name) for name in ("game", "outcome", "reason")}
    return {"at": arrival.read.isoformat(), **facts}


def _last_out(letter: OutgoingLetter | None) -> dict[str, Any] | None:
    if letter is None:
        return None
    instants = [str(one["at"]) for one in letter.results.values() if "at" in one]
    facts = {name: getattr(letter, name) for name in ("game", "kind", "message_id")}
    return {"at": max(instants, default=letter.made.isoformat()), **facts}


def _describe_daemons(
    members: Sequence[Member], readers: Mapping[str, Member], at: datetime
) -> list[dict[str, Any]]:
    """Describe every daemon that runs, and those that ended otherwise than by being stopped."""
    visible = [one for one in members if one.lives(at) or one.until > one.seen]
    return [
        {
            "running": one.lives(at),
            "seen": one.seen.isoformat(),
            "pid": one.pid,
            "host": one.host,
            "home": one.home,
            "roles": list(one.roles),
            "reads": sorted(
                name
                for box, name in one.boxes.items()
                if box in readers and readers[box].owner == one.owner
            ),
        }
        for one in sorted(visible, key=lambda one: (not one.lives(at), one.host, one.pid))
    ]


def _describe_daemon(members: Sequence[Member], at: datetime) -> dict[str, Any]:
    """Describe whether any daemon runs, and the one that was seen last."""
    if not members:
        return {"running": False, "seen": None}
    last = max(members, key=lambda one: (one.lives(at), one.seen))
    return {
        "running": last.lives(at),
        "seen": last.seen.isoformat(),
        "pid": last.pid,
        "host": last.host,
    }


def _describe_boxes(
    books: Books, members: Sequence[Member], readers: Mapping[str, Member]
) -> list[dict[str, Any]]:
    """Describe the postboxes in the settings of all daemons: how far they are read, and by whom."""
    names = {box: name for one in members for box, name in one.boxes.items()}
    until = {beat.name.removeprefix(BOX): beat.at.isoformat() for beat in books.heartbeats(BOX)}
    return [
        {
            "name": name,
            "box": box,
            "read_until": until.get(box),
            "reader": readers[box].words if box in readers else None,
        }
        for box, name in sorted(names.items(), key=lambda one: (one[1], one[0]))
    ]


def _collect_problems(members: Sequence[Member], at: datetime) -> list[dict[str, Any]]:
    """Collect the problems of all daemons that run; what several have is said once."""
    problems = [problem for one in members if one.lives(at) for problem in one.problems]
    return list({(one["place"], one["words"]): dict(one) for one in problems}.values())


def _find_unserved(
    members: Sequence[Member], boxes: Sequence[Mapping[str, Any]], at: datetime
) -> list[dict[str, Any]]:
    """Find what none of the daemons that run does, as problems."""
    living = [one for one in members if one.lives(at)]
    unserved = find_unserved(living, at) if living else ()
    words = "no daemon does it; start one with `adjudicator serve --only {}`"
    problems = [_make_problem(role, words.format(role), at) for role in unserved]
    if "post-in" in unserved or not living or any(at - one.began < _NEW for one in living):
        return problems
    unread = [name_unread(one["box"]) for one in boxes if not one["reader"]]
    return problems + [_make_problem(place, UNREAD, at) for place in unread]


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
    rows: list[tuple[str, str]] = []
    daemons = facts["daemons"]
    many = daemons if len(daemons) > 1 or any(one["running"] for one in daemons) else []
    names = ("daemon", *("" for _ in many))
    rows += [
        (n, _format_daemon(one)) for n, one in zip(names, many or [facts["daemon"]], strict=False)
    ]
    several = sum(one["running"] for one in many) > 1
    for box in facts["postboxes"]:
        until = box["read_until"]
        read = f"read until {_format_time(until)}" if until else "not read yet"
        by = f" by {box['reader']}" if several and box["reader"] else ""
        rows.append((box["name"], read + by))
    if last := facts["last_letter_in"]:
        about = " ".join(part for part in (last["game"], last["outcome"], last["reason"]) if part)
        rows.append(("last in", f"{_format_time(last['at'])}: {about}"))
    if last := facts["last_letter_out"]:
        about = f"{last['kind']} of {last['game'] or 'the server'}"
        rows.append(("last out", f"{_format_time(last['at'])}: {about}"))
    if facts["queued"] is not None:
        pause = facts["paused_until"]
        why = f"; the mail server takes none before {_format_time(pause)}" if pause else ""
        rows.append(("queued", f"{facts['queued']}{why}"))
    rows += [("verified", _format_verified(one)) for one in facts["verified"][:1]]
    rows += [("", _format_verified(one)) for one in facts["verified"][1:] if one["fault"]]
    return rows


def list_problems(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List what is wrong: a head, and more words if there are any."""
    places = {one["place"] for one in facts["problems"]}
    untold = [game for game in facts["changed_rules"] if f"game {game}" not in places]
    sentence = describe_changed(untold)
    problems = [(sentence, "")] if sentence else []
    return problems + [
        (f"{one['place']} since {_format_time(one['since'])}:", str(one["words"]))
        for one in facts["problems"]
    ]


def _format_verified(one: Mapping[str, str]) -> str:
    verdict = f"NOT as it was recorded ({one['fault']})" if one["fault"] else "as it was recorded"
    return f"{_format_time(one['at'])}: {one['game']}, {verdict}"


def _format_daemon(daemon: dict[str, Any]) -> str:
    since = f", last seen {_format_time(daemon['seen'])}" if daemon["seen"] else ""
    if not daemon["running"]:
        who = f" (process {daemon['pid']} on {daemon['host']})" if "roles" in daemon else ""
        return f"not running{who}{since}; start it with `adjudicator serve`"
    roles = daemon.get("roles", ROLES)
    only = f", only {', '.join(roles)}" if set(roles) != set(ROLES) else ""
    return f"process {daemon['pid']} on {daemon['host']}{only}{since}"


def _format_time(instant: str) -> str:
    return format_deadline(datetime.fromisoformat(instant), "UTC", seconds=True)
