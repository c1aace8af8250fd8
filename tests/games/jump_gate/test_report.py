"""Reports of Jump Gate as their readers get them."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.dice import Dice
from adjudicator.core.events import Reader, list_visible
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.telling.report import COMPANIONS
from adjudicator.rules.jump_gate.telling.sentences import TELLERS, tell
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, walk
from tests.games.jump_gate.test_play import ALL_VARIANTS, as_text

SEATS = ["red", "blue", "green"]


def reported(
    kind: str, given: str, orders: str, seat: str | None, **options: object
) -> Mapping[str, Any]:
    """The report to a seat of one step from a position."""
    library = LIBRARY.kind(kind)
    document = {**load_yaml(given), "options": library.options(options, SEATS), "seats": SEATS}
    state = library.rules.load(document, Dice(b"key", "given"))
    forms = {
        name: library.read(state.table.step, Text(as_text(form)), SEATS).orders
        for name, form in load_yaml(orders).items()
    }
    after, events = library.rules.resolve(state, forms, Dice(b"key", "step"))
    report: Mapping[str, Any] = library.rules.report(
        library.rules.view(after, seat), list_visible(events, seat)
    )
    return report


def section(report: Mapping[str, Any], title: str) -> Mapping[str, Any]:
    found: Mapping[str, Any]
    (found,) = [one for one in report["sections"] if one["title"] == title]
    return found


def texts(report: Mapping[str, Any]) -> list[str]:
    return [event["text"] for event in report["events"]]


OLD = """
turn: 4
active: red
ring: [anno, cinder, waldwelt, window]
planets:
  anno: {face_up: [gem-red, nothing], face_down: [water!, nothing, fame], scans: {blue: 1}}
  cinder: {face_up: [gem-blue, water], claim: blue}
