"""The score orders the seats as the game would if it ended now."""

from statistics import mean

import pytest
from msgspec.structs import replace

from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.game import JumpGate
from adjudicator.rules.jump_gate.position.resources import NOTHING
from adjudicator.rules.jump_gate.position.state import State
from tests.rules.jump_gate.games import FIRST, SECOND, dice, given, new

LEADER = (
    "planets: {anno: {claim: red}, cinder: {claim: red}}\n"
    "collected: {red: [gem-red, gem-red!, gem-red], blue: [fame, fame, fame]}\n"
)


def test_the_loss_to_the_black_hole_counts_from_its_last_marker_on() -> None:
    """JGA-11: both have 15 points, red more claims; the ninth marker takes red's gems."""
    assert FIRST.score(given(FIRST, LEADER + "black_hole: {red: 6, blue: 2}\n"))["red"] == 1
    last = given(FIRST, LEADER + "black_hole: {red: 6, blue: 3}\n")
    assert FIRST.score(last) == {"red": 0, "blue": 1}


def test_all_who_tie_for_most_markers_lose() -> None:
    """JGA-11: blue's fame goes as red's gems do, and red's claims remain."""
    tied = given(FIRST, LEADER + "black_hole: {red: 5, blue: 5}\n")
    assert FIRST.score(tied) == {"red": 1, "blue": 0}


@pytest.mark.parametrize(
    ("blue", "leader"),
    [
        ("fame, fame!, water, water, water", "red"),
        ("fame, fame!, water, water, energel-light, energel-dark", "blue"),
    ],
)
def test_a_random_loss_counts_with_its_mean(blue: str, leader: str) -> None:
    """JGA-11: of four gems and four fames three are lost; 19.3 points are left, not 36."""
    red = "gem-red, gem-red, gem-red!, gem-red!, fame, fame, fame!, fame!"
    position = f"collected: {{red: [{red}], blue: [{blue}]}}\nblack_hole: {{red: 8, blue: 1}}\n"
    state = given(FIRST, position)
    score = FIRST.score(state)
    assert [seat for seat in score if score[seat]] == [leader]


def find_end(game: JumpGate, state: State, seed: int) -> dict[str, int]:
    """The points when the turn is given up, by the dice of a seed; the game ends."""
    after, _ = game.resolve(state, {}, dice("1-turn", seed))
    over = after.table.over
    assert isinstance(over, Over)
    return dict(over.scores)


def test_equal_points_are_told_apart_by_what_is_left() -> None:
    """JGA-13: most resources; red's three are lost."""
    position = "collected: {red: [water, water, water], blue: []}\nblack_hole: {red: 9}\n"
    state = given(FIRST, position)
    assert FIRST.score(state) == {"red": 0, "blue": 1}


@pytest.mark.parametrize("seed", range(12))
def test_the_score_says_how_the_game_would_end(seed: int) -> None:
    """Positions in which everybody has collected something, ended by the turn that is given up."""
    state = new(FIRST, 2 + seed % 4, seed)
    seats = state.table.seats
    collected = {
        seat: tuple(card for card in pile if card != NOTHING)[: 3 + (seed + place) % 4]
        for place, (seat, pile) in enumerate(zip(seats, state.piles.values(), strict=False))
    }
    markers = {seat: 2 + (seed + 2 * place) % 5 for place, seat in enumerate(seats)}
    markers[seats[0]] += 9
    table = replace(state.table, collected=collected, black_hole=markers)
    state = replace(state, table=table)
    ends = [find_end(FIRST, state, number) for number in range(200)]
    means = {seat: mean(end[seat] for end in ends) for seat in seats}
    score = FIRST.score(state)
    for one in seats:
        for other in seats:
            if means[one] > means[other] + 1:
                assert score[one] > score[other], (means, score)


def test_hidden_resources_do_not_show_before_the_end() -> None:
    """JG-13: whoever looks at the score may play in the game."""
    position = "hidden: {red: [fame, water], blue: [sand, sand]}\nblack_hole: {blue: 7}\n"
    other = "hidden: {red: [sand, sand], blue: [fame, water]}\nblack_hole: {blue: 7}\n"
    assert SECOND.score(given(SECOND, position)) == SECOND.score(given(SECOND, other))


def test_hidden_resources_that_counted_tell_equal_points_apart_at_the_end() -> None:
    """JGB-11: behind red, blue has more resources than green, one of them hidden."""
    state = SECOND.load(
        {
            "seats": ["red", "blue", "green"],
            "ring": ["anno", "cinder", "waldwelt"],
            "collected": {"red": ["fame", "fame"], "blue": ["water"], "green": ["water", "water"]},
            "hidden": {"blue": ["sand", "sand"]},
            "over": {"winners": ["red"], "scores": {"red": 10, "blue": 6, "green": 6}},
        },
        dice("given"),
    )
    assert SECOND.score(state) == {"red": 2, "blue": 1, "green": 0}
