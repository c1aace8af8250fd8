"""What a check says holds in positions that the seat imagines, if nobody else orders anything.

What is fine fails in none of them, what is refused or doomed holds in none. The orders are random:
parts of what is legal in one position, in another one.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document
from adjudicator.core.events import CHOICE_FIRST, NEGATED, STRUCK, Event
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.game import Over
from tests.samples import examples

LIBRARY = FolderLibrary()
KEY = derive_dice_key(seed_from_number(23))
OPTIONS: Final[dict[str, list[Document]]] = {
    "jump-drive": [{}],
    "jump-gate": [{}, {"interrupts": "ask"}],
    "jump-gate-2010": [{}, {"interrupts": "ask"}, {"orbital_burn": True}],
    "jump-wars": [{}, {"homeworlds": "choose"}, {"old_empire": True}],
}
CASES = examples(60)
WORLDS = 8
STEPS = 40
LARGEST = 60
CERTAIN = (Grade.REFUSED, Grade.DOOMED)


def positions(rules: Any, kind: str, chance: random.Random) -> Iterator[tuple[Any, str, str]]:
    """Positions of random games, each with a seat that owes orders, and its form."""
    for number in range(CASES):
        seats = LIBRARY.kind(kind).seats[: chance.choice([2, 3, 4])]
        options = LIBRARY.kind(kind).options(chance.choice(OPTIONS[kind]), seats)
        state = rules.setup(options, seats, Dice(KEY, f"{number}"))
        for step in range(chance.randrange(STEPS)):
            if isinstance(rules.due(state), Over):
                break
            dice = Dice(KEY, f"{number}-{step}")
            due = rules.due(state)
            yield from ((state, seat, one.form) for seat, one in due.items())
            given = {seat: rules.legal(rules.view(state, seat), seat, dice) for seat in due}
            state, _ = rules.resolve(state, given, dice)


def mixed(one: Document, other: Document, hand: Sequence[str], chance: random.Random) -> Document:
    """Orders made of two sets, which were legal elsewhere."""
    made = dict(one)
    for key, value in other.items():
        both = isinstance(made.get(key), list | tuple) and isinstance(value, list | tuple)
        if both and key in ("actions", "jump", "trade", "sabotage", "cutting_edge"):
            made[key] = [*made[key], *value][:4]
        elif chance.random() < 0.5:
            made[key] = value
    if "actions" in made and chance.random() < 0.6:
        thrown = list(hand)[: chance.randrange(6)]
        made["actions"] = [{"do": "research", "discard": thrown}, *made["actions"]][:3]
    return made


def failures(events: Iterable[Event], seat: str) -> dict[Path, str]:
    """The places of orders that came to nothing, and why."""
    own = (one for one in events if one.kind in (NEGATED, STRUCK) and one.data["seat"] == seat)
    return {tuple(one.data["path"]): one.data["why"] for one in own}


def played(rules: Any, view: Any, seat: str, orders: Document, label: str) -> dict[Path, str]:
    """What fails in an imagined position, when nobody answers the lists either."""
    dice = Dice(KEY, label)
    state, events = rules.resolve(rules.imagine(view, seat, dice), {seat: orders}, dice)
    due = rules.due(state)
    if not isinstance(due, Over) and {one.form for one in due.values()} == {"reveal"}:
        events = (*events, *rules.resolve(state, {}, dice)[1])
    return failures(events, seat)


def judged(found: Sequence[Finding], failed: Counter[Path]) -> Iterator[str]:
    """Where the check and the imagined positions disagree."""
    graded = {one.path: one for one in reversed(found)}
    refused = [one.path for one in found if one.grade is Grade.REFUSED]
    for path in {*graded, *failed}:
        one = graded.get(path)
        if refused and path not in refused and (path == ("end",) or path > min(refused)):
            continue  # what follows a refused action is not on file
        if one is None and failed[path]:
            yield f"{path} is called fine and fails in {failed[path]} of {WORLDS}"
        elif one is not None and one.grade in CERTAIN and failed[path] < WORLDS:
            yield f"{path} is called {one.grade} and holds in {WORLDS - failed[path]}: {one}"


@pytest.mark.parametrize("kind", OPTIONS)
def test_what_is_fine_never_fails_and_what_is_doomed_always_does(kind: str) -> None:
    rules, chance = LIBRARY.kind(kind).rules, random.Random(5)
    known: dict[str, list[Document]] = {}
    seen: Counter[str] = Counter()
    for number, (state, seat, form) in enumerate(positions(rules, kind, chance)):
        view = rules.view(state, seat)
        pool = known.setdefault(form, [])
        pool.append(rules.legal(view, seat, Dice(KEY, f"pool {number}")))
        if chance.random() > 0.3 or form == "reveal":  # fights hang on an earlier letter there
            continue
        orders = mixed(chance.choice(pool), chance.choice(pool), getattr(view, "hand", ()), chance)
        found = rules.check(view, seat, orders)
        seen.update(str(one.grade) for one in found)
        seen[form] += 1
        if found and kind == "jump-drive":  # refused whole; the step would pass cards over (JD-4a)
            continue
        outcomes = [played(rules, view, seat, orders, f"{number}-{n}") for n in range(WORLDS)]
        asked = {path for one in outcomes for path, why in one.items() if why == CHOICE_FIRST}
        failed = Counter(path for one in outcomes for path in one if path not in asked)
        sure = [one for one in found if one.path not in asked]
        assert list(judged(sure, failed)) == [], f"{form} of {seat}: {orders}"
    assert seen["refused"] + seen["doomed"] > CASES / 10
    if kind != "jump-drive":  # a form that is not refused holds
        assert seen["doubtful"] > CASES / 10
