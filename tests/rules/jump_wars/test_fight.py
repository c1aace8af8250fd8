"""JW-50 to JW-58: fights worked out by hand."""

import pytest
from msgspec import structs

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.rules.jump_wars.phases.jump import fight_rounds, step
from adjudicator.rules.jump_wars.phases.jump.damage import pour, split
from adjudicator.rules.jump_wars.phases.jump.fight_rounds import Combatant, fight_out
from tests.rules.jump_wars.tables import BOX, DICE, forms, named, negations, position


def side(name, fleets, initiative=1, attack=1, defense=1, **more):
    """A combatant, short."""
    numbers = {"initiative": initiative, "attack": attack, "defense": defense}
    return Combatant(side=name, fleets=fleets, **numbers, **more)


def left(*combatants):
    return dict(fight_out(combatants).left)


def play(given, orders="{}", *seats):
    return step.adjudicate_jump(position(*seats, given=given), forms(orders), DICE, BOX)


def standing(state):
    return {side: dict(stacks) for side, stacks in state.table.fleets.items() if stacks}


# --- rounds: JW-53 ---


def test_equal_initiative_destroys_together():
    """JW-53, JW-58: 2 against 2 with attack 1, defense 1: nobody is left."""
    assert left(side("red", 2), side("blue", 2)) == {}


def test_a_higher_initiative_kills_before_the_other_acts():
    """JW-53: red kills 2 of 3, one shot comes back, then the third dies."""
    assert left(side("red", 2, initiative=2), side("blue", 3)) == {"red": 1}


def test_damage_stays_until_the_fight_is_over():
    """JW-54: 1 damage a round against defense 3 kills in the third round."""
    outcome = fight_out([side("red", 1, defense=9), side("blue", 1, defense=3)])
    assert len(outcome.rounds) == 3
    assert dict(outcome.left) == {"red": 1}
    damaged = [one["actions"][0]["losses"][1]["damaged"] for one in outcome.rounds]
    assert damaged == [[1], [2], []]


def test_damage_goes_to_the_most_damaged_fleet_first():
    """JW-55: 3 damage against two of defense 2: one dies, the other keeps 1; so again."""
    outcome = fight_out([side("red", 3, initiative=2), side("blue", 2, defense=2)])
    loss = outcome.rounds[0]["actions"][0]["losses"][0]
    assert (loss["destroyed"], loss["left"], loss["damaged"]) == (1, 1, [1])


def test_surprise_counts_in_the_first_round_only():
    """JW-51, JW-53: first red (1 + 2) before blue (2), then blue before red."""
    outcome = fight_out([side("red", 2, surprise=2, defense=2), side("blue", 3, initiative=2)])
    order = [[act["shots"][0]["side"] for act in one["actions"]] for one in outcome.rounds]
    # Round 1: red kills 2 of 3, the third damages red. Round 2: blue kills the damaged one
    # before red's other kills blue.
    assert order == [["red", "blue"], ["blue", "red"]]
    assert dict(outcome.left) == {"red": 1}


def test_three_sides_of_three_initiatives():
    """JW-53: red kills both blues before they act, green shoots at red alone."""
    outcome = fight_out(
        [
            side("red", 2, initiative=3, targets=("blue",)),
            side("blue", 2, initiative=2),
            side("green", 1, initiative=1),
        ]
    )
    first = outcome.rounds[0]["actions"]
    assert [[shot["side"] for shot in act["shots"]] for act in first] == [["red"], ["green"]]
    assert dict(outcome.left) == {"red": 1}


def test_each_splits_as_if_it_acted_alone_and_what_is_too_much_is_lost():
    """JW-53: red and blue both aim at green's single fleet; nobody shoots at the other."""
    outcome = fight_out(
        [
            side("red", 1, targets=("green",)),
            side("blue", 1, targets=("green",)),
            side("green", 1, defense=1, targets=("red",)),
        ]
    )
    shots = {shot["side"]: shot["at"] for shot in outcome.rounds[0]["actions"][0]["shots"]}
    assert shots == {"red": {"green": 1}, "blue": {"green": 1}, "green": {"red": 1}}
    assert dict(outcome.left) == {"blue": 1}
    assert dict(outcome.credit) == {"red": 1, "blue": 0, "green": 1}