ships: {red: anno, blue: cinder}
hands: {red: [n02, n04, n16, n17], blue: [n30], green: []}
navcomp_deck: [n05, n06, n07]
navcomp_discard: [n48, n31]
collected: {red: [fame], blue: [water], green: [sand]}
black_hole: {blue: 2}
jump_gate: {red: 1}
""".replace("green: [sand]", "green: [energel-dark]")


def test_a_landing_is_told_with_everything_that_came_of_it() -> None:
    report = reported(FIRST, OLD, "{red: {actions: [{do: land, cards: [n02, n16]}]}}", "blue")
    assert report["turn"] == "turn 4"
    assert report["headline"] == "You took gem-red at anno."
    assert [(event["rule"], event["text"]) for event in report["events"]] == [
        ("JGA-7", "red landed on anno with n02 and n16."),
        ("JGA-7", "red claimed anno."),
        ("JGA-7", 'Turned up at anno: water!, "nothing" and fame.'),
        ("JGA-7", '2 cards of "nothing" left the game from anno.'),
        ("JGA-7", "red collected fame at anno for the landing."),
        ("JGA-7", "You collected gem-red at anno for scan markers."),
    ]
    assert [event["n"] for event in report["events"] if event["about"] == "you"] == [6]
    assert report["orders"]["entries"] == []
    assert report["form"] == {"comments": [], "example": {}}


def test_the_standing_says_by_what_one_is_ranked_and_why_points_fell() -> None:
    """Most markers on the Jump Gate are lost to a jump of another (JGA-12)."""
    told = {
        seat: reported(
            FIRST,
            OLD.replace("jump_gate: {red: 1}", "jump_gate: {blue: 1, red: 1}"),
            "{red: {actions: [{do: jump, to: cinder, card: n04}]}}",
            seat,
        )["standing"]
        for seat in ("red", "blue")
    }
    assert told["blue"].endswith(
        "; your points fell, as red has most markers on the Jump Gate now (JGA-12)"
    )
    assert "fell" not in told["red"]
    assert " of 3; " in told["red"]
    hiding = "ring: [anno, cinder, waldwelt]\nhidden: {red: [sand]}\n"
    second = reported(SECOND, hiding, "{red: {end: true}}", "red")["standing"]
    assert "of 3 by what all can see; " in second
    assert "with your hidden resources" in second


def test_own_actions_come_with_their_outcome_and_the_broken_rule() -> None:
    """JG-5: one entry is not done, with its rule; what follows was not tried."""
    orders = """
    red: {actions: [{do: fly, to: cinder}, {do: jump, to: waldwelt, card: n16}, {do: harvest}],
          end: true}
    """
    report = reported(FIRST, OLD, orders, "red")
    entries = [(e["text"], e["outcome"], e["rule"]) for e in report["orders"]["entries"]]
    assert entries == [
        ("fly from anno to cinder", "done", "JG-9"),
        ("jump to waldwelt, card n16", "negated", "JG-9"),
        ("harvest", "struck", "JG-5"),
        ("end", "struck", "JG-5"),
    ]
    assert all(entry["why"] for entry in report["orders"]["entries"][1:])
    assert report["due"] == {"what": "turn 4, 1 action"}
    assert texts(reported(FIRST, OLD, orders, None)) == ["red flew from anno to cinder."]


@pytest.mark.parametrize(
    ("turn", "moves", "words"),
    [
        (
            4,
            [("gate", "anno"), ("anno", "cinder")],
            "you from the Jump Gate to anno; ",
        ),
        (3, [("anno", "cinder")], ""),
    ],
)
def test_the_ring_shows_the_moves_of_the_whole_turn(
    turn: int, moves: list[tuple[str, str]], words: str
) -> None:
    """JG-4: a turn can take several steps, when a player is asked for its second action."""
    begun = f"moves: [{{turn: {turn}, seat: red, from: gate, to: anno}}]\nactions_left: 1\n"
    fly = "{red: {actions: [{do: fly, to: cinder}]}}"
    report = reported(FIRST, OLD + begun, fly, "red")
    told = [(one["from"], one["to"]) for one in report["position"]["moves"]]
    assert told == moves
    last = section(report, "Ring")["words"][-1]
    assert last == f"Ships that moved in turn 4: {words}you from anno to cinder."


def test_the_ring_is_there_as_a_picture_of_signs_and_in_words() -> None:
    """A screen reader loses nothing: every card, marker and ship is named in words."""
    ring = section(reported(FIRST, OLD, "{red: {actions: [{do: research}]}}", "red"), "Ring")
    drawn = "\n".join(ring["lines"])
    assert drawn.endswith(
        """
anno               cinder
J5 S3 L1,4         J1 S2 L3,4
gr -- +3           gb wa
scans b1           claim blue
ship r             ship b

window             waldwelt
J3 S3 L1,2         J1 S1 L1,2
empty              empty"""
    )
    anno = 'gem-red and "nothing"; 3 face-down.'
    cinder = "gem-blue and water. Claimed by blue. Here: blue."
    assert ring["words"] == [
        "clockwise, each planet with its codes, then what lies there face-up.",
        f"anno (jump 5, scan 3, land 1 and 4): {anno} Scan markers: blue 1. Here: you.",
        f"cinder (jump 1, scan 2, land 3 and 4): {cinder}",
        "waldwelt (jump 1, scan 1, land 1 and 2): no card.",
        "window (jump 3, scan 3, land 1 and 2): no card.",
        "On the Jump Gate: green.",
    ]


NEW = """
turn: 7
active: red
ring: [anno, cinder, waldwelt]
planets:
  anno: {face_up: [gem-red, gem-red!, water], face_down: [fame], marks: {red: gem-red!}}
  cinder: {face_up: [sand], marks: {blue: sand}}
  waldwelt: {claim: blue}
