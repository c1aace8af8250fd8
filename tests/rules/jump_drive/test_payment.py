"""Why a payment, or a conquest, is refused is told in plain words (JD-6, JD-7)."""

import pytest

from adjudicator.core.dice import Dice
from tests.games.jump_drive.play import KIND, RULES

SEATS = ("red", "blue")


def _told(hand: list[str], pay: list[str]) -> str:
    """What red reads who places Space Marines with this payment."""
    document = {
        "seats": list(SEATS),
        "options": KIND.options({}, SEATS),
        "hands": {"red": hand, "blue": []},
    }
    state = RULES.load(document, Dice(b"key", "given"))
    orders = {"development": "space-marines", "pay": pay}
    (found,) = RULES.check(RULES.view(state, "red"), "red", orders)
    assert found.rule == "JD-6"
    return found.message


@pytest.mark.parametrize(
    ("hand", "pay", "told"),
    [
        (["space-marines"], "gem-world", "Gem World is not in your hand; it cannot pay."),
        (
            ["space-marines"],
            "space-marines",
            "Space Marines is placed or paid elsewhere; it cannot pay.",
        ),
        (
            ["space-marines", "gem-world", "comet-zone"],
            ["gem-world", "comet-zone"],
            "The cost is 1 card, the list has 2.",
        ),
    ],
)
def test_a_card_that_cannot_pay_is_named_with_the_reason(
    hand: list[str], pay: str | list[str], told: str
) -> None:
    assert _told(hand, pay if isinstance(pay, list) else [pay]) == told


def test_the_cost_of_a_development_and_a_world_is_told_for_each() -> None:
    """JD-6: what is placed first helps at once."""
    hand = ["replicant-robots", "rosetta-stone-world", *["comet-zone"] * 2, *["gem-world"] * 2]
    document = {
        "seats": list(SEATS),
        "options": KIND.options({}, SEATS),
        "hands": {"red": hand, "blue": []},
    }
    state = RULES.load(document, Dice(b"key", "given"))
    orders = {
        "development": "replicant-robots",
        "world": "rosetta-stone-world",
        "pay": ["comet-zone", "comet-zone"],
    }
    (finding,) = RULES.check(RULES.view(state, "red"), "red", orders)
    parts = "(Replicant Robots 3, Rosetta Stone World 0 after it), the list has 2."
    assert finding.message.endswith(parts), finding.message


def test_who_could_pay_for_a_world_that_is_too_strong_reads_how() -> None:
    """JD-20: a specialist that is placed in the same form helps."""
    hand = ["contact-specialist", "pirate-lair", "comet-zone", "comet-zone"]
    document = {
        "seats": list(SEATS),
        "options": KIND.options({}, SEATS),
        "hands": {"red": hand, "blue": []},
    }
    state = RULES.load(document, Dice(b"key", "given"))
    orders = {"development": "contact-specialist", "world": "pirate-lair"}
    (finding,) = RULES.check(RULES.view(state, "red"), "red", orders)
    way_out = "To pay for it with cards, add `contact_specialist: yes` (JD-20)."
    assert (finding.rule, way_out in finding.message) == ("JD-7", True)
    (finding,) = RULES.check(RULES.view(state, "red"), "red", {"world": "pirate-lair"})
    assert (finding.rule, way_out in finding.message) == ("JD-7", False)
