"""Every act as a command: what it shows, what it asks, how it is undone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import click
import pytest

from adjudicator.cli.acts.command import make_command
from adjudicator.cli.terminal import questions
from adjudicator.desk.acts import TABLE, find_act

DONE: dict[str, tuple[tuple[str, ...], str]] = {
    "start": (("frost",), "status"),
    "announce": (("frost", "dan@example.org"), ""),
    "address": (("ember", "blue", "bob@example.net"), "blue's address"),
    "replace": (("ember", "blue", "Zoe"), "blue"),
    "bot": (("ember", "blue"), "blue"),
    "resign": (("ember", "blue"), "blue"),
    "message": (("ember", "red", "--text", "The server was away."), ""),
    "submit": (("ember", "red", "-"), ""),
    "close": (("ember", "--now"), "open step"),
    "remind": (("ember",), ""),
    "extend": (("ember", "1w"), "deadline"),
    "pause": (("ember",), "status"),
    "resume": (("ember",), "status"),
    "undo": (("ember",), "deadline"),
    "edit": (("ember", "--reason", "a slip", "--file", "-"), ""),
    "rollback": (("ember", "1-plan"), "open step"),
    "end": (("ember", "--winner", "red", "--reason", "they agreed"), "status"),
    "note": (("ember", "Bo", "is", "away"), ""),
    "accept": (("ember",), ""),
    "adjust": (("ember", "pace=48h", "nmr=bot", "--now"), "pace: 72h -> 48h"),
    "archive": (("ember",), ""),
    "delete": (("ember", "--yes"), ""),
}
"""What is typed behind the act's name, and a line that its dry run shows to change."""
BEFORE: dict[str, tuple[tuple[str, ...], ...]] = {
    "resume": (("pause", "ember"),),
    "undo": (("extend", "ember", "24h"),),
    "rollback": (("close", "ember", "--now"),),
    "archive": (("end", "ember", "--reason", "enough"),),
}
TYPED = {"submit": "build: 1\n", "edit": "tokens: {red: 50, blue: 5}\n"}
LASTING = {name for name in TABLE if find_act(name).undo is None}


@pytest.fixture
def two(gm: Any) -> Any:
    """Ember is running, by the clock; frost is open."""
    seats = ("--seat", "red=Ada <ada@example.org>", "--seat", "blue=Bo <bo@example.org>")
    gm("new", "frost", "--kind", "jump-wars", *seats)
    gm("new", "ember", "--kind", "jump-wars", *seats, "--pace", "72h", "--seed", "7", "--start")
    return gm


def test_every_act_is_tried_here() -> None:
    assert set(DONE) == set(TABLE)


@pytest.mark.parametrize("name", sorted(set(DONE) - {"accept", "delete"}))
def test_a_dry_run_tells_what_would_change_and_undo_takes_the_act_back(two: Any, name: str) -> None:
    words, changed = DONE[name]
    for command in BEFORE.get(name, ()):
        two(*command)
    before = two.json("history", words[0])
    tried = two(name, *words, "--dry-run", typed=TYPED.get(name))
    assert tried.stderr.endswith("Nothing was changed: this was a dry run.\n")
    assert two.json("history", words[0]) == before
    if name != "submit":  # which shows the receipt
        assert "ould " in tried.stdout
        assert f"\n  {changed}" in tried.stdout or not changed
    done = two(name, *words, typed=TYPED.get(name))
    assert "would be" not in done.stdout
    if name in LASTING:
        assert name == "undo" or "cannot be undone" in two.refused("undo", words[0])
        return
    assert two("undo").stdout.startswith(f"{words[0]}: ")
    acts = [note["act"] for note in two.json("history", words[0])]
    assert acts[-1] == "undo"
    assert "as it was recorded" in two("verify", words[0]).stdout or words[0] == "frost"


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_command_has_what_its_act_declares(name: str) -> None:
    act, command = find_act(name), make_command(name)
    options = {option for one in command.params for option in one.opts}
    assert "--dry-run" in options
    assert ("--yes" in options) is act.asks
    assert ("--json" in options) is act.json
    assert command.help is not None
    assert command.help.startswith(TABLE[name].help)
    arguments = [one.name for one in command.params if isinstance(one, click.Argument)]
    assert arguments[0] == "game"


