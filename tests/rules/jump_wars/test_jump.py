"""JW-28 to JW-37: which jumps hold, and under which rule the others are reported."""

import pytest

from adjudicator.core.finding import Grade
from adjudicator.rules.jump_wars.phases.jump import step
from tests.rules.jump_wars.tables import BOX, DICE, forms, named, negations, position, view_of


def play(given, orders, *seats):
    state, events = step.adjudicate_jump(position(*seats, given=given), forms(orders), DICE, BOX)
    return state, events


def red(given, orders):
    """Red's fleets afterwards, and red's negations."""
    state, events = play(given, orders)
    return dict(state.table.fleets.get("red", {})), negations(events, "red")


def test_fleets_jump_at_the_same_time_and_do_not_meet_on_the_way():
    """JW-28, JW-34: two fleets that change places do not fight."""
    state, events = play(
        "fleets: {red: {C4: 2}, blue: {D5: 2}}",
        "{red: {jump: [C4-D5 x2]}, blue: {jump: [D5-C4 all]}}",
    )
    assert dict(state.table.fleets) == {"red": {"D5": 2}, "blue": {"C4": 2}}
    assert not named(events, "fight")
    assert named(events, "jumped")[0] == {
        "seat": "red",
        "number": 1,
        "order": "C4-D5 x2",
        "from": "C4",
        "to": "D5",
        "fleets": 2,
        "length": 1,
    }


def test_the_first_1_plus_command_orders_are_taken_even_if_they_make_no_sense():
    """JW-29."""
    fleets, negated = red("fleets: {red: {C4: 3}}", "red: {jump: [C4-K4 x1, C4-C4 x1, C4-D5 x1]}")
    assert fleets == {"C4": 3}
    assert negated == ["JW-34", "JW-34", "JW-29"]


def test_a_raised_command_level_counts_at_once():
    """JW-13 with JW-29."""
    fleets, negated = red(
        "{fleets: {red: {C4: 3}}, hands: {red: [command]}}",
        "red: {cutting_edge: [command], jump: [C4-D5 x1, C4-C5 x1, C4-B4 x1, C4-C3 x1]}",
    )
    assert fleets == {"D5": 1, "C5": 1, "B4": 1}
    assert negated == ["JW-29"]


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        ("C4-K4 x1", "JW-34"),  # off the map
        ("C4-C11 x1", "JW-34"),
        ("C4-C0 x9", "JW-34"),
        ("D4-D5 x1", "JW-34"),  # none there when the phase begins
        ("C4-C4 x1", "JW-34"),
        ("C4-D5 x0", "JW-34"),
        ("C4-C5 x9", "JW-31"),  # before the black hole, the range, the number there
        ("C4-B3 x2", "JW-33"),  # into a black hole
        ("C4-C7 x1", "JW-30"),  # range 2
        ("C4-C7 x6", "JW-30"),  # before JW-32
        ("C4-C5 x5", "JW-32"),
        ("C4-A4 x2", None),  # exactly the range
        ("C4-C5 x3", None),
    ],
)
def test_the_first_fault_of_the_table_is_reported(order, rule):
    """JW-37."""
    given = "{map: {B3: black-hole}, fleets: {red: {C4: 3}}}"
    fleets, negated = red(given, f"red: {{jump: [{order}]}}")
    assert negated == ([rule] if rule else [])
    assert sum(fleets.values()) == 3
    assert (fleets == {"C4": 3}) == bool(rule)


def test_a_jump_is_measured_around_black_holes():
    """JW-30: around B2 it is three from A1 to C3."""
    given = "{map: {B2: black-hole}, fleets: {red: {A1: 3}}}"
    assert red(given, "red: {jump: [A1-C3 x1]}") == ({"A1": 3}, ["JW-30"])
    assert red(given, "red: {jump: [A1-C1 x1]}") == ({"A1": 2, "C1": 1}, [])


POCKET = "A9: black-hole, B9: black-hole, B10: black-hole"


def test_a_space_walled_in_by_black_holes_can_only_be_reached_by_crossing_one():
    """JW-33: no path has a length at all."""
    given = f"{{map: {{{POCKET}}}, fleets: {{red: {{A8: 3, A10: 1}}}}}}"
    orders = "red: {jump: [A8-A10 x1, A10-A8 x1]}"
    assert red(given, orders) == ({"A8": 3, "A10": 1}, ["JW-33", "JW-33"])


def test_event_skimming_crosses_but_does_not_enter():
    """JW-33: crossed, the distance is the plain one; JW-30 still holds."""
    given = f"""{{map: {{{POCKET}}}, fleets: {{red: {{A8: 3, A7: 1}}}},
                 specials: {{red: [event-skimming]}}, levels: {{red: {{command: 3}}}}}}"""
    orders = "red: {jump: [A8-A10 x1, A8-A9 x1, A7-A10 x1]}"
    assert red(given, orders) == ({"A10": 1, "A8": 2, "A7": 1}, ["JW-33", "JW-30"])


