"""Reports of Jump Wars as their readers get them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec import convert

from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.dice import Dice
from adjudicator.core.document import decode, encode
from adjudicator.core.events import Event, fold_companions, list_visible
from adjudicator.core.finding import Grade
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Over
from adjudicator.rules.jump_wars.position.state import State
from adjudicator.rules.jump_wars.telling.report import COMPANIONS
from adjudicator.rules.jump_wars.telling.sentences import TELLERS, Reader, tell
from tests.games.jump_wars.play import KIND, RULES, walk
from tests.games.jump_wars.test_play import as_text

SEATS = ["red", "blue", "green"]


def position(given: str = "{}", seats: Sequence[str] = SEATS) -> State:
    """A position as a scenario would write it."""
    document = {**load_yaml(given), "options": KIND.options({}, seats), "seats": seats}
    return RULES.load(document, Dice(b"key", "given"))


def reported(given: str, orders: str, seat: str | None) -> Mapping[str, Any]:
    """The report to a seat of one step from a position."""
    state = position(given)
    forms = {
        name: KIND.read(state.table.step, Text(as_text(form)), SEATS).orders
        for name, form in load_yaml(orders).items()
    }
    after, events = RULES.resolve(state, forms, Dice(b"key", "step"), cut=True)
    return RULES.report(RULES.view(after, seat), list_visible(events, seat))


FIGHT = """
step: jump
turn: 4
map: {A1: {home: red}, J10: {home: blue}, A10: {home: green}, D5: nebula}
fleets: {red: {A1: 3, D5: 2}, blue: {E5: 6}}
held: {D5: red}
levels: {blue: {attack: 2}}
"""


def test_a_report_reads_the_same_from_events_that_were_stored() -> None:
    """Storing sorts the keys of an event by name; no sentence may follow their order."""
    kinds = set()
    for played in walk(5, ["red", "green", "blue"], {"start_player": "green"}, steps=60):
        for seat in (None, "red", "blue"):
            events = list_visible(played.events, seat)
            stored = convert(decode(encode(events)), tuple[Event, ...])
            view = RULES.view(played.after, seat)
            told = (RULES.report(view, events), RULES.report(view, stored))
            assert encode(told[0]) == encode(told[1])
        kinds |= {event.kind for event in played.events}
    assert {"revealed", "fight", "mined", "jumped"} <= kinds


def test_a_fight_is_told_round_by_round_with_its_reasons() -> None:
    report = reported(FIGHT, "{blue: {jump: [E5-D5 x6]}}", "red")
    (fight,) = [event for event in report["events"] if event["kind"] == "fight"]
    assert fight["rule"] == "JW-50"
    assert fight["about"] == "you"
    assert fight["text"] == "Fight at D5: you lost 2 of 2 and blue lost 4 of 6; blue with 2 left."
    assert report["headline"] == "blue took D5 from you, you lost 2."
    assert fight["details"] == [
        "You: 2 fleets, initiative 2, attack 2, defense 2 (defender in a nebula).",
        "blue: 6 fleets, initiative 1, attack 2, defense 1.",
        "Round 1, initiative 2: you dealt 4 damage to blue; blue lost 4, 2 left.",
        "Round 1, initiative 1: blue dealt 4 damage to you; you lost 2, 0 left.",
    ]


def test_a_long_fight_is_summed_up_after_20_rounds_and_whole_in_the_data() -> None:
    fleets = "fleets: {red: {D5: 1}, blue: {E5: 1}}"
    levels = "levels: {red: {defense: 90}, blue: {defense: 90}}"
    given = "\n".join(
        line for line in FIGHT.splitlines() if not line.startswith(("fleets", "levels"))
    )
    report = reported(f"{given}\n{fleets}\n{levels}\n", "{blue: {jump: [E5-D5 x1]}}", "red")
    (fight,) = [event for event in report["events"] if event["kind"] == "fight"]
    number = len(fight["data"]["rounds"])
    assert number > 21
    assert fight["details"][-2].startswith("Round 20, ")
    assert fight["details"][-1] == (
        f"Rounds 21 to {number}: blue lost 1; every round is in the report's JSON."
    )


def test_everybody_reads_what_each_would_mine_and_pay() -> None:
    given = FIGHT.replace(
        "levels: {blue: {attack: 2}}", "levels: {blue: {attack: 2, manufacturing: 3}}"
    )
    given = given.replace("nebula}", "cluster}") + "tokens: {blue: 4}\n"
    for seat in ("blue", "red", None):
        report = reported(given, "{blue: {jump: [E5-J10 x6]}}", seat)
        (economy,) = [s for s in report["sections"] if s["title"] == "Economy"]
        rows = {row[0].partition(" ")[0]: row[1:] for row in economy["rows"]}
        assert rows == {"red": ["0", "7", "5"], "blue": ["4", "0", "6"], "green": ["0", "0", "5"]}


def test_what_is_raised_until_the_turn_ends_is_not_mined_with_again() -> None:
    given = FIGHT.replace("nebula}", "cluster}").replace(
        "levels: {blue: {attack: 2}}",
        "levels: {red: {manufacturing: 2}}\nraised: {red: {manufacturing: 1}}",
    )
    sections = {one["title"]: one for one in reported(given, "{}", "red")["sections"]}
    (economy,) = [row for row in sections["Economy"]["rows"] if row[0].startswith("red")]
    assert economy[2] == "14"  # 2 x 7, as in the test above


def test_the_position_tells_what_the_step_changed_own_orders_included() -> None:
    given = FIGHT + "specials: {blue: [assimilation]}\n"
    for seat in ("blue", "red", None):
        position = reported(given, "{blue: {jump: [E5-D5 x6]}}", seat)["position"]
        assert position["changes"] == {
            "jumps": [{"seat": "blue", "from": "E5", "to": "D5", "fleets": 6}],
            "homeworlds": [],
            "fights": [{"at": "D5", "left": {"blue": 2}, "lost": {"red": 2, "blue": 4}}],
            "gained": [{"seat": "blue", "at": "D5", "fleets": 1}],
            "lost": [],
            "revealed": [],
        }


def test_who_lands_on_ones_empty_homeworld_concerns_its_owner() -> None:
    orders = "{blue: {jump: [J10-A10 x1, E5-E6 x1]}}"
    given = FIGHT.replace("{E5: 6}", "{E5: 6, J10: 1}")
    given = given.replace("{attack: 2}", "{attack: 2, jump: 9}")
    for seat, about in (("green", ["you", "others"]), ("red", ["others", "others"])):
        events = reported(given, orders, seat)["events"]
        assert [one["about"] for one in events if one["kind"] == "jumped"] == about


def test_revealed_orders_are_told_while_they_wait() -> None:
    given = FIGHT.replace("{attack: 2}", "{attack: 2, espionage: 2}")
    position = reported(given, "{blue: {jump: [E5-D5 x6, J10-J9 all]}}", "red")["position"]
    assert position["changes"]["jumps"] == []
    assert position["changes"]["revealed"] == [
        {"seat": "blue", "from": "E5", "to": "D5", "fleets": 6},
        {"seat": "blue", "from": "J10", "to": "J9", "fleets": "all"},
    ]


def test_who_was_not_asked_reads_first_what_came_of_it_not_that_orders_lie_open() -> None:
    """Its report tells of both steps; in the end something has moved."""
    state = RULES.load(
        {**load_yaml(FIGHT.replace("{attack: 2}", "{attack: 2, espionage: 2}")),
         "options": KIND.options({}, SEATS), "seats": SEATS},
        Dice(b"key", "given"),
    )  # fmt: skip
    form = KIND.read("jump", Text({"jump": ["E5-E6 x6"]}), SEATS).orders
    asked, first = RULES.resolve(state, {"blue": form}, Dice(b"key", "step"))
    assert RULES.report(RULES.view(asked, "blue"), list_visible(first, "blue"))["headline"] == (
        "The jump orders are revealed, nothing has moved yet."
    )
    after, then = RULES.resolve(asked, {}, Dice(b"key", "then"), cut=True)
    told = RULES.report(RULES.view(after, "red"), list_visible((*first, *then), "red"))
    assert told["headline"] == "Turn 4 passed without a fight."


def test_a_time_jump_that_came_to_nothing_was_not_struck() -> None:
    """JW-49: struck is the order that it names, when it names one."""
    given = (
        "step: reveal\nmap: {A1: {home: red}, J10: {home: blue}, A10: {home: green}}\n"
        "fleets: {red: {A1: 3}, blue: {J10: 3}}\nspecials: {red: [time-jump]}\n"
        "hands: {red: [trade, jump]}\nwritten: {blue: [J10-J9 x1]}\n"
    )
    for number, outcome in ((7, "negated"), (1, "done")):
        wish = f"{{time_jump: {{discard: trade, player: blue, order: {number}}}}}"
        (entry,) = reported(given, f"{{red: {wish}}}", "red")["orders"]["entries"]
        assert (entry["outcome"], entry["rule"]) == (outcome, "JW-49")
    wish = "{time_jump: {discard: trade, player: blue, order: 1}}"
    (entry,) = reported(given, f"{{red: {wish}}}", "blue")["orders"]["entries"]
    assert (entry["text"], entry["outcome"]) == ("order 1: J10-J9 x1", "struck")


RAID = """
step: plan
map: {A1: {home: red}, J10: {home: blue}, A10: {home: green}, C3: cluster}
fleets: {red: {A1: 1, C3: 1}, blue: {J10: 1, B2: 1}, green: {A10: 1, D4: 1}}
specials: {blue: [space-raiding], green: [space-raiding]}
"""


def test_a_raid_is_told_to_those_it_robs_with_what_it_took() -> None:
    """JW-24: each raider takes 1, and never more than the cluster gives."""
    four = RAID.replace("J10: {home: blue}", "J10: {home: blue}, J1: {home: black}")
    four = four.replace("blue: {J10: 1", "black: {J1: 1, B4: 1}, blue: {J10: 1")
    four = four.replace("green: [", "black: [space-raiding], green: [")
    seats = [*SEATS, "black"]
    document = {**load_yaml(four), "options": KIND.options({}, seats), "seats": seats}
    state = RULES.load(document, Dice(b"key", "given"))
    _, events = RULES.resolve(state, {}, Dice(b"key", "step"))
    (three,) = [event for event in events if event.kind == "raided"]
    assert tell(three, Reader("blue")).text == (
        "The cluster at C3 yielded red 2 less, raided by you, green and black."
    )
    for seat, about, text in (
        ("red", "you", "The cluster at C3 yielded you 2 less, raided by blue and green."),
        ("blue", "you", "The cluster at C3 yielded red 2 less, raided by you and green."),
        (None, "others", "The cluster at C3 yielded red 2 less, raided by blue and green."),
    ):
        (raid,) = [e for e in reported(RAID, "{}", seat)["events"] if e["kind"] == "raided"]
        assert (raid["about"], raid["text"]) == (about, text)


def test_a_victory_at_the_turn_limit_says_how_all_stood() -> None:
    """JW-62: homeworlds, then mine value, fleets, RT; the best first."""
    document = {
        **load_yaml(FIGHT.replace("turn: 4", "turn: 2") + "tokens: {green: 3}\n"),
        "options": KIND.options({"turn_limit": 2}, SEATS), "seats": SEATS,
    }  # fmt: skip
    state = RULES.load(document, Dice(b"key", "given"))
    after, events = RULES.resolve(state, {}, Dice(b"key", "step"))
    report = RULES.report(RULES.view(after, "red"), list_visible(events, "red"))
    (won,) = [event for event in report["events"] if event["kind"] == "won"]
    assert (won["rule"], won["text"]) == ("JW-62", "You win the game at the turn limit.")
    assert won["details"] == [
        "You: 0 enemy homeworlds, 5 RT to mine, 5 fleets, 0 RT.",
        "blue: 0 enemy homeworlds, 0 RT to mine, 6 fleets, 0 RT.",
        "green: 0 enemy homeworlds, 0 RT to mine, 0 fleets, 3 RT.",
    ]


def test_the_turns_that_are_over_are_told_as_table_and_for_pictures() -> None:
    given = FIGHT + (
        "mined: {red: 5}\npast: [{turn: 3, fleets: {red: 5, blue: 7}, mine: {red: 4}}]\n"
    )
    report = reported(given, "{}", "red")
    assert list(report["position"]["past"]) == [
        {"turn": 3, "fleets": {"red": 5, "blue": 7}, "mine": {"red": 4}},
        {
            "turn": 4,
            "fleets": {"red": 5, "blue": 6, "green": 0},
            "mine": {"red": 5},
        },
    ]
    (table,) = [one for one in report["sections"] if one["title"] == "Over the turns"]
    assert table["columns"] == ["turn", *SEATS]
    assert table["rows"] == [[3, "5/4", "7/0", "0/0"], [4, "5/5", "6/0", "0/0"]]


def test_own_orders_come_with_their_outcome_and_the_broken_rule() -> None:
    report = reported(FIGHT, "{red: {jump: [A1-B1 x1, A1-K1 x1, A1-A2 x1]}}", "red")
    assert [(e["text"], e["outcome"], e["rule"]) for e in report["orders"]["entries"]] == [
        ("order 1: A1-B1 x1", "done", "JW-28"),
        ("order 2: A1-K1 x1", "negated", "JW-34"),
        ("order 3: A1-A2 x1", "negated", "JW-29"),
    ]
    assert report["orders"]["entries"][1]["why"]
    assert not [event for event in report["events"] if event["kind"] == "jumped"]


def test_the_map_is_there_as_picture_of_signs_and_in_words() -> None:
    """A screen reader loses nothing: every space that the map shows is named in words."""
    report = RULES.report(RULES.view(position(FIGHT), "red"), ())
    sections = {section["title"]: section for section in report["sections"]}
    drawn = "\n".join(sections["Map"]["lines"])
    assert " 5  .   .   .   ~r2 .b6" in drawn
    words = " ".join([*sections["Map"]["words"], *sections["Fleets"]["lines"]])
    assert "Nebulas: D5." in words
    assert "Homeworlds: red A1, blue J10, green A10." in words
    assert "red (you): A1 (red's homeworld) 3, D5 (nebula) 2." in words
    assert "blue: E5 (void) 6." in words


def test_terrain_is_told_when_it_is_new_and_when_somebody_asks() -> None:
    """After the first report it stands still; who has no seat cannot ask and reads it each time."""
    for seat, told in (("red", False), (None, True)):
        sections = reported(FIGHT, "{blue: {jump: [E5-D5 x6]}}", seat)["sections"]
        words = " ".join(next(one["words"] for one in sections if one["title"] == "Map"))
        assert ("Nebulas: D5." in words) is told


def test_eight_players_have_a_letter_each() -> None:
    seats = [*KIND.seats]
    lines = RULES.report(RULES.view(position(seats=seats), None), ())["sections"][0]["lines"]
    homes = next(line for line in lines if line.startswith("Homeworlds: "))
    letters = [one.split()[0] for one in homes.removeprefix("Homeworlds: ").split(", ")]
    assert "K black" in homes
    assert len({*letters}) == len(seats) == 8


def test_the_own_stacks_are_never_left_out_of_the_map() -> None:
    given = FIGHT + "fleets: {red: {A1: 10}, blue: {A1: 10}, green: {A1: 1}}"
    for seat, cell in (("blue", "Rb10*"), ("red", "Rr10*"), ("green", "Rg1*"), (None, "R**")):
        state = position(given.replace("fleets: {red: {A1: 3, D5: 2}, blue: {E5: 6}}\n", ""))
        lines = RULES.report(RULES.view(state, seat), ())["sections"][0]["lines"]
        assert f" 1  {cell} " in "\n".join(lines)


@pytest.mark.parametrize(
    ("orders", "then"),
    [
        ("{red: {jump: [A1-E5 x3]}}", "all 3 lost"),
        ("{red: {jump: [A1-A2 x3]}}", None),
        ("{blue: {jump: [E5-D5 x6]}}", "4 of 6 lost"),
    ],
)
def test_what_a_jump_lost_stands_beside_it(orders: str, then: str | None) -> None:
    """JW-50: a jump that led into a fight was carried out, and that is not all there is to say."""
    seat = next(iter(load_yaml(orders)))
    given = FIGHT + "levels: {red: {jump: 9}, blue: {attack: 2}}"
    report = reported(given.replace("levels: {blue: {attack: 2}}\n", ""), orders, seat)
    (entry,) = report["orders"]["entries"]
    assert (entry["outcome"], entry.get("then")) == ("done", then)


def test_a_line_sums_up_how_the_reader_stands() -> None:
    """JW-62 gives the rank; the change is that since the turn before."""
    past = "past: [{turn: 3, fleets: {red: 3, blue: 6}, mine: {}}]\n"
    standing = {
        seat: reported(FIGHT + past, "{}", seat).get("standing")
        for seat in ("red", "blue", "green", None)
    }
    assert standing == {
        "red": "5 fleets (+2), 0 RT, 1st of 3 by homeworlds, mining, fleets, RT (JW-62)",
        "blue": "6 fleets, 0 RT, 2nd of 3 by homeworlds, mining, fleets, RT (JW-62)",
        "green": "0 fleets, 0 RT, 3rd of 3 by homeworlds, mining, fleets, RT (JW-62)",
        None: None,
    }


def test_the_map_of_hexes_shifts_every_other_row() -> None:
    document = {
        **load_yaml(FIGHT), "options": KIND.options({"grid": "hex"}, SEATS), "seats": SEATS,
    }  # fmt: skip
    state = RULES.load(document, Dice(b"key", "given"))
    lines = RULES.report(RULES.view(state, None), ())["sections"][0]["lines"]
    one, two = (next(line for line in lines if line.startswith(f"{n:>2}  ")) for n in (1, 2))
    assert one.startswith(" 1  R")
    assert two.startswith(" 2    .")


def test_a_bystander_reads_no_hand_and_gets_no_form() -> None:
    report = reported(FIGHT, "{}", None)
    assert report["position"]["hand"] is None
    assert report["form"] == {"comments": [], "example": {}}
    assert report["orders"]["entries"] == []
    assert "Your hand" not in {section["title"] for section in report["sections"]}


@pytest.mark.parametrize("seed", range(6))
def test_every_kind_of_event_has_words_and_every_report_is_whole(seed: int) -> None:
    """No event falls back to bare facts; numbers run through; every event names its rule."""
    seats = KIND.seats[: 2 + seed]
    options = {"grid": "hex" if seed % 2 else "square", "old_empire": seed > 2,
               "homeworlds": "choose" if seed == 4 else "spread"}  # fmt: skip
    players = dict.fromkeys(seats, "bot" if seed % 3 == 0 else "legal")
    for step in walk(seed, seats, options, players=players, steps=90):
        for event in step.events:
            assert event.kind in TELLERS or event.kind in COMPANIONS
            assert event.rule in KIND.rulebook
            assert " None" not in tell(event, Reader(seats[0])).text.replace("None of", "")
        for seat in (*seats, None):
            report = RULES.report(RULES.view(step.after, seat), list_visible(step.events, seat))
            numbers = [entry["n"] for entry in report["orders"]["entries"]]
            numbers += [event["n"] for event in report["events"]]
            assert sorted(numbers) == list(range(1, len(numbers) + 1))
            assert report["headline"]
            merged = fold_companions(list_visible(step.events, seat), COMPANIONS)
            for said in report["events"]:
                own = tell(merged[said["n"] - 1], Reader(seat))
                assert (said["text"], said["details"]) == (own.text, list(own.details))
            drawn = report["sections"][0]["lines"]
            assert all(len(line) <= 76 for line in drawn[drawn.index("") :])


@pytest.mark.parametrize("seed", range(6))
def test_the_example_in_the_form_can_be_sent_as_it_stands(seed: int) -> None:
    """What the pre-filled form offers is read, and nothing in it is doomed."""
    seats = KIND.seats[: 2 + seed]
    options = {"homeworlds": "choose"} if seed % 2 else {"old_empire": True}
    for step in walk(seed, seats, options, steps=60):
        due = RULES.due(step.before)
        assert not isinstance(due, Over)
        for seat, owed in due.items():
            view = RULES.view(step.before, seat)
            example = RULES.report(view, ())["form"]["example"]
            reading = KIND.read(owed.form, Text(as_text(example)), seats)
            assert reading.findings == ()
            assert reading.orders is not None
            found = RULES.check(view, seat, reading.orders)
            assert [one for one in found if one.grade is Grade.DOOMED] == []


def test_the_standings_say_what_each_ability_does() -> None:
    given = f"{FIGHT}specials: {{blue: [genesis, cloaking]}}\n"
    (standings,) = [
        one for one in reported(given, "{}", "red")["sections"] if one["title"] == "Standings"
    ]
    assert standings["words"][:2] == [
        "cloaking = +2 initiative in the first round of a fight [JW-51]",
        "genesis = each star field you occupy counts 2 [JW-24]",
    ]
