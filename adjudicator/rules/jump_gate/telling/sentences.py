"""Every kind of event as sentences for its reader: one function per kind."""

from collections.abc import Mapping
from typing import Final

from adjudicator.core import events
from adjudicator.core.events import (
    NEGATED,
    Event,
    EventText,
    Facts,
    Reader,
    Teller,
    describe_victory,
    format_count,
    format_list,
)

GATE: Final = "the Jump Gate"
_HOLE: Final = "the Black Hole"


def tell(event: Event, reader: Reader) -> EventText:
    """The event in words."""
    return events.describe_event(event, reader, _TELLERS)


def event_kinds() -> frozenset[str]:
    """The kinds of events that have words of their own."""
    return frozenset(_TELLERS)


def describe_place(planet: str | None) -> str:
    """Where a ship is."""
    return planet or GATE


def _tell_negated(facts: Facts, reader: Reader) -> str:
    why = facts["why"].rstrip(".")
    return f"{reader.begin(facts['seat'])}: {facts['order']} did not happen: {why}."


NOT_TRIED: Final = {
    "stopped": "an action before it was not legal",
    "asked": "a choice came between; it is asked for again",
    "over": "the game was over before it",
}
"""Why what follows in a list was not tried (JG-5, JG-15)."""


def _tell_not_tried(facts: Facts, reader: Reader) -> str:
    why = NOT_TRIED[facts["why"]]
    return f"{reader.begin(facts['seat'])}: {facts['order']} was not tried: {why}."


def _tell_turn(facts: Facts, reader: Reader) -> str:
    return f"Turn {facts['turn']} begins; it is {_possessive(facts, reader)}."


def _tell_turn_ended(facts: Facts, reader: Reader) -> str:
    left = f"; {format_count(facts['left'], 'action')} given up" if facts["left"] else ""
    return f"Turn {facts['turn']}, {_possessive(facts, reader)}, is over{left}."


def _possessive(facts: Facts, reader: Reader) -> str:
    return "yours" if facts["seat"] == reader.seat else f"{facts['seat']}'s"


def _tell_flew(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} flew from {facts['origin']} to {facts['to']}."


def _tell_jumped(facts: Facts, reader: Reader) -> str:
    way = f"from {describe_place(facts['origin'])} to {facts['to']}"
    marker = f", and put a marker on {GATE}" if facts["marker"] else ""
    return f"{reader.begin(facts['seat'])} jumped {way} with {_cards(facts)}{marker}."


def _cards(facts: Facts) -> str:
    return format_list(facts["cards"])


def _with_cards(facts: Facts) -> str:
    return f" with {_cards(facts)}" if facts.get("cards") else ""


def _tell_special(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} played {_cards(facts)} for its {facts['special']}."


def _tell_warped(facts: Facts, reader: Reader) -> str:
    way = f"from {describe_place(facts['origin'])} to {facts['to']}"
    return f"{reader.begin(facts['seat'])} went through a wormhole {way}."


def _tell_swapped(facts: Facts, reader: Reader) -> str:
    one, other = facts["seat"], facts["player"]
    both = f"{reader.begin(one)} and {reader.who(other)} swapped places"
    are = " are" if one == reader.seat else " is"
    return (
        f"{both}: {reader.who(one)}{are} at {describe_place(facts['here'])} now, "
        f"{reader.who(other)} at {describe_place(facts['there'])}."
    )


def _tell_records_lost(facts: Facts, reader: Reader) -> str:
    origin, whose = facts["origin"], reader.whose(facts["player"])
    boards = {"black-hole": f"markers from {_HOLE}", "jump-gate": f"markers from {GATE}"}
    what = boards.get(origin, f"scan markers from {origin}")
    return f"{reader.begin(facts['seat'])} removed one of {whose} {what}."


def _tell_scanned(facts: Facts, reader: Reader) -> str:
    left = (
        f"{format_count(facts['left'], 'card')} still face-down"
        if facts["left"]
        else "the last card"
    )
    scanned = f"{reader.begin(facts['seat'])} scanned {facts['at']}{_with_cards(facts)}"
    return f"{scanned}: {facts['turned']} was turned up, {left}."


def _tell_marked(facts: Facts, reader: Reader) -> str:
    instead = f" instead of {facts['before']}" if facts["before"] else ""
    return f"{reader.begin(facts['seat'])} marked {facts['resource']} at {facts['at']}{instead}."


def _tell_landed(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} landed on {facts['at']}{_with_cards(facts)}."


def _tell_claimed(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} claimed {facts['at']}."


def _tell_turned_up(facts: Facts, _: Reader) -> str:
    if not facts["resources"]:
        return f"Nothing lay face-down at {facts['at']}."
    return f"Turned up at {facts['at']}: {format_list(facts['resources'])}."


def _tell_removed(facts: Facts, _: Reader) -> str:
    cards = format_count(facts["number"], "card")
    return f'{cards} of "nothing" left the game from {facts["at"]}.'


_HOWS: Final = {
    "landing": " for the landing",
    "scan": " for scan markers",
    "mark": ", which was marked",
    "harvest": "",
    "backroom-deal": " by a backroom deal",
}
"""Why a resource was collected."""


