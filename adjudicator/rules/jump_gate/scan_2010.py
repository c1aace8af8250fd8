"""Scanning in the 2010 edition (JGA-6)."""

from collections.abc import Sequence

from adjudicator.rules.jump_gate import orbit
from adjudicator.rules.jump_gate.components import Card, NavComp, Planet
from adjudicator.rules.jump_gate.hand import hold, pay_one
from adjudicator.rules.jump_gate.movement import here
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action

_RULE = "JGA-6"


def scan(work: Work, action: Action) -> None:
    """At one's own planet, with a card that has its scan code."""
    orbit.needed(work)
    card = action.get("card")
    hold(work, [card] if card else [])
    planet = here(work, _RULE, "scan")
    something_hidden(work, planet, _RULE)
    number = work.world(planet).scan

    def fits(one: NavComp) -> bool:
        return one.fits("scan", number)

    cards = pay_one(work, card, fits, _RULE, f"scan code {number} for {planet}")
    turn_top(work, planet, _RULE, cards)


def something_hidden(work: Work, planet: Planet, rule: str) -> None:
    """Only planets with a face-down card are scanned."""
    if not work.face_down[planet]:
        raise Illegal(rule, f"No card lies face-down at {planet}.")


def turn_top(work: Work, planet: Planet, rule: str, cards: Sequence[Card]) -> None:
    """The top face-down card is turned up, and a scan marker placed."""
    turned = work.turn_up(planet)
    scans = work.planets[planet].scans
    more = {**scans, work.active: scans.get(work.active, 0) + 1}
    work.change(planet, scans={seat: more[seat] for seat in work.seats if seat in more})
    work.tell(
        "scanned",
        rule,
        seat=work.active,
        at=planet,
        cards=list(cards),
        turned=turned,
        left=len(work.face_down[planet]),
    )
