"""Scanning and marking in the second edition (JGB-5)."""

from collections.abc import Mapping
from typing import Final

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_gate.components import NavComp, Planet
from adjudicator.rules.jump_gate.hand import hold, pay_one
from adjudicator.rules.jump_gate.movement import here
from adjudicator.rules.jump_gate.prefer import heard, named
from adjudicator.rules.jump_gate.resources import UNKNOWN, Resource, has_icon, kind_of
from adjudicator.rules.jump_gate.state import Awaiting, Preferences, Site
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action, wishes

_RULE: Final = "JGB-5"
PERHAPS: Final = "?!"
"""A mark of which the writer of a list cannot tell whether it will be there."""


def scan(work: Work, action: Action) -> None:
    """The top face-down card is turned up; then one may be marked."""
    card = action.get("card")
    hold(work, [card] if card else [])
    planet = here(work, _RULE, "scan")
    if not work.face_down[planet]:
        raise Illegal(_RULE, f"No card lies face-down at {planet}.")
    number = work.world(planet).scan

    def fits(one: NavComp) -> bool:
        return one.fits("scan", number)

    cards = pay_one(work, card, fits, _RULE, f"scan code {number} for {planet}")
    turned = work.turn_up(planet)
    work.tell(
        "scanned",
        _RULE,
        seat=work.active,
        at=planet,
        cards=list(cards),
        turned=turned,
        left=len(work.face_down[planet]),
    )
    wanted = wishes(action.get("mark"))
    if wanted is None and work.asks:
        work.ask("mark", planet, [work.active])
        if not work.foreseeing:
            return
    _mark(work, planet, wanted)


def resume(work: Work, asked: Awaiting, orders: Orders) -> None:
    """The active player has said what to mark (JG-15)."""
    (seat,) = asked.asked
    _mark(work, asked.at, wishes(orders.get(seat, {}).get("mark")))


def unmarked(site: Site) -> tuple[Resource, ...]:
    """The face-up cards that nobody has marked; each mark covers one card."""
    left = list(site.face_up)
    for card in site.marks.values():
        if card in left:
            left.remove(card)
    return tuple(left)


def _mark(work: Work, planet: Planet, wanted: Preferences | None) -> None:
    site = work.planets[planet]
    before = site.marks.get(work.active)
    free = unmarked(site)
    if work.haze[planet]:
        _foresee(work, planet, wanted)
        return
    if wanted is None:
        card = _program(work, free, before)
    else:
        own = () if before is None else (before,)
        card = named(heard(wanted, may=True)[0], (*free, *own))
    if card is None or card == before:  # if nothing fits, marks stay (JG-14)
        return
    work.change(planet, marks=_with(work, site, card))
    work.tell("marked", _RULE, seat=work.active, at=planet, resource=card, before=before)


def _program(work: Work, free: tuple[Resource, ...], before: Resource | None) -> Resource | None:
    """The program's choice; it leaves an old mark only for a card worth more (JG-14)."""
    chooser = work.chooser(work.active)
    card = chooser.choice(free)
    if card is None or before is None:
        return card
    worse = has_icon(card) and not has_icon(before) and not chooser.accept
    return card if chooser.worth(card) > chooser.worth(before) and not worse else None


def _with(work: Work, site: Site, card: Resource) -> Mapping[Seat, Resource]:
    marks = {**site.marks, work.active: card}
    return {seat: marks[seat] for seat in work.seats if seat in marks}


def _foresee(work: Work, planet: Planet, wanted: Preferences | None) -> None:
    """What the writer of a list can tell of the mark, with cards just turned up."""
    site = work.planets[planet]
    before = site.marks.get(work.active)
    names = None if wanted is None else heard(wanted, may=True)[0]
    if names is not None and not names:
        return
    own = () if before is None else (before,)
    first = named(names[:1], (*unmarked(site), *own)) if names else None
    if names and first is not None and first in (names[0], kind_of(first)):
        # Whatever was turned up, nothing comes before the first wish, which lies there.
        work.change(planet, marks=_with(work, site, first))
        return
    sure = names is None and not work.asks
    if sure or before is not None or (names and named(names, unmarked(site)) is not None):
        work.change(planet, marks=_with(work, site, UNKNOWN))
    else:
        work.change(planet, marks=_with(work, site, PERHAPS))
