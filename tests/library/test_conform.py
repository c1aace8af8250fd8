"""`adjudicator conform`: every game of ours passes it, and a game with a fault does not."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import adjudicator.rules
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.cli.app import cli
from adjudicator.core.dice import Dice
from adjudicator.core.document import to_plain
from adjudicator.core.events import Event
from adjudicator.library.conform.game_under_test import (
    NonConformanceError,
    Subject,
    find_subjects,
)
from adjudicator.library.conform.play import check_hash_seeds
from adjudicator.library.conform.run import CHECKS, run_check

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "tests" / "toy"
KINDS = FolderLibrary().kinds()


@pytest.fixture(scope="module", params=[*KINDS, "toy"])
def named(request: pytest.FixtureRequest) -> Iterator[str]:
    """A kind of ours, or the folder of the toy game."""
    before = list(adjudicator.rules.__path__)
    yield str(TOY) if request.param == "toy" else str(request.param)
    adjudicator.rules.__path__[:] = before


@pytest.fixture(scope="module")
def subject(named: str) -> Subject:
    (found,) = find_subjects(named, games=2)
    return found


@pytest.mark.parametrize("name", [name for name in CHECKS if name != "scenarios"])
def test_every_game_of_ours_passes(name: str, subject: Subject) -> None:
    assert CHECKS[name](subject)


@pytest.mark.parametrize(
    "named", ["toy", *(pytest.param(kind, marks=pytest.mark.soak) for kind in KINDS)], indirect=True
)
def test_every_game_of_ours_passes_its_scenarios(subject: Subject) -> None:
    """Those of the games as we play them are also tests of their own, in tests/games."""
    assert CHECKS["scenarios"](subject)


@pytest.mark.parametrize(
    "named",
    [
        *("jump-gate-2010", "toy"),
        *(pytest.param(kind, marks=pytest.mark.soak) for kind in KINDS if kind != "jump-gate-2010"),
    ],
    indirect=True,
)
def test_the_order_of_sets_decides_nothing(named: str, subject: Subject) -> None:
    assert check_hash_seeds(subject, module=named)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_every_game_of_ours_passes_with_60_games(kind: str) -> None:
    (found,) = find_subjects(kind, games=60)
    for check in CHECKS.values():
        assert check(found)


# ---- what it finds


class Spoiled:
    """The rules of the toy game with one function that does something else."""

    def __init__(self, rules: Any, **changed: Any) -> None:
        self._rules = rules
        self._changed = changed

    def __getattr__(self, name: str) -> Any:
        changed = self._changed.get(name)
        if changed is None:
            return getattr(self._rules, name)
        return (
            changed if isinstance(changed, tuple) else lambda *a, **k: changed(self._rules, *a, **k)
        )


def events_of(change: Any) -> Any:
    def resolve(rules: Any, *given: Any, **more: Any) -> Any:
        state, events = rules.resolve(*given, **more)
        return state, [change(event) for event in events]

    return resolve


def with_rule(event: Event) -> Event:
    return Event(kind=event.kind, rule="TD-99", seen_by=event.seen_by, data=event.data)


def for_everybody(event: Event) -> Event:
    return Event(kind=event.kind, rule=event.rule, seen_by=None, data=event.data)


def with_fact(event: Event) -> Event:
    data = {**event.data, "surprise": 1}
    return Event(kind=event.kind, rule=event.rule, seen_by=event.seen_by, data=data)


class Counter:
    """Something that is different every time."""

    number = 0

    def stamp(self, event: Event) -> Event:
        Counter.number += 1
        return Event(kind=event.kind, rule=event.rule, seen_by=event.seen_by, data={
            **event.data, "points": Counter.number
        })  # fmt: skip


def open_view(rules: Any, state: Any, seat: str | None) -> Any:
    from msgspec.structs import replace

    seen = rules.view(state, seat)
    return replace(seen, hand=tuple(card for cards in state.hands.values() for card in cards))


def long_report(rules: Any, view: Any, events: Sequence[Event]) -> Any:
    return {**rules.report(view, events), "headline": "two\nlines"}


def half_document(rules: Any, state: Any) -> Any:
    return {**rules.dump(state), "scorer": None, "scores": {}}


def without_a_deck(rules: Any, *given: Any) -> Any:
    from msgspec.structs import replace

    return replace(rules.imagine(*given), deck=())


def of_fixed_dice(rules: Any, view: Any, seat: str | None, _: Dice) -> Any:
    return rules.imagine(view, seat, Dice(b"key", "always"))


def of_other_dice(rules: Any, view: Any, seat: str | None, _: Dice) -> Any:
    Counter.number += 1
    return rules.imagine(view, seat, Dice(b"key", str(Counter.number)))


FAULTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a rule that does not exist": ("rule numbers", {"resolve": events_of(with_rule)}, "TD-99"),
    "a hand that everybody sees": ("secrets", {"view": open_view}, "can see that"),
    "events that tell too much": (
        "secrets", {"resolve": events_of(for_everybody)}, "tell the public"
    ),
    "an imagined game of another size": (
        "imagined", {"imagine": without_a_deck}, "looks different to it"
    ),
    "a single thing that is imagined": (
        "imagined", {"imagine": of_fixed_dice}, "always gives the same position"
    ),
    "dice that are not those given": (
        "imagined", {"imagine": of_other_dice}, "comes out differently"
    ),
    "a twin that is not one": (
        "secrets", {"imagine": without_a_deck}, "can see that red only imagines it"
    ),
    "private events without secrets": ("secrets", {"secrets": ()}, "name no `secrets`"),
    "a state that is not kept": ("documents", {"dump": half_document}, "another state"),
    "a clock in the rules": (
        "determinism", {"resolve": events_of(Counter().stamp)}, "comes out otherwise"
    ),
    "orders that no form takes": (
        "orders", {"legal": lambda _, view, seat, dice: {"play": "horse"}}, "does not read"
    ),
    "orders that must fail": (
        "orders",
        {"bot": lambda _, view, seat, dice: {"from": seat} if view.scorer else {"play": "drake"}},
        "doomed",
    ),
    "a fact that is not described": (
        "reports", {"resolve": events_of(with_fact)}, "does not describe"
    ),
    "a report of another shape": ("reports", {"report": long_report}, "headline"),
}  # fmt: skip


@pytest.fixture
def toy() -> Iterator[Subject]:
    before = list(adjudicator.rules.__path__)
    (found,) = find_subjects(str(TOY), games=6)
    yield found
    adjudicator.rules.__path__[:] = before


@pytest.mark.parametrize("fault", FAULTS)
def test_it_finds(fault: str, toy: Subject) -> None:
    name, changed, told = FAULTS[fault]
    assert run_check(toy, name, CHECKS[name], debug=True).ok
    toy.kind.rules = Spoiled(toy.kind.rules, **changed)
    fresh = Subject(toy.library, toy.kind, toy.games)
    result = run_check(fresh, name, CHECKS[name], debug=False)
    assert not result.ok
    assert told in result.text


def test_a_game_without_end_is_found(toy: Subject) -> None:
    toy.kind.rules = Spoiled(toy.kind.rules, resolve=lambda rules, state, orders, dice: (state, []))
    with pytest.raises(NonConformanceError, match="no end after 3000 steps"):
        Subject(toy.library, toy.kind, 3).played  # noqa: B018


FORMS = "orders/toy_duel"
SHOWN = "tests/toy_duel/scenarios/td-03-no-orders.yaml"
EXCUSED = "tests/toy_duel/without-scenario.yaml"


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "told"),
    [
        ("forms", "orders/toy_duel/pick.yaml", "x-rule: TD-2", "x-rule: TD-20", "TD-20"),
        ("forms", "orders/toy_duel/pick.yaml", "- {play: wolf}", "- {play: wofl}", "wofl"),
        ("examples", f"{FORMS}/examples/pick.fault.yaml", "line: 1", "line: 2", "findings are"),
        ("examples", f"{FORMS}/examples/prize.blue.yaml", "text:", "texts:", "needs title"),
        ("descriptions", f"{FORMS}/report.yaml", "Who drew it.", "Who drew", "in a sentence"),
        ("guide", f"{FORMS}/guide.yaml", "play: wolf", "play: wofl", "did you mean"),
        ("guide", f"{FORMS}/guide.yaml", "  pick: ", "  pack: ", "names no form with pack"),
        ("guide", f"{FORMS}/guide.yaml", "turn: In", "turns: In", "guide.yaml: "),
        ("scenarios", SHOWN, "blue: 4", "blue: 5", "FAIL"),
        ("scenarios", SHOWN, "[TD-3]", "[TD-30]", "TD-30"),
        ("scenarios", f"{FORMS}/scenario.yaml", "red: 5", "red: 4", "scenario.yaml: FAIL"),
        ("scenarios", f"{FORMS}/scenario.yaml", "given:", "giving:", "giving: is no key"),
        ("coverage", SHOWN, "[TD-3]", "[TD-2]", "TD-3 has"),
        ("coverage", EXCUSED, "TD-1:", "TD-2:", "TD-1 has no scenario"),
    ],
)  # fmt: skip
def test_it_finds_in_files(
    name: str, file: str, old: str, new: str, told: str, tmp_path: Path
) -> None:
    shutil.copytree(TOY, tmp_path / "toy")
    path = tmp_path / "toy" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    before = list(adjudicator.rules.__path__)
    try:
        (found,) = find_subjects(str(tmp_path / "toy"), games=3)
        result = run_check(found, name, CHECKS[name], debug=False)
    finally:
        adjudicator.rules.__path__[:] = before
    assert not result.ok
    assert told in result.text


def test_a_game_that_raises_does_not_hide_the_other_checks(toy: Subject) -> None:
    def crash(*_: Any) -> Any:
        raise RuntimeError("out of cards")

    toy.kind.rules = Spoiled(toy.kind.rules, report=crash)
    assert run_check(toy, "forms", CHECKS["forms"], debug=False).ok
    result = run_check(toy, "reports", CHECKS["reports"], debug=False)
    assert (result.ok, result.text) == (False, "the game raised RuntimeError: out of cards")
    with pytest.raises(RuntimeError):
        run_check(toy, "reports", CHECKS["reports"], debug=True)


# ---- the command


@pytest.fixture
def only_ours() -> Iterator[None]:
    before = list(adjudicator.rules.__path__)
    yield
    adjudicator.rules.__path__[:] = before


@pytest.mark.usefixtures("only_ours")
def test_the_command_says_what_was_tried() -> None:
    result = CliRunner().invoke(cli, ["conform", str(TOY)])
    assert result.exit_code == 0, result.output
    title, *lines = result.output.splitlines()
    assert title == "Toy Duel (toy-duel)"
    assert [line.split(":")[0] for line in lines] == [f"ok   {n}" for n in (*CHECKS, "hash seeds")]


@pytest.mark.usefixtures("only_ours")
def test_the_command_names_what_differs_also_for_programs(tmp_path: Path) -> None:
    shutil.copytree(TOY, tmp_path / "toy")
    (tmp_path / "toy" / "orders" / "toy_duel" / "report.yaml").unlink()
    result = CliRunner().invoke(cli, ["conform", "--json", str(tmp_path / "toy")])
    assert result.exit_code == 1
    told = [json.loads(line) for line in result.output.splitlines()]
    assert {to_plain(one)["kind"] for one in told} == {"toy-duel"}
    (failed,) = [one for one in told if not one["ok"]]
    assert failed["check"] == "descriptions"
    assert "report.yaml is not there" in failed["text"]


def test_a_package_is_found_by_its_name_and_its_folder() -> None:
    by_package = find_subjects("adjudicator.rules.jump_gate", games=3)
    assert {one.kind.kind for one in by_package} == {"jump-gate", "jump-gate-2010"}
    by_folder = find_subjects(str(ROOT), games=3)
    assert [one.kind.kind for one in by_folder] == list(KINDS)


def test_a_name_that_is_nothing_is_an_error() -> None:
    result = CliRunner().invoke(cli, ["conform", "nothing"])
    assert result.exit_code == 1
    assert "is not a kind of game" in result.output
