"""What falls with a refused entry: the rest of a list done in order, or the whole form."""

from typing import Any

import pytest

from adjudicator.core.forms.order_form import Form, compile_form, read_form
from adjudicator.core.forms.reading import FallenEntries, Text, find_fallen

ACTION = {
    "x-entry": True,
    "type": "object",
    "additionalProperties": False,
    "required": ["do"],
    "properties": {"do": {"enum": ["fly", "land"]}},
}
LIST: dict[str, Any] = {
    "title": "turn orders",
    "x-rule": "T-1",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "actions": {"type": "array", "x-stops": ["end"], "items": ACTION},
        "end": {"type": "boolean"},
        "standing": {"type": "string"},
    },
}
FLY, BAD = {"do": "fly"}, {"do": "swim"}


@pytest.fixture(scope="module")
def form() -> Form:
    return compile_form("turn", LIST)


def test_nothing_falls_where_nothing_is_refused(form: Form) -> None:
    assert read_form(form, Text({"actions": [FLY], "end": "yes"}), {}).fallen == FallenEntries()
    assert find_fallen(form.root, {"actions": [FLY], "end": True}, ()) == FallenEntries()


def test_an_action_that_cannot_be_read_takes_with_it_what_follows(form: Form) -> None:
    """The places are those in what is left: the third action written is the second there."""
    text = Text({"actions": [FLY, BAD, FLY], "end": "yes", "standing": "none"})
    reading = read_form(form, text, {})
    assert reading.orders == {"actions": [FLY, FLY], "end": True, "standing": "none"}
    assert reading.fallen == FallenEntries((("actions", 1), ("end",)), ("actions",))


def test_an_action_that_the_check_refuses_does_the_same(form: Form) -> None:
    orders = {"actions": [FLY, FLY, FLY], "end": True}
    found = find_fallen(form.root, orders, [("actions", 0)])
    assert found == FallenEntries((("actions", 1), ("actions", 2), ("end",)), ("actions",))
    assert find_fallen(form.root, orders, [("actions", 2)]).paths == (("end",),)


def test_a_list_that_cannot_be_read_at_all_stops_at_its_beginning(form: Form) -> None:
    reading = read_form(form, Text({"actions": "soon", "end": "yes"}), {})
    assert reading.orders == {"end": True}
    assert reading.fallen == FallenEntries((("end",),), ("actions",))


def test_what_stands_beside_the_list_falls_alone(form: Form) -> None:
    reading = read_form(form, Text({"actions": [FLY], "end": "perhaps"}), {})
    assert reading.orders == {"actions": [FLY]}
    assert reading.fallen == FallenEntries()


def test_a_form_that_is_one_order_falls_whole() -> None:
    whole = compile_form("place", {**LIST, "x-whole": True})
    reading = read_form(whole, Text({"standing": "none", "end": "perhaps"}), {})
    assert reading.fallen.is_whole
    assert find_fallen(whole.root, {"standing": "none"}, [("standing",)]).is_whole
    assert not find_fallen(whole.root, {"standing": "none"}, ()).is_whole


def test_what_a_form_lacks_as_a_whole_takes_it_whole() -> None:
    lacking = compile_form("second", {**LIST, "x-whole": True, "required": ["end"]})
    reading = read_form(lacking, Text({"standing": "none"}), {})
    assert reading.findings
    assert reading.fallen.is_whole


def test_a_fault_of_no_place_is_one_of_the_whole_form(form: Form) -> None:
    assert find_fallen(form.root, {"standing": "none"}, [()]).is_whole


def test_where_a_list_is_refused_whole_what_comes_after_it_falls(form: Form) -> None:
    fallen = find_fallen(form.root, {"actions": [FLY], "end": True}, [("actions",)])
    assert fallen == FallenEntries((("actions", 0), ("end",)), ("actions",))
