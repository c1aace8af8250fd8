"""Nothing that is secret is in the files: not on the pages, not beside them, not in their names."""

import base64
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.build import BuiltGame
from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.model.values import Absence, Press
from adjudicator.desk.outbox.keys import make_key
from tests.adapters.site.conftest import AT, GAME, LUCK, ROOT, SECRET_PRESS, Play, Shop, order
from tests.desk.test_noninterference import begun, in_jump_wars, in_toy, secret, shown
from tests.desk.test_noninterference import play as play_by_letters
from tests.desk.twins import World, copy_of, events_of

WORD = re.compile(rb"[A-Za-z0-9][A-Za-z0-9_@.-]{2,}")
TEMPLATES = b"".join(path.read_bytes() for path in sorted(ROOT.glob("templates/*/*.j2")))
KINDS = ("toy-duel", "jump-wars", "jump-gate", "jump-gate-2010", "jump-drive")


def everything(built: BuiltGame) -> bytes:
    """All that a site holds of a game, the names of its files too."""
    names = "\n".join([built.folder, *built.files]).encode()
    return b"\n".join([names, *built.files.values()])


def words(content: bytes) -> set[bytes]:
    """Every word of it, in the small letters; also the parts of words that are joined."""
    found = set(WORD.findall(content.replace(b"\\n", b" ").lower()))
    return found | {part for word in found for part in re.split(rb"[-_.@]", word)}


@pytest.fixture
def running(request: pytest.FixtureRequest, play: Play, toy_library: FolderLibrary) -> SqlStore:
    """A game in the middle, with orders on file that nobody has seen."""
    store = play(request.param, 3 if request.param == "toy-duel" else 7)
    with store.writing() as books:
        order(books, toy_library, AT)
    return store


def known_and_secret(store: SqlStore, seat: str | None) -> tuple[set[bytes], set[bytes]]:
    """The words that may be told, and those that the game's books hold beside them."""
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
        players = books.players()
        notes = books.notes(GAME)
    record = dossier.record
    public = b"".join(p.document for p in record.papers if p.seat in (None, seat))
    public += b" ".join(str(one.player).encode() for one in dossier.seatings)
    if seat:
        public += b"".join(own.orders for own in record.orders if own.seat == seat and own.executed)
    hidden = b"".join(p.document for p in record.papers)
    hidden += b"".join((step.state or b"") + step.events for step in record.steps)
    hidden += b"".join(own.orders + b" " + own.digest.encode() for own in record.orders)
    hidden += b" ".join(str(one).encode() for one in (*dossier.press, *notes, record.game.luck))
    hidden += b" ".join(address.encode() for one in players for address in one.addresses)
    return words(public), words(hidden)


@pytest.mark.parametrize("seat", [None, "blue"])
@pytest.mark.parametrize("running", KINDS, indirect=True)
def test_no_secret_word_of_a_running_game_is_in_its_files(
    running: SqlStore, shop: Shop, seat: str | None
) -> None:
    known, hidden = known_and_secret(running, seat)
    built = shop.of(running, seat)
    # what any page of this kind says, whoever plays: its frame and its headings
    frame = words(everything(other_game(shop, running))) | words(TEMPLATES)
    secrets = {word for word in hidden - known - frame if not word.isdigit()}
    assert len(secrets) > 8, "there is hardly anything to be hidden here; the test shows nothing"
    assert SECRET_PRESS.encode() in secrets
    assert words(everything(built)) & secrets == set()


def other_game(shop: Shop, store: SqlStore) -> BuiltGame:
    """The same game as it is before anything was told: nothing but frames."""
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    record = replace(dossier.record, steps=(), papers=(), orders=(), links=())
    return shop.built(replace(dossier, record=record))


@pytest.mark.parametrize("running", KINDS, indirect=True)
def test_neither_seed_nor_luck_nor_key_nor_address_is_in_the_files(
    running: SqlStore, shop: Shop
) -> None:
    with running.reading() as books:
        game = books.game(GAME)
        links = books.links(GAME)
        step = books.step(GAME, game.open_step or 0).name
    files = everything(shop.of(running)).lower()
    keys = [
        make_key(b"s" * 32, game=GAME, seat=s, seating=1, step=step, epoch=1) for s in game.seats
    ]
    spelled = [game.seed.hex(), base64.b64encode(game.seed).decode(), *LUCK.values(), *keys]
    spelled += [link.digest for link in links]
    for one in (*spelled, "mailhost.example", SECRET_PRESS, "private", "state.json"):
        assert one.lower().encode() not in files, one


