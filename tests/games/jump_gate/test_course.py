"""How near the ends of a game are, as the table of players tells."""

import pytest

from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.dice import Dice
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND
from tests.games.jump_gate.test_report import SEATS, section


@pytest.mark.parametrize("over", [False, True])
def test_final_turns_are_told_while_they_can_come(over: bool) -> None:
    """JGB-8: markers on the Black Hole may end the game before them."""
    given = """
active: red
ring: [anno, cinder, waldwelt]
planets: {anno: {claim: red, face_up: [water]}, cinder: {claim: red}, waldwelt: {claim: blue}}
final_turns: [red, blue, green]
"""
    document = {**load_yaml(given), "seats": SEATS}
    if over:
        document |= {"over": {"winners": ["red"], "scores": {"red": 8, "blue": 4, "green": 0}}}
    rules = LIBRARY.kind(SECOND).rules
    state = rules.load(document, Dice(b"key", "given"))
    players = section(rules.report(rules.view(state, "red"), ()), "Players")
    told = "Final turns still to end: red, blue, green." in str(players)
    assert told is not over


@pytest.mark.parametrize(
    ("kind", "claims", "sentence"),
    [
        (FIRST, "r---", None),
        (FIRST, "rb-r", "Unclaimed: sethium. Once all are claimed, the game ends when only cards"),
        (FIRST, "rbbr", "when only cards with ! are left; face-up cards without !: 1."),
        (SECOND, "rb-r", "Unclaimed: sethium. The last claim begins the final turns."),
        (SECOND, "rbbr", None),
    ],
)
def test_the_end_by_the_last_claim_is_foreseen(
    kind: str, claims: str, sentence: str | None
) -> None:
    """JGA-10, JGB-8."""
    seats = {"r": "red", "b": "blue"}
    ring = ["anno", "cinder", "sethium", "waldwelt"]
    planets = {
        planet: {"face_up": [card], **({"claim": seats[sign]} if sign in seats else {})}
        for planet, sign, card in zip(
            ring, claims, ["water", "fame!", "gem-red!", "fame!"], strict=True
        )
    }
    rules = LIBRARY.kind(kind).rules
    state = rules.load({"seats": SEATS, "ring": ring, "planets": planets}, Dice(b"key", "given"))
    players = section(rules.report(rules.view(state, "red"), ()), "Players")
    told = [one for one in players["words"] if "claim" in one]
    assert len(told) == (sentence is not None)
    assert sentence is None or sentence in told[0]