def test_the_ally_may_not_jump_where_the_diplomat_stands_even_if_it_leaves():
    """JW-18: it is decided by where the fleets stand before anything moves."""
    given = """{ally: {of: blue, is: red}, fleets: {red: {C4: 3}, blue: {D5: 1, E6: 1}}}"""
    orders = "{red: {jump: [C4-D5 x9, C4-D5 x1]}, blue: {jump: [D5-D6 x1]}}"
    assert red(given, orders) == ({"C4": 3}, ["JW-31", "JW-18"])


def test_the_ally_may_jump_where_the_diplomat_only_arrives():
    """JW-18: and fights there like any other: 3 against 1, each kills one."""
    given = "{ally: {of: blue, is: red}, fleets: {red: {C4: 3}, blue: {D5: 1}}}"
    orders = "{red: {jump: [C4-C5 x3]}, blue: {jump: [D5-C5 x1]}}"
    assert red(given, orders) == ({"C5": 2}, [])


def test_orders_are_served_as_written_and_a_negated_one_takes_no_fleets():
    """JW-32: 3 of 5, then 4 is too many, then 2 are left."""
    given = "{levels: {red: {command: 4}}, fleets: {red: {C4: 5, C5: 1}}}"
    orders = "red: {jump: [C4-C5 x3, C4-D5 x4, C5-C6 x2, C4-D4 x2, C4-B4 all]}"
    assert red(given, orders) == ({"C5": 4, "D4": 2}, ["JW-32", "JW-32", "JW-32"])


def test_all_is_what_is_left_and_too_many_is_jw_31():
    """JW-31, JW-32."""
    given = "{levels: {red: {command: 2}}, fleets: {red: {C4: 7, D4: 8}}}"
    orders = "red: {jump: [C4-C5 x1, C4-D5 all, D4-D6 all]}"
    assert red(given, orders) == ({"C5": 1, "D5": 6, "D4": 8}, ["JW-31"])


PLANET = "specials: {red: [planet-jump], blue: [planet-jump]}"


def test_a_homeworld_moves_and_leaves_void_behind():
    """JW-35: it counts as an order before all others; fleets stay."""
    state, events = play(
        f"{{{PLANET}, fleets: {{red: {{A1: 2}}, blue: {{B2: 1}}}}}}",
        "{red: {move_homeworld: B2, jump: [A1-A2 x1, A1-A3 x1]}, blue: {jump: [B2-C3 x1]}}",
    )
    assert state.table.homes["red"] == "B2"
    assert dict(state.table.fleets["red"]) == {"A1": 1, "A2": 1}
    assert negations(events, "red") == ["JW-29"]
    assert named(events, "homeworld-moved") == [
        {"seat": "red", "number": 0, "order": "move_homeworld: B2", "from": "A1", "to": "B2"}
    ]


@pytest.mark.parametrize("target", ["C3", "A0", "K1", "A1", "B2", "A2"])
def test_a_homeworld_moves_to_a_void_space_next_to_it_only(target):
    """JW-35: B2 is a nebula, A2 another's homeworld; a move that fails still counts."""
    state, events = play(
        f"""{{{PLANET}, map: {{A1: {{home: red}}, A2: {{home: blue}}, B2: nebula}},
             fleets: {{red: {{C4: 2}}}}}}""",
        f"red: {{move_homeworld: {target}, jump: [C4-C5 x1, C4-C6 x1]}}",
        "red",
        "blue",
    )
    assert state.table.homes["red"] == "A1"
    assert negations(events, "red") == ["JW-35", "JW-29"]


def test_planet_jump_is_needed():
    """JW-35."""
    state, events = play("", "red: {move_homeworld: B2}")
    assert (state.table.homes["red"], negations(events, "red")) == ("A1", ["JW-35"])


def test_two_homeworlds_that_would_enter_one_space_stay():
    """JW-35: neither moves."""
    state, events = play(
        f"{{{PLANET}, map: {{C4: {{home: red}}, E4: {{home: blue}}}}, hands: {{red: [trade]}}}}",
        "{red: {move_homeworld: D4}, blue: {move_homeworld: D4}}",
        "red",
        "blue",
    )
    assert dict(state.table.homes) == {"red": "C4", "blue": "E4"}
    assert negations(events, "red") == negations(events, "blue") == ["JW-35"]


def test_void_is_judged_on_the_map_as_revealed():
    """JW-35: a space that another homeworld leaves this turn is not void yet."""
    state, events = play(
        f"{{{PLANET}, map: {{C4: {{home: red}}, D4: {{home: blue}}}}, hands: {{red: [trade]}}}}",
        "{red: {move_homeworld: D4}, blue: {move_homeworld: E4}}",
        "red",
        "blue",
    )
    assert dict(state.table.homes) == {"red": "C4", "blue": "E4"}
    assert negations(events, "red") == ["JW-35"]


