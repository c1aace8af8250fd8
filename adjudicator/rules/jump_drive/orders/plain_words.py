"""Discards and placements in plain words, which need the hand to be understood.

`keep the two cheapest`, or `Gem World as my world and Space Marines too, paying with the moles`.
"""

import re
from collections.abc import Sequence
from typing import Final

from adjudicator.core.document import Document
from adjudicator.core.names import find_by_words, fold, match_exactly
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.phases.valuation import choose_least_valuable
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.state import View

_STEPS: Final = ("opening", "explore", "trim")
_KEEP: Final = re.compile(
    r"(?:keep|hold|hold on to|i want(?: to keep)?)(?: only| just)? (?P<cards>.+?)(?: only)?"
    r"(?:,? (?:and )?(?:discard|throw away|drop|lose) (?:all )?(?:rest|others?|everything else))?",
    re.IGNORECASE,
)
_RANKED: Final = re.compile(
    r"(?:(?P<number>\d+) )?(?P<rank>cheapest|most expensive|dearest|costliest|highest|lowest)"
    r"(?: (?:ones?|cards?|\d+))?",
    re.IGNORECASE,
)
_DISCARD: Final = re.compile(
    r"(?:discard|throw away|lose|drop|get rid of|(?:don'?t|do not) (?:want|need|like))"
    r" (?P<cards>.+)",
    re.IGNORECASE,
)
_PAYING: Final = re.compile(
    r"[\s,]*(?:\b(?:and )?(?:paying|pay|paid|discarding|discard)(?: for (?:it|them|both|that))?"
    r"(?: (?:with|by))?|\b(?:for(?! (?:an? |new )*(?:world|dev))|with|using)) ",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"^(?:(?:place|play|build|settle|put|develop|conquer|take|add|use|world|development|dev|an?|as|"
    r"just|only|the|my|for|also|both|is|be|will be)\b[\s:]*(?!$))+",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"(?: (?:down|too|as well|please|first|this (?:round|turn)))+$"
    r"|(?:,? (?:as|for|is|to be|will be))?(?: (?:an?|new|next))* (?:world|development|dev)$",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r"(?:(?:all|every)(?: (?:of )?(?:the|my))?|the|my)?"
    r"\s*(?:others?|rest|remaining|everything else)(?: (?P<number>\d+))?"
    r"(?: (?:of )?(?:the |my )?(?:cards?|ones?|hand))*"
    r"(?:,? (?:but|except|save|apart from)(?: for)? (?:the |my )?(?P<but>.+))?",
    re.IGNORECASE,
)
"""All cards of the hand but those that are placed, or spared."""
_NUMBERED: Final = re.compile(r"(?P<number>both|all|\d+) (?P<cards>.+)", re.IGNORECASE)
_PLURAL: Final = re.compile(r"ies\b", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|\+)\s+", re.IGNORECASE)


def guess_orders(view: View, text: str, components: Components) -> Document | None:
    """Guess which cards a sentence names, where with this hand it can mean one thing."""
    if view.table.step == "place":
        return _guess_placing(view, text, components) or _scan_placing(view, text, components)
    if view.table.step not in _STEPS or not view.owed:
        return None
    kept, gone = _KEEP.fullmatch(text), _DISCARD.fullmatch(text)
    if kept is not None:
        cards = _find_kept(view, kept["cards"], components)
        rest = remove_cards(view.hand, cards or ())
        if not cards or len(rest) < view.owed:
            return None
        empire = view.table.empires[view.seat or ""]
        return {"discard": list(choose_least_valuable(rest, view.owed, empire, components))}
    ranked = _rank(view.hand, gone["cards"] if gone else text, components)
    named = ranked or (_find_named(view.hand, gone["cards"]) if gone else None)
    if named is None and not _KEEPS.search(text):
        named = _spot_cards(view.hand, text)
    return {"discard": list(named)} if named and len(named) == view.owed else None


def _guess_placing(view: View, text: str, components: Components) -> Document | None:
    """Guess what is placed where a sentence is made of names, and of cards that pay."""
    placed, *paying = _PAYING.split(text.strip(), maxsplit=1)
    team = () if view.seat in view.table.surveyed else (components.team,)
    found: dict[str, Name | list[Name]] = {}
    for part in _BETWEEN.split(placed):
        name = _find_one(part, (*view.hand, *team))
        kind = components.cards[name].kind if name else ""
        if name is None or kind in found:
            return None
        found[kind] = name
    if paying:
        rest = _OTHERS.fullmatch(paying[0])
        spared = _find_named(view.hand, rest["but"]) if rest and rest["but"] else ()
        if rest is not None and spared is None:
            return None
        gone = (*(one for key, one in found.items() if isinstance(one, str)), *(spared or ()))
        others = remove_cards(view.hand, [one for one in gone if one in view.hand])
        pay = others if rest else _find_named(view.hand, paying[0])
        if not pay or (rest and rest["number"] not in (None, str(len(others)))):
            return None
        found["pay"] = list(pay)
    return found


