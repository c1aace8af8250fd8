"""The overviews of a GM's games: one line a game, one reason for every seat that is waited for."""

import json
import os
import pty
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from adjudicator.adapters.store.opening import open_store
from adjudicator.cli.terminal.games_table import describe_time, format_games, format_left
from adjudicator.desk.questions import overview
from tests.cli.test_damaged import TAMPERED, change
from tests.servers.nursery import open_nursery

SEATS = ("--seat", "red=Ada", "--seat", "blue=Bo")
WIDTHS = ("40", "60", "80", "100", "200")


def _line(text: str, game: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(game)]
    return line


@pytest.fixture
def many(gm: Any) -> Any:
    """A GM with games in every condition."""
    new = ("--kind", "jump-wars", *SEATS)
    gm("new", "slow", *new, "--start", "--setting", "pace=72h", "--setting", "zone=Europe/Berlin")
    gm("new", "quick", *new, "--start", "--setting", "pace=3h")
    gm("new", "by-hand-and-with-a-long-name", *new, "--start")
    gm("new", "held", *new, "--start", "--setting", "pace=5h")
    gm("pause", "held")
    gm("new", "full", *new)
    gm("new", "done", *new, "--start")
    gm("end", "done", "--reason", "enough")
    return gm


@pytest.mark.parametrize("width", WIDTHS)
def test_a_game_is_one_line_at_every_width(many: Any, width: str) -> None:
    lines = many("games", "--all", COLUMNS=width).stdout.splitlines()
    assert len(lines) == 7
    assert max(map(len, lines)) <= int(width)
    named = [line.split()[0][:4] for line in lines[1:]]
    assert named == ["quic", "held", "slow", "by-h", "full", "done"]
    assert "0/2" in lines[1]
    assert re.search(r"2h \d\dm|3h 00m", lines[1])
    assert "PAUSED" in lines[2]


def test_a_wide_terminal_leaves_nothing_out(many: Any) -> None:
    shown = many("games", COLUMNS="200").stdout
    slow = _line(shown, "slow")
    for part in ("jump-wars", "1-plan", "0/2", "2d 23h", "red, blue", "(Europe/Berlin, UTC+1)"):
        assert part in slow
    assert "the GM, to start it" in _line(shown, "full")
    assert "done" not in shown
    assert "over" in _line(many("games", "--all", COLUMNS="200").stdout, "done")
    assert "done" in [game["id"] for game in many.json("games")]