def test_a_game_that_is_over_tells_no_address_and_no_private_word(play: Play, shop: Shop) -> None:
    files = everything(shop.of(play("toy-duel", 99)))
    assert b"quincunx" in files
    assert b"mailhost" not in files
    assert SECRET_PRESS.encode() not in files


def test_of_an_anonymous_game_no_name_is_in_the_files(play: Play, shop: Shop) -> None:
    store = play("toy-duel", 3, anonymous=True)
    for seat, name in (("red", b"Ada"), ("blue", b"Bo"), ("green", b"Cleo")):
        for built in (shop.of(store), shop.of(store, seat)):
            others = {b"Ada", b"Bo", b"Cleo"} - {name}
            found = set(re.findall(rb"\b(Ada|Bo|Cleo)\b", everything(built)))
            assert not found & others


@pytest.mark.parametrize("kind", KINDS[1:])
def test_what_arrives_in_the_open_step_changes_no_byte(
    play: Play, shop: Shop, toy_library: FolderLibrary, kind: str
) -> None:
    """Who is in, who will be away, who would end it and who wrote to whom stay in the house."""
    store = play(kind, 4)
    before = [shop.of(store, seat).files for seat in (None, "blue")]
    with store.writing() as books:
        order(books, toy_library, AT)
        away = {"start": AT, "end": AT + timedelta(days=3), "days": 3, "announced": AT}
        books.save(Absence(game=GAME, seat="red", number=1, seating=1, **away))
        step, number = books.game(GAME).open_step, len(books.press(GAME)) + 1
        note = {"step": step, "seat": "red", "seating": 1, "to": ("green",), "text": "Now."}
        books.save(Press(game=GAME, number=number, at=AT, **note))
        held = next(one for one in books.seatings(GAME) if one.seat == "red")
        books.save(replace(held, vote="draw", missed=1))
    assert [shop.of(store, seat).files for seat in (None, "blue")] == before


# twins: what a reader cannot know changes no byte of the pages


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


TWINS = [("toy-duel", 3, "legal", in_toy, 4), ("jump-wars", 1, "legal", in_jump_wars, 4)]


@pytest.mark.parametrize(("kind", "seed", "who", "swap", "steps"), TWINS)
def test_the_cards_of_others_change_no_byte(
    tmp_path: Path,
    toy_library: FolderLibrary,
    shop: Shop,
    ends: ExitStack,
    kind: str,
    seed: int,
    who: str,
    swap: object,
    steps: int,
) -> None:
    seats = ["red", "blue", "green"]
    world = begun(tmp_path / "one.db", toy_library, ends, kind, seed, seats)
    compared = 0
    for number in range(steps):
        if world.over():
            break
        orders, state = world.choices(who, seed), world.position()
        twin = copy_of(world, tmp_path / f"twin{number}.db", ends)
        found = [
            (one, other)
            for one in seats
            for other in (None, *seats)
            if one != other and secret(state, orders, one, other)
        ]
        for holder, other in found[:1]:
            twin.change(lambda state, h=holder, o=other: swap(state, h, o))  # type: ignore[operator]
        both = [events_of(one, play_by_letters(one, orders)) for one in (world, twin)]
        insiders = {seat for pair in found[:1] for seat in pair if seat}
        if not found or world.over() or any(shown(events, insiders) for events in both):
            continue
        for reader in (None, *(seat for seat in seats if seat not in insiders)):
            assert files_of(world, shop, reader) == files_of(twin, shop, reader)
            compared += 1
        mine = min(insiders)
        assert files_of(world, shop, mine) != files_of(twin, shop, mine)
    assert compared > 3, "the twins were nearly all passed over; the test shows nothing"


def files_of(world: World, shop: Shop, seat: str | None) -> Mapping[str, bytes]:
    with world.desk.store.reading() as books:
        return shop.built(collect_dossier(books, GAME), seat).files