def _tell_collected(facts: Facts, reader: Reader) -> str:
    verb = "harvested" if facts["how"] == "harvest" else "collected"
    how = _HOWS[facts["how"]] + (", from below," if facts["face_down"] else "")
    cards = f", discarding {_cards(facts)}" if facts.get("cards") else ""
    what = f"{facts['resource']} at {facts['at']}{how}".rstrip(",")
    return f"{reader.begin(facts['seat'])} {verb} {what}{cards}."


def _tell_left(facts: Facts, reader: Reader) -> str:
    begin = reader.begin(facts["seat"])
    if facts["resource"] is None:
        return f"{begin} took no card at {facts['at']}{_HOWS[facts['how']]}."
    return f"{begin} left the marked {facts['resource']} at {facts['at']}."


def _tell_black_hole(facts: Facts, reader: Reader) -> str:
    begin, own = reader.begin(facts["seat"]), facts["markers"]
    of = "your" if facts["seat"] == reader.seat else "its"
    return f"{begin} put a marker on {_HOLE}: {own} of {of} own, {facts['total']} in all."


def _tell_researched(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} did research, discarding {_cards(facts) or 'nothing'}."


def _tell_drew(facts: Facts, reader: Reader) -> str:
    named = f": {format_list(facts['named'])}" if facts.get("named") else ""
    number = format_count(facts["number"], "card") if facts["number"] else "no cards"
    return f"{reader.begin(facts['seat'])} drew {number}{named}."


def _tell_deck_replaced(facts: Facts, _: Reader) -> str:
    how = "shuffled" if facts["shuffled"] else "turned over"
    pile = f"the discard pile, {format_count(facts['number'], 'card')},"
    return f"The deck was used up: {pile} was {how} to be the new one."


def _tell_returned(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} returned to orbit at {facts['at']}."


def _tell_asked(facts: Facts, reader: Reader) -> str:
    are = "are" if len(facts["seats"]) > 1 or reader.seat in facts["seats"] else "is"
    first, *rest = facts["seats"]
    seats = format_list([reader.begin(first), *map(reader.who, rest)])
    what = "to mark" if facts["what"] == "mark" else "to collect"
    return f"{seats} {are} asked what {what} at {facts['at']}."


def _tell_final_turns(facts: Facts, reader: Reader) -> str:
    seats = ", then ".join(reader.who(seat) for seat in facts["seats"])
    return f"The last planet is claimed. One more turn each: {seats}."


_ENDS: Final = {
    "black-hole": f"too many markers lie on {_HOLE}",
    "all-claimed": "all planets are claimed, and only black hole cards are left to collect",
    "nothing-left": "no resource is left at any planet",
    "final-turns": "everybody has had the final turn",
}
"""Why a game ends (JGA-10, JGB-8)."""


def _tell_ended(facts: Facts, _: Reader) -> str:
    return f"The game ends: {_ENDS[facts['why']]}."


def _tell_lost(facts: Facts, reader: Reader) -> str:
    what = format_list(facts["resources"]) or "nothing, having nothing"
    return f"{reader.begin(facts['seat'])} lost {what}, with most markers on {_HOLE}."


def _tell_hidden_lost(facts: Facts, reader: Reader) -> str:
    cards = format_count(facts["number"], "hidden resource")
    return f"{reader.begin(facts['seat'])} lost {cards}, with most markers on {_HOLE}."


def _tell_hidden_shown(facts: Facts, reader: Reader) -> str:
    cards = format_list(facts["resources"]) or "none"
    return f"{reader.begin_whose(facts['seat'])} hidden resources: {cards}."


PARTS: Final = {
    "claims": "claims",
    "scans": "scan markers",
    "jump_gate": "Jump Gate",
    "gem": "gems",
    "energel": "EnerGel",
    "fame": "fame",
    "water": "water",
    "sand": "sand",
}
"""What scores, in the words of the score sheet."""


def _tell_scored(facts: Facts, reader: Reader) -> str:
    parts = [
        f"{name} {facts['parts'][key]}" for key, name in PARTS.items() if key in facts["parts"]
    ]
    return f"{reader.begin_whose(facts['seat'])} score: {facts['total']} ({', '.join(parts)})."


def _tell_won(facts: Facts, reader: Reader) -> str:
    return describe_victory(facts["winners"], reader)


_TELLERS: Mapping[str, Teller[Reader]] = {
    NEGATED: _tell_negated,
    "not-tried": _tell_not_tried,
    "turn": _tell_turn,
    "turn-ended": _tell_turn_ended,
    "flew": _tell_flew,
    "jumped": _tell_jumped,
    "special": _tell_special,
    "warped": _tell_warped,
    "swapped": _tell_swapped,
    "records-lost": _tell_records_lost,
    "scanned": _tell_scanned,
    "marked": _tell_marked,
    "landed": _tell_landed,
    "claimed": _tell_claimed,
    "turned-up": _tell_turned_up,
    "removed": _tell_removed,
    "collected": _tell_collected,
    "left": _tell_left,
    "black-hole": _tell_black_hole,
    "researched": _tell_researched,
    "drew": _tell_drew,
    "deck-replaced": _tell_deck_replaced,
    "returned": _tell_returned,
    "asked": _tell_asked,
    "final-turns": _tell_final_turns,
    "ended": _tell_ended,
    "lost": _tell_lost,
    "hidden-lost": _tell_hidden_lost,
    "hidden-shown": _tell_hidden_shown,
    "scored": _tell_scored,
    "won": _tell_won,
}
