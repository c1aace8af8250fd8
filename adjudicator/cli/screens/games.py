"""Screens about games: games, show, orders, history."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from adjudicator.adapters.render import text_layout
from adjudicator.cli.terminal.arguments import (
    complete_acts,
    complete_turns,
    find_game,
    game_argument,
    step_option,
)
from adjudicator.cli.terminal.games_table import (
    describe_changed,
    describe_received,
    describe_time,
    describe_wait,
    format_games,
    word_pages,
)
from adjudicator.cli.terminal.options import Setting, command, reveal_option
from adjudicator.cli.terminal.output import (
    find_line_width,
    find_terminal_width,
    find_text_width,
    format_table,
    print_coloured,
    print_data,
    print_document,
    print_note,
)
from adjudicator.cli.wiring import Office, find_gm_addresses
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import find_step, has_begun
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, Status
from adjudicator.desk.questions.overview import GamesPage, list_games, page_games
from adjudicator.desk.questions.screens import find_history, find_report, show_game, show_orders


def list_position_sections(office: Office, books: Books, game: str) -> Sequence[Mapping[str, Any]]:
    """List the public parts of the current position as the sections of a report."""
    stored_game = books.game(game)
    if not has_begun(books, game):
        return ()
    if stored_game.open_step is None:
        document = find_report(books, game)
    else:
        document = Context(books, office.library, game).report_position(None)
    return document.get("sections") or ()


def format_game(
    facts: Mapping[str, Any], sections: Sequence[Mapping[str, Any]], *, at: datetime
) -> str:
    """Format one game as `show` prints it."""
    parts = [_format_head(facts, at), _format_seats(facts["seats"])]
    parts += [format_section(one) for one in sections]
    if facts.get("outside"):
        notes = (f"Note: {line}" for line in facts["outside"])
        parts.append("\n".join(text_layout.wrap(note, width=find_text_width()) for note in notes))
    if "state" in facts:
        parts.append(_format_secrets(facts))
    return "\n\n".join(part for part in parts if part)


def _format_head(facts: Mapping[str, Any], at: datetime) -> str:
    deadline = facts["deadline"]
    none = "none; the GM closes by hand" if facts["step"] else "none"
    rows = [
        ("game", f"{facts['id']} ({facts['title']})"),
        ("kind", facts["kind"]),
        ("status", facts["status"]),
        ("turn", facts["turn"] or "-"),
        ("step", facts["step"] or "none is open"),
        ("in", describe_received(facts)),
        ("left", describe_time(facts, at)),
        ("waits for", describe_wait(facts)),
        ("deadline", deadline["text"] if deadline else none),
        ("options", text_layout.format_inline(facts["options"])),
        (
            "settings",
            text_layout.format_inline(facts["settings"] or "default"),
        ),
        *(
            [("from next", text_layout.format_inline(later))]
            if (later := facts["next_settings"])
            else []
        ),
        ("commitment", f"seed SHA-256 {facts['seed_digest']}"),
    ]
    rows.append(("dice", facts["chance"]))
    width = find_text_width()
    return "\n".join(text_layout.wrap(value, f"{name:<12}", width=width) for name, value in rows)


def _format_seats(seats: Sequence[Mapping[str, Any]]) -> str:
    rows = [(seat["seat"], _name_player(seat), _is_in(seat), seat["why"]) for seat in seats]
    return format_table(("seat", "player", "in", "why"), rows)


def _name_player(seat: Mapping[str, Any]) -> str:
    return str(seat["player"] or seat["kind"] or "open")


def _is_in(seat: Mapping[str, Any]) -> str:
    if not seat["in"]:
        return "NOT IN"
    return "in" if seat["ready"] else "NOT READY"


def format_section(part: Mapping[str, Any]) -> str:
    """Format one section of a report/1 document."""
    lines = [str(part["title"]).upper()]
    if part.get("rows"):
        lines.append(
            text_layout.lay_out_table(part["columns"], part["rows"], width=find_text_width())
        )
    if part.get("lines"):
        lines.append(text_layout.split_lines(part["lines"], 2))
    return "\n".join(lines)


def _format_secrets(facts: Mapping[str, Any]) -> str:
    luck = facts.get("luck") or {}
    return "\n".join(
        [
            "SECRET",
            f"seed: {facts['seed']}",
            text_layout.format_block({"luck": luck}) if luck else "luck: none",
            text_layout.format_block({"state": facts["state"]}),
        ]
    )


def format_orders(facts: Mapping[str, Any], *, reveal: bool) -> str:
    """Format whose orders are in, as `orders` prints it."""
    columns = ("seat", "player", "due", "in", "receipt", "why")
    rows = [
        (s["seat"], _name_player(s), s["due"] or "-", _is_in(s), s["receipt"] or "-", s["why"])
        for s in facts["seats"]
    ]
    head = f"{facts['game']}: {facts['label']} (step {facts['step']})"
    parts = [head, format_table(columns, rows)]
    if reveal:
        parts += [_format_sets(s, facts["zone"]) for s in facts["seats"] if s["sets"]]
        parts += [_format_plan(s["seat"], plan) for s in facts["seats"] for plan in s["plans"]]
    return "\n\n".join(parts)


def _format_sets(seat: Mapping[str, Any], zone: str) -> str:
    parts = []
    for one in seat["sets"]:
        on = ", on file" if one["number"] == seat["receipt"] else ""
        arrived = text_layout.format_instant(one["arrived"], zone)
        executed = ", executed" if one["executed"] else on
        parts.append(
            f"{seat['seat']}, set {one['number']} by {one['by']}, {arrived}{executed}\n"
            + (text_layout.format_block(one["orders"] or {}) or "# nothing")
        )
    return "\n\n".join(parts)


def _format_plan(seat: str, plan: Mapping[str, Any]) -> str:
    place = f" in step {plan['step']}" if plan["step"] is not None else ""
    why = f": {plan['reason']}" if plan["reason"] else ""
    head = f"{seat}, plan {plan['plan']} of list {plan['list']}, {plan['status']}{place}{why}"
    return f"{head}\n{text_layout.format_block(plan['orders'])}"


@command("adjudicator games", "adjudicator games --all")
@click.option("--all", "every", is_flag=True, help="Include finished and archived games.")
@click.option("--page", type=click.IntRange(1), default=1, help="Which 50 games. [1]")
def games_command(setting: Setting, every: bool, page: int, as_json: bool) -> None:
    """List the games, one line each, the earliest deadline first, 50 at a time.

    A line says how many of the orders due are in, the time left, and whom the
    game waits for. --json leaves no game and no column out.
    """
    office = setting.office
    if as_json:
        print_document(_read_all_games(office))
        return
    games_page = _read_games_page(office, page, every=every)
    if games_page is None or not games_page.games:
        print_note(_explain_no_games(office, games_page))
        return
    print_coloured(format_games(games_page.games, at=office.at, width=find_terminal_width()))
    if note := describe_changed(games_page.changed):
        print_note(note)
    if games_page.of > 1:
        print_note(word_pages(page, games_page.of))


def _read_all_games(office: Office) -> Sequence[Mapping[str, Any]]:
    if office.empty:
        return ()
    with office.reading() as books:
        return list_games(books, office.library)


def _read_games_page(office: Office, number: int, *, every: bool) -> GamesPage | None:
    if office.empty:
        return None
    with office.reading() as books:
        return page_games(books, office.library, number=number, every=every)


def _explain_no_games(office: Office, games_page: GamesPage | None) -> str:
    if games_page is None or not games_page.total:
        return f"No games in {office.home.path} yet. Make one: adjudicator new"
    if games_page.number > games_page.of:
        return f"There is no page {games_page.number}; the last one is {games_page.of}."
    finished = "The only game is" if games_page.total == 1 else f"All {games_page.total} games are"
    return f"{finished} finished; --all lists them."


@command("adjudicator show ember", "adjudicator show ember --reveal")
@game_argument
@reveal_option
def show_command(setting: Setting, game: str, reveal: bool, as_json: bool) -> None:
    """Show one game: its progress, its seats, and what everybody may know of the position."""
    office = setting.office
    with office.reading() as books:
        game = find_game(books, game).id
    if reveal:
        office.record_look(game, "the whole position")
    with office.reading() as books:
        hosts = find_gm_addresses(office)
        facts = show_game(books, office.library, game, reveal=reveal, hosts=hosts)
        position = list_position_sections(office, books, game)
    if as_json:
        print_document(facts)
    else:
        print_data(format_game(facts, position, at=office.at))


@command("adjudicator orders ember", "adjudicator orders ember --step 3")
@game_argument
@step_option("A step other than the open one")
@reveal_option
def orders_command(
    setting: Setting, game: str, step: str | None, reveal: bool, as_json: bool
) -> None:
    """Show whose orders are in, whose are not, and why; with --reveal, the orders."""
    office = setting.office
    with office.reading() as books:
        found_game = find_game(books, game)
        name = find_step(books, found_game.id, step).name if step else _open_step(books, found_game)
    if reveal:
        office.record_look(found_game.id, f"the orders of {name}")
    with office.reading() as books:
        facts = show_orders(books, office.library, found_game.id, step=name, reveal=reveal)
    if not reveal:
        facts = {**facts, "seats": [_drop_digest(seat) for seat in facts["seats"]]}
    if as_json:
        print_document(facts)
    else:
        print_data(format_orders(facts, reveal=reveal))


def _open_step(books: Books, game: Game) -> str | None:
    if game.open_step is not None:
        return books.step(game.id, game.open_step).name
    if game.status is Status.OVER and books.step_names(game.id):
        raise Refused(f"{game.id}: the game is over, so no step is open; choose one with --step")
    return None


def _drop_digest(seat: Mapping[str, Any]) -> Mapping[str, Any]:
    """Drop the digest of orders: so few orders are possible that it could be guessed."""
    return {key: fact for key, fact in seat.items() if key != "digest"}


@command(
    "adjudicator history ember --last 10",
    "adjudicator history ember --turn 5",
    "adjudicator history ember --act rollback --act edit",
)
@game_argument
@step_option("Only what was done in this step")
@click.option(
    "--turn",
    metavar="N",
    shell_complete=complete_turns,
    help="Only what was done in the steps of this turn.",
)
@click.option("--last", metavar="N", type=click.IntRange(min=1), help="Only the last N acts.")
@click.option(
    "--act",
    "acts",
    multiple=True,
    shell_complete=complete_acts,
    help="Only acts of this kind. Repeat for several.",
)
@click.option("--looks", is_flag=True, help="Include the times the GM looked at secrets.")
def history_command(
    setting: Setting,
    game: str,
    step: str | None,
    turn: str | None,
    last: int | None,
    acts: tuple[str, ...],
    looks: bool,
    as_json: bool,
) -> None:
    """List everything that was done in a game, the oldest act first.

    The times the GM looked at secrets are left out, except with --looks,
    --act reveal, or --json.
    """
    if step and turn:
        raise click.UsageError("--step and --turn do not go together; a step is in one turn")
    office = setting.office
    with office.reading() as books:
        found_game = find_game(books, game)
        looks = looks or as_json
        entries = find_history(
            books, found_game.id, step=step, turn=turn, acts=acts, looks=looks, last=last
        )
    if as_json:
        print_document(entries)
        return
    zone = str(found_game.settings.get("zone", "UTC"))
    for entry in entries:
        at = text_layout.format_instant(entry["at"], zone)
        by = "server" if entry["by"] == "house" else entry["by"]
        head = f"{entry['number']:>4}  {at}  {by:<6}  {entry['act']:<9}  "
        print_data(text_layout.wrap(entry["text"], head, width=find_line_width()))
    if not entries:
        print_note(f"{found_game.id}: its history has no such entries.")
