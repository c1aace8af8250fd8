"""What the page says of orders is what their check says, whatever they are.

The page plays them through by its own script, so each form is compared at random positions: what
it allows is never refused or doomed, and what it forbids always would be.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudicator.core.finding import Grade
from adjudicator.library.game import GameState
from tests.browser.order_pages import WRONG, Data, list_positions, write_pages
from tests.browser.showing import Shown
from tests.browser.wild_orders import draw_actions, draw_answers, draw_jumps, draw_plan

EVERY = [7, pytest.param(3, marks=pytest.mark.soak)]
"""Of so many positions one is compared; in the long tests of many games."""
WALK = """([data, numbers]) => numbers.map((few) => {
  const actions = [], pick = (list) => list[few.pop() % list.length];
  for (let n = 0; n < 3; n += 1) {
    const { now } = judge(data, { actions }), hand = [...now.hand], chosen = [];
    for (let left = few.pop() % 3; left > 0 && hand.length; left -= 1) chosen.push(hand.pop());
    const able = game.candidates(data, now, chosen).filter(
      (one) => !judge(data, { actions: [...actions, one] }).faults.at(-1));
    const rare = able.filter((one) => !["fly", "research"].includes(one.do));
    if (able.length) actions.push(pick(few.pop() % 3 && rare.length ? rare : able));
  }
  return { actions };
})"""
"""Lists of actions that the page offers one after the other."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("site"))


UNSAID = (
    "Your order ",
    "Another homeworld may enter ",
    "There is no enemy at ",
    "As things stand, the fight at ",
)
"""So begins what the page does not say: of orders further down the list than the one that is
written anew, and what hangs on who else comes."""


def list_graded(game: GameState, seat: str, orders: Data, *grades: Grade) -> set[str]:
    found = [one for one in game.check(seat, orders) if one.grade in grades]
    found = [one for one in found if not one.message.startswith(UNSAID)]
    return {" ".join(map(str, one.path)) for one in found}


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("kind", ["jump-gate", "jump-gate-2010"])
def test_actions_are_judged_as_the_rules_judge_them(
    kind: str, every: int, shown: Shown, folder: Path
) -> None:
    """The page and the receipt agree on the first action of a list that is not legal."""
    shown.file(folder / f"{kind}.html")
    seen, chance = Counter[str](), Random(5)
    for game, seat, data in list_positions(kind, 3 if every > 3 else 40, every):
        if data["form"] != "turn":
            continue
        numbers = [[chance.randrange(999) for _ in range(9)] for _ in range(8)]
        offered = shown.page.evaluate(WALK, [data, numbers])
        tried = [*(draw_actions(data, chance) for _ in range(12)), *offered]
        tried += [
            {"actions": [*one["actions"][:1], *draw_actions(data, chance)["actions"]]}
            for one in offered
        ]
        found = shown.page.evaluate(
            "([data, tried]) => tried.map((one) => judge(data, one).faults)", [data, tried]
        )
        for orders, faults in zip(tried, found, strict=True):
            refused = list_graded(game, seat, orders, *WRONG)
            first = {f"actions {n}" for n, fault in enumerate(faults) if fault}
            assert first == refused, (game.step, orders, faults)
            seen["refused" if refused else "taken"] += 1
            seen.update(action["do"] for action in orders["actions"] if not refused)
    assert min(seen["taken"], seen["refused"]) > 50, seen
    assert len(seen) > (6 if every > 3 else 7 if kind == "jump-gate" else 9), seen


