"""JW-59 to JW-63: the hand limit, the end of the turn, the end of the game."""

import pytest

from adjudicator.rules.jump_wars.phases.jump import step
from adjudicator.rules.jump_wars.position.state import find_hand_limit
from tests.rules.jump_wars.tables import BOX, DICE, forms, named, position


def play(given, orders="{}"):
    return step.adjudicate_jump(position(given=given), forms(orders), DICE, BOX)


def winners(given):
    state, _ = play(given)
    return state.table.winners


# --- the hand limit: JW-59 ---


def discarded(hand, wanted="", facts=""):
    given = f"{{hands: {{red: [{hand}], blue: [trade]}}, {facts}}}"
    state, _ = play(given, f"red: {{final: {{discard: [{wanted}]}}}}")
    return state.table.discard


def test_nothing_goes_at_the_limit():
    """JW-59: 3 + research 1 = 4."""
    assert discarded("attack, jump, trade, trade") == ()


def test_basics_go_before_specials_the_highest_level_first():
    """JW-59: jump 3 before attack 2 before initiative (deck-list order) at level 1."""
    facts = "levels: {red: {jump: 3, attack: 2}}"
    hand = "nova-bombs, cloaking, initiative, trade, attack, jump"
    assert discarded(hand, facts=facts) == ("jump", "attack")
    hand = "nova-bombs, cloaking, genesis, sabotage, ram-scoops, trade"
    assert discarded(hand, facts=facts) == ("trade", "ram-scoops")
    hand = "trade, defense, initiative, diplomacy, attack"
    assert discarded(hand) == ("initiative",)


def test_the_highest_level_includes_raises():
    """JW-59: diplomacy is raised to 2."""
    facts = "raised: {red: {diplomacy: 1}}"
    assert discarded("trade, defense, initiative, diplomacy, attack", facts=facts) == ("diplomacy",)


def test_a_raised_research_counts_for_the_limit():
    """JW-59."""
    facts = "raised: {red: {research: 1}}"
    assert discarded("attack, attack, attack, attack, attack", facts=facts) == ()


def test_the_list_is_a_preference_and_no_more_than_the_excess_goes():
    """JW-59: what is not there is passed over; after the list, the default."""
    hand = "attack, attack, jump, trade, trade, cloaking"
    assert discarded(hand, "sabotage, cloaking, trade, trade") == ("cloaking", "trade")
    assert discarded(hand, "jump, jump") == ("jump", "attack")


def test_everybody_discards_in_seat_order():
    """JW-8."""
    cards = "trade, trade, trade, trade"
    jumps = "jump, jump, jump, jump, jump"
    given = f"{{hands: {{red: [{cards}, attack], blue: [{jumps}]}}, start_player: blue}}"
    state, events = play(given)
    assert state.table.discard == ("jump", "attack")
    assert [(told["seat"], told["limit"]) for told in named(events, "hand-limit")] == [
        ("blue", 4),
        ("red", 4),
    ]


def test_hand_limit_is_public_knowledge():
    """For reports and bots."""
    assert find_hand_limit(position().table.players["red"]) == 4


# --- conquest: JW-60 ---


def test_who_occupies_every_opponents_homeworld_wins():
    """JW-60: the own one need not be held."""
    assert winners("fleets: {red: {J10: 1, A10: 1}, blue: {A1: 3}}") == ("red",)
    assert winners("fleets: {red: {J10: 1, A10: 0}, blue: {A1: 3}}") is None


def test_winners_share_in_the_order_of_the_seats():
    """JW-60: with two players both can hold each other's."""
    given = """{map: {A1: {home: red}, J10: {home: blue}}, fleets: {blue: {A1: 1}, red: {J10: 1}},
                start_player: blue}"""
    state, _ = step.adjudicate_jump(position("red", "blue", given=given), {}, DICE, BOX)
    assert state.table.winners == ("red", "blue")


def test_it_is_judged_after_the_fights():
    """JW-60: red kills the last defender of J10: attack 9 against 1 + 2."""
    given = """{levels: {red: {initiative: 2, attack: 9}}, fleets: {red: {J10: 1, A10: 1},
                blue: {J10: 1}}}"""
    state, events = play(given)
    assert state.table.winners == ("red",)
    assert named(events, "won") == [{"seat": "red", "homeworlds": ["J10", "A10"]}]


# --- the old empire: JW-61 ---

EMPIRE = "options: {old_empire: true}, map: {E5: {home: empire}}"


