"""Letters that are handed out are as their readers prefer them."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from adjudicator.cli.wiring import Office


def test_letters_by_hand_are_as_wide_as_their_reader_wants(gm: Any, tmp_path: Path) -> None:
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo")
    office = Office(str(gm.home))
    with office.acting() as books:
        ada = books.player("Ada")
        assert ada is not None
        books.save(replace(ada, preferences={"width": 40}))
    office.close()
    gm("start", "ember")
    gm("letters", "ember", "--out", tmp_path / "letters")
    widest: dict[str, int] = {}
    for path in (tmp_path / "letters").iterdir():
        seat = path.name.split("-")[2]
        lines = path.read_text().splitlines()
        widest[seat] = max(widest.get(seat, 0), *map(len, lines))
    assert 36 <= widest["red"] <= 40
    assert 70 <= widest["blue"] <= 78
