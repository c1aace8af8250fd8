"""The GM's screens as text, from the desk's read-only facts."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.adapters import layout
from adjudicator.cli.output import table
from adjudicator.cli.wiring import Office
from adjudicator.desk.edit import position as now
from adjudicator.desk.ended import begun
from adjudicator.desk.look import report
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Status


def position(office: Office, books: Books, game: str) -> Sequence[Mapping[str, Any]]:
    """What everybody may know of the position now, as the sections of a report."""
    found = books.game(game)
    if not begun(books, game):
        return ()
    if found.open_step is None:
        return _sections(report(books, game))
    rules = office.library.kind(found.kind, found.components).rules
    state = rules.load(now(books, office.library, game))
    return _sections(rules.report(rules.view(state, None), ()))


def _sections(document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    sections: Sequence[Mapping[str, Any]] = document.get("sections") or ()
    return sections


def game(facts: Mapping[str, Any], sections: Sequence[Mapping[str, Any]]) -> str:
    """One game as `show` prints it."""
    parts = [_head(facts), _seats(facts["seats"])]
    parts += [section(one) for one in sections]
    if facts.get("outside"):
        parts.append("\n".join(f"Note: {line}" for line in _lines(facts["outside"])))
    if "state" in facts:
        parts.append(_secrets(facts))
    return "\n\n".join(part for part in parts if part)


def _lines(told: Any) -> Sequence[str]:
    return [told] if isinstance(told, str) else [str(line) for line in told]


def _head(facts: Mapping[str, Any]) -> str:
    deadline = facts["deadline"]
    rows = [
        ("game", f"{facts['id']} ({facts['title']})"),
        ("status", str(facts["status"])),
        ("step", facts["step"] or "none is open"),
        ("deadline", deadline["text"] if deadline else _no_deadline(facts)),
        ("options", layout.flow(facts["options"])),
        ("settings", layout.flow(facts["settings"])),
        ("commitment", f"seed SHA-256 {facts['seed_digest']}"),
    ]
    if not facts["verifiable"]:
        rows.append(("", "the seed was given by hand: nobody can trust these dice"))
    return "\n".join(layout.wrapped(value, f"{name:<12}", width=100) for name, value in rows)


def _no_deadline(facts: Mapping[str, Any]) -> str:
    return "none; the GM closes by hand" if facts["step"] else "none"


def _seats(seats: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (s["seat"], s["player"] or s["kind"] or "open", "in" if s["in"] else "not in", s["why"])
        for s in seats
    ]
    return table(("seat", "player", "in", "why"), rows)


def section(part: Mapping[str, Any]) -> str:
    """One section of a report/1 document."""
    lines = [str(part["title"]).upper()]
    if part.get("rows"):
        lines.append(layout.table(part["columns"], part["rows"]))
    if part.get("lines"):
        lines.append(layout.plain_lines(part["lines"], 2))
    return "\n".join(lines)


def waits(line: Mapping[str, Any]) -> str:
    """Whom a game of `games` waits for: orders, or players before it begins."""
    if line["status"] == Status.OPEN:
        return f"players for {', '.join(line['free'])}" if line["free"] else "its start"
    return ", ".join(line["missing"]) or "nobody"


def _secrets(facts: Mapping[str, Any]) -> str:
    luck = facts.get("luck") or {}
    return "\n".join(
        [
            "SECRET",
            f"seed: {facts['seed']}",
            layout.block({"luck": luck}) if luck else "luck: none",
            layout.block({"state": facts["state"]}),
        ]
    )


def orders(facts: Mapping[str, Any], *, reveal: bool) -> str:
    """Who is in, as `orders` prints it."""
    rows = [
        (
            s["seat"],
            s["player"] or s["kind"] or "open",
            s["due"] or "-",
            "in" if s["in"] else "NOT IN",
            s["receipt"] or "-",
            s["why"],
        )
        for s in facts["seats"]
    ]
    columns = ("seat", "player", "owes", "in", "receipt", "why")
    parts = [
        f"{facts['game']}, step {facts['step'] or 'none'}",
        layout.table(columns, rows, indent=0),
    ]
    if reveal:
        parts += [_sets(s) for s in facts["seats"] if s["sets"]]
    return "\n\n".join(parts)


def _sets(seat: Mapping[str, Any]) -> str:
    parts = []
    for one in seat["sets"]:
        on = ", on file" if one["number"] == seat["receipt"] else ""
        executed = ", executed" if one["executed"] else on
        parts.append(
            f"{seat['seat']}, set {one['number']} by {one['by']}, {one['arrived']}{executed}\n"
            + (layout.block(one["orders"] or {}) or "# nothing")
        )
    return "\n\n".join(parts)
