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
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import View

_STEPS: Final = ("opening", "explore", "trim")
_SECOND: Final = re.compile(
    r"second(?: world)?\s*[: ]\s*(?P<world>[^{}]+?)(?:,? (?:by|with|using) (?P<by>[^{}]+))?",
    re.IGNORECASE,
)
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
        if (second := _SECOND.fullmatch(text)) is not None:
            return _guess_second(view, second["world"], second["by"], components)
        return _guess_placing(view, text, components) or _scan_placing(view, text, components)
    if view.table.step not in _STEPS or not view.owed:
        return None
    keep_match, discard_match = _KEEP.fullmatch(text), _DISCARD.fullmatch(text)
    if keep_match is not None:
        cards = _find_kept(view, keep_match["cards"], components)
        rest = remove_cards(view.hand, cards or ())
        if not cards or len(rest) < view.owed:
            return None
        empire = view.table.empires[view.seat or ""]
        return {"discard": list(choose_least_valuable(rest, view.owed, empire, components))}
    by_rank = _rank(view.hand, discard_match["cards"] if discard_match else text, components)
    names = by_rank or (_find_named(view.hand, discard_match["cards"]) if discard_match else None)
    if names is None and not _KEEPS.search(text):
        names = _spot_cards(view.hand, text)
    return {"discard": list(names)} if names and len(names) == view.owed else None


def _guess_second(
    view: View, world: str, by: str | None, components: Components
) -> Document | None:
    """Guess a second world, brought by the convoy that is named, or by the only one there is."""
    empire = view.table.empires[view.seat or ""]
    convoys = [
        card.slug
        for card in components.find_cards(dict.fromkeys((*empire, *view.hand)))
        if card.list_powers(SecondWorld)
    ]
    name = _find_one(world, [one for one in view.hand if one not in convoys])
    convoy = _find_one(by, convoys) if by else convoys[0] if len(convoys) == 1 else None
    return {"second": {"world": name, "by": convoy}} if name and convoy else None


def _guess_placing(view: View, text: str, components: Components) -> Document | None:
    """Guess what is placed where a sentence is made of names, and of cards that pay."""
    placing_text, *paying = _PAYING.split(text.strip(), maxsplit=1)
    team = () if view.seat in view.table.surveyed else (components.team,)
    orders: dict[str, Name | list[Name]] = {}
    for part in _BETWEEN.split(placing_text):
        name = _find_one(part, (*view.hand, *team))
        kind = components.cards[name].kind if name else ""
        if name is None or kind in orders:
            return None
        orders[kind] = name
    if paying:
        rest = _OTHERS.fullmatch(paying[0])
        spared = _find_named(view.hand, rest["but"]) if rest and rest["but"] else ()
        if rest is not None and spared is None:
            return None
        not_paying = (
            *(one for key, one in orders.items() if isinstance(one, str)),
            *(spared or ()),
        )
        others = remove_cards(view.hand, [one for one in not_paying if one in view.hand])
        pay = others if rest else _find_named(view.hand, paying[0])
        if not pay or (rest and rest["number"] not in (None, str(len(others)))):
            return None
        orders["pay"] = list(pay)
    return orders


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
    spotted_cards: list[Name] = []
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            cards = find_by_words(" ".join(words[at : at + length]), dict.fromkeys(hand))
            if len(cards) == 1 and (length > 1 or len(words[at]) >= _TELLING):
                spotted_cards.append(cards[0])
                at += length - 1
                break
        at += 1
    return spotted_cards


_LONGEST: Final = 4
_TELLING: Final = 4
"""Letters of a word that names a card by itself."""