@pytest.mark.parametrize(
    ("words", "loss"),
    [
        (("end", "ember", "--reason", "enough"), "This would end ember, drawn."),
        (("replace", "ember", "blue", "Zoe"), "Bo would lose the seat blue to Zoe"),
        (("rollback", "ember", "1"), "This would undo 1 step of ember, from turn 1, plan on."),
        (("start", "ember", "--back"), "This would undo the start and 1 closed step."),
    ],
)
def test_what_is_lost_is_asked_about_at_a_terminal(
    two: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], loss: str
) -> None:
    two("close", "ember", "--now")
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    before = two.json("history", "ember")
    refused = two(*words, typed="n\n", code=1).stderr
    assert loss in refused
    assert "nothing was changed" in refused
    assert two.json("history", "ember") == before
    assert two(*words, typed="y\n").stdout.startswith("ember: ")


def test_a_start_that_drops_open_seats_asks_first(gm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo", "--seat", "green")
    gm("new", "dusk", "--kind", "jump-wars", *seats, "--setting", "smallest=2")
    tried = gm("start", "dusk", "--dry-run").stdout
    assert "Nobody plays green; dusk would start with only 2 players." in tried
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    refused = gm("start", "dusk", typed="n\n", code=1).stderr
    assert "Nobody plays green; dusk would start with only 2 players." in refused
    assert gm.json("show", "dusk")["status"] == "open"
    gm("start", "dusk", typed="y\n")
    assert [one["seat"] for one in gm.json("show", "dusk")["seats"]] == ["red", "blue"]


def test_a_rollback_names_the_orders_that_fell_and_puts_them_back(two: Any) -> None:
    two("submit", "ember", "red", "-", typed="build: 1\n")
    two("close", "ember", "--now")
    told = two("rollback", "ember", "1-plan")
    assert "Orders off file: red (receipt 1)." in told.stdout
    assert "adjudicator rollback ember 1-plan --keep-orders" in told.stderr
    assert _receipt(two) is None
    told = two("rollback", "ember", "1-plan", "--keep-orders")
    assert "Orders on file again: red." in told.stdout
    assert _receipt(two) == 1
    two("close", "ember", "--now")
    told = two("rollback", "ember", "3-plan", "--keep-orders")
    assert "Orders on file again: red (receipt 1)." in told.stdout
    assert _receipt(two) == 1


def _receipt(gm: Any) -> Any:
    """The number of what red has on file."""
    return next(one["receipt"] for one in gm.json("orders", "ember")["seats"])


def test_the_same_dice_fall_again_after_reports_went_out_with_a_public_reason(
    two: Any, tmp_path: Any
) -> None:
    two("close", "ember", "--now")
    two("letters", "ember", "--out", tmp_path, "--sent")
    same = ("rollback", "ember", "1-plan", "--same-dice")
    assert "reports of 1-plan went out" in two.refused(*same).lower()
    assert "give a reason" in two.refused(*same, "--yes")
    two(*same, "--yes", "--reason", "a typing error of mine")
    two("letters", "ember", "--out", tmp_path / "after", "--seat", "blue")
    told = " ".join(" ".join(one.read_text().split()) for one in (tmp_path / "after").iterdir())
    assert "The dice stay the same, although reports went out: a typing error of mine" in told


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("adjudicator replace ember b", ["blue"]),
        ("adjudicator rollback ember ", ["0-setup", "1-plan"]),
        ("adjudicator end ember --winner r", ["red"]),
        ("adjudicator adjust ember press=", ["press=none", "press=white", "press=grey"]),
        ("adjudicator adjust ember pac", ["pace="]),
        ("adjudicator rollback ember 1-plan --k", ["--keep-orders"]),
    ],
)
def test_completion_knows_what_an_act_takes(two: Any, words: str, answers: list[str]) -> None:
    two("close", "ember", "--now")
    env = {
        "_ADJUDICATOR_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    told = two(**env).stdout.split()
    assert [line.partition(",")[2] for line in told] == answers


@pytest.mark.parametrize(
    ("length", "why"),
    [
        ("0h", "does not move the deadline"),
        ("9999d", "more than 90 days from now"),
        ("until never", "is not a time"),
        ("until Xyz 20:00", "is not a time"),
        ("until 2026-13-40 20:00", "there is no day"),
    ],
)
def test_what_is_no_extension(two: Any, length: str, why: str) -> None:
    assert why in two.refused("extend", "ember", *length.split())


def test_an_extension_to_a_time(two: Any) -> None:
    two("extend", "ember", "2h30m")
    day = f"{datetime.now(UTC) + timedelta(days=5):%a}"  # after the deadline on any day of the week
    done = two("extend", "ember", "until", day, "20:00", "--dry-run", code=0)
    assert "20:00 UTC" in done.stdout


def test_a_game_is_deleted_after_its_archive_was_written(two: Any) -> None:
    refused = two.refused("delete", "ember")
    assert "this would delete ember with 1 step" in refused
    assert "adjudicator delete ember --yes" in refused
    assert not list(two.home.glob("**/ember/game.yaml"))
    two("delete", "ember", "--yes", "--dry-run")
    assert {game["id"] for game in two.json("games")} == {"ember", "frost"}
    told = two("delete", "ember", "--yes")
    (sheet,) = two.home.glob("**/ember/game.yaml")
    assert str(sheet.parent) in told.stderr
    assert [game["id"] for game in two.json("games")] == ["frost"]
    two("import", sheet.parent)
    assert two.json("show", "ember")["step"] == "1-plan"


def test_an_archived_game_is_out_of_the_lists(two: Any) -> None:
    assert "only a game that is over is archived" in two.refused("archive", "ember")
    two("end", "ember", "--reason", "enough")
    two("archive", "ember")
    assert "ember" not in two("games").stdout
    assert "ember" in two("games", "--all").stdout
    assert "it is archived already" in two.refused("archive", "ember")
    two("archive", "ember", "--back")
    assert not any(game["archived"] for game in two.json("games"))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("host=example.org", "host cannot be changed now: letters that are out"),
        ("smallest=2", "smallest cannot be changed now: the game has begun"),
        ("pase=48h", 'did you mean "pace"?'),
        ("pace", "write its value behind it, as in pace=VALUE"),
        ("nmr_limit=0", "nmr_limit is at least 1"),
        ("late_visible=perhaps", "write yes or no"),
        ("nmr=maybe", "settings: nmr: write idle, bot or substitute"),
        ("pace=72h", "the settings already have these values"),
    ],
)
def test_what_cannot_be_adjusted_says_why(two: Any, said: str, why: str) -> None:
    assert why in two.refused("adjust", "ember", said)


