"""Who is told what, in positions made for it: the secrets that random play seldom touches."""

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.core.document import encode
from adjudicator.core.events import list_visible
from adjudicator.rules.jump_gate.position.state import State
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, dice_of

Document = Mapping[str, Any]

RING = ["anno", "cinder", "waldwelt"]


def position(kind: str, given: Document, *, seats: tuple[str, ...] = ("red", "blue")) -> State:
    """The position of a state document."""
    game = LIBRARY.kind(kind)
    options = game.options(given.get("options") or {}, seats)
    document = {"ring": RING, **given, "options": options, "seats": list(seats)}
    state: State = game.rules.load(document, dice_of(0, "given"))
    return state


def told_after(kind: str, state: State, orders: Document, seat: str | None) -> bytes:
    """Everything that a seat is told of a step."""
    rules = LIBRARY.kind(kind).rules
    after, events = rules.resolve(state, orders, dice_of(0, "1-turn"))
    view, seen = rules.view(after, seat), list_visible(events, seat)
    return encode([view, seen, rules.report(view, seen)])


def told(kind: str, state: State, seat: str | None, orders: Document | None = None) -> bytes:
    """Everything that a seat is told of a position, its own orders judged."""
    rules = LIBRARY.kind(kind).rules
    view = rules.view(state, seat)
    findings = rules.check(view, seat, orders) if seat and orders is not None else ()
    return encode([view, rules.report(view, ()), findings])


SCAN = {
    "planets": {"anno": {"face_up": ["sand"], "face_down": ["gem-red", "water"]}},
    "ships": {"red": "anno"},
    "hands": {"red": ["n01", "n17", "n44"]},
    "navcomp_deck": ["n30", "n31"],
}
"""Second edition: red can scan anno with n17, which turns up a red gem."""


@pytest.mark.parametrize("seat", ["blue", None])
def test_a_negated_action_does_not_show_the_card_it_named(seat: str | None) -> None:
    """JG-5: it costs nothing, so the card stays in the hand, and hands are private."""
    state = position(SECOND, SCAN)

    def turn(card: str) -> Document:
        scan = {"do": "scan", "card": "n17", "mark": ["fame"]}
        harvest = {"do": "harvest", "card": card, "take": ["fame"]}
        return {"red": {"actions": [scan, harvest]}}

    first, other = (told_after(SECOND, state, turn(card), seat) for card in ("n01", "n44"))
    assert first == other
    assert told_after(SECOND, state, turn("n01"), "red") != told_after(
        SECOND, state, turn("n44"), "red"
    )


@pytest.mark.parametrize("seat", ["blue", None])
def test_an_action_that_was_not_tried_is_nobodys_business(seat: str | None) -> None:
    """JG-15: what follows a scan that asks is dropped; it named a card of the hand."""
    state = position(SECOND, {**SCAN, "options": {"interrupts": "ask"}})

    def turn(*more: Document) -> Document:
        return {"red": {"actions": [{"do": "scan", "card": "n17"}, *more]}}

    harvest = {"do": "harvest", "card": "n44"}
    research = {"do": "research", "discard": ["n01"]}
    alone = told_after(SECOND, state, turn(), seat)
    assert alone == told_after(SECOND, state, turn(harvest), seat)
    assert alone == told_after(SECOND, state, turn(research), seat)


@pytest.mark.parametrize("seat", ["blue", None])
def test_the_third_action_of_a_stopped_list(seat: str | None) -> None:
    """JGA-9, JG-5: inside-info makes room for a third action, which is not tried."""
    state = position(
        FIRST,
        {
            "planets": {"anno": {"face_up": ["fame"], "face_down": ["water"]}},
            "ships": {"red": "anno"},
            "hands": {"red": ["n02", "n04", "n05", "n06"]},
            "navcomp_deck": ["n40", "n42", "n46"],
        },
    )

    def turn(card: str) -> Document:
        info = {"do": "special", "card": "n05"}
        hoped_for = {"do": "jump", "to": "cinder", "card": "n01"}
        return {"red": {"actions": [info, hoped_for, {"do": "research", "discard": [card]}]}}

    first, other = (told_after(FIRST, state, turn(card), seat) for card in ("n02", "n04"))
    assert first == other


