"""Archives on the disk, and back into a database."""

import errno
import os
import stat
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from adjudicator.adapters.archive.chain_file import format_chain
from adjudicator.adapters.archive.folder import (
    load_archive,
    read_archive_heads,
    update_archive,
    write_archive,
)
from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.places import Files, archive_folder, step_folder
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.reports import NO_TEXTS, Texts
from adjudicator.adapters.archive.stored_game import Archive, collect_dossier, restore_game
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.document import Document
from adjudicator.desk.acts.calendar import extend_deadline
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Observer, OutgoingLetter, Player
from adjudicator.desk.steps.lock import lock_game
from tests.adapters.archive.conftest import AT, GAME, packed
from tests.at_the_desk import close_step, submit

Open = Callable[[str], SqlStore]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "games" / "toy_duel" / GAME


def test_the_folder_is_named_after_kind_and_game(running: SqlStore, tmp_path: Path) -> None:
    with running.reading() as books:
        assert archive_folder(tmp_path, books.game(GAME)) == tmp_path / "toy_duel" / GAME


def test_what_was_written_is_what_lies_there(finished: SqlStore, texts: Texts, place: Path) -> None:
    files = packed(finished, texts)
    assert set(write_archive(place, files)) == set(files)
    assert load_archive(place) == files


def test_writing_again_changes_nothing(finished: SqlStore, texts: Texts, place: Path) -> None:
    write_archive(place, packed(finished, texts))
    times = {path: path.stat().st_mtime_ns for path in place.rglob("*") if path.is_file()}
    assert write_archive(place, packed(finished, texts)) == ()
    assert times == {path: path.stat().st_mtime_ns for path in times}


def test_only_its_owner_may_read_private_yaml(running: SqlStore, texts: Texts, place: Path) -> None:
    write_archive(place, packed(running, texts))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in place.glob("*.yaml")}
    assert modes["private.yaml"] == 0o600
    (place / "private.yaml").chmod(0o644)
    write_archive(place, packed(running, texts))
    assert stat.S_IMODE((place / "private.yaml").stat().st_mode) == 0o600


def test_a_next_step_is_added_to_what_is_there(
    running: SqlStore, texts: Texts, place: Path, toy_library: FolderLibrary
) -> None:
    write_archive(place, packed(running, texts))
    (place / "notes.txt").write_text("mine")
    with running.writing() as books:
        close_step(books, toy_library, GAME, at=AT, now=True)
    changed = write_archive(place, packed(running, texts))
    assert not any(path.startswith("steps/001-") for path in changed)
    assert {"game.yaml", "chain.txt"} < set(changed)
    assert (place / "notes.txt").read_text() == "mine"
    assert verify_archive(load_archive(place), toy_library).faults == ()


class Counting(Texts):
    """Counts what it renders."""

    rendered = 0

    def __call__(
        self, document: Document, above: Mapping[str, bytes] = NO_TEXTS
    ) -> Mapping[str, bytes]:
        self.rendered += 1
        return super().__call__(document, above)


def update(store: SqlStore, texts: Texts, place: Path, reporting: str = "") -> tuple[str, ...]:
    """What the daemon does after a closing."""
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    return update_archive(
        place,
        lambda there: pack_archive(dossier, texts, there=there),
        reporting=reporting or texts.kind.reporting,
    )


@pytest.fixture
def counting(texts: Texts) -> Counting:
    return Counting(texts._printer, texts.kind)


def test_a_closing_renders_its_own_step_alone(
    running: SqlStore,
    texts: Texts,
    counting: Counting,
    place: Path,
    toy_library: FolderLibrary,
) -> None:
    update(running, texts, place)
    assert load_archive(place) == packed(running, texts)
    with running.writing() as books:
        closed = close_step(books, toy_library, GAME, at=AT, now=True).step
        papers = len(books.papers(GAME, closed.number))
    changed = update(running, counting, place)
    assert counting.rendered == papers > 1
    assert load_archive(place) == packed(running, texts)
    assert step_folder(closed) in {path[: len(step_folder(closed))] for path in changed}
    assert not any(path.startswith("steps/001-") for path in changed)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda place: (place / "steps/001-pick/red/report.txt").unlink(),
        lambda place: (place / "steps/001-pick/state.json").unlink(),
        lambda place: (place / "chain.txt").unlink(),
        lambda place: (place / "chain.txt").write_text("nothing"),
        lambda place: (place / "game.yaml").write_bytes((place / "game.yaml").read_bytes() + b"#"),
    ],
    ids=["a text is gone", "a part is gone", "no chain", "no real chain", "another game.yaml"],
)
def test_an_archive_that_is_not_whole_is_written_whole(
    running: SqlStore, texts: Texts, place: Path, spoil: Callable[[Path], object]
) -> None:
    write_archive(place, packed(running, texts))
    spoil(place)
    update(running, texts, place)
    assert load_archive(place) == packed(running, texts)


