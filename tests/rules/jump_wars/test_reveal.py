"""JW-11, JW-46 to JW-49: who may answer the revealed lists, and what comes of it."""

import pytest

from adjudicator.core.finding import Grade
from adjudicator.rules.jump_wars.phases.jump import reveal, step
from adjudicator.rules.jump_wars.position.documents import dump, load
from tests.rules.jump_wars.tables import BOX, DICE, forms, named, negations, position, view_of


def play(given, orders):
    """The reveal step of a position."""
    state = position(given=given, step="reveal")
    return reveal.adjudicate_reveal(state, forms(orders), DICE, BOX)


def asked(given, orders):
    """Who is asked after these jump forms; () when the step is skipped."""
    state, _ = step.adjudicate_jump(position(given=given), forms(orders), DICE, BOX)
    assert (state.table.step == "reveal") == bool(reveal.list_seats_to_ask(state))
    return reveal.list_seats_to_ask(state)


BOTH = "{red: {jump: [C4-C5 x1]}, blue: {jump: [H8-H9 x1]}}"
FLEETS = "fleets: {red: {C4: 5}, blue: {H8: 5}}"


# --- rights: JW-11 ---


@pytest.mark.parametrize(
    ("facts", "orders", "seats"),
    [
        ("", BOTH, ()),  # all have espionage 1
        ("levels: {red: {espionage: 2}}", BOTH, ("red",)),
        ("levels: {red: {espionage: 2}, blue: {espionage: 2}}", BOTH, ()),  # JW-9
        ("levels: {green: {espionage: 2}}", BOTH, ()),  # has written nothing
        ("levels: {green: {espionage: 2}}", "{green: {move_homeworld: A9}}", ("green",)),
        ("levels: {green: {espionage: 2}}", "{green: {fight: {targets: [red]}}}", ()),
        ("specials: {green: [time-jump]}", BOTH, ("green",)),
        ("specials: {green: [time-jump]}", "{}", ()),  # no order to negate
        ("specials: {green: [time-jump]}, hands: {red: [trade]}", BOTH, ()),  # no card
        ("specials: {green: [time-jump]}, used: {green: [time-jump]}", BOTH, ()),
        ("specials: {green: [time-jump], red: [time-jump]}", BOTH, ("red", "green")),
        ("specials: {green: [time-jump]}, standing: {green: {reveal: pass}}", BOTH, ()),
        ("specials: {green: [time-jump]}, standing: {green: {reveal: ask}}", BOTH, ("green",)),
    ],
)
def test_who_is_asked(facts, orders, seats):
    """JW-11."""
    assert asked(f"{{{FLEETS}, {facts}}}" if facts else f"{{{FLEETS}}}", orders) == seats


def test_raises_in_the_jump_form_count():
    """JW-11: a card for espionage, discarded now; it is also no longer there for a time jump."""
    orders = BOTH.replace("red: {", "red: {cutting_edge: [espionage], ")
    assert asked(f"{{{FLEETS}, hands: {{red: [espionage]}}}}", orders) == ("red",)
    orders = BOTH.replace("red: {", "red: {cutting_edge: [trade], ")
    assert asked(f"{{{FLEETS}, specials: {{red: [time-jump]}}}}", orders) == ()


def test_the_step_stops_with_everything_unmoved_and_all_lists_open():
    """JW-46: what is private is kept apart; the document holds all of it."""
    orders = forms(
        """{red: {jump: [C4-C5 x1, C4-K4 all], move_homeworld: B2, final: {discard: [trade]}},
            blue: {fight: {targets: [red], nova_bombs: [{at: D5, ships: 2}]}}}"""
    )
    start = position(given=f"{{{FLEETS}, levels: {{red: {{espionage: 2}}}}}}")
    state, events = step.adjudicate_jump(start, orders, DICE, BOX)
    assert state.table.step == "reveal"
    assert state.table.fleets == start.table.fleets
    assert load(dump(state), BOX) == state
    assert sorted(state.kept) == ["blue", "red"]
    assert named(events, "revealed") == [
        {
            "orders": {
                "red": [
                    {"number": 0, "order": "move_homeworld: B2"},
                    {"number": 1, "order": "C4-C5 x1"},
                    {"number": 2, "order": "C4-K4 all"},
                ]
            }
        }
    ]


