"""The position in which the first orders are owed (JW-3 to JW-8)."""

from collections.abc import Sequence

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_wars.phases import homeworlds, turn
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.options import list_seats, read_options
from adjudicator.rules.jump_wars.position.state import Player, State, Table

CHOOSE = "choose"


def setup(given: Document, seats: Sequence[Seat], dice: Dice, components: Components) -> State:
    """A new game: with homeworlds to be chosen, or with the first cards drawn."""
    seats = list_seats(seats)
    options = read_options(given, seats, components)
    choosing = options.homeworlds == CHOOSE
    table = Table(
        options=options,
        seats=seats,
        start_player=options.start_player or dice.draw("start player").choice(seats),
        step="homeworlds",
        homes={} if choosing else homeworlds.place_homeworlds(options, seats, dice, components),
        players={seat: _player(components) for seat in seats},
    )
    if not choosing:
        table, _deals = homeworlds.populate(table, dice, components)
    state = State(table=table, hands=dict.fromkeys(seats, ()), deck=_deck(components, dice))
    return state if choosing else turn.begin_first_turn(state, dice, components)[0]


def _player(components: Components) -> Player:
    return Player(levels=dict.fromkeys(components.technologies, components.start.level))


def _deck(components: Components, dice: Dice) -> tuple[str, ...]:
    cards = [card for card, copies in components.cards.items() for _ in range(copies)]
    return dice.draw("deck").shuffled(cards)
