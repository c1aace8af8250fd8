"""What holds in every game of Jump Gate, whoever plays and whatever is ordered."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.document import to_plain
from adjudicator.core.finding import Grade
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.position.resources import NOTHING, Resource
from adjudicator.rules.jump_gate.position.state import State
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, Played, begin, dice_of, walk
from tests.samples import examples

FLAGS = st.booleans()
INTERRUPTS = st.sampled_from(["policy", "ask"])
SECOND_GAMES = st.tuples(
    st.just(SECOND), st.integers(2, 5), st.fixed_dictionaries({"interrupts": INTERRUPTS})
)
FIRST_GAMES = st.tuples(
    st.just(FIRST),
    st.integers(2, 6),
    st.fixed_dictionaries(
        {
            "interrupts": INTERRUPTS,
            "sun_dial": FLAGS,
            "explorers_club": FLAGS,
            "orbital_burn": FLAGS,
        }
    ),
)
Game = tuple[str, int, dict[str, Any]]
GAMES = st.one_of(SECOND_GAMES, FIRST_GAMES)
SEEDS = st.integers(0, 10**6)
WHO = st.sampled_from(["legal", "bot"])
games = settings(deadline=None, max_examples=examples(30))

ALL_VARIANTS = {
    "sun_dial": True, "explorers_club": True, "orbital_burn": True, "interrupts": "ask",
}  # fmt: skip


def cards_of(state: State) -> Counter[str]:
    """Every NavComp card that is somewhere."""
    hands = (card for hand in state.hands.values() for card in hand)
    return Counter([*hands, *state.deck, *state.table.discard])


def resources_of(state: State) -> Counter[Resource]:
    """Every resource card that is somewhere in the game."""
    table = state.table
    found: Counter[Resource] = Counter()
    for site in table.planets.values():
        found.update(site.face_up)
    for part in (state.piles, state.hidden, table.collected):
        for cards in part.values():
            found.update(cards)
    return found


def gone(step: Played) -> Counter[Resource]:
    """Which resource cards left the game in a step, as far as the events name them."""
    left: Counter[Resource] = Counter()
    for event in step.events:
        if event.kind == "removed":
            left[NOTHING] += event.data["number"]
        elif event.kind == "lost":
            left.update(event.data["resources"])
        elif event.kind == "hidden-lost":
            left.update(step.before.hidden[event.data["seat"]])
    return left


@given(game=GAMES, seed=SEEDS, who=WHO)
@games
def test_cards_are_conserved(game: Game, seed: int, who: str) -> None:
    """48 NavComp cards are always in a hand, the deck or the pile; so are 48 resources somewhere.

    Of those, "nothing" leaves the game at a landing and the Black Hole takes some at the end;
    in the second edition a part never was in play.
    """
    kind, players, options = game
    components = LIBRARY.kind(kind).rules.components
    start = begin(kind, seed, LIBRARY.kind(kind).seats[:players], options)
    deck, box = Counter(list(components.cards)), Counter(components.resource_cards)
    assert deck.total() == box.total() == 48
    in_play = resources_of(start)
    if kind == FIRST:
        assert in_play == box
    else:
        hidden = 3 if players == 2 else 2
        assert in_play <= box
        assert in_play.total() == 4 * (4 + players) + hidden * players
    for step in walk(kind, seed, players, options, who=who):
        in_play -= gone(step)
        assert cards_of(step.after) == deck
        assert resources_of(step.after) == in_play
        for planet, site in step.after.table.planets.items():
            assert site.face_down == len(step.after.piles[planet])


def markers_of(state: State) -> Counter[tuple[str, str]]:
    """How many markers of each seat lie where, marks of the second edition apart."""
    table = state.table
    found: Counter[tuple[str, str]] = Counter()
    for planet, site in table.planets.items():
        found.update({(planet, seat): number for seat, number in site.scans.items()})
        if site.claim:
            found[f"claim {planet}", site.claim] += 1
    found.update({("black-hole", seat): number for seat, number in table.black_hole.items()})
    found.update({("jump-gate", seat): number for seat, number in table.jump_gate.items()})
    return +found


def placed(step: Played, kind: str) -> Iterator[tuple[str, str, int]]:
    """What the events say of markers put down and taken up."""
    for event in step.events:
        seat = event.data.get("seat", "")
        if event.kind == "scanned" and kind == FIRST:
            yield event.data["at"], seat, 1
        elif event.kind == "jumped" and event.data["marker"]:
            yield "jump-gate", seat, 1
        elif event.kind == "black-hole":
            yield "black-hole", seat, 1
        elif event.kind == "claimed":
            yield f"claim {event.data['at']}", seat, 1
        elif event.kind == "records-lost":
            yield event.data["origin"], event.data["player"], -1


@given(game=GAMES, seed=SEEDS, who=WHO)
@games
def test_markers_are_conserved(game: Game, seed: int, who: str) -> None:
    """Markers come and go only as the events say; every mark lies on a card of its own."""
    kind, players, options = game
    for step in walk(kind, seed, players, options, who=who):
        expected = markers_of(step.before)
        for place, seat, number in placed(step, kind):
            expected[place, seat] += number
        assert markers_of(step.after) == +expected
        assert kind == FIRST or not any(step.after.table.jump_gate.values())
        for site in step.after.table.planets.values():
            assert Counter(site.marks.values()) <= Counter(site.face_up)


@given(game=GAMES, seed=SEEDS, who=WHO)
@games
def test_a_game_always_ends(game: Game, seed: int, who: str) -> None:
    """Whoever plays by the rules comes to an end, with winners who have the most points."""
    kind, players, options = game
    *_, last = walk(kind, seed, players, options, who=who, steps=5000)
    over = last.after.table.over
    assert over is not None
    assert LIBRARY.kind(kind).rules.due(last.after) == Over(over.winners)
    assert {over.scores[seat] for seat in over.winners} == {max(over.scores.values())}


@given(game=GAMES, seed=SEEDS, who=WHO)
@games
def test_orders_that_keep_the_rules_are_never_refused(game: Game, seed: int, who: str) -> None:
    """What `legal` and `bot` write, form and check let pass, and it is done as written."""
    kind, players, options = game
    library = LIBRARY.kind(kind)
    for step in walk(kind, seed, players, options, who=who, steps=80):
        due = library.rules.due(step.before)
        assert not isinstance(due, Over)
        for seat, orders in step.orders.items():
            reading = library.read(due[seat].form, Text(as_text(orders)), library.seats[:players])
            assert reading.orders == orders
            assert reading.findings == ()
            findings = library.rules.check(library.rules.view(step.before, seat), seat, orders)
            assert [f for f in findings if f.grade in (Grade.DOOMED, Grade.REFUSED)] == []


def as_text(value: object) -> object:
    """A value as the reader of YAML hands it over: every scalar as it is written."""
    if isinstance(value, dict):
        return {key: as_text(part) for key, part in value.items()}
    if isinstance(value, list):
        return [as_text(part) for part in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


COMMON = {
    "end", "standing.collect", "standing.black_hole", "fly.to", "jump.to", "jump.card",
    "scan.card", "land.cards", "land.take", "harvest.take", "research", "research.discard",
    "collect",
}  # fmt: skip
REACHED = {
    SECOND: COMMON | {"scan.mark", "harvest.card", "mark"},
    FIRST: COMMON
    | {
        "return-to-orbit", "backroom-deal.take", "backroom-deal.at", "hotshot-pilot.cards",
        "hotshot-pilot.take", "inside-info.card", "jump-paradox.player", "long-range-scan.at",
        "lost-records.remove.black-hole", "lost-records.remove.jump-gate",
        "lost-records.remove.planet", "wormhole.to",
    },
}  # fmt: skip


def written(kind: str, orders: Mapping[str, Any]) -> Iterator[str]:
    """Everything that a form says, by the names above."""
    cards = LIBRARY.kind(kind).rules.components.cards
    yield from (key for key in orders if key not in ("actions", "standing"))
    yield from (f"standing.{key}" for key in orders.get("standing", {}))
    for action in orders.get("actions", ()):
        name = action["do"]
        if name == "special":
            name = cards[action["card"]].special
        yield name
        yield from (f"{name}.{key}" for key in action)
        if "remove" in action:
            origin = action["remove"]["from"]
            board = origin if origin in ("black-hole", "jump-gate") else "planet"
            yield f"{name}.remove.{board}"


@pytest.mark.parametrize("kind", [FIRST, SECOND])
def test_legal_reaches_every_action_and_every_special(kind: str) -> None:
    """JG-6a: whatever a player may write, random play writes some day, and it gets done."""
    options = ALL_VARIANTS if kind == FIRST else {"interrupts": "ask"}
    reached: set[str] = set()
    told: set[str] = set()
    for seed in range(40):
        for step in walk(kind, seed, 4, options):
            for orders in step.orders.values():
                reached |= set(written(kind, orders))
            told |= {event.data["special"] for event in step.events if event.kind == "special"}
        if reached >= REACHED[kind]:
            break
    assert REACHED[kind] - reached == set()
    assert told == {one.special for one in LIBRARY.kind(kind).rules.components.navcomp} - {None}


words = st.sampled_from(
    ["fly", "jump", "scan", "land", "harvest", "research", "special", "return-to-orbit", "anno",
     "cinder", "waldwelt", "n01", "n07", "n33", "n48", "n99", "fame", "gem-red!", "none", "red",
     "blue", "black-hole", "jump-gate", "true", "no", "", "0", "-1", "99999999999999999999", "é",
     "accept", "x" * 300]
)  # fmt: skip
keys = st.sampled_from(
    ["actions", "do", "to", "card", "cards", "take", "mark", "discard", "at", "player", "remove",
     "from", "end", "standing", "collect", "black_hole", "nonsense"]
)  # fmt: skip
trees = st.recursive(
    st.one_of(words, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=5)),
    max_leaves=25,
)
PLANETS = ["anno", "cinder", "waldwelt", "higginston", "sethium", "window"]
names = st.sampled_from([f"n{number:02}" for number in range(1, 49)])
kinds = st.lists(st.sampled_from(["fame", "water!", "gem-red", "none", "sand"]), max_size=2)
actions = st.one_of(
    st.fixed_dictionaries({"do": st.just("fly"), "to": st.sampled_from(PLANETS)}),
    st.fixed_dictionaries(
        {"do": st.just("jump"), "to": st.sampled_from(PLANETS)}, optional={"card": names}
    ),
    st.fixed_dictionaries({"do": st.just("scan")}, optional={"card": names, "mark": kinds}),
    st.fixed_dictionaries(
        {"do": st.just("land")}, optional={"cards": st.lists(names, max_size=3), "take": kinds}
    ),
    st.fixed_dictionaries({"do": st.just("harvest")}, optional={"card": names, "take": kinds}),
    st.fixed_dictionaries(
        {"do": st.just("research")}, optional={"discard": st.lists(names, max_size=6)}
    ),
    st.just({"do": "return-to-orbit"}),
    st.fixed_dictionaries(
        {"do": st.just("special"), "card": names},
        optional={
            "take": kinds,
            "cards": st.lists(names, max_size=3),
            "at": st.sampled_from(PLANETS),
            "to": st.sampled_from(PLANETS),
            "player": st.sampled_from(["red", "blue"]),
            "remove": st.fixed_dictionaries(
                {
                    "from": st.sampled_from(["black-hole", "jump-gate", *PLANETS]),
                    "player": st.sampled_from(["red", "blue"]),
                }
            ),
        },
    ),
)
forms = st.fixed_dictionaries(
    {"actions": st.lists(actions, max_size=4)}, optional={"end": st.sampled_from(["true", "no"])}
)


@given(game=GAMES, seed=st.integers(0, 200), back=st.integers(0, 60), tree=trees | forms)
@settings(deadline=None, max_examples=examples(300))
def test_wild_orders_are_graded_never_an_exception(
    game: Game, seed: int, back: int, tree: object
) -> None:
    """Whatever a letter holds, it is answered, and what is left of it can be adjudicated."""
    kind, players, options = game
    library = LIBRARY.kind(kind)
    seats = library.seats[:players]
    state = begin(kind, seed, seats, options)
    for step in walk(kind, seed, players, options, steps=back):
        state = step.after
    due = library.rules.due(state)
    if isinstance(due, Over):
        return
    orders = {}
    for seat, owed in due.items():
        reading = library.read(owed.form, Text(as_text(tree)), seats)
        if reading.orders is None:
            assert reading.findings
            assert {finding.grade for finding in reading.findings} == {Grade.UNREADABLE}
            continue
        orders[seat] = reading.orders
        library.rules.check(library.rules.view(state, seat), seat, reading.orders)
    after, _ = library.rules.resolve(state, orders, dice_of(seed, "99-wild"))
    assert cards_of(after) == Counter(list(library.rules.components.cards))
    library.rules.load(to_plain(library.rules.dump(after)))


@given(game=GAMES, seed=st.integers(0, 200), back=st.integers(0, 60), form=forms)
@settings(deadline=None, max_examples=examples(300))
def test_what_the_check_lets_pass_without_a_doubt_is_done(
    game: Game, seed: int, back: int, form: dict[str, Any]
) -> None:
    """JG-5: a receipt that finds no fault is kept, if the seat could see all that mattered."""
    kind, players, options = game
    library = LIBRARY.kind(kind)
    state = begin(kind, seed, library.seats[:players], options)
    for step in walk(kind, seed, players, options, steps=back):
        state = step.after
    if state.table.step != "turn" or state.table.over is not None:
        return
    seat = state.table.active
    reading = library.read("turn", Text(as_text(form)), library.seats[:players])
    if reading.orders is None or reading.findings:
        return
    findings = library.rules.check(library.rules.view(state, seat), seat, reading.orders)
    _, events = library.rules.resolve(state, {seat: reading.orders}, dice_of(seed, "99-turn"))
    if not findings:
        assert [event for event in events if event.kind == "negated"] == []
    stopped = [event.data["path"] for event in events if event.kind in ("negated", "not-tried")]
    for finding in findings:
        if finding.grade is Grade.REFUSED:
            assert stopped[0][1] <= finding.entry[1]
