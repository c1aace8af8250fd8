"""The state document of the rulebook, read and written."""

from collections import Counter
from typing import Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat, to_stored
from adjudicator.core.state_reader import StateReader, list_values, match_keys
from adjudicator.core.tabletop import complete_deck, count_remaining
from adjudicator.rules.jump_drive.position.components import Components, DeckCard
from adjudicator.rules.jump_drive.position.powers import MovesTo, SecondWorld
from adjudicator.rules.jump_drive.position.state import State, Table, list_seats, read_options


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """Load the state that a document describes; raises Impossible."""
    values = match_keys(document, State)
    seats = list_seats(values.get("seats", ()))
    names = {"seat": seats, "card": (*components.cards,), "card of the deck": (*components.deck,)}
    options = read_options(values.pop("options", {}), seats, components, "options")
    state = StateReader(names).read(State, {"dealer": seats[-1], "deck": (), **values})
    _check_placed(state.table, components)
    had_team = {*state.table.surveyed} | {
        seat for seat, empire in state.table.empires.items() if components.team in empire
    }
    deck = state.deck if "deck" in values else None
    return replace(
        state,
        table=replace(
            state.table,
            options=options,
            surveyed=tuple(seat for seat in seats if seat in had_team),
            asked=_list_asked(state, components),
        ),
        hands={seat: tuple(sorted(hand)) for seat, hand in state.hands.items()},
        deck=complete_deck("deck", deck, _count_rest(state, components), dice, "deck"),
        discard=tuple(sorted(state.discard)),
    )


def _count_rest(state: State, components: Components) -> Counter[DeckCard]:
    """Count the cards that the document names nowhere; raises Impossible if it names too many."""
    team, box = components.team, components.deck
    places = [("deck", state.deck), ("discard", state.discard)]
    places += [(f"hands.{seat}", hand) for seat, hand in state.hands.items()]
    for seat, empire in state.table.empires.items():
        if empire.count(team) > 1:
            raise Impossible(f"empires.{seat}", "there is one survey team for each player (JD-8)")
        places.append((f"empires.{seat}", tuple(card for card in empire if card != team)))
    return count_remaining(
        box,
        places,
        lambda card: (
            f"there are only {box[card]} copies of {card}; "
            "to move one, take it away where it lies, in a hand, the deck or the pile"
        ),
    )


def _check_placed(table: Table, components: Components) -> None:
    """Check that what was placed lies in the empire or may have left it (JD-12, JD-22)."""
    for seat, placement in table.placed.items():
        for key in ("development", "world", "second"):
            card = getattr(placement, key)
            if card is None or card in table.empires[seat]:
                continue
            if not any(
                isinstance(power, MovesTo)
                or (isinstance(power, SecondWorld) and power.discard_self)
                for power in components.cards[card].powers
            ):
                path = f"placed.{seat}.{key}"
                raise Impossible(path, f"{card} does not lie in {seat}'s empire")


def _list_asked(state: State, components: Components) -> tuple[Seat, ...]:
    """List the seats that owe something; in the steps explore and trim the position says it."""
    table, seats = state.table, state.table.seats
    for seat, cards in state.drawn.items():
        if Counter(cards) - Counter(state.hands[seat]):
            raise Impossible(f"drawn.{seat}", "what was drawn is in the hand, too")
    if table.step == "explore":
        return tuple(seat for seat in seats if seat in state.drawn)
    if table.step == "trim":
        limit = components.constants.limit
        return tuple(seat for seat in seats if len(state.hands[seat]) > limit)
    if table.step == "second" and not table.asked and table.over is None:
        raise Impossible("asked", "name who is asked for a second world")
    for number, seat in enumerate(table.asked, 1):
        if seat not in table.placed:
            raise Impossible(f"asked[{number}]", f"{seat} has placed no first world (JD-21)")
    return tuple(seat for seat in seats if seat in table.asked)


def dump(state: State) -> dict[str, Any]:
    """Write the state document; what only some steps have is left out of the others."""
    values: dict[str, Any] = to_stored(list_values(state))
    absent = {key for key in ("placed", "trims", "drawn", "over") if not values[key]}
    absent |= {key for key in ("open_discards",) if values[key] is None}
    if state.table.step != "second":
        absent.add("asked")
    return {key: value for key, value in values.items() if key not in absent}
