"""Everything that a form takes, for a page on which its reader chooses instead of writing.

What is listed is never refused, and whatever else the page could offer always would be.
"""

from collections.abc import Iterator, Sequence

from adjudicator.core.document import Document
from adjudicator.rules.jump_drive.orders.check import (
    find_holdings,
    list_choices,
    list_second_worlds,
)
from adjudicator.rules.jump_drive.phases.costs import Placement, make_placement
from adjudicator.rules.jump_drive.phases.placing import add_first_world
from adjudicator.rules.jump_drive.phases.turn import list_seats_owing
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.order_forms import Placing, write_form
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import View
from adjudicator.rules.jump_drive.telling.card_words import describe_effect, describe_kind


def list_form_choices(view: View, components: Components) -> Document:
    """List the reader's cards, and every way to place some or how many to discard."""
    table, seat = view.table, view.seat
    if seat is None or table.over is not None or seat not in list_seats_owing(table):
        return {}
    common = {"seats": list(table.empires), "hand": list(view.hand)}
    if table.step not in ("place", "second"):
        return {**common, "cards": _describe_cards(view.hand, components), "discard": view.owed}
    own = find_holdings(view)
    if table.step == "place":
        plays = list(list_choices(own, components))
    else:
        first = add_first_world(own, table.placed[seat])
        plays = list(list_second_worlds(make_placement(first, Placing(), components)))
    names = (*view.hand, *(name for play in plays for name in _list_named(play)))
    cards = _describe_cards(names, components)
    return {**common, "cards": cards, "plays": [_describe_play(one) for one in plays]}


def _describe_cards(names: Sequence[Name], components: Components) -> Document:
    by_name = {name: components.cards[name] for name in names}
    return {
        name: {
            "name": card.name,
            "kind": describe_kind(card),
            "does": describe_effect(card, components),
        }
        for name, card in by_name.items()
    }


def _list_named(play: Placement) -> Iterator[Name]:
    yield from (name for name, _, _ in play.entries)
    if play.convoy is not None:
        yield play.convoy.slug


def _describe_play(play: Placement) -> Document:
    """Describe a way to place: the form without payments, and what it costs."""
    costs, form = play.costs, play.form
    if not play.places_first:
        assert form.second is not None, "the step `second` places nothing else"
        return {"form": write_form(form.second), "later": costs.second}
    asks = play.world is not None and form.second is None
    waits = asks and any(card.list_powers(SecondWorld) for card in play.developed_empire)
    return {
        "form": write_form(form),
        "cost": costs.development + costs.world,
        **({"later": costs.second} if form.second else {}),
        **({"ask": True} if waits else {}),
    }
