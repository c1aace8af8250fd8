"""What is published of a game does not change with what is private in it, in no byte."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

import pytest

from adjudicator.adapters.archive.pack import pack_archive, pack_record
from adjudicator.adapters.archive.public import publish_dossier
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.write import digest_facts
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.chain import compute_commitment
from adjudicator.core.document import decode, encode
from adjudicator.desk.model.values import Press
from tests.adapters.site.conftest import AT, GAME, Shop, go_on, make

Store = Callable[[str], SqlStore]
GUESSED = "secretdeal"


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory, toy_library: FolderLibrary) -> Iterator[Store]:
    """Begins games that are the same in all."""
    opened = []

    def begin(kind: str) -> SqlStore:
        opened.append(store := open_store(tmp_path_factory.mktemp("twin") / "a.db"))
        with store.writing() as books:
            make(books, toy_library, kind, press="grey")
        return store

    yield begin
    for store in opened:
        store.close()


def say(
    store: SqlStore, seat: str, text: str, *to: str, minutes: int, anonymous: bool = False
) -> None:
    """Somebody writes, so many minutes after the game began."""
    with store.writing() as books:
        number = len(books.press(GAME)) + 1
        facts = {"seat": seat, "seating": 1, "to": to, "anonymous": anonymous, "text": text}
        step, at = books.game(GAME).open_step, AT + timedelta(minutes=minutes)
        books.save(Press(game=GAME, number=number, at=at, step=step, **facts))


def publish(store: SqlStore, shop: Shop, kind: str) -> Mapping[str, bytes]:
    """Everything that everybody may have of the game."""
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
        facts = digest_facts(books, books.game(GAME))
    render = Texts(shop.printer, shop.library.kind(kind))
    made = {
        "export": pack_archive(dossier, render, public=True),
        "record": pack_record(dossier, render.kind),
        "site": shop.built(dossier, facts=facts).files,
    }
    return {f"{way}/{path}": files[path] for way, files in made.items() for path in files}


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    return [path for path in sorted({*one, *other}) if one.get(path) != other.get(path)]


@pytest.mark.parametrize("steps", [2, 99])
@pytest.mark.parametrize("kind", ["toy-duel", "jump-wars"])
def test_private_press_changes_no_byte_of_what_is_published(
    fresh: Store, shop: Shop, toy_library: FolderLibrary, kind: str, steps: int
) -> None:
    quiet, chatty = fresh(kind), fresh(kind)
    for number in range(5):
        say(chatty, "blue", f"{GUESSED} {number}", "red", minutes=number)
        say(chatty, "green", GUESSED, "blue", minutes=number, anonymous=True)
    for store in (quiet, chatty):
        say(store, "red", "Good morning", minutes=30)
        with store.writing() as books:
            go_on(books, toy_library, 1)
    say(chatty, "red", GUESSED, "green", "blue", minutes=120)
    for store in (quiet, chatty):
        say(store, "green", "Good evening", minutes=130)
        with store.writing() as books:
            go_on(books, toy_library, steps)
    published = [publish(store, shop, kind) for store in (quiet, chatty)]
    assert differing(*published) == []
    assert any(b"Good evening" in content for content in published[0].values())


@pytest.mark.parametrize("steps", [2, 99])
def test_nobody_is_told_who_wrote_without_a_name(
    fresh: Store, shop: Shop, toy_library: FolderLibrary, steps: int
) -> None:
    """Neither by a name, nor by the instant at which orders came with the message."""
    twins = fresh("toy-duel"), fresh("toy-duel")
    for store, writer, minutes in zip(twins, ("red", "blue"), (59, 7), strict=True):
        say(store, writer, "I was behind it all", minutes=minutes, anonymous=True)
        with store.writing() as books:
            go_on(books, toy_library, steps)
    published = [publish(store, shop, "toy-duel") for store in twins]
    assert differing(*published) == []
    assert any(b"I was behind it all" in content for content in published[0].values())


def test_no_short_message_can_be_guessed_from_the_chain(
    fresh: Store, shop: Shop, toy_library: FolderLibrary
) -> None:
    """At the end the seed is known, and of a report all but the message."""
    store = fresh("toy-duel")
    say(store, "blue", GUESSED, "red", minutes=1)
    with store.writing() as books:
        go_on(books, toy_library, 99)
    published = publish(store, shop, "toy-duel")
    chain = published["export/chain.txt"].decode() + published["record/chain.txt"].decode()
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    seed = publish_dossier(dossier).record.game.seed
    names = {step.number: step.name for step in dossier.record.steps}
    tried = 0
    for paper in dossier.record.papers:
        if GUESSED.encode() in paper.document:
            guess = encode(decode(paper.document))  # a guess that is right in every byte
            sealed = compute_commitment(seed, names[paper.step], paper.seat or "", "report", guess)
            assert sealed not in chain
            tried += 1
    assert tried == 2
