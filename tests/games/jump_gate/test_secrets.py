"""Non-interference: what a seat cannot know changes nothing of what it is told.

A twin of a position differs from it only in something that not everybody may know (JG-13): cards
in hands, the order of the deck, face-down and hidden resources, standing orders, what a player
wrote that came to nothing. Whoever may not know of it, and the public, must get the same bytes:
view, findings, events, and report, before the step and after it. What the rules themselves bring
to light in this very step (a card turned up, or discarded) is no secret any more; where that can
happen the twin says so, and only what was told before the step is compared.
"""

from collections import Counter
from typing import Any

import pytest

from adjudicator.core.document import encode
from adjudicator.core.events import list_visible
from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.position.state import State
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, Played, walk
from tests.games.jump_gate.twins import TWINS, Events, Orders, Outcome, Twin
from tests.games.told import report_bytes


def told(kind: str, state: State, events: Events, seat: str | None, orders: Orders | None) -> bytes:
    """Everything that a seat is told of a position and of what led to it."""
    rules = LIBRARY.kind(kind).rules
    view = rules.view(state, seat)
    seen = list_visible(events, seat)
    findings: Any = ()
    if seat is not None and orders is not None and not isinstance(rules.due(state), Over):
        findings = rules.check(view, seat, orders), rules.foretell(view, seat, orders)
    return encode([view, seen, findings]) + report_bytes(rules, view, seen)


class Real:
    """What is told in the game itself, of a position and of what led to the next."""

    def __init__(self, kind: str, step: Played) -> None:
        self.kind = kind
        self.step = step
        self.readers = (*step.before.table.seats, None)
        self.before = {s: told(kind, step.before, (), s, self.own(s)) for s in self.readers}
        self.after = {s: told(kind, step.after, step.events, s, None) for s in self.readers}

    def own(self, seat: str | None) -> Orders | None:
        """What this seat sent."""
        return self.step.orders.get(seat) if seat else None

    def holds(self, twin: Twin) -> bool:
        """Fails where who may not know got other bytes; whether it held after the step too."""
        if twin.state != self.step.before:
            self._compare_before(twin)
        state, events = LIBRARY.kind(self.kind).rules.resolve(
            twin.state, twin.orders, self.step.dice
        )
        ends = Outcome(self.step.after, self.step.events), Outcome(state, events)
        if any(twin.surfaced(end) for end in ends):
            return False
        for seat in self.readers:
            if seat not in twin.knows | twin.learns:
                same = self.after[seat] == told(self.kind, state, events, seat, None)
                assert same, f"{twin.what}: {seat or 'the public'} is told after the step"
        return True

    def _compare_before(self, twin: Twin) -> None:
        for seat in self.readers:
            same = self.before[seat] == told(self.kind, twin.state, (), seat, self.own(seat))
            if seat not in twin.knows:
                assert same, f"{twin.what}: {seat or 'the public'} is told before the step"
            elif twin.seen:
                assert not same, f"{twin.what}: {seat} is not told, so the twin shows nothing"


BURN: dict[str, object] = {"orbital_burn": True}
ALL: dict[str, object] = {"sun_dial": True, "explorers_club": True, "orbital_burn": True}
ASK: dict[str, object] = {"interrupts": "ask"}

GAMES: list[tuple[str, int, int, dict[str, object], str]] = [
    (SECOND, 2, 5, {}, "legal"),
    (SECOND, 3, 3, ASK, "legal"),
    (SECOND, 4, 4, ASK, "bot"),
    (FIRST, 10, 3, {**ALL, **ASK}, "legal"),
    (FIRST, 12, 3, {**ALL, **ASK}, "bot"),
]
MORE: list[tuple[str, int, int, dict[str, object], str]] = [
    (SECOND, 1, 2, {}, "legal"),
    (SECOND, 5, 3, {}, "bot"),
    (FIRST, 6, 2, {}, "legal"),
    (FIRST, 7, 6, {"sun_dial": True}, "legal"),
    (FIRST, 8, 3, {"explorers_club": True, **ASK}, "legal"),
    (FIRST, 9, 4, BURN, "legal"),
    (FIRST, 11, 4, {}, "bot"),
]


@pytest.mark.parametrize(
    ("kind", "seed", "players", "options", "who"),
    [*GAMES, *(pytest.param(*one, marks=pytest.mark.soak) for one in MORE)],
)
def test_what_a_seat_cannot_know_changes_nothing(
    kind: str, seed: int, players: int, options: dict[str, object], who: str
) -> None:
    held: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for step in walk(kind, seed, players, options, who=who, steps=60):
        real = Real(kind, step)
        for make in TWINS:
            for twin in make(kind, step):
                if real.holds(twin):
                    held[make.__name__] += 1
                    steps[step.before.table.step] += 1
    expected = {"hands", "deck", "face_down", "standing", "written"}
    if kind == SECOND:
        expected.add("hidden")
    few = {name: held[name] for name in expected if held[name] < 10}
    assert not few, "these twins were nearly all passed over; the test shows nothing"
    assert steps["turn"] > 100
    if options.get("interrupts") == "ask":
        assert steps["collect"] > 0
