"""Positions that a ruling may make of Jump Gate, and those that it may not."""

import pytest

from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.dice import Dice
from adjudicator.core.document import Impossible
from adjudicator.core.game import STRENGTHS, Strength
from tests.games.jump_gate.play import LIBRARY, SECOND
from tests.games.jump_gate.test_report import NEW, SEATS


@pytest.mark.parametrize(
    ("asked", "refused"),
    [("{red: cinder}", "the marks of blue there are collected first"), ("{blue: cinder}", "")],
)
def test_no_ruling_lets_a_lander_take_what_others_have_marked(asked: str, refused: str) -> None:
    """Whose marks lie at a planet collect before its lander takes what remains (JGB-6)."""
    library = LIBRARY.kind(SECOND)
    given = f"{NEW}step: collect\nawaiting: {{collect: {asked}}}\n"
    document = {**load_yaml(given), "options": library.options({}, SEATS), "seats": SEATS}
    if not refused:
        assert library.rules.load(document, Dice(b"key", "given")).table.step == "collect"
        return
    with pytest.raises(Impossible, match=refused):
        library.rules.load(document, Dice(b"key", "given"))


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_to_whom_a_ruling_left_no_action_does_nothing(strength: Strength) -> None:
    library = LIBRARY.kind(SECOND)
    document = {**load_yaml(f"{NEW}actions_left: 0"), "options": library.options({}, SEATS)}
    state = library.rules.load({**document, "seats": SEATS}, Dice(b"key", "given"))
    view = library.rules.view(state, "red")
    assert library.rules.bot(view, "red", Dice(b"key", "bot"), strength) == {}
