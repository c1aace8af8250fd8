"""`try` and `forecast`: what would have been, and what would be, beside the game."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def played(duel: Any) -> Any:
    """Red has built a fleet, blue sent nothing, and the plan step is closed."""
    duel("submit", "ember", "red", "-", typed="build: max\n")
    duel("close", "ember", "--now")
    return duel


def write(folder: Path, text: str) -> Path:
    file = folder / "changes.yaml"
    file.write_text(text)
    return file


def test_the_same_orders_with_the_same_dice_come_out_as_they_did(played: Any) -> None:
    tried = played("try", "ember", "1-plan", "--same-dice")
    assert tried.stdout == "It comes out as it did.\n"
    assert tried.stderr == "Nothing was changed: the step was only tried.\n"


def test_other_orders_and_another_position_are_shown_beside_what_happened(
    played: Any, tmp_path: Path
) -> None:
    changes = "orders: {red: {pass: yes}, blue: {build: max}}\nchange: {tokens: {red: 30}}\n"
    before = played.json("show", "ember")
    told = played("try", "ember", "turn 1", "--edit", write(tmp_path, changes)).stdout
    assert "-red built 1 fleet." in told
    assert "+blue built 1 fleet." in told
    assert any(line.startswith("+  red") and " 35 " in line for line in told.splitlines())
    assert played.json("show", "ember") == before
    assert "1-plan, tried again" in played("history", "ember", "--looks").stdout


def test_a_seat_s_own_report_is_compared_too(played: Any, tmp_path: Path) -> None:
    file = write(tmp_path, "orders: {red: {build: 0}}")
    told = played.json("try", "ember", "1-plan", "--edit", file, "--seat", "red")
    assert (told["happened"]["seat"], told["would"]["seat"]) == ("red", "red")
    public = played.json("try", "ember", "1-plan", "--edit", file)
    assert told["would"]["position"]["hand"]
    assert not public["would"]["position"].get("hand")


def test_the_outcome_of_the_last_step_becomes_a_ruling_that_can_be_undone(
    played: Any, tmp_path: Path
) -> None:
    file = write(tmp_path, "orders: {blue: {build: max}}")
    made = played("try", "ember", "1-plan", "--edit", file, "--as-ruling", "a misread letter")
    assert "The position is changed" in made.stderr
    assert played.json("show", "ember", "--reveal")["state"]["fleets"]["blue"] != {}
    assert "the position was changed: a misread letter" in played("history", "ember").stdout
    assert "as it was recorded" in played("verify", "ember").stdout
    played("undo", "ember")
    played("close", "ember", "--now")
    assert "is not the last step" in played.refused(
        "try", "ember", "1-plan", "--edit", file, "--as-ruling", "too late"
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ("order: 3", "write `orders:` by seat, `change:` of the position, or both"),
        ("orders: {red: {buidl: max}}", 'did you mean "build"?'),
        ("orders: {violet: {build: max}}", 'has no seat "violet"'),
        ("change: {tokens: {red: many}}", "this position cannot be"),
    ],
)
def test_what_cannot_be_tried_is_said(played: Any, tmp_path: Path, changes: str, why: str) -> None:
    assert why in played.refused("try", "ember", "1-plan", "--edit", write(tmp_path, changes))
    assert "no step that players have ordered" in played.refused("try", "ember", "0-setup")
    assert "no step that players have ordered" in played.refused("try", "ember", "2-jump")


def test_a_forecast_shows_what_orders_would_bring_and_changes_nothing(
    duel: Any, tmp_path: Path
) -> None:
    orders, others = tmp_path / "orders.yaml", tmp_path / "others.yaml"
    orders.write_text("build: max\n")
    others.write_text("blue: {build: max}\n")
    before = duel.json("orders", "ember")
    told = duel("forecast", "ember", "red", orders).stdout
    assert "FORECAST for red" in told
    assert "blue built" not in told
    assert "blue built" in duel("forecast", "ember", "red", orders, "--others", others).stdout
    assert duel.json("forecast", "ember", "red", orders)["forecast"]["worlds"] == 200
    assert duel.json("orders", "ember") == before
    looks = duel("history", "ember", "--act", "reveal").stdout
    assert looks.count("the GM looked at a forecast for red") == 3
    orders.write_text("bulid: max\n")
    assert 'did you mean "build"?' in duel.refused("forecast", "ember", "red", orders)


def test_the_table_of_players_is_over_the_games_of_a_home_and_of_a_folder(
    gm: Any, tmp_path: Path
) -> None:
    assert gm("ratings").stderr == "No game is over yet.\n"
    gm("play", "jump-drive", "--bots", "--seed", "3", "--keep", "first")
    table = gm("ratings").stdout
    assert table.splitlines()[0].split() == [
        *("player", "games", "won", "share", "missed", "reaction", "rating")
    ]
    assert table.splitlines()[1].startswith("bot:normal")
    assert gm.json("ratings", "--kind", "jump-wars") == []
    one = gm.json("ratings")
    gm("export", "first", "--out", tmp_path / "old" / "first")
    assert gm.json("ratings", "--archives", tmp_path / "old") == one, "it is the same game"
    gm("delete", "first", "--yes")
    assert gm.json("ratings", "--archives", tmp_path / "old") == one
    gm("play", "jump-drive", "--bots", "--seed", "4", "--keep", "second")
    both = gm.json("ratings", "--archives", tmp_path / "old")
    assert both[0]["games"] == 2 * one[0]["games"]


def test_who_stays_out_of_tables_is_in_none_also_of_a_public_archive(
    gm: Any, tmp_path: Path
) -> None:
    gm("new", "ember", "--kind=jump-wars", "--seat=red=Ada", "--seat=blue=Bo", "--start")
    gm("submit", "ember", "red", "-", typed="prefer: {ratings: no}\n")
    gm("close", "ember", "--now")
    gm("end", "ember", "--winner", "red", "--reason", "enough", "--yes")
    assert [row["name"] for row in gm.json("ratings")] == ["Bo"]
    gm("export", "ember", "--public", "--out", tmp_path / "old" / "ember")
    gm("delete", "ember", "--yes")
    found = gm.json("ratings", "--archives", tmp_path / "old")
    assert [row["name"] for row in found] == ["Bo"]
    gm("site", tmp_path / "old" / "ember", "--out", tmp_path / "site")
    pages = [tmp_path / "site" / "league.html", *(tmp_path / "site" / "players").iterdir()]
    told = "".join(page.read_text("utf-8") for page in pages)
    assert ("Ada" in told, "Bo" in told) == (False, True)


def test_plans_go_with_the_archive_and_are_shown_to_a_gm_who_looks(
    duel: Any, gm_at: Any, tmp_path: Path
) -> None:
    other = gm_at(tmp_path / "other")
    plans = "ahead: [{step: jump, if: {turn: 1}, pass: yes}]\n"
    duel("submit", "ember", "red", "-", typed=f"pass: yes\n{plans}")
    assert "red, plan 1 of list 1, waiting" in duel("orders", "ember", "--reveal").stdout
    duel("submit", "ember", "blue", "-", typed="pass: yes\n")
    duel("close", "ember")
    duel("export", "ember", "--out", tmp_path / "ember")
    other("import", tmp_path / "ember")
    for home in (duel, other):
        shown = home.json("orders", "ember", "--step", "2-jump", "--reveal")
        (plan,) = next(one["plans"] for one in shown["seats"] if one["seat"] == "red")
        assert (plan["status"], plan["step"]) == ("used", 2)
        assert plan["orders"] == {"step": "jump", "if": {"turn": 1}, "pass": True}
