"""What a seat cannot know changes no byte of its letters: headers, subjects, sizes, order, words.

Games are played by letters over SQLite, each with a twin that differs in what somebody cannot know
only: the others' cards and the deck, orders that nobody reveals, press between others, what they
ask, who is in when before the deadline, strangers at the door. Nothing is compared but whole
letters. Of what others may learn of who is in (the late ones after the deadline where the settings
say so, and the instant at which a step closes) nothing differs here, so nothing is allowed for.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice
from adjudicator.core.events import Event
from adjudicator.desk.model.values import Observer, Step
from tests.desk.conftest import GAME
from tests.desk.twins import OBSERVER, World, address, copy_of, events_of
from tests.games.jump_wars.test_secrets import names_in
from tests.games.jump_wars.test_secrets import swapped as swapped_in_jump_wars

SETTINGS = {"pace": "3h", "nmr_limit": 9, "remind": ["1h"], "press": "grey"}
QUESTIONS = "ask: [status, report, orders, history, players, why 1, rules]"
Swap = Callable[[Any, str, str | None], Any]


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def begun(
    path: Path, library: FolderLibrary, ends: ExitStack, kind: str, seed: int, seats: list[str]
) -> World:
    """A game with an observer; everybody has had the first report."""
    world = World(path, library, ends)
    options: dict[str, Any] = {"turn_limit": 4} if kind == "jump-wars" else {}
    if kind.startswith("jump-gate"):
        options = {"interrupts": "ask"}
    world.new(kind, seed, seats, settings=SETTINGS, options=options)
    with world.desk.store.writing() as books:
        books.save(Observer(game=GAME, address=OBSERVER, name="Eve", since=world.desk.at))
    world.mail.deliver()
    world.mail.raw.clear()
    world.mail.write_late()  # most letters are nobody's whose letters are compared
    return world


def told(world: World, seat: str) -> list[bytes]:
    return world.got(OBSERVER if seat == "public" else address(world.person(seat)))


def before_the_end(letter: bytes) -> str:
    """A letter without the chain's last link: it is told when the seed is, and commits to all."""
    unbroken = letter.decode().replace("=\r\n", "")  # quoted-printable breaks it anywhere
    unbroken = unbroken.replace("<wbr>", "")  # and a page does, every eight signs
    return re.sub(r"(last\s+link\s+)[0-9a-f]{64}", r"\1", unbroken)


def assert_same(one: World, other: World, seat: str) -> int:
    """Both gave this reader the same bytes in the same order; how many letters that were."""
    first, second = told(one, seat), told(other, seat)
    for here, there in zip(first, second, strict=False):
        assert before_the_end(here) == before_the_end(there)
    assert len(first) == len(second)
    return len(first)


# the cards of others, and the deck


def in_toy(state: Any, holder: str, other: str | None) -> Any:
    hand, value = list(state.hands[holder]), ["owl", "fox", "wolf", "bear", "drake"].index
    if other is None:
        deck = list(state.deck)
        hand[0], deck[-1] = deck[-1], hand[0]
        changed, state = {holder: hand}, replace(state, deck=tuple(deck))
    else:
        theirs = list(state.hands[other])
        hand[0], theirs[0] = theirs[0], hand[0]
        changed = {holder: hand, other: theirs}
    sorted_ = {seat: tuple(sorted(cards, key=value)) for seat, cards in changed.items()}
    return replace(state, hands={**state.hands, **sorted_})


def in_jump_wars(state: Any, holder: str, other: str | None) -> Any:
    return swapped_in_jump_wars(state, holder, len(state.deck) - 1, other)


def secret(state: Any, orders: Mapping[str, Any], holder: str, other: str | None) -> bool:
    """Whether these two cards can be exchanged without anybody's orders naming one."""
    if not state.hands[holder] or (other is not None and not state.hands[other]):
        return False
    drawn = 1 if len(state.deck) < 20 else 6  # nobody draws more than this in one step
    if other is None and len(state.deck) <= drawn * len(state.hands):
        return False
    mine = state.hands[holder][0]
    theirs = state.hands[other][0] if other else state.deck[-1]
    return mine != theirs and not {mine, theirs} & set(names_in(list(orders.values())))


def shown(events: list[Event], insiders: set[str]) -> bool:
    """Whether the rules themselves brought a card of one of these hands to light."""
    for event in events:
        if event.kind == "hand-limit" and event.data["seat"] in insiders:
            return True
        if event.kind == "stolen" and event.data["victim"] in insiders:
            return True
        if event.kind == "card_taken" and insiders & {event.data["seat"], event.data["from"]}:
            return True
    return False


CARDS = [
    ("toy-duel", 3, ["red", "blue", "green"], "legal", in_toy, 6),
    ("jump-wars", 1, ["red", "blue", "green"], "legal", in_jump_wars, 7),
    pytest.param(
        *("jump-wars", 5, ["red", "blue", "green", "yellow"], "bot", in_jump_wars, 6),
        marks=pytest.mark.soak,
    ),
]


