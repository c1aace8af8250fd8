"""Whatever was changed in an archive is found, and said where."""

import random
from collections.abc import Callable

import pytest
import yaml

from adjudicator.adapters.archive import Files, Texts, Verdict, verify
from adjudicator.adapters.library import FolderLibrary
from adjudicator.adapters.store import SqlStore
from adjudicator.core.canonical import decode, digest, encode
from tests.adapters.archive.conftest import packed

GUARDED = ("orders.json", "events.jsonl", "state.json", "report.json")
Check = Callable[[Files], Verdict]


@pytest.fixture
def check(toy_library: FolderLibrary) -> Check:
    return lambda files: verify(files, toy_library)


@pytest.fixture
def files(finished: SqlStore, texts: Texts) -> Files:
    """The full archive of a game that is over."""
    return packed(finished, texts)


def _sealed(files: Files, path: str, content: bytes | None) -> Files:
    """The archive with one file changed (or gone) and chain.txt brought in line with it."""
    before = digest(files[path])
    changed = {name: text for name, text in files.items() if name != path}
    chain = files["chain.txt"].decode()
    if content is None:
        chain = chain.replace(f"{before}  {path}\n", "")
    else:
        changed[path] = content
        chain = chain.replace(f"{before}  {path}", f"{digest(content)}  {path}")
    return {**changed, "chain.txt": chain.encode()}


def _one_byte(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def _step(path: str) -> str:
    folder = path.split("/")[1]
    return f"{int(folder[:3])}-{folder[4:]}"


def test_an_untouched_archive_holds(files: Files, check: Check) -> None:
    verdict = check(files)
    assert (verdict.faults, verdict.notes) == ((), ())
    assert verdict.game == "tiny"
    assert verdict.files == len(files) - 1
    assert verdict.replayed == sum(path.endswith("state.json") for path in files)
    assert verdict.links >= verdict.replayed


def test_one_byte_changed_anywhere_is_found_with_file_and_step(files: Files, check: Check) -> None:
    guarded = sorted(path for path in files if path.endswith(GUARDED) and files[path])
    chance = random.Random(30)
    for _ in range(100):
        path = chance.choice(guarded)
        verdict = check({**files, path: _one_byte(files[path], chance)})
        assert (path, _step(path)) in {(fault.file, fault.step) for fault in verdict.faults}


def test_the_chain_finds_it_even_when_the_digests_were_made_to_fit(
    files: Files, check: Check
) -> None:
    guarded = sorted(path for path in files if path.endswith(GUARDED) and files[path])
    chance = random.Random(49)
    for path in guarded:
        verdict = check(_sealed(files, path, _one_byte(files[path], chance)))
        assert (path, _step(path)) in {(fault.file, fault.step) for fault in verdict.faults}, path


def test_one_byte_changed_in_any_other_file_is_found_too(files: Files, check: Check) -> None:
    chance = random.Random(12)
    for path in sorted(path for path in files if not path.endswith(GUARDED)):
        verdict = check({**files, path: _one_byte(files[path], chance)})
        assert path in {fault.file for fault in verdict.faults}, path


def test_no_change_makes_the_check_stumble(files: Files, check: Check) -> None:
    chance = random.Random(60)
    kinds = ("step.yaml", "game.yaml", "private.yaml", "history.jsonl")
    for path in sorted(path for path in files if path.endswith(kinds)):
        for _ in range(8):
            check(_sealed(files, path, _one_byte(files[path], chance)))


def test_a_game_of_a_kind_that_is_not_here_says_so(files: Files, check: Check) -> None:
    other = files["game.yaml"].replace(b"kind: toy-duel", b"kind: toy-chess")
    faults = check(_sealed(files, "game.yaml", other)).faults
    assert any(f.file == "game.yaml" and "toy-chess" in f.message for f in faults)


@pytest.mark.parametrize("path", ["report.json", "history.jsonl", "state.json"])
def test_a_file_that_is_nested_too_deeply_is_no_way_in(
    path: str, files: Files, check: Check
) -> None:
    found = max(name for name in files if name.endswith(path))
    faults = check(_sealed(files, found, b"[" * 100_000)).faults
    assert found in {fault.file for fault in faults}


@pytest.mark.parametrize("kind", [*GUARDED, "step.yaml", "report.txt", "game.yaml"])
def test_a_file_that_is_gone_is_missed(kind: str, files: Files, check: Check) -> None:
    path = max(path for path in files if path.endswith(kind))
    verdict = check({name: text for name, text in files.items() if name != path})
    assert path in {fault.file for fault in verdict.faults}


@pytest.mark.parametrize("kind", GUARDED)
def test_a_file_that_is_gone_from_the_list_too_is_missed(
    kind: str, files: Files, check: Check
) -> None:
    path = max(path for path in files if path.endswith(kind) and "/001-" in path)
    assert path in {fault.file for fault in check(_sealed(files, path, None)).faults}


def test_a_state_made_up_together_with_its_report_is_found_by_playing_again(
    files: Files, check: Check
) -> None:
    path = max(path for path in files if path.endswith("state.json"))
    state = decode(files[path])
    state["scores"]["red"] += 1
    verdict = check(_sealed(files, path, encode(state)))
    told = {fault.message for fault in verdict.faults if fault.file == path}
    assert any("commit" in message for message in told)
    assert "differs at scores.red" in told


def test_another_seed_does_not_fit_the_chain(files: Files, check: Check) -> None:
    for name in ("game.yaml", "private.yaml"):
        seed = yaml.safe_load(files[name])["seed"]
        files = _sealed(files, name, files[name].replace(seed.encode(), (b"00" * 32)))
    verdict = check(files)
    assert "game.yaml" in {fault.file for fault in verdict.faults}
    assert len(verdict.faults) > 10


def test_a_link_left_out_is_found(files: Files, check: Check) -> None:
    head, link, rest = files["chain.txt"].decode().partition("link 2 ")
    _, next_link, tail = rest.partition("link 3 ")
    verdict = check({**files, "chain.txt": (head + next_link + tail).encode()})
    assert "chain.txt" in {fault.file for fault in verdict.faults}
    assert link


# ---- what cannot be checked is said


def test_the_public_archive_of_a_running_game_is_checked_by_its_chain(
    running: SqlStore, texts: Texts, check: Check
) -> None:
    verdict = check(packed(running, texts, public=True))
    assert verdict.faults == ()
    assert verdict.replayed == 0
    assert verdict.links == 4
    assert len(verdict.notes) == 1
    assert "the chain was checked, which is all that can be" in verdict.notes[0]


def test_a_broken_link_is_found_even_there(running: SqlStore, texts: Texts, check: Check) -> None:
    files = packed(running, texts, public=True)
    lines = files["chain.txt"].decode().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith("  events "))
    lines[at] = f"  events {'0' * 64}\n"
    verdict = check({**files, "chain.txt": "".join(lines).encode()})
    assert {fault.file for fault in verdict.faults} == {"chain.txt"}


