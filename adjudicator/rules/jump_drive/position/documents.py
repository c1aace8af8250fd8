"""The state document of the rulebook, read and written."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat, to_stored
from adjudicator.core.game import Over
from adjudicator.core.state_reader import StateReader, fill, match_keys
from adjudicator.core.tabletop import count_remaining
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.powers import MovesTo, SecondWorld
from adjudicator.rules.jump_drive.position.state import (
    Placed,
    State,
    Step,
    Table,
    list_seats,
    read_options,
)

DeckCard = Annotated[str, "card of the deck"]
"""Not a survey team: those lie in the centre."""


class StateDocument(Struct, frozen=True, kw_only=True):
    """The state document; Table and State say what the keys mean."""

    options: Any = {}
    seats: Any = ()
    round: Annotated[int, Meta(ge=1)] = 1
    step: Step = "place"
    dealer: Seat | None = None
    hands: Mapping[Seat, tuple[DeckCard, ...]] = {}
    empires: Mapping[Seat, tuple[Name, ...]] = {}
    surveyed: tuple[Seat, ...] = ()
    vp: Mapping[Seat, int] = {}
    explores: Mapping[Seat, int] = {}
    deck: tuple[DeckCard, ...] | None = None
    discard: tuple[DeckCard, ...] = ()
    idle: int = 0
    placed: Mapping[Seat, Placed] = {}
    asked: tuple[Seat, ...] = ()
    trims: Mapping[Seat, tuple[DeckCard, ...]] = {}
    drawn: Mapping[Seat, tuple[DeckCard, ...]] = {}
    over: Over | None = None


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """The state that a document describes; raises Impossible."""
    written = match_keys(document, StateDocument)
    seats = list_seats(written.get("seats", ()))
    names = {"seat": seats, "card": (*components.cards,), "card of the deck": (*components.deck,)}
    given = StateReader(names).read(StateDocument, written)
    empires = fill(seats, given.empires, ())
    table = Table(
        options=read_options(given.options, seats, components, "options"),
        seats=seats,
        round=given.round,
        step=given.step,
        dealer=given.dealer or seats[-1],
        empires=empires,
        surveyed=tuple(
            seat for seat in seats if seat in given.surveyed or components.team in empires[seat]
        ),
        vp=fill(seats, given.vp, 0),
        explores=fill(seats, given.explores, 0),
        idle=given.idle,
        placed=given.placed,
        asked=_list_asked(given, seats, components),
        over=given.over,
    )
    _check_placed(given, components)
    return State(
        table=table,
        hands={seat: tuple(sorted(given.hands.get(seat, ()))) for seat in seats},
        deck=_find_deck(given, components, dice),
        discard=tuple(sorted(given.discard)),
        trims=given.trims,
        drawn=given.drawn,
    )


def _find_deck(given: StateDocument, components: Components, dice: Dice | None) -> tuple[Name, ...]:
    """The deck as given, else all cards not named elsewhere, shuffled."""
    team, box = components.team, components.deck
    places = [("deck", given.deck or ()), ("discard", given.discard)]
    places += [(f"hands.{seat}", hand) for seat, hand in given.hands.items()]
    for seat, empire in given.empires.items():
        if empire.count(team) > 1:
            raise Impossible(f"empires.{seat}", "there is one survey team for each player (JD-8)")
        places.append((f"empires.{seat}", tuple(card for card in empire if card != team)))
    left = count_remaining(
        box,
        places,
        lambda card: (
            f"there are only {box[card]} copies of {card}; "
            "to move one, take it away where it lies, in a hand, the deck or the pile"
        ),
    )
    if given.deck is not None:
        return given.deck
    if dice is None:
        raise Impossible("deck", "is missing")
    return dice.draw("deck").shuffled(sorted(left.elements()))


def _check_placed(given: StateDocument, components: Components) -> None:
    """What was placed lies in the empire, or may have left it in that round (JD-12, JD-22)."""
    for seat, placed in given.placed.items():
        for key in ("development", "world", "second"):
            card = getattr(placed, key)
            if card is None or card in given.empires.get(seat, ()):
                continue
            if not any(
                isinstance(power, MovesTo)
                or (isinstance(power, SecondWorld) and power.discard_self)
                for power in components.cards[card].powers
            ):
                path = f"placed.{seat}.{key}"
                raise Impossible(path, f"{card} does not lie in {seat}'s empire")


def _list_asked(
    given: StateDocument, seats: tuple[Seat, ...], components: Components
) -> tuple[Seat, ...]:
    """Who owes something; in the steps explore and trim the position says it."""
    for seat, cards in given.drawn.items():
        if Counter(cards) - Counter(given.hands.get(seat, ())):
            raise Impossible(f"drawn.{seat}", "what was drawn is in the hand, too")
    if given.step == "explore":
        return tuple(seat for seat in seats if seat in given.drawn)
    if given.step == "trim":
        limit = components.constants.limit
        return tuple(seat for seat in seats if len(given.hands.get(seat, ())) > limit)
    if given.step == "second" and not given.asked and given.over is None:
        raise Impossible("asked", "name who is asked for a second world")
    for number, seat in enumerate(given.asked, 1):
        if seat not in given.placed:
            raise Impossible(f"asked[{number}]", f"{seat} has placed no first world (JD-21)")
    return tuple(seat for seat in seats if seat in given.asked)


def dump(state: State) -> dict[str, Any]:
    """The state document; what only some steps have is left out of the others."""
    table = state.table
    made: dict[str, Any] = {**to_stored(table), **to_stored(state)}
    sometimes = {"placed", "trims", "drawn", "over"}
    empty = {key for key in sometimes if not made[key]}
    asked = {"asked"} if table.step != "second" else set()
    return {key: value for key, value in made.items() if key not in {"table", *empty, *asked}}
