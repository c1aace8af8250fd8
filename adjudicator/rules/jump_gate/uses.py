"""What each card of a hand could do from where the ship is, in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from adjudicator.core.telling import listed
from adjudicator.rules.jump_gate import sight as seen
from adjudicator.rules.jump_gate.components import WILD, Card, NavComp
from adjudicator.rules.jump_gate.sight import Sight


def codes_of(card: NavComp) -> str:
    """Its two codes, and its special action."""
    codes = ", ".join(
        f"{code.action} {'any' if code.code == WILD else code.code}" for code in card.codes
    )
    return f"{codes}, {card.special}" if card.special else codes


def of_card(here: Sight, card: Card) -> str:
    """Everything that discarding it allows now, and what more it would from orbit (JGA-14)."""
    found = _now(here, card)
    above = seen.after(here, {"do": "return-to-orbit"}) if here.landed else None
    if above is not None:
        more = [use for use in _now(above, card) if use not in found]
        found += [f"from orbit: {', '.join(more)}"] if more else []
    return "; ".join(found) or "nothing from here"


def _now(here: Sight, card: Card) -> list[str]:
    found = [*_jump(here, card), *_scan(here, card), *_land(here, card)]
    special = here.components.cards[card].special
    return [*found, *_SPECIALS[special](here, card)] if special else found


def without_cards(here: Sight) -> Sequence[str]:
    """What needs no certain card."""
    flights, offer = seen.flights(here), seen.on_offer(here)
    found = []
    if flights:
        found.append(f"Without a card: fly to {_either(flights)}.")
    if offer:
        how = "Harvest, with any card" if here.components.second else "Harvest, without a card"
        found.append(f"{how}: {_either(offer)}.")
    if here.landed:
        found.append("Without a card: return to orbit.")
    return found


def _either(things: Sequence[str]) -> str:
    return " or ".join(listed(list(dict.fromkeys(things))).rsplit(" and ", 1))


def _jump(here: Sight, card: Card) -> Sequence[str]:
    planets = [planet for one, planet in seen.jumps(here) if one == card]
    return [f"jump to {_either(planets)}"] if planets else []


def _scan(here: Sight, card: Card) -> Sequence[str]:
    return [f"scan {here.at}"] if card in seen.scanners(here) else []


def _land(here: Sight, card: Card) -> Sequence[str]:
    others = [one for pair in seen.landings(here) if card in pair for one in pair if one != card]
    return [f"land on {here.at} with {_either(others)}"] if others else []


def _backroom_deal(here: Sight, _: Card) -> Sequence[str]:
    own = [str(here.at)] if seen.on_offer(here) else []
    planets = [*own, *seen.dealers(here)]
    return [f"backroom-deal at {_either(planets)}"] if planets else []


def _hotshot_pilot(here: Sight, card: Card) -> Sequence[str]:
    others = seen.co_pilots(here, card)
    return [f"hotshot-pilot on {here.at} with {_either(others)}"] if others else []


def _inside_info(_: Sight, __: Card) -> Sequence[str]:
    return ["inside-info"]


def _jump_paradox(here: Sight, _: Card) -> Sequence[str]:
    others = seen.partners(here)
    return [f"jump-paradox with {_either(others)}"] if others else []


def _long_range_scan(here: Sight, _: Card) -> Sequence[str]:
    planets = [planet for planet in here.table.ring if seen.can_be_scanned(here, planet)]
    return [f"long-range-scan of {_either(planets)}"] if planets else []


def _lost_records(here: Sight, _: Card) -> Sequence[str]:
    return ["lost-records"] if seen.records(here) else []


def _wormhole(here: Sight, _: Card) -> Sequence[str]:
    return ["wormhole to any other planet"] if seen.elsewhere(here) else []


_SPECIALS: Final[Mapping[str, Callable[[Sight, Card], Sequence[str]]]] = {
    "backroom-deal": _backroom_deal,
    "hotshot-pilot": _hotshot_pilot,
    "inside-info": _inside_info,
    "jump-paradox": _jump_paradox,
    "long-range-scan": _long_range_scan,
    "lost-records": _lost_records,
    "wormhole": _wormhole,
}
