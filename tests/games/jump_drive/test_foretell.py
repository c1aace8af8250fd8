"""What a receipt of Jump Drive says that a form will do."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.dice import Dice
from tests.games.jump_drive.play import KIND, RULES, walk

SEATS = ["red", "blue"]


def foretold(
    hand: Sequence[str],
    empire: Sequence[str],
    form: Mapping[str, Any],
    other: Sequence[str] = (),
) -> Sequence[str]:
    """What red is told who has this hand and this empire."""
    document = {
        "hands": {"red": list(hand)},
        "empires": {"red": list(empire), "blue": list(other)},
        "options": KIND.options({}, SEATS),
        "seats": SEATS,
    }
    view = RULES.view(RULES.load(document, Dice(b"key", "given")), "red")
    assert RULES.check(view, "red", form) == ()
    told: Sequence[str] = RULES.foretell(view, "red", form)
    return told


def test_another_copy_of_what_is_placed_may_pay_for_the_second_world() -> None:
    """JD-6: a card being placed cannot pay, a copy of it that stays in hand can."""
    form = {
        "development": "genetics-lab",
        "world": "pirate-fuel-cache",
        "pay": ["rebel-stronghold", "rebel-world"],
        "second": {"world": "gem-world", "by": "colony-convoy"},
    }
    placed = ["genetics-lab", "pirate-fuel-cache", "gem-world"]
    told = foretold([*placed, "rebel-stronghold", "rebel-world"], ["colony-convoy"], form)
    assert "To be discarded: Rebel Stronghold and Rebel World." in told
    form["second"] = {"world": "comet-zone", "by": "colony-convoy"}
    placed = ["genetics-lab", "pirate-fuel-cache", "comet-zone"]
    hand = [*placed, "rebel-stronghold", "rebel-world", "genetics-lab"]
    told = foretold(hand, ["colony-convoy"], form)
    assert "To be discarded: Rebel Stronghold, Rebel World and Genetics Lab." in told


def test_the_card_drawn_may_go_for_the_second_world() -> None:
    """JD-21: it may be used to pay, so the program may pick it (JD-31)."""
    second = {"world": "comet-zone", "by": "colony-convoy"}
    form = {"world": "gem-world", "pay": ["trade-pact", "drop-ships"], "second": second}
    hand = ["gem-world", "comet-zone", "trade-pact", "drop-ships", "rebel-world"]
    told = foretold(hand, ["colony-convoy"], form)
    assert "To be discarded: Trade Pact, Drop Ships and Rebel World." in told
    assert "The card drawn for Gem World may go for the second world instead." in told
    form["second"] = {**second, "pay": ["rebel-world"]}
    assert not [line for line in foretold(hand, ["colony-convoy"], form) if "instead" in line]


def test_an_explorer_is_told_how_many_cards_come_and_go() -> None:
    """JD-11: 2 more than explore icons + 3, and what the empire brings all the same."""
    empire = ["survey-team", "gem-world"]
    gains = "As the empires stand, yours brings 0 VP and 3 cards of income this round."
    drawn = "You explore: 7 cards are drawn, then 5 of all you hold go."
    asked = "You are asked which when you have seen them."
    end = (gains, "Then you have 0 VP.", "Then you hold 5 cards.")
    assert foretold([], empire, {"explore": True}) == (drawn, asked, *end)
    auto = "The program chooses for you."
    assert foretold([], empire, {"explore": True, "discard": "auto"}) == (drawn, auto, *end)
    assert foretold([], empire, {}) == (drawn, auto, *end)
    assert foretold([], empire, {"pass": True}) == (drawn, auto, *end)
    first = "The cards of your list go first, the rest the program chooses for you."
    wanted = {"explore": True, "discard": ["gem-world"]}
    assert foretold([], empire, wanted) == (drawn, first, *end)


def test_propaganda_goes_where_it_would_go_now() -> None:
    """JD-12: what the own placement moves is counted; what others place is not known."""
    form = {"development": "drop-ships"}
    hand = ["drop-ships", "gem-world", "gem-world", "comet-zone"]
    assert foretold(hand, [], form, ["war-propaganda"])[2:-2] == (
        "As the empires stand, War Propaganda goes to you.",
        "As the empires stand, yours brings 5 VP and 1 card of income this round.",
    )
    assert foretold(hand, [], form, ["war-propaganda", "space-marines"])[2:-2] == (
        "As the empires stand, yours brings 2 VP and 0 cards of income this round.",
    )
    assert foretold([], ["war-propaganda"], {"explore": True}, ["space-marines"])[2:-2] == (
        "As the empires stand, War Propaganda goes to blue.",
        "As the empires stand, yours brings 0 VP and 0 cards of income this round.",
    )


def test_the_hand_limit_and_the_end_are_told() -> None:
    """JD-15, JD-13: from hand, costs, the card of a world alone, and income."""
    world = ["gem-world", "rebel-world", "comet-zone", *["genetics-lab"] * 2]
    world += ["pirate-fuel-cache", "rebel-stronghold"]
    told = foretold([*world, "trade-pact", "drop-ships", "space-marines"], [], {"explore": True})
    assert (
        told[-1]
        == "Then you hold 12 cards, and 2 cards over the limit go: you are asked which (JD-15)."
    )


def test_a_trim_list_still_counts_in_the_step_second() -> None:
    """JD-15: it stood in the place form and waits for the end of the round."""
    document: dict[str, Any] = {
        "step": "second",
        "hands": {"red": ["rebel-world", *["genetics-lab"] * 2, *["trade-pact"] * 2]},
        "empires": {"red": ["colony-convoy", "gem-world"]},
        "placed": {"red": {"world": "gem-world"}},
        "asked": ["red"],
        "trims": {"red": ["rebel-world"]},
        "options": KIND.options({}, SEATS),
        "seats": SEATS,
    }

    def foretell(**given: Any) -> str:
        state = RULES.load({**document, **given}, Dice(b"key", "given"))
        told: Sequence[str] = RULES.foretell(RULES.view(state, "red"), "red", {"pass": True})
        return told[-1]

    assert foretell() == "Then you hold 7 cards, so nothing of your trim list goes (JD-15)."
    assert foretell(trims={}) == "Then you hold 7 cards."
    hand = [*document["hands"]["red"], "drop-ships", "comet-zone", "pirate-lair", "asteroid-belt"]
    over = "Then you hold 11 cards, and 1 card over the limit goes"
    assert foretell(hands={"red": hand}) == f"{over}: your list says which (JD-15)."
    assert foretell(hands={"red": hand}, trims={}) == f"{over}: you are asked which (JD-15)."
    empty = foretell(hands={"red": hand}, trims={"red": []})
    assert empty == f"{over}: the program chooses (JD-15)."


def test_the_steps_that_ask_for_discards_say_which_go() -> None:
    """Named or the program's choice, and what is kept (JD-2, JD-31)."""
    hand = ["gem-world", "genetics-lab", "rebel-world", "comet-zone", "trade-pact", "drop-ships"]
    document = {
        "step": "opening",
        "hands": {"red": [*hand, "space-marines"]},
        "options": KIND.options({}, SEATS),
        "seats": SEATS,
    }
    state = RULES.load(document, Dice(b"key", "given"))
    view = RULES.view(state, "red")
    named = RULES.foretell(view, "red", {"discard": ["gem-world", "trade-pact"]})
    assert named == ("You discard Gem World and Trade Pact, and keep 5 cards.",)
    (told,) = RULES.foretell(view, "red", {"pass": True})
    _, events = RULES.resolve(state, {"red": {"pass": True}}, Dice(b"key", "step"))
    (gone,) = [
        one.data["cards"]
        for one in events
        if one.kind == "discarded-cards" and one.seen_by == ("red",)
    ]
    for card in gone:
        assert RULES.components.cards[card].name in told
    assert told.endswith("the program's choice (JD-31), and keep 5 cards.")


def test_what_is_foretold_of_a_round_comes_true() -> None:
    """Points and hand at its end, where the others explore, which gains nothing by itself."""
    compared = 0
    for seed in range(6):
        for step in walk(seed, SEATS, {}):
            if step.before.table.step != "place":
                continue
            for seat, orders in step.orders.items():
                told = " ".join(RULES.foretell(RULES.view(step.before, seat), seat, orders))
                held = re.search(r"Then you hold (\d+) cards?\.", told)
                points = re.search(r"Then you have (\d+) VP", told)
                after, _ = RULES.resolve(step.before, {seat: orders}, step.dice)
                goes_on = after.table.step == "place" and after.table.over is None
                if held and points and goes_on:
                    assert len(after.hands[seat]) == int(held[1])
                    assert after.table.vp[seat] == int(points[1])
                    compared += 1
    assert compared > 20
