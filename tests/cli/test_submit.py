"""submit: what a GM puts on file for a player, typed, from a file, or out of a letter."""

import re
from pathlib import Path
from typing import Any

import pytest


def test_submit_takes_a_file_in_any_encoding(duel: Any, tmp_path: Path) -> None:
    for name, content in {
        "bom.yaml": b"\xef\xbb\xbfbuild: 1\r\n",
        "latin.yaml": b"build: 1 # caf\xe9\n",
        "windows.yaml": "build: 1\r\n".encode("utf-16"),
    }.items():
        (tmp_path / name).write_bytes(content)
        duel("submit", "ember", "red", tmp_path / name)


@pytest.mark.parametrize(
    "orders",
    [
        "build:\u00a01",
        "build\uff1a 1",
        "build: \u201c1\u201d",
        "\u00a0\u00a0build: 1\n\u00a0\u00a0# end of orders\n-- \nAda",
    ],
)
def test_submit_takes_what_was_copied_out_of_a_letter(duel: Any, orders: str) -> None:
    receipt = duel("submit", "ember", "red", "-", typed=orders).stdout
    assert "build: 1" in receipt
    assert "YOU ARE IN" in receipt


def test_submit_takes_a_whole_letter_with_the_form_filled_in(duel: Any, tmp_path: Path) -> None:
    duel("letters", "ember", "--out", tmp_path / "out")
    letter = (tmp_path / "out" / "000-setup-red-report-1-Ada.txt").read_text()
    filled = tmp_path / "back.txt"
    filled.write_text(letter.replace("# build: max", "build: max"))
    assert "build: max" in duel("submit", "ember", "red", filled).stdout
    other = filled.read_text().replace("build: max", "build: 1")
    quoted = "".join(f"> {line}\n" for line in other.splitlines())
    receipt = duel("submit", "ember", "red", "-", typed=f"Here they are.\n\n{quoted}").stdout
    assert "YOU ARE IN: receipt 2" in receipt


def test_a_form_with_the_key_of_another_seat_is_a_file_mixed_up(duel: Any, tmp_path: Path) -> None:
    duel("letters", "ember", "--out", tmp_path / "out")
    letter = (tmp_path / "out" / "000-setup-blue-report-1-Bo.txt").read_text()
    form = letter[letter.index("game: ember") :].replace("# build: max", "build: max")
    assert "blue's" in duel.refused("submit", "ember", "red", "-", typed=form)
    assert duel.json("orders", "ember")["seats"][0]["in"] is False
    duel("submit", "ember", "blue", "-", typed=form)
    keyless = "".join(line for line in form.splitlines(keepends=True) if "key:" not in line)
    duel("submit", "ember", "red", "-", typed=keyless)


@pytest.mark.parametrize("typed", ["", " \n\t\n"])
def test_an_empty_file_is_no_orders(duel: Any, typed: str) -> None:
    assert "the form is empty" in duel.refused("submit", "ember", "red", "-", typed=typed)
    assert [act for act in duel.json("history", "ember") if act["act"] == "submit"] == []


def test_submit_that_changes_nothing_exits_with_1(duel: Any) -> None:
    result = duel("submit", "ember", "red", "-", typed="jump: [\n", code=1)
    assert "CHANGED NOTHING" in result.stdout
    assert "line " in result.stdout
    result = duel("submit", "ember", "red", "-", typed="bulid: 3\n", code=1)
    assert "build" in result.stdout  # did you mean
    assert duel.json("orders", "ember")["seats"][0]["in"] is False
    assert "no-such.yaml" in duel.refused("submit", "ember", "red", "no-such.yaml")


def test_submit_tells_a_big_file_from_orders(duel: Any) -> None:
    assert "1 MB" in duel.refused("submit", "ember", "red", "-", typed="x" * 2_000_000)


def test_a_dry_submit_changes_nothing(duel: Any) -> None:
    assert duel.json("submit", "ember", "red", "-", "--dry-run", typed="build: 1")["entries"]
    assert duel.json("orders", "ember")["seats"][0]["in"] is False


def test_submit_takes_everything_that_a_letter_can_carry(duel: Any) -> None:
    typed = (
        "build: 1\npress: [{to: blue, text: Hello Bo}]\nprefer: {zone: Europe/Berlin}\nvote: draw\n"
    )
    receipt = " ".join(duel("submit", "ember", "red", "-", typed=typed).stdout.split())
    assert "Your message went to blue" in receipt
    assert "(Europe/Berlin, UTC+1)" in receipt
    assert "only by letter" not in receipt
    assert duel.json("show", "ember", "--reveal")["votes"]["red"] == "draw"
    acts = {act["act"]: act["by"] for act in duel.json("history", "ember")}
    assert acts["prefer"] == acts["vote"] == "gm"


def test_luck_words_are_taken_before_a_game_begins(gm: Any) -> None:
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo")
    typed = "luck: full moon\nprefer: {zone: Europe/Berlin}\n"
    told = gm("submit", "ember", "red", "-", typed=typed).stdout
    assert "The luck words are kept" in told
    assert "not begun" in gm.refused("submit", "ember", "red", "-", typed="build: 1\n")
    gm("start", "ember")
    assert "full moon" in gm("report", "ember", "--seat", "red").stdout


def test_a_key_in_press_by_hand_is_blacked_out(duel: Any, tmp_path: Path) -> None:
    duel("letters", "ember", "--out", tmp_path / "out")
    letter = (tmp_path / "out" / "000-setup-blue-report-1-Bo.txt").read_text()
    (key,) = re.findall(r"^key: (\S+)$", letter, re.MULTILINE)
    typed = f"build: 1\npress: [{{to: all, text: Bo's key is {key.upper()}}}]\n"
    told = duel("submit", "ember", "red", "-", typed=typed)
    assert "it was blacked out" in told.stderr
    assert "blacked out" in duel("message", "ember", typed=f"Write with {key}!").stderr
    duel("close", "ember", "--now")
    duel("letters", "ember", "--out", tmp_path / "later", "--all")
    later = {path.name: path.read_text() for path in (tmp_path / "later").iterdir()}
    reports = [text for name, text in later.items() if "report-2" in name]
    assert len(reports) == 2
    assert all("Bo's key is \u2588" in text for text in reports)
    others = [text for name, text in later.items() if "blue-report-1" not in name]
    assert not any(key in text.replace(f"key: {key}", "") for text in others)
