"""What holds in every game of Jump Drive, whoever plays and whatever is ordered."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.finding import Grade
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Over
from adjudicator.rules.jump_drive.position.state import State
from tests.games.jump_drive.play import KIND, RULES, Played, begin, dice_of, walk
from tests.samples import examples

OPTIONS = st.fixed_dictionaries({"first_game": st.booleans()})
TEAM = RULES.components.team
LIMIT = RULES.components.constants.limit
games = settings(max_examples=examples(25))


def accounted(state: State) -> bool:
    """JD-1: 112 cards in hands, empires, deck and discard pile, and a survey team for each."""
    empires = state.table.empires
    cards = Counter([*state.deck, *state.discard])
    for hand in (*state.hands.values(), *empires.values()):
        cards.update(hand)
    teams = tuple(seat for seat in state.table.seats if TEAM in empires[seat])
    return (
        cards.pop(TEAM, 0) == len(teams)
        and teams == state.table.surveyed
        and cards == Counter(RULES.components.deck)
    )


def told(step: Played, seat: str) -> int:
    """By how much a hand has grown, as the events tell all players."""
    grown = 0
    for event in step.events:
        facts = event.data
        if facts.get("seat") != seat:
            continue
        if event.kind in ("drew", "explored"):
            grown += facts["number"]
        elif event.kind == "discarded":
            grown -= facts["number"]
        elif event.kind in ("developed", "settled", "settled-second"):
            grown -= (facts["card"] != TEAM) + (facts["cost"] or 0)
    return grown


def test_the_box_holds_116_cards() -> None:
    deck = RULES.components.deck
    assert sum(deck.values()) == 112
    assert sum(deck.values()) + RULES.components.cards[TEAM].copies == 116


@given(seed=st.integers(0, 10**6), players=st.integers(2, 4), options=OPTIONS)
@games
def test_every_card_is_accounted_for(seed: int, players: int, options: dict[str, object]) -> None:
    """No card is lost or made, and hands change as everybody is told."""
    seats = KIND.seats[:players]
    for step in walk(seed, seats, options):
        assert accounted(step.after)
        for seat in seats:
            change = len(step.after.hands[seat]) - len(step.before.hands[seat])
            assert change == told(step, seat)
        if step.after.table.step == "place" and step.after.table.over is None:
            assert all(len(hand) <= LIMIT for hand in step.after.hands.values())


@given(seed=st.integers(0, 10**6), players=st.integers(2, 4), options=OPTIONS)
@games
def test_victory_points_never_fall_and_every_game_ends(
    seed: int, players: int, options: dict[str, object]
) -> None:
    """JD-13, JD-28."""
    last = None
    for step in walk(seed, KIND.seats[:players], options):
        before, after = step.before.table.vp, step.after.table.vp
        assert all(after[seat] >= before[seat] for seat in before)
        last = step.after
    assert last is not None
    due = RULES.due(last)
    assert isinstance(due, Over)
    assert due.winners
    most = max(last.table.vp.values())
    assert {last.table.vp[seat] for seat in due.winners} == {most}
    constants = RULES.components.constants
    assert most >= constants.goal or last.table.idle == constants.idle


def test_a_game_in_which_nobody_does_anything_ends() -> None:
    """JD-28: five idle rounds in a row; what is drawn and discarded keeps nothing alive."""
    seats = KIND.seats[:3]
    state = begin(1, seats, {})
    for number in range(1, 12):
        if isinstance(RULES.due(state), Over):
            break
        state, _ = RULES.resolve(state, {}, dice_of(1, f"{number}-{state.table.step}"))
    due = RULES.due(state)
    assert isinstance(due, Over)
    assert state.table.idle == 5
    assert state.table.round == 5


@given(seed=st.integers(0, 10**6), players=st.integers(2, 4), options=OPTIONS)
@games
def test_legal_orders_are_read_as_they_stand_and_never_fail(
    seed: int, players: int, options: dict[str, object]
) -> None:
    """What `legal` writes, the check lets pass; what it lets pass is carried out (JD-10)."""
    for step in walk(seed, KIND.seats[:players], options):
        form = step.before.table.step
        for seat, orders in step.orders.items():
            reading = KIND.read(form, Text(as_text(orders)), KIND.seats[:players])
            assert reading.orders == orders
            assert reading.findings == ()
            assert RULES.check(RULES.view(step.before, seat), seat, orders) == ()
        assert [event for event in step.events if event.kind == "negated"] == []


def as_text(value: object) -> object:
    """A value as the reader of YAML hands it over: every scalar as it is written."""
    if isinstance(value, dict):
        return {key: as_text(part) for key, part in value.items()}
    if isinstance(value, list):
        return [as_text(part) for part in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


FIELDS = {
    "opening": {"discard"},
    "place": {
        "development", "development survey-team", "world", "contact_specialist", "pay",
        "second ask", "second.world", "second.by", "second.pay", "second.contact_specialist",
        "explore", "discard auto", "discard list", "trim",
    },
    "second": {"world", "by", "pay", "contact_specialist", "pass"},
    "explore": {"discard"},
    "trim": {"discard"},
}  # fmt: skip


def fields(orders: dict[str, object]) -> set[str]:
    found = set()
    for key, value in orders.items():
        if isinstance(value, dict):
            found |= {f"{key}.{part}" for part in value}
        elif value in ("ask", "auto", TEAM):
            found |= {f"{key} {value}"} | ({key} if key == "development" else set())
        elif key == "discard" and "explore" in orders:
            found.add(f"{key} list")
        else:
            found.add(key)
    return found


def test_legal_reaches_every_field_of_every_form() -> None:
    """JD-4a: whatever a player may write, random play writes some day."""
    reached: dict[str, set[str]] = {form: set() for form in FIELDS}
    for seed in range(400):
        for step in walk(seed, KIND.seats[:4], {}):
            for orders in step.orders.values():
                reached[step.before.table.step] |= fields(orders)
        if reached == FIELDS:
            return
    pytest.fail(f"never written: { {form: FIELDS[form] - reached[form] for form in FIELDS} }")


words = st.sampled_from(
    ["survey-team", "trade-pact", "colony-convoy", "military-convoy", "contact-specialist",
     "galactic-trendsetters", "rebel-outpost", "comet-zone", "gem-world", "alien-guardians", "ask",
     "auto", "", "0", "true", "no", "red", "é", "x" * 300]
)  # fmt: skip
keys = st.sampled_from(
    ["development", "world", "contact_specialist", "pay", "second", "by", "explore", "discard",
     "trim", "pass", "nonsense"]
)  # fmt: skip
trees = st.recursive(
    st.one_of(words, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=5)),
    max_leaves=25,
)


@given(
    seed=st.integers(0, 200),
    back=st.integers(0, 12),
    wild=st.lists(st.dictionaries(keys, trees, max_size=5), max_size=3),
)
@settings(max_examples=examples(200))
def test_wild_orders_are_graded_never_an_exception(
    seed: int, back: int, wild: list[object]
) -> None:
    """Whatever a letter holds, it is answered, and what is left of it can be adjudicated."""
    seats = KIND.seats[:3]
    state = begin(seed, seats, {})
    for step in walk(seed, seats, {}, steps=back):
        state = step.after
    if isinstance(RULES.due(state), Over):
        return
    form = state.table.step
    orders = {}
    for seat, tree in zip(seats, wild, strict=False):
        reading = KIND.read(form, Text(tree), seats)
        if reading.orders is None:
            assert {finding.grade for finding in reading.findings} == {Grade.UNREADABLE}
            continue
        orders[seat] = reading.orders
        view = RULES.view(state, seat)
        if not RULES.check(view, seat, reading.orders):
            RULES.foretell(view, seat, reading.orders)
    after, _ = RULES.resolve(state, orders, dice_of(seed, f"99-{form}"))
    assert accounted(after)
