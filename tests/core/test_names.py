"""Names as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.names import fold, match, suggest

CARDS = (
    "attack",
    "miniaturization",
    "manufacturing",
    "nova-bombs",
    "space-raiding",
    "star-docks",
    "jump",
    "planet-jump",
)


@pytest.mark.parametrize(
    "typed", ["nova-bombs", "Nova Bombs", "NOVA_BOMBS", "novabombs", " nova  bombs ", "nova\tbombs"]
)
def test_case_spaces_hyphens_and_underscores_do_not_matter(typed: str) -> None:
    assert match(typed, CARDS) == "nova-bombs"


@pytest.mark.parametrize("typed", ["hunter's post", "Hunter\u2019s Post", "hunters\u00b4post"])
def test_apostrophes_do_not_matter(typed: str) -> None:
    assert match(typed, ("hunters-post", "waldwelt")) == "hunters-post"


@pytest.mark.parametrize(
    ("typed", "meant"), [("att", "attack"), ("Nova", "nova-bombs"), ("mini", "miniaturization")]
)
def test_a_unique_beginning_is_enough(typed: str, meant: str) -> None:
    assert match(typed, CARDS) == meant


@pytest.mark.parametrize("typed", ["m", "s", "", "  ", "-", "bombs", "attacks", "xyzzy"])
def test_what_fits_none_or_several_is_not_guessed(typed: str) -> None:
    assert match(typed, CARDS) is None


def test_the_whole_name_counts_before_beginnings() -> None:
    assert match("jump", ["jumper", "jump", "jump-gate"]) == "jump"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("atack", "attack"), ("nova-bomb", "nova-bombs"), ("stardok", "star-docks")],
)
def test_a_slip_of_the_pen_is_suggested(typed: str, meant: str) -> None:
    assert suggest(typed, CARDS) == meant


@pytest.mark.parametrize(
    ("typed", "names", "meant"),
    [
        ("jmup", ("trade", "jump"), "jump"),  # two signs in the wrong order
        ("fmae", ("sand", "fame"), "fame"),
        ("red", ("gem-white", "gem-red"), "gem-red"),  # a word of the name
        ("minatur", CARDS, "miniaturization"),  # a slip in an abbreviation
        ("miltary", ("colony-convoy", "military-convoy"), "military-convoy"),
        ("dev", ("world", "development"), "development"),
        ("14", ("n13", "n14"), "n14"),
        ("b", ("red", "blue"), "blue"),
        ("rod", ("red", "blue"), "red"),
        ("drow", ("draw", "concede"), "draw"),
        ("jump", ("jmp", "trade"), "jmp"),
        ("Ano", ("window", "anno"), "anno"),
    ],
)
def test_what_was_meant_is_found(typed: str, names: tuple[str, ...], meant: str) -> None:
    assert suggest(typed, names) == meant


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("end", ("red", "blue", "green")),
        ("scan", ("sand", "water", "fame")),
        ("no", ("anno", "window")),
        ("TRUE", ("trade", "jump")),
        ("target", ("do", "to", "take")),
        ("Handel", ("cancel", "rewrite")),
        ("Handel", ("chandleria",)),
        ("a", ("actions", "end")),  # anything begins somehow
        ("n99", ("n39", "n98")),  # another number is another card
        ("3.5", ("n35",)),
        ("world", ("gem-world", "mining-world")),  # which of them?
        ("galctic", ("galactic-salon", "galactic-resort")),
    ],
)
def test_nothing_silly_is_suggested(typed: str, names: tuple[str, ...]) -> None:
    assert suggest(typed, names) is None


@pytest.mark.parametrize("typed", ["", "xyzzy", "qqq"])
def test_nothing_is_suggested_where_nothing_is_near(typed: str) -> None:
    assert suggest(typed, CARDS) is None


def test_a_suggestion_does_not_depend_on_the_order_of_the_names() -> None:
    assert suggest("rd", ["rid", "rod"]) == suggest("rd", ["rod", "rid"]) is not None


@given(st.text(max_size=12))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.sampled_from(CARDS), st.integers(0, 20))
def test_a_match_is_always_one_of_the_names(name: str, length: int) -> None:
    found = match(name[:length], CARDS)
    assert found is None or found in CARDS
    if length >= len(name):
        assert found == name
