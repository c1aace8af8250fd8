"""What holds in every game of Jump Wars, whoever plays and whatever is ordered."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.core.finding import Grade
from adjudicator.core.forms.reading import Text
from adjudicator.rules.jump_wars.phases.jump.fight_phase import find_contested_spaces
from adjudicator.rules.jump_wars.position.state import State
from tests.games.jump_wars.play import KIND, RULES, Played, begin, dice_of, walk
from tests.samples import examples

OPTIONS = st.fixed_dictionaries(
    {
        "grid": st.sampled_from(["square", "hex"]),
        "old_empire": st.booleans(),
        "homeworlds": st.sampled_from(["spread", "choose"]),
    }
)
games = settings(deadline=None, max_examples=examples(25))


def cards_of(state: State) -> Counter[str]:
    hands = (card for hand in state.hands.values() for card in hand)
    return Counter([*hands, *state.deck, *state.table.discard])


def fleets_of(state: State) -> int:
    return sum(sum(stacks.values()) for stacks in state.table.fleets.values())


def expected_change(step: Played) -> int:
    """What the events say of the number of fleets on the map."""
    change = 0
    for event in step.events:
        if event.kind == "built":
            change += event.data["fleets"]
        elif event.kind == "sabotaged":
            change -= 1
        elif event.kind == "assimilated":
            change += event.data["fleets"]
        elif event.kind == "fight":
            change -= sum(event.data["lost"].values())
        elif event.kind == "homeworld":
            change += 5 if step.before.table.step == "homeworlds" else 0
    return change


@given(seed=st.integers(0, 10**6), players=st.integers(2, 8), options=OPTIONS)
@games
def test_cards_and_fleets_are_conserved(
    seed: int, players: int, options: dict[str, object]
) -> None:
    """Every card is always in a hand, the deck or the discard pile; fleets change by rule only."""
    deck = Counter(RULES.components.cards)
    for step in walk(seed, KIND.seats[:players], options, steps=40):
        assert cards_of(step.after) == deck
        if step.before.table.step != "homeworlds":
            assert fleets_of(step.after) == fleets_of(step.before) + expected_change(step)
        assert all(player.tokens >= 0 for player in step.after.table.players.values())
        assert all(n > 0 for stacks in step.after.table.fleets.values() for n in stacks.values())


@given(seed=st.integers(0, 10**6), players=st.integers(2, 8))
@games
def test_the_deal_that_follows_a_choice_of_homeworlds_is_told_once(seed: int, players: int) -> None:
    (step,) = walk(seed, KIND.seats[:players], {"homeworlds": "choose"}, steps=1)
    kinds = Counter(event.kind for event in step.events)
    assert (kinds["homeworld"], kinds["dealt"]) == (players, 1)
    (dealt,) = (event.data["deals"] for event in step.events if event.kind == "dealt")
    assert dealt >= 1


def tokens_of(state: State) -> int:
    return sum(player.tokens for player in state.table.players.values())


def trading(step: Played, one: str, other: str) -> dict[str, Any] | None:
    """The orders of a step with a trade that both want; None if one of them has nothing."""
    offers = {}
    for seat in (one, other):
        cards, rt = step.before.hands[seat][:1], step.before.table.players[seat].tokens // 2
        if not cards:
            return None
        offers[seat] = {"rt": rt, "cards": list(cards)}
    trades = {
        seat: {"trade": [{"with": partner, "give": offers[seat], "want": offers[partner]}]}
        for seat, partner in ((one, other), (other, one))
    }
    return {seat: form | trades.get(seat, {}) for seat, form in step.orders.items()}


@given(seed=st.integers(0, 10**6), players=st.integers(2, 8))
@games
def test_trades_move_cards_and_tokens_and_make_none(seed: int, players: int) -> None:
    """JW-16: two mirrored entries; tokens come from mining and go for fleets and brains only."""
    seats = KIND.seats[:players]
    deck = Counter(RULES.components.cards)
    traded = 0
    for step in walk(seed, seats, {}, steps=30):
        orders = step.before.table.step == "plan" and trading(step, seats[0], seats[-1])
        if not orders:
            continue
        after, events = RULES.resolve(step.before, orders, step.dice)
        assert cards_of(after) == deck
        paid = sum(event.data["paid"] for event in events if event.kind in ("built", "brains"))
        mined = sum(event.data["rt"] for event in events if event.kind == "mined")
        assert tokens_of(after) == tokens_of(step.before) + mined - paid
        traded += sum(event.kind == "traded" and not event.data["gift"] for event in events)
    assert traded


@given(seed=st.integers(0, 10**6), players=st.integers(2, 8), options=OPTIONS)
@games
def test_no_fight_leaves_two_sides(seed: int, players: int, options: dict[str, object]) -> None:
    """JW-50: after the fights of a turn no space holds fleets of two sides."""
    fights = 0
    for step in walk(seed, KIND.seats[:players], options, steps=40):
        told = [event for event in step.events if event.kind == "fight"]
        fights += len(told)
        assert all(len(event.data["left"]) <= 1 for event in told)
        if step.before.table.step in ("jump", "reveal") and step.after.table.step != "reveal":
            assert not find_contested_spaces(step.after.table)


@given(seed=st.integers(0, 10**6), players=st.integers(2, 8), options=OPTIONS)
@games
def test_legal_orders_are_never_refused_or_doomed(
    seed: int, players: int, options: dict[str, object]
) -> None:
    """What `legal` writes, the check lets pass; and the form reads it as it stands."""
    for step in walk(seed, KIND.seats[:players], options, steps=20):
        form = next(iter(RULES.due(step.before).values())).form
        for seat, orders in step.orders.items():
            reading = KIND.read(form, Text(as_text(orders)), KIND.seats[:players])
            assert reading.orders == orders
            assert reading.findings == ()
            findings = RULES.check(RULES.view(step.before, seat), seat, orders)
            assert [f for f in findings if f.grade in (Grade.DOOMED, Grade.REFUSED)] == []


def as_text(value: object) -> object:
    """A value as the reader of YAML hands it over: every scalar as it is written."""
    if isinstance(value, dict):
        return {key: as_text(part) for key, part in value.items()}
    if isinstance(value, list):
        return [as_text(part) for part in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def places_of(schema: Mapping[str, Any], defs: Mapping[str, Any], path: str) -> Iterator[str]:
    """Every place that a form's schema describes: `trade[].want.cards[]:string`."""
    schema = {**defs.get(str(schema.get("$ref", "")).removeprefix("#/$defs/"), {}), **schema}
    types = schema.get("type", ())
    for sort in [types] if isinstance(types, str) else types:
        if sort == "object":
            for key, part in schema["properties"].items():
                yield from places_of(part, defs, f"{path}.{key}" if path else key)
        elif sort == "array":
            yield from places_of(schema["items"], defs, f"{path}[]")
        else:
            yield f"{path}:{sort}"