# --- targets: JW-55 ---


def test_the_default_is_chosen_anew_for_every_fleet_destroyed():
    """JW-55: 3 and 2, four kills: 3 -> 2 each (tie: the first), and so on."""
    enemies = {"blue": (0, 0, 0), "green": (0, 0)}
    one = dict.fromkeys(enemies, 1)
    assert dict(split(1, enemies, one, ())) == {"blue": 1}
    assert dict(split(2, enemies, one, ())) == {"blue": 2}
    assert dict(split(3, enemies, one, ())) == {"blue": 2, "green": 1}
    assert dict(split(4, enemies, one, ())) == {"blue": 3, "green": 1}
    assert dict(split(9, enemies, one, ())) == {"blue": 3, "green": 2}


def test_damage_too_small_to_kill_stays_on_the_enemy_chosen():
    """JW-55: 4 damage, defense 3: one of blue dies; of equals blue is first and gets the 1."""
    enemies = {"blue": (0, 0), "green": (0,)}
    assert dict(split(4, enemies, {"blue": 3, "green": 3}, ())) == {"blue": 4}
    assert dict(split(4, enemies, {"blue": 3, "green": 1}, ("green",))) == {"green": 1, "blue": 3}


def test_named_targets_come_in_their_order_then_the_default():
    """JW-55: who is not there is passed over."""
    enemies = {"blue": (0, 0, 0), "green": (0,), "white": (0,)}
    one = dict.fromkeys(enemies, 1)
    wanted = ("black", "white", "green")
    assert dict(split(1, enemies, one, wanted)) == {"white": 1}
    assert dict(split(3, enemies, one, wanted)) == {"white": 1, "green": 1, "blue": 1}


def test_what_several_deal_is_poured_shooter_by_shooter():
    """JW-53, JW-57: defense 3; red's 2 and blue's 4 kill two, and both count for blue.

    The first fleet takes 2 of red and 1 of blue, the second 3 of blue.
    """
    struck = pour([("red", 2), ("blue", 4)], (0, 0), 3, {"red": 0, "blue": 0})
    assert struck.left == ()
    assert struck.killers == ("red", "blue")
    struck = pour([("red", 1), ("blue", 3)], (0, 0), 3, {"red": 0, "blue": 0})
    assert struck.left == (1,)
    assert struck.killers == ("blue",)


def test_equal_shares_count_for_the_first_in_seat_order():
    """JW-57: 1 and 1 against defense 2."""
    struck = pour([("red", 1), ("blue", 1)], (0,), 2, {"red": 0, "blue": 0})
    assert struck.killers == ("red",)
    struck = pour([("red", 1), ("blue", 1)], (1,), 3, {"red": 0, "blue": 1})
    assert struck.killers == ("blue",)  # with 1 of its bombs


@pytest.mark.parametrize("number", range(200))
def test_who_acts_alone_does_what_it_would_do_among_those_that_act_together(number):
    """JW-53, JW-55, JW-57: the short way of a lone shooter and the long one agree."""
    draw = Dice(derive_dice_key(seed_from_number(number)), "1-jump").draw("force")
    names = ("red", "blue", "green")[: 2 + draw.below(2)]
    sides = [
        side(name, 1 + draw.below(6), attack=1 + draw.below(4), defense=2 + draw.below(4))
        for name in names
    ]
    defense = {one.side: one.defense for one in sides}
    force = {
        one.side: (draw.below(one.defense), *(0,) * (one.fleets - 1))  # the first may be damaged
        for one in sides
    }
    shooter = structs.replace(sides[0], targets=names[1:][::-1][: draw.below(3)])
    alone = fight_rounds._act_alone(shooter, defense, force, 1)
    assert alone == fight_rounds._act_together([shooter], defense, force, 1, [])


