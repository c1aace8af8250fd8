"""The position in which a game begins."""

from collections import Counter

import pytest

from adjudicator.core.document import Impossible
from adjudicator.rules.jump_gate.game import JumpGate
from adjudicator.rules.jump_gate.position.resources import has_icon, remove_icon
from adjudicator.rules.jump_gate.position.state import State
from tests.rules.jump_gate.games import FIRST, SEATS, SECOND, dice, new


def _resources(state: State) -> Counter[str]:
    found: Counter[str] = Counter()
    for planet, site in state.table.planets.items():
        found.update((*site.face_up, *state.piles[planet]))
    for seat in state.table.seats:
        found.update((*state.table.collected[seat], *state.hidden[seat]))
    return found


@pytest.mark.parametrize("players", range(2, 7))
def test_2010_deals_every_card(players: int) -> None:
    state = new(FIRST, players, seed=players)
    table = state.table
    assert (len(table.ring), len(set(table.ring))) == (8, 8)
    assert _resources(state) == Counter(
        {card: count for card, count in FIRST.components.resource_cards.items() if count}
    )
    below = [len(cards) for cards in state.piles.values()]
    assert sum(below) == 48 - 8 - players
    assert max(below) - min(below) <= 1
    assert below == sorted(below, reverse=True)  # in ring order, so the first have one more
    assert all(len(site.face_up) == 1 for site in table.planets.values())
    for seat in table.seats:
        (card,) = table.collected[seat]
        assert remove_icon(card) not in ("fame", "nothing")
        assert (len(state.hands[seat]), table.black_hole[seat]) == (5, 0)
        assert table.ships[seat].at is None


def test_2010_deals_cards_with_the_icon_too_and_they_put_no_marker() -> None:
    dealt = [new(FIRST, 6, seed) for seed in range(6)]
    assert any(has_icon(cards[0]) for state in dealt for cards in state.table.collected.values())
    assert all(set(state.table.black_hole.values()) == {0} for state in dealt)


def test_sun_dial_puts_all_planets_in_play() -> None:
    table = new(FIRST, 2, sun_dial=True).table
    assert sorted(table.ring) == sorted(FIRST.components.worlds)


@pytest.mark.parametrize(
    ("players", "planets", "hidden"), [(2, 6, 3), (3, 7, 2), (4, 8, 2), (5, 9, 2)]
)
def test_second_deals_hidden_resources_and_leaves_the_rest_in_the_box(
    players: int, planets: int, hidden: int
) -> None:
    state = new(SECOND, players, seed=players)
    table = state.table
    assert len(table.ring) == planets
    assert all(len(cards) == hidden for cards in state.hidden.values())
    assert not any(remove_icon(card) == "fame" for cards in state.hidden.values() for card in cards)
    assert all(len(cards) == 3 for cards in state.piles.values())
    assert all(len(site.face_up) == 1 for site in table.planets.values())
    assert sum(_resources(state).values()) == players * hidden + 4 * planets
    assert set(table.collected.values()) == {()}


@pytest.mark.parametrize("game", [FIRST, SECOND], ids=lambda game: game.kind)
def test_every_card_of_the_deck_is_somewhere(game: JumpGate) -> None:
    state = new(game, 4)
    cards = [*state.deck, *(card for hand in state.hands.values() for card in hand)]
    assert sorted(cards) == sorted(game.components.cards)


@pytest.mark.parametrize("game", [FIRST, SECOND], ids=lambda game: game.kind)
def test_the_first_player_is_dealt_or_named(game: JumpGate) -> None:
    assert {new(game, 3, seed).table.active for seed in range(20)} == set(SEATS[:3])
    assert new(game, 3, start_player="green").table.active == "green"


def test_too_many_players() -> None:
    with pytest.raises(Impossible, match=r"seats: expected 2 to 5 seats, got 6 \(JGB-1\)"):
        new(SECOND, 6)
    with pytest.raises(Impossible, match="sun_dial: no such key"):
        SECOND.setup({"sun_dial": True}, SEATS[:2], dice("0-setup"))