def test_preferences_that_were_not_needed_are_private() -> None:
    """JG-14: what else somebody would have taken shows in nothing."""
    planets = {"anno": {"face_up": ["fame", "sand"]}, "cinder": {"face_down": ["sand"]}}
    given = {"planets": planets, "ships": {"red": "anno"}, "hands": {"red": ["n04", "n09"]}}
    state = position(SECOND, given)

    def turn(take: list[str]) -> Document:
        return {"red": {"actions": [{"do": "land", "cards": ["n04", "n09"], "take": take}]}}

    for seat in ("blue", None):
        first = told_after(SECOND, state, turn(["sand"]), seat)
        assert first == told_after(SECOND, state, turn(["gem-red", "sand", "fame"]), seat)


@pytest.mark.parametrize(
    "action",
    [
        {"do": "harvest", "card": "n17"},
        {"do": "land", "cards": ["n04", "n09"]},
        {"do": "scan", "card": "n36"},
    ],
)
def test_the_programs_choice_tells_nothing_of_hidden_resources(action: Document) -> None:
    """JG-6, JG-13: what is taken or marked by default follows from what all can see."""
    pile = ["water"] if action["do"] == "scan" else []

    def state(hidden: list[str]) -> State:
        planets = {"anno": {"face_up": ["fame", "water"], "face_down": pile}}
        more = {"ships": {"red": "anno"}, "hands": {"red": ["n04", "n09", "n17", "n36"]}}
        return position(SECOND, {"planets": planets, "hidden": {"red": hidden}, **more})

    turn = {"red": {"actions": [action]}}
    mine, other = state(["water", "water", "water"]), state(["fame!", "sand", "gem-red"])
    for seat in ("blue", None):
        assert told_after(SECOND, mine, turn, seat) == told_after(SECOND, other, turn, seat)


def test_the_landers_wish_waits_unseen() -> None:
    """JG-15: while others choose, nobody but the lander knows what the landing is to bring."""
    planets = {
        "anno": {"face_up": ["fame", "sand", "water"], "marks": {"blue": "water"}},
        "cinder": {"face_down": ["sand"]},
    }
    given = {
        "options": {"interrupts": "ask"},
        "planets": planets,
        "ships": {"red": "anno"},
        "hands": {"red": ["n04", "n09"]},
    }
    state = position(SECOND, given)

    def turn(take: str) -> Document:
        return {"red": {"actions": [{"do": "land", "cards": ["n04", "n09"], "take": [take]}]}}

    for seat in ("blue", None):
        wishes = [told_after(SECOND, state, turn(take), seat) for take in ("fame", "sand", "none")]
        assert wishes[0] == wishes[1] == wishes[2]


def test_hidden_resources_that_are_lost_are_never_shown() -> None:
    """JGB-9, JG-13: they are discarded unseen; the others' are shown."""

    def end(red: list[str], blue: list[str]) -> State:
        return position(
            SECOND,
            {
                "planets": {"anno": {"face_up": ["fame!", "sand"]}},
                "ships": {"red": "anno"},
                "hands": {"red": ["n44"]},
                "black_hole": {"red": 2, "blue": 4},
                "hidden": {"red": red, "blue": blue},
            },
        )

    turn = {"red": {"actions": [{"do": "harvest", "card": "n44", "take": ["fame"]}]}}
    base = end(["water", "gem-red"], ["water", "energel-dark"])
    lost = end(["water", "gem-red"], ["gem-blue", "sand"])
    kept = end(["gem-blue", "sand"], ["water", "energel-dark"])
    for seat in ("red", None):
        assert told(SECOND, base, seat) == told(SECOND, lost, seat)
        assert told_after(SECOND, base, turn, seat) == told_after(SECOND, lost, turn, seat)
    assert told_after(SECOND, base, turn, "blue") != told_after(SECOND, kept, turn, "blue")
    assert told_after(SECOND, base, turn, None) != told_after(SECOND, kept, turn, None)


