"""Forms: text becomes what the schema wants; every fault is told; nothing is ever an exception."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.explanations import format_form
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.document import encode
from adjudicator.core.finding import Grade, format_path
from adjudicator.core.forms import order_form
from adjudicator.core.forms.explanation import explain_form
from adjudicator.core.forms.fault_messages import describe_unknown_name, format_finding
from adjudicator.core.forms.reading import Mark, Reading, Text

SCHEMA: dict[str, Any] = {
    "title": "test orders",
    "description": "A form for the tests.",
    "x-rule": "T-1",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "count": {"type": "integer", "minimum": 0, "maximum": 9, "description": "How many."},
        "sure": {"type": "boolean"},
        "word": {"type": "string"},
        "card": {"$ref": "#/$defs/card"},
        "cards": {
            "type": "array",
            "maxItems": 3,
            "items": {"$ref": "#/$defs/card", "x-entry": True},
        },
        "limit": {"type": ["integer", "null"], "default": None},
        "many": {
            "type": ["integer", "string", "array"],
            "if": {"type": "string"},
            "then": {"enum": ["max"]},
            "items": {"type": "integer", "x-entry": True},
            "default": 1,
        },
        "free": {"type": "object", "additionalProperties": True},
        "places": {
            "type": "object",
            "x-keys": "seat",
            "additionalProperties": {
                "type": "string",
                "x-case": "upper",
                "pattern": "^[A-Z][0-9]$",
            },
        },
        "deep": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"one": {"type": "integer", "x-entry": True}, "two": {"type": "integer"}},
        },
        "acts": {
            "type": "array",
            "items": {
                "x-entry": True,
                "x-rule": "T-2",
                "type": "object",
                "required": ["do"],
                "properties": {"do": {"type": "string", "enum": ["fly", "scan"]}},
                "unevaluatedProperties": False,
                "allOf": [
                    {
                        "if": {"properties": {"do": {"const": "fly"}}, "required": ["do"]},
                        "then": {
                            "required": ["to"],
                            "properties": {"to": {"type": "integer"}},
                        },
                        "else": {"properties": {"with": {"$ref": "#/$defs/card"}}},
                    }
                ],
            },
        },
    },
    "examples": [{"count": 3}],
    "$defs": {"card": {"type": "string", "x-name": "card", "x-noun": "card"}},
}
FORM = order_form.compile_form("test", SCHEMA, {"build": "plan orders"})
NAMES = {"card": ("attack", "nova-bombs", "nova-shield"), "seat": ("red", "blue")}


AMBIGUOUS = 'line 1, acts[1].with: "nova" could be nova-bombs or nova-shield; write more of it'


def _read(text: str) -> Reading:
    return order_form.read_form(FORM, parse_yaml(text), NAMES)


def _told(text: str) -> list[str]:
    return [format_finding(finding) for finding in _read(text).findings]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("", {}),
        ("count: 3", {"count": 3}),
        ("count: 007", {"count": 7}),
        ("COUNT: ' 3 '", {"count": 3}),
        ("sure: no", {"sure": False}),
        ("sure: On", {"sure": True}),
        ("word: no", {"word": "no"}),
        ("word: 12:30", {"word": "12:30"}),
        ("word: 010", {"word": "010"}),
        ("word:", {}),
        ("card: Nova_Bombs", {"card": "nova-bombs"}),
        ("card: att", {"card": "attack"}),
        ("cards: attack", {"cards": ["attack"]}),
        (
            "cards: attack, nova shield; nova bombs",
            {"cards": ["attack", "nova-shield", "nova-bombs"]},
        ),
        ("cards:\n- attack\n-\n- nova bombs", {"cards": ["attack", "nova-bombs"]}),
        ("card: [attack]", {"card": "attack"}),
        ("limit: none", {"limit": None}),
        ("limit: 4", {"limit": 4}),
        ("many: 4", {"many": 4}),
        ("many: Max", {"many": "max"}),
        ("many: [1, 2]", {"many": [1, 2]}),
        ("free: {a: [no], b: {c: 010}}", {"free": {"a": ["no"], "b": {"c": "010"}}}),
        ("places: {Red: a1, bl: 'b 2'}", {"places": {"red": "A1", "blue": "B2"}}),
        ("Deep: {One: 1}", {"deep": {"one": 1}}),
        ("acts: [{do: Fly, to: 3}]", {"acts": [{"do": "fly", "to": 3}]}),
        ("acts: {do: scan, with: attack}", {"acts": [{"do": "scan", "with": "attack"}]}),
    ],
)
def test_text_becomes_what_the_schema_wants(text: str, orders: Any) -> None:
    reading = _read(text)
    assert reading.orders == orders
    assert reading.findings == ()


@pytest.mark.parametrize("is_sure", [True, False])
def test_yes_and_no_have_many_words(is_sure: bool) -> None:
    words = ("yes", "true", "on", "y") if is_sure else ("no", "false", "off", "n")
    for word in words:
        assert _read(f"sure: {word}").orders == {"sure": is_sure}
        assert _read(f"sure: {word.upper()}").orders == {"sure": is_sure}


@pytest.mark.parametrize("word", ["~", "null", "none", "off", "nothing", "None", "OFF"])
def test_where_nothing_may_stand_several_words_say_so(word: str) -> None:
    assert _read(f"limit: '{word}'").orders == {"limit": None}


@pytest.mark.parametrize(("digits", "is_read"), [(15, True), (16, False)])
def test_a_whole_number_has_at_most_fifteen_digits(digits: int, is_read: bool) -> None:
    number = "9" * digits
    reading = _read(f"limit: {number}")
    assert reading.orders == ({"limit": int(number)} if is_read else {})
    assert bool(reading.findings) == (not is_read)


@pytest.mark.parametrize(
    ("text", "told", "orders"),
    [
        ("count: three", ['line 1, count: "three" is not a whole number'], {}),
        ("count: 3.0", ['line 1, count: "3.0" is not a whole number'], {}),
        ("count: -1", ["line 1, count: -1 is less than 0"], {}),
        ("count: 10", ["line 1, count: 10 is more than 9"], {}),
        ("count: " + "9" * 30, ['line 1, count: "' + "9" * 30 + '" is too large a number'], {}),
        ("count: [1, 2]", ["line 1, count: expected a whole number, found a list"], {}),
        (
            "count: {a: 1}",
            ["line 1, count: expected a whole number, found a mapping"],
            {},
        ),
        ("sure: maybe", ['line 1, sure: "maybe" is not yes or no'], {}),
        ("card: atack", ['line 1, card: "atack" is not a card; did you mean "attack"?'], {}),
        (
            "card: nova",
            ['line 1, card: "nova" could be nova-bombs or nova-shield; write more of it'],
            {},
        ),
        (
            "card: zzz",
            ['line 1, card: "zzz" is not a card; expected attack, nova-bombs or nova-shield'],
            {},
        ),
        (
            "cards: [attack, xx]",
            ['line 1, cards[2]: "xx" is not a card; expected attack, nova-bombs or nova-shield'],
            {"cards": ["attack"]},
        ),
        ("cards: [att, att, att, att]", ["line 1, cards: expected at most 3, found 4"], {}),
        ("many: half", ['line 1, many: "half" is not a whole number or "max"'], {}),
        ("many: [1, x, 2]", ['line 1, many[2]: "x" is not a whole number'], {"many": [1, 2]}),
        ("conut: 3", ['line 1, conut: unknown key "conut"; did you mean "count"?'], {}),
        ("count: 1\nbuild: 3", ['line 2, build: "build" belongs to plan orders'], {"count": 1}),
        ("count: 1\nCount: 2", ['line 2, count: "count" appears twice'], {}),
        (
            "places: {mars: A1}",
            ['line 1, places.mars: "mars" is not a seat; expected red or blue'],
            {},
        ),
        ("places: {red: 11}", ['line 1, places.red: "11" cannot be read'], {}),
        (
            "deep: {one: x, two: 2}",
            ['line 1, deep.one: "x" is not a whole number'],
            {"deep": {"two": 2}},
        ),
        ("deep: {one: 1, two: x}", ['line 1, deep.two: "x" is not a whole number'], {}),
        ("deep: 3", ['line 1, deep: "3" is not a block with one and two'], {}),
        ("acts: [{do: fly}]", ['line 1, acts[1]: this has no "to"'], {}),
        ("acts: [{do: fly, to: x}]", ['line 1, acts[1].to: "x" is not a whole number'], {}),
        ("acts: [{do: hop}]", ['line 1, acts[1].do: "hop" is not "fly" or "scan"'], {}),
        (
            "acts: [{do: fly, to: 3, with: attack}]",
            ['line 1, acts[1]: "with" does not go with the rest of this'],
            {},
        ),
        # what does not go with the choice made is told beside another fault
        (
            "acts: [{do: fly, to: x, with: attack}]",
            [
                'line 1, acts[1]: "with" does not go with the rest of this',
                'line 1, acts[1].to: "x" is not a whole number',
            ],
            {},
        ),
        # keys that go with the choice made are no strays because one of them is wrong
        ("acts: [{do: scan, with: nova}]", [AMBIGUOUS], {}),
    ],
)
def test_a_fault_is_told_and_its_entry_left_out(text: str, told: list[str], orders: Any) -> None:
    reading = _read(text)
    assert [format_finding(finding) for finding in reading.findings] == told
    assert {finding.grade for finding in reading.findings} == {Grade.REFUSED}
    assert reading.orders == orders


@pytest.mark.parametrize("nothing", ["", "~", "null", '""'])
def test_a_key_with_nothing_behind_it_is_as_good_as_left_out(nothing: str) -> None:
    reading = _read(f"count: 3\ndeep: {nothing}\ncard: {nothing}\n")
    assert reading.orders == {"count": 3}
    assert reading.findings == ()


def test_faults_of_one_entry_share_it_and_cite_the_nearest_rule() -> None:
    findings = _read("acts:\n- {do: hop, x: 1}\ncount: no\n").findings
    assert [(format_path(f.entry), f.rule, f.line) for f in findings] == [
        ("acts[1]", "T-2", 2),
        ("acts[1]", "T-2", 2),
        ("count", "T-1", 3),
    ]


def test_what_stands_on_file_knows_its_line() -> None:
    reading = _read("cards:\n- xx\n- attack\n- nova bombs\n")
    assert reading.orders == {"cards": ["attack", "nova-bombs"]}
    assert reading.marks[("cards", 0)] == Mark(3, 3)
    assert reading.marks[("cards", 1)] == Mark(4, 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a]", "line 1, column 1: test orders are written as lines of key: value; found a list"),
        ("hello", 'test orders are written as lines of key: value; found "hello"'),
        (
            "x: 1\nbuild: 3",
            'line 2, build: "build" belongs to plan orders, but test orders are due',
        ),
    ],
)
def test_what_is_no_form_of_this_step_is_unreadable(text: str, told: str) -> None:
    reading = _read(text)
    assert reading.orders is None
    (finding,) = reading.findings
    assert finding.grade is Grade.UNREADABLE
    assert told in format_finding(finding)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cards: [" + "x, " * 201 + "]", "line 1, cards: 201 entries, but at most"),
        ("cards: " + "attack," * 9_000, "line 1, cards: 9000 entries, but at most"),
        ("acts:\n" + "- {do: scan}\n" * 201, "line 2, acts: 201 entries, but at most"),
    ],
)
def test_a_list_that_nobody_means_is_refused_whole(text: str, told: str) -> None:
    reading = _read(text + "\ncount: 3")
    assert reading.orders == {"count": 3}
    (finding,) = reading.findings
    assert format_finding(finding) == told + " 200 are read"


def test_a_text_with_faults_without_end_is_no_form() -> None:
    reading = _read("count: 3\n" + "".join(f"k{number}: 1\n" for number in range(2_000)))
    assert reading.orders is None
    assert {finding.grade for finding in reading.findings} == {Grade.UNREADABLE}
    first, *others = [format_finding(finding) for finding in reading.findings]
    assert first == "line 1, column 1: there are more than 100 faults here; these are the first 20"
    assert others == [
        f'line {number + 2}, k{number}: unknown key "k{number}"; the keys are count, sure, word, '
        "card, cards, limit, many, free, places, deep and acts"
        for number in range(20)
    ]


def test_of_faults_that_only_the_schema_finds_the_first_are_told_too() -> None:
    acts = "\n".join(["- {do: fly}"] * 101)
    findings = _read(f"acts:\n{acts}\n").findings
    assert len(findings) == 21
    assert format_finding(findings[-1]) == 'line 21, acts[20]: this has no "to"'


@pytest.mark.parametrize("text", ["word: a{}b", "cards: attack{},attack", "many: 1{};2"])
def test_blanks_without_end_cost_nothing(text: str) -> None:
    start = time.process_time()
    _read(text.format(" " * 60_000))
    assert time.process_time() - start < 10  # far from both: it takes 0.01, or minutes


def test_keys_that_nobody_knows_are_refused_one_by_one() -> None:
    reading = _read("xx: 1\nyy: 2")
    assert reading.orders == {}
    assert [finding.path for finding in reading.findings] == [("xx",), ("yy",)]


def test_orders_that_came_as_values_are_read_as_they_are() -> None:
    given = {"count": 3, "sure": True, "word": 7, "many": [1], "limit": None}
    reading = order_form.read_form(FORM, Text(value=given), NAMES)
    assert reading.orders == {"count": 3, "sure": True, "word": "7", "many": [1], "limit": None}
    assert order_form.read_form(FORM, Text(value={"count": True}), NAMES).orders == {}
    assert order_form.read_form(FORM, Text(value={"count": 1.5}), NAMES).orders == {}
    assert order_form.read_form(FORM, Text(value={"limit": 10**17}), NAMES).orders == {}


def test_defaults_are_filled_in_the_order_of_the_schema() -> None:
    assert list(order_form.fill_defaults(FORM, {"places": {}, "count": 1})) == [
        "count",
        "limit",
        "many",
        "places",
    ]


@pytest.mark.parametrize("reference", ["#/$defs/none", "#/$defs/loop"])
def test_a_reference_that_leads_nowhere_is_an_error_at_once(reference: str) -> None:
    schema = {
        "properties": {"a": {"$ref": reference}},
        "$defs": {"loop": {"items": {"$ref": "#/$defs/loop"}}},
    }
    with pytest.raises(ValueError, match="must name one of"):
        order_form.compile_form("broken", schema)


def test_a_form_can_be_explained() -> None:
    told = explain_form(FORM)
    assert (told["name"], told["title"], told["rule"]) == ("test", "test orders", "T-1")
    assert told["example"] == {"count": 3}
    keys = {key["key"]: key for key in told["keys"]}
    assert list(keys)[:3] == ["count", "sure", "word"]
    assert keys["count"]["what"] == "How many."
    assert keys["many"]["takes"] == "a whole number, max or a list of: a whole number"
    assert keys["many"]["default"] == 1
    assert keys["deep.one"]["takes"] == "a whole number"
    assert keys["acts[].do"]["required"]
    assert keys["acts[].to"]["takes"] == "a whole number"


def test_a_key_that_goes_with_another_says_so() -> None:
    """Several keys of one name, each for another action, can be told apart."""
    told = explain_form(FolderLibrary().kind("jump-gate").form("turn"))
    ways = [(key["key"], key["beside"]) for key in told["keys"]]
    assert ("actions[].do", "") in ways
    assert [beside for key, beside in ways if key == "actions[].to"] == ["do: fly", "do: jump"]
    assert "to: planet (with do: fly)\n" in format_form(told)


JUMP_WARS = FolderLibrary().kind("jump-wars")
SEATS = ("red", "blue")

_WORDS = st.sampled_from(
    [
        *(
            key
            for form in ("plan", "jump", "reveal")
            for key in JUMP_WARS.form(form).root.properties
        ),
        *("advance", "pair", "discard", "targets", "at", "fleets", "from", "to", "with", "give"),
        *(
            "C4-D5 x3",
            "C4-D5",
            "A1",
            "attack",
            "blue",
            "max",
            "all",
            "3",
            "-1",
            "9" * 400,
            "no",
            "",
        ),
    ]
)
_SCALARS = _WORDS | st.text(max_size=12) | st.none() | st.integers() | st.booleans() | st.floats()
_TREES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(_WORDS | st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(form=st.sampled_from(JUMP_WARS.forms()), tree=_TREES)
def test_no_text_is_an_exception_and_what_is_on_file_is_clean(form: str, tree: Any) -> None:
    reading = JUMP_WARS.read(form, Text(value=tree), SEATS)
    if reading.orders is None:
        assert [finding.grade for finding in reading.findings] == [Grade.UNREADABLE]
        return
    encode(reading.orders)
    again = JUMP_WARS.read(form, Text(value=reading.orders), SEATS)
    assert (again.orders, again.findings) == (reading.orders, ())
    for finding in reading.findings:
        assert finding.grade is Grade.REFUSED
        assert finding.rule == "JW-13a"
        assert finding.entry
        assert finding.path[: len(finding.entry)] == finding.entry


def test_a_tree_deeper_than_any_text_is_no_exception() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    for value in ({"jump": deep}, {"build": deep}, {"tech": {"advance": deep}}, {"ally": deep}):
        for form in JUMP_WARS.forms():
            JUMP_WARS.read(form, Text(value=value), SEATS)


def test_where_names_are_many_one_of_them_shows_how_they_are_written() -> None:
    many = [f"n{number:02}" for number in range(1, 49)]
    assert describe_unknown_name("card", "4", many) == '"4" is not a card; for example n01'
