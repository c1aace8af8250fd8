"""What each command says and does, command by command, over a real home."""

import errno
import json
import stat
from pathlib import Path
from typing import Any

import pytest


def test_games_of_an_empty_home(gm: Any) -> None:
    result = gm("games")
    assert result.stdout == ""
    assert "adjudicator new" in result.stderr
    assert gm.json("games") == []
    assert not gm.home.exists()  # looking makes nothing


@pytest.mark.parametrize(
    "words",
    [
        ["show", "ember"],
        ["close", "ember"],
        ["submit", "ember", "red", "-"],
        ["letters", "ember", "--out", "x"],
        ["history", "ember"],
        ["verify", "ember"],
        ["export", "ember"],
    ],
)
def test_nothing_can_be_done_where_no_game_is(gm: Any, words: list[str]) -> None:
    assert "adjudicator new" in gm.refused(*words, typed="")
    assert not gm.home.exists()


def test_a_wrong_name_is_told_with_the_nearest(duel: Any) -> None:
    assert 'Did you mean "ember"?' in duel.refused("show", "embr")
    assert 'Did you mean "blue"?' in duel.refused("report", "ember", "--seat", "bleu")
    assert 'Did you mean "1-plan"?' in duel.refused("orders", "ember", "--step", "1-plna")
    assert 'Did you mean "jump-wars"?' in duel.refused("rules", "jump-war5")
    assert 'Did you mean "jump"?' in duel.refused("form", "ember", "jmp")


def test_show_and_orders_keep_secrets(duel: Any) -> None:
    duel("submit", "ember", "red", "-", typed="build: 1\n")
    plain = [duel.json("show", "ember"), duel.json("orders", "ember")]
    assert not {"seed", "luck", "state", "votes"} & set(plain[0])
    texts = json.dumps(plain) + duel("show", "ember").stdout + duel("orders", "ember").stdout
    assert "build" not in texts
    assert "digest" not in json.dumps(plain[1])
    secret = duel.json("show", "ember", "--reveal")
    assert len(secret["seed"]) == 64
    assert secret["seed"] not in texts
    assert "build: 1" in duel("orders", "ember", "--reveal").stdout
    looked = [note["text"] for note in duel.json("history", "ember") if note["act"] == "reveal"]
    assert len(looked) == 2


def test_the_pictures_of_a_report_are_written_where_the_gm_says(duel: Any, tmp_path: Path) -> None:
    duel("report", "ember", "--pictures", tmp_path / "new" / "pictures")
    drawn = {path.name: path.read_bytes() for path in (tmp_path / "new" / "pictures").iterdir()}
    assert sorted(drawn) == ["map.png", "map.svg"]
    assert drawn["map.png"].startswith(b"\x89PNG")
    assert b"ember" in drawn["map.svg"]


def test_a_seats_own_report_is_noted(duel: Any) -> None:
    duel("report", "ember")
    assert [n for n in duel.json("history", "ember") if n["act"] == "reveal"] == []
    assert "to red" in duel("report", "ember", "--seat", "red").stdout
    (note,) = [n for n in duel.json("history", "ember") if n["act"] == "reveal"]
    assert "report 1 of red" in note["text"]


def test_close_waits_for_everybody_unless_told(duel: Any) -> None:
    assert "--now" in duel.refused("close", "ember")
    assert "Step closed: turn 1, plan." in duel("close", "ember", "--now").stdout
    assert "turn 1, jump" not in duel.refused("close", "ember", "--step", "9-plan")
    assert "is not open" in duel.refused("close", "ember", "--step", "1")


def test_a_dry_close_says_what_would_go_out(duel: Any) -> None:
    before = duel.json("history", "ember")
    result = duel("close", "ember", "--now", "--dry-run")
    assert "Step would be closed: turn 1, plan." in result.stdout
    assert "report 2 to red" in result.stdout
    assert "Now open: turn 1, jump" in result.stdout
    assert "Orders: red none, so the default; blue none" in result.stdout
    assert "mined" not in result.stdout
    assert duel.json("history", "ember") == before
    assert "mined" in duel("close", "ember", "--now", "--dry-run", "--reveal").stdout
    assert [note["act"] for note in duel.json("history", "ember")][len(before) :] == ["reveal"]


