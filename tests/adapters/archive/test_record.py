"""The record of a game: small, nothing private, and enough to play everything again."""

from collections.abc import Callable
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from adjudicator.adapters.archive.pack import pack_archive, pack_record
from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.rebuild import rebuild_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier, note_import, restore_game
from adjudicator.adapters.archive.verify import Verification, verify_archive, verify_record
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.document import digest
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import Press
from adjudicator.desk.steps.record import read_record
from tests.adapters.archive.conftest import AT, GAME, make, packed, play
from tests.adapters.archive.test_verify import _sealed

Check = Callable[[Files], Verification]
REWORDED = "reports are worded differently by this version; rules, states and events agree"
PRIVATE, OPEN = "sesquipedalian", "good luck to everybody"


def recorded(store: SqlStore, library: FolderLibrary) -> Files:
    with store.reading() as books:
        return pack_record(collect_dossier(books, GAME), library.kind("toy-duel"))


@pytest.fixture
def files(finished: SqlStore, toy_library: FolderLibrary) -> Files:
    return recorded(finished, toy_library)


@pytest.fixture
def check(toy_library: FolderLibrary) -> Check:
    return lambda files: verify_archive(files, toy_library)


@pytest.fixture
def chatty(opened: Callable[[str], SqlStore], toy_library: FolderLibrary) -> SqlStore:
    """A finished game in which red wrote to all and to blue alone."""
    return _chat(opened("chatty.db"), toy_library)


