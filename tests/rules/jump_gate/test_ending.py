"""What is told at the end: everybody's points by one rule, the winners by another."""

from tests.rules.jump_gate.games import SECOND, dice, given


def test_points_and_winners_cite_the_rules_of_the_second_edition() -> None:
    """JGB-8: the last resource is harvested; by JG-10 it is worth 2, by JGB-10 a claim 4."""
    position = (
        "ships: {red: anno, blue: cinder}\nhands: {red: [n01]}\n"
        "planets: {anno: {face_up: [water], claim: blue}}\n"
    )
    orders = {"red": {"actions": [{"do": "harvest", "take": ["water"]}], "end": True}}
    _, events = SECOND.resolve(given(SECOND, position), orders, dice("1-turn"))
    told = [(event.rule, event.data) for event in events if event.kind in ("scored", "won")]
    assert [rule for rule, _ in told] == ["JGB-10", "JGB-10", "JGB-11"]
    assert [facts["total"] for _, facts in told[:2]] == [2, 4]
    assert told[2][1]["winners"] == ["blue"]