def test_the_public_archive_of_a_finished_game_is_played_again(
    finished: SqlStore, texts: Texts, check: Check
) -> None:
    verdict = check(packed(finished, texts, public=True))
    assert (verdict.faults, verdict.notes) == ((), ())
    assert verdict.replayed > 5


def test_a_running_game_without_private_yaml_is_checked_by_its_chain(
    running: SqlStore, texts: Texts, check: Check
) -> None:
    files = packed(running, texts)
    assert check(files).replayed == 4
    verdict = check({path: text for path, text in files.items() if path != "private.yaml"})
    assert (verdict.faults, verdict.replayed) == ((), 0)
    assert any("the seed is not here" in note for note in verdict.notes)


def test_files_of_somebody_else_are_named_and_left_alone(files: Files, check: Check) -> None:
    verdict = check({**files, "notes.txt": b"I lost again"})
    assert verdict.faults == ()
    assert verdict.notes == ("not part of the archive, not looked at: notes.txt",)


# ---- texts made again


@pytest.mark.parametrize("form", ["txt", "html"])
def test_texts_and_pages_are_made_again_where_templates_are_the_same(
    files: Files, texts: Texts, toy_library: FolderLibrary, form: str
) -> None:
    assert verify(files, toy_library, texts).faults == ()
    path = f"steps/001-pick/red/report.{form}"
    wrong = _sealed(files, path, files[path].replace(b"red", b"rad"))
    assert verify(wrong, toy_library).faults == ()  # a digest made to fit, and no rendering
    assert [fault.file for fault in verify(wrong, toy_library, texts).faults] == [path]


def test_texts_of_other_templates_are_not_compared(
    files: Files, texts: Texts, toy_library: FolderLibrary
) -> None:
    texts.version = "newer"
    verdict = verify(files, toy_library, texts)
    assert verdict.faults == ()
    assert any("other templates" in note for note in verdict.notes)


# ---- what is no archive


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        ("game.yaml", b"archive: archive/9\n", "archive/1"),
        ("game.yaml", b"- a\n", "mapping"),
        ("game.yaml", b"a: &x [*x]\n", "line 1"),
        ("game.yaml", b"\xff\xfe", "UTF-8"),
        ("chain.txt", b"", "files"),
        ("chain.txt", b"link x\nfiles\n", "link N"),
        ("chain.txt", b"\xff", "UTF-8"),
    ],
)
def test_what_cannot_be_read_is_told_in_words(
    path: str, content: bytes, told: str, files: Files, check: Check
) -> None:
    verdict = check({**files, path: content})
    assert any(fault.file == path and told in fault.message for fault in verdict.faults)
