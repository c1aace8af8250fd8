"""Reports as they went out: report."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.completing import complete_games
from adjudicator.cli.naming import game_of, kind_of, seat_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document
from adjudicator.core.document import Document

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office


@click.command(
    epilog=example(
        "adjudicator report ember",
        "adjudicator report ember --seat red --step 3-plan",
        "adjudicator report --fields jump-wars",
    )
)
@click.argument("game", metavar="GAME|KIND", shell_complete=complete_games)
@click.option("--seat", help="A seat's own report; that you looked is noted in the history.")
@click.option("--step", help="Another step than the latest.")
@click.option("--pictures", metavar="DIR", help="Also write its pictures there, as SVG and PNG.")
@click.option("--fields", is_flag=True, help="Explain what stands in the reports of a KIND.")
@json_option
@home_option
@click.pass_obj
def report(
    setting: Setting,
    game: str,
    seat: str | None,
    step: str | None,
    pictures: str | None,
    fields: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Show the report that a seat got; without --seat what everybody may read.

    A report is a document first: --json prints it, and --fields explains all
    that stands in it, or with --json gives its JSON Schema.
    """
    from adjudicator.desk import look

    office = setting.office
    if fields:
        _explain(office, game, as_json=as_json)
        return
    with office.reading() as books:
        found = game_of(books, game)
        who = seat_of(found, seat) if seat else None
        name = step_of(books, found, step) if step else None
        paper = look.report(books, found.id, seat=who, step=name)
    if who:
        with office.acting() as books:
            look.reveal(books, found.id, f"report {paper['number']} of {who}", at=office.at)
    if pictures:
        _draw(office, paper, found.kind, Path(pictures))
    if as_json:
        document(paper)
    else:
        data(office.printed("report.txt", paper, found.kind))


def _explain(office: "Office", text: str, *, as_json: bool) -> None:
    from adjudicator.adapters.fieldtext import field_text
    from adjudicator.core.fields import whole

    frame = office.library.common("report").schema
    own = office.library.kind(_kind(office, text)).reported()
    if as_json:
        document(whole(frame, own))
    else:
        data(field_text(frame, own))


def _kind(office: "Office", text: str) -> str:
    """The kind that is named, or that of the game that is."""
    if not office.empty:
        with office.reading() as books:
            for game in books.games():
                if game.id == text:
                    return game.kind
    return kind_of(office.library, text).kind


def _draw(office: "Office", paper: Document, kind: str, where: Path) -> None:
    from adjudicator.adapters.paint import png
    from adjudicator.adapters.pictures import drawings

    where.mkdir(parents=True, exist_ok=True)
    for one in drawings(office.printer, paper, office.library.kind(kind).game):
        (where / f"{one.name}.svg").write_text(one.svg, encoding="utf-8")
        (where / f"{one.name}.png").write_bytes(png(one.svg))
