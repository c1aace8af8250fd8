"""Whatever was changed in an archive is found, and said where."""

import random
import re
from collections.abc import Callable

import pytest
import yaml

from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.verify import Verification, verify_archive
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.document import decode, digest, encode
from tests.adapters.archive.conftest import packed

GUARDED = ("orders.json", "events.jsonl", "state.json", "report.json")
Check = Callable[[Files], Verification]


@pytest.fixture
def check(toy_library: FolderLibrary) -> Check:
    return lambda files: verify_archive(files, toy_library)


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


def test_what_letters_told_of_it_can_be_compared(
    finished: SqlStore, files: Files, check: Check
) -> None:
    """A whole game made up anew holds in itself; its seed and last link are others."""
    with finished.reading() as books:
        game, link = books.game("tiny"), books.last_link("tiny")
    verdict = check(files)
    assert verdict.seed_digest == digest(game.seed)
    assert link is not None
    assert verdict.last_link == link.digest


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
    kinds = ("orders.yaml", "game.yaml", "private.yaml", "history.jsonl")
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


@pytest.mark.parametrize(
    "kind", [*GUARDED, "orders.yaml", "report.txt", "game.yaml", "result.yaml"]
)
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


@pytest.mark.parametrize("form", ["public", "everything"])
def test_a_step_is_struck_by_a_rollback_of_the_chain_and_by_nothing_else(
    finished: SqlStore, running: SqlStore, texts: Texts, check: Check, form: str
) -> None:
    """A sheet with a digest made to fit cannot strike a step, nor let one count again."""
    files = packed(running, texts, public=True) if form == "public" else packed(finished, texts)
    sheet = files["orders.yaml"]
    struck = check(
        _sealed(files, "orders.yaml", sheet.replace(b"1-pick:", b"1-pick:\n  undone: true", 1))
    )
    (told,) = [f.message for f in struck.faults if f.step == "1-pick"]
    assert "no rollback" in told
    if form == "everything":
        back = check(_sealed(files, "orders.yaml", sheet.replace(b"  undone: true\n", b"")))
        assert any("still counts" in f.message for f in back.faults)


def test_a_step_gone_from_a_public_archive_is_missed_too(
    running: SqlStore, texts: Texts, check: Check
) -> None:
    files = packed(running, texts, public=True)
    head, name, rest = files["orders.yaml"].decode().partition("2-")
    _, _, tail = rest.partition("\n3-")
    gone = name + rest.partition(":")[0]
    left = f"{head}3-{tail}".replace(f"after: {gone}", "after: 1-pick")
    told = check(_sealed(files, "orders.yaml", left.encode())).faults
    assert any("there is no step 2-" in fault.message for fault in told)


@pytest.mark.parametrize(
    ("line", "made", "told"),
    [
        ("next_number", "3", "next_number is 3, but there is a step of number"),
        ("open_step", "77", "open_step is 77, but no such step is open"),
        ("open_step", "2", "open_step is 2, but no such step is open"),
        ("status", "running", "status is running, but open_step is None"),
    ],
)
def test_a_game_stands_where_its_steps_say(
    files: Files, check: Check, line: str, made: str, told: str
) -> None:
    """Who plays on after an import goes by that: a number used again would be dice used again."""
    lines = files["game.yaml"].decode().splitlines(keepends=True)
    bent = "".join(f"{line}: {made}\n" if one.startswith(f"{line}: ") else one for one in lines)
    faults = check(_sealed(files, "game.yaml", bent.encode())).faults
    assert any(f.file == "game.yaml" and told in f.message for f in faults)


def test_of_a_game_that_is_over_nothing_may_be_kept_back(
    finished: SqlStore, texts: Texts, check: Check
) -> None:
    files = packed(finished, texts, public=True)
    lines = files["game.yaml"].decode().splitlines(keepends=True)
    seedless = "".join(line for line in lines if not line.startswith("seed: "))
    (fault,) = check(_sealed(files, "game.yaml", seedless.encode())).faults
    assert fault.message == "the game is over, but its seed is not here"


# ---- what cannot be checked is said


