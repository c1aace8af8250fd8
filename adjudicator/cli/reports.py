"""Reports as they went out: report."""

import click

from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import game_of, seat_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document


@click.command(
    epilog=example("adjudicator report ember", "adjudicator report ember --seat red --step 3-plan")
)
@game_argument
@click.option("--seat", help="A seat's own report; that you looked is noted in the history.")
@click.option("--step", help="Another step than the latest.")
@json_option
@home_option
@click.pass_obj
def report(
    setting: Setting,
    game: str,
    seat: str | None,
    step: str | None,
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
    if as_json:
        document(paper)
    else:
        data(office.printed("report.txt", paper, found.kind))
