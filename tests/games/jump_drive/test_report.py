"""Reports of Jump Drive as their readers get them."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

import adjudicator
from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.dice import Dice
from adjudicator.core.events import Event, list_visible
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Over
from adjudicator.rules.jump_drive.telling.card_words import describe_effect
from adjudicator.rules.jump_drive.telling.report import COMPANIONS
from adjudicator.rules.jump_drive.telling.sentences import TELLERS, Reader, tell
from tests.games.jump_drive.play import KIND, RULES, walk
from tests.games.jump_drive.test_play import as_text

SEATS = ["red", "blue", "green"]


def reported(given: str, orders: str, seat: str | None) -> Mapping[str, Any]:
    """The report to a seat of one step from a position."""
    document = {**load_yaml(given), "options": KIND.options({}, SEATS), "seats": SEATS}
    state = RULES.load(document, Dice(b"key", "given"))
    forms = {
        name: KIND.read(state.table.step, Text(as_text(form)), SEATS).orders
        for name, form in load_yaml(orders).items()
    }
    after, events = RULES.resolve(state, forms, Dice(b"key", "step"), cut=True)
    report: Mapping[str, Any] = RULES.report(RULES.view(after, seat), list_visible(events, seat))
    return report


def shown(given: str, seat: str) -> Mapping[str, Any]:
    """The sections of the report on a position to which nothing has led."""
    document = {**load_yaml(given), "options": KIND.options({}, SEATS), "seats": SEATS}
    state = RULES.load(document, Dice(b"key", "given"))
    return sections(RULES.report(RULES.view(state, seat), ()))


def sections(report: Mapping[str, Any]) -> Mapping[str, Any]:
    return {section["title"]: section for section in report["sections"]}


GIVEN = """
round: 4
hands:
  red: [gem-world, genetics-lab, mining-robots, mining-robots, trade-pact]
  blue: [rebel-outpost, drop-ships, asteroid-belt, asteroid-belt, asteroid-belt]
empires:
  red: [galactic-trendsetters, galactic-trendsetters]
  blue: [space-marines, survey-team, military-convoy]
