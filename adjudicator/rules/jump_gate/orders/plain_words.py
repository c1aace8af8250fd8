"""Plain words that need the ring and the hand: `fly clockwise`, `claim it with 8 and 45`."""

import re
from collections.abc import Mapping
from typing import Any, Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.names import find_by_words, fold
from adjudicator.rules.jump_gate.orders.prefill import list_kinds
from adjudicator.rules.jump_gate.orders.special_words import guess_special
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.resources import remove_icon
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
    "scan": r"scan(?:ning)?|explore|turn up|look at(?! (?:(?:my|the|some) )?(?:new|cards?|hand))",
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
    r"throw(?:ing)?|drop|instead|is|replace|play|if|possible|best|now|just|do(?:ing)?|let|me|it(?:'s)?|"
    r"each|every|times?|twice|again|any",
    re.IGNORECASE,
)
NEW_CARD: Final = "turned-up"
"""The card that a scan will turn up, as the form words it."""
_AGAIN: Final = re.compile(r"\b(?:or|otherwise|else|if not|both|each|every|twice)\b", re.IGNORECASE)
_NEXT: Final = re.compile(r"\b(?:then|and|also|next|second|after\w*)\b", re.IGNORECASE)
_BOTH: Final = 2
_UNSURE: Final = re.compile(
    r"\b(?:not|never|no|unless|instead of|don'?t|maybe|keep)\b|\?", re.IGNORECASE
)


def guess_orders(view: View, seat: Seat, text: str, components: Components) -> Document | None:
    """Guess the actions that a sentence means; clockwise is on (JG-1)."""
    flight, at = _FLY.fullmatch(text), view.table.ships[seat].at
    if view.table.step != "turn":
        return _guess_new_card(view, text)
    if flight is None or at is None:
        return _scan_actions(view, text, components) or _scan_specials(view, seat, text, components)
    before, behind = find_neighbours(view.table.ring, at)
    return {"actions": [{"do": "fly", "to": behind if flight["on"] else before}]}


def _guess_new_card(view: View, text: str) -> Document | None:
    """Guess that the card that a scan has just turned up is to be marked."""
    awaiting = view.table.awaiting
    if awaiting is None or awaiting.what != "mark" or not _NEW.fullmatch(text):
        return None
    return {"mark": [view.table.planets[awaiting.at].face_up[-1]]}


_NEW: Final = re.compile(
    r"(?:(?:mark|take) )?(?:(?:new|scanned|turned-?up|last)(?: (?:card|one))?"
    r"|(?:card|one|what)(?: that| which)?(?: just| i)*"
    r" (?:came up|was turned up|turned up|scanned|found))",
    re.IGNORECASE,
)


def _scan_actions(view: View, text: str, components: Components) -> Document | None:
    """Guess actions from verbs and the names behind them; None where other words are left."""
    verbs = list(_VERB.finditer(text))
    if not verbs or _UNSURE.search(text):
        return None
    ends = [*(one.start() for one in verbs[1:]), len(text)]
    actions: list[dict[str, Any]] = []
    if _sort_words(view, text[: verbs[0].start()], components) != {}:
        return None
    before = verbs[0].start()
    for verb, end in zip(verbs, ends, strict=True):
        names = _sort_words(view, text[verb.end() : end], components)
        clause = re.split(r"[.;,]", text[before : verb.start()])[-1]
        between = f"{clause}{text[verb.start() : end]}"
        again = bool(_AGAIN.search(between)) or not _NEXT.search(clause)
        before = verb.end()
        if names is None or not _add_action(actions, str(verb.lastgroup), names, again=again):
            return None
    _name_new_cards(view, actions, components)
    return {"actions": actions} if actions else None


def _scan_specials(view: View, seat: Seat, text: str, components: Components) -> Document | None:
    """Guess actions of which one at least is a special action (JGA-9), part by part."""
    actions: list[Any] = []
    for part in [] if components.is_second or _UNSURE.search(text) else _PARTS.split(text):
        special = guess_special(view, seat, part, components)
        orders = {"actions": [special]} if special else _scan_actions(view, part, components)
        if orders is None:
            return None
        actions += orders["actions"]
    return {"actions": actions} if actions else None


_PARTS: Final = re.compile(
    rf"[,;.!]*\s+(?:and\s+)?then\s+|(?:[,;.]\s+|\s+and\s+)(?=(?:{'|'.join(_VERBS.values())})\b)",
    re.IGNORECASE,
)


