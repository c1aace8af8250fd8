"""Plain words that need the ring and the hand: `fly clockwise`, `claim it with 8 and 45`."""

import re
from collections.abc import Mapping
from typing import Any, Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.names import find_by_words, fold
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.state import View, find_neighbours

_FLY: Final = re.compile(
    r"(?:fly|move|go|travel)(?: (?:on|1|one))?(?: (?:planet|step|space))?(?: to)?"
    r"(?: (?:(?P<on>next(?: planet)?|on|onwards?|forwards?|clockwise)"
    r"|(?P<back>previous(?: planet)?|back|backwards?|(?:counter|anti)-?\s?clockwise)))",
    re.IGNORECASE,
)


_VERBS: Final = {
    "jump": r"jump(?:ing)?(?! gate)|warp|teleport",
    "fly": r"fly(?:ing)?|move|go|travel|head",
    "scan": r"scan(?:ning)?|explore|look at|turn up",
    "land": r"land(?:ing)?|claim(?:ing)?|settle|conquer",
    "harvest": r"harvest(?:ing)?",
    "research": r"research(?:ing)?|refill|redraw|draw(?= (?:\w+ )?cards?\b| up\b|$)",
    "take": r"take|taking|collect(?:ing)?|grab(?:bing)?|get|pick(?:ing)? up",
    "mark": r"mark(?:ing)?|reserve",
}
_VERB: Final = re.compile(
    r"\b(?:" + "|".join(f"(?P<{name}>(?:{words}))" for name, words in _VERBS.items()) + r")\b",
    re.IGNORECASE,
)
_TAKES: Final = {"scan": "mark", "mark": "mark", "land": "take", "harvest": "take"}
_FILLING: Final = re.compile(
    r"an?|the|my|our|its?|this|that|then|and|also|please|with|using|use|by|cards?|discard(?:ing)?|"
    r"planet|to|at|on|in|from|of|for|t?here|i(?:'ll|'d)?|we|will|would|like|want|first|second|next|"
    r"after(?:wards)?|actions?|or|else|otherwise|over|new|hand|up|ship|one|resources?|away|swap|both|"
    r"throw(?:ing)?|drop|instead|is|replace|play|if|possible|best|now|just|do(?:ing)?|let|me",
    re.IGNORECASE,
)
_UNSURE: Final = re.compile(r"\b(?:not|never|no|unless|instead of|don'?t|maybe|keep)\b|\?")


def guess_orders(view: View, seat: Seat, text: str, components: Components) -> Document | None:
    """Guess the actions that a sentence means; clockwise is on (JG-1)."""
    said, at = _FLY.fullmatch(text), view.table.ships[seat].at
    if view.table.step != "turn":
        return None
    if said is None or at is None:
        return _scan_actions(view, text, components)
    before, behind = find_neighbours(view.table.ring, at)
    return {"actions": [{"do": "fly", "to": behind if said["on"] else before}]}


def _scan_actions(view: View, text: str, components: Components) -> Document | None:
    """Guess actions from verbs and the names behind them; None where other words are left."""
    verbs = list(_VERB.finditer(text))
    if not verbs or _UNSURE.search(text.casefold()):
        return None
    ends = [*(one.start() for one in verbs[1:]), len(text)]
    actions: list[dict[str, Any]] = []
    if _sort_words(view, text[: verbs[0].start()], components) != {}:
        return None
    for verb, end in zip(verbs, ends, strict=True):
        named = _sort_words(view, text[verb.end() : end], components)
        if named is None or not _add_action(actions, str(verb.lastgroup), named):
            return None
    return {"actions": actions} if actions else None


def _add_action(actions: list[dict[str, Any]], verb: str, named: Mapping[str, list[str]]) -> bool:
    """Add what a verb and the names behind it say; False where they do not go together."""
    planets, cards, kinds = (named.get(key, []) for key in ("planet", "card", "kind"))
    if verb in ("take", "mark"):
        if not kinds or planets or (not actions and verb == "mark"):
            return False
        last = actions[-1] if actions else {}
        if _TAKES.get(str(last.get("do"))) is not None and not _wants(last):
            last[_TAKES[last["do"]]] = kinds
            return not cards
        verb = "harvest"
    if verb in ("fly", "jump"):
        if len(planets) != 1 or len(cards) > 1 or kinds:
            return False
        does = "jump" if cards else verb
        actions.append({"do": does, "to": planets[0], **({"card": cards[0]} if cards else {})})
        return True
    if len(planets) > 1 or (planets and verb == "research") or (kinds and verb == "research"):
        return False
    most = {"scan": 1, "harvest": 1, "land": 3}.get(verb, len(cards))
    key = {"land": "cards", "research": "discard"}.get(verb)
    listed = {key: cards} if key else {"card": next(iter(cards), "")}
    wanted = {_TAKES[verb]: kinds} if kinds else {}
    actions.append({"do": verb, **(listed if cards else {}), **wanted})
    return len(cards) <= most


def _wants(action: Mapping[str, Any]) -> bool:
    return _TAKES[action["do"]] in action


def _sort_words(view: View, text: str, components: Components) -> dict[str, list[str]] | None:
    """Sort the names among words into planets, cards and kinds; None where others are left."""
    found: dict[str, list[str]] = {}
    hand = {re.sub(r"\D", "", one): one for one in view.hand}
    kinds = components.resource_cards
    for word in re.findall(r"[\w'!-]+", text):
        number = re.fullmatch(r"n?0*(\d+)", word, re.IGNORECASE)
        card = hand.get(f"{int(number[1]):02}") if number else None
        planets = [one for one in view.table.ring if fold(one) == fold(word)]
        planets = planets or (find_by_words(word, view.table.ring) if len(word) >= _LONG else [])
        kind = next((one for one in kinds if fold(one) == fold(word)), None)
        if card:
            found.setdefault("card", []).append(card)
        elif kind:
            found.setdefault("kind", []).append(kind)
        elif len(planets) == 1:
            found.setdefault("planet", []).append(planets[0])
        elif not _FILLING.fullmatch(word):
            return None
    return {key: list(dict.fromkeys(names)) for key, names in found.items()}


_LONG: Final = 4
