"""What players of Jump Gate write in their own words, read as orders to the last word."""

import pytest

from tests.core.test_free_lines import ordered


@pytest.mark.parametrize(
    ("kind", "form", "said", "same"),
    [
        (
            "jump-gate",
            "turn",
            [
                "Jump to anno, then scan there with n26.",
                "Mark fame if it comes up, else the water.",
            ],
            "jump to anno, scan with n26 and mark fame, water",
        ),
        (
            "jump-gate",
            "turn",
            ["Scan and mark fame or sand, otherwise none."],
            "scan, mark fame, sand, none",
        ),
        ("jump-gate", "turn", ["Hi,", "research", "Thanks, Robin"], "research"),
        (
            "jump-gate",
            "turn",
            ["Fly to anno.", "Land with n26 and n33.", "I take the fame."],
            "fly to anno, land with n26 and n33, taking fame",
        ),
        (
            "jump-gate",
            "turn",
            ["Land with n26 and n33.", "Then take the fame."],
            "land with n26 and n33; harvest fame",
        ),
        (
            "jump-gate-2010",
            "turn",
            ["Hotshot-pilot with n15 and n46.", "I take fame."],
            "hotshot-pilot with n15 and n46, taking fame",
        ),
        ("jump-gate", "mark", ["The water, please"], "mark water"),
        ("jump-gate", "mark", ["water, thanks", "Robin"], "mark water"),
        ("jump-gate", "mark", ["I'll take the fame, otherwise the sand."], "mark fame, sand"),
        ("jump-gate", "mark", ["No thanks"], "mark none"),
        ("jump-gate", "mark", ["Leave my mark where it is"], "mark none"),
        ("jump-gate", "collect", ["the red gem"], "collect gem-red"),
        ("jump-gate-2010", "collect", ["I take nothing."], "collect none"),
        ("jump-gate-2010", "collect", ["You decide!"], "pass"),
        ("jump-gate", "turn", ["scan with n26", "Take care!"], "scan with n26"),
        (
            "jump-gate",
            "turn",
            ["Only scan with n26 this time, please, then I decide."],
            "scan with n26",
        ),
        (
            "jump-gate",
            "turn",
            ["Scan twice, with n33 and with n35"],
            "scan with n33, scan with n35",
        ),
        (
            "jump-gate",
            "turn",
            ["Fly to anno, then land there with n26 and n33"],
            "fly to anno, land with n26 and n33",
        ),
    ],
)
def test_plain_sentences_are_the_orders_that_they_mean(
    kind: str, form: str, said: list[str], same: str
) -> None:
    orders = ordered(kind, form, *said)
    assert orders
    assert orders == ordered(kind, form, same)
