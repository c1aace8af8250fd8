"""Lines of words as orders: prose is never one, and legal orders written in lines are read back."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.dice import Dice
from adjudicator.core.forms.orders_as_text import write_inline
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
    return found.spelled(form, form_reading.orders or {})


SHORT: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("jump-wars", "plan"): {
        "tech: advance jump": {"tech": {"advance": ["jump"]}},
        "build 3": {"build": 3},
        "cutting edge: attack and attack": {"cutting_edge": ["attack", "attack"]},
        "draw: progenitor ruins": {"draw": {"progenitor_ruins": True}},
        "steal from blue": {"steal": "blue"},
        "sabotage: discard trade, player blue, at C4": {
            "sabotage": [{"discard": "trade", "player": "blue", "at": "C4"}]
        },
        "build: A1 x2, B3 max": {"build": ["A1 x2", "B3 max"]},
        "build max and nothing else": {"build": "max"},
        "Max build.": {"build": "max"},
        "tech: nova bombs": {"tech": {"advance": ["nova-bombs"]}},
        "I discard sabotage to mine more.": {"mine": {"discard": ["sabotage"]}},
        "build as much as possible at B3": {"build": ["B3 max"]},
        "I'd like to build as many fleets as I can.": {"build": "max"},
        "I raise manufacturing with my card.": {"tech": {"advance": ["manufacturing"]}},
        "upgrade trade with both cards": {"tech": {"pair": "trade"}},
        "Use progenitor ruins to draw two more cards, then build max": {
            "draw": {"progenitor_ruins": True},
            "build": "max",
        },
        "Build 3 at home": {"build": 3},
        "build two ships at C4": {"build": ["C4 x2"]},
        "put all my money into fleets": {"build": "max"},
        "improve manufacturing and use trade for mining": {
            "tech": {"advance": ["manufacturing"]},
            "mine": {"discard": ["trade"]},
        },
        "Please build two fleets, then advance my jump card": {
            "build": 2,
            "tech": {"advance": ["jump"]},
        },
    },
    ("jump-wars", "jump"): {
        "jump: A1-B2 x3, C4-D5 all": {"jump": ["A1-B2 x3", "C4-D5 all"]},
        "A1 - B2 x 3": {"jump": ["A1-B2 x3"]},
        "A1->B2 x3; C4-D5 all": {"jump": ["A1-B2 x3", "C4-D5 all"]},
        "fight: targets blue, green": {"fight": {"targets": ["blue", "green"]}},
        "move homeworld B2": {"move_homeworld": "B2"},
        "then jump 2 fleets from I2 to H3": {"jump": ["I2-H3 x2"]},
        "I2 H3 2": {"jump": ["I2-H3 x2"]},
        "shoot at blue first": {"fight": {"targets": ["blue"]}},
        "nobody moves": {"pass": True},
        "move three fleets from I2 to H3 and leave the rest": {"jump": ["I2-H3 x3"]},
        "jump 3 fleets from I2 to G2 and 2 to H3": {"jump": ["I2-G2 x3", "I2-H3 x2"]},
        "I'll move all my ships from I2 to H3, please.": {"jump": ["I2-H3 all"]},
        "Leave all fleets where they are": {"pass": True},
        "Attack G2 with 4 fleets from H2. F4 stays.": {"jump": ["H2-G2 x4"]},
        "H2 to G2 with 1, J3 to G2 with all 4 and E3 stays.": {"jump": ["H2-G2 x1", "J3-G2 x4"]},
        "Send 3 from J3 to H3, the two at I3 to H2. New fleets stay home.": {
            "jump": ["J3-H3 x3", "I3-H2 x2"]
        },
    },
    ("jump-wars", "reveal"): {
        "I change nothing.": {"pass": True},
        "Use my time jump on green's order 1, discarding the attack card.": {
            "time_jump": {"discard": "attack", "player": "green", "order": 1}
        },
        "negate green's order 2 with trade": {
            "time_jump": {"discard": "trade", "player": "green", "order": 2}
        },
        "espionage: cancel 2, rewrite C4-C5 x2": {
            "espionage": {"cancel": 2, "rewrite": "C4-C5 x2"}
        },
    },
    ("jump-wars", "homeworlds"): {"homeworld C3, D4": {"homeworld": ["C3", "D4"]}},
    ("jump-gate", "turn"): {
        "fly to anno": {"actions": [{"do": "fly", "to": "anno"}]},
        "actions: jump anno with n14, scan": {
            "actions": [{"do": "jump", "card": "n14", "to": "anno"}, {"do": "scan"}]
        },
        "land with n02 and n16, take fame": {
            "actions": [{"do": "land", "cards": ["n02", "n16"], "take": ["fame"]}]
        },
        "end": {"end": True},
        "swap n43 and n16 for new ones": {
            "actions": [{"do": "research", "discard": ["n43", "n16"]}]
        },
        "jump to anno with 14, then land with 2 and 16": {
            "actions": [
                {"do": "jump", "card": "n14", "to": "anno"},
                {"do": "land", "cards": ["n02", "n16"]},
            ]
        },
        "refill my hand": {"actions": [{"do": "research"}]},
        "use card 14 to jump to anno": {"actions": [{"do": "jump", "card": "n14", "to": "anno"}]},
        "fly to anno and scan": {"actions": [{"do": "fly", "to": "anno"}, {"do": "scan"}]},
        "I fly to anno, then I land there and take fame": {
            "actions": [{"do": "fly", "to": "anno"}, {"do": "land", "take": ["fame"]}]
        },
        "Harvest the sand with n26, then research without discarding.": {
            "actions": [{"do": "harvest", "card": "n26", "take": ["sand"]}, {"do": "research"}]
        },
        "Do research and discard n43 and n16, then fly to sethium.": {
            "actions": [
                {"do": "research", "discard": ["n43", "n16"]},
                {"do": "fly", "to": "sethium"},
            ]
        },
        "discard n43 and do research": {"actions": [{"do": "research", "discard": ["n43"]}]},
        "scan with n14, mark the gem": {
            "actions": [{"do": "scan", "card": "n14", "mark": ["gem-white", "gem-red", "gem-blue"]}]
        },
        "harvest the blue gem": {"actions": [{"do": "harvest", "take": ["gem-blue"]}]},
        "jump to anno with n14, then do research and throw away n04 and n07": {
            "actions": [
                {"do": "jump", "card": "n14", "to": "anno"},
                {"do": "research", "discard": ["n04", "n07"]},
            ]
        },
        "harvest energel-dark and then energel-light": {
            "actions": [
                {"do": "harvest", "take": ["energel-dark"]},
                {"do": "harvest", "take": ["energel-light"]},
            ]
        },
        "harvest fame using n09, then please scan again with n27": {
            "actions": [
                {"do": "harvest", "card": "n09", "take": ["fame"]},
                {"do": "scan", "card": "n27"},
            ]
        },
        "Harvest the water with my last card, then research": {
            "actions": [{"do": "harvest", "take": ["water"]}, {"do": "research"}]
        },
        "OK then scan with n37 as the second action": {"actions": [{"do": "scan", "card": "n37"}]},
        "scan with n36 and mark fame if it's there, otherwise anything": {
            "actions": [
                {
                    "do": "scan",
                    "card": "n36",
                    "mark": [
                        *("fame", "fame", "energel-light", "energel-dark"),
                        *("gem-white", "gem-red", "gem-blue", "water", "sand"),
                    ],
                }
            ]
        },
        "land with n02 and n46 and take fame if there is any, otherwise water": {
            "actions": [{"do": "land", "cards": ["n02", "n46"], "take": ["fame", "water"]}]
        },
        "scan, then see what it reveals": {"actions": [{"do": "scan"}]},
        "fly to anno and then stop there for now": {"actions": [{"do": "fly", "to": "anno"}]},
        "scan and then end my turn": {"actions": [{"do": "scan"}], "end": True},
    },
    ("jump-gate", "collect"): {"collect fame, water": {"collect": ["fame", "water"]}},
    ("jump-gate", "mark"): {"mark: fame": {"mark": ["fame"]}},
    ("jump-gate-2010", "turn"): {
        "special n33 player blue": {
            "actions": [{"do": "special", "card": "n33", "player": "blue"}]
        },
        "Use the hotshot pilot with n15 and n08": {
            "actions": [{"do": "special", "card": "n15", "cards": ["n08"]}]
        },
        "backroom deal at anno with n09, I want fame": {
            "actions": [{"do": "special", "card": "n09", "at": "anno", "take": ["fame"]}]
        },
        "long range scan window with n03": {
            "actions": [{"do": "special", "card": "n03", "at": "window"}]
        },
        "inside info n37": {"actions": [{"do": "special", "card": "n37"}]},
        "return to orbit": {"actions": [{"do": "return-to-orbit"}]},
    },
    ("jump-drive", "place"): {
        "place Mining World for Genetics Lab": {"world": "mining-world", "pay": ["genetics-lab"]},
        "place Space Marines and Gem World for Genetics Lab, Genetics Lab": {
            "development": "space-marines",
            "world": "gem-world",
            "pay": ["genetics-lab", "genetics-lab"],
        },
        "Explore! You decide what to discard.": {"explore": True, "discard": "auto"},
        "explore, discard auto": {"explore": True, "discard": "auto"},
        "explore and you choose which to discard": {"explore": True, "discard": "auto"},
        "Explore and throw away the Gem World": {"explore": True, "discard": ["gem-world"]},
        "Place Mining World, paid for with the Genetics Lab": {
            "world": "mining-world",
            "pay": ["genetics-lab"],
        },
        "Build the Mining World and pay with my Genetics Lab": {
            "world": "mining-world",
            "pay": ["genetics-lab"],
        },
        "develop the Space Marines and settle the Gem World": {
            "development": "space-marines",
            "world": "gem-world",
        },
        "place Space Marines, discard Gem World for it": {
            "development": "space-marines",
            "pay": ["gem-world"],
        },
        "play Mining World, pay with whatever you like": {"world": "mining-world"},
        "Gem World as my world, and Space Marines as development": {
            "development": "space-marines",
            "world": "gem-world",
        },
        "Gem World as my world, paying with the Genetics Lab": {
            "world": "gem-world",
            "pay": ["genetics-lab"],
        },
        "explore and discard for me": {"explore": True, "discard": "auto"},
        "second: world gem-world by colony convoy": {
            "second": {"world": "gem-world", "by": "colony-convoy"}
        },
    },
    ("jump-drive", "second"): {
        "Gem World by Colony Convoy": {"world": "gem-world", "by": "colony-convoy"}
    },
    ("jump-drive", "opening"): {
        "discard Gem World and Genetics Lab": {"discard": ["gem-world", "genetics-lab"]},
        "throw away Gem World and Genetics Lab": {"discard": ["gem-world", "genetics-lab"]},
        "Discard the Gem World and the Genetics Lab please": {
            "discard": ["gem-world", "genetics-lab"]
        },
        "discard the Gem World and one Genetics Lab": {"discard": ["gem-world", "genetics-lab"]},
        "ditch Gem World + Genetics Lab": {"discard": ["gem-world", "genetics-lab"]},
        "Gem World and Genetics Lab can go": {"discard": ["gem-world", "genetics-lab"]},
        "you choose": {"pass": True},
        "your choice": {"pass": True},
    },
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
    assert found.odd == ('"n03 for the wide scan": it could not be read as an order of this form',)
    assert read("jump-gate-2010", "turn", "fly to anno", "Is n03 any good?").odd == ()


def test_an_order_behind_a_colon_in_a_sentence_is_never_passed_over() -> None:
    text = "Yes, I'd like that trade too: give diplomacy to red for jump."
    (said,) = read("jump-wars", "plan", "build max", text).odd
    assert said.endswith("it could not be read as an order of this form")


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
    ],
)
def test_courtesies_are_not_named(text: str) -> None:
    assert read("jump-wars", "plan", "build 2", text).odd == ()


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
            orders = found.spelled(form, rules.legal(view, seat, Dice(b"t" * 32, f"{number}-t")))
            lines = [write_inline({key: value}) for key, value in orders.items()]
            if not lines:
                continue
            expected = found.read(form, Text(value=dict(orders)), found.seats[:3]).orders
            again = ordered(kind, form, *lines)
            assert again == found.spelled(form, expected or {}), lines
            tried += 1
    assert tried > 20