def _name_new_cards(view: View, actions: list[dict[str, Any]], components: Components) -> None:
    """Name the card that is turned up by the kinds that it can be: those not there come first."""
    at = view.table.ships[view.table.active].at
    for action in actions:
        at = action["to"] if action["do"] in ("fly", "jump") else at
        wishes = action.get("mark", [])
        if NEW_CARD not in wishes or at is None:
            continue
        there = [remove_icon(card) for card in view.table.planets[at].face_up]
        kinds = sorted(list_kinds(components), key=lambda kind: kind in there)
        place = wishes.index(NEW_CARD)
        action["mark"] = list(dict.fromkeys([*wishes[:place], *kinds, *wishes[place + 1 :]]))


def _add_action(
    actions: list[dict[str, Any]], verb: str, names: Mapping[str, list[str]], *, again: bool
) -> bool:
    """Add what a verb and the names behind it say; False where they do not go together.

    `again`: a wish may be a further one for what the last action brings, or one for each scan.
    """
    planets, cards, kinds = (names.get(key, []) for key in ("planet", "card", "kind"))
    if verb in ("take", "mark"):
        if not kinds or planets or (not actions and verb == "mark"):
            return False
        if _add_wish(actions, verb, kinds, again=again):
            return not cards
        if verb == "mark":
            return False
        verb = "harvest"
    if verb in ("fly", "jump"):
        if len(planets) != 1 or len(cards) > 1 or kinds:
            return False
        does = "jump" if cards else verb
        actions.append({"do": does, "to": planets[0], **({"card": cards[0]} if cards else {})})
        return True
    if len(planets) > 1 or (planets and verb == "research") or (kinds and verb == "research"):
        return False
    if verb == "scan" and len(cards) == _BOTH and not kinds:
        actions += [{"do": "scan", "card": card} for card in cards]
        return True
    most = {"scan": 1, "harvest": 1, "land": 3}.get(verb, len(cards))
    key = {"land": "cards", "research": "discard"}.get(verb)
    payment = {key: cards} if key else {"card": next(iter(cards), "")}
    wish = {_TAKES[verb]: kinds} if kinds else {}
    actions.append({"do": verb, **(payment if cards else {}), **wish})
    return len(cards) <= most


def _add_wish(actions: list[dict[str, Any]], verb: str, kinds: list[str], *, again: bool) -> bool:
    """Add what is to be taken or marked to the action that brings it, if one does."""
    last = actions[-1] if actions else {}
    key = _TAKES.get(str(last.get("do")))
    scans = [one for one in actions if one["do"] == "scan"]
    if again and verb == "mark" and len(scans) > 1 and not any(map(_wants, scans)):
        for scan in scans:
            scan["mark"] = [*kinds]
    elif key is None:
        return False
    elif not _wants(last):
        last[key] = kinds
    elif again and last["do"] != "harvest":
        last[key] += [one for one in kinds if one not in last[key]]
    else:
        return verb == "mark" and kinds == [NEW_CARD]
    return True


def _wants(action: Mapping[str, Any]) -> bool:
    return _TAKES[action["do"]] in action


def _sort_words(view: View, text: str, components: Components) -> dict[str, list[str]] | None:
    """Sort the names among words into planets, cards and kinds; None where others are left."""
    sorted_names: dict[str, list[str]] = {}
    hand = {re.sub(r"\D", "", one): one for one in view.hand}
    kinds = components.resource_cards
    for word in re.findall(r"[\w'!-]+", text):
        number = re.fullmatch(r"n?0*(\d+)", word, re.IGNORECASE)
        card = hand.get(f"{int(number[1]):02}") if number else None
        planets = [one for one in view.table.ring if fold(one) == fold(word)]
        planets = planets or (find_by_words(word, view.table.ring) if len(word) >= _LONG else [])
        kind = next((one for one in kinds if fold(one) == fold(word)), None)
        if card:
            sorted_names.setdefault("card", []).append(card)
        elif fold(word) == fold(NEW_CARD):
            sorted_names.setdefault("kind", []).append(NEW_CARD)
        elif kind:
            sorted_names.setdefault("kind", []).append(kind)
        elif len(planets) == 1:
            sorted_names.setdefault("planet", []).append(planets[0])
        elif not _FILLING.fullmatch(word):
            return None
    return {key: list(dict.fromkeys(names)) for key, names in sorted_names.items()}


_LONG: Final = 4
