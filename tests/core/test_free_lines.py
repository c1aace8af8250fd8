"""Lines of words as orders: prose is never one, and legal orders written in lines are read back."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.dice import Dice
from adjudicator.core.forms.line_reader import list_bare_texts
from adjudicator.core.forms.orders_as_text import spell_orders, write_inline
from adjudicator.core.forms.reading import FreeReading, Text, WrittenLine
from adjudicator.core.game import Over

LIBRARY = FolderLibrary()
KINDS = ("jump-wars", "jump-gate", "jump-gate-2010", "jump-drive")
KEYS = ("ready", "preview", "clear", "vote", "press", "absent", "prefer", "resign")
FORMS = [(kind, form) for kind in KINDS for form in LIBRARY.kind(kind).forms()]


def read(kind: str, form: str, *texts: str) -> FreeReading:
    lines = []
    for number, text in enumerate(texts, 1):
        value = try_parse_yaml(text, small_keys=True) if ":" in text else None
        known = value if isinstance(value, Text) and isinstance(value.value, dict) else None
        lines.append(WrittenLine(text=text, number=number, raw=text, value=known))
    found = LIBRARY.kind(kind)
    return found.free_lines(form, lines, found.seats[:3], KEYS)


def ordered(kind: str, form: str, *texts: str) -> Any:
    """What the lines come to as orders on file."""
    found, reading = LIBRARY.kind(kind), read(kind, form, *texts)
    given = {k: v for k, v in (reading.text.value or {}).items() if k not in KEYS}
    if not given:
        return None
    form_reading = found.read(form, Text(value=given), found.seats[:3])
    assert form_reading.findings == ()
    return spell_orders(found.form(form), form_reading.orders or {})


SHORT: Mapping[tuple[str, str], Mapping[str, Any]] = {
    (kind, form): texts
    for kind, forms in yaml.safe_load(
        (Path(__file__).parent / "short_forms.yaml").read_text("utf-8")
    ).items()
    for form, texts in forms.items()
}


@pytest.mark.parametrize(
    ("kind", "form", "text"), [(*key, text) for key, texts in SHORT.items() for text in texts]
)
def test_short_forms_are_read_in_every_form(kind: str, form: str, text: str) -> None:
    assert ordered(kind, form, text) == SHORT[kind, form][text]


def test_a_line_leaves_out_what_the_one_above_it_gave() -> None:
    lines = ["3 fleets from I2 to G2", "and 2 fleets to H3"]
    assert ordered("jump-wars", "jump", *lines) == {"jump": ["I2-G2 x3", "I2-H3 x2"]}


@pytest.mark.parametrize("more", ["Mark a gem if there is one.", "What do I find there?"])
def test_a_line_that_goes_on_in_other_words_is_asked_about(more: str) -> None:
    found = read("jump-gate", "turn", f"Fly to anno and scan. {more}")
    assert found.text.value is None
    assert found.odd == ()
    (slip,) = found.slips
    assert slip.meant == {"actions": [{"do": "fly", "to": "anno"}, {"do": "scan"}]}


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("plan", "Improve manufacturing somehow"),
        ("plan", "I trade my attack card to blue"),
        ("jump", "attack green at C3 with all you have"),
    ],
)
def test_a_line_that_tells_to_do_something_is_named_where_it_cannot_be_read(
    form: str, text: str
) -> None:
    found = read("jump-wars", form, "pass", text)
    assert len(found.odd) == 1
    assert text in found.odd[0]
    assert found.is_incomplete


def test_clauses_for_another_form_are_named_beside_what_is_read() -> None:
    found = read("jump-wars", "plan", "build 3 at home, and attack blue with everything from C4")
    assert found.text.value == {"build": "3"}
    (said,) = found.odd
    assert said.startswith('"attack blue with everything from C4": you are asked for jumps')
    assert not found.is_incomplete


def test_a_line_for_another_form_is_named_and_nothing_waits_for_it() -> None:
    found = read("jump-wars", "plan", "build 3", "A10-B9 x3")
    (said,) = found.odd
    assert "you are asked for jumps" in said
    assert not found.is_incomplete


@pytest.mark.parametrize(
    ("kind", "form", "text", "meant"),
    [
        ("jump-drive", "opening", "the gem", None),
        ("jump-drive", "place", "mining world please", {"world": "mining-world"}),
        ("jump-drive", "place", "trendsetters", {"world": "galactic-trendsetters"}),
        (
            "jump-wars",
            "plan",
            "Trade: give diplomacy to red for jump",
            {
                "trade": [
                    {"with": "red", "give": {"cards": ["diplomacy"]}, "want": {"cards": ["jump"]}}
                ]
            },
        ),
        ("jump-wars", "plan", "give blue 5 RT", {"trade": [{"with": "blue", "give": {"rt": 5}}]}),
        (
            "jump-wars",
            "plan",
            "trade 5 rt for attack with blue",
            {"trade": [{"with": "blue", "give": {"rt": 5}, "want": {"cards": ["attack"]}}]},
        ),
    ],
)
def test_few_words_that_can_mean_one_thing_are_asked_about(
    kind: str, form: str, text: str, meant: Any
) -> None:
    found = read(kind, form, text)
    assert found.text.value is None
    assert [slip.meant for slip in found.slips] == ([] if meant is None else [meant])


def test_a_short_line_with_a_card_by_its_number_is_never_passed_over() -> None:
    found = read("jump-gate-2010", "turn", "fly to anno", "n03 for the wide scan")
    assert found.odd[0].startswith('"n03 for the wide scan": it could not be read as an order;')
    assert read("jump-gate-2010", "turn", "fly to anno", "Is n03 any good?").odd == ()


def test_an_order_behind_a_colon_in_a_sentence_is_never_passed_over() -> None:
    text = "Yes, I'd like that trade too: give diplomacy to red for jump."
    (said,) = read("jump-wars", "plan", "build max", text).odd
    assert said.endswith("the form shows how one is written")


def test_the_reason_quotes_the_thing_and_not_its_sentence() -> None:
    (why,) = read("jump-gate", "turn", "Harvest the stones.").odd
    assert why.startswith('"Harvest the stones.": "stones" is not a resource')


@pytest.mark.parametrize(
    "text",
    [
        "Keep up the good work!",
        "What a fine attack, blue.",
        "I give up smoking",
        "Trade winds are blowing, attack is the best defense, they say.",
        "Will you attack me?",
        "Please tell us more of your trade, blue.",
        "Three fleets of blue at J5, how nasty.",
        "I would like to thank everybody for this.",
        "Please say hello to Bo.",
        "Send all my regards",
        "Please give all of us more time.",
    ],
)
def test_courtesies_are_not_named(text: str) -> None:
    assert read("jump-wars", "plan", "build 2", text).odd == ()


def test_quotation_marks_and_spaces_around_an_order_cost_no_time() -> None:
    """A line that nobody would write must not keep the letters of others waiting."""
    assert list_bare_texts(f'"{" " * 4000}b') == [f'"{" " * 4000}b']
    assert list_bare_texts('"* build 2 *".') == ["build 2"]


def test_a_sign_that_nobody_can_type_is_no_end_of_an_order() -> None:
    assert ordered("jump-wars", "plan", "advance jump\0, build 2") is None


@pytest.mark.parametrize("above", ["A1-B2 x1; C4-D5 x2", "Hello!"])
def test_what_could_stand_for_several_things_is_named_and_not_taken(above: str) -> None:
    found = read("jump-wars", "jump", above, "2 fleets to H3")
    assert "does not say from where" in found.odd[0]
    assert found.is_incomplete


@pytest.mark.parametrize(
    ("kind", "form", "text"),
    [
        ("jump-wars", "plan", "I never build two fleets"),
        ("jump-wars", "plan", "Should I build two fleets?"),
        ("jump-wars", "plan", "if blue attacks, build two fleets"),
        ("jump-wars", "jump", "do not move 3 fleets from I2 to H3"),
        ("jump-wars", "jump", "move 3 fleets from I2 to H3 and attack whoever is there"),
        ("jump-gate", "turn", "The end"),
        ("jump-drive", "place", "I would place Gem World if I could"),
    ],
)
def test_what_only_sounds_like_an_order_is_none(kind: str, form: str, text: str) -> None:
    assert ordered(kind, form, text) is None


POLITE = re.findall(
    r"\w+",
    """
    hello thanks for the lovely turn i really enjoyed it and so did my cat we should all play again
    next week because you know how much fun it is to build something great together or to jump
    around while others fight over a world that nobody wants land and scan the horizon ready when
    you are let me know what blue and red think of green attack is defense trade winds were kind to
    us discard your doubts explore more mark my words collect yourself end of story pass the salt
    please wait for me place your bets steal the show ally with friends research shows
    """,
)


def paragraphs() -> st.SearchStrategy[list[str]]:
    """Some lines of polite English, with the words of all the games in them."""
    sentence = st.lists(st.sampled_from(POLITE), min_size=5, max_size=14).map(" ".join)
    ends = st.sampled_from([".", "!", "?", ", ", " :-)", "..."])
    line = st.tuples(sentence, ends).map(lambda pair: pair[0].capitalize() + pair[1])
    return st.lists(line, min_size=1, max_size=4)


@given(st.sampled_from(FORMS), paragraphs())
def test_a_polite_paragraph_is_never_an_order(form: tuple[str, str], lines: list[str]) -> None:
    assert read(*form, *lines).text.value is None


def positions(kind: str) -> Iterator[tuple[Any, Any, str, str]]:
    """The first steps of a game: view, rules, seat and form of whoever owes orders."""
    found = LIBRARY.kind(kind)
    rules, seats = found.rules, found.seats[:3]
    state = rules.setup(found.options({}, seats), seats, Dice(b"s" * 32, "0-setup"))
    for number in range(1, 7):
        due = rules.due(state)
        if isinstance(due, Over):
            return
        dice = Dice(b"s" * 32, f"{number}-step")
        orders = {}
        for seat, owed in due.items():
            view = rules.view(state, seat)
            yield view, rules, seat, owed.form
            orders[seat] = rules.bot(view, seat, dice)
        state, _ = rules.resolve(state, orders, dice)


@pytest.mark.parametrize("kind", KINDS)
def test_legal_orders_written_in_lines_are_read_to_the_same_set(kind: str) -> None:
    found, tried = LIBRARY.kind(kind), 0
    for view, rules, seat, form in positions(kind):
        for number in range(8):
            orders = spell_orders(
                found.form(form), rules.legal(view, seat, Dice(b"t" * 32, f"{number}-t"))
            )
            lines = [write_inline({key: value}) for key, value in orders.items()]
            if not lines:
                continue
            expected = found.read(form, Text(value=dict(orders)), found.seats[:3]).orders
            again = ordered(kind, form, *lines)
            assert again == spell_orders(found.form(form), expected or {}), lines
            tried += 1
    assert tried > 20


@pytest.mark.parametrize(
    ("kind", "form", "said", "same"),
    [
        ("jump-gate", "turn", "Then research, keeping n19.", "research"),
        ("jump-wars", "jump", "1 fleet jumps from J5 to J7.", "J5-J7 x1"),
        ("jump-wars", "jump", "J5 -> J7 (3)", "J5-J7 x3"),
        ("jump-wars", "jump", "Everyone stays home.", "pass"),
        ("jump-wars", "jump", "jump: none", "pass"),
        ("jump-wars", "reveal", "Leave it as it is.", "pass"),
        ("jump-wars", "reveal", "Don't ask me again, please", "standing: {reveal: pass}"),
        ("jump-drive", "explore", "discard: auto", "pass"),
        ("jump-drive", "trim", "Discard auto, please", "pass"),
        ("jump-wars", "jump", "2 ships will go from J1 to J3", "J1-J3 x2"),
        ("jump-gate", "turn", "research, discarding nothing", "research"),
        (
            "jump-gate",
            "turn",
            "Take the water with n18 and do research.",
            "harvest water with n18; research",
        ),
        (
            "jump-gate",
            "turn",
            "scan with n36 and mark fame if it comes up, else sand",
            "scan with n36 and mark fame, sand",
        ),
        (
            "jump-gate-2010",
            "turn",
            "I'd like a long-range-scan of anno with n45.",
            "long-range-scan of anno with n45",
        ),
        ("jump-gate-2010", "turn", "inside-info with n29 first", "inside-info with n29"),
        (
            "jump-drive",
            "place",
            "I'd like to place the Gem World please, nothing to pay for it I think.",
            "place gem-world",
        ),
    ],
)
def test_other_words_are_the_same_orders(kind: str, form: str, said: str, same: str) -> None:
    orders = ordered(kind, form, said)
    assert orders
    assert orders == ordered(kind, form, same)


@pytest.mark.parametrize(
    ("kind", "form", "said", "same"),
    [
        (
            "jump-gate-2010",
            "turn",
            ["First scan, then land with n26 and n33.", "I would like fame, or else water."],
            "scan, land with n26 and n33, taking fame, water",
        ),
        (
            "jump-gate",
            "turn",
            ["Scan with n46, and keep my mark on the fame."],
            "scan with n46, mark none",
        ),
        ("jump-gate", "turn", ["Scan.", "Don't mark anything."], "scan, mark none"),
        (
            "jump-gate",
            "turn",
            ["Please harvest sand and fly on to anno."],
            "harvest sand, fly to anno",
        ),
        (
            "jump-wars",
            "reveal",
            ["Cancel order 2 and send only 2 fleets from J1 to H3 instead."],
            "espionage: cancel 2, rewrite J1-H3 x2",
        ),
        (
            "jump-wars",
            "reveal",
            ["Change my order 2 to J1-H3 x2"],
            "espionage: cancel 2, rewrite J1-H3 x2",
        ),
        ("jump-wars", "reveal", ["Cancel order 2."], "espionage: cancel 2"),
        ("jump-gate", "turn", ["Hi,", "research"], "research"),
        ("jump-wars", "plan", ["build max instead of 2"], "build max"),
        ("jump-wars", "jump", ["Then 6 fleets of A7 go to A5, thanks."], "A7-A5 x6"),
    ],
)
def test_a_sentence_may_go_on_the_one_above_it(
    kind: str, form: str, said: list[str], same: str
) -> None:
    orders = ordered(kind, form, *said)
    assert orders
    assert orders == ordered(kind, form, same)


@pytest.mark.parametrize(
    ("kind", "form", "order", "wish"),
    [
        ("jump-gate", "turn", "research", "I would rather have the gem-blue, or else the water."),
        ("jump-gate", "turn", "research", "Otherwise n26 is for the landing."),
        ("jump-gate", "turn", "scan with n26", "mark the new card"),
        ("jump-gate", "turn", "scan with n26", "Then, if it is fame or so, I mark the thing."),
        (
            "jump-gate",
            "turn",
            "fly to anno",
            "There I scan with n48; if it is fame I mark it, else I don't.",
        ),
        (
            "jump-gate-2010",
            "turn",
            "harvest fame",
            "Then lost-records with n43, to take my marker away.",
        ),
        ("jump-drive", "place", "explore", "All other cards pay for it."),
        ("jump-wars", "plan", "build 2", "I would like my fleets of order 2 to turn round."),
        ("jump-wars", "jump", "A1-B2 x1", "The whole lot of A7 wanders off to A5."),
        ("jump-wars", "plan", "build 2", "If J5 falls, the others are to go home instead."),
        ("jump-wars", "plan", "build 2", f"I want trade{' and so on' * 30}."),
    ],
)
def test_a_wish_that_is_not_taken_is_named_and_keeps_the_step_open(
    kind: str, form: str, order: str, wish: str
) -> None:
    found = read(kind, form, order, wish)
    assert found.is_incomplete
    assert wish[:20] in found.odd[0]


def test_a_question_back_quotes_the_part_that_was_not_understood() -> None:
    text = "Place Trade Pact and Tourist World, but leave me Galactic Federation"
    (slip,) = read("jump-drive", "place", text).slips
    assert slip.text == "but leave me Galactic Federation"
    assert slip.is_part