def test_the_clock(duel: Any) -> None:
    assert "no deadline" in duel.refused("extend", "ember", "24h")
    duel("pause", "ember")
    assert duel.json("games")[0]["status"] == "paused"
    assert "resume" in duel.refused("close", "ember", "--now")
    assert "turn 1, plan" in duel("resume", "ember").stdout
    assert duel.json("games")[0]["status"] == "running"


def test_extend_moves_the_deadline(gm: Any) -> None:
    seats = ["--seat", "red=Ada", "--seat", "blue=Bo"]
    gm("new", "ember", "--kind", "jump-wars", *seats, "--pace", "72h", "--start")
    before = gm.json("games")[0]["deadline"]["at"]
    assert "Deadline moved: turn 1, plan, due" in gm("extend", "ember", "24h").stdout
    assert gm.json("games")[0]["deadline"]["at"] > before
    assert "90m, 72h, 3d" in gm.refused("extend", "ember", "soon")


def test_seats_change_hands(duel: Any) -> None:
    duel("replace", "ember", "blue", "Cleo")
    assert duel.json("show", "ember")["seats"][1]["player"] == "Cleo"
    assert "nobody may hold two" in duel.refused("replace", "ember", "red", "Cleo")
    duel("bot", "ember", "blue", "--dry-run")
    assert duel.json("show", "ember")["seats"][1]["kind"] == "player"
    duel("bot", "ember", "blue")
    assert duel.json("show", "ember")["seats"][1]["kind"] == "bot"
    duel("submit", "ember", "red", "-", typed="pass: yes")
    duel("close", "ember")


def test_a_beginning_of_a_seat_is_enough_to_look_but_not_to_change(duel: Any) -> None:
    assert duel("report", "ember", "--seat", "blu").stdout
    for words in (
        ("replace", "ember", "blu", "Cleo"),
        ("bot", "ember", "b"),
        ("resign", "ember", "blu"),
        ("address", "ember", "blu", "bob@example.org"),
        ("submit", "ember", "blu", "-"),
        ("end", "ember", "--winner", "blu", "--reason", "x"),
    ):
        assert 'id you mean "blue"?' in duel.refused(*words)
    duel("bot", "ember", "BLUE")


def test_the_history_shows_the_clock_of_the_game(gm: Any) -> None:
    seats = ["--seat", "red=Ada", "--seat", "blue=Bo"]
    gm("new", "ember", "--kind", "jump-wars", *seats, "--setting", "zone=Asia/Tokyo")
    lines = gm("history", "ember").stdout.splitlines()
    assert all("(Asia/Tokyo, UTC+9)" in line for line in lines)


def test_a_seat_that_nobody_plays_is_told_so(duel: Any) -> None:
    assert "Nobody plays blue now" in duel("resign", "ember", "blue").stdout


def test_who_was_replaced_never_gets_the_successors_key(duel: Any, tmp_path: Path) -> None:
    old = "000-setup-blue-report-1-Bo.txt"

    def keys() -> dict[str, str]:
        files = duel("letters", "ember", "--seat", "blue", "--out", tmp_path / "l").stdout.split()
        found = {Path(file).name: Path(file).read_text() for file in files}
        return {
            name: text.partition("key: ")[2].split()[0]
            for name, text in found.items()
            if "key: " in text
        }

    before = keys()
    duel("replace", "ember", "blue", "Cleo")
    after = keys()
    assert old in before
    assert old not in after, "a letter that waited has no form for who has left"
    late = (tmp_path / "l" / old).read_text()
    assert "key: " not in late
    assert "NOTHING IS DUE FROM YOU; waiting for others: turn 1, plan" in late
    assert "YOUR FIRST GAME" not in late
    assert "form is at the end" not in " ".join(late.partition("DUE FROM YOU")[2].split())
    assert after
    assert set(after.values()).isdisjoint(before.values())