def test_the_step_ends_before_the_next_draw_with_the_turn_closed():
    """JW-13, JW-52: raises are gone, occupation is noted, rights are fresh."""
    state, _ = play(
        """{fleets: {red: {C4: 1}, blue: {D4: 2}}, used: {red: [leadership]},
            raised: {red: {attack: 2}}, ally: {of: blue, is: red}}""",
        "red: {jump: [C4-C5 x1]}",
    )
    assert (state.table.step, state.table.turn) == ("draw", 1)
    assert dict(state.table.held) == {"C5": "red", "D4": "blue"}
    assert dict(state.table.players["red"].raised) == {}
    assert state.table.players["red"].used == ()
    assert state.table.ally is state.table.written is None
    assert dict(state.kept) == {}


def findings(given, form):
    state = position(given=given)
    found = step.check_jump(view_of(state, "red"), "red", forms(form)["red"], BOX)
    return [(one.grade, one.rule, one.path) for one in found]


def test_a_receipt_names_what_will_fail_with_the_rule_of_the_adjudication():
    """JW-13b: by the seat's own levels, raises in the same form included."""
    given = "{fleets: {red: {C4: 3}}, hands: {red: [jump]}, map: {B3: black-hole}}"
    assert findings(given, "red: {jump: [C4-C7 x1, C4-B3 x1, C4-C5 x1]}") == [
        (Grade.DOOMED, "JW-30", ("jump", 0)),
        (Grade.DOOMED, "JW-33", ("jump", 1)),
        (Grade.DOOMED, "JW-29", ("jump", 2)),
    ]
    assert findings(given, "red: {cutting_edge: [jump], jump: [C4-C7 x1]}") == []


def test_an_order_that_a_time_jump_could_save_is_only_doubtful():
    """JW-47: if order 1 is struck, order 2 has its fleets."""
    orders = "red: {jump: [C4-C5 x2, C4-C6 x2]}"
    path = ("jump", 1)
    assert findings("fleets: {red: {C4: 3}}", orders) == [(Grade.DOOMED, "JW-32", path)]
    given = "{fleets: {red: {C4: 3}}, specials: {blue: [time-jump]}}"
    assert findings(given, orders) == [(Grade.DOUBTFUL, "JW-32", path)]


def test_no_time_jump_finds_fleets_that_never_stood_there():
    """JW-32: four of three is too many, whatever becomes of the orders before it."""
    given = "{fleets: {red: {C4: 3}}, specials: {blue: [time-jump]}}"
    orders = "red: {jump: [C4-C5 x2, C4-C6 x4]}"
    assert findings(given, orders) == [(Grade.DOOMED, "JW-32", ("jump", 1))]
    used = given.replace("specials", "used: {blue: [time-jump]}, specials")
    orders = "red: {jump: [C4-C5 x2, C4-C6 x2]}"
    assert findings(used, orders) == [(Grade.DOOMED, "JW-32", ("jump", 1))]


def test_a_spy_may_yet_cancel_the_order_that_is_in_the_way():
    """JW-46: order 1 cancelled in the reveal step leaves its fleets to order 2."""
    given = "{fleets: {red: {C4: 3}}, levels: {red: {espionage: 2}}}"
    orders = "red: {jump: [C4-C5 x2, C4-C6 x2]%s}"
    path = ("jump", 1)
    assert findings(given, orders % "") == [(Grade.DOUBTFUL, "JW-32", path)]
    waived = orders % ", standing: {reveal: pass}"
    assert findings(given, waived) == [(Grade.DOOMED, "JW-32", path)]
    many = "{fleets: {red: {C4: 7}}, levels: {red: {espionage: 2}}}"
    too_many = "red: {jump: [C4-F9 x1, C4-C5 all]}"
    assert findings(many, too_many)[1] == (Grade.DOUBTFUL, "JW-31", path)


def test_a_receipt_warns_of_bombs_without_a_fight():
    """JW-56: surely without the ability, perhaps where nobody else stands yet."""
    bombs = "red: {jump: [C4-D5 x1], fight: {nova_bombs: [%s]}}"
    one = "{at: D5, ships: 1}"
    path = ("fight", "nova_bombs", 0)
    fleets = "fleets: {red: {C4: 3}, blue: {D6: 1}}"
    able = "specials: {red: [nova-bombs]}"
    assert findings(f"{{{fleets}}}", bombs % one) == [(Grade.DOOMED, "JW-56", path)]
    assert findings(f"{{{fleets}, {able}}}", bombs % one) == [(Grade.DOUBTFUL, "JW-56", path)]
    there = "{at: D6, ships: 1}"
    assert findings(f"{{{fleets}, {able}}}", bombs % there) == [(Grade.DOUBTFUL, "JW-56", path)]
    arrives = bombs.replace("C4-D5", "C5-D6") % there
    given = "{fleets: {red: {C5: 3}, blue: {D6: 1}}, specials: {red: [nova-bombs]}}"
    assert findings(given, arrives) == []
    none = bombs % "{at: K4, ships: 1}, {at: D5, ships: 0}"
    assert [grade for grade, *_ in findings(f"{{{fleets}, {able}}}", none)] == [Grade.DOOMED] * 2


