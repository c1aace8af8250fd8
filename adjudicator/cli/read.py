"""Letters to the desk without a daemon: read."""

from os import fstat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document, say

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office
    from adjudicator.desk.house import House
    from adjudicator.desk.ports import Books


@click.command(
    epilog=example("adjudicator read reply.eml", "adjudicator read --dry-run Maildir/new/*")
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.eml...", type=click.Path())
@click.option(
    "--config",
    metavar="FILE",
    help="The daemon's settings, for the house's addresses. [ADJUDICATOR_CONFIG, "
    "else ./adjudicator.yaml if it is there]",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would come of them.")
@json_option
@home_option
@click.pass_context
def read(
    context: click.Context,
    files: tuple[str, ...],
    config: str | None,
    dry_run: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Give letters to the desk as the daemon would, one after the other.

    Each does what it asks for if its key is good, and its answer is queued. A
    letter that was read before does nothing twice. They count as arrived now.
    """
    setting: Setting = context.obj
    office = setting.office
    house = _house(config)
    told: list[dict[str, Any]] = []
    if dry_run:
        with office.acting(dry_run=True) as books:
            told += [_read(office, books, house, file) for file in files]
    for file in files if not dry_run else ():
        with office.acting() as books:
            told.append(_read(office, books, house, file))
    if as_json:
        document(told)
    for one in told if not as_json else []:
        data(_words(one))
    if dry_run:
        say("Nothing was changed: this was a dry run.")
    if any(one["outcome"] == "unread" for one in told):
        context.exit(1)


def _house(config: str | None) -> "House":
    """As the settings say; where there are none nobody but the players gets letters."""
    from adjudicator.adapters.settings import chosen, read_settings
    from adjudicator.desk.house import House

    file = chosen(config)
    if config is None and not file.exists():
        return House()
    return read_settings(file).house


def _read(office: "Office", books: "Books", house: "House", file: str) -> dict[str, Any]:
    from adjudicator.adapters.letter import MOST
    from adjudicator.adapters.letter import read as opened
    from adjudicator.desk.receive import receive

    try:
        with Path(file).open("rb") as stream:
            content = stream.read(MOST + 1)
            size = fstat(stream.fileno()).st_size
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        return _facts(file, "unread", reason)
    received = receive(
        books,
        office.library,
        opened(content, size),
        house=house,
        secret=office.home.secret(),
        arrived=office.at,
        at=office.at,
    )
    return _facts(
        file,
        received.outcome,
        received.reason,
        game=received.game,
        seat=received.seat,
        answer=received.answer,
    )


def _facts(
    file: str,
    outcome: str,
    reason: str,
    *,
    game: str | None = None,
    seat: str | None = None,
    answer: str | None = None,
) -> dict[str, Any]:
    return {
        "file": file,
        "outcome": outcome,
        "reason": reason,
        "game": game,
        "seat": seat,
        "answer": answer,
    }


def _words(one: dict[str, Any]) -> str:
    whose = " ".join(part for part in (one["game"], one["seat"]) if part)
    said = f"{one['outcome']} ({one['reason']})" if one["reason"] else one["outcome"]
    return f"{one['file']}: {whose}{': ' if whose else ''}{said}"
