"""The rules as text: rules."""

import re
from collections.abc import Mapping

import click

from adjudicator.cli.naming import did_you_mean, kind_of
from adjudicator.cli.options import Setting, example, json_option
from adjudicator.cli.output import data, document
from adjudicator.core.names import fold
from adjudicator.desk.errors import Unknown
from adjudicator.desk.ports import Library


@click.command(
    epilog=example(
        "adjudicator rules", "adjudicator rules jump-wars", "adjudicator rules jump-wars JW-30"
    )
)
@click.argument("kind", required=False)
@click.argument("numbers", nargs=-1, metavar="[NUMBER]...")
@json_option
@click.pass_obj
def rules(setting: Setting, kind: str | None, numbers: tuple[str, ...], as_json: bool) -> None:  # noqa: FBT001
    """Show the rules of KIND, or those of a NUMBER: JW-30, or just 30.

    Without KIND it lists the kinds of games that there are.
    """
    if kind is None:
        _kinds(setting.office.library, as_json=as_json)
        return
    found = kind_of(setting.office.library, kind)
    book = found.rulebook
    chosen = [_number(book, number, found.title) for number in numbers] or list(book)
    if as_json:
        document({number: book[number] for number in chosen})
        return
    for place, number in enumerate(chosen):
        if place:
            data("")
        data(_printed(number, book[number]))


def _kinds(library: Library, *, as_json: bool) -> None:
    found = [library.kind(kind) for kind in library.kinds()]
    if as_json:
        document(
            {
                one.kind: {"title": one.title, "players": [one.smallest, one.largest]}
                for one in found
            }
        )
        return
    for one in found:
        data(f"{one.kind:<16} {one.title}, {one.smallest} to {one.largest} players")


def _number(book: Mapping[str, str], text: str, title: str) -> str:
    wanted = fold(text)
    for number in book:
        if wanted in (fold(number), fold(number.rpartition("-")[2])):
            return number
    numbers = list(book)
    hint = did_you_mean(text, numbers) or f" They run from {numbers[0]} to {numbers[-1]}."
    raise Unknown(f'{title} has no rule "{text}".{hint}')


_MARKUP = re.compile(r"\*\*(.+?)\*\*")


def _printed(number: str, text: str) -> str:
    from adjudicator.adapters.layout import wrapped

    words = _MARKUP.sub(r"\1", text)
    return wrapped(words, f"{number:<8}", 8)
