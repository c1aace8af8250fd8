"""Odds at receipt: what may fail for hidden things says how often, on imagined positions."""

import re
from math import comb, sqrt
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, encode
from adjudicator.core.finding import Finding
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.values import Step
from adjudicator.desk.questions import imagined
from adjudicator.desk.questions.imagined import WORLDS, weigh_doubts
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import words
from tests.desk.test_ahead import TWO, Table, address, begin
from tests.desk.test_forecast import Elsewhere

DICE = Dice(derive_dice_key(seed_from_number(3)), "given")
GATES = ("jump-gate", "jump-gate-2010")


@pytest.fixture(params=GATES)
def gate(desk: Desk, request: pytest.FixtureRequest) -> Table:
    """A game in which red, on the Jump Gate, may throw its hand away and hope."""
    return begin(desk, request.param, seats=TWO, options={"start_player": "red"})


def hoping(desk: Desk, kind: str) -> tuple[Document, float]:
    """Orders that need a card which is still to be drawn, and how likely they are to fail."""
    state, cards = desk.state(), FolderLibrary().kind(kind).rules.components.cards  # type: ignore[attr-defined]  # Rules name no components
    hand = state["hands"]["red"]
    worlds = FolderLibrary().kind(kind).rules.components.worlds  # type: ignore[attr-defined]  # as above
    unseen = [card for card in cards if card not in hand]
    fits = {
        planet: sum(cards[one].fits("jump", worlds[planet].jump) for one in unseen)
        for planet in state["ring"]
    }
    target = min(fits, key=lambda planet: (fits[planet], planet))
    misses = comb(len(unseen) - fits[target], len(hand)) / comb(len(unseen), len(hand))
    actions = [{"do": "research", "discard": hand}, {"do": "jump", "to": target}]
    return {"actions": actions}, misses


def written(orders: Document) -> str:
    """Actions as a player writes them."""
    first, then = orders["actions"]
    thrown = ", ".join(first["discard"])
    return f"actions: [{{do: research, discard: [{thrown}]}}, {{do: jump, to: {then['to']}}}]"


def marks(table: Table, *lines: str) -> list[str]:
    """What the receipt of these lines says at the right margin of each order."""
    table.say("red", *lines)
    part = words(table.mail.last(address("red"))).partition("ONE BY ONE")[2].partition("\n\n")[0]
    return re.findall(r"(fine|⚠ may fail: \d+ %|⚠ may fail|✗ \S.*)$", part, re.MULTILINE)


def weigh(context: Context, seat: str, orders: Document) -> tuple[Finding, ...]:
    """What the check finds, with its odds."""
    return weigh_doubts(
        context, seat, orders, context.kind.rules.check(context.view(seat), seat, orders)
    )


def test_what_hangs_on_the_draw_carries_its_share(gate: Table) -> None:
    kind = gate.desk.game().kind
    orders, misses = hoping(gate.desk, kind)
    told = marks(gate, written(orders), "preview: true")
    assert told[0] == "fine"
    found = re.fullmatch(r"⚠ may fail: (\d+) %", told[1])
    assert found is not None
    off = 4 * sqrt(misses * (1 - misses) / WORLDS) + 0.005
    assert abs(int(found[1]) / 100 - misses) < off
    page = gate.mail.last(address("red")).get_body(("html",))
    assert page is not None
    assert f"⚠ may fail: {found[1]} %" in page.get_content()


def test_what_follows_a_doubtful_action_carries_its_share(desk: Desk) -> None:
    """It is not tried if the one before it fails (JG-5)."""
    table = begin(desk, "jump-gate", seats=TWO, options={"start_player": "red"})
    orders, _ = hoping(desk, "jump-gate")
    told = marks(table, written(orders), "end: yes", "preview: true")
    assert (len(told), len(set(told[1:]))) == (3, 1)
    assert "It will not be tried if an action before it fails." in table.read("red")


def test_a_card_that_comes_in_hardly_any_world_is_at_most_99_percent(gate: Table) -> None:
    state = gate.desk.state()
    hand = state["hands"]["red"]
    cards = FolderLibrary().kind(gate.desk.game().kind).rules.components.cards  # type: ignore[attr-defined]  # Rules name no components
    wanted = next(one for one in cards if one not in hand)
    first, then = (f"{{do: research, discard: [{card}]}}" for card in (hand[0], wanted))
    line = f"actions: [{first}, {then}]"
    told = marks(gate, line, "preview: true")
    assert re.fullmatch(r"⚠ may fail: 9[3-9] %", told[1])


