"""Measure speed and size: `python -m tests.bench`."""

import tempfile
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.terminal.options import Setting, format_example, home_option, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.core.document import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.bench.measures import Row


@click.command(epilog=format_example("make bench", "make bench-peers"))
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=7,
    show_default=True,
    help="Everything is measured so often; the median counts.",
)
@click.option(
    "--peer",
    type=click.Path(exists=True, dir_okay=False),
    metavar="PYTHON",
    help="A Python that has the package diplomacy.  [.venv/peers, of make bench-peers]",
)
@json_option
@home_option
@click.pass_obj
def bench(setting: Setting, rounds: int, peer: str | None, as_json: bool) -> None:
    """Measure speed and size, beside what this machine can do at best.

    The table goes to standard error, the same rows as JSON to standard
    output, a line for each. Ratios that have a target are told to meet or
    to miss it. The disk that is measured is the home's.
    """
    from adjudicator.cli.terminal.output import show_progress
    from tests.bench.processes import Diplomacy, find
    from tests.bench.table import rows
    from tests.bench.workload import measured

    office = setting.office
    there = office.home.path if office.home.path.is_dir() else None
    python = Path(peer) if peer else find()
    with (
        tempfile.TemporaryDirectory(prefix="adjudicator-bench-", dir=there) as folder,
        closing(Diplomacy(python)) if python else nullcontext() as other,
        show_progress("Measuring", rounds) as progress,
    ):
        found = rows(measured(office.library, Path(folder), other, rounds, progress))
    if as_json:
        print_document([row.document() for row in found])
        return
    print_note(_table(found))
    print_note("")
    if other is None:
        print_note(
            "Not compared with the package diplomacy: it is not installed (make bench-peers)."
        )
    else:
        print_note(f"Compared with diplomacy {other.version}. Medians of {rounds} rounds.")
    for row in found:
        print_data(encode(row.document()).decode())


def _table(found: "Iterable[Row]") -> str:
    from adjudicator.adapters.render.text_layout import lay_out_table

    cells = [(row.name, f"{_digits(row.value)} {row.unit}", _compared(row)) for row in found]
    return lay_out_table(("what", "how much", "compared"), cells, indent=0)


def _compared(row: "Row") -> str:
    if row.ratio is None:
        return ""
    target = f"; {row.target.told(row.ratio)}" if row.target else ""
    return f"{_digits(row.ratio)} x {row.of}{target}"


def _digits(number: float) -> str:
    """Three digits tell enough; whole numbers are told whole."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


if __name__ == "__main__":
    bench(obj=Setting())