DAMAGE = {
    "its state": (
        "UPDATE steps SET state = X'5B7B' WHERE game = :game",
        "stored state of 0-setup is",
    ),
    "a step": ("UPDATE steps SET opened = 'x' WHERE game = :game", "a row of steps cannot be read"),
    "its row": ("UPDATE games SET settings = '{' WHERE id = :game", "a row of games cannot be"),
    "its kind": ("UPDATE games SET kind = 'go' WHERE id = :game", 'no kind of game "go"'),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_game_says_so_in_its_line_and_hides_no_other(many: Any, what: str) -> None:
    whole = many("games", COLUMNS="200").stdout.splitlines()
    statement, told = DAMAGE[what]
    with open_store(many.home / "adjudicator.db") as store, store.engine.begin() as connection:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        connection.execute(text(statement), {"game": "quick"})
    shown = many("games", COLUMNS="200").stdout
    others = [line.split() for line in whole[1:] if not line.startswith("quick")]
    assert [line.split()[0] for line in shown.splitlines()[1:-1]] == [line[0] for line in others]
    damaged = _line(shown, "quick")
    assert told in damaged
    assert re.search("put back a copy of the database, or|the kinds are", damaged)
    assert ("adjudicator verify quick" in damaged) == (what == "its state")
    (line,) = [one for one in many.json("games") if one["id"] == "quick"]
    assert line["status"] == "damaged"
    assert told in line["trouble"]["message"]
    assert many("doctor", code=1).stdout.count(told) == 1


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_game_on_another_page_hides_none_and_is_verified_beside_them(
    many: Any, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    statement, _ = DAMAGE[what]
    with open_store(many.home / "adjudicator.db") as store, store.engine.begin() as connection:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        connection.execute(text("UPDATE games SET rules_digest = 'older' WHERE id = 'quick'"))
        connection.execute(text(statement), {"game": "quick"})
    monkeypatch.setattr(overview, "PAGE", 2)
    assert "slow" in many("games", "--page", "2", COLUMNS="200").stdout
    lines = many("verify", "--all", code=1).stdout
    assert "held: all is as it was recorded" in lines
    assert "quick: NOT as it was recorded" in lines
    if what == "its kind":
        assert 'quick: kind: it could not be played again: there is no kind of game "go"' in lines


def test_what_is_overdue_is_marked(many: Any) -> None:
    with open_store(many.home / "adjudicator.db") as store, store.engine.begin() as connection:
        past = (datetime.now(UTC) - timedelta(hours=5)).isoformat(timespec="microseconds")
        connection.execute(
            text("UPDATE steps SET deadline = :past WHERE game = 'slow' AND number = 1"),
            {"past": past},
        )
        connection.execute(
            text("UPDATE games SET urgency = :past WHERE id = 'slow'"), {"past": past}
        )
    for width in WIDTHS:
        lines = many("games", COLUMNS=width).stdout.splitlines()
        assert lines[1].startswith("slow")
        assert "OVERDUE 5h" in lines[1]


def test_many_games_are_listed_by_pages(many: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "PAGE", 2)
    first, second, last = (many("games", "--page", str(number)) for number in (1, 2, 3))
    told = [
        [line.split()[0][:4] for line in page.stdout.splitlines()[1:]]
        for page in (first, second, last)
    ]
    assert told == [["quic", "held"], ["slow", "by-h"], ["full"]]
    assert "Page 2 of 3" in second.stderr
    assert "There is no page 4; the last one is 3." in many("games", "--page", "4").stderr
    assert len(many.json("games")) == 6
    status = json.loads(many("status", "--json", code=1).stdout)
    assert [game["id"] for game in status["games"]] == ["quick", "held"]
    assert status["pages_of_games"] == 3


def test_finished_games_alone_are_mentioned(gm: Any) -> None:
    gm("new", "done", "--kind", "jump-wars", *SEATS, "--start")
    gm("end", "done", "--reason", "enough")
    shown = gm("games")
    assert shown.stdout == ""
    assert "--all" in shown.stderr


def test_times_are_short() -> None:
    told = [format_left(timedelta(minutes=minutes)) for minutes in (0, 59, 60, 605, 1440, 14_000)]
    assert told == ["0m", "59m", "1h 00m", "10h 05m", "1d 0h", "9d 17h"]
    game = {"status": "running", "deadline": {"at": "2026-11-19T12:00:00+00:00"}}
    at = datetime(2026, 11, 19, 15, 30, tzinfo=UTC)
    assert describe_time(game, at) == "OVERDUE 3h"
    assert describe_time({**game, "status": "paused"}, at) == "PAUSED"
    assert describe_time({**game, "deadline": None}, at) == "-"


def test_no_name_works_on_the_terminal() -> None:
    game = {
        "id": "a\x1b[2Jb",
        "kind": "jump-wars",
        "status": "over",
        "turn": None,
        "step": None,
        "deadline": None,
        "rules_changed": False,
        "for_gm": False,
    }
    assert "\x1b[2J" not in format_games([game], at=datetime.now(UTC), width=80)


def _on_terminal(home: Path, *words: str, **environment: str) -> str:
    """What a command writes to a terminal; usually `games`."""
    ours, theirs = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    with subprocess.Popen(
        [open_nursery().program, "--home", str(home), *(words or ("games",))],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**kept, "TERM": "xterm", "COLUMNS": "80", **environment},
    ):
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # so Linux says that the other side has closed it
            pass
    os.close(ours)
    return shown.decode()


def test_colours_are_for_terminals_that_want_them(duel: Any) -> None:
    duel("submit", "ember", "red", "-", typed="pass: yes\n")
    duel("submit", "ember", "blue", "-", typed="pass: yes\n")
    assert "\x1b[36member" in _on_terminal(duel.home)
    plain = _on_terminal(duel.home, NO_COLOR="1")
    assert "ember" in plain
    assert "\x1b" not in plain
    assert "\x1b" not in duel("games").stdout


def test_status_and_show_use_the_same_columns_and_dates(many: Any) -> None:
    shown = many("games", COLUMNS="200").stdout
    assert shown in many("status", code=1, COLUMNS="200").stdout
    for line in many("status", code=1, COLUMNS="60").stdout.splitlines()[4:]:
        assert len(line) <= 60
    heads = re.split(r"  +", shown.splitlines()[0])
    page = many("show", "slow", COLUMNS="60").stdout
    for head in heads:
        assert re.search(rf"^{head} ", page, re.MULTILINE)
    head, seats, *_ = page.split("\n\n")
    assert max(map(len, [*head.splitlines(), *seats.splitlines()])) <= 60
    date = re.search(r"... \d+ ... 2026, \d\d:\d\d \(Europe/Berlin, UTC\+1\)", shown)
    assert date
    assert date[0] in page
    assert "(Europe/Berlin, UTC+1)" in many("history", "slow").stdout
    for game in many.json("games"):
        if game["deadline"]:
            datetime.fromisoformat(game["deadline"]["at"])


def test_changed_rules_are_said_of_all_games_before_a_step_is_closed(
    duel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo")
    duel("new", "spark", "--kind", "jump-wars", *seats, "--start")
    for game in ("ember", "spark"):
        duel("close", game, "--now")
    with open_store(duel.home / "adjudicator.db") as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE games SET rules_digest = 'older'"))
    assert not any(game["rules_changed"] for game in duel.json("games"))  # a replay is the same
    change(duel.home, TAMPERED)
    names = "The rules have changed under ember, spark: no step closes, and letters wait"
    for page, lines in ((50, 2), (1, 1)):  # those on other pages, too
        monkeypatch.setattr(overview, "PAGE", page)
        table = duel("games", COLUMNS="200")
        assert table.stdout.count("to accept changed rules") == lines
        assert names in table.stderr
    assert names in duel("status", code=1, COLUMNS="200").stdout
    assert all(game["rules_changed"] for game in duel.json("games"))
    doctor = duel("doctor", code=1).stdout
    for game in ("ember", "spark"):
        assert f"`adjudicator accept {game} --dry-run` shows how" in doctor
    shown = duel("accept", "ember", "--dry-run")
    assert "- turn 1, plan (1-plan): " in shown.stdout + shown.stderr
    assert duel.json("games")[0]["rules_changed"]


ONE_REFUSED = "actions:\n- {do: jump, to: higginston, card: n04}\n- {do: land, to: higginston}\n"


def test_overviews_and_close_name_the_same_seat_and_reason(gm: Any) -> None:
    """A list of orders that a refused one has cut short keeps the step open."""
    gm("new", "ring", "--kind", "jump-gate", *SEATS, "--start", "--seed", "3")
    (seat,) = gm.json("games")[0]["waits"]
    gm("submit", "ring", seat, "-", typed=ONE_REFUSED)
    waits = gm.json("games")[0]["waits"]
    assert waits == {seat: "receipt 1 is incomplete: order 2 was refused"}
    (owing,) = [one for one in gm.json("orders", "ring")["seats"] if one["seat"] == seat]
    assert waits == {seat: owing["why"]}
    refused = gm.refused("close", "ring")
    assert seat in refused
    assert owing["why"] in refused
    assert f"  {seat} ({owing['why']})" in _line(gm("games", COLUMNS="200").stdout, "ring")
    assert f"{seat} (receipt 1 is" in gm("show", "ring").stdout
    assert "wait for the deadline" not in refused  # there is none


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("actions: [{do: research}]\nready: false\n", "says `ready: false`"),
        ("actions: []\n", "contains none of the orders that are due"),
    ],
)
def test_each_reason_is_named_alone(gm: Any, sent: str, reason: str) -> None:
    gm("new", "ring", "--kind", "jump-gate", *SEATS, "--start", "--seed", "3")
    (seat,) = gm.json("games")[0]["waits"]
    gm("submit", "ring", seat, "-", typed=sent)
    assert gm.json("games")[0]["waits"][seat].endswith(reason)
    assert f"{seat} (receipt 1 {reason})" in gm.refused("close", "ring")
    assert reason in gm("orders", "ring", COLUMNS="200").stdout


