"""Letters read as they did; where a change of words was meant, its diff shows it."""

from pathlib import Path

from tests.letters.golden import HERE, write_letters


def test_letters_read_as_they_are_kept(tmp_path: Path) -> None:
    """`python -m tests.letters.golden` writes them anew."""
    made = write_letters(tmp_path)
    kept = {path.name: path.read_text("utf-8") for path in HERE.glob("*.txt")}
    assert len(made) == 10
    assert sorted(made) == sorted(kept)
    assert [name for name in sorted(made) if made[name] != kept[name]] == []