def _scan_placing(view: View, text: str, components: Components) -> Document | None:
    """Guess what is placed, and what pays, from the cards that a sentence names and its verbs."""
    if _UNSURE.search(text):
        return None
    team = () if view.seat in view.table.surveyed else (components.team,)
    orders: dict[str, Name | list[Name]] = {}
    role, at = "place", 0
    for marker in [*_ROLES.finditer(text), None]:
        for part in _JOINTS.split(text[at : marker.start() if marker else len(text)]):
            cards = _find_filled(part, (*view.hand, *(team if role == "place" else ())))
            if cards is None:
                return None
            for name in cards:
                kind = "pay" if role == "pay" else components.cards[name].kind
                if kind in orders and kind != "pay":
                    return None
                orders[kind] = [*orders.get(kind, ()), name] if kind == "pay" else name
        if marker:
            role = "pay" if marker["pay"] or marker["pays"] else "place"
            at = marker.end()
    return orders if orders.keys() - {"pay"} else None


def _find_filled(text: str, cards: Sequence[Name]) -> Sequence[Name] | None:
    """Find the cards that a part of a sentence names; none in one of filling words alone."""
    bare = " ".join(_FILLING.sub(" ", text).split())
    for words in dict.fromkeys([bare, _KINDS.sub("", bare).strip()]):
        if not words:
            return []
        names = _find_named(cards, words)
        if names is not None and len(names) == 1:
            return names
    return None


def _find_one(text: str, cards: Sequence[Name]) -> Name | None:
    """Find the card that a part of a sentence names, with or without the words around it."""
    variants = [text.strip(), _BEFORE.sub("", text.strip())]
    variants += [_BEHIND.sub("", variants[1]), _BEHIND.sub("", _BEHIND.sub("", variants[1]))]
    for one in variants:  # the fewest words left out: Mining World is a name
        name = match_exactly(one, cards)
        names = [name] if name else find_by_words(one, dict.fromkeys(cards))
        if len(names) == 1:
            return names[0]
    return None


def _find_kept(view: View, text: str, components: Components) -> Sequence[Name] | None:
    """Find the cards that stay: of those drawn, where as many are named as are kept of them."""
    rank_match = _RANKED.fullmatch(text)
    if rank_match is None:
        return _find_named(view.hand, text)
    number = int(rank_match["number"] or 1)
    if view.drawn and number == len(view.drawn) - view.owed:
        others = remove_cards(view.hand, view.drawn)
        return (*others, *(_rank(view.drawn, text, components) or ()))
    return _rank(view.hand, text, components) if number == len(view.hand) - view.owed else None


def _rank(cards: Sequence[Name], text: str, components: Components) -> Sequence[Name] | None:
    """Choose the cheapest cards, or the dearest; a military world costs what it takes."""
    rank_match = _RANKED.fullmatch(text)
    if rank_match is None:
        return None
    is_cheap = rank_match["rank"].casefold() in ("cheapest", "lowest")
    by_price = sorted(cards, key=lambda name: _find_price(name, components), reverse=not is_cheap)
    return by_price[: int(rank_match["number"] or 1)]


def _find_price(name: Name, components: Components) -> int:
    card = components.cards[name]
    return card.cost if card.defense is None else card.defense


def _find_named(hand: Sequence[Name], text: str) -> Sequence[Name] | None:
    """Find the cards of the hand that are named, by their words: the moles, both convoys."""
    names: list[Name] = []
    for part in _BETWEEN.split(text.strip()):
        number_match = _NUMBERED.fullmatch(part)
        words = _PLURAL.sub("y", number_match["cards"] if number_match else part)
        name = match_exactly(words, hand)
        cards = [name] if name else find_by_words(words, dict.fromkeys(hand))
        several = [one for one in hand if one in cards]
        is_plural = len(cards) == 1 and fold(words) == f"{fold(cards[0])}s"
        if not cards or (len(cards) > 1 and number_match is None):
            return None
        if (
            number_match
            and number_match["number"].isdigit()
            and len(several) < int(number_match["number"])
        ):
            return None
        number = (
            int(number_match["number"])
            if number_match and number_match["number"].isdigit()
            else len(several)
        )
        names += several[:number] if number_match or is_plural else cards
    return names
