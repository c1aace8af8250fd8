"""Looking at games: games, show, orders, history."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from adjudicator.adapters.render import text_layout
from adjudicator.cli.terminal.arguments import find_game, find_named_step, game_argument
from adjudicator.cli.terminal.options import (
    Setting,
    example,
    home_option,
    json_option,
    reveal_option,
)
from adjudicator.cli.terminal.output import format_table, print_data, print_document, print_note
from adjudicator.cli.wiring import Office
from adjudicator.desk.acts.edit import open_position as now
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import has_begun
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, Status
from adjudicator.desk.questions.screens import find_report


def list_position_sections(office: Office, books: Books, game: str) -> Sequence[Mapping[str, Any]]:
    """What everybody may know of the position now, as the sections of a report."""
    found = books.game(game)
    if not has_begun(books, game):
        return ()
    if found.open_step is None:
        return _sections(find_report(books, game))
    rules = office.library.kind(found.kind, found.components).rules
    state = rules.load(now(books, office.library, game))
    return _sections(rules.report(rules.view(state, None), ()))


def _sections(document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    sections: Sequence[Mapping[str, Any]] = document.get("sections") or ()
    return sections


def format_game(facts: Mapping[str, Any], sections: Sequence[Mapping[str, Any]]) -> str:
    """One game as `show` prints it."""
    parts = [_head(facts), _seats(facts["seats"])]
    parts += [format_section(one) for one in sections]
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
        ("options", text_layout.flow(facts["options"])),
        ("settings", text_layout.flow(facts["settings"])),
        ("commitment", f"seed SHA-256 {facts['seed_digest']}"),
    ]
    if not facts["verifiable"]:
        rows.append(("", "the seed was given by hand: nobody can trust these dice"))
    return "\n".join(text_layout.wrapped(value, f"{name:<12}", width=100) for name, value in rows)


def _no_deadline(facts: Mapping[str, Any]) -> str:
    return "none; the GM closes by hand" if facts["step"] else "none"


def _seats(seats: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (s["seat"], s["player"] or s["kind"] or "open", "in" if s["in"] else "not in", s["why"])
        for s in seats
    ]
    return format_table(("seat", "player", "in", "why"), rows)


def format_section(part: Mapping[str, Any]) -> str:
    """One section of a report/1 document."""
    lines = [str(part["title"]).upper()]
    if part.get("rows"):
        lines.append(text_layout.table(part["columns"], part["rows"]))
    if part.get("lines"):
        lines.append(text_layout.plain_lines(part["lines"], 2))
    return "\n".join(lines)


def describe_wait(line: Mapping[str, Any]) -> str:
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
            text_layout.block({"luck": luck}) if luck else "luck: none",
            text_layout.block({"state": facts["state"]}),
        ]
    )


def format_orders(facts: Mapping[str, Any], *, reveal: bool) -> str:
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
        text_layout.table(columns, rows, indent=0),
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
            + (text_layout.block(one["orders"] or {}) or "# nothing")
        )
    return "\n\n".join(parts)


def _seen(office: Office, game: str, what: str) -> None:
    """Write down that the GM looked at secrets, before they are shown."""
    from adjudicator.desk.questions.screens import record_look

    with office.acting() as books:
        record_look(books, game, what, at=office.at)


@click.command(epilog=example("adjudicator games", "adjudicator games --json"))
@json_option
@home_option
@click.pass_obj
def games_command(setting: Setting, as_json: bool) -> None:  # noqa: FBT001
    """List all games and where they stand."""
    from adjudicator.desk.questions.screens import list_games

    office = setting.office
    found: tuple[Any, ...] = ()
    if not office.empty:
        with office.reading() as books:
            found = tuple(list_games(books, office.library))
    if as_json:
        print_document(found)
    elif not found:
        print_note(f"No games in {office.home.path} yet. Make one: adjudicator new")
    else:
        columns = ("game", "kind", "status", "step", "deadline", "waits for")
        print_data(format_table(columns, map(_line, found)))


def _line(game: Any) -> tuple[str, ...]:

    deadline = game["deadline"]
    return (
        game["id"],
        game["kind"],
        str(game["status"]),
        game["step"] or "-",
        deadline["text"] if deadline else "-",
        describe_wait(game),
    )


@click.command(epilog=example("adjudicator show ember", "adjudicator show ember --reveal"))
@game_argument
@reveal_option
@json_option
@home_option
@click.pass_obj
def show_command(setting: Setting, game: str, reveal: bool, as_json: bool) -> None:  # noqa: FBT001
    """Show one game: what everybody may know, who owes what, the deadline."""

    from adjudicator.desk.questions.screens import show_game

    office = setting.office
    with office.reading() as books:
        game = find_game(books, game).id
    if reveal:
        _seen(office, game, "the whole position")
    with office.reading() as books:
        facts = show_game(books, office.library, game, reveal=reveal)
        position = list_position_sections(office, books, game)
    if as_json:
        print_document(facts)
    else:
        print_data(format_game(facts, position))


@click.command(epilog=example("adjudicator orders ember", "adjudicator orders ember --step 3"))
@game_argument
@click.option("--step", help="Another step than the open one.")
@reveal_option
@json_option
@home_option
@click.pass_obj
def orders_command(
    setting: Setting,
    game: str,
    step: str | None,
    reveal: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Show who is in and why not; with --reveal what they ordered."""

    from adjudicator.desk.questions.screens import show_orders

    office = setting.office
    with office.reading() as books:
        found = find_game(books, game)
        name = find_named_step(books, found, step) if step else _open_step(books, found)
    if reveal:
        _seen(office, found.id, f"the orders of {name}")
    with office.reading() as books:
        facts = show_orders(books, office.library, found.id, step=name, reveal=reveal)
    if not reveal:
        facts = {**facts, "seats": [_undigested(seat) for seat in facts["seats"]]}
    if as_json:
        print_document(facts)
    else:
        print_data(format_orders(facts, reveal=reveal))


def _open_step(books: Books, game: Game) -> str | None:
    if game.open_step is not None:
        return books.step(game.id, game.open_step).name
    if game.status is Status.OVER and books.step_names(game.id):
        raise Refused(f"{game.id}: it is over, no step is open; --step names one that was")
    return None


def _undigested(seat: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the digest of a set: few orders are possible, so they could be tried out."""
    return {key: fact for key, fact in seat.items() if key != "digest"}


@click.command(epilog=example("adjudicator history ember"))
@game_argument
@json_option
@home_option
@click.pass_obj
def history_command(setting: Setting, game: str, as_json: bool) -> None:  # noqa: FBT001
    """Tell everything that was done in a game, the oldest first."""
    from adjudicator.desk.model.deadlines import local_text
    from adjudicator.desk.model.history import history_lines

    office = setting.office
    with office.reading() as books:
        found_game = find_game(books, game)
        found = history_lines(books, found_game.id)
    if as_json:
        print_document(found)
        return
    zone = str(found_game.settings.get("zone", "UTC"))
    for entry in found:
        at = local_text(datetime.fromisoformat(entry["at"]), zone)
        print_data(f"{at}  {entry['by']:<5}  {entry['act']:<9}  {entry['text']}")