ships: {red: anno, blue: cinder, green: waldwelt}
hands: {red: [n21, n36], blue: [n30], green: [n04, n05]}
navcomp_discard: [n48, n31]
hidden: {red: [water], blue: [sand, sand], green: [fame]}
collected: {red: [water, fame], blue: [sand]}
black_hole: {blue: 2}
"""


def test_marks_lie_on_the_cards_that_they_mark() -> None:
    ring = section(reported(SECOND, NEW, "{}", None), "Ring")
    drawn = "\n".join(ring["lines"])
    assert "gr!=r gr wa +1" in drawn
    assert "sa=b" in drawn
    assert "gem-red! (marked by red), gem-red and water; 1 face-down." in ring["words"][1]


@pytest.mark.parametrize("planets", range(3, 13))
def test_any_ring_is_drawn_whole_and_goes_round(planets: int) -> None:
    """Whoever follows the picture clockwise comes to the planets in their order."""
    ring = list(LIBRARY.kind(FIRST).rules.components.worlds)[:planets]
    given = f"{{ring: [{', '.join(ring)}]}}"
    lines = section(reported(FIRST, given, "{}", None), "Ring")["lines"]
    drawn = lines[lines.index("") + 1 :]
    places = {
        name: (y, line.index(name)) for y, line in enumerate(drawn) for name in ring if name in line
    }
    assert set(places) == set(ring)
    rows = sorted({y for y, _ in places.values()})
    top = [name for name in ring if places[name][0] == rows[0]]
    bottom = [name for name in ring if places[name][0] == rows[-1]]
    assert top == sorted(top, key=lambda name: places[name][1])
    assert bottom == sorted(bottom, key=lambda name: -places[name][1])
    right = ring[len(top) : ring.index(bottom[0])]
    left = ring[ring.index(bottom[-1]) + 1 :]
    assert right == sorted(right, key=lambda name: places[name])
    assert left == sorted(left, key=lambda name: places[name], reverse=True)
    assert {places[name][1] for name in right} <= {places[top[-1]][1]}
    assert {places[name][1] for name in left} <= {0}


def test_the_score_sheet_is_public_but_for_the_readers_own_hidden_cards() -> None:
    sheets = {
        seat: section(reported(SECOND, NEW, "{}", seat), "Score sheet") for seat in ("red", None)
    }
    public = [
        ["0", "0", "0", "5", "2", "0", "7"],
        ["4", "0", "0", "0", "0", "2", "6"],
        ["0", "0", "0", "0", "0", "0", "0"],
    ]
    assert sheets["red"]["columns"][0] == "seat"
    assert sheets["red"]["columns"][-1] == "total"
    assert [row[1:] for row in sheets[None]["rows"]] == public
    assert [row[1:] for row in sheets["red"]["rows"][:3]] == public
    assert sheets["red"]["rows"][3:] == [
        ["you, with hidden", "0", "0", "0", "5", "4", "0", "9"]
    ]  # JG-10: two waters are worth 4


def test_the_picture_of_the_end_has_the_points_that_won() -> None:
    """Hidden resources are shown then, and score (JGB-9)."""
    *_, last = walk(SECOND, 7, 3, {}, who="bot")
    rules = LIBRARY.kind(SECOND).rules
    totals = {e.data["seat"]: e.data["total"] for e in last.events if e.kind == "scored"}
    assert any(one.data["resources"] for one in last.events if one.kind == "hidden-shown")
    position = rules.report(rules.view(last.after, None), last.events)["position"]
    assert {seat: sum(parts.values()) for seat, parts in position["scores"].items()} == totals


def test_the_discard_pile_is_told_the_oldest_first() -> None:
    report = reported(SECOND, NEW, "{red: {actions: [{do: jump, to: cinder, card: n21}]}}", None)
    lines = section(report, "Cards")["lines"]
    assert lines[1] == "Discarded, the oldest first: n48, n31, n21."
    assert report["position"]["discard"] == ["n48", "n31", "n21"]


def test_a_bystander_reads_no_hand_and_gets_no_form() -> None:
    report = reported(SECOND, NEW, "{}", None)
    assert report["position"]["hand"] is None
    assert report["position"]["hidden"] is None
    assert report["form"] == {"comments": [], "example": {}}
    assert report["orders"]["entries"] == []
    assert "Your hand" not in {one["title"] for one in report["sections"]}


def test_cards_that_were_drawn_are_named_to_their_owner_only() -> None:
    orders = "{red: {actions: [{do: research, discard: [n16]}]}}"
    drawn = "drew 2 cards"
    assert f"You {drawn}: n05 and n06." in texts(reported(FIRST, OLD, orders, "red"))
    for seat in ("blue", None):
        assert f"red {drawn}." in texts(reported(FIRST, OLD, orders, seat))


BURN = OLD.replace("ships: {red: anno", "ships: {red: {planet: anno, landed: true}").replace(
    "scans: {blue: 1}", "claim: green"
)


def test_a_landed_player_alone_reads_what_lies_face_down_there() -> None:
    """JGA-14: in an order that does not tell how they lie."""
    orders = "{red: {actions: [{do: research}]}}"
    own = reported(FIRST, BURN, orders, "red", orbital_burn=True)
    assert (
        "Face-down at anno, seen by you: water!, fame and nothing."
        in (section(own, "Your hand")["lines"])
    )
    assert own["position"]["below"] == {"anno": ["water!", "fame", "nothing"]}
    for seat in ("blue", None):
        other = reported(FIRST, BURN, orders, seat, orbital_burn=True)
        assert other["position"]["below"] == {}
        assert "seen by you" not in str(other)


ASKED = NEW.replace("face_down: [fame], ", "").replace("n21, n36", "n19, n43") + "actions_left: 1\n"


def test_a_landing_of_the_second_edition_is_told_with_the_cards_that_were_paid() -> None:
    """JGB-6: all players see which two cards were discarded."""
    orders = "{red: {actions: [{do: land, cards: [n19, n43]}]}}"
    for seat in ("blue", None):
        events = reported(SECOND, ASKED, orders, seat)["events"]
        said = [event["text"] for event in events if event["rule"] == "JGB-6"]
        assert said[0].endswith("landed on anno with n19 and n43.")
        assert said[-1].endswith("claimed anno.")


def test_who_is_asked_gets_a_form_for_it() -> None:
    """JG-15: the others read whom the game waits for."""
    orders = "{red: {actions: [{do: land, cards: [n19, n43]}]}}"
    reports = {
        seat: reported(SECOND, ASKED, orders, seat, interrupts="ask") for seat in ("red", "blue")
    }
    assert reports["red"]["due"]["what"].endswith("what to collect at anno: gem-red! or none")
    assert reports["red"]["form"]["example"] == {"collect": ["gem-red!"]}
    assert reports["blue"]["form"] == {"comments": [], "example": {}}
    asked = "red is asked what to collect at anno."
    assert asked in texts(reports["blue"])


@pytest.mark.parametrize(
    ("standing", "told"), [("", True), ("standing: {red: {black_hole: accept}}\n", False)]
)
def test_who_is_asked_reads_that_a_black_hole_comes_last(standing: str, told: bool) -> None:
    """JG-14: `fame` alone does not bring `fame!` before a card without the icon."""
    given = """
