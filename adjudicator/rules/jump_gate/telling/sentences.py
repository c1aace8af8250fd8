"""Every kind of event as sentences for its reader: one function per kind."""

from collections.abc import Mapping
from typing import Final

from adjudicator.core import events
from adjudicator.core.events import (
    CHOICE_FIRST,
    NEGATED,
    STRUCK,
    Event,
    EventText,
    Facts,
    Reader,
    Teller,
    fill_template,
    format_count,
    format_list,
    tell_by,
    tell_victory,
)
from adjudicator.rules.jump_gate.position.resources import NOTHING

GATE: Final = "the Jump Gate"
WORTHLESS: Final = 'a worthless card ("nothing")'


def tell(event: Event, reader: Reader) -> EventText:
    """Describe the event in words."""
    return events.describe_event(event, reader, TELLERS)


NOT_TRIED: Final = {
    "stopped": "an action before it was not legal",
    CHOICE_FIRST: "a choice came between; it is asked for again",
    "over": "the game was over before it",
}
"""Why what follows in a list was not tried (JG-5, JG-15)."""


def _tell_not_tried(facts: Facts, reader: Reader) -> str:
    why = NOT_TRIED[facts["why"]]
    return f"{reader.begin_with(facts['seat'])}: {facts['order']} was not tried: {why}."


def _tell_turn(facts: Facts, reader: Reader) -> str:
    return f"Turn {facts['turn']} begins; it is {_tell_owner(facts, reader)}."


def _tell_turn_ended(facts: Facts, reader: Reader) -> str:
    remark = f"; {format_count(facts['left'], 'action')} given up" if facts["left"] else ""
    return f"Turn {facts['turn']}, {_tell_owner(facts, reader)}, is over{remark}."


def _tell_owner(facts: Facts, reader: Reader) -> str:
    return "yours" if facts["seat"] == reader.seat else f"{facts['seat']}'s"


def _tell_records_lost(facts: Facts, reader: Reader) -> str:
    origin, owner = facts["origin"], reader.name_owner(facts["player"])
    boards = {"black-hole": "markers from the Black Hole", "jump-gate": f"markers from {GATE}"}
    what = boards.get(origin, f"scan markers from {origin}")
    return f"{reader.begin_with(facts['seat'])} removed one of {owner} {what}."


def _tell_scanned(facts: Facts, reader: Reader) -> str:
    more = f"{format_count(facts['left'], 'card')} still face-down"
    card = WORTHLESS if facts["turned"] == NOTHING else facts["turned"]
    template = ("{seat:Who} scanned {at}", " with {cards:and}", f": {card} was turned up, ")
    return f"{fill_template(template, facts, reader)}{more if facts['left'] else 'the last card'}."


def _tell_turned_up(facts: Facts, reader: Reader) -> str:  # noqa: ARG001
    names = ['"nothing"' if one == NOTHING else one for one in facts["resources"]]
    return f"Turned up at {facts['at']}: {format_list(names)}."


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
    cards = f", discarding {format_list(facts['cards'])}" if facts.get("cards") else ""
    what = f"{facts['resource']} at {facts['at']}{how}".rstrip(",")
    return f"{reader.begin_with(facts['seat'])} {verb} {what}{cards}."


def _tell_asked(facts: Facts, reader: Reader) -> str:
    are = "are" if len(facts["seats"]) > 1 or reader.seat in facts["seats"] else "is"
    first, *rest = facts["seats"]
    seats = format_list([reader.begin_with(first), *map(reader.name_side, rest)])
    return f"{seats} {are} asked what to {facts['what']} at {facts['at']}."


def _tell_final_turns(facts: Facts, reader: Reader) -> str:
    seats = ", then ".join(reader.name_side(seat) for seat in facts["seats"])
    return f"The last planet is claimed. One more turn each: {seats}."


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
    return f"{reader.begin_with_owner(facts['seat'])} score: {facts['total']} ({', '.join(parts)})."


_USED_UP: Final = "The deck was used up: the discard pile, {number:card},"

TELLERS: Mapping[str, Teller[Reader]] = {
    NEGATED: "{seat:Who}: {order} did not happen: {why:clause}.",
    STRUCK: _tell_not_tried,
    "turn": _tell_turn,
    "turn-ended": _tell_turn_ended,
    "flew": "{seat:Who} flew from {origin} to {to}.",
    "jumped": (
        "{seat:Who} jumped from {origin:|the Jump Gate} to {to} with {cards:and}",
        "{marker:if}, and put a marker on the Jump Gate",
        ".",
    ),
    "special": "{seat:Who} played {cards:and} for its {special}.",
    "warped": "{seat:Who} went through a wormhole from {origin:|the Jump Gate} to {to}.",
    "swapped": (
        "{seat:Who} and {player:who} swapped places: {seat:who} {seat:are} at "
        "{here:|the Jump Gate} now, {player:who} at {there:|the Jump Gate}."
    ),
    "records-lost": _tell_records_lost,
    "scanned": _tell_scanned,
    "marked": ("{seat:Who} marked {resource} at {at}", " instead of {before}", "."),
    "landed": ("{seat:Who} landed on {at}", " with {cards:and}", "."),
    "claimed": "{seat:Who} claimed {at}.",
    "turned-up": _tell_turned_up,
    "removed": '{number:card} of "nothing" left the game from {at}.',
    "collected": _tell_collected,
    "left": tell_by(
        "how",
        {
            "mark": "{seat:Who} left the marked {resource} at {at}.",
            "landing": "{seat:Who} took no card at {at} for the landing.",
            "scan": "{seat:Who} took no card at {at} for scan markers.",
        },
    ),
    "black-hole": (
        "{seat:Who} put a marker on the Black Hole: {markers} of {seat:your} own, {total} in all."
    ),
    "researched": "{seat:Who} did research, discarding {cards:and|nothing}.",
    "drew": ("{seat:Who} drew {number:card|no cards}", ": {named:and}", "."),
    "deck-replaced": tell_by(
        "shuffled",
        {
            True: f"{_USED_UP} was shuffled to be the new one.",
            False: f"{_USED_UP} was turned over to be the new one.",
        },
    ),
    "returned": "{seat:Who} returned to orbit at {at}.",
    "asked": _tell_asked,
    "final-turns": _tell_final_turns,
    "ended": tell_by(
        "why",
        {
            "black-hole": "The game ends: too many markers lie on the Black Hole.",
            "all-claimed": (
                "The game ends: all planets are claimed, "
                "and only black hole cards are left to collect."
            ),
            "nothing-left": "The game ends: no resource is left at any planet.",
            "final-turns": "The game ends: everybody has had the final turn.",
        },
    ),
    "lost": (
        "{seat:Who} lost {resources:and|nothing, having nothing}, "
        "with most markers on the Black Hole."
    ),
    "hidden-lost": "{seat:Who} lost {number:hidden resource}, with most markers on the Black Hole.",
    "hidden-shown": "{seat:Whose} hidden resources: {resources:and|none}.",
    "scored": _tell_scored,
    "won": tell_victory,
}