# --- nova bombs: JW-56 ---


def test_bombs_hit_every_fleet_also_the_own():
    """JW-56: one of three sacrificed, 2 damage to all: two reds live (defense 3), blues die."""
    outcome = fight_out(
        [side("red", 3, attack=2, defense=3, bombs=1), side("blue", 4, attack=1, defense=2)]
    )
    act = outcome.rounds[0]["actions"][0]
    assert act["bombs"] == [{"side": "red", "ships": 1, "damage": 2}]
    # The bomb leaves no blue to shoot at; blue acts at the same time and shoots: 4 damage kill
    # the two reds that have 2 already and need 1 each.
    assert act["shots"] == [{"side": "blue", "fleets": 4, "attack": 1, "at": {"red": 2}}]
    assert dict(outcome.left) == {}
    assert dict(outcome.credit) == {"red": 4, "blue": 2}


def test_bombs_before_the_others_act_save_the_bomber():
    """JW-53, JW-56: with the higher initiative nobody shoots back."""
    outcome = fight_out(
        [side("red", 3, initiative=2, attack=2, defense=3, bombs=1), side("blue", 4, defense=2)]
    )
    assert dict(outcome.left) == {"red": 2}
    assert dict(outcome.bombed_ships) == {"red": 1}


def test_more_bombs_than_ships_are_all_the_ships():
    """JW-56: the bomber's last fleet goes with them; blue survives 4 damage with defense 5."""
    outcome = fight_out([side("red", 2, attack=2, bombs=5), side("blue", 2, defense=5)])
    assert dict(outcome.left) == {"blue": 2}
    assert dict(outcome.bombed_ships) == {"red": 2}
    assert dict(outcome.credit) == {"red": 0, "blue": 0}  # the sacrificed count for nobody


def test_a_bomber_that_dies_before_it_acts_throws_nothing():
    """JW-56."""
    outcome = fight_out([side("red", 1, bombs=1), side("blue", 1, initiative=2)])
    assert dict(outcome.bombed_ships) == {}
    assert dict(outcome.left) == {"blue": 1}


def test_a_ship_killed_by_a_bomb_of_its_own_action_still_shoots():
    """JW-56: red's own bomb kills its other ship, which shoots at what still stands all the same.

    Bomb: 2 to all. Red (defense 1) is gone, blue (defense 4) is not; the shot's 2 kill one blue,
    which had 2 already; the other lives.
    """
    outcome = fight_out([side("red", 2, attack=2, bombs=1), side("blue", 2, 0, defense=4)])
    assert dict(outcome.left) == {"blue": 1}
    assert dict(outcome.credit) == {"red": 1, "blue": 0}


def test_bombs_of_sides_acting_together_go_off_at_once():
    """JW-56, JW-57: 3 + 2 damage kill green (defense 4); red dealt more, so red is credited.

    Each bomber has one ship left; red's (defense 6) takes 5 and lives, so does blue's; both
    shoot at what still stands: each other. Red: 3 against 5 + 3 >= 6 dies; blue: 2, dies too.
    """
    outcome = fight_out(
        [
            side("red", 2, attack=3, defense=6, bombs=1),
            side("blue", 2, attack=2, defense=6, bombs=1),
            side("green", 3, initiative=0, defense=4),
        ]
    )
    assert dict(outcome.left) == {}
    assert dict(outcome.credit) == {"red": 3 + 1, "blue": 1, "green": 0}


def test_own_bombs_do_not_count_in_own_losses():
    """JW-57: red's fleet dies of red's 3 and blue's 1: blue is credited."""
    outcome = fight_out(
        [
            side("red", 2, attack=3, defense=4, bombs=1),
            side("blue", 2, attack=1, defense=9, bombs=1),
        ]
    )
    assert outcome.credit["blue"] == 1
    assert outcome.credit["red"] == 0


# --- on the map: JW-50 to JW-52, JW-57 ---