@pytest.fixture
def older(
    opened: Callable[[str], SqlStore],
    toy_library: FolderLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> SqlStore:
    """The same, whose chain commits to reports with the private press in them, as 0.2.0 did."""
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.desk.steps.record.publish_report", lambda document: document)
        return _chat(opened("older.db"), toy_library)


def _chat(store: SqlStore, library: FolderLibrary) -> SqlStore:
    with store.writing() as books:
        make(books, library)
        step = books.game(GAME).open_step
        for number, (to, text) in enumerate([((), OPEN), (("blue",), PRIVATE)], 1):
            books.save(
                Press(
                    game=GAME,
                    number=number,
                    at=AT,
                    step=step,
                    seat="red",
                    seating=1,
                    to=to,
                    text=text,
                )
            )
        play(books, library, 20)
    return store


def test_it_has_four_files_and_no_address(files: Files) -> None:
    assert set(files) == {"game.yaml", "orders.yaml", "chain.txt", "result.yaml"}
    assert b"example.org" not in b"".join(files.values())
    assert sum(map(len, files.values())) < 40_000


def test_it_is_the_full_archive_without_what_can_be_made_again(
    finished: SqlStore, files: Files, texts: Texts
) -> None:
    full = packed(finished, texts)
    assert {name: full[name] for name in ("orders.yaml", "result.yaml")} == {
        name: files[name] for name in ("orders.yaml", "result.yaml")
    }


def test_everything_is_played_again_from_it(
    finished: SqlStore, files: Files, check: Check, toy_library: FolderLibrary
) -> None:
    """Rulings and a rollback are in this game, luck words and people with zones."""
    verdict = check(files)
    assert (verdict.faults, verdict.notes) == ((), ())
    with finished.reading() as books:
        known = read_record(books, GAME)
    assert verdict.replayed == sum(step.state is not None for step in known.steps)
    again = rebuild_archive(files, toy_library).dossier.record
    assert again.steps == known.steps
    assert again.links == known.links
    assert not again.retold
    assert sorted(again.papers, key=repr) == sorted(known.papers, key=repr)
    assert sorted(again.orders, key=repr) == sorted(known.orders, key=repr)


def test_orders_stand_there_as_players_write_them(files: Files) -> None:
    entry = yaml.safe_load(files["orders.yaml"])["1-pick"]
    assert set(entry["orders"]["red"]) == {"play"}
    assert entry["sets"]["red"] == {"number": 11, "by": "player"}
    result = yaml.safe_load(files["result.yaml"])
    assert set(result["winners"]) <= {"red", "blue", "green"}
    assert set(result["scores"]) == {"red", "blue", "green"}


def _bent(files: Files, path: str, old: str, new: str) -> Files:
    content = files[path].decode()
    assert old in content
    return _sealed(files, path, content.replace(old, new, 1).encode())


def test_orders_that_were_changed_are_found_by_the_chain(files: Files, check: Check) -> None:
    card = yaml.safe_load(files["orders.yaml"])["1-pick"]["orders"]["red"]["play"]
    other = "owl" if card != "owl" else "fox"
    told = check(_bent(files, "orders.yaml", f"play: {card}", f"play: {other}")).faults
    assert ("1-pick", "steps/001-pick/red/orders.json") in {(f.step, f.file) for f in told}


def test_a_ruling_that_was_changed_is_found_by_the_chain(files: Files, check: Check) -> None:
    told = check(_bent(files, "orders.yaml", "red: 3", "red: 4")).faults
    assert any("-ruling" in (fault.step or "") for fault in told)


def test_facts_of_reports_that_were_changed_are_found_by_the_chain(
    files: Files, check: Check
) -> None:
    told = check(_bent(files, "orders.yaml", "Europe/Berlin", "Europe/London")).faults
    assert {fault.file.rpartition("/")[2] for fault in told} == {"report.json"}
    told = check(_bent(files, "game.yaml", "player: Ada", "player: Eve")).faults
    assert any(fault.file.endswith("red/report.json") for fault in told)


def test_a_result_that_was_changed_is_found(files: Files, check: Check) -> None:
    scores = yaml.safe_load(files["result.yaml"])["scores"]
    bent = _bent(files, "result.yaml", f"red: {scores['red']}", f"red: {scores['red'] + 1}")
    assert [fault.file for fault in check(bent).faults] == ["result.yaml"]


def test_another_seed_is_found(files: Files, check: Check) -> None:
    seed = yaml.safe_load(files["game.yaml"])["seed"]
    assert len(check(_bent(files, "game.yaml", seed, "00" * 32)).faults) > 10


def test_no_change_makes_the_check_stumble(files: Files, check: Check) -> None:
    for old, new in (("1-pick", "1"), ("orders:", "ordres:"), ("  after: 0-setup", "  after: 9")):
        assert check(_bent(files, "orders.yaml", old, new)).faults


def test_of_a_running_game_it_tells_nothing_that_is_secret(
    running: SqlStore, toy_library: FolderLibrary, check: Check
) -> None:
    files = recorded(running, toy_library)
    assert set(files) == {"game.yaml", "orders.yaml", "chain.txt"}
    everything = b"".join(files.values())
    for secret in (b"seed:", b"owls", b"play:", b"sets:"):
        assert secret not in everything
    verdict = check(files)
    assert (verdict.faults, verdict.replayed, verdict.links) == ((), 0, 4)
    assert "contains only what is public" in verdict.notes[0]


def test_private_press_is_left_out_and_all_else_is_checked(
    chatty: SqlStore, toy_library: FolderLibrary, texts: Texts, check: Check
) -> None:
    files, public = recorded(chatty, toy_library), packed(chatty, texts, public=True)
    for made in (files, public):
        everything = b"".join(made.values())
        assert PRIVATE.encode() not in everything
        verdict = check(made)
        assert (verdict.faults, verdict.notes) == ((), ())
    assert b"".join(files.values()).count(OPEN.encode()) == 1
    path = "steps/001-pick/red/report.json"
    forged = public[path].replace(OPEN.encode(), b"Never said")
    chain = public["chain.txt"].replace(digest(public[path]).encode(), digest(forged).encode())
    (fault,) = check({**public, path: forged, "chain.txt": chain}).faults
    assert (fault.file, fault.message) == (path, "it is not what the chain commits to")


def test_reports_that_an_older_chain_holds_with_private_press_are_not_compared(
    older: SqlStore, toy_library: FolderLibrary, texts: Texts, check: Check
) -> None:
    assert check(packed(older, texts)).notes == ()
    for made in (recorded(older, toy_library), packed(older, texts, public=True)):
        assert PRIVATE.encode() not in b"".join(made.values())
        verdict = check(made)
        assert verdict.faults == ()
        assert verdict.notes == (
            "2 reports hold private press, which is left out: not compared with the chain",
        )


# ---- import


def _import(files: Files, library: FolderLibrary, store: SqlStore) -> Any:
    archive = rebuild_archive(files, library)
    with store.writing() as books:
        restore_game(books, archive)
        note_import(books, archive, at=AT)
    with store.reading() as books:
        return read_record(books, GAME)


def test_a_finished_game_is_imported_from_its_record(
    files: Files,
    check: Check,
    opened: Callable[[str], SqlStore],
    toy_library: FolderLibrary,
    texts: Texts,
) -> None:
    other = opened("other.db")
    record = _import(files, toy_library, other)
    verdict = verify_record(record, toy_library.kind("toy-duel"))
    assert (verdict.faults, verdict.notes) == ((), ())
    assert recorded(other, toy_library) == files
    with other.reading() as books:
        assert check(pack_archive(collect_dossier(books, GAME), texts)).faults == ()


def test_an_import_without_private_press_says_so_for_good(
    older: SqlStore,
    opened: Callable[[str], SqlStore],
    toy_library: FolderLibrary,
    texts: Texts,
    check: Check,
) -> None:
    other = opened("other.db")
    record = _import(recorded(older, toy_library), toy_library, other)
    verdict = verify_record(record, toy_library.kind("toy-duel"))
    assert verdict.faults == ()
    assert "made again at the import" in verdict.notes[0]
    with other.reading() as books:
        full = check(pack_archive(collect_dossier(books, GAME), texts))
    assert full.faults == ()
    assert "made again at the import" in full.notes[0]


def test_a_running_game_is_not_imported_from_a_record(
    running: SqlStore, opened: Callable[[str], SqlStore], toy_library: FolderLibrary
) -> None:
    files = recorded(running, toy_library)
    with pytest.raises(Refused, match="full archive with private"):
        _import(files, toy_library, opened("other.db"))


# ---- another version words its reports differently


class _Later:
    """The library of a later version, whose reports say the same in other words, and more."""

    def __init__(self, library: FolderLibrary) -> None:
        self._library = library

    def kinds(self) -> Any:
        return self._library.kinds()

    def kind(self, kind: str, components: Any = None) -> Kind:
        made: Any = _LaterKind(self._library.kind(kind, components))
        return made  # type: ignore[no-any-return]


class _LaterKind:
    reporting = "1" * 16

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.rules = _Rewording(kind.rules)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kind, name)