def test_nothing_sent_changes_nothing():
    """JW-12: the lists are served as they are, private orders included."""
    state, events = play(
        f"""{{{FLEETS}, levels: {{red: {{espionage: 2}}}}, written: {{red: [C4-C5 x1]}},
              kept: {{red: {{final: {{discard: [trade]}}}}}},
              hands: {{red: [trade, trade, attack, attack, attack]}}}}""",
        "{}",
    )
    assert dict(state.table.fleets["red"]) == {"C4": 4, "C5": 1}
    assert state.hands["red"] == ("attack", "attack", "attack", "trade")
    assert (state.table.step, state.table.written, dict(state.kept)) == ("draw", None, {})
    assert [event.kind for event in events] == ["jumped", "hand-limit"]


# --- espionage: JW-46 ---

SPY = f"{FLEETS}, levels: {{red: {{espionage: 2}}}}"


def test_the_new_order_takes_number_and_place_and_may_take_fleets():
    """JW-46: number 1 now takes all five, so number 2 finds none."""
    state, events = play(
        f"{{{SPY}, written: {{red: [C4-C5 x1, C4-D5 x2]}}}}",
        "red: {espionage: {cancel: 1, rewrite: C4-B4 all}}",
    )
    assert dict(state.table.fleets["red"]) == {"B4": 5}
    assert negations(events, "red") == ["JW-32"]
    assert named(events, "jumped")[0]["number"] == 1
    assert named(events, "espionage") == [
        {"seat": "red", "number": 1, "cancelled": "C4-C5 x1", "rewritten": "C4-B4 all"}
    ]


def test_a_cancelled_order_is_not_reported_as_negated_and_frees_its_fleets():
    """JW-46, JW-47: 4 of 5 were gone; now order 2 gets its 2. The place still counts for JW-29."""
    state, events = play(
        f"{{{SPY}, written: {{red: [C4-C5 x4, C4-D5 x2, C4-B4 x1]}}}}",
        "red: {espionage: {cancel: 1}}",
    )
    assert dict(state.table.fleets["red"]) == {"C4": 3, "D5": 2}
    assert negations(events, "red") == ["JW-29"]


@pytest.mark.parametrize(
    ("new", "rule"),
    [("C4-C4 x1", "JW-34"), ("C4-C5 x9", "JW-31"), ("C4-C8 x1", "JW-30"), ("H8-H9 x1", "JW-34")],
)
def test_the_new_order_must_keep_every_rule(new, rule):
    """JW-46."""
    _state, events = play(
        f"{{{SPY}, written: {{red: [C4-C5 x1]}}}}",
        f"red: {{espionage: {{cancel: 1, rewrite: {new}}}}}",
    )
    assert negations(events, "red") == [rule]


def test_the_new_order_is_bound_by_the_alliance():
    """JW-18."""
    _state, events = play(
        """{ally: {of: blue, is: red}, fleets: {red: {C4: 2}, blue: {C6: 1}},
              levels: {red: {espionage: 2}}, written: {red: [C4-C5 x1]}}""",
        "red: {espionage: {cancel: 1, rewrite: C4-C6 x1}}",
    )
    assert negations(events, "red") == ["JW-18"]


def test_a_new_order_beyond_the_limit_stays_beyond_it():
    """JW-46 with JW-29: it takes the place of the old one."""
    _state, events = play(
        f"{{{SPY}, written: {{red: [C4-C5 x1, C4-D5 x1, C4-B4 x1]}}}}",
        "red: {espionage: {cancel: 3, rewrite: C4-C3 x1}}",
    )
    assert negations(events, "red") == ["JW-29"]


def test_what_replaces_number_0_is_a_fleet_order_served_first():
    """JW-46: the homeworld stays."""
    state, events = play(
        f"""{{{SPY}, specials: {{red: [planet-jump]}}, written: {{red: [C4-C5 x4]}},
              kept: {{red: {{move_homeworld: B2}}}}}}""",
        "red: {espionage: {cancel: 0, rewrite: C4-D5 x3}}",
    )
    assert state.table.homes["red"] == "A1"
    assert dict(state.table.fleets["red"]) == {"C4": 2, "D5": 3}
    assert negations(events, "red") == ["JW-32"]


