"""Texts that players and GMs look up: rules, form, guide, luck."""

import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from textwrap import indent

import click

from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.adapters.games.library import BESIDE, FolderKind, FolderLibrary
from adjudicator.adapters.render.explanations import format_form
from adjudicator.adapters.render.text_layout import wrap
from adjudicator.cli.terminal.arguments import (
    GUIDES,
    complete_explained,
    complete_forms,
    complete_guides,
    complete_kinds_and_rules,
    complete_rule_numbers,
    complete_seats,
    find_kind,
    find_name,
    suggest_name,
)
from adjudicator.cli.terminal.options import Setting, command, format_example, json_option
from adjudicator.cli.terminal.output import print_data, print_document
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import make_luck_sheet
from adjudicator.core.forms.explanation import explain_form
from adjudicator.core.forms.order_form import Form
from adjudicator.core.names import fold, match
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.questions.answer_parts import OF_A_GAME

_MARKUP = re.compile(r"\*\*(.+?)\*\*")
_SCENARIO = "scenario"
_FORMS_OF_ALL_KINDS = {"settings": ("settings", "adjudicator"), _SCENARIO: (_SCENARIO,)}
"""What `form` explains besides the forms of a kind, with the schemas' names."""


@click.command(
    epilog=format_example(
        "adjudicator rules jump-wars", "adjudicator rules JW-30", "adjudicator rules jump-wars ally"
    )
)
@click.argument("kind", required=False, shell_complete=complete_kinds_and_rules)
@click.argument("words", nargs=-1, metavar="[NUMBER|WORD]...", shell_complete=complete_rule_numbers)
@json_option
@click.pass_obj
def rules_command(
    setting: Setting, kind: str | None, words: tuple[str, ...], as_json: bool
) -> None:
    """Show the rules of KIND: all, those of a NUMBER (JW-30, or just 30), or
    those that contain a WORD.

    `rules JW-30` needs no KIND. Without arguments it lists the kinds of games.
    """
    library = setting.office.library
    if kind is None:
        _print_kinds(library, as_json=as_json)
        return
    if match(kind, library.kinds()) is None and (bearer := _find_kind_of_rule(library, kind)):
        kind, words = bearer, (kind, *words)
    found_kind = find_kind(library, kind)
    book = found_kind.rulebook
    numbers = [number for word in words for number in _find_rules(book, word, found_kind.title)]
    numbers = list(dict.fromkeys(numbers)) if words else list(book)
    if as_json:
        print_document({number: book[number] for number in numbers})
        return
    for place, number in enumerate(numbers):
        if place:
            print_data("")
        print_data(wrap(_MARKUP.sub(r"\1", book[number]), f"{number:<8}", 8))


def _print_kinds(library: Library, *, as_json: bool) -> None:
    kinds = [library.kind(kind) for kind in library.kinds()]
    if as_json:
        players = {one.kind: [one.smallest, one.largest] for one in kinds}
        print_document({k.kind: {"title": k.title, "players": players[k.kind]} for k in kinds})
        return
    for one in kinds:
        print_data(f"{one.kind:<16} {one.title}, {one.smallest} to {one.largest} players")


def _find_kind_of_rule(library: FolderLibrary, text: str) -> str | None:
    """Find the first kind whose rulebook has a rule with this full number."""
    for kind in library.kinds():
        if fold(text) in map(fold, library.rulebook(kind)):
            return kind
    return None


def _find_rules(book: Mapping[str, str], text: str, title: str) -> list[str]:
    """Find the rule of this number, or all rules that contain this word."""
    folded_text = fold(text)
    for number in book:
        if folded_text in (fold(number), fold(number.rpartition("-")[2])):
            return [number]
    holding = [number for number, rule in book.items() if text.casefold() in rule.casefold()]
    if holding:
        return holding
    numbers = list(book)
    hint = suggest_name(text, numbers) or f" The numbers run from {numbers[0]} to {numbers[-1]}."
    raise Unknown(f'{title} has no rule "{text}", and none contains it.{hint}')


@command(
    "adjudicator form ember",
    "adjudicator form jump-wars jump",
    "adjudicator form jump-wars options",
    "adjudicator form settings",
    "adjudicator form scenario jump-wars",
    "adjudicator form ember --seat red --page red.html",
)
@click.argument("game", metavar="GAME|KIND|settings|scenario", shell_complete=complete_explained)
@click.argument("step", required=False, shell_complete=complete_forms)
@click.option("--page", metavar="FILE", help="Write a page on which --seat chooses its orders.")
@click.option("--seat", shell_complete=complete_seats, help="Whose page it is.")
def form_command(
    setting: Setting,
    game: str,
    step: str | None,
    page: str | None,
    seat: str | None,
    as_json: bool,
) -> None:
    """Explain an order form: what you can write, what it does, and an example.

    Without STEP: the form that is due in GAME, or all forms of KIND. STEP can
    also be `options`, the choices that a kind of game offers, or `envelope`,
    the lines around all orders. `adjudicator form settings` explains all
    settings of games and of the daemon. `adjudicator form scenario KIND`
    explains the files that `adjudicator scenario` runs, with one of this kind
    to start from.

    --page writes a file that opens in any browser and needs no server: on it the player of --seat
    chooses orders for GAME and sends them as a letter. It holds the key of the seat, so give it
    to that player alone. That you looked is noted in the history.
    """
    if page is not None or seat is not None:
        if step is not None:
            raise Refused(f"--page is for the form that is due; leave out {step}")
        _write_page(setting.office, game, seat, page)
        return
    if game == _SCENARIO and step is not None:
        _explain_scenario(setting.office.library, step, as_json=as_json)
        return
    explained = [explain_form(form) for form in _choose_forms(setting.office, game, step)]
    if as_json:
        print_document(explained[0] if step or len(explained) == 1 else explained)
    else:
        print_data("\n\n\n".join(format_form(one) for one in explained))


