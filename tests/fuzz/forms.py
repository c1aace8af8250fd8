"""The forms: whatever is sent for orders, what goes on file is clean, and can be checked."""

import random
from functools import cache
from typing import Any

from adjudicator.adapters.archive.sheets import format_sheet
from adjudicator.adapters.games.library import FolderKind, FolderLibrary
from adjudicator.adapters.yaml.reader import Unreadable, parse_yaml
from adjudicator.core.document import Document, encode
from adjudicator.core.finding import Grade
from adjudicator.core.forms.order_form import explain_missing
from adjudicator.core.forms.orders_as_text import describe_entry, spell_orders
from adjudicator.core.forms.reading import Reading, Text, find_fallen
from adjudicator.library.game import GameState, load_kind
from tests.fuzz.damage import hurt_often, hurt_tree
from tests.fuzz.texts import PIECES, read_examples

_LIBRARY = FolderLibrary()
_KINDS = tuple(_LIBRARY.kinds())
_STEPS = 12


@cache
def _positions(kind: str) -> tuple[GameState, ...]:
    """The first steps of a game of random legal orders."""
    game = load_kind(kind, _LIBRARY).new(seed=7)
    found: list[GameState] = []
    while not game.over and len(found) < _STEPS:
        found.append(game)
        game = game.advance({seat: game.legal(seat, len(found)) for seat in game.due})
    return tuple(found)


def try_form(luck: random.Random) -> None:
    """Legal orders with something wrong, as a tree or as a text, in a game that waits for them."""
    game = luck.choice(_positions(luck.choice(_KINDS)))
    seat = luck.choice(list(game.due))
    form = game.due[seat].form
    source = game.kind.source
    tree = game.legal(seat, luck.randrange(1_000))
    for _ in range(luck.choice((1, 1, 2, 5))):
        tree = hurt_tree(tree, luck)
    text = Text(value=tree) if luck.random() < 0.5 else _write_and_hurt(tree, luck)
    if text is None:
        return
    reading = source.read(form, text, game.seats)
    _check(source, form, reading, game.seats)
    if reading.orders is not None:
        told = source.rules.check(game._view(seat), seat, reading.orders)
        assert all(one.message and one.rule for one in told)
        game.advance({seat: reading.orders})
    around = source.read("envelope", text, game.seats)
    assert around.orders is not None or around.findings


def _write_and_hurt(tree: Document, luck: random.Random) -> Text | None:
    """The orders as a player writes them, with slips of the pen; None if they cannot be read."""
    written = format_sheet(tree).decode()
    try:
        return parse_yaml(hurt_often(written, read_examples(), PIECES, luck))
    except Unreadable:
        return None


def _check(source: FolderKind, form: str, reading: Reading, seats: tuple[str, ...]) -> None:
    if reading.orders is None:
        assert {finding.grade for finding in reading.findings} == {Grade.UNREADABLE}
        return
    encode(reading.orders)
    again = source.read(form, Text(value=reading.orders), seats)
    assert (again.orders, again.findings) == (reading.orders, ())
    for finding in reading.findings:
        assert finding.grade is Grade.REFUSED
        assert finding.rule
        assert finding.entry
        assert finding.path[: len(finding.entry)] == finding.entry
    _check_words(source, form, reading.orders, seats)


def _check_words(source: FolderKind, form: str, orders: Document, seats: tuple[str, ...]) -> None:
    """Orders on file can be told, and are the same when they come back as we spell them."""
    spelled = spell_orders(source.form(form), orders)
    text = parse_yaml(format_sheet(spelled).decode())
    assert source.read(form, text, seats).orders == orders
    explain_missing(source.form(form), orders)
    for path, value in _entries(orders):
        assert isinstance(describe_entry(source.form(form), path, value), str)
        find_fallen(source.form(form).root, orders, [path])


def _entries(orders: Document) -> list[tuple[tuple[str | int, ...], Any]]:
    found: list[tuple[tuple[str | int, ...], Any]] = []
    for key, value in orders.items():
        found.append(((key,), value))
        if isinstance(value, list):
            found += [((key, number), one) for number, one in enumerate(value)]
    return found