SORTS = {bool: "boolean", int: "integer", str: "string"}


def written_in(value: object, path: str) -> Iterator[str]:
    """Every place that some orders fill."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from written_in(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for part in value:
            yield from written_in(part, f"{path}[]")
    else:
        yield f"{path}:{SORTS[type(value)]}"


def described() -> dict[str, set[str]]:
    """All places of all forms; the standing orders may stand in any of them."""
    forms = {}
    for form in ("homeworlds", "plan", "jump", "reveal"):
        schema = read_yaml_file(find_data_folder("orders") / "jump_wars" / f"{form}.yaml")
        places = {*places_of(schema, schema["$defs"], ""), "standing.reveal:string"}
        forms[form] = places - {"pass:boolean"}  # which says that no order is given
    return forms


def test_legal_reaches_every_field_of_every_form() -> None:
    """JW-13a: whatever a player may write, random play writes some day."""
    wanted = described()
    assert "trade[].want.cards[]:string" in wanted["plan"]
    missing = dict(wanted)
    for seed in range(60):
        options = {"homeworlds": "choose" if seed % 2 else "spread"}
        for step in walk(seed, KIND.seats[:4], options, steps=160):
            form = step.before.table.step
            for orders in step.orders.values():
                missing[form] = missing[form] - set(written_in(orders, ""))
        if not any(missing.values()):
            return
    pytest.fail(f"never written: {missing}")


words = st.sampled_from(
    ["A1", "K99", "C4-D5 x3", "A1-A1 all", "attack", "cloaking", "red", "blue", "empire", "max",
     "all", "", "0", "-1", "3", "99999999999999999999", "true", "no", "é", "x" * 300]
)  # fmt: skip
keys = st.sampled_from(
    ["jump", "build", "trade", "with", "give", "want", "rt", "cards", "tech", "advance", "pair",
     "fight", "targets", "nova_bombs", "at", "ships", "fleets", "from", "to", "steal", "ally",
     "cutting_edge", "leadership", "draw", "progenitor_ruins", "positronic_brains", "mine",
     "discard", "final", "sabotage", "player", "espionage", "cancel", "rewrite", "time_jump",
     "order", "move_homeworld", "homeworld", "standing", "reveal", "nonsense"]
)  # fmt: skip
trees = st.recursive(
    st.one_of(words, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=5)),
    max_leaves=25,
)


@given(seed=st.integers(0, 200), back=st.integers(0, 25), wild=st.lists(trees, max_size=3))
@settings(deadline=None, max_examples=examples(150))
def test_wild_orders_are_graded_never_an_exception(
    seed: int, back: int, wild: list[object]
) -> None:
    """Whatever a letter holds, it is answered, and what is left of it can be adjudicated."""
    seats = KIND.seats[:3]
    state = begin(seed, seats, {"homeworlds": "choose" if seed % 3 == 0 else "spread"})
    for step in walk(seed, seats, {}, steps=back):
        state = step.after
    form = state.table.step
    orders = {}
    for seat, tree in zip(seats, wild, strict=False):
        reading = KIND.read(form, Text(tree), seats)
        if reading.orders is None:
            assert reading.findings
            assert {finding.grade for finding in reading.findings} == {Grade.UNREADABLE}
            continue
        orders[seat] = reading.orders
        RULES.check(RULES.view(state, seat), seat, reading.orders)
    after, _ = RULES.resolve(state, orders, dice_of(seed, f"99-{form}"))
    assert cards_of(after) == Counter(RULES.components.cards)