def test_texts_of_older_templates_are_made_again(
    running: SqlStore, texts: Texts, counting: Counting, place: Path
) -> None:
    write_archive(place, packed(running, texts))
    update(running, counting, place, reporting="newer")
    with running.reading() as books:
        assert counting.rendered == len(books.papers(GAME))


def test_a_step_that_became_another_is_made_again(
    running: SqlStore, finished: SqlStore, texts: Texts, place: Path
) -> None:
    """As after a rollback."""
    update(finished, texts, place)
    update(running, texts, place)
    assert load_archive(place) == packed(running, texts)


def test_what_became_private_is_taken_away(
    running: SqlStore, texts: Texts, place: Path, toy_library: FolderLibrary
) -> None:
    write_archive(place, packed(running, texts))
    write_archive(place, packed(running, texts, public=True))
    assert not list(place.rglob("state.json"))
    assert not list(place.glob("steps/*/red"))
    assert load_archive(place) == packed(running, texts, public=True)


def test_a_list_of_files_from_elsewhere_reaches_nothing_outside(
    running: SqlStore, texts: Texts, place: Path
) -> None:
    write_archive(place, packed(running, texts))
    outside = place.parent / "precious"
    outside.write_text("keep me")
    chain = (place / "chain.txt").read_text()
    (place / "chain.txt").write_text(
        chain.replace("\nfiles\n", f"\nfiles\n{'0' * 64}  ../precious\n")
    )
    write_archive(place, packed(running, texts))
    assert outside.read_text() == "keep me"