def test_the_public_archive_of_a_running_game_is_checked_by_its_chain(
    running: SqlStore, texts: Texts, check: Check
) -> None:
    verdict = check(packed(running, texts, public=True))
    assert verdict.faults == ()
    assert verdict.replayed == 0
    assert verdict.links == 4
    assert len(verdict.notes) == 1
    assert "only the chain could be checked" in verdict.notes[0]


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
    assert any("nothing was replayed" in note for note in verdict.notes)


def test_files_of_somebody_else_are_named_and_left_alone(files: Files, check: Check) -> None:
    verdict = check({**files, "notes.txt": b"I lost again"})
    assert verdict.faults == ()
    assert verdict.notes == ("not part of the archive, not checked: notes.txt",)


def test_what_is_not_looked_at_is_not_taken_over_either(
    finished: SqlStore, texts: Texts, toy_library: FolderLibrary
) -> None:
    files = packed(finished, texts, public=True)
    slipped = {
        "private.yaml": b"players: [{name: Eve, addresses: [eve@example.org]}]\n",
        "press.jsonl": b'{"number":1}\n',
        "history.jsonl": b"[]\n",
        "result.yaml.orig": b"winners: [red]\n",
        "steps/001-pick/red/report.json": b"{}",
    }
    assert "press.jsonl" not in files
    more = {**files, **{path: text for path, text in slipped.items() if path not in files}}
    verdict = verify_archive(more, toy_library)
    assert verdict.faults == ()
    assert "not checked: " in verdict.notes[0]
    assert read_archive(more) == read_archive(files)


# ---- texts made again


@pytest.mark.parametrize("form", ["txt", "html"])
def test_texts_and_pages_are_made_again_where_templates_are_the_same(
    files: Files, texts: Texts, toy_library: FolderLibrary, form: str
) -> None:
    assert verify_archive(files, toy_library, lambda _: texts).faults == ()
    path = f"steps/001-pick/red/report.{form}"
    wrong = _sealed(files, path, files[path].replace(b"red", b"rad"))
    assert verify_archive(wrong, toy_library).faults == ()  # a digest made to fit, and no rendering
    assert [fault.file for fault in verify_archive(wrong, toy_library, lambda _: texts).faults] == [
        path
    ]


def test_texts_of_another_version_are_not_compared(
    files: Files, texts: Texts, toy_library: FolderLibrary
) -> None:
    older = re.sub(rb"reporting_digest: \w+", b"reporting_digest: " + b"0" * 16, files["game.yaml"])
    path = "steps/001-pick/red/report.txt"
    other = _sealed(_sealed(files, "game.yaml", older), path, b"HELLO RED")
    verdict = verify_archive(other, toy_library, lambda _: texts)
    assert verdict.faults == ()
    assert any("texts were made by another version" in note for note in verdict.notes)


# ---- what is no archive


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        ("game.yaml", b"archive: archive/9\n", "pip install --upgrade pbem-adjudicator"),
        ("game.yaml", b"- a\n", "mapping"),
        ("game.yaml", b"a: &x [*x]\n", "line 1"),
        ("game.yaml", b"\xff\xfe", "UTF-8"),
        ("chain.txt", b"", "files"),
        ("chain.txt", b"link x\nfiles\n", 'line 1 is not as this program writes it: "link x"'),
        ("chain.txt", b"\xff", "UTF-8"),
        ("chain.txt", b"# a\r\nfiles\r\n", "CR LF"),
    ],
)
def test_what_cannot_be_read_is_told_in_words(
    path: str, content: bytes, told: str, files: Files, check: Check
) -> None:
    verdict = check({**files, path: content})
    assert any(fault.file == path and told in fault.message for fault in verdict.faults)


def test_an_archive_that_cannot_tell_its_name_is_called_by_its_folder(
    files: Files, toy_library: FolderLibrary
) -> None:
    without = {path: text for path, text in files.items() if path != "chain.txt"}
    verdict = verify_archive(without, toy_library, name="tiny-copy")
    assert verdict.game == "tiny-copy"
    assert [(f.file, f.message) for f in verdict.faults] == [("chain.txt", "is missing")]