def test_a_new_pace_counts_from_the_next_deadline_on_unless_now(two: Any, tmp_path: Any) -> None:
    was = two.json("show", "ember")["deadline"]
    told = two(
        "adjust", "ember", "pace=24h", "remind=6h,1h", "substitutes=Zoe <zoe@example.org>"
    ).stdout
    assert "pace: 72h -> 24h; remind: 24h -> 6h, 1h; substitutes: changed" in told
    assert "the current one stays" in told
    assert two.json("show", "ember")["deadline"] == was
    shown = two.json("show", "ember")
    assert shown["settings"]["pace"] == "72h"
    assert shown["next_settings"] == {
        "pace": "24h",
        "remind": ["6h", "1h"],
        "substitutes": ["Zoe"],
    }
    assert "from next" in two("show", "ember").stdout
    two("letters", "ember", "--out", tmp_path / "out", "--seat", "blue")
    read = [one.read_text() for one in (tmp_path / "out").iterdir()]
    letters = " ".join(" ".join(read).split())
    assert "pace: 72h -> 24h" in letters
    assert "Zoe" not in letters
    two("adjust", "ember", "pace=12h", "remind=default", "--now")
    shown = two.json("show", "ember")
    assert shown["deadline"] != was
    assert shown["settings"]["pace"] == "12h"
    assert "remind" not in shown["settings"]
    assert shown["next_settings"] == {"substitutes": ["Zoe"]}
    two("close", "ember", "--now")
    shown = two.json("show", "ember")
    assert (shown["settings"]["substitutes"], shown["next_settings"]) == (["Zoe"], {})
    assert "Zoe" not in str(two.json("history", "ember"))
