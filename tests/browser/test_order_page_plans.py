"""Plans for later steps, made on the page on which orders are chosen."""

import random
from pathlib import Path

import pytest

import adjudicator
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.forms.reading import Text
from tests.browser.order_pages import (
    KINDS,
    list_forms,
    list_positions,
    open_page,
    open_part,
    pack,
    write_pages,
)
from tests.browser.showing import Shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("site"))


PLANNED = {
    "jump-wars": ("plan", "jump"),
    "jump-drive": ("place", "second", "explore", "trim"),
    "jump-gate": ("turn",),
    "jump-gate-2010": ("turn",),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_later_step_is_planned_with_the_same_controls(
    kind: str, shown: Shown, folder: Path
) -> None:
    chance, source, planned = random.Random(kind), adjudicator.load(kind).source, set()
    for number, (game, _, data) in enumerate(list_forms(kind, 2)):
        for step in PLANNED[kind]:
            if number > 1 and step in planned:
                continue
            open_page(shown, folder, kind, pack(data))
            open_part(shown, "later")
            button = shown.page.query_selector(f"#plan button:text-is('Plan my next {step}')")
            if button is None:
                continue
            button.click()
            for _ in range(7):
                able = shown.page.query_selector_all(
                    "#board button:not(:disabled):not([aria-label^='Back'])"
                )
                chance.choice(able).click()
            head = f"{data['form']} {data['envelope']['step']}"
            written = parse_yaml(shown.page.input_value("#text")).value
            assert isinstance(written, dict)
            if "ahead" not in written:  # what was tapped was taken back by another tap
                continue
            (plan,) = written["ahead"]
            orders = {key: one for key, one in plan.items() if key not in ("step", "if")}
            read = source.read(plan["step"], Text(value=orders), game.seats)
            when = source.read("ahead", Text(value=plan.get("if")), game.seats)
            assert (read.findings, when.findings) == ((), ()), (head, plan)
            if orders:
                planned.add(plan["step"])
            shown.page.click("#plans button:text-is('Take out')")
            assert "ahead: []" in shown.page.input_value("#text")
    assert planned == set(PLANNED[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_plan_is_made_by_keyboard_alone(kind: str, shown: Shown, folder: Path) -> None:
    _, _, data = next(one for one in list_forms(kind, 2) if one[2]["form"] != "homeworlds")
    open_page(shown, folder, kind, pack(data))
    keyboard = shown.page.keyboard

    def go_to(words: str) -> None:
        for _ in range(200):
            keyboard.press("Tab")
            here = str(shown.page.evaluate(FOCUSED))
            if here.startswith(words):
                return
        pytest.fail(f"no key leads to “{words}”")

    go_to("Plans for later steps")
    keyboard.press("Enter")
    go_to("Plan my next")
    keyboard.press("Enter")
    assert shown.page.evaluate(FOCUSED) == "Back to this step"
    go_to(DEED[kind])
    keyboard.press("Enter")
    go_to("I hold") if kind == "jump-drive" else go_to(CONDITION[kind])
    keyboard.press("Enter")
    keyboard.press("Shift+Tab")
    for _ in range(60):
        if shown.page.evaluate(FOCUSED) == "Back to this step":
            break
        keyboard.press("Shift+Tab")
    keyboard.press("Enter")
    assert shown.page.evaluate(FOCUSED) == "Plans for later steps"
    (plan,) = parse_yaml(shown.page.input_value("#text")).value["ahead"]
    assert {"if", "step"} < plan.keys()
    go_to("Send")
    assert shown.page.get_attribute("#send", "href")


FOCUSED = "document.activeElement.textContent"
DEED = {
    "jump-wars": "Order nothing",
    "jump-drive": "Explore, and let",
    "jump-gate": "Research",
    "jump-gate-2010": "Research",
}
CONDITION = {"jump-wars": "I have", "jump-gate": "no other", "jump-gate-2010": "no other"}


def test_plans_on_file_are_shown_and_left_alone(shown: Shown, folder: Path) -> None:
    _, _, data = next(list_positions("jump-gate", 1, 1))
    waiting = [{"step": "turn", "if": {"left": 2}, "actions": [{"do": "research"}]}]
    open_page(shown, folder, "jump-gate", pack({**data, "ahead": waiting}))
    open_part(shown, "later")
    assert "turn, if {left: 2}: {actions: [{do: research}]}" in shown.page.inner_text("#plans")
    assert "ahead" not in shown.page.input_value("#text")
    shown.page.click("#plans button:text-is('Change')")
    shown.page.click("#board button[aria-label^='no other ship']")
    assert (
        "- {if: {left: 2, alone: true}, step: turn, actions: [{do: research}]}"
        in shown.page.input_value("#text")
    )
