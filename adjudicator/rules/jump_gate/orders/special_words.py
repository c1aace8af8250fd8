"""Special actions in plain words: `use n43 to take my marker off the black hole` (JGA-9)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.names import fold
from adjudicator.rules.jump_gate.phases.specials import BLACK_HOLE, JUMP_GATE
from adjudicator.rules.jump_gate.position.components import Card, Components
from adjudicator.rules.jump_gate.position.state import View

_PURPOSES: Final[Mapping[str, str]] = {
    "backroom-deal": r"deal",
    "hotshot-pilot": r"pilot",
    "inside-info": r"inside|fill|new cards|draw",
    "jump-paradox": r"paradox|(?:swap|change|exchange|trade) (?:places?|positions?)",
    "long-range-scan": r"long[- ]range|scan",
    "lost-records": r"records|remov\w+|\boff\b|away|erase|delete",
    "wormhole": r"worm[- ]?hole",
}
"""By what else than its card a special action is known."""
_USE: Final = re.compile(r"\b(?:use|using|play|playing)\b", re.IGNORECASE)
_OWN: Final = re.compile(r"\b(?:my|mine|own)\b", re.IGNORECASE)
_BOARDS: Final = {"black hole": BLACK_HOLE, "jump gate": JUMP_GATE}


class _Named(Struct, frozen=True, kw_only=True):
    """What a sentence names."""

    card: Card
    others: Sequence[Card]
    places: Sequence[str]
    players: Sequence[Seat]
    kinds: Sequence[str]


def guess_special(
    view: View, seat: Seat, text: str, components: Components
) -> dict[str, Any] | None:
    """Guess the special action that a sentence means; None if it means none, or no single one."""
    words = re.findall(r"[\w'!-]+", text)
    hand = [one for one in view.hand if any(_is_number(word, one) for word in words)]
    specials = {card: components.cards[card].special for card in hand or view.hand}
    purposes = [name for name in _PURPOSES if _knows(name, text)]
    is_used = bool(hand and _USE.search(text)) and not purposes
    matching = [
        (card, name) for card, name in specials.items() if name and (is_used or name in purposes)
    ]
    if len(matching) != 1:
        return None
    ((card, name),) = matching
    plain = text.casefold().replace("-", " ")
    places = [one for one in view.table.ring if fold(one) in map(fold, words)]
    places += [board for phrase, board in _BOARDS.items() if phrase in plain]
    players = [one for one in view.table.seats if {one, f"{one}'s"} & set(map(str.casefold, words))]
    kinds = {fold(one): one for one in components.resource_cards}
    names = _Named(
        card=card,
        others=[one for one in hand if one != card],
        places=places,
        players=players or ([seat] if BLACK_HOLE in places or _OWN.search(text) else []),
        kinds=[kinds[fold(word)] for word in words if fold(word) in kinds],
    )
    targets = _find_targets(name, names, view)
    return None if targets is None else {"do": "special", "card": card, **targets}


def _is_number(word: str, card: Card) -> bool:
    number = re.fullmatch(r"n?0*(\d+)", word, re.IGNORECASE)
    return number is not None and int(number[1]) == int(re.sub(r"\D", "", card))


def _knows(name: str, text: str) -> bool:
    return bool(re.search(_PURPOSES[name], text, re.IGNORECASE))


def _find_targets(name: str, names: _Named, view: View) -> dict[str, Any] | None:
    """Find what the special action needs; None where it is not named, or something else is."""
    planets = [one for one in names.places if one in view.table.ring]
    match name:
        case "lost-records" if len(names.places) == len(names.players) == 1:
            return {"remove": {"from": names.places[0], "player": names.players[0]}}
        case "wormhole" if len(planets) == 1:
            return {"to": planets[0]}
        case "jump-paradox" if len(names.players) == 1:
            return {"player": names.players[0]}
        case "inside-info":
            return {}
        case "long-range-scan" | "backroom-deal" if len(planets) <= 1:
            at = {"at": planets[0]} if planets else {}
            take = {"take": list(names.kinds)} if names.kinds and name == "backroom-deal" else {}
            return {**at, **take}
        case "hotshot-pilot" if len(names.others) == 1:
            take = {"take": list(names.kinds)} if names.kinds else {}
            return {"cards": list(names.others), **take}
    return None
