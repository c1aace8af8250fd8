"""Small talk beside clear orders: the orders count, and nothing waits for words to people."""

import pytest

from tests.core.test_free_lines import read

CLEAR = {
    "jump-wars": ("plan", "build: 2", {"build": "2"}),
    "jump-gate": ("turn", "actions: [research]", {"actions": ["research"]}),
    "jump-drive": ("place", "world: gem-world", {"world": "gem-world"}),
}


@pytest.mark.parametrize("kind", CLEAR)
@pytest.mark.parametrize(
    "text",
    [
        "Please pass my regards to red.",
        "Give my best to blue!",
        "Send my love to green.",
        "I pay my respects to blue.",
        "I'd like to thank green for the game.",
        "Please say hello to blue",
        "Let me raise a glass to red.",
        "Pass my thanks to the GM.",
    ],
)
def test_a_courtesy_is_passed_over_and_the_orders_below_it_count(kind: str, text: str) -> None:
    form, order, filed = CLEAR[kind]
    found = read(kind, form, text, order)
    assert found.text.value == filed
    assert (found.odd, found.slips, found.is_incomplete) == ((), (), False)


@pytest.mark.parametrize("kind", CLEAR)
@pytest.mark.parametrize(
    "text",
    ["I will pass on the banter this time.", "Pass it on, please.", "I keep my promise, blue."],
)
def test_words_that_cannot_change_the_orders_are_named_and_nothing_waits(
    kind: str, text: str
) -> None:
    form, order, filed = CLEAR[kind]
    found = read(kind, form, text, order)
    assert found.text.value == filed
    assert [text in one for one in found.odd] == [True]
    assert (found.slips, found.is_incomplete) == ((), False)


@pytest.mark.parametrize(
    "text",
    [
        "Pass unless blue attacks",
        "Pass my fleets to C4 instead",
        "Give my regards to blue and steal his card",
        "Give my regards to blue with jump",
        "Pass my thanks and 2 fleets to blue",
        "steal from red, blue",
    ],
)
def test_an_order_among_small_talk_is_never_passed_over(text: str) -> None:
    found = read("jump-wars", "plan", text, "build: 2")
    assert found.odd or found.slips
    assert found.is_incomplete or found.slips


def test_without_clear_orders_a_pass_in_other_words_keeps_those_on_file_waiting() -> None:
    assert read("jump-wars", "plan", "I will pass on building.").is_incomplete


def test_a_list_given_as_a_whole_counts_beside_a_line_that_may_be_one_more_action() -> None:
    text = "fly to ano"
    found = read("jump-gate", "turn", text, "actions: [{do: fly, to: anno}]")
    assert found.text.value == {"actions": [{"do": "fly", "to": "anno"}]}
    assert found.slips == ()
    assert [text in one for one in found.odd] == [True]
    assert found.is_incomplete


def test_actions_in_lines_of_their_own_wait_for_the_one_above_them() -> None:
    found = read("jump-gate", "turn", "fly to ano", "research")
    assert found.text.value is None
    assert found.meant == {"actions": [{"do": "fly", "to": "anno"}, {"do": "research"}]}


def test_a_sentence_that_says_what_the_form_gives_is_not_asked_about() -> None:
    text = "gem world please"
    assert read("jump-drive", "place", text).slips
    found = read("jump-drive", "place", text, "world: gem-world")
    assert found.text.value == {"world": "gem-world"}
    assert (found.slips, found.odd, found.is_incomplete) == ((), (), False)


def test_what_is_not_understood_beside_what_the_form_gives_is_named() -> None:
    text = "I will place Gem World as below."
    assert read("jump-drive", "place", text).slips
    found = read("jump-drive", "place", text, "world: gem-world")
    assert found.text.value == {"world": "gem-world"}
    assert found.slips == ()
    assert ["as below" in one for one in found.odd] == [True]
    assert found.is_incomplete