def test_the_deck_turned_over_is_a_secret_again() -> None:
    """JG-13: nobody is told how the deck lies, though all saw it grow as a pile."""
    hands = {"red": ["n01", "n02", "n03"]}
    planets = {"anno": {"face_up": ["fame"]}}
    decks = [["n40", "n41", "n42", "n43"], ["n43", "n42", "n41", "n40"]]
    states = [
        position(SECOND, {"planets": planets, "hands": hands, "navcomp_deck": deck})
        for deck in decks
    ]
    for seat in ("red", "blue", None):
        first, other = (told(SECOND, state, seat, {"actions": []}) for state in states)
        assert first == other


LANDED: Document = {
    "options": {"orbital_burn": True},
    "ships": {"red": {"planet": "anno", "landed": True}, "blue": "anno"},
    "hands": {"red": ["n02"], "blue": ["n04"]},
}


def _landed(pile: list[str]) -> State:
    planets = {
        "anno": {"face_up": ["fame"], "face_down": pile, "claim": "red"},
        "cinder": {"face_down": ["gem-blue"]},
    }
    return position(FIRST, {**LANDED, "planets": planets})


def test_only_who_has_landed_sees_the_face_down_cards() -> None:
    """JGA-14: the player in orbit of the same planet does not, nor does anybody else."""
    mine, other = _landed(["water", "gem-red", "nothing"]), _landed(["water", "fame", "nothing"])
    for seat in ("blue", None):
        assert told(FIRST, mine, seat) == told(FIRST, other, seat)
    assert told(FIRST, mine, "red") != told(FIRST, other, "red")


def test_who_has_landed_does_not_see_how_they_lie() -> None:
    """JGA-14: the player chooses among them; the order of the pile tells nothing."""
    orders = {"actions": [{"do": "harvest", "take": ["gem-red"]}]}
    mine, other = _landed(["water", "gem-red", "nothing"]), _landed(["nothing", "water", "gem-red"])
    for seat in ("red", "blue", None):
        assert told(FIRST, mine, seat, orders if seat == "red" else None) == told(
            FIRST, other, seat, orders if seat == "red" else None
        )
        turn = {"red": orders}
        assert told_after(FIRST, mine, turn, seat) == told_after(FIRST, other, turn, seat)


def test_after_return_to_orbit_nothing_is_seen_any_more() -> None:
    """JGA-14: a player sees the cards while landed."""
    turn = {"red": {"actions": [{"do": "return-to-orbit"}]}}
    mine, other = _landed(["water", "gem-red", "nothing"]), _landed(["water", "fame", "nothing"])
    for seat in ("red", "blue", None):
        assert told_after(FIRST, mine, turn, seat) == told_after(FIRST, other, turn, seat)


def test_landing_shows_the_cards_to_the_lander_alone() -> None:
    """JGA-14: nothing is turned up by a landing in Orbital Burn."""
    land = {"do": "land", "cards": ["n18", "n20"], "take": ["fame"]}
    turn = {"red": {"actions": [land]}}

    def state(pile: list[str]) -> State:
        planets = {"anno": {"face_up": ["fame"], "face_down": pile}}
        more = {"ships": {"red": "anno", "blue": "anno"}, "hands": {"red": ["n18", "n20"]}}
        return position(FIRST, {**LANDED, **more, "planets": planets})

    mine, other = state(["water", "gem-red"]), state(["water", "gem-blue"])
    for seat in ("blue", None):
        assert told_after(FIRST, mine, turn, seat) == told_after(FIRST, other, turn, seat)
    assert told_after(FIRST, mine, turn, "red") != told_after(FIRST, other, turn, "red")
