"""A card is asked about by its name: what it does, how far, and by which rules."""

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from tests.desk.conftest import Desk
from tests.desk.post import Post


@pytest.mark.parametrize(
    ("kind", "card", "words", "rules"),
    [
        ("jump-drive", "colony-convoy", "if both worlds are non-military", ["JD-21", "JD-22"]),
        ("jump-drive", "military convoy", "both worlds are military", ["JD-21", "JD-23"]),
        ("jump-drive", "galactic-trendsetters", "2 VP per Galactic", ["JD-18"]),
        ("jump-drive", "new galactic order", "1 VP per general strength", ["JD-25"]),
        ("jump-wars", "event-skimming", "but not end in them", ["JW-33"]),
        ("jump-wars", "assimilation", "a fight that leaves you fleets", ["JW-57"]),
        ("jump-gate-2010", "lost-records", "never a claim", ["JGA-9"]),
    ],
)
def test_a_card_is_explained_with_its_limits_and_the_rules_about_it(
    desk: Desk, kind: str, card: str, words: str, rules: list[str]
) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind=kind)
    (part,) = post.answer(post.write(f"ask: {card}"))["parts"]
    own, *book = part["lines"]
    assert words in own
    assert [one.partition(":")[0] for one in book] == rules