def test_whoever_is_interrupted_leaves_no_half_file(
    running: SqlStore,
    finished: SqlStore,
    texts: Texts,
    place: Path,
    toy_library: FolderLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, after = packed(running, texts), packed(finished, texts)
    write_archive(place, before)

    def stop(path: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            write_archive(place, after)
    assert load_archive(place) == before
    assert [path for path in place.rglob(".*") if path.is_file()] == []
    write_archive(place, after)
    assert load_archive(place) == after


def test_what_was_left_before_chain_txt_came_is_no_secret_of_a_public_archive(
    running: SqlStore, texts: Texts, place: Path
) -> None:
    """Somebody was killed who wrote the full archive; its folder is then made public."""
    everything = packed(running, texts)
    write_archive(place, {path: text for path, text in everything.items() if path != "chain.txt"})
    (place / "chain.txt").unlink(missing_ok=True)
    (place / ".abcdefgh.new").write_bytes(everything["private.yaml"])
    (place / "steps/001-pick/notes.txt").write_text("mine")
    write_archive(place, packed(running, texts, public=True))
    assert (place / "steps/001-pick/notes.txt").read_text() == "mine"
    (place / "steps/001-pick/notes.txt").unlink()
    there = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    assert there == set(packed(running, texts, public=True))


def test_the_archive_of_another_game_is_not_lost(
    running: SqlStore, texts: Texts, place: Path
) -> None:
    write_archive(place, packed(running, texts))
    before = load_archive(place)
    other = {**before, "game.yaml": before["game.yaml"].replace(b"id: tiny", b"id: other")}
    with pytest.raises(Refused, match=r"another game is in this folder; .* name another folder"):
        write_archive(place, other)
    assert load_archive(place) == before


def test_a_full_disk_is_told_with_the_file_that_found_no_room(
    running: SqlStore, texts: Texts, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left") as told:
        write_archive(place, packed(running, texts))
    assert told.value.filename == str(place / "game.yaml")


def test_a_file_without_end_is_not_read(running: SqlStore, texts: Texts, place: Path) -> None:
    write_archive(place, packed(running, texts))
    os.truncate(place / "steps/001-pick/state.json", 2**36)
    with pytest.raises(Refused, match=r"state\.json: it is larger than any file of an archive"):
        load_archive(place)


def test_chain_txt_comes_last(
    finished: SqlStore, texts: Texts, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    real = Path.replace

    def noted(path: Path, target: Path) -> Path:
        order.append(Path(target).name)
        return real(path, target)

    monkeypatch.setattr(Path, "replace", noted)
    write_archive(place, packed(finished, texts))
    assert order[-1] == "chain.txt"


def test_sha256sum_understands_the_list(finished: SqlStore, texts: Texts, place: Path) -> None:
    write_archive(place, packed(finished, texts))
    command = ["sha256sum", "--check", "--quiet", "chain.txt"]
    assert subprocess.run(command, cwd=place, check=False, capture_output=True).returncode == 0
    (place / "steps/001-pick/state.json").write_bytes(b"{}")
    assert subprocess.run(command, cwd=place, check=False, capture_output=True).returncode == 1


def test_a_link_out_of_the_archive_is_not_followed(
    finished: SqlStore, texts: Texts, place: Path, toy_library: FolderLibrary
) -> None:
    write_archive(place, packed(finished, texts))
    state = place / "steps/001-pick/state.json"
    elsewhere = place.parent / "state.json"
    state.rename(elsewhere)
    state.symlink_to(elsewhere)
    files = {fault.file for fault in verify_archive(load_archive(place), toy_library).faults}
    assert "steps/001-pick/state.json" in files


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_that_is_no_archive_is_refused(made: bool, tmp_path: Path) -> None:
    place = tmp_path / "nothing"
    if made:
        place.mkdir()
    with pytest.raises(Refused, match=r"game\.yaml"):
        load_archive(place)


def test_the_end_of_a_chain_is_read_from_the_archive_of_a_game_that_has_begun(
    files: Files, finished: SqlStore, tmp_path: Path
) -> None:
    with finished.reading() as books:
        game, heads = books.game(GAME), books.heads()
    folder = archive_folder(tmp_path, game)
    write_archive(folder, files)
    assert read_archive_heads(tmp_path, [game]) == heads
    (folder / "chain.txt").write_bytes(format_chain((), files))
    assert read_archive_heads(tmp_path, [game]) == {}


# ---- import


def _archive(store: SqlStore, texts: Texts) -> Archive:
    return read_archive(packed(store, texts))


@pytest.mark.parametrize("name", ["finished", "running"])
def test_an_imported_game_gives_the_same_archive(
    name: str, opened: Open, texts: Texts, request: pytest.FixtureRequest
) -> None:
    store: SqlStore = request.getfixturevalue(name)
    other = opened("other.db")
    with other.writing() as books:
        assert restore_game(books, _archive(store, texts)) == ()
    assert packed(other, texts) == packed(store, texts)


def test_an_imported_game_can_be_played_on(
    running: SqlStore, opened: Open, texts: Texts, toy_library: FolderLibrary
) -> None:
    other = opened("other.db")
    with other.writing() as books:
        restore_game(books, _archive(running, texts))
    closings = []
    for store in (running, other):
        with store.writing() as books:
            closings.append(close_step(books, toy_library, GAME, at=AT, now=True))
    assert closings[0].links == closings[1].links


def test_receipts_are_counted_on_after_an_import(
    running: SqlStore, opened: Open, texts: Texts, toy_library: FolderLibrary
) -> None:
    orders = parse_yaml("play: owl\nfrom: green\n")
    with running.writing() as books:
        submit(books, toy_library, GAME, "red", orders, by="player", at=AT)
        close_step(books, toy_library, GAME, at=AT, now=True)
    other = opened("other.db")
    with other.writing() as books:
        restore_game(books, _archive(running, texts))
    numbers = []
    for store in (running, other):
        with store.writing() as books:
            told = submit(books, toy_library, GAME, "red", orders, by="player", at=AT)
            numbers.append(told["number"])
    assert numbers[0] == numbers[1] > 1


def test_no_message_id_comes_twice_after_an_import(
    running: SqlStore, opened: Open, texts: Texts, toy_library: FolderLibrary
) -> None:
    with running.writing() as books:
        books.save(Observer(game=GAME, address="eve@example.org", since=AT))
        extend_deadline(lock_game(books, toy_library, GAME, at=AT), "24h")
    other = opened("other.db")
    with other.writing() as books:
        restore_game(books, _archive(running, texts))
    with other.writing() as books:
        extend_deadline(lock_game(books, toy_library, GAME, at=AT), "24h")
    before, after = ({one.message_id for one in _public(store)} for store in (running, other))
    assert after
    assert not before & after


def _public(store: SqlStore) -> list[OutgoingLetter]:
    with store.reading() as books:
        letters = books.letters(GAME)
    return [one for one in letters if one.seat == "public" and one.template != "archive/1"]


def test_a_game_that_is_there_is_not_overwritten(running: SqlStore, texts: Texts) -> None:
    with pytest.raises(Refused, match="already"), running.writing() as books:
        restore_game(books, _archive(running, texts))


def test_players_that_are_known_keep_their_addresses(
    running: SqlStore, opened: Open, texts: Texts
) -> None:
    other = opened("other.db")
    with other.writing() as books:
        books.save(Player(name="Ada", addresses=("new@example.org",)))
        restore_game(books, _archive(running, texts))
    with other.reading() as books:
        assert {p.name: p.addresses for p in books.players()} == {
            "Ada": ("new@example.org",),
            "Bo": (),
        }


def test_without_private_yaml_addresses_are_asked_for(
    finished: SqlStore, opened: Open, texts: Texts
) -> None:
    files = packed(finished, texts, public=True)
    other = opened("other.db")
    with other.writing() as books:
        (told,) = restore_game(books, read_archive(files))
    assert "Ada, Bo" in told
    assert packed(other, texts, public=True) == files


@pytest.mark.parametrize("public", [False, True])
def test_a_running_game_without_its_seed_cannot_be_taken_over(
    public: bool, running: SqlStore, opened: Open, texts: Texts
) -> None:
    files = packed(running, texts, public=public)
    files.pop("private.yaml", None)
    with pytest.raises(Refused, match="contains no seed"), opened("other.db").writing() as books:
        restore_game(books, read_archive(files))
