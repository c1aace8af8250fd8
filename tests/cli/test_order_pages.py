"""A page on which a seat's orders are chosen, written by hand: form GAME --seat --page."""

import json
import re
from pathlib import Path
from typing import Any

SEATS = ("--seat", "red=Ada", "--seat", "blue=bot")


def read_data(page: Path) -> dict[str, Any]:
    """What stands in the page for its script."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_holds_what_its_player_may_know_and_a_key_that_is_taken(
    gm: Any, tmp_path: Path
) -> None:
    gm("new", "ember", "--kind", "jump-drive", *SEATS, "--start")
    page = tmp_path / "red.html"
    told = gm("form", "ember", "--seat", "red", "--page", page)
    assert "It holds the key of red" in told.stderr
    assert page.stat().st_mode & 0o077 == 0
    assert (
        "the GM looked at the page of orders for red"
        in gm("history", "ember", "--act", "reveal").stdout
    )
    data = read_data(page)
    assert (data["seat"], data["form"], data["what"]) == (
        *("red", "opening"),
        "discard 2 cards of the 7 in your first hand",
    )
    assert len(data["choices"]["hand"]) == 7
    letter = tmp_path / "letter.txt"
    head = "".join(f"{key}: {value}\n" for key, value in data["envelope"].items())
    mail = "From: ada@example.org\nTo: games@example.org\nMessage-ID: <1@example.org>\n\n"
    letter.write_text(f"{mail}{head}discard: {json.dumps(data['choices']['hand'][:2])}\n")
    gm("receive", letter)
    (red,) = [one for one in gm.json("orders", "ember")["seats"] if one["seat"] == "red"]
    assert red["in"], red


def test_there_is_no_page_without_a_player_or_anything_to_choose(gm: Any, tmp_path: Path) -> None:
    gm("new", "ember", "--kind", "jump-drive", *SEATS, "--start")
    page = ("--page", tmp_path / "page.html")
    assert "nobody plays blue" in gm.refused("form", "ember", "--seat", "blue", *page)
    assert "belong together" in gm.refused("form", "ember", *page)
    assert "leave out opening" in gm.refused("form", "ember", "opening", "--seat", "red", *page)
    assert not (tmp_path / "page.html").exists()
