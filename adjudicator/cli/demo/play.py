"""A whole game between bots: play."""

import secrets
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import click

from adjudicator.cli.terminal.arguments import complete_kinds, find_kind, rules_option
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import (
    print_data,
    print_document,
    print_note,
    show_progress,
)
from adjudicator.cli.wiring import Office, open_own_books
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import Document, decode
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.steps.advance import StepClosing

Progress = Callable[[int, str], None]
"""Called with the number of steps done, and where the game stands."""
_MOST_STEPS = 2000


@command(
    "adjudicator play jump-wars --bots",
    "adjudicator play jump-wars --bots 5 --option grid=hex --option turn_limit=30 --keep duel",
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
@rules_option
@click.option("--seed", type=int, help="The same dice every time; for tests.")
@click.option("--keep", metavar="GAME", help="Keep the game in the home under this name.")
def play_command(
    setting: Setting,
    kind: str,
    bots: int | None,
    options: tuple[str, ...],
    seed: int | None,
    keep: str | None,
    as_json: bool,
) -> None:
    """Let bots play a whole game of KIND and show how it went."""
    from adjudicator.cli.acts.new_game import read_options

    found_kind = find_kind(setting.office.library, kind)
    if bots is None:
        raise click.UsageError("only bots can play here: add --bots, or make a game: new")
    number = found_kind.book[0] if bots == -1 else bots
    if not found_kind.smallest <= number <= found_kind.largest:
        raise Refused(
            f"{found_kind.title} needs {found_kind.smallest} to {found_kind.largest} players, "
            f"not {number}"
        )
    facts: dict[str, Any] = {
        "kind": found_kind.kind,
        "seats": dict.fromkeys(found_kind.seats[:number], "bot"),
        "options": read_options(options, "--option"),
        "seed": secrets.token_bytes(32) if seed is None else seed_from_number(seed),
        "verifiable": seed is None,
    }
    if keep:
        result = _play(setting.office, keep, facts)
        print_note(f"Kept in the home: adjudicator history {keep}")
    else:
        with tempfile.TemporaryDirectory(prefix="adjudicator-play-") as folder:
            result = _play(open_own_books(folder), "play", facts)
    if as_json:
        print_document(result)
    else:
        _print_result(result)


def _play(office: Office, game: str, facts: dict[str, Any]) -> dict[str, Any]:
    from adjudicator.desk.acts.new import create_game

    start = time.perf_counter()
    try:
        with office.making() as books:
            at = datetime.now(UTC)
            create_game(
                books,
                office.library,
                game=game,
                **facts,
                settings={},
                luck={},
                components=None,
                start=True,
                at=at,
            )
        with show_progress(f"{facts['kind']}, {len(facts['seats'])} bots", None) as progress:
            reports = play_bots(office, game, progress)
    finally:
        office.close()
    return {
        "kind": facts["kind"],
        "seats": list(facts["seats"]),
        "steps": len(reports),
        "winners": list(reports[-1]["over"]["winners"]),
        "text": reports[-1]["over"]["text"],
        "told": [
            {"turn": one["turn"], "headline": one["headline"]} for one in find_last_reports(reports)
        ],
        "milliseconds": round(1000 * (time.perf_counter() - start)),
    }


def play_bots(office: Office, game: str, progress: Progress) -> list[Document]:
    """Play a game between bots to its end; returns the public reports of each step."""
    from adjudicator.desk.steps.close import close_step
    from adjudicator.desk.steps.lock import lock_game

    reports: list[Document] = []
    while len(reports) < _MOST_STEPS:
        with office.acting() as books:
            context = lock_game(books, office.library, game, at=datetime.now(UTC))
            closing = close_step(context, now=False)
            reports.append(read_public_report(books, closing))
        progress(len(reports), reports[-1]["turn"])
        if reports[-1]["over"]:
            return reports
    raise Refused(
        f"{game}: no end after {_MOST_STEPS} steps; give it a limit, --option turn_limit=40"
    )


def read_public_report(books: Books, closing: StepClosing) -> Document:
    """Read the public report of a closed step: report/1."""
    papers = books.papers(closing.game.id, closing.step.number)
    report: Document = decode(next(one.document for one in papers if one.seat is None))
    return report


def find_last_reports(reports: Sequence[Document]) -> list[Document]:
    """Find the last report of every turn, with its final outcome."""
    ends = zip(reports, [*reports[1:], {"turn": None}], strict=True)
    return [one for one, after in ends if after["turn"] != one["turn"]]


def _print_result(result: dict[str, Any]) -> None:
    for one in result["told"]:
        alone = one["headline"].lower().startswith(one["turn"])
        print_data(one["headline"] if alone else f"{one['turn'].capitalize()}: {one['headline']}")
    print_data(result["text"])
    print_note(f"{result['steps']} steps in {result['milliseconds'] / 1000:.1f} s.")