active: red
ring: [anno, cinder, waldwelt, window]
planets: {anno: {face_up: [gem-red, "fame!"]}}
ships: {red: anno}
hands: {red: [n04, n08, n16]}
step: collect
awaiting: {collect: {red: anno}}
"""
    library = LIBRARY.kind(FIRST)
    document = {**load_yaml(given + standing), "seats": SEATS, "options": {"interrupts": "ask"}}
    state = library.rules.load(document, Dice(b"key", "given"))
    form = library.rules.report(library.rules.view(state, "red"), ())["form"]
    hint = "What has a black hole icon comes last, unless named so: `fame!`."
    assert (hint in form["comments"]) is told


def walks(seed: int) -> tuple[str, int, dict[str, object], str]:
    """Some games that differ in all that matters."""
    if seed % 2:
        return SECOND, 2 + seed // 2, {"interrupts": "ask" if seed % 4 == 1 else "policy"}, "legal"
    options = ALL_VARIANTS if seed % 4 else {}
    return FIRST, 2 + seed // 2, {**options}, "bot" if seed == 4 else "legal"


SEEDS = pytest.mark.parametrize(
    "seed", [1, 3, 4, 6, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (0, 2, 5, 7))]
)
"""Always both editions, bots and random play, questions in mid-turn and policies."""


@SEEDS
def test_every_kind_of_event_has_words_and_every_report_is_whole(seed: int) -> None:
    """No event falls back to bare facts; numbers run through; every event names its rule."""
    kind, players, options, who = walks(seed)
    library = LIBRARY.kind(kind)
    for step in walk(kind, seed, players, options, who=who):
        for event in step.events:
            assert event.kind in TELLERS or event.kind in COMPANIONS
            assert event.rule in library.rulebook
            assert "None" not in tell(event, Reader("red")).text
        over = step.after.table.over
        for seat in (*step.after.table.seats, None):
            view = library.rules.view(step.after, seat)
            report = library.rules.report(view, list_visible(step.events, seat))
            numbers = [entry["n"] for entry in report["orders"]["entries"]]
            numbers += [event["n"] for event in report["events"]]
            assert sorted(numbers) == list(range(1, len(numbers) + 1))
            assert report["headline"]
            assert all(len(line) <= 76 for line in section(report, "Ring")["lines"])
            totals = [int(row[-1]) for row in section(report, "Score sheet")["rows"]]
            if over is not None:
                assert totals == [over.scores[one] for one in step.after.table.seats]
                assert report["over"]["winners"] == list(over.winners)
            if over is not None and seat is not None:
                told = " ".join(section(report, "Your hand")["lines"])
                assert not re.search(r"\): |From |Without a card|Harvest", told)  # all is done


def test_every_kind_of_event_happens_in_some_game() -> None:
    """The test above has seen them all, but for what only a player's own fault brings about."""
    seen: set[str] = set()
    for seed in range(34):
        kind, players, options, who = walks(seed % 8)
        for step in walk(kind, seed, players, options, who=who):
            seen |= {event.kind for event in step.events}
    assert (set(TELLERS) | set(COMPANIONS)) - seen == {"negated"}


