"""What the form offers, to those only who may; and what stands above and around the events."""

from typing import Any

import pytest
import yaml

from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.dice import Dice
from tests.games.jump_wars.play import KIND, RULES
from tests.games.jump_wars.test_report import SEATS, reported

TABLE = """
map: {A1: {home: red}, J10: {home: blue}, A10: {home: green}, E5: {home: empire}}
fleets: {red: {A1: 3}, blue: {J10: 3}, green: {A10: 3}, empire: {E5: 3}}
"""


def offered(given: str, seat: str) -> str:
    """The comments of the form that a seat gets in a position."""
    options = KIND.options({"old_empire": True}, SEATS)
    state = RULES.load(
        {**load_yaml(TABLE), **load_yaml(given), "options": options, "seats": SEATS},
        Dice(b"key", "given"),
    )
    return " ".join(RULES.report(RULES.view(state, seat), ())["form"]["comments"])


@pytest.mark.parametrize(
    ("given", "offer"),
    [
        ("hands: {red: [jump, jump], blue: [jump], green: [trade]}", "`tech: {pair: jump}`"),
        ("hands: {red: [progenitor-ruins], blue: [jump]}", "`draw: {progenitor_ruins: true}`"),
        (("specials: {red: [positronic-brains], blue: [positronic-brains]}\n"
         "tokens: {red: 10, blue: 9, green: 30}"), "`draw: {positronic_brains: true}`"),
        ("levels: {red: {trade: 2}}", "`steal: SEAT`"),
        ("levels: {red: {diplomacy: 3}, blue: {diplomacy: 2}}", "`ally: SEAT`"),
        (
            "fleets: {blue: {J10: 3}, green: {A10: 3}}\nhands: {red: [trade]}",
            "You have no fleets now, but you still play: a card gives tokens",
        ),
        ("specials: {red: [star-docks]}", "Your ability star-docks: build on star fields"),
        ("step: jump\nspecials: {red: [planet-jump]}", "`move_homeworld: SPACE`"),
        ("step: jump\nspecials: {red: [nova-bombs]}", "`fight: {nova_bombs:"),
        (("step: jump\nspecials: {red: [leadership], blue: [leadership]}\n"
          "used: {blue: [leadership]}"), "`leadership: TECHNOLOGY`"),
        ("step: reveal\nwritten: {red: [A1-B1 x1]}\nlevels: {red: {espionage: 2}}",
         "`espionage: {cancel: 1,"),
        (("step: reveal\nwritten: {blue: [J10-J9 x1]}\nhands: {red: [trade], green: [trade]}\n"
         "specials: {red: [time-jump], blue: [time-jump]}"), "`time_jump: {discard: trade,"),
    ],
)  # fmt: skip
def test_a_form_offers_what_its_reader_may_do_and_others_may_not(given: str, offer: str) -> None:
    assert offer in offered(given, "red")
    for other in ("blue", "green"):
        assert offer.partition(":")[0] not in offered(given, other)


def test_whoever_has_no_homeworld_is_not_offered_to_build() -> None:
    """A ruling may take it away; then nothing can be built (JW-26)."""
    for homes, example in (("{A1: {home: red}}", {"build": "max"}), ("{}", {})):
        position = {
            **load_yaml(f"map: {homes}"),
            "options": KIND.options({}, SEATS),
            "seats": SEATS,
        }
        view = RULES.view(RULES.load(position, Dice(b"key", "given")), "red")
        assert RULES.report(view, ())["form"]["example"] == example


@pytest.mark.parametrize("tech", ["trade", "diplomacy", "espionage"])
def test_who_shares_the_highest_level_is_offered_nothing(tech: str) -> None:
    """JW-9."""
    step = "step: reveal\nwritten: {red: [A1-B1 x1]}\n" if tech == "espionage" else ""
    shared = f"{step}levels: {{red: {{{tech}: 2}}, blue: {{{tech}: 2}}}}"
    assert "highest" not in offered(shared, "red")
    assert "highest" in offered(shared.replace(f"blue: {{{tech}: 2}}", "blue: {}"), "red")


def test_who_chooses_a_homeworld_knows_what_is_taken_and_who_is_served_first() -> None:
    """JW-4: in seat order, on the empty map; JW-61: the old empire's space is never free."""
    options = KIND.options(
        {"homeworlds": "choose", "spacing": 4, "old_empire": True, "start_player": "blue"}, SEATS
    )
    state = RULES.setup(options, SEATS, Dice(b"key", "0-setup"))
    report = RULES.report(RULES.view(state, "red"), ())
    assert report["form"]["comments"] == [
        "Rank the spaces where you would like your homeworld, in order of preference.",
        "Each gets the first that is free and at least 4 from every other homeworld.",
        "Served in this order: blue, green, red.",
        "`pass: yes` names none: you get the free space farthest from all.",
        "The old empire has its homeworld on E5 already.",
    ]
    assert report["sections"][0]["words"] == ["The counters are not dealt yet."]
    plain = RULES.setup(KIND.options({"homeworlds": "choose"}, SEATS), SEATS, Dice(b"key", "0"))
    told = RULES.report(RULES.view(plain, "red"), ())["form"]["comments"]
    assert "old empire" not in " ".join(told)


