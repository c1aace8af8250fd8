"""The journal by itself: what it remembers, and which file it is."""

import shutil
import threading
from pathlib import Path

import pytest

from adjudicator.adapters.journal import Journal
from adjudicator.desk.model.values import Head

ONE, TWO = Head(1, "a" * 64, 2), Head(2, "b" * 64, 3)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    made = Journal(tmp_path / "journal")
    made.append("f", {"ember": ONE, "ashes": ONE})
    return made


def test_the_last_word_on_each_game_counts(journal: Journal) -> None:
    journal.append("f", {"ember": TWO})
    journal.append("f", {"ashes": None})
    told = journal.read()
    assert told is not None
    assert (told.heads, told.is_copy, told.lines) == ({"ember": TWO}, False, 4)


@pytest.mark.parametrize("cut", [1, 20])
def test_a_line_that_a_crash_has_cut_says_nothing(
    journal: Journal, tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "journal"
    journal.append("f", {"ember": TWO})
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - cut)
    journal.append("f", {"ashes": TWO})
    told = journal.read()
    assert told is not None
    assert told.heads["ashes"] == TWO
    assert told.heads["ember"] == (TWO if cut == 1 else ONE)


@pytest.mark.parametrize(
    "line",
    [b"5", b"null", b"[1]", b'{"games": []}', b'{"games": {"ember": 3}}', b"\xff", b"[" * 100_000],
)
def test_a_damaged_line_hides_nothing_that_others_say(
    journal: Journal, tmp_path: Path, line: bytes
) -> None:
    with (tmp_path / "journal").open("ab") as file:
        file.write(line + b"\n")
    told = journal.read()
    assert told is not None
    assert (told.heads["ashes"], told.is_copy) == (ONE, False)


def test_a_copy_is_one_and_a_moved_file_is_not(journal: Journal, tmp_path: Path) -> None:
    shutil.copy2(tmp_path / "journal", tmp_path / "copied")
    (tmp_path / "journal").rename(tmp_path / "moved")
    copied, moved = Journal(tmp_path / "copied").read(), Journal(tmp_path / "moved").read()
    assert copied is not None
    assert moved is not None
    assert (copied.is_copy, moved.is_copy) == (True, False)
    assert journal.read() is None


def test_a_new_one_in_its_place_is_no_copy(tmp_path: Path, journal: Journal) -> None:
    shutil.copy2(tmp_path / "journal", tmp_path / "copied")
    copied = Journal(tmp_path / "copied")
    copied.restart("g", {"ember": TWO})
    told = copied.read()
    assert told is not None
    assert (told.heads, told.is_copy) == ({"ember": TWO}, False)


def test_several_daemons_write_whole_lines_while_one_of_them_shortens_it(
    journal: Journal, tmp_path: Path
) -> None:
    """Locks belong to what was opened, so threads stand for processes."""
    ready = threading.Barrier(4)

    def write(writer: int) -> None:
        own = Journal(tmp_path / "journal")
        ready.wait()
        for number in range(20):
            own.append("f", {f"game {writer}.{number}": Head(number, "c" * 64, number)})
            if writer == 0:
                own.shorten("f")

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = journal.read()
    assert told is not None
    assert len(told.heads) == 4 * 20 + 2
    assert not told.is_copy
    journal.shorten("f")
    shorter = journal.read()
    assert shorter is not None
    assert (shorter.heads, shorter.lines) == (told.heads, 2)
