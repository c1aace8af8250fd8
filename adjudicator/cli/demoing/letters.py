"""All letters as files that any mail program opens with a double click."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudicator.adapters.mailprograms import read_letter
from adjudicator.cli.demoing.people import Letter


def as_files(correspondence: Mapping[str, Sequence[Letter]], folder: Path) -> int:
    """A folder for each person, its files in the order of reading and writing; how many."""
    for name, letters in correspondence.items():
        place = folder / name.lower()
        place.mkdir(parents=True, exist_ok=True)
        for number, letter in enumerate(letters, 1):
            what = "reply" if letter.own else _kind(letter.content)
            (place / f"{number:03}-{what}.eml").write_bytes(letter.content)
    return sum(map(len, correspondence.values()))


def _kind(content: bytes) -> str:
    """`12-jump-report-9`, as the Message-ID says it: game, step, seat, kind, number."""
    name = str(read_letter(content)["Message-ID"]).partition("@")[0]
    _, step, _, kind, number = name.split(".")
    return f"{step}-{kind}-{number}"