_UNSURE: Final = re.compile(
    r"\b(?:not|never|no|keep|or|if|unless|instead|later|next (?:round|turn))\b|n't\b|\?",
    re.IGNORECASE,
)
_KEEPS: Final = re.compile(r"\b(?:not|no|keep|want|like|or|if|unless|instead)\b|\?", re.IGNORECASE)
_ROLES: Final = re.compile(
    r"\b(?:(?P<pay>(?:pay(?:ing|ment)?|paid|discard(?:ing)?|throw(?:ing)? away|spend(?:ing)?"
    r"|cost(?:s|ing)?|giv(?:e|ing) up|with|using|(?<!go )for(?! free| nothing))\b)"
    r"|(?P<place>place|play|build|settle|put|develop|conquer|take|add|lay)"
    r"|(?P<use>use)\b(?=(?P<pays>.*?\b(?:to pay|as payment|for (?:it|them|that|payment)))?))",
    re.IGNORECASE,
)
_FILLING: Final = re.compile(
    r"\bfor (?:free|nothing)\b|\b(?:the|my|our|an?|cards?|it|them|that|this|both|down|out|as|to|"
    r"too|also|first|then|next|please|"
    r"now|round|turn|just|only|would|like|i(?:'d|'ll|'m)?|we(?:'d|'ll)?|want|will|is|be|by|of|from|"
    r"hand|in|on|pay|payment|go|for|going|gonna|let(?:'s| me)?|so|again|here)\b",
    re.IGNORECASE,
)
_KINDS: Final = re.compile(r"\b(?:worlds?|dev(?:elopment)?s?)\b", re.IGNORECASE)
_JOINTS: Final = re.compile(r"[,;.:!]|\b(?:and|plus|then)\b|[&+]", re.IGNORECASE)


def _spot_cards(hand: Sequence[Name], text: str) -> Sequence[Name]:
    """Spot the cards that a sentence names among any other words, each by as much as is said."""
    words = re.findall(r"[\w'-]+", _FILLING.sub(" ", text))
    found: list[Name] = []
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            cards = find_by_words(" ".join(words[at : at + length]), dict.fromkeys(hand))
            if len(cards) == 1 and (length > 1 or len(words[at]) >= _TELLING):
                found.append(cards[0])
                at += length - 1
                break
        at += 1
    return found


_LONGEST: Final = 4
_TELLING: Final = 4
"""Letters of a word that names a card by itself."""


def _scan_placing(view: View, text: str, components: Components) -> Document | None:
    """Guess what is placed, and what pays, from the cards that a sentence names and its verbs."""
    if _UNSURE.search(text):
        return None
    team = () if view.seat in view.table.surveyed else (components.team,)
    found: dict[str, Name | list[Name]] = {}
    role, at = "place", 0
    for marker in [*_ROLES.finditer(text), None]:
        for part in _JOINTS.split(text[at : marker.start() if marker else len(text)]):
            cards = _find_filled(part, (*view.hand, *(team if role == "place" else ())))
            if cards is None:
                return None
            for name in cards:
                kind = "pay" if role == "pay" else components.cards[name].kind
                if kind in found and kind != "pay":
                    return None
                found[kind] = [*found.get(kind, ()), name] if kind == "pay" else name
        if marker:
            role = "pay" if marker["pay"] or marker["pays"] else "place"
            at = marker.end()
    return found if found.keys() - {"pay"} else None


def _find_filled(text: str, cards: Sequence[Name]) -> Sequence[Name] | None:
    """Find the cards that a part of a sentence names; none in one of filling words alone."""
    bare = " ".join(_FILLING.sub(" ", text).split())
    for said in dict.fromkeys([bare, _KINDS.sub("", bare).strip()]):
        if not said:
            return []
        named = _find_named(cards, said)
        if named is not None and len(named) == 1:
            return named
    return None


def _find_one(text: str, cards: Sequence[Name]) -> Name | None:
    """Find the card that a part of a sentence names, with or without the words around it."""
    said = [text.strip(), _BEFORE.sub("", text.strip())]
    said += [_BEHIND.sub("", said[1]), _BEHIND.sub("", _BEHIND.sub("", said[1]))]
    for one in said:  # the fewest words left out: Mining World is a name
        named = match_exactly(one, cards)
        found = [named] if named else find_by_words(one, dict.fromkeys(cards))
        if len(found) == 1:
            return found[0]
    return None


def _find_kept(view: View, text: str, components: Components) -> Sequence[Name] | None:
    """Find the cards that stay: of those drawn, where as many are named as are kept of them."""
    ranked = _RANKED.fullmatch(text)
    if ranked is None:
        return _find_named(view.hand, text)
    number = int(ranked["number"] or 1)
    if view.drawn and number == len(view.drawn) - view.owed:
        others = remove_cards(view.hand, view.drawn)
        return (*others, *(_rank(view.drawn, text, components) or ()))
    return _rank(view.hand, text, components) if number == len(view.hand) - view.owed else None


def _rank(cards: Sequence[Name], text: str, components: Components) -> Sequence[Name] | None:
    """Choose the cheapest cards, or the dearest; a military world costs what it takes."""
    ranked = _RANKED.fullmatch(text)
    if ranked is None:
        return None
    is_cheap = ranked["rank"].casefold() in ("cheapest", "lowest")
    by_price = sorted(cards, key=lambda name: _find_price(name, components), reverse=not is_cheap)
    return by_price[: int(ranked["number"] or 1)]


def _find_price(name: Name, components: Components) -> int:
    card = components.cards[name]
    return card.cost if card.defense is None else card.defense


def _find_named(hand: Sequence[Name], text: str) -> Sequence[Name] | None:
    """Find the cards of the hand that are named, by their words: the moles, both convoys."""
    found: list[Name] = []
    for part in _BETWEEN.split(text.strip()):
        said = _NUMBERED.fullmatch(part)
        words = _PLURAL.sub("y", said["cards"] if said else part)
        name = match_exactly(words, hand)
        cards = [name] if name else find_by_words(words, dict.fromkeys(hand))
        several = [one for one in hand if one in cards]
        is_plural = len(cards) == 1 and fold(words) == f"{fold(cards[0])}s"
        if not cards or (len(cards) > 1 and said is None):
            return None
        if said and said["number"].isdigit() and len(several) < int(said["number"]):
            return None
        number = int(said["number"]) if said and said["number"].isdigit() else len(several)
        found += several[:number] if said or is_plural else cards
    return found