def numbers(state_events, name):
    """Initiative, attack, defense and the bonuses of a side in the first fight told."""
    for one in named(state_events[1], "fight")[0]["sides"]:
        if one["side"] == name:
            why = [bonus["why"] for bonus in one["bonuses"]]
            return one["initiative"], one["attack"], one["defense"], why
    raise AssertionError(name)


def test_the_nebula_is_for_the_defender_whether_it_stayed_or_came():
    """JW-51, JW-52: blue held D5 and all its fleets there are new."""
    given = """{map: {D5: nebula}, held: {D5: blue}, fleets: {red: {D5: 2}, blue: {D6: 2}},
                levels: {blue: {attack: 2}}}"""
    played = play(given, "blue: {jump: [D6-D5 x2]}")
    assert numbers(played, "blue") == (2, 3, 2, ["defender in a nebula"])
    assert numbers(played, "red") == (1, 1, 1, [])
    assert named(played[1], "fight")[0]["defender"] == "blue"


def test_the_homeworld_is_for_its_owner_also_when_it_comes_back():
    """JW-51: +2 attack, +2 defense; not for whoever held it."""
    given = "{held: {A1: blue}, fleets: {blue: {A1: 2}, red: {A2: 2}}}"
    played = play(given, "red: {jump: [A2-A1 x2]}")
    assert numbers(played, "red") == (1, 3, 3, ["own homeworld"])
    assert numbers(played, "blue") == (1, 1, 1, [])


def test_a_homeworld_that_moves_takes_its_bonus_along():
    """JW-35, JW-51."""
    given = "{specials: {red: [planet-jump]}, fleets: {red: {B2: 1}, blue: {B2: 1, A1: 1}}}"
    state, events = play(given, "red: {move_homeworld: B2, jump: []}")
    assert numbers((state, events), "red") == (1, 3, 3, ["own homeworld"])
    assert standing(state) == {"red": {"B2": 1}, "blue": {"A1": 1}}


def test_the_old_empire_fights_with_levels_1_and_its_homeworld():
    """JW-61, JW-51: 3 fleets of attack 3, defense 3; they kill 5 reds before these kill one."""
    given = """{options: {old_empire: true}, map: {E5: {home: empire}},
                fleets: {red: {E5: 5}, empire: {E5: 3}}, held: {E5: empire}}"""
    played = play(given)
    assert numbers(played, "empire") == (1, 3, 3, ["own homeworld"])
    assert standing(played[0]) == {"empire": {"E5": 2}}


def test_cloaking_is_told_apart_from_the_levels():
    """JW-51: +2 initiative in the first round."""
    played = play("{specials: {red: [cloaking]}, fleets: {red: {D5: 1}, blue: {D5: 1}}}")
    assert numbers(played, "red") == (1, 1, 1, ["cloaking, in the first round"])
    assert standing(played[0]) == {"red": {"D5": 1}}


def test_raises_count_in_fights():
    """JW-13: initiative raised, so red shoots first."""
    played = play("{raised: {red: {initiative: 1}}, fleets: {red: {D5: 1}, blue: {D5: 1}}}")
    assert standing(played[0]) == {"red": {"D5": 1}}


def test_spaces_are_resolved_in_map_order():
    """JW-50: row by row."""
    given = "fleets: {red: {J1: 1, A2: 1, A10: 1, B2: 1}, blue: {J1: 1, A2: 1, A10: 1, B2: 1}}"
    _state, events = play(given)
    assert [told["at"] for told in named(events, "fight")] == ["J1", "A2", "B2", "A10"]


def test_preferences_are_kept_for_the_fight():
    """JW-55: green is shot at though blue has more fleets."""
    given = """{levels: {red: {initiative: 2}}, fleets: {red: {D5: 1}, blue: {D5: 2},
                green: {D5: 1}}}"""
    _state, events = play(given, "red: {fight: {targets: [green]}}")
    shots = named(events, "fight")[0]["rounds"][0]["actions"][0]["shots"]
    assert shots == [{"side": "red", "fleets": 1, "attack": 1, "at": {"green": 1}}]