vp: {red: 21, blue: 12, green: 3}
deck: [comet-zone, new-earth, trade-pact, trade-pact, trade-pact, drop-ships, gem-smugglers]
"""
ORDERS = """
red: {development: genetics-lab, world: gem-world, pay: [mining-robots, trade-pact, mining-robots]}
blue: {development: drop-ships}
"""


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    words = shown(f"{GIVEN}idle: 4", "red")["Players"]["words"]
    assert "1 more round without a card placed or a VP ends the game." in words
    words = shown(f"{GIVEN}idle: 3", "red")["Players"]["words"]
    assert "2 more rounds without a card placed or a VP end the game." in words
    box = RULES.components
    told = describe_effect(box.cards["contact-specialist"], box)
    assert "pays for military worlds that are not yellow: defense less 1 card," in told
    document = {
        "hands": {"red": ["trade-pact"]},
        "empires": {"red": ["survey-team"]},
        "options": KIND.options({}, SEATS),
        "seats": SEATS,
    }
    view = RULES.view(RULES.load(document, Dice(b"key", "given")), "red")
    (finding,) = RULES.check(view, "red", {"development": "trade-pact"})
    assert finding.message == "You have 1 military icon and no Contact Specialist in your empire."


def test_own_orders_come_with_the_cards_that_paid() -> None:
    report = reported(GIVEN, ORDERS, "red")
    assert [(e["text"], e["outcome"], e["rule"]) for e in report["orders"]["entries"]] == [
        ("Genetics Lab for 1 card", "done", "JD-5"),
        ("Gem World for 2 cards; for both Mining Robots x2 and Trade Pact", "done", "JD-6"),
    ]


def test_what_another_paid_with_is_not_told() -> None:
    """It lies face-down: how many cards is told, not which."""
    for seat in ("blue", None):
        texts = [event["text"] for event in reported(GIVEN, ORDERS, seat)["events"]]
        assert "red placed Gem World for 2 cards." in texts
        assert "Mining Robots" not in " ".join(texts)


def test_the_scoring_is_told_player_by_player_and_leads() -> None:
    report = reported(GIVEN, ORDERS, "red")
    scored = [event for event in report["events"] if event["kind"] == "scored"]
    assert [(one["text"], one["rule"], one["about"]) for one in scored] == [
        ("You gained 9 VP and have 30.", "JD-13", "you"),
        ("blue gained 2 VP and has 14.", "JD-13", "others"),
        ("green gained 0 VP and has 3.", "JD-13", "others"),
    ]
    assert report["headline"] == (
        "You gained 9 VP and have 30, blue follows with 14; you placed Genetics Lab and Gem World."
    )
    assert report["turn"] == "round 4"


def test_the_own_empire_is_a_table_with_its_sum() -> None:
    empire = sections(reported(GIVEN, ORDERS, "red"))["Your empire"]
    assert empire["columns"] == ["card", "VP", "income", "military", "explore", "chromosomes"]
    assert empire["rows"] == [
        ["Galactic Trendsetters", "4", "0", "0", "1", "0"],
        ["Galactic Trendsetters", "4", "0", "0", "1", "0"],
        ["Genetics Lab", "1", "0", "0", "1", "0"],
        ["Gem World", "0", "2", "0", "0", "0"],
        ["together", "9", "2", "0", "3", "0"],
    ]
    assert empire["words"] == ["General strength 0."]


def test_the_hand_tells_cost_whether_it_can_be_placed_and_what_it_brings() -> None:
    found = shown(GIVEN, "blue")
    assert found["Your hand"]["columns"] == ["card", "costs now", "can you", "VP", "income"]
    assert found["Your hand"]["rows"] == [
        ["asteroid-belt x3", "2", "yes", "0", "2"],
        ["drop-ships", "3, beside a world 4", "yes", "2", "0"],
        ["rebel-outpost", "strength 5, you have 4", "no, 1 short; JD-7", "5", "0"],
    ]
    does = found["What your cards do"]["lines"]
    assert "rebel-outpost, military gray world, rebel: 5 VP; military 1" in does
    assert "drop-ships, development: 2 VP; military 3" in does
    assert "asteroid-belt, brown world: 2 income; 1 income with Mining Robots" in does


def test_what_too_few_cards_are_there_to_pay_for_cannot_be_placed() -> None:
    given = GIVEN.replace("drop-ships, asteroid-belt, asteroid-belt,", "drop-ships,")
    rows = {row[0]: row[2] for row in shown(given, "blue")["Your hand"]["rows"]}
    assert rows == {
        "asteroid-belt": "yes",
        "drop-ships": "no, 1 card short; JD-6",
        "rebel-outpost": "no, 1 short; JD-7",
    }


@pytest.mark.parametrize("seed", range(3))
def test_every_card_that_cannot_be_placed_says_what_is_missing(seed: int) -> None:
    """Whatever forbids a card alone: the strength, the cards, the icons, the one there is."""
    refused = set()
    state = adjudicator.load("jump-drive").new(seed=seed, seats=4)
    while not state.over:
        for seat in state.seats:
            sections = {one["title"]: one for one in state.report(seat).document["sections"]}
            refused |= {row[2] for row in sections["Your hand"].get("rows", ()) if row[2] != "yes"}
        state = state.close({seat: state.bot(seat) for seat in state.due})
    assert refused
    assert [one for one in refused if not re.fullmatch(r"no, [^;]{4,}; JD-\d+", one)] == []


def test_a_contact_specialist_makes_another_price() -> None:
    given = GIVEN.replace("[galactic-trendsetters, galactic-trendsetters]", "[contact-specialist]")
    given = given.replace("[gem-world, genetics-lab,", "[gem-world, rebel-base, alien-guardians,")
    rows = {row[0]: row[1:3] for row in shown(given, "red")["Your hand"]["rows"]}
    assert rows["rebel-base"] == ["strength 6, you have 0; or 5", "yes"]
    assert rows["alien-guardians"] == ["strength 8, you have 0", "no, 8 short; JD-7"]
    assert rows["mining-robots x2"] == ["0, beside a world 1", "yes"]


def test_the_race_is_there_as_bars_and_in_words() -> None:
    race = sections(reported(GIVEN, ORDERS, "red"))["Race to 50"]
    bar = "red        " + "#" * 30 + "+" * 9 + " " * 11 + "|  30"
    assert race["lines"][0] == bar
    assert race["lines"][-1] == "           0         10        20        30        40        50"
    assert race["words"][0] == (
        "red (you) has 30 VP and gains 9 a round: 50 in 3 rounds if nothing changes."
    )
    assert (
        race["words"][1]
        == "blue has 14 VP and gains 2 a round: 50 in 18 rounds if nothing changes."
    )


def test_the_other_empires_tell_what_each_card_brings() -> None:
    lines = sections(reported(GIVEN, ORDERS, "red"))["The other empires"]["lines"]
    assert lines == [
        "blue: Space Marines, Survey Team (1 income), Military Convoy and Drop Ships (2 VP).",
        "green: no cards yet.",
    ]


def test_cards_are_counted_and_not_named() -> None:
    given = f"{GIVEN}discard: [uplift-code, rebel-world]\n"
    assert shown(given, "red")["Cards"]["lines"] == [
        "Deck: 7 cards. Discard pile, face-down: 2 cards."
    ]


def test_a_bystander_reads_no_hand_and_gets_no_form() -> None:
    report = reported(GIVEN, ORDERS, None)
    assert report["position"]["hand"] is None
    assert report["form"] == {"comments": [], "example": {}}
    assert report["orders"]["entries"] == []
    assert {"Your hand", "Your empire"} & set(sections(report)) == set()


def test_who_waits_while_others_decide_gets_no_form() -> None:
    orders = "{red: {explore: true}, blue: {explore: true, discard: auto}}"
    red, blue = (reported(GIVEN, orders, seat) for seat in ("red", "blue"))
    assert red["form"]["example"]["discard"]
    assert re.fullmatch(r"round 4, discard \d cards of the \d+ in your hand", red["due"]["what"])
    assert blue["form"] == {"comments": [], "example": {}}


def test_the_end_is_told_with_its_rule_and_its_winner() -> None:
    report = reported(GIVEN.replace("red: 21", "red: 45"), ORDERS, "red")
    assert report["headline"] == "You win."
    assert report["over"] == {"winners": ["red"], "text": "red has won the game with 54 VP."}
    (ended,) = [event for event in report["events"] if event["kind"] == "ended"]
    assert (ended["rule"], ended["text"]) == (
        "JD-13", "The game ends: somebody has 50 VP or more.",
    )  # fmt: skip
    assert report["form"] == {"comments": [], "example": {}}


def test_every_card_says_what_it_does() -> None:
    """Nothing of the vocabulary is left without words."""
    cards = RULES.components.cards
    does = {name: describe_effect(card, RULES.components) for name, card in cards.items()}
    assert does["survey-hq"] == (
        "1 VP per 2 explore icons; 1 income per 2 explore icons; explore 2; military 1"
    )
    assert does["alien-technology-institute"] == (
        "4 VP per yellow world; 1 VP per yellow world of the other empire with most; 2 income; "
        "explore 1; yellow worlds cost 2 less; strength 2 against yellow worlds"
    )
    assert does["trade-pact"] == (
        "1 VP; 1 income; 1 income with Trade Pact in another empire; explore 1; at most 1 in an "
        "empire; placed only where the empire has no military icon or has Contact Specialist"
    )
    assert "None" not in " ".join(does.values())
    assert all(does.values())


@pytest.mark.parametrize(
    ("name", "limit", "rule"),
    [
        ("colony-convoy", "if both worlds are non-military (also military ones that", "JD-22"),
        ("military-convoy", "if both worlds are military and conquered, the second with", "JD-23"),
        ("contact-specialist", "defense less 1 card, with a second copy too", "JD-20"),
        ("war-propaganda", "most general strength, unless its owner has as much", "JD-12"),
        ("survey-team", "at most 1 in an empire; taken from the table, once a game", "JD-9"),
        ("new-galactic-order", "1 VP per general strength", ""),
    ],
)
def test_a_card_says_how_far_it_reaches_and_cites_the_rule(
    name: str, limit: str, rule: str
) -> None:
    box = RULES.components
    assert limit in describe_effect(box.cards[name], box)
    assert rule in (RULES.explain_name(name) or "")


@pytest.mark.parametrize("seed", range(6))
def test_every_kind_of_event_has_words_and_every_report_is_whole(seed: int) -> None:
    """No event falls back to bare facts; numbers run through; every event names its rule."""
    seats = KIND.seats[: 2 + seed % 3]
    players = dict.fromkeys(seats, "bot" if seed % 3 == 0 else "legal")
    for step in walk(seed, seats, {"first_game": seed > 3}, players=players):
        for event in step.events:
            assert event.kind in TELLERS or event.kind in COMPANIONS
            assert event.rule in KIND.rulebook
            if event.kind in TELLERS:
                assert "None" not in tell(event, Reader(seats[0], RULES.components)).text
        for seat in (*seats, None):
            report = RULES.report(RULES.view(step.after, seat), list_visible(step.events, seat))
            numbers = [entry["n"] for entry in report["orders"]["entries"]]
            numbers += [event["n"] for event in report["events"]]
            assert sorted(numbers) == list(range(1, len(numbers) + 1))
            assert report["headline"]
            assert not [event for event in report["events"] if event["kind"] in COMPANIONS]
            assert all(len(line) <= 76 for line in report["sections"][0]["lines"])


@pytest.mark.parametrize("seed", range(8))
def test_the_example_in_the_form_can_be_sent_as_it_stands(seed: int) -> None:
    """What the pre-filled form offers is read and taken."""
    seats = KIND.seats[: 2 + seed % 3]
    for step in walk(seed, seats, {"first_game": seed % 2 == 0}):
        due = RULES.due(step.before)
        assert not isinstance(due, Over)
        for seat, owed in due.items():
            view = RULES.view(step.before, seat)
            form = RULES.report(view, ())["form"]
            assert form["comments"]
            reading = KIND.read(owed.form, Text(as_text(form["example"])), seats)
            assert reading.findings == ()
            assert reading.orders == form["example"]
            assert RULES.check(view, seat, reading.orders) == ()


def test_a_card_that_could_not_be_placed_is_told_to_its_writer_alone() -> None:
    """JD-10: a form that a change of the position has overtaken is carried out in part."""
    orders = "{red: {development: genetics-lab, world: gem-world}, blue: {world: rebel-outpost}}"
    (entry, explored) = reported(GIVEN, orders, "blue")["orders"]["entries"]
    assert (entry["text"], entry["outcome"], entry["rule"]) == ("Rebel Outpost", "negated", "JD-7")
    assert entry["why"] == (
        "Rebel Outpost needs 5, you have 4: space marines 2, survey team 1, military convoy 1."
    )
    assert explored["text"].startswith("explore, ")
    for seat in ("red", None):
        texts = [event["text"] for event in reported(GIVEN, orders, seat)["events"]]
        assert "Rebel Outpost" not in " ".join(texts)


SECOND = """
hands: {red: [gem-world, asteroid-belt, mining-robots, mining-robots, genetics-lab]}
empires: {red: [colony-convoy, replicant-robots, war-propaganda], blue: [drop-ships]}
deck: [comet-zone, new-earth, trade-pact, trade-pact, trade-pact, drop-ships]
"""


def test_a_second_world_and_what_leaves_an_empire_are_told() -> None:
    """JD-22: the convoy goes for all to see; JD-12: propaganda goes to the strongest."""
    orders = "{red: {world: asteroid-belt, second: {world: gem-world, by: colony-convoy}}}"
    texts = [event["text"] for event in reported(SECOND, orders, None)["events"]]
    assert "red placed Asteroid Belt for nothing." in texts
    assert "red's Colony Convoy left the empire." in texts
    assert "red placed Gem World as a second world by Colony Convoy, for nothing." in texts
    assert "War Propaganda went from red to blue: the highest strength is 3." in texts


def test_who_is_asked_for_a_second_world_is_offered_one() -> None:
    report = reported(SECOND, "{red: {world: asteroid-belt, second: ask}}", "red")
    assert report["due"]["what"] == "round 1, a second world"
    assert report["form"]["example"] == {"world": "comet-zone", "by": "colony-convoy"}
    assert report["form"]["comments"] == [
        (
            "Possible: `comet-zone by colony-convoy`, `gem-world by colony-convoy`. "
            "`pass: yes` places none."
        )
    ]


def test_whole_games_tell_every_kind_of_event() -> None:
    """No words are written for what never happens; only what nobody meets is left out (JD-10)."""
    unseen = {*TELLERS, *COMPANIONS} - {"negated"}
    for seed in range(60):
        for step in walk(seed, KIND.seats[:4], {}):
            unseen -= {event.kind for event in step.events}
        if not unseen:
            return
    pytest.fail(f"never told: {sorted(unseen)}")


def test_a_card_whose_name_ends_with_a_stop_ends_a_sentence() -> None:
    facts = {"seat": "red", "card": "gem-world", "cost": 1, "named": ["lifeforms-inc"]}
    event = Event(kind="settled", rule="JD-6", seen_by=("red",), data=facts)
    told = tell(event, Reader("red", RULES.components)).text
    assert told == "You placed Gem World for 1 card. Discarded: Lifeforms Inc."


def test_when_the_game_is_over_nobody_gains_any_more() -> None:
    given = "{empires: {red: [trade-pact], blue: [trade-pact]}, vp: {red: 49, blue: 7}}"
    chart = sections(reported(given, "{}", None))["Race to 50"]
    assert chart["words"][:2] == ["red has 50 VP: the goal is reached.", "blue has 8 VP."]
    assert not [line for line in chart["lines"] if "+" in line]
