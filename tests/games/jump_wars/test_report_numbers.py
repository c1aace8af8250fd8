"""The numbers in reports and forms are those of the position, worked out here by the rulebook."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.core.events import list_visible
from adjudicator.rules.jump_wars.position.state import State
from tests.games.jump_wars.play import KIND, RULES, dice_of, walk

Document = Mapping[str, Any]


class Told:
    """A seat's report, and the position that it tells of as a state document."""

    def __init__(self, state: State, events: Sequence[Any], seat: str) -> None:
        report = RULES.report(RULES.view(state, seat), list_visible(events, seat))
        self.seat = seat
        self.document: Document = RULES.dump(state)
        self.sections = {section["title"]: section for section in report["sections"]}
        self.comments = " ".join(report["form"]["comments"])

    def find_level(self, tech: str, seat: str | None = None) -> int:
        """The level that counts now: 1 unless the document says more, raises on top (JW-13)."""
        sums = [self.document.get(key, {}).get(seat or self.seat, {}) for key in LEVELS]
        return sums[0].get(tech, 1) + int(sums[1].get(tech, 0))

    def row(self, title: str, seat: str) -> list[str]:
        """The cells of a seat's row behind its name."""
        rows = {row[0].removesuffix(" (you)"): row[1:] for row in self.sections[title]["rows"]}
        return list(rows[seat])


LEVELS = ("levels", "raised")


def each(seed: int) -> Sequence[Told]:
    """What everybody is told in a game in which much is raised."""
    seats = KIND.seats[: 2 + seed]
    options = {"grid": "hex" if seed % 2 else "square", "old_empire": bool(seed % 2)}
    return [
        Told(step.after, step.events, seat)
        for step in walk(seed, seats, options, steps=80)
        for seat in seats
    ]


@pytest.fixture(scope="module", params=range(1, 5))
def told(request: pytest.FixtureRequest) -> Sequence[Told]:
    return each(int(request.param))


def test_standings_tell_what_everybody_has(told: Sequence[Told]) -> None:
    for one in told:
        raised = one.document.get("raised", {})
        for seat in one.document["seats"]:
            levels = []
            for tech in RULES.components.technologies:
                now, more = one.find_level(tech, seat), raised.get(seat, {}).get(tech, 0)
                until = f" ({now} this turn)" if more else ""
                if now > 1:
                    levels.append(f"{tech} {now - more}{until}")
            assert one.row("Standings", seat) == [
                ", ".join(levels) or "-",
                ", ".join(one.document.get("specials", {}).get(seat, ())) or "-",
                str(one.document.get("tokens", {}).get(seat, 0)),
                str(len(one.document["hands"].get(seat, ()))),
                str(sum(one.document["fleets"].get(seat, {}).values())),
            ]
    assert any(one.document.get("raised") for one in told)


def test_the_price_of_a_fleet_is_that_of_the_next_plan_when_raises_have_ended(
    told: Sequence[Told],
) -> None:
    for one in told:
        for seat in one.document["seats"]:
            raised = one.document.get("raised", {}).get(seat, {})
            attack, defense, less = (
                one.find_level(tech, seat) - raised.get(tech, 0)
                for tech in ("attack", "defense", "miniaturization")
            )
            price = max(1, 4 + attack + defense - less)  # JW-25
            assert one.row("Economy", seat)[2] == str(price)
        if one.document["step"] == "plan" and one.comments:
            price_told = f"You have {one.row('Economy', one.seat)[0]} RT, and you mine before you "
            assert price_told in one.comments
            assert f"a fleet costs {one.row('Economy', one.seat)[2]}." in one.comments


def test_the_form_tells_the_ranges_of_jw_29_to_jw_31(told: Sequence[Told]) -> None:
    seen = 0
    for one in told:
        if one.document["step"] != "jump":
            continue
        orders, far = 1 + one.find_level("command"), 1 + one.find_level("jump")
        most = 5 + one.find_level("logistics")
        assert f"Up to {orders} orders, {far} spaces far, with up to {most} fleets" in one.comments
        seen += orders > 2 or far > 2 or most > 6
    assert seen


def test_the_hand_limit_and_what_is_over_it_are_jw_59(told: Sequence[Told]) -> None:
    over = 0
    for one in told:
        limit = 3 + one.find_level("research")
        line, *does = one.sections["Your hand"]["lines"]
        assert all(card.split(" = ")[0] in line for card in does)
        assert line.endswith(f"(limit at the end of the turn: {limit})")
        if one.document["step"] != "jump":
            continue
        more = len(one.document["hands"].get(one.seat, ())) - limit
        cards = "1 card" if more == 1 else f"{more} cards"
        assert (f"You will discard {cards} at the end" in one.comments) == (more > 0)
        assert ("You will discard" in one.comments) == (more > 0)
        over += more > 0
    assert over


def test_what_everybody_would_mine_is_what_they_mine_when_nobody_orders_anything() -> None:
    """JW-23: nothing but the mining happens then before the mining."""
    for step in walk(3, KIND.seats[:5], {"old_empire": True}, steps=60):
        if step.after.table.step == "plan":
            _, events = RULES.resolve(step.after, {}, dice_of(3, "x"))
            mined = {e.data["seat"]: e.data["rt"] for e in events if e.kind == "mined"}
            one = Told(step.after, step.events, "red")
            assert {seat: int(one.row("Economy", seat)[1]) for seat in mined} == mined
