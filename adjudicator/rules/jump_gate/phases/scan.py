"""Scanning and marking in both editions (JGA-6, JGB-5)."""

from collections.abc import Mapping, Sequence
from typing import Final

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_gate.phases import movement
from adjudicator.rules.jump_gate.phases.hand import pay_code, require_held
from adjudicator.rules.jump_gate.phases.movement import require_planet
from adjudicator.rules.jump_gate.phases.preferences import choose_first, split_preferences
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.order_forms import Action, parse_preferences
from adjudicator.rules.jump_gate.position.resources import UNKNOWN, Resource, has_icon, remove_icon
from adjudicator.rules.jump_gate.position.state import Awaiting, Preferences, Site, list_unmarked

_RULE_2010 = "JGA-6"


def scan_2010(work: Work, action: Action) -> None:
    """Scan the own planet, with a card that has its scan code."""
    movement.require_orbit(work)
    planet, cards = _pay_for_scan(work, action, _RULE_2010)
    turn_up_top(work, planet, _RULE_2010, cards)


def _pay_for_scan(work: Work, action: Action, rule: str) -> tuple[Planet, Sequence[Card]]:
    """Pay for a scan; return the planet, and what is discarded for it."""
    card = action.get("card")
    require_held(work, [card] if card else [])
    planet = require_planet(work, rule, "scan", action.get("at"))
    require_face_down(work, planet, rule)
    return planet, pay_code(work, card, "scan", work.find_world(planet).scan, planet, rule)


def require_face_down(work: Work, planet: Planet, rule: str) -> None:
    """Require a face-down card: only planets with one are scanned."""
    if not work.face_down[planet]:
        raise Illegal(rule, f"No card lies face-down at {planet}.")


def turn_up_top(work: Work, planet: Planet, rule: str, cards: Sequence[Card]) -> None:
    """Turn up the top face-down card, and in the 2010 edition place a scan marker."""
    card = work.turn_up(planet)
    if not work.components.is_second:
        scans = work.planets[planet].scans
        more = {**scans, work.active: scans.get(work.active, 0) + 1}
        work.change(planet, scans={seat: more[seat] for seat in work.seats if seat in more})
    remaining = len(work.face_down[planet])
    payment = list(cards)
    work.tell(
        "scanned", rule, seat=work.active, at=planet, cards=payment, turned=card, left=remaining
    )


_RULE_SECOND: Final = "JGB-5"
UNCERTAIN: Final = "?!"
"""A mark of which the writer of a list cannot tell whether it will be there."""


def scan_second(work: Work, action: Action) -> None:
    """Turn up the top face-down card; then one may be marked."""
    planet, cards = _pay_for_scan(work, action, _RULE_SECOND)
    turn_up_top(work, planet, _RULE_SECOND, cards)
    preferences = parse_preferences(action.get("mark"))
    if preferences is None:
        site = work.planets[planet]
        own = site.marks.get(work.active)
        standing = work.find_standing(work.active).mark
        free = list_unmarked(site)
        can_change = work.is_older or work.haze[planet] or set(free) - {own}
        offer = free if own is None else (*free, own)
        if can_change and work.must_ask(standing, offer, may=True):
            work.ask("mark", planet, [work.active])
            if not work.is_foreseeing:
                return
        elif standing:
            preferences = standing
    _mark_card(work, planet, preferences)


def resume_mark(work: Work, awaiting: Awaiting, orders: Orders) -> None:
    """Go on when the active player has said what to mark (JG-15)."""
    (seat,) = awaiting.asked
    answer = parse_preferences(orders.get(seat, {}).get("mark"))
    _mark_card(work, awaiting.at, answer or work.find_standing(seat).mark or None)


def _mark_card(work: Work, planet: Planet, preferences: Preferences | None) -> None:
    site = work.planets[planet]
    before = site.marks.get(work.active)
    free = list_unmarked(site)
    if work.haze[planet]:
        _foresee_mark(work, planet, preferences)
        return
    if preferences is None:
        card = _choose_mark(work, free, before)
    else:
        own = () if before is None else (before,)
        card = choose_first(split_preferences(preferences, may=True)[0], (*free, *own))
    if card is None or card == before:  # if nothing fits, marks stay (JG-14)
        return
    work.change(planet, marks=_add_mark(work, site, card))
    work.tell("marked", _RULE_SECOND, seat=work.active, at=planet, resource=card, before=before)


def _choose_mark(
    work: Work, free: tuple[Resource, ...], before: Resource | None
) -> Resource | None:
    """Make the program's choice; it leaves an old mark only for a card worth more (JG-14)."""
    chooser = work.make_chooser(work.active)
    card = chooser.choose(free)
    if card is None or before is None:
        return card
    worse = has_icon(card) and not has_icon(before) and not chooser.accept
    return card if chooser.appraise(card) > chooser.appraise(before) and not worse else None


def _add_mark(work: Work, site: Site, card: Resource) -> Mapping[Seat, Resource]:
    marks = {**site.marks, work.active: card}
    return {seat: marks[seat] for seat in work.seats if seat in marks}


def _foresee_mark(work: Work, planet: Planet, preferences: Preferences | None) -> None:
    """Note what the writer of a list can tell of the mark, with cards just turned up."""
    site = work.planets[planet]
    before = site.marks.get(work.active)
    names = None if preferences is None else split_preferences(preferences, may=True)[0]
    if names is not None and not names:
        return
    own = () if before is None else (before,)
    first = choose_first(names[:1], (*list_unmarked(site), *own)) if names else None
    if names and first is not None and first in (names[0], remove_icon(first)):
        # Whatever was turned up, nothing comes before the first wish, which lies there.
        work.change(planet, marks=_add_mark(work, site, first))
        if first != before:
            facts = {"resource": first, "before": before}
            work.tell("marked", _RULE_SECOND, seat=work.active, at=planet, **facts)
        return
    sure = names is None and not work.asks
    if (
        sure
        or before is not None
        or (names and choose_first(names, list_unmarked(site)) is not None)
    ):
        work.change(planet, marks=_add_mark(work, site, UNKNOWN))
    else:
        work.change(planet, marks=_add_mark(work, site, UNCERTAIN))