def held(given, fleets):
    state, _ = play(f"{{{EMPIRE}, {given}, fleets: {fleets}}}")
    hold = state.table.hold
    return (hold and (hold.by, hold.turns)), state.table.winners


@pytest.mark.parametrize(
    ("before", "fleets", "after"),
    [
        ("turn: 4", "{red: {E5: 1}}", (("red", 1), None)),
        ("empire: {by: red, turns: 1}", "{red: {E5: 1}}", (("red", 2), None)),
        ("empire: {by: red, turns: 2}", "{red: {E5: 1}}", (("red", 3), ("red",))),
        ("empire: {by: red, turns: 2}", "{blue: {E5: 1}}", (("blue", 1), None)),
        ("empire: {by: red, turns: 2}", "{red: {E6: 1}}", (None, None)),
        ("empire: {by: red, turns: 2}", "{empire: {E5: 3}, red: {E6: 1}}", (None, None)),
    ],
)
def test_three_turns_in_a_row_win(before, fleets, after):
    """JW-61: counted at the end of each turn."""
    assert held(before, fleets) == after


@pytest.mark.parametrize(
    ("before", "fleets", "told"),
    [
        ("turn: 4", "{red: {E5: 1}}", [("red", 1)]),
        ("empire: {by: red, turns: 1}", "{red: {E5: 1}}", [("red", 2)]),
        ("empire: {by: red, turns: 2}", "{red: {E6: 1}}", [(None, 0)]),
        ("turn: 4", "{red: {E6: 1}}", []),
    ],
)
def test_who_holds_the_old_empire_is_told_and_who_no_longer_does(before, fleets, told):
    """JW-61."""
    _, events = play(f"{{{EMPIRE}, {before}, fleets: {fleets}}}")
    held_events = [event for event in events if event.kind == "empire-held"]
    assert [(one.data["by"], one.data["turns"]) for one in held_events] == told


def test_conquest_and_the_old_empire_share():
    """JW-60, JW-61; the old empire's homeworld is nobody's."""
    fleets = "{red: {J10: 1, A10: 1}, blue: {E5: 1}}"
    assert held("empire: {by: blue, turns: 2}", fleets)[1] == ("red", "blue")


# --- the last turn: JW-62, JW-63 ---


def last(given):
    return winners(f"{{options: {{turn_limit: 7}}, turn: 7, {given}}}")


def test_the_turn_limit_ends_the_game():
    """JW-62: not before that turn."""
    fleets = "fleets: {red: {A1: 5}, blue: {J10: 4}, green: {A10: 4}}"
    assert winners(f"{{options: {{turn_limit: 8}}, turn: 7, {fleets}}}") is None
    assert last(fleets) == ("red",)


@pytest.mark.parametrize(
    ("facts", "seats"),
    [
        # an enemy homeworld (2) beats the own one (5) and more fleets
        ("fleets: {red: {J10: 1}, blue: {C4: 9}, green: {A10: 9}}", ("red",)),
        # then mine value: the same star fields, manufacturing 2
        (
            """fleets: {red: {A1: 9}, blue: {J10: 1}, green: {A10: 9}},
               levels: {blue: {manufacturing: 2}}""",
            ("blue",),
        ),
        # raises no longer count
        (
            """fleets: {red: {A1: 2}, blue: {J10: 1}, green: {A10: 1}},
               raised: {blue: {manufacturing: 2}}""",
            ("red",),
        ),
        # then fleets, then tokens
        ("fleets: {red: {A1: 2}, blue: {J10: 3}, green: {A10: 2}}", ("blue",)),
        (
            """fleets: {red: {A1: 2}, blue: {J10: 2}, green: {A10: 2}},
               tokens: {red: 3, blue: 4, green: 4}""",
            ("blue", "green"),
        ),
        # JW-60 goes first
        ("fleets: {red: {J10: 1, A10: 1}}", ("red",)),
    ],
)
def test_the_order_of_comparison(facts, seats):
    """JW-62."""
    assert last(facts) == seats


def test_a_table_without_anything_left_is_drawn():
    """JW-63: no fleet, token or card."""
    empty = "hands: {red: [], blue: [], green: []}"
    assert winners(f"{{{empty}}}") == ()
    assert winners(f"{{{empty}, tokens: {{green: 1}}}}") is None
    assert winners("hands: {red: [], blue: [trade], green: []}") is None
    assert winners(f"{{{empty}, fleets: {{blue: {{C4: 1}}}}}}") is None