@pytest.mark.parametrize(("kind", "seed", "seats", "who", "swap", "steps"), CARDS)
def test_the_cards_of_others_are_in_no_letter(
    tmp_path: Path,
    toy_library: FolderLibrary,
    ends: ExitStack,
    kind: str,
    seed: int,
    seats: list[str],
    who: str,
    swap: Swap,
    steps: int,
) -> None:
    world = begun(tmp_path / "one.db", toy_library, ends, kind, seed, seats)
    letters = 0
    for number in range(steps):
        if world.over():
            break
        orders, state = world.choices(who, seed), world.position()
        twin = copy_of(world, tmp_path / f"twin{number}.db", ends)
        holders = [*seats[number % len(seats) :], *seats[: number % len(seats)]]
        pairs = [(one, other) for one in holders for other in (None, *seats) if one != other]
        found = [pair for pair in pairs if secret(state, orders, *pair)]
        for holder, other in found[:1]:
            twin.change(lambda state, h=holder, o=other: swap(state, h, o))
        both = [events_of(one, play(one, orders)) for one in (world, twin)]
        insiders = set(found[0]) if found else set(seats)
        if not any(shown(events, insiders) for events in both):
            readers = [seat for seat in (*seats, "public") if seat not in insiders]
            letters += sum(assert_same(world, twin, seat) for seat in readers)
    assert letters > 20, "the twins were nearly all passed over; the test shows nothing"


def play(world: World, orders: Mapping[str, Mapping[str, Any]]) -> Step:
    """A step by letters: everybody orders, asks all there is to ask, and gets the report."""
    world.mail.raw.clear()
    for seat, own in orders.items():
        world.order(seat, own)
    for seat in list(orders)[-1:]:
        world.say(seat, "ready: no")  # the instant of closing is public: here it is the deadline's
    step = world.finish()
    if not world.over():
        for seat in world.people():
            world.say(seat, QUESTIONS)
    world.mail.deliver()
    return step


# everything that a seat's view leaves open


