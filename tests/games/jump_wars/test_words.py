"""Every kind of event in every reader's words, and what became of one's own orders."""

from typing import Any

import pytest

from adjudicator.core.events import Event
from adjudicator.rules.jump_wars.telling.report import describe_outcome
from adjudicator.rules.jump_wars.telling.sentences import TELLERS, Reader, tell

WORDS: list[tuple[str, dict[str, Any], str, str]] = [
    # kind, facts, in red's words, in anybody else's
    ("negated", {"seat": "red", "order": "A1-K1 x1", "why": "K1 is not on the map.", "path": []},
     "You: A1-K1 x1 did not happen: K1 is not on the map.",
     "red: A1-K1 x1 did not happen: K1 is not on the map."),
    ("turn", {"turn": 4}, "Turn 4 begins.", "Turn 4 begins."),
    ("homeworld", {"seat": "red", "space": "A1", "wish": 2},
     "Your homeworld is A1, choice 2 of the list.", "red's homeworld is A1, choice 2 of the list."),
    ("homeworld", {"seat": "red", "space": "A1", "wish": None},
     "Your homeworld is A1, the free space farthest away.",
     "red's homeworld is A1, the free space farthest away."),
    ("dealt", {"deals": 1}, "The map was dealt.", "The map was dealt."),
    ("dealt", {"deals": 3}, "The map was dealt. 2 deals left a homeworld out of reach.",
     "The map was dealt. 2 deals left a homeworld out of reach."),
    ("drew", {"seat": "red", "cards": 2, "extra": False}, "You drew 2 cards.", "red drew 2 cards."),
    ("drew", {"seat": "red", "cards": 1, "extra": True, "named": ["jump"]},
     "You drew 1 card more, for the highest research: jump.",
     "red drew 1 card more, for the highest research: jump."),
    ("ruins", {"seat": "red"}, "You discarded the progenitor ruins to draw more cards.",
     "red discarded the progenitor ruins to draw more cards."),
    ("brains", {"seat": "red", "paid": 10}, "You paid 10 RT for one more card.",
     "red paid 10 RT for one more card."),
    ("shuffled", {"cards": 31}, "The deck ran out: the discard pile, 31 cards, was shuffled.",
     "The deck ran out: the discard pile, 31 cards, was shuffled."),
    ("raised", {"seat": "red", "tech": "jump", "level": 3, "card": None},
     "You raised jump to 3 until the end of the turn, by leadership.",
     "red raised jump to 3 until the end of the turn, by leadership."),
    ("raised", {"seat": "red", "tech": "jump", "level": 3, "card": "jump"},
     "You raised jump to 3 until the end of the turn, by discarding the card.",
     "red raised jump to 3 until the end of the turn, by discarding the card."),
    ("traded", {"by": "blue", "to": "red", "rt": 5, "cards": 1, "gift": False, "named": ["jump"]},
     "blue gave you 5 RT and 1 card in trade: jump.",
     "blue gave red 5 RT and 1 card in trade: jump."),
    ("traded", {"by": "red", "to": "blue", "rt": 0, "cards": 2, "gift": True},
     "You gave blue 2 cards as a gift.", "red gave blue 2 cards as a gift."),
    ("trade-failed", {"by": "blue", "to": "red", "rt": 5, "cards": ["jump", "jump"]},
     "blue wanted to give you 5 RT and jump x2, but could not pay it.",
     "blue wanted to give red 5 RT and jump x2, but could not pay it."),
    ("stolen", {"thief": "blue", "victim": "red", "named": ["jump"]},
     "blue took a random card from your hand: jump.",
     "blue took a random card from red's hand: jump."),
    ("stolen", {"thief": "red", "victim": "blue"}, "You took a random card from blue's hand.",
     "red took a random card from blue's hand."),
    ("allied", {"of": "blue", "who": "red"},
     "You are blue's ally this turn and may not jump to where blue's fleets stand now.",
     "red is blue's ally this turn and may not jump to where blue's fleets stand now."),
    ("allied", {"of": "red", "who": "blue"},
     "blue is your ally this turn and may not jump to where your fleets stand now.",
     "blue is red's ally this turn and may not jump to where red's fleets stand now."),
    ("advanced", {"seat": "red", "tech": "jump", "level": 2, "cards": 1},
     "You advanced jump to 2 for good, with a card.",
     "red advanced jump to 2 for good, with a card."),
    ("advanced", {"seat": "red", "tech": "jump", "level": 2, "cards": 2},
     "You advanced jump to 2 for good, with two cards.",
     "red advanced jump to 2 for good, with two cards."),
    ("gained", {"seat": "red", "special": "cloaking", "cost": {}},
     "You gained the ability cloaking.", "red gained the ability cloaking."),
    ("gained", {"seat": "red", "special": "cloaking", "cost": {"jump": 1}},
     "You gained the ability cloaking for 1 level of jump.",
     "red gained the ability cloaking for 1 level of jump."),
    ("melted", {"seat": "red", "cards": ["jump", "trade"]},
     "You discarded jump and trade to mine more.", "red discarded jump and trade to mine more."),
    ("raided", {"at": "C4", "seat": "red", "by": ["blue"], "less": 1},
     "The cluster at C4 yielded you 1 less, raided by blue.",
     "The cluster at C4 yielded red 1 less, raided by blue."),
    ("mined", {"seat": "red", "sum": {"own-homeworld": 5, "star-field": 3}, "times": 2, "rt": 16},
     "You mined 16 RT: homeworld 5 + star fields 3, times manufacturing 2.",
     "red mined 16 RT: homeworld 5 + star fields 3, times manufacturing 2."),
    ("mined", {"seat": "red", "sum": {"cards": 2}, "times": 1, "rt": 2},
     "You mined 2 RT: discarded cards 2.", "red mined 2 RT: discarded cards 2."),
    ("mined", {"seat": "red", "sum": {}, "times": 3, "rt": 0}, "You mined nothing.",
     "red mined nothing."),
    ("built", {"seat": "red", "at": "A1", "fleets": 1, "asked": "max", "price": 5, "paid": 5},
     "You built 1 fleet at A1 for 5 RT.", "red built 1 fleet at A1 for 5 RT."),
    ("sabotaged", {"seat": "blue", "card": "trade", "side": "red", "at": "A1"},
     "blue sabotaged 1 of your fleets at A1, discarding trade.",
     "blue sabotaged 1 of red's fleets at A1, discarding trade."),
    ("sabotaged", {"seat": "red", "card": "trade", "side": "empire", "at": "E5"},
     "You sabotaged 1 of the old empire's fleets at E5, discarding trade.",
     "red sabotaged 1 of the old empire's fleets at E5, discarding trade."),
    ("espionage", {"seat": "red", "number": 2, "cancelled": "A1-B1 x1", "rewritten": "A1-A2 x3"},
     "You cancelled order 2, A1-B1 x1, and wrote A1-A2 x3 in its place.",
     "red cancelled order 2, A1-B1 x1, and wrote A1-A2 x3 in its place."),
    ("espionage", {"seat": "red", "number": 2, "cancelled": "A1-B1 x1", "rewritten": None},
     "You cancelled order 2, A1-B1 x1, and wrote nothing in its place.",
     "red cancelled order 2, A1-B1 x1, and wrote nothing in its place."),
    ("time-jump",
     {"seat": "blue", "discard": "trade", "player": "red", "number": 3, "order": "A1-B1 x1"},
     "blue negated your order 3, A1-B1 x1, discarding trade.",
     "blue negated red's order 3, A1-B1 x1, discarding trade."),
    ("jumped", {"seat": "red", "number": 1, "order": "A1-B2 all", "from": "A1", "to": "B2",
                "fleets": 4, "length": 1},
     "You jumped from A1 to B2 with 4 fleets.", "red jumped from A1 to B2 with 4 fleets."),
    ("homeworld-moved", {"seat": "red", "number": 0, "order": "B2", "from": "A1", "to": "B2"},
     "Your homeworld moved from A1 to B2.", "red's homeworld moved from A1 to B2."),
    ("hand-limit", {"seat": "red", "cards": ["trade"], "limit": 4},
     "You discarded trade down to the limit of 4.", "red discarded trade down to the limit of 4."),
    ("assimilated", {"side": "red", "at": "D5", "fleets": 2, "destroyed": 5},
     "You assimilated 2 fleets at D5, after 5 kills.",
     "red assimilated 2 fleets at D5, after 5 kills."),
    ("empire-held", {"by": "red", "turns": 1, "was": None},
     "You have held the old empire's homeworld for 1 turn in a row; 3 win.",
     "red has held the old empire's homeworld for 1 turn in a row; 3 win."),
    ("empire-held", {"by": None, "turns": 0, "was": {"by": "red", "turns": 2}},
     "Nobody holds the old empire's homeworld any more; the count starts again.",
     "Nobody holds the old empire's homeworld any more; the count starts again."),
    ("won", {"seat": "red", "homeworlds": ["A10", "J10"]},
     "You win the game: every opponent's homeworld is occupied (A10 and J10).",
     "red wins the game: every opponent's homeworld is occupied (A10 and J10)."),
    ("won", {"seat": "red", "turns": 3},
     "You win the game: the old empire's homeworld held for 3 turns.",
     "red wins the game: the old empire's homeworld held for 3 turns."),
    ("won", {"seat": "red", "shared": True, "standings": []},
     "You share the victory at the turn limit.", "red shares the victory at the turn limit."),
    ("won", {"seat": "red", "shared": False, "standings": []},
     "You win the game at the turn limit.", "red wins the game at the turn limit."),
    ("drawn", {}, "The game is drawn: nobody has a fleet, a token or a card left.",
     "The game is drawn: nobody has a fleet, a token or a card left."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "facts", "own", "other"), WORDS)