def test_the_history_is_narrowed(duel: Any) -> None:
    for _ in range(2):
        duel("close", "ember", "--now")
    duel("note", "ember", "in the second turn")
    duel("orders", "ember", "--reveal")

    def acts(*words: str) -> list[str]:
        lines = duel("history", "ember", *words).stdout.splitlines()
        return [line.split()[8] for line in lines if line.split()[8] not in ("advice", "missed")]

    assert acts() == ["new", "start", "close", "close", "note"]
    assert acts("--looks")[-1] == "reveal"
    assert acts("--act", "reveal") == ["reveal"]
    assert acts("--act", "close", "--act", "note") == ["close", "close", "note"]
    assert acts("--last", "2") == ["close", "note"]
    assert acts("--turn", "1") == ["close", "close"]
    assert acts("--turn", "turn 2") == ["note"]
    assert acts("--step", "2-jump") == ["close"]
    assert acts("--step", "1.plan", "--last", "1") == ["close"]
    assert "it is in turn 2" in duel.refused("history", "ember", "--turn", "9")
    duel.refused("history", "ember", "--turn", "1", "--step", "1", code=2)
    assert [line["act"] for line in duel.json("history", "ember")][-1] == "reveal"
    assert "no such entries" in duel("history", "ember", "--act", "pause").stderr


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("1-plan", "1-plan"),
        ("1", "1-plan"),
        ("001", "1-plan"),
        ("turn 1", "2-jump"),
        ("Turn 1", "2-jump"),
        ("1.plan", "1-plan"),
        ("1.p", "1-plan"),
        ("turn 1.jump", "2-jump"),
        ("turn 2", "3-plan"),
        ("2.plan", "3-plan"),
    ],
)
def test_a_step_is_named_by_its_turn_too(duel: Any, said: str, step: str) -> None:
    for _ in range(2):
        duel("close", "ember", "--now")
    assert duel.json("orders", "ember", "--step", said)["step"] == step