def test_assimilation_gains_one_for_two_destroyed():
    """JW-57: 5 destroyed, 2 gained; only with fleets left there."""
    given = """{specials: {red: [assimilation], blue: [assimilation]},
                levels: {red: {initiative: 2, attack: 5}},
                fleets: {red: {D5: 1, C4: 1}, blue: {D5: 5}}}"""
    state, events = play(given)
    assert standing(state) == {"red": {"D5": 3, "C4": 1}}
    assert named(events, "assimilated") == [
        {"side": "red", "at": "D5", "fleets": 2, "destroyed": 5}
    ]


def test_a_single_kill_assimilates_nothing_and_nothing_is_told():
    """JW-57: 1 fleet for every 2 destroyed, rounded down."""
    given = """{specials: {red: [assimilation]}, levels: {red: {initiative: 2}},
                fleets: {red: {D5: 1}, blue: {D5: 1}}}"""
    state, events = play(given)
    assert standing(state) == {"red": {"D5": 1}}
    assert named(events, "assimilated") == []


def test_assimilation_by_simultaneous_kills():
    """JW-57: red and blue shoot together at green's four; each is credited with two of them.

    Green's four shots go to the first of equals, red, and stay there. Then red and blue fight
    it out: 2 + 2 destroyed by red, 2 gained.
    """
    given = """{specials: {red: [assimilation]}, levels: {red: {defense: 9}},
                fleets: {red: {D5: 2}, blue: {D5: 2}, green: {D5: 4}}}"""
    orders = "{red: {fight: {targets: [green]}}, blue: {fight: {targets: [green]}}}"
    state, events = play(given, orders)
    first = named(events, "fight")[0]["rounds"][0]["actions"][0]
    assert first["losses"][1]["credit"] == {"red": 2, "blue": 2}
    assert first["shots"][2]["at"] == {"red": 4}
    assert standing(state) == {"red": {"D5": 4}}


def test_bombs_without_ability_fight_or_ship_are_negated():
    """JW-56: each entry is an order of its own; the writer alone is told."""
    given = """{specials: {red: [nova-bombs]}, fleets: {red: {D5: 2, C1: 1}, blue: {D5: 1}}}"""
    orders = """{red: {fight: {nova_bombs: [{at: C1, ships: 1}, {at: K4, ships: 1},
        {at: D5, ships: 0}, {at: D5, ships: 1}, {at: D5, ships: 4}, {at: D5, ships: 1}]}},
        blue: {fight: {nova_bombs: [{at: D5, ships: 1}]}}}"""
    _state, events = play(given, orders)
    assert negations(events, "red") == ["JW-56"] * 4
    assert negations(events, "blue") == ["JW-56"]
    assert {e.seen_by for e in events if e.kind == "negated"} == {("red",), ("blue",)}


def test_every_round_is_told():
    """The event alone explains the fight."""
    given = "{levels: {red: {initiative: 2}}, fleets: {red: {D5: 2}, blue: {D5: 3}}}"
    _state, events = play(given)
    fight = named(events, "fight")[0]
    assert fight["at"] == "D5"
    assert (fight["terrain"], fight["home"], fight["defender"]) == ("void", None, None)
    assert fight["left"] == {"red": 1}
    assert fight["lost"] == {"red": 1, "blue": 3}
    assert fight["rounds"][0]["actions"] == [
        {
            "initiative": 2,
            "bombs": [],
            "shots": [{"side": "red", "fleets": 2, "attack": 1, "at": {"blue": 2}}],
            "losses": [
                {"side": "blue", "destroyed": 2, "left": 1, "damaged": [], "credit": {"red": 2}}
            ],
        },
        {
            "initiative": 1,
            "bombs": [],
            "shots": [{"side": "blue", "fleets": 1, "attack": 1, "at": {"red": 1}}],
            "losses": [
                {"side": "red", "destroyed": 1, "left": 1, "damaged": [], "credit": {"blue": 1}}
            ],
        },
    ]