def test_everything_hidden_changed_gives_the_same_odds(gate: Table) -> None:
    """Another deck, other hands: the position is one that the seat imagines."""
    desk = gate.desk
    orders, _ = hoping(desk, desk.game().kind)
    with desk.store.reading() as books:
        here = Context(books, desk.library, GAME, desk.at)
        there = Elsewhere(books, desk, "red")
        dump = here.kind.rules.dump
        assert encode(dump(there.other)) != encode(dump(here.state))
        told = weigh(here, "red", orders)
        assert [one.odds for one in told if one.odds] != []
        assert encode(told) == encode(weigh(there, "red", orders))


def test_only_doubts_about_hidden_things_are_weighed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receipt costs nothing more where nothing is doubtful, or only what others order."""
    played: list[int] = []
    play = imagined.play_imagined

    def count(*given: Any) -> Any:
        for outcome in play(*given):
            played.append(1)
            yield outcome

    monkeypatch.setattr(imagined, "play_imagined", count)
    table = begin(desk, "jump-gate", seats=TWO, options={"start_player": "red"})
    table.say("red", "actions: [{do: research}]", "preview: true")
    table.say("red", "actions: [{do: fly, to: anno}]", "preview: true")  # refused
    assert played == []
    orders, _ = hoping(desk, "jump-gate")
    table.say("red", written(orders), "preview: true")
    assert len(played) == WORLDS


def test_a_trade_that_hangs_on_the_other_side_has_no_share(desk: Desk) -> None:
    table = begin(desk, "jump-wars", seats=TWO)
    card = desk.state()["hands"]["red"][0]
    other = next(one for one in ("attack", "jump", "trade") if one != card)
    line = f"trade: [{{with: blue, give: {{cards: [{card}]}}, want: {{cards: [{other}]}}}}]"
    assert marks(table, line) == ["⚠ may fail"]
    assert "%" not in table.read("red")


class Given(Context):
    """A game in a certain position."""

    given: Any

    def before(self, step: Step) -> Any:
        return self.given


def test_a_card_of_the_ruins_carries_its_share(desk: Desk) -> None:
    """Jump Wars: two cards are drawn before levels are raised with them (JW-15)."""
    begin(desk, "jump-wars", seats=TWO)
    document = {
        **desk.state(),
        "hands": {"red": ["progenitor-ruins", "jump"], "blue": ["jump"]},
        "discard": ["attack", "attack"],
    }
    orders = {"draw": {"progenitor_ruins": True}, "cutting_edge": ["attack", "jump"]}
    with desk.store.reading() as books:
        here = Given(books, desk.library, GAME, desk.at)
        rules = here.kind.rules
        here.given = rules.load({key: one for key, one in document.items() if key != "deck"}, DICE)
        view = here.view("red")
        box = rules.components.cards  # type: ignore[attr-defined]  # Rules name no components
        left = box["attack"] - 2
        unseen = sum(box.values()) - 4
        misses = comb(unseen - left, 2) / comb(unseen, 2)
        (found,) = weigh(here, "red", orders)
        assert found.path == ("cutting_edge", 0)
        assert found.odds is not None
        off = 4 * sqrt(misses * (1 - misses) / WORLDS) + 0.005
        assert abs(found.odds / 100 - misses) < off
        assert view.hand == ("jump", "progenitor-ruins")


def test_what_fails_with_a_card_that_is_drawn_is_doubtful_too(desk: Desk) -> None:
    """Jump Wars: a level that is raised with a card of the ruins makes fleets dearer (JW-25)."""
    begin(desk, "jump-wars", seats=TWO)
    document = {
        **desk.state(),
        "hands": {"red": ["progenitor-ruins"], "blue": []},
        "levels": {},
        "tokens": {"red": 0},
    }
    orders = {"draw": {"progenitor_ruins": True}, "cutting_edge": ["attack"], "build": 1}
    with desk.store.reading() as books:
        here = Given(books, desk.library, GAME, desk.at)
        rules = here.kind.rules
        here.given = rules.load({key: one for key, one in document.items() if key != "deck"}, DICE)
        view = here.view("red")
        assert [one.path for one in rules.check(view, "red", orders)] == [("cutting_edge", 0)]
        raised, build = weigh(here, "red", orders)
        assert (build.path, build.grade, build.rule) == (("build",), "doubtful", "JW-25")
        assert raised.odds is not None
        assert build.odds == 100 - raised.odds