@pytest.mark.parametrize("number", [0, 2, 7])
def test_there_must_be_such_an_order(number):
    """JW-46: the lists stand as they were; only the writer is told."""
    state, events = play(
        f"{{{SPY}, written: {{red: [C4-C5 x1]}}}}",
        f"red: {{espionage: {{cancel: {number}, rewrite: C4-D5 x1}}}}",
    )
    assert dict(state.table.fleets["red"]) == {"C4": 4, "C5": 1}
    assert [(e.rule, e.seen_by) for e in events if e.kind == "negated"] == [("JW-46", ("red",))]


def test_only_the_highest_espionage_has_the_right():
    """JW-46, JW-9."""
    _state, events = play(
        f"{{{FLEETS}, written: {{red: [C4-C5 x1]}}}}", "red: {espionage: {cancel: 1}}"
    )
    assert negations(events, "red") == ["JW-46"]
    assert len(named(events, "jumped")) == 1


# --- time jump: JW-49 ---

JUMPER = f"{FLEETS}, specials: {{green: [time-jump]}}"


def test_a_time_jump_negates_one_order_for_a_card():
    """JW-49: the victim's report says so; the order's fleets are free; its place still counts."""
    state, events = play(
        f"{{{JUMPER}, written: {{red: [C4-C5 x4, C4-D5 x2, C4-B4 x1]}}}}",
        "green: {time_jump: {discard: trade, player: red, order: 1}}",
    )
    assert dict(state.table.fleets["red"]) == {"C4": 3, "D5": 2}
    assert negations(events, "red") == ["JW-49", "JW-29"]
    assert state.hands["green"] == ()
    assert state.table.discard == ("trade",)
    assert named(events, "time-jump") == [
        {"seat": "green", "discard": "trade", "player": "red", "number": 1, "order": "C4-C5 x4"}
    ]


def test_the_faults_table_puts_the_limit_before_the_time_jump_and_sense_after():
    """JW-37: JW-29, JW-49, JW-34."""
    written = "written: {red: [C4-K4 x4, C4-D5 x2, C4-B4 x1]}"
    for order, rules in ((1, ["JW-49", "JW-29"]), (3, ["JW-34", "JW-29"])):
        state, events = play(
            f"{{{JUMPER}, {written}}}",
            f"green: {{time_jump: {{discard: trade, player: red, order: {order}}}}}",
        )
        assert negations(events, "red") == rules
        assert state.hands["green"] == ()  # any order may be named


def test_a_rewritten_order_is_negated_where_it_stands():
    """JW-47, JW-49: espionage comes first."""
    state, events = play(
        f"""{{{JUMPER}, levels: {{red: {{espionage: 2}}}}, written: {{red: [C4-C5 x4]}}}}""",
        """{red: {espionage: {cancel: 1, rewrite: C4-D5 x1}},
            green: {time_jump: {discard: trade, player: red, order: 1}}}""",
    )
    assert dict(state.table.fleets["red"]) == {"C4": 5}
    assert negations(events, "red") == ["JW-49"]
    assert named(events, "time-jump")[0]["order"] == "C4-D5 x1"


def test_a_cancelled_order_is_no_more_there():
    """JW-49: no such order, the card is kept."""
    state, events = play(
        f"""{{{JUMPER}, levels: {{red: {{espionage: 2}}}}, written: {{red: [C4-C5 x4]}}}}""",
        """{red: {espionage: {cancel: 1}},
            green: {time_jump: {discard: trade, player: red, order: 1}}}""",
    )
    assert negations(events, "green") == ["JW-49"]
    assert negations(events, "red") == []
    assert state.hands["green"] == ("trade",)


def test_number_0_can_be_struck():
    """JW-49, JW-35: the homeworld stays where it is, its place counts."""
    state, events = play(
        f"""{{{JUMPER}, written: {{red: [C4-C5 x1, C4-C6 x1]}},
              kept: {{red: {{move_homeworld: B2}}}}}}""",
        "green: {time_jump: {discard: trade, player: red, order: 0}}",
    )
    assert state.table.homes["red"] == "A1"
    assert negations(events, "red") == ["JW-49", "JW-29"]


