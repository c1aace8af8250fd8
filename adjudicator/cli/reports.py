"""Reports as they went out: report."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import game_of, seat_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document
from adjudicator.core.document import Document

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office


@click.command(
    epilog=example("adjudicator report ember", "adjudicator report ember --seat red --step 3-plan")
)
@game_argument
@click.option("--seat", help="A seat's own report; that you looked is noted in the history.")
@click.option("--step", help="Another step than the latest.")
@click.option("--pictures", metavar="DIR", help="Also write its pictures there, as SVG and PNG.")
@json_option
@home_option
@click.pass_obj
def report(
    setting: Setting,
    game: str,
    seat: str | None,
    step: str | None,
    pictures: str | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Show the report that a seat got; without --seat what everybody may read."""
    from adjudicator.desk import look

    office = setting.office
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


def _draw(office: "Office", paper: Document, kind: str, where: Path) -> None:
    from adjudicator.adapters.paint import png
    from adjudicator.adapters.pictures import drawings

    where.mkdir(parents=True, exist_ok=True)
    for one in drawings(office.printer, paper, office.library.kind(kind).game):
        (where / f"{one.name}.svg").write_text(one.svg, encoding="utf-8")
        (where / f"{one.name}.png").write_bytes(png(one.svg))