IMAGINED = [
    ("toy-duel", 3, "legal", 4),
    ("jump-wars", 1, "legal", 4),
    ("jump-drive", 2, "legal", 4),
    ("jump-gate", 5, "legal", 5),
    ("jump-gate-2010", 5, "bot", 5),
    pytest.param("jump-wars", 5, "bot", 9, marks=pytest.mark.soak),
    pytest.param("jump-drive", 6, "legal", 9, marks=pytest.mark.soak),
    pytest.param("jump-gate", 7, "legal", 18, marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("kind", "seed", "who", "steps"), IMAGINED)
def test_a_seat_gets_the_same_letters_in_a_world_that_it_imagines(
    tmp_path: Path,
    toy_library: FolderLibrary,
    ends: ExitStack,
    kind: str,
    seed: int,
    who: str,
    steps: int,
) -> None:
    """Until the step closes: then cards are drawn, and orders of others meet other hands."""
    seats = ["red", "blue", "green"]
    world = begun(tmp_path / "one.db", toy_library, ends, kind, seed, seats)
    letters = 0
    for number in range(steps):
        if world.over():
            break
        orders, state = world.choices(who, seed), world.position()
        for reader in [seat for seat in seats if seat in orders][:2]:
            twin = copy_of(world, tmp_path / f"{reader}{number}.db", ends)
            twin.change(lambda _, s=state, r=reader: imagined(world, s, r))
            assert twin.position() != state
            for one in (world, twin):
                one.mail.raw.clear()
                one.order(reader, orders[reader], "preview: yes")
                one.order(reader, orders[reader])
                one.say(reader, QUESTIONS)
                if number == steps - 1:
                    one.order(reader, orders[reader], "forecast: {}")
            letters += assert_same(world, twin, reader)
            assert (b"Forecast for" in told(world, reader)[-1]) == (number == steps - 1)
        for seat, own in orders.items():
            world.order(seat, own)
        world.close()
    assert letters >= 3 * steps


def imagined(world: World, state: Any, seat: str) -> Any:
    """A position that the seat cannot tell from this one."""
    with world.context() as context:
        rules = context.kind.rules
    return rules.imagine(rules.view(state, seat), seat, Dice(b"noninterference", seat))


# orders that nobody reveals


@pytest.mark.parametrize(
    ("seed", "who"), [(2, "legal"), pytest.param(6, "bot", marks=pytest.mark.soak)]
)
def test_unrevealed_orders_are_in_no_letter(
    tmp_path: Path, toy_library: FolderLibrary, ends: ExitStack, seed: int, who: str
) -> None:
    seats = ["red", "blue", "green"]
    world = begun(tmp_path / "one.db", toy_library, ends, "jump-wars", seed, seats)
    letters = 0
    for number in range(6):
        if world.over():
            break
        orders, phase = world.choices(who, seed), world.desk.step().phase
        writer = seats[number % len(seats)]
        twin = copy_of(world, tmp_path / f"twin{number}.db", ends)
        changed = unrevealed(world, phase, writer, orders.get(writer))
        step = play(world, orders)
        play(twin, {**orders, **({writer: changed} if changed is not None else {})})
        public = {event.kind for event in events_of(world, step)}
        if changed is None or (phase == "jump" and public & {"fight", "hand-limit"}):
            continue  # there the preferences show by right
        letters += sum(
            assert_same(world, twin, seat) for seat in (*seats, "public") if seat != writer
        )
    assert letters > 20, "the twins were nearly all passed over; the test shows nothing"


def unrevealed(
    world: World, phase: str, writer: str, orders: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    """Other orders whose difference comes to nothing and is nobody else's business."""
    player = world.position().table.players[writer]
    if orders is None or phase not in ("plan", "jump"):
        return None
    if phase == "jump":
        fight = {"targets": [writer], "nova_bombs": [{"at": "J9", "ships": 2}]}
        return {**orders, "fight": fight, "final": {"discard": ["espionage"]}}
    if player.specials or player.find_level("trade") > 1 or "steal" in orders:
        return None
    return {**orders, "steal": writer}  # JW-17: the own hand, surely negated


# what others write, ask and wish, and when


NOISE = [
    ("toy-duel", 4, "legal", 5),
    ("jump-wars", 3, "legal", 5),
    pytest.param("jump-wars", 8, "bot", 4, marks=pytest.mark.soak),
    ("jump-gate", 5, "legal", 5),
    pytest.param("jump-gate", 5, "legal", 9, marks=pytest.mark.soak),
    ("jump-gate-2010", 5, "bot", 5),
    pytest.param("jump-gate-2010", 5, "bot", 9, marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("kind", "seed", "who", "steps"), NOISE)
def test_what_goes_on_among_others_is_in_no_letter(
    tmp_path: Path,
    toy_library: FolderLibrary,
    ends: ExitStack,
    kind: str,
    seed: int,
    who: str,
    steps: int,
) -> None:
    """Red, and who looks on, cannot tell a quiet game from one in which the others are busy."""
    seats = ["red", "blue", "green"]
    quiet = begun(tmp_path / "quiet.db", toy_library, ends, kind, seed, seats)
    busy = copy_of(quiet, tmp_path / "busy.db", ends)
    for number in range(steps):
        if quiet.over():
            break
        orders, others = quiet.choices(who, seed), quiet.choices("legal", seed + 1)
        assert busy.choices(who, seed) == orders
        begin = quiet.desk.at
        chatter(busy, number, others)
        busy.desk.at = begin
        early = [seat for seat in orders if seat != "red"][:-1]
        for one, first in ((quiet, early), (busy, ())):
            for seat in ("red", *first):
                if seat in orders:
                    one.order(seat, orders[seat])
            one.wait(begin + timedelta(minutes=130))  # those who are not in were reminded
            for seat in reversed(orders):
                if seat != "red" and seat not in first:
                    one.order(seat, orders[seat])
        for one in (quiet, busy):
            one.close()
            if not one.over():
                one.say("red", QUESTIONS)
            one.mail.deliver()
    assert assert_same(quiet, busy, "red") > steps
    assert assert_same(quiet, busy, "public") >= steps // 2  # not when somebody is asked
    blue = address(busy.person("blue"))
    assert len(busy.mail.raw[blue]) > len(quiet.mail.raw[blue])


def chatter(world: World, number: int, others: Mapping[str, Any]) -> None:
    """Everything that blue, green, the GM and strangers may write without red's knowing it."""
    for seat, other in (("blue", "green"), ("green", "blue")):
        if seat in others:
            world.order(seat, others[seat], "preview: yes")
            world.order(seat, others[seat], f"press: [{{to: [{other}], text: what shall we do}}]")
            world.say(seat, "clear: yes")
    world.say("blue", "press: [{to: [green, gm], text: hello}, {to: [green], text: between us}]")
    world.say("blue", QUESTIONS, "vote: draw", "prefer: {mails: final}")
    world.say("blue", "ahead: [{pass: yes, if: {turn: 99}}]", "prefer: {ratings: no}")
    if number == 1 and "green" in others:
        world.order("green", others["green"], "forecast: {}")
    world.say("green", "ask: [resend, new-key]")
    world.say("blue", "gibberish: [")
    world.say("gm", 'gm: [note "blue is up to something"]', "ask: [status, players]")
    for text in ("ask: [resend]", "game: tiny\nkey: 2222-2222", "join: tiny\nname: Zoe", "hello"):
        world.mail.write("zoe@example.com", text)
        world.mail.write("bo@example.org", text)
    world.desk.at += timedelta(minutes=1 + number)
    world.mail.deliver()  # red is told of nothing, at whatever time