@SEEDS
def test_the_example_in_the_form_can_be_sent_as_it_stands(seed: int) -> None:
    """What the pre-filled form offers is read, and the check finds nothing to say about it."""
    kind, players, options, who = walks(seed)
    library = LIBRARY.kind(kind)
    for step in walk(kind, seed, players, options, who=who):
        due = library.rules.due(step.before)
        assert not isinstance(due, Over)
        for seat, owed in due.items():
            view = library.rules.view(step.before, seat)
            form = library.rules.report(view, ())["form"]
            assert form["comments"]
            reading = library.read(owed.form, Text(as_text(form["example"])), library.seats)
            assert reading.findings == ()
            assert reading.orders
            assert list(library.rules.check(view, seat, reading.orders)) == []


def test_a_wish_that_the_icon_puts_last_is_warned_of() -> None:
    """JG-14: with `avoid` a card without the icon comes first, unless the wish has its `!`."""
    library = LIBRARY.kind(SECOND)
    document = load_yaml(ASKED)
    document["planets"]["anno"] = {"face_up": ["water!", "sand"]}
    document |= {"step": "collect", "awaiting": {"collect": {"red": "anno"}}, "seats": SEATS}
    document["options"] = library.options({"interrupts": "ask"}, SEATS)
    state = library.rules.load(document, Dice(b"key", "given"))
    view = library.rules.view(state, "red")
    (found,) = library.rules.check(view, "red", {"collect": ["water"]})
    assert "water! has the black hole icon, so sand is collected before it" in found.message
    for wish in ({"collect": ["water!"]}, {"collect": ["sand"]}):
        assert not library.rules.check(view, "red", wish)
    accepted = {"collect": ["water"], "standing": {"black_hole": "accept"}}
    assert not library.rules.check(view, "red", accepted)