def test_turns_are_named_wherever_a_step_is(duel: Any) -> None:
    for _ in range(2):
        duel("close", "ember", "--now")
    duel("submit", "ember", "red", "-", typed="pass: yes")
    assert json.loads(duel("report", "ember", "--step", "turn 1", "--json").stdout)["step"] == (
        "2-jump"
    )
    assert duel("form", "ember", "1.jump").stdout == duel("form", "ember", "jump").stdout
    duel("close", "ember", "--now", "--step", "turn 2")
    assert duel.json("games")[0]["step"] == "4-jump"
    duel("rollback", "ember", "turn 2")
    reopened = duel.json("games")[0]
    assert (reopened["step"], reopened["turn"]) == ("5-plan", "turn 2")
    assert "Did you mean" in duel.refused("orders", "ember", "--step", "1-pln")
    assert "The last ones are" in duel.refused("orders", "ember", "--step", "9.plan")


def test_a_history_says_who_acted_in_columns(gm: Any) -> None:
    gm("new", "ember", "--kind", "jump-wars", *SEATS, "--start", "--seed", "3")
    lines = gm("history", "ember").stdout.splitlines()
    assert {re.split(r"  +", line.strip())[2] for line in lines} == {"gm", "server"}
    assert len({re.search(r" (new|advice|start) ", line).start(1) for line in lines}) == 1  # type: ignore[union-attr]


def test_a_history_is_as_wide_as_the_terminal_and_whole_elsewhere(gm: Any) -> None:
    gm("new", "ember", "--kind", "jump-wars", *SEATS, "--start", "--seed", "3")
    text = "Bo is on holiday until Friday, and asks everybody to write slowly till then."
    gm("note", "ember", text)
    assert gm("history", "ember", COLUMNS="80").stdout.splitlines()[-1].endswith(text)
    shown = _on_terminal(gm.home, "history", "ember")
    assert max(map(len, shown.splitlines())) <= 80
    assert text in " ".join(shown.split())