def _write_page(office: Office, game: str, seat: str | None, page: str | None) -> None:
    """Write the page on which a seat's orders are chosen, with everything that it needs."""
    from adjudicator.cli.outgoing import write_order_page

    if seat is None or page is None:
        raise Refused("--page FILE and --seat SEAT belong together")
    write_order_page(office, game, seat, Path(page))


def _explain_scenario(library: FolderLibrary, text: str, *, as_json: bool) -> None:
    """Explain the format of scenarios, with an example of this kind as it is in its file."""
    name = find_kind(library, text).kind
    explanation, path = explain_form(library.common(_SCENARIO)), library.kind(name).scenario()
    if as_json:
        print_document({**explanation, "example": read_yaml_file(path) if path else None})
        return
    print_data(format_form(explanation))
    if path is not None:
        example = path.read_text(encoding="utf-8").rstrip()
        print_data(f"\nFor example:\n\n{indent(example, '  ')}")


def _choose_forms(office: Office, text: str, step: str | None) -> list[Form]:
    library = office.library
    if step is None and text in _FORMS_OF_ALL_KINDS:
        return [library.common(name) for name in _FORMS_OF_ALL_KINDS[text]]
    ids: list[str] = []
    if not office.empty:
        with office.reading() as books:
            ids = [game.id for game in books.games()]
            if text in ids:
                return [_find_form_of_game(library, books, text, step)]
    kind = match(text, library.kinds())
    if kind is None:
        kinds = library.kinds()
        hint = suggest_name(text, [*ids, *kinds]) or f" The kinds are {', '.join(kinds)}."
        raise Unknown(f'there is no game and no kind of game "{text}".{hint}')
    found_kind = library.kind(kind)
    return (
        [_find_form(found_kind, step, kind)]
        if step
        else [found_kind.form(name) for name in found_kind.forms()]
    )


def _find_form_of_game(library: FolderLibrary, books: Books, name: str, step: str | None) -> Form:
    game = books.game(name)
    kind = library.kind(game.kind)
    if step:
        form = find_step(books, name, step).phase if re.search(r"\d", step) else step
    elif game.open_step is None:
        raise Refused(f"{name}: no step is open; name a form: {', '.join(kind.forms())}")
    else:
        form = books.step(name, game.open_step).phase
    return _find_form(kind, form, name)


def _find_form(kind: FolderKind, text: str, owner: str) -> Form:
    names = [*kind.forms(), *BESIDE]
    name = find_name(text.rpartition("-")[2], names, f"{owner} has no form", "Its forms are")
    return kind.form(name)


@click.command(
    epilog=format_example(
        "adjudicator guide jump-wars", "adjudicator guide gm", "adjudicator guide trust"
    )
)
@click.argument(
    "reader",
    default="player",
    metavar="[player|gm|trust|KIND]",
    shell_complete=complete_guides,
)
@click.pass_obj
def guide_command(setting: Setting, reader: str) -> None:
    """Show what a player or the GM can write and do, as `ask: help` mails it.

    With a KIND of game, the player's guide includes a turn of that game as an example. `guide
    trust` says what players must trust, and how they check the rest.
    """
    library = setting.office.library
    readers = (*GUIDES, *library.kinds())
    name, facts = find_name(reader, readers, "there is no guide for", "There are guides for"), {}
    if name not in GUIDES:
        kind, name = library.kind(name), "player"
        facts = {key: kind.guide.get(key) for key in OF_A_GAME}
    print_data(setting.office.printer.text(f"guide-{name}.txt", facts).rstrip())


@click.command(epilog=format_example("adjudicator luck --words 60"))
@click.option("--words", type=click.IntRange(2, 10_000), default=200, help="How many words.")
def luck_command(words: int) -> None:
    """Print a sheet of luck words, for a game with the setting luck: each-turn.

    Join with the first word, send the next one with each set of orders, and show nobody the rest.
    Each word is the SHA-256 of the next one, so a word that you have sent commits you to the next.
    """
    print_data("\n".join(make_luck_sheet(secrets.token_hex(32), words)))