def test_what_happened_is_told_to_whom_it_happened_and_to_others(
    kind: str, facts: dict[str, Any], own: str, other: str
) -> None:
    event = Event(kind=kind, rule="JW-11", seen_by=None, data=facts)
    assert tell(event, Reader("red")).text == own
    for seat in ("green", None):
        assert tell(event, Reader(seat)).text == other


def test_no_sentence_goes_without_an_example() -> None:
    """Fights and revealed orders are told at length elsewhere."""
    assert {kind for kind, *_ in WORDS} | {"fight", "revealed"} == set(TELLERS)


OUTCOMES: list[tuple[str, dict[str, Any], str]] = [
    ("jumped", {"seat": "red", "number": 2, "order": "A1-B2 all"}, "order 2: A1-B2 all"),
    ("homeworld-moved", {"seat": "red", "from": "A1", "to": "B2"}, "homeworld from A1 to B2"),
    ("raised", {"seat": "red", "tech": "jump", "level": 3, "card": "jump"},
     "cutting edge: jump 3 until the turn ends"),
    ("raised", {"seat": "red", "tech": "jump", "level": 3, "card": None},
     "leadership: jump 3 until the turn ends"),
    ("advanced", {"seat": "red", "tech": "jump", "level": 2, "cards": 1}, "advance jump: now 2"),
    ("advanced", {"seat": "red", "tech": "jump", "level": 2, "cards": 2}, "pair jump: now 2"),
    ("gained", {"seat": "red", "special": "cloaking"}, "advance cloaking: the ability is yours"),
    ("traded", {"by": "red", "to": "blue", "rt": 5, "cards": 1, "gift": False, "named": ["jump"]},
     "trade to blue: 5 RT and jump"),
    ("traded", {"by": "red", "to": "blue", "rt": 1, "cards": 0, "gift": True},
     "gift to blue: 1 RT"),
    ("stolen", {"thief": "red", "victim": "blue", "named": ["jump"]}, "steal from blue: jump"),
    ("allied", {"of": "red", "who": "blue"}, "ally this turn: blue"),
    ("melted", {"seat": "red", "cards": ["jump", "jump"]}, "mine with jump x2"),
    ("sabotaged", {"seat": "red", "card": "trade", "side": "blue", "at": "C4"},
     "sabotage with trade: 1 fleet of blue at C4"),
    ("ruins", {"seat": "red"}, "progenitor ruins discarded for more cards"),
    ("brains", {"seat": "red", "paid": 10}, "positronic brains: 10 RT for a card"),
    ("espionage", {"seat": "red", "number": 1, "cancelled": "A1-B1 x1", "rewritten": "A1-A2 x3"},
     "cancel order 1, A1-B1 x1, A1-A2 x3 instead"),
    ("espionage", {"seat": "red", "number": 1, "cancelled": "A1-B1 x1", "rewritten": None},
     "cancel order 1, A1-B1 x1"),
    ("time-jump",
     {"seat": "red", "discard": "trade", "player": "blue", "number": 3, "order": "J1-I1 x1"},
     "time jump with trade: blue's order 3, J1-I1 x1"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "facts", "text"), OUTCOMES)
def test_what_became_of_an_order_that_was_carried_out(
    kind: str, facts: dict[str, Any], text: str
) -> None:
    told = describe_outcome(7, Event(kind=kind, rule="JW-28", seen_by=None, data=facts))
    assert told == {"n": 7, "text": text, "rule": "JW-28", "outcome": "done", "why": None}


@pytest.mark.parametrize(
    ("asked", "outcome", "why"),
    [
        (4, "part", "4 were asked for; a fleet costs 6 RT."),
        (3, "done", None),
        ("max", "done", None),
    ],
)
def test_building_less_than_was_asked_for_is_done_in_part(
    asked: object, outcome: str, why: str | None
) -> None:
    data = {"seat": "red", "at": "A1", "fleets": 3, "asked": asked, "price": 6, "paid": 18}
    told = describe_outcome(7, Event(kind="built", rule="JW-25", seen_by=None, data=data))
    assert (told["text"], told["outcome"]) == ("build at A1: 3 fleets for 18 RT", outcome)
    assert told["why"] == why