@pytest.mark.parametrize("every", EVERY)
def test_forms_of_jump_wars_are_judged_as_the_rules_judge_them(
    every: int, shown: Shown, folder: Path
) -> None:
    """The page and the receipt find the same orders of a form to fail, surely or perhaps."""
    shown.file(folder / "jump-wars.html")
    seen, chance = Counter[str](), Random(3)
    for game, seat, data in list_positions("jump-wars", 3 if every > 3 else 40, every, 4):
        form = data["form"]
        if form == "homeworlds":
            continue
        tried = [DRAWN[form](data, chance) for _ in range(12)]
        found = shown.page.evaluate(JUDGED[form], [data, tried])
        for orders, (sure, may) in zip(tried, found, strict=True):
            doomed = list_graded(game, seat, orders, Grade.DOOMED)
            doubtful = list_graded(game, seat, orders, Grade.DOUBTFUL)
            if form == "plan":
                assert (set(sure), set(may)) == (doomed, doubtful), (game.step, orders)
            else:  # of jumps the page does not tell what others may still change
                assert {*sure, *may} == doomed | doubtful, (game.step, orders, sure, may)
                assert doomed <= set(sure), (game.step, orders)
            seen.update(f"{form} may {one.split()[0]}" for one in may)
            seen.update(one for one in (*sure, *may) if one.endswith(" 1"))
            seen[f"{form} {'fails' if sure else 'holds'}"] += 1
            seen.update(f"{form} {one.split()[0]}" for one in sure)
    assert {"plan holds", "plan fails", "jump holds", "jump fails"} <= set(seen), seen
    assert len([one for one in seen if one.startswith("plan ")]) > 8, seen
    assert {"trade 1", "sabotage 1", "build 1", "fight nova_bombs 1"} <= set(seen), seen
    assert {"jump fight", "jump leadership", "jump cutting_edge", "jump may final"} <= set(seen)
    assert every > 3 or seen["jump may fight"] > 5, seen

    assert every > 3 or seen["reveal holds"] > 5 < seen["reveal fails"], seen


DRAWN: dict[str, Any] = {"plan": draw_plan, "jump": draw_jumps, "reveal": draw_answers}
JUDGED = {
    form: f"([data, tried]) => {{ const known = game.prepare(data); return tried.map({judged}); }}"
    for form, judged in {
        "plan": "(one) => { const { sure, may } = judgePlan(known, one); "
        "return [Object.keys(sure), Object.keys(may)]; }",
        "reveal": "(one) => [Object.keys(judgeReveal(known, one).sure), []]",
        "jump": "(one) => { const { sure, may } = judgeRest(known, one); "
        'const jumps = judge(known, one).jumps.flatMap((why, n) => (why ? ["jump " + n] : [])); '
        "return [[...jumps, ...Object.keys(sure)], Object.keys(may)]; }",
    }.items()
}


def test_a_homeworld_is_offered_where_one_may_be() -> None:
    """Every space of the map, alone: taken where it is offered, and doomed elsewhere."""
    tried = Counter[bool]()
    for game, seat, data in list_positions("jump-wars", 1, 1):
        if data["form"] != "homeworlds":
            break
        for space in [f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)]:
            doomed = list_graded(game, seat, {"homeworld": [space]}, Grade.DOOMED)
            assert bool(doomed) is (space not in data["choices"]["free"]), space
            tried[bool(doomed)] += 1
    assert min(tried[True], tried[False]) > 5


@pytest.mark.parametrize("kind", ["jump-gate", "jump-gate-2010"])
def test_whatever_can_be_had_is_offered_in_a_choice_of_mid_turn(kind: str) -> None:
    """Of every kind there is, those on offer raise no doubt, and all others do."""
    seen = Counter[str]()
    for game, seat, data in list_positions(kind, 3, 1):
        form, choices = data["form"], data["choices"]
        if form == "turn":
            continue
        for wanted in choices["kinds"]:
            offered = wanted in {one.removesuffix("!") for one in choices["offer"]}
            told = game.check(seat, {form: [wanted]})
            vain = any(one.message.startswith("There is no") for one in told)
            assert vain is not offered, (game.step, wanted, choices["offer"])
            seen[f"{form} {offered}"] += 1
        if form == "collect":
            told = [one.rule for one in game.check(seat, {form: ["none"]})]
            assert ("JGA-7" in told) is not choices["declines"]
            seen[f"declines {choices['declines']}"] += 1
    forms = ["collect"] if kind == "jump-gate-2010" else ["collect", "mark"]
    assert all(seen[f"{form} {answer}"] > 3 for form in forms for answer in (True, False)), seen