def test_a_close_that_waited_for_another_does_not_close_the_next_step(
    duel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.cli.acts import command

    look = command._prepare

    def overtaken(asked: Any, given: Any) -> Any:
        monkeypatch.setattr(command, "_prepare", look)
        meant = look(asked, given)
        duel("close", "ember", "--now")  # the other GM was faster
        return meant

    monkeypatch.setattr(command, "_prepare", overtaken)
    assert "1-plan is not open; 2-jump is now" in duel.refused("close", "ember", "--now")
    assert duel.json("games")[0]["step"] == "2-jump"


def test_rollback_strikes_and_renames(duel: Any) -> None:
    duel("close", "ember", "--now")
    assert "Undone: turn 1, plan" in duel("rollback", "ember", "1").stdout
    assert duel.json("games")[0]["step"] == "3-plan"
    assert "all is as it was recorded" in duel("verify", "ember").stdout


def test_a_rollback_a_start_and_a_reminder_are_taken_back(duel: Any) -> None:
    duel("close", "ember", "--now")
    duel("rollback", "ember", "1-plan")
    told = duel("rollback", "ember", "1-plan", "--back").stdout
    assert "ember: Restored: turn 1, plan, and everything after it." in told
    duel("remind", "ember")
    tried = duel("remind", "ember", "--back", "--dry-run").stdout
    assert "ember: Reminders would be withdrawn: red" in tried
    done = duel("remind", "ember", "--back").stdout
    assert "ember: Reminders withdrawn: red" in done
    refused = duel.refused("start", "ember", "--back")
    assert "would undo the start and 1 closed step" in refused
    assert "adjudicator start ember --back --yes" in refused
    assert (
        "Now open: no step; the game waits to begin."
        in duel("start", "ember", "--back", "--yes").stdout
    )
    assert "all is as it was recorded: 5 links" in duel("verify", "ember").stdout
    assert duel("start", "ember").stdout.startswith("ember: The position is dealt.")


def test_a_game_is_withdrawn_and_announced_again(gm: Any) -> None:
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red", "--seat", "blue=Bo")
    gm("announce", "ember", "ada@example.org")
    assert "ember: The game is withdrawn" in gm("announce", "ember", "--back").stdout
    assert "status      over" in gm("show", "ember").stdout
    why = gm.refused("start", "ember")
    assert why == "ember: it was withdrawn by its GM before it began; announce it to open it again"
    gm("announce", "ember", code=2)
    gm("announce", "ember", "ada@example.org", "--back", code=2)
    assert "announcement goes to 1" in gm("announce", "ember", "ada@example.org").stdout
    gm("replace", "ember", "red", "Ada")
    gm("start", "ember")


def test_games_say_whom_they_wait_for(gm: Any) -> None:
    gm("new", "frost", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue")
    assert "players for blue" in gm("games").stdout
    gm("replace", "frost", "blue", "Bo")
    assert "the GM, to start it" in gm("games").stdout
    gm("start", "frost")
    assert "red, blue" in gm("games").stdout


def test_a_game_that_is_over_still_shows_the_orders_of_a_step(duel: Any) -> None:
    duel("end", "ember", "--reason", "enough")
    assert "--step" in duel.refused("orders", "ember")
    assert "1-plan" in duel("orders", "ember", "--step", "1").stdout


def test_who_plays_the_seat_already_is_told_so(duel: Any) -> None:
    assert "already plays red" in duel.refused("replace", "ember", "red", "Ada <ada@example.org>")


def test_nothing_that_is_shown_works_on_the_terminal(duel: Any) -> None:
    duel("note", "ember", "a \x1b]0;owned\x07 note\x9b2J")
    shown = duel("history", "ember", color=True).stdout
    assert "owned" in shown
    assert not [sign for sign in shown if sign != "\n" and ord(sign) < 32]
    assert "\x9b" not in shown
    assert "\x1b" not in duel("show", "em\x1b[2Jber", code=1, color=True).stderr


def test_a_note_stands_in_the_history(duel: Any) -> None:
    duel("note", "ember", "Bo", "is on holiday.")
    assert "Bo is on holiday." in duel("history", "ember").stdout


def test_the_gm_can_end_a_game(duel: Any) -> None:
    duel("end", "ember", "--winner", "red", "--reason", "blue conceded")
    assert duel.json("games")[0]["status"] == "over"
    assert "closes by hand" not in duel("show", "ember").stdout
    assert "all is as it was recorded" in duel("verify", "ember").stdout


def test_letters_hold_a_key_and_are_sent_once(duel: Any, tmp_path: Path) -> None:
    out = tmp_path / "letters"
    first = duel("letters", "ember", "--out", out, "--sent").stdout.splitlines()
    assert len(first) == 2
    assert "\nkey: " in Path(first[0]).read_text()
    keys = {
        line for file in first for line in Path(file).read_text().splitlines() if "key:" in line
    }
    assert len(keys) == 2
    assert duel("letters", "ember", "--out", out).stdout == ""
    assert duel("letters", "ember", "--out", out, "--all").stdout.splitlines() == first
    assert stat.S_IMODE((duel.home / "secret").stat().st_mode) == 0o600


def test_a_key_never_reaches_the_archive(duel: Any, tmp_path: Path) -> None:
    files = duel("letters", "ember", "--out", tmp_path / "l").stdout.splitlines()
    keys = [
        line.partition(": ")[2].encode()
        for file in files
        for line in Path(file).read_text().splitlines()
        if line.startswith("key: ")
    ]
    assert keys
    folder = Path(duel("export", "ember").stdout.strip())
    for path in folder.rglob("*"):
        if path.is_file():
            assert not any(key in path.read_bytes() for key in keys), path


def test_rules_of_no_kind_list_the_kinds(gm: Any) -> None:
    lines = gm("rules").stdout.splitlines()
    assert "jump-wars        Jump Wars, 2 to 8 players" in lines
    assert list(json.loads(gm("rules", "--json").stdout)) == [line.split()[0] for line in lines]


def test_rules_by_number(gm: Any) -> None:
    assert gm("rules", "jump-wars", "30").stdout.startswith("JW-30 ")
    assert gm("rules", "jump-wars", "jw-30").stdout == gm("rules", "jump-wars", "30").stdout
    book = gm.json("rules", "jump-wars")
    assert next(iter(book)) == "JW-1"
    assert gm.json("rules", "jump-wars", "JW-2", "JW-30") == {
        "JW-2": book["JW-2"],
        "JW-30": book["JW-30"],
    }
    assert "JW-1 to JW-63" in gm.refused("rules", "jump-wars", "777")
    assert max(len(line) for line in gm("rules", "jump-wars").stdout.splitlines()) <= 78


def test_a_form_explained(duel: Any) -> None:
    text = duel("form", "ember").stdout
    assert text == duel("form", "jump-wars", "plan").stdout
    assert "manufacturing" not in text
    assert "build: max" in text
    told = duel.json("form", "jump-wars", "jump")
    assert "jump" in {key["key"] for key in told["keys"]}
    assert duel("form", "ember", "1-plan").stdout == text


def test_doctor_finds_open_secrets(duel: Any, tmp_path: Path) -> None:
    duel("letters", "ember", "--out", tmp_path / "l")
    assert "WRONG" not in duel("doctor").stdout
    (duel.home / "secret").chmod(0o644)
    result = duel("doctor", code=1)
    assert "WRONG  secret" in result.stdout
    assert "chmod 600" in result.stdout
    signs = duel.json("doctor", code=1)
    assert {"python", "home", "database", "disk", "time zones"} <= {s["what"] for s in signs}


def test_doctor_finds_a_home_that_is_none(gm: Any) -> None:
    gm.home.parent.mkdir(exist_ok=True)
    gm.home.write_text("not a folder")
    assert "WRONG  home" in gm("doctor", code=1).stdout


def test_bots_play_a_whole_game(gm: Any) -> None:
    options = ["--seed", "3", "--option", "turn_limit=4"]
    told = gm.json("play", "jump-wars", "--bots", "3", *options)
    assert len(told["seats"]) == 3
    assert told["winners"]
    again = gm.json("play", "jump-wars", "--bots", "3", *options)
    assert {**told, "milliseconds": 0} == {**again, "milliseconds": 0}
    assert not gm.home.exists()
    assert "--bots" in gm.refused("play", "jump-wars", code=2)
    assert "2 to 8" in gm.refused("play", "jump-wars", "--bots", "9")


def test_a_game_of_bots_can_be_kept(gm: Any) -> None:
    gm("play", "jump-wars", "--bots", "--keep", "duel", "--option", "turn_limit=3")
    assert gm.json("games")[0]["status"] == "over"
    assert "all is as it was recorded" in gm("verify", "duel").stdout


@pytest.mark.parametrize("words", [["show", "ember"], ["close", "ember", "--now"]])
def test_a_database_that_is_none(duel: Any, words: list[str]) -> None:
    for file in duel.home.glob("adjudicator.db*"):
        file.write_bytes(b"this is no database, it is a poem about one " * 50)
    assert "adjudicator.db" in duel.refused(*words)


def test_signs_that_are_no_text(duel: Any) -> None:
    assert "bytes that are not text" in duel.refused("show", "\udcff")
    assert "bytes that are not text" in duel.refused("note", "ember", "\udcff")
    assert len(duel.json("history", "ember")) >= 2


def test_options_are_explained_too(gm: Any) -> None:
    keys = {key["key"] for key in gm.json("form", "jump-wars", "options")["keys"]}
    assert {"grid", "old_empire", "turn_limit"} <= keys
    assert "pace" in gm("form", "jump-wars", "settings").stdout
    assert 'Did you mean "options"?' in gm.refused("form", "jump-wars", "optoins")


@pytest.mark.parametrize("words", [["letters", "ember", "--out"], ["export", "ember", "--out"]])
def test_a_place_that_cannot_be_written(duel: Any, words: list[str]) -> None:
    assert "/proc/nowhere" in duel.refused(*words, "/proc/nowhere")


def test_a_disk_that_is_full_is_told_as_such(
    duel: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(self: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    told = duel.refused("letters", "ember", "--out", tmp_path)
    assert told == "the disk is full; make room and try again."


def test_everything_for_programs_is_json(gm: Any, gm_at: Any, tmp_path: Path) -> None:
    seats = ["--seat", "red=Ada", "--seat", "blue=bot"]
    made = gm.json("new", "ember", "--kind", "jump-wars", *seats, "--start")
    assert made["status"] == "running"
    assert len(made["seed_digest"]) == 64
    (letter,) = gm.json("letters", "ember", "--out", tmp_path / "letters")
    assert letter["seat"] == "red"
    assert Path(letter["file"]).is_file()
    folder = gm.json("export", "ember")["folder"]
    assert gm.json("verify", folder)["faults"] == []
    assert gm_at(tmp_path / "other").json("import", folder)["game"] == "ember"


@pytest.mark.parametrize(
    "words",
    [
        ["orders"],
        ["report"],
        ["close", "--now"],
        ["rollback", "1"],
        ["extend", "3h"],
        ["pause"],
        ["resume"],
        ["edit", "--reason", "x"],
        ["submit", "red", "-"],
        ["form"],
    ],
)
def test_a_game_that_has_not_started_says_so(gm: Any, words: list[str]) -> None:
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue")
    told = gm.refused(words[0], "ember", *words[1:], typed="build: 1")
    assert "ember" in told


def test_a_game_that_has_not_started_can_be_looked_at(gm: Any, tmp_path: Path) -> None:
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue")
    assert "nobody has taken this seat yet" in gm("show", "ember").stdout
    assert gm("letters", "ember", "--out", tmp_path / "l").stdout == ""
    assert gm.json("verify", "ember")["faults"] == []
    assert gm.json("verify", gm("export", "ember").stdout.strip())["faults"] == []
