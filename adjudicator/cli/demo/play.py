"""A whole game between bots: play."""

import secrets
import tempfile
import time
from typing import Any

import click

from adjudicator.cli.terminal.arguments import complete_kinds, find_kind
from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.model.errors import Refused


@click.command(
    epilog=example(
        "adjudicator play jump-wars --bots",
        "adjudicator play jump-wars --bots 5 --option grid=hex --option turn_limit=30 --keep duel",
    )
)
@click.argument("kind", shell_complete=complete_kinds)
@click.option(
    "--bots",
    type=int,
    is_flag=False,
    flag_value=-1,
    metavar="[N]",
    help="How many; by default the smallest number in the rulebook.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rules, listed by `adjudicator form KIND options`.",
)
@click.option("--seed", type=int, help="The same dice every time; for tests.")
@click.option("--keep", metavar="GAME", help="Keep the game in the home under this name.")
@json_option
@home_option
@click.pass_obj
def play_command(
    setting: Setting,
    kind: str,
    bots: int | None,
    options: tuple[str, ...],
    seed: int | None,
    keep: str | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Let bots play a whole game of KIND and show how it went."""
    from adjudicator.cli.acts.new_game import read_options

    found = find_kind(setting.office.library, kind)
    if bots is None:
        raise click.UsageError("only bots can play here: add --bots, or make a game: new")
    number = found.book[0] if bots == -1 else bots
    if not found.smallest <= number <= found.largest:
        raise Refused(f"{found.title} is for {found.smallest} to {found.largest}, not {number}")
    wish: dict[str, Any] = {
        "kind": found.kind,
        "seats": dict.fromkeys(found.seats[:number], "bot"),
        "options": read_options(options, "--option"),
        "seed": secrets.token_bytes(32) if seed is None else seed_from_number(seed),
        "verifiable": seed is None,
    }
    if keep:
        told = _play(setting.office, {"game": keep, **wish})
        print_note(f"Kept in the home: adjudicator history {keep}")
    else:
        with tempfile.TemporaryDirectory(prefix="adjudicator-play-") as folder:
            told = _play(Office(folder), {"game": "play", **wish})
    if as_json:
        print_document(told)
    else:
        _print_result(told)


def _play(office: Office, facts: dict[str, Any]) -> dict[str, Any]:
    from adjudicator.cli.demo.self_play import (
        BotGame,
        begin_bot_game,
        find_last_steps,
        find_result,
        play_bot_game,
    )
    from adjudicator.cli.terminal.output import show_progress

    start = time.perf_counter()
    wish = BotGame(**facts)
    try:
        begin_bot_game(office, wish)
        with show_progress(f"{wish.kind}, {len(wish.seats)} bots", None) as progress:
            steps = play_bot_game(office, wish.game, progress)
        end = find_result(office, wish.game)
    finally:
        office.close()
    return {
        "kind": wish.kind,
        "seats": list(wish.seats),
        "steps": len(steps),
        "winners": list(end["winners"]),
        "text": end["text"],
        "told": [
            {"turn": one.turn, "headline": one.report["headline"]} for one in find_last_steps(steps)
        ],
        "milliseconds": round(1000 * (time.perf_counter() - start)),
    }


def _print_result(told: dict[str, Any]) -> None:
    for one in told["told"]:
        alone = one["headline"].lower().startswith(one["turn"])
        print_data(one["headline"] if alone else f"{one['turn'].capitalize()}: {one['headline']}")
    print_data(told["text"])
    print_note(f"{told['steps']} steps in {told['milliseconds'] / 1000:.1f} s.")
