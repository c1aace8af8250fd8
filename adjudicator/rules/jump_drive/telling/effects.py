"""What a card does, in a few words, from the vocabulary of the component file."""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from typing import Final

from adjudicator.rules.jump_drive.position.components import ANY, Card, Components, Term, Value
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

_ICONS: Final = ("explore", "military", "chromosome")


def describe_effect(card: Card, components: Components) -> str:
    """Everything on the card but its cost."""
    parts = [
        *_value(card.vp, "VP", components),
        *_value(card.income, "income", components),
        *(f"{icon} {number}" for icon in _ICONS if (number := card.icons(icon))),
        *(_power(power, components) for power in card.powers),
    ]
    return "; ".join(parts) or "nothing"


def describe_benefits(empire: Iterable[Card], components: Components) -> Sequence[str]:
    """What the cards of an empire do for those that come, a sentence each."""
    told = []
    for card in empire:
        parts = [_power(power, components) for power in card.powers if isinstance(power, _HELPING)]
        told += [f"{card.name}: {'; '.join(parts)}."] if parts else []
    return tuple(dict.fromkeys(told))


_HELPING: Final = (Discount, MilitaryAgainst, MilitaryPer, PayForMilitary, SecondWorld)


def _value(value: Value, what: str, components: Components) -> Iterator[str]:
    if value.base:
        yield f"{value.base} {what}"
    for term in value.per:
        each = f"{term.each} " if term.each > 1 else ""
        yield f"{term.value} {what} per {each}{_counted(term, components, many=term.each > 1)}"
    for term in value.once:
        yield f"{term.value} {what} with {_counted(term, components, many=False)}"


def _counted(term: Term, components: Components, *, many: bool) -> str:
    if term.strength is not None:
        thing = "strength"
    elif term.icon is not None:
        thing = f"{term.icon} icon{'s' * many}"
    elif term.card is not None:
        thing = components.cards[term.card].name
    elif term.kind is not None:
        thing = term.kind
    else:
        thing = "military world" if term.military_world else _world(term.world)
    return thing if term.whose == "own" else f"{thing} of another empire"


def _world(colour: str | None) -> str:
    return "world" if colour == ANY else f"{colour} world"


@singledispatch
def _power(power: Power, _: Components) -> str:
    raise TypeError(f"{type(power).__name__} has no words")


@_power.register
def _(power: Discount, components: Components) -> str:
    return f"{_target(power.on, components)} cost {power.discount} less"


@_power.register
def _(power: MilitaryAgainst, components: Components) -> str:
    return f"strength {power.military_against} against {_target(power.on, components)}"


@_power.register
def _(power: MilitaryPer, _: Components) -> str:
    counted = power.military_per
    return f"strength {counted.value} per {counted.icon} icon"


@_power.register
def _(power: PayForMilitary, _: Components) -> str:
    return (
        f"pays for military worlds that are not {power.except_world}: "
        f"defense less {power.discount} cards"
    )


@_power.register
def _(power: SecondWorld, _: Components) -> str:
    how = "conquered" if power.second_world == "military" else "paid for"
    less = f" with {power.discount} less" if power.discount else ""
    leaves = ", and leaves the empire" if power.discard_self else ""
    return f"a second world {how}{less}{leaves}"


@_power.register
def _(power: Limit, _: Components) -> str:
    return f"at most {power.limit_per_player} in an empire"


@_power.register
def _(power: Requires, components: Components) -> str:
    need = power.requires
    other = components.cards[need.or_card].name
    most = f"{need.at_most} {need.icon} icons" if need.at_most else f"no {need.icon} icon"
    return f"needs {most} or {other}"


@_power.register
def _(_power: MovesTo, _: Components) -> str:
    return "goes to the strongest before scoring"


@_power.register
def _(_power: FromSupply, _: Components) -> str:
    return "taken from the table"


def _target(target: Target, components: Components) -> str:
    if target.card is not None:
        return components.cards[target.card].name
    if target.kind is not None:
        return f"{target.kind}s"
    if target.tag is not None:
        return f"{target.tag} worlds"
    return "worlds" if target.world == ANY else f"{target.world} worlds"