def test_the_old_empire_stands_among_the_fleets_and_who_holds_it_is_counted() -> None:
    options = KIND.options({"old_empire": True}, SEATS)
    position = {**load_yaml(TABLE), "options": options, "seats": SEATS}
    state = RULES.load(position, Dice(b"key", "given"))
    sections = {s["title"]: s for s in RULES.report(RULES.view(state, "red"), ())["sections"]}
    assert "the old empire: E5 (the old empire's homeworld) 3." in sections["Fleets"]["lines"]
    held = {**position, "fleets": {"red": {"E5": 2}}, "empire": {"by": "red", "turns": 2}}
    state = RULES.load(held, Dice(b"key", "given"))
    sections = {s["title"]: s for s in RULES.report(RULES.view(state, "blue"), ())["sections"]}
    assert sections["Standings"]["words"][0] == "The old empire has been held by red: 2 of 3."
    assert "the old empire: no fleets." in sections["Fleets"]["lines"]


def test_everybody_knows_who_is_served_first_and_when_it_ends() -> None:
    """JW-8, JW-62."""
    options = KIND.options({"start_player": "blue", "turn_limit": 9}, SEATS)
    state = RULES.setup(options, SEATS, Dice(b"key", "0-setup"))
    for seat in ("red", None):
        sections = RULES.report(RULES.view(state, seat), ())["sections"]
        (standings,) = [s for s in sections if s["title"] == "Standings"]
        assert standings["words"] == [
            "Seat order, the start player first: blue, green, red.",
            "The last turn is 9, if nobody has won before.",
        ]


def test_an_alliance_stands_above_the_orders_that_it_binds() -> None:
    report = reported(f"{TABLE}levels: {{red: {{diplomacy: 2}}}}", "{red: {ally: blue}}", "green")
    (standings,) = [s for s in report["sections"] if s["title"] == "Standings"]
    assert standings["words"][0] == "blue is red's ally this turn."


FIGHTS = """
step: jump
turn: 4
map: {A1: {home: red}, J10: {home: blue}, A10: {home: green}}
fleets: {red: {A1: 1, D5: 1}, blue: {J10: 1, D5: 2, A1: 1}, green: {A10: 1, G7: 1}}
"""


@pytest.mark.parametrize(
    ("more", "seat", "headline"),
    [
        # the own homeworld, before another own fight in which more was lost
        ("", "red", "You held A1 against blue; you lost 1 fleet at D5 to blue."),
        ("", "blue", "You took D5 from red, losing 1; you lost 1 fleet at A1 to red."),
        ("", "green", "red and blue fought at A1."),  # somebody's homeworld before other fights
        ("blue: {A10: 1}", "green", "You held A10 against blue."),
        # an own fight before those of others
        ("blue: {D5: 2, G7: 1}", "green", "You lost 1 fleet at G7, nobody is left there."),
        ("blue: {D5: 2}", None, "red and blue fought at D5."),
    ],
)
def test_the_headline_is_what_matters_most_to_its_reader(
    more: str, seat: str | None, headline: str
) -> None:
    given = load_yaml(FIGHTS)
    if more:
        given["fleets"]["blue"] = {"J10": 1, **load_yaml(f"{{{more}}}")["blue"]}
    assert reported_from(given, seat) == headline


def reported_from(given: dict[str, Any], seat: str | None) -> str:
    """The headline when nobody orders anything."""
    return str(reported(yaml.safe_dump(given), "{}", seat)["headline"])


def test_who_has_won_is_told_to_all() -> None:
    position = {
        **load_yaml(TABLE),
        "options": KIND.options({"old_empire": True}, SEATS),
        "seats": SEATS,
    }
    for winners, text in (
        ([], "The game is drawn."),
        (["blue"], "blue has won the game in turn 7."),
        (["red", "blue"], "red and blue share the victory in turn 7."),
    ):
        over = {**position, "turn": 7, "over": {"winners": winners}}
        state = RULES.load(over, Dice(b"key", "given"))
        told = RULES.report(RULES.view(state, "red"), ())
        assert told["over"] == {"winners": winners, "text": text}
        assert told["form"] == {"comments": [], "example": {}}