def test_one_of_two_homeworlds_struck_lets_the_other_in():
    """JW-35: only if both would still enter after the reveal step."""
    state, _events = play(
        """{specials: {red: [planet-jump], blue: [planet-jump], green: [time-jump]},
            map: {A1: void, J10: void, C4: {home: red}, E4: {home: blue}},
            kept: {red: {move_homeworld: D4}, blue: {move_homeworld: D4}}}""",
        "green: {time_jump: {discard: trade, player: red, order: 0}}",
    )
    assert (state.table.homes["red"], state.table.homes["blue"]) == ("C4", "D4")


@pytest.mark.parametrize(
    "wish",
    [
        "{discard: attack, player: red, order: 1}",
        "{discard: trade, player: red, order: 2}",
        "{discard: trade, player: red, order: 0}",
        "{discard: trade, player: blue, order: 1}",
    ],
)
def test_no_such_order_or_card(wish):
    """JW-49: negated, the card is kept."""
    state, events = play(
        f"{{{JUMPER}, written: {{red: [C4-C5 x4]}}}}", f"green: {{time_jump: {wish}}}"
    )
    assert negations(events, "green") == ["JW-49"]
    assert state.hands["green"] == ("trade",)
    assert dict(state.table.fleets["red"]) == {"C4": 1, "C5": 4}


def test_a_second_time_jump_may_name_an_order_already_struck():
    """JW-49: it is an order that would have failed, and both have paid for it."""
    state, events = play(
        f"""{{{FLEETS}, specials: {{green: [time-jump], blue: [time-jump]}}, start_player: green,
              written: {{red: [C4-C5 x4]}}}}""",
        """{blue: {time_jump: {discard: trade, player: red, order: 1}},
            green: {time_jump: {discard: trade, player: red, order: 1}}}""",
    )
    assert (state.hands["green"], state.hands["blue"]) == ((), ())
    assert negations(events, "blue") == []
    assert negations(events, "red") == ["JW-49"]


def test_the_ability_is_needed():
    """JW-49."""
    _state, events = play(
        f"{{{FLEETS}, written: {{red: [C4-C5 x4]}}}}",
        "green: {time_jump: {discard: trade, player: red, order: 1}}",
    )
    assert negations(events, "green") == ["JW-49"]


# --- receipts ---


def findings(given, seat, form):
    state = position(given=given, step="reveal")
    found = reveal.check_reveal(view_of(state, seat), seat, forms(f"{seat}: {form}")[seat])
    return [(one.grade, one.rule, one.path) for one in found]


def test_a_receipt_judges_the_rewritten_list():
    """JW-13b: the same judge as the adjudication."""
    given = f"{{{SPY}, written: {{red: [C4-C5 x1, C4-D5 x2]}}}}"
    path = ("espionage", "rewrite")
    fine = "{espionage: {cancel: 1, rewrite: C4-B4 x2}}"
    assert findings(given, "red", fine) == []
    far = "{espionage: {cancel: 1, rewrite: C4-C9 x2}}"
    assert findings(given, "red", far) == [(Grade.DOOMED, "JW-30", path)]
    taken = "{espionage: {cancel: 1, rewrite: C4-B4 x4}}"
    assert findings(given, "red", taken) == [(Grade.DOUBTFUL, "JW-32", path)]
    assert findings(given, "blue", fine) == [(Grade.DOOMED, "JW-46", ("espionage",))]


def test_a_receipt_names_a_time_jump_into_nothing():
    """JW-49."""
    given = f"{{{JUMPER}, written: {{red: [C4-C5 x1]}}}}"
    good = "{time_jump: {discard: trade, player: red, order: 1}}"
    assert findings(given, "green", good) == []
    assert findings(given, "blue", good) == [(Grade.DOOMED, "JW-49", ("time_jump",))]
    bad = "{time_jump: {discard: trade, player: red, order: 2}}"
    assert findings(given, "green", bad) == [(Grade.DOOMED, "JW-49", ("time_jump",))]
