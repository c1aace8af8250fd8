"""Looking at games: games, show, orders, history."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click

from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import game_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option, reveal_option
from adjudicator.cli.output import data, document, say, table
from adjudicator.cli.wiring import Office
from adjudicator.desk.errors import Refused
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Game, Status


def _seen(office: Office, game: str, what: str) -> None:
    """Write down that the GM looked at secrets, before they are shown."""
    from adjudicator.desk import look

    with office.acting() as books:
        look.reveal(books, game, what, at=office.at)


@click.command(epilog=example("adjudicator games", "adjudicator games --json"))
@json_option
@home_option
@click.pass_obj
def games(setting: Setting, as_json: bool) -> None:  # noqa: FBT001
    """List all games and where they stand."""
    from adjudicator.desk import look

    office = setting.office
    found: tuple[Any, ...] = ()
    if not office.empty:
        with office.reading() as books:
            found = tuple(look.games(books, office.library))
    if as_json:
        document(found)
    elif not found:
        say(f"No games in {office.home.path} yet. Make one: adjudicator new")
    else:
        columns = ("game", "kind", "status", "step", "deadline", "waits for")
        data(table(columns, map(_line, found)))


def _line(game: Any) -> tuple[str, ...]:
    from adjudicator.cli.shown import waits

    deadline = game["deadline"]
    return (
        game["id"],
        game["kind"],
        str(game["status"]),
        game["step"] or "-",
        deadline["text"] if deadline else "-",
        waits(game),
    )


@click.command(epilog=example("adjudicator show ember", "adjudicator show ember --reveal"))
@game_argument
@reveal_option
@json_option
@home_option
@click.pass_obj
def show(setting: Setting, game: str, reveal: bool, as_json: bool) -> None:  # noqa: FBT001
    """Show one game: what everybody may know, who owes what, the deadline."""
    from adjudicator.cli import shown
    from adjudicator.desk import look

    office = setting.office
    with office.reading() as books:
        game = game_of(books, game).id
    if reveal:
        _seen(office, game, "the whole position")
    with office.reading() as books:
        facts = look.show(books, office.library, game, reveal=reveal)
        position = shown.position(office, books, game)
    if as_json:
        document(facts)
    else:
        data(shown.game(facts, position))


@click.command(epilog=example("adjudicator orders ember", "adjudicator orders ember --step 3"))
@game_argument
@click.option("--step", help="Another step than the open one.")
@reveal_option
@json_option
@home_option
@click.pass_obj
def orders(
    setting: Setting,
    game: str,
    step: str | None,
    reveal: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Show who is in and why not; with --reveal what they ordered."""
    from adjudicator.cli import shown
    from adjudicator.desk import look

    office = setting.office
    with office.reading() as books:
        found = game_of(books, game)
        name = step_of(books, found, step) if step else _open_step(books, found)
    if reveal:
        _seen(office, found.id, f"the orders of {name}")
    with office.reading() as books:
        facts = look.orders(books, office.library, found.id, step=name, reveal=reveal)
    if not reveal:
        facts = {**facts, "seats": [_undigested(seat) for seat in facts["seats"]]}
    if as_json:
        document(facts)
    else:
        data(shown.orders(facts, reveal=reveal))


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
def history(setting: Setting, game: str, as_json: bool) -> None:  # noqa: FBT001
    """Tell everything that was done in a game, the oldest first."""
    from adjudicator.desk import history as past
    from adjudicator.desk.deadlines import local_text

    office = setting.office
    with office.reading() as books:
        found_game = game_of(books, game)
        found = past.history(books, found_game.id)
    if as_json:
        document(found)
        return
    zone = str(found_game.settings.get("zone", "UTC"))
    for entry in found:
        at = local_text(datetime.fromisoformat(entry["at"]), zone)
        data(f"{at}  {entry['by']:<5}  {entry['act']:<9}  {entry['text']}")
