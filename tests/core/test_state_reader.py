"""What cannot be read in a state document is named with its path and with what was expected."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.state_reader import INLINE, Each, StateReader, list_values, match_keys

FEW = ("ash", "birch", "cedar")
MANY = tuple(f"card-{number}" for number in range(90))

Card = Annotated[str, "card"]


class Move(Struct, frozen=True, rename={"source": "from"}):
    """A part of the document whose keys must all be there."""

    source: Card
    ships: int


class Position(Struct, frozen=True, kw_only=True):
    """A document with a key of every type."""

    turn: Annotated[int, Meta(ge=1, le=9)] = 1
    step: Literal["plan", "jump"] = "plan"
    open: bool = False
    top: Card | None = None
    hands: Mapping[Seat, tuple[Card, ...]] = {}
    moves: tuple[Move, ...] = ()
    secret_deck: Annotated[tuple[Card, ...], "deck"] = ()


def _read(document: Any, names: Sequence[str] = FEW, absent: Sequence[str] = ()) -> Position:
    marks = {"card": names, "seat": ("red", "blue"), "deck": lambda text: tuple(text.split("+"))}
    return StateReader(marks, absent).read(Position, document, "state")


def _refused(document: Any, names: Sequence[str] = FEW, absent: Sequence[str] = ()) -> str:
    with pytest.raises(Impossible) as fault:
        _read(document, names, absent)
    return str(fault.value)


def test_names_and_keys_may_be_spelled_in_any_way() -> None:
    document = {
        "Turn": 2,
        "STEP": "Jump",
        "open": True,
        "top": "Ce",
        "hands": {"blue": ["ASH"], "R": ["birch", "ash"]},
        "moves": [{"From": "ash", "ships": 0}],
        "secret-deck": "ash+fir",
    }
    assert _read(document) == Position(
        turn=2,
        step="jump",
        open=True,
        top="cedar",
        hands={"red": ("birch", "ash"), "blue": ("ash",)},
        moves=(Move("ash", 0),),
        secret_deck=("ash", "fir"),
    )


def test_keyed_names_come_in_the_order_of_their_kind() -> None:
    assert list(_read({"hands": {"blue": [], "red": []}}).hands) == ["red", "blue"]


def test_null_is_a_key_left_out() -> None:
    assert _read({"turn": None, "hands": {"red": None}, "moves": None}) == Position()
    assert match_keys({"Turn": 3, "top": None}, Position) == {"turn": 3}


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ([], "state: expected `name: value` pairs, got []"),
        ({"turm": 1}, "state.turm: no such key; did you mean turn?"),
        ({"turn": 0}, "state.turn: expected at least 1, got 0"),
        ({"turn": 10}, "state.turn: expected at most 9, got 10"),
        ({"turn": True}, "state.turn: expected a whole number, got True"),
        ({"step": "trade"}, "state.step: expected plan or jump, got 'trade'"),
        ({"open": "yes"}, "state.open: expected true or false, got 'yes'"),
        ({"top": "birhc"}, "state.top: 'birhc' is no card; did you mean birch?"),
        ({"hands": {"red": "ash"}}, "state.hands.red: expected a list, got 'ash'"),
        ({"hands": {"red": ["ash", "oak"]}}, "state.hands.red[2]: 'oak' is no card; there are"),
        ({"hands": {"red": [], "Red": []}}, "state.hands.Red: red appears twice"),
        ({"hands": {"red": None, "Red": []}}, "state.hands.Red: red appears twice"),
        ({"hands": {"pink": []}}, "state.hands.pink: 'pink' is no seat; there are red, blue"),
        ({"moves": [{"from": "ash"}]}, "state.moves[1].ships: is missing"),
        ({"moves": [{"from": "ash", "ships": -1}]}, "state.moves[1].ships: expected at least 0"),
    ],
)
def test_a_fault_is_named_by_its_path(document: Any, fault: str) -> None:
    assert _refused(document).startswith(fault)


def test_keys_that_a_kind_of_game_does_not_have() -> None:
    assert _refused({"top": "ash"}, absent=("top",)).startswith("state.top: no such key")


def test_of_very_many_names_only_the_first_are_listed() -> None:
    fault = _refused({"top": "zzz"}, MANY)
    assert fault.endswith("card-10, card-11 and 78 more")
    assert len(fault) < 200


class Board(Struct, frozen=True, kw_only=True, rename={"discard": "discard_pile"}):
    """A part whose keys stand in the document itself."""

    first: Seat
    points: Annotated[Mapping[Seat, int], Each(0)]
    discard: tuple[Card, ...] = ()


class Whole(Struct, frozen=True, kw_only=True):
    """A document with a part in it."""

    board: Annotated[Board, INLINE]
    hands: Annotated[Mapping[Seat, tuple[Card, ...]], Each(())]


def _read_whole(document: Any) -> Whole:
    return StateReader({"card": FEW, "seat": ("red", "blue")}).read(Whole, document)


def test_the_keys_of_a_part_stand_in_the_document_that_holds_it() -> None:
    whole = _read_whole({"first": "blue", "discard pile": ["ash"], "hands": {"blue": ["birch"]}})
    assert whole.board.first == "blue"
    assert whole.board.discard == ("ash",)
    assert whole.hands == {"red": (), "blue": ("birch",)}


def test_a_mapping_that_names_each_key_names_them_in_their_order() -> None:
    assert list(_read_whole({"first": "red", "points": {"blue": 2}}).board.points.items()) == [
        ("red", 0),
        ("blue", 2),
    ]


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ({}, "first: is missing"),
        ({"first": "red", "points": {"blue": -1}}, "points.blue: expected at least 0, got -1"),
        (
            {"first": "red", "board": {}},
            "board: no such key; there are first, points, discard_pile, hands",
        ),
    ],
)
def test_faults_of_a_part_have_paths_of_the_document(document: Any, fault: str) -> None:
    with pytest.raises(Impossible) as found:
        _read_whole(document)
    assert str(found.value) == fault


def test_the_values_of_a_whole_are_listed_by_the_keys_of_its_document() -> None:
    document = {"first": "red", "points": {"red": 1, "blue": 0}, "discard_pile": ("ash",)}
    whole = _read_whole(document)
    hands: Mapping[Seat, tuple[Card, ...]] = {"red": (), "blue": ()}
    assert list_values(whole) == {**document, "hands": hands}
    assert _read_whole(list_values(whole)) == whole