@pytest.mark.parametrize(
    ("facts", "warns"),
    [
        ("levels: {blue: {initiative: 2}}", True),
        ("levels: {blue: {initiative: 2}}, specials: {red: [nova-bombs, cloaking]}", False),
        ("levels: {red: {initiative: 2}, blue: {initiative: 2}}", False),
        ("levels: {red: {defense: 9}, blue: {initiative: 2}}", False),  # it lives to act
    ],
)
def test_a_receipt_warns_of_a_bomb_that_dies_before_it_acts(facts: str, warns: bool):
    """Levels are public, and so is who stands there; that may change until the fight."""
    able = "" if "specials" in facts else ", specials: {red: [nova-bombs]}"
    given = f"{{fleets: {{red: {{C4: 2}}, blue: {{D5: 3}}}}, {facts}{able}}}"
    orders = "red: {jump: [C4-D5 all], fight: {nova_bombs: [{at: D5, ships: 1}]}}"
    warned = (Grade.DOUBTFUL, "JW-56", ("fight", "nova_bombs", 0))
    assert findings(given, orders) == ([warned] if warns else [])


def test_a_receipt_warns_of_bombs_where_no_own_ship_will_be_left():
    """JW-56: all of them jump away, or an entry before has named them all."""
    given = "{fleets: {red: {C4: 2}, blue: {C4: 1}}, specials: {red: [nova-bombs]}}"
    bombs = "nova_bombs: [{at: C4, ships: 2}, {at: C4, ships: 1}]"
    second = (Grade.DOUBTFUL, "JW-56", ("fight", "nova_bombs", 1))
    assert findings(given, f"red: {{fight: {{{bombs}}}}}") == [second]
    first = (Grade.DOUBTFUL, "JW-56", ("fight", "nova_bombs", 0))
    assert findings(given, f"red: {{jump: [C4-C5 all], fight: {{{bombs}}}}}") == [first, second]


def test_a_receipt_warns_of_two_homeworlds_that_may_meet():
    """JW-35: nobody knows where the other moves."""
    given = "{specials: {red: [planet-jump], blue: [planet-jump]}, map: {%s: {home: blue}}}"
    state = position("red", "blue", given=given % "C1, A1: {home: red}, C2: nebula, C3")
    found = step.check_jump(view_of(state, "red"), "red", {"move_homeworld": "B2"}, BOX)
    assert [(one.grade, one.rule) for one in found] == [(Grade.DOUBTFUL, "JW-35")]


@pytest.mark.parametrize(
    ("specials", "home"),
    [
        ("red: [planet-jump], blue: [planet-jump]", "J10"),  # too far to come
        ("red: [planet-jump]", "C1"),  # cannot move
    ],
)
def test_a_homeworld_that_nobody_can_meet_moves_without_a_warning(specials, home):
    """JW-35."""
    given = f"{{specials: {{{specials}}}, map: {{A1: {{home: red}}, {home}: {{home: blue}}}}}}"
    state = position("red", "blue", given=given)
    assert step.check_jump(view_of(state, "red"), "red", {"move_homeworld": "B2"}, BOX) == ()


def test_a_jump_that_is_too_long_says_how_long_and_what_the_range_is():
    """JW-30: 1 + jump level."""
    state = position(given="{fleets: {red: {C4: 3}}, levels: {red: {jump: 2}}}")
    orders = forms("red: {jump: [C4-C8 x1]}")["red"]
    (found,) = step.check_jump(view_of(state, "red"), "red", orders, BOX)
    assert "C8 is 4 spaces away; the range is 1 + jump 2 = 3." in found.message


@pytest.mark.parametrize(
    ("first", "told"), [(2, "Only 1 of the fleets at C4"), (3, "None of the fleets at C4")]
)
def test_a_jump_of_more_than_what_is_left_says_how_many_that_is(first, told):
    """JW-32: a fleet jumps once a turn."""
    state = position(given="{fleets: {red: {C4: 3}}}")
    orders = forms(f"red: {{jump: [C4-C5 x{first}, C4-D5 x2]}}")["red"]
    (found,) = step.check_jump(view_of(state, "red"), "red", orders, BOX)
    assert f"{told} can still jump; a fleet jumps once a turn." in found.message
