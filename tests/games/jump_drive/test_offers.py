"""Whatever a report offers in words is read as that order when it is copied into a reply."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.finding import Grade
from adjudicator.core.forms.reading import Text, WrittenLine
from tests.games.jump_drive.play import KIND, RULES, walk

SEATS = KIND.seats[:3]
PLACEHOLDER = re.compile(r"\b(?:CARD|PLANET|SEAT)\b")


def orders_in(form: str, text: str) -> Any:
    """What a reply with this line puts on file; None for nothing."""
    value = try_parse_yaml(text, small_keys=True) if ":" in text else None
    known = value if isinstance(value, Text) and isinstance(value.value, dict) else None
    line = WrittenLine(text=text, number=1, raw=text, value=known)
    reading = KIND.free_lines(form, [line], SEATS, ("ready",))
    if reading.text.value is None:
        return None
    read = KIND.read(form, Text(value=reading.text.value), SEATS)
    assert read.findings == (), text
    return read.orders


def offers(report: Mapping[str, Any]) -> list[str]:
    """The words that a form offers, but for those in which something must be filled in."""
    said = " ".join(report["form"]["comments"])
    return [
        one
        for one in re.findall(r"`([^`]+)`", said)
        if not PLACEHOLDER.search(one) and (" " in one or ":" in one)
    ]


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_each_phrase_that_a_form_offers_is_read_as_that_order(seed: int) -> None:
    tried = set()
    for played in walk(seed, SEATS, {}, steps=40):
        form = played.before.table.step
        for seat in played.orders:
            view = RULES.view(played.before, seat)
            report = RULES.report(view, ())
            for text in offers(report):
                if text == "contact_specialist: yes":  # goes with the world before it
                    continue
                orders = orders_in(form, text)
                assert orders, text
                tried.add((form, text.partition(" ")[0]))
                if "contact_specialist" in str(report["form"]["comments"]):
                    continue
                found = RULES.check(view, seat, orders)
                ignored = text in ("discard: auto", "second: ask")  # go with other orders
                assert ignored or not [one for one in found if one.grade is Grade.REFUSED], text
    assert {("place", "place"), ("place", "explore:"), ("opening", "pass:")} <= tried


@pytest.mark.parametrize("seed", [3, 4])
def test_each_card_of_the_hand_that_can_be_placed_is_placed_by_name(seed: int) -> None:
    tried = 0
    for played in walk(seed, SEATS, {}, steps=20):
        if played.before.table.step != "place":
            continue
        for seat in played.orders:
            view = RULES.view(played.before, seat)
            sections = RULES.report(view, ())["sections"]
            for row in next(one for one in sections if one["title"] == "Your hand").get("rows", ()):
                name = row[0].partition(" x")[0]
                orders = orders_in("place", f"place {name}")
                assert orders in ({"world": name}, {"development": name})
                if row[2] == "yes" and "; or " not in row[1]:
                    found = RULES.check(view, seat, orders)
                    assert not [one for one in found if one.grade is Grade.REFUSED], name
                    tried += 1
    assert tried > 10
