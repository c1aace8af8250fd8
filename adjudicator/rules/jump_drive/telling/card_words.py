"""What cards are and do, with its limits, in words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.events import format_count
from adjudicator.rules.jump_drive.position.components import (
    ANY,
    DEVELOPMENT,
    Card,
    Components,
    Name,
    Term,
    Value,
)
from adjudicator.rules.jump_drive.position.powers import (
    Discount,
    FromSupply,
    Limit,
    MilitaryAgainst,
    MilitaryPer,
    MovesTo,
    PayForMilitary,
    Power,
    Requires,
    SecondWorld,
    Target,
)

NO_COLOUR: Final = "none"
_ICONS: Final = ("explore", "military", "chromosome")


def describe_card(name: Name, components: Components) -> str:
    """Describe what a card is and does: `mining-world, gray world: income 1`."""
    card = components.cards[name]
    return f"{name}, {describe_kind(card)}: {describe_effect(card, components)}"


def explain_card(name: Name, components: Components) -> str:
    """Describe a card, with the rules about its powers."""
    rules = [rule for power in components.cards[name].powers for rule in power.rules]
    cited = f" [{', '.join(dict.fromkeys(rules))}]" if rules else ""
    return f"{describe_card(name, components)}{cited}"


def describe_kind(card: Card) -> str:
    """Describe what kind of card it is: `development`, `military red world, alien`."""
    if card.kind == DEVELOPMENT:
        return ", ".join((card.kind, *card.tags))
    military = "military " if card.is_military else ""
    colour = f"{card.colour} " if card.colour != NO_COLOUR else ""
    return ", ".join((f"{military}{colour}{card.kind}", *card.tags))


def describe_effect(card: Card, components: Components) -> str:
    """Describe everything on the card but its cost."""
    parts = [
        *_describe_value(card.vp, "VP", components),
        *_describe_value(card.income, "income", components),
        *(f"{icon} {number}" for icon in _ICONS if (number := card.count_icons(icon))),
        *(_describe_power(power, components) for power in card.powers),
    ]
    return "; ".join(parts) or "nothing"


def describe_benefits(empire: Iterable[Card], components: Components) -> Sequence[str]:
    """Describe what an empire's cards do for later ones, a sentence each."""
    sentences = []
    for card in empire:
        parts = [
            _describe_power(power, components)
            for power in card.powers
            if isinstance(power, _HELPING)
        ]
        sentences += [f"{card.name}: {'; '.join(parts)}."] if parts else []
    return tuple(dict.fromkeys(sentences))


_HELPING: Final = (Discount, MilitaryAgainst, MilitaryPer, PayForMilitary, SecondWorld)


def _describe_value(value: Value, what: str, components: Components) -> Iterator[str]:
    if value.base:
        yield f"{value.base} {what}"
    for term in value.per:
        each = f"{term.each} " if term.each > 1 else ""
        things = _describe_term(term, components, many=term.each > 1)
        owner = " of the other empire with most" if term.whose == "other" else ""
        yield f"{term.value} {what} per {each}{things}{owner}"
    for term in value.once:
        owner = " in another empire" if term.whose == "other" else ""
        thing = _describe_term(term, components, many=False)
        yield f"{term.value} {what} with {thing}{owner}"


def _describe_term(term: Term, components: Components, *, many: bool) -> str:
    if term.strength is not None:
        return "general strength"
    if term.icon is not None:
        return f"{term.icon} icon{'s' * many}"
    if term.card is not None:
        return components.cards[term.card].name
    if term.kind is not None:
        return term.kind
    return "military world" if term.military_world else _describe_worlds(term.world)


def _describe_worlds(colour: str | None) -> str:
    return "world" if colour == ANY else f"{colour} world"


def _describe_power(power: Power, components: Components) -> str:
    match power:
        case Discount(discount=off, on=target):
            return f"{_describe_target(target, components)} cost {off} less"
        case MilitaryAgainst(military_against=strong, on=target):
            return f"strength {strong} against {_describe_target(target, components)}"
        case MilitaryPer(military_per=rate):
            return f"strength {rate.value} per {rate.icon} icon"
        case PayForMilitary(except_world=alien, discount=off):
            price = f"defense less {format_count(off, 'card')}, with a second copy too"
            return f"pays for military worlds that are not {alien}: {price}"
        case SecondWorld(discount=off):
            less = f" for {off} less" if off else ""
            leaves = ", and then leaves the empire" if power.discard_self else ""
            return f"brings a second world{less} if both worlds are {_describe_pair(power)}{leaves}"
        case Limit(limit_per_player=most):
            return f"at most {most} in an empire"
        case Requires(requires=need):
            few = f"{need.at_most} {need.icon} icons" if need.at_most else f"no {need.icon} icon"
            card = components.cards[need.or_card].name
            return f"placed only where the empire has {few} or has {card}"
        case MovesTo():
            strongest = "the empire with most general strength"
            return f"before scoring, goes to {strongest}, unless its owner has as much"
        case FromSupply():
            return "taken from the table, once a game"


def _describe_pair(power: SecondWorld) -> str:
    """Describe what the first world and the second must both be (JD-22, JD-23)."""
    if power.second_world == "military":
        return "military and conquered, the second with the strength left by the first"
    paid = " (also military ones that are paid for)" if power.with_pay_for_military else ""
    return f"non-military{paid}"


def _describe_target(target: Target, components: Components) -> str:
    if target.card is not None:
        return components.cards[target.card].name
    if target.kind is not None:
        return f"{target.kind}s"
    if target.tag is not None:
        return f"{target.tag} worlds"
    return "worlds" if target.world == ANY else f"{target.world} worlds"
