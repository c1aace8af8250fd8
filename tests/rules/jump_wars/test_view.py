"""What a player may see, and nothing of what the others hold."""

import pytest

from adjudicator.core.document import encode
from adjudicator.rules.jump_wars.position.state import Table
from tests.rules.jump_wars.games import GAME, given, new

ONE = """
turn: 3
hands: {red: [attack], blue: [cloaking, jump], green: []}
deck: [trade, defense]
standing: {blue: {reveal: pass}}
"""
OTHER = """
turn: 3
hands: {red: [attack], blue: [trade, research], green: []}
deck: [jump, attack]
"""


@pytest.mark.parametrize("seat", ["red", "green", None])
def test_other_hands_and_the_order_of_the_deck_are_hidden(seat):
    one, other = (GAME.view(given(text), seat) for text in (ONE, OTHER))
    assert encode(one) == encode(other)


def test_what_a_seat_sees_of_the_hands():
    view = GAME.view(given(ONE), "blue")
    assert view.hand == ("jump", "cloaking")
    assert view.hand_sizes == {"red": 1, "blue": 2, "green": 0}
    assert (view.deck_size, view.standing) == (2, {"reveal": "pass"})
    assert GAME.view(given(ONE), "red").standing == {}


def test_revealed_orders_are_public_and_the_rest_of_a_form_is_not():
    kept = "step: reveal\nwritten: {red: [A1-B1 x1]}\nkept: {red: {fight: {targets: [blue]}}}"
    state = given(kept)
    assert GAME.view(state, "blue").kept is None
    assert GAME.view(state, "red").kept == state.kept["red"]
    assert GAME.view(state, None).table.written == state.table.written


def test_every_public_fact_is_shown():
    """A fact added to the table must be named in the view, or be left out there on purpose."""
    table = new(3).table
    shown = GAME.view(new(3), None).table
    for fact in Table.__struct_fields__:
        assert getattr(shown, fact) == getattr(table, fact)