class _Rewording:
    """Rules that adjudicate alike: a sentence is patched and a field added."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def report(self, view: Any, events: Any) -> Any:
        made = self._rules.report(view, events)
        return {**made, "headline": f"In short: {made['headline']}", "mood": "cheerful"}


@pytest.mark.parametrize("form", ["record", "everything", "public", "home"])
def test_other_words_and_more_fields_leave_a_recorded_game_valid(
    form: str, finished: SqlStore, texts: Texts, toy_library: FolderLibrary
) -> None:
    later: Any = _Later(toy_library)
    if form == "home":
        with finished.reading() as books:
            verdict = verify_record(read_record(books, GAME), later.kind("toy-duel"))
    elif form == "record":
        verdict = verify_archive(recorded(finished, toy_library), later)
    else:
        verdict = verify_archive(packed(finished, texts, public=form == "public"), later)
    assert (verdict.faults, verdict.notes) == ((), (REWORDED,))
    assert verdict.replayed > 5


def test_the_same_code_must_word_them_alike(
    finished: SqlStore, texts: Texts, toy_library: FolderLibrary
) -> None:
    """Who changes a sentence and not the digest is found: then it was no other version."""
    later: Any = _Later(toy_library)
    kind = later.kind("toy-duel")
    kind.reporting = toy_library.kind("toy-duel").reporting
    later.kind = lambda *_: kind
    for files in (recorded(finished, toy_library), packed(finished, texts)):
        told = {fault.file for fault in verify_archive(files, later).faults}
        assert told
        assert all(file.endswith("report.json") for file in told)


def test_a_report_that_was_changed_is_found_whatever_version_words_them(
    finished: SqlStore, texts: Texts, toy_library: FolderLibrary
) -> None:
    files = packed(finished, texts)
    path = "steps/001-pick/red/report.json"
    bent = _sealed(files, path, files[path].replace(b'"headline":"', b'"headline":"Ha! ', 1))
    later: Any = _Later(toy_library)
    assert [fault.file for fault in verify_archive(bent, later).faults] == [path]


def test_a_record_that_is_imported_by_a_later_version_is_told_in_its_words(
    files: Files, opened: Callable[[str], SqlStore], toy_library: FolderLibrary
) -> None:
    later: Any = _Later(toy_library)
    record = _import(files, later, opened("other.db"))
    assert b"In short" in record.papers[0].document
    verdict = verify_record(record, later.kind("toy-duel"))
    assert verdict.faults == ()
    assert "made again at the import" in verdict.notes[0]


def test_steps_that_ran_under_older_rules_are_kept_whole(
    finished: SqlStore, toy_library: FolderLibrary, check: Check
) -> None:
    with finished.reading() as books:
        dossier = collect_dossier(books, GAME)
    since = replace(dossier, record=replace(dossier.record, since=4))
    verdict = check(pack_record(since, toy_library.kind("toy-duel")))
    assert verdict.faults == ()
    assert "steps before 4 ran under older rules" in verdict.notes[0]


# ---- what the first version wrote


def _as_first_version(files: Files) -> Files:
    """The same archive as 0.1.0 wrote it: a sheet in every step's folder."""
    entries = yaml.safe_load(files["orders.yaml"])
    numbers = {name: int(name.partition("-")[0]) for name in entries}
    older = {name: text for name, text in files.items() if not name.endswith(("rs.yaml", "t.yaml"))}
    older["game.yaml"] = files["game.yaml"].replace(b"archive/2", b"archive/1")
    for name, entry in entries.items():
        number, _, phase = name.partition("-")
        facts = {key: entry.get(key) for key in ("opened", "deadline", "closed", "reason")}
        sets = {
            seat: {"by": "bot", "number": 0, "arrived": entry.get("closed"), **told}
            for seat in entry.get("orders", ())
            for told in [entry.get("sets", {}).get(seat, {})]
        }
        sheet = {
            **facts,
            "number": int(number),
            "phase": phase,
            "predecessor": numbers.get(entry.get("after")),
            "dice": entry.get("dice", name),
            "void": entry.get("undone", False),
            "orders": sets,
        }
        older[f"steps/{int(number):03}-{phase}/step.yaml"] = yaml.safe_dump(sheet).encode()
    head = files["chain.txt"].decode().partition("\nfiles\n")[0]
    listed = sorted((path, text) for path, text in older.items() if path != "chain.txt")
    lines = "".join(f"{digest(text)}  {path}\n" for path, text in listed)
    return {**older, "chain.txt": f"{head}\nfiles\n{lines}".encode()}


@pytest.mark.parametrize("name", ["number", "predecessor"])
def test_a_sheet_of_the_first_version_that_names_no_number_is_named(
    files: Files, check: Check, name: str
) -> None:
    older, path = _as_first_version(files), "steps/001-pick/step.yaml"
    sheet = {**yaml.safe_load(older[path]), name: [1]}
    changed = {**older, path: yaml.safe_dump(sheet).encode()}
    assert path in {fault.file for fault in check(changed).faults}


@pytest.mark.parametrize("name", ["finished", "running"])
def test_an_archive_of_the_first_version_is_read(
    name: str,
    texts: Texts,
    toy_library: FolderLibrary,
    check: Check,
    request: pytest.FixtureRequest,
) -> None:
    store: SqlStore = request.getfixturevalue(name)
    files = packed(store, texts)
    older = _as_first_version(files)
    verdict = check(older)
    assert verdict.faults == ()
    assert verdict.replayed > 2
    was, now = read_archive(files).dossier.record, read_archive(older).dossier.record
    assert now.orders == was.orders
    assert [replace(step, reporting="") for step in was.steps] == list(now.steps)
    del toy_library
