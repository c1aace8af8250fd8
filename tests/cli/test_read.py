"""adjudicator receive: letters processed by hand, without a daemon; its former name is read."""

import re
from pathlib import Path
from typing import Any

import pytest

HEAD = """\
From: Ada <ada@example.org>
Message-ID: <1@example.org>
Subject: Re: [ember] Turn 1

"""


@pytest.fixture
def reply(duel: Any, tmp_path: Path) -> Path:
    """A letter of red's, with the key from the last letter to red."""
    names = duel("letters", "ember", "--seat", "red", "--out", tmp_path / "out").stdout.split()
    text = Path(names[-1]).read_text("utf-8")
    (key,) = set(re.findall(r"^key: (\S+)$", text, re.MULTILINE))
    (step,) = set(re.findall(r"^step: (\S+)$", text, re.MULTILINE))
    file = tmp_path / "reply.eml"
    file.write_text(f"{HEAD}game: ember\nstep: {step}\nkey: {key}\npass: yes\n")
    return file


def test_a_letter_is_done_and_its_receipt_is_queued(duel: Any, reply: Path, tmp_path: Path) -> None:
    (told,) = duel.json("read", reply)
    assert (told["outcome"], told["reason"], told["seat"]) == ("receipt", "taken", "red")
    names = duel("letters", "ember", "--seat", "red", "--out", tmp_path / "out").stdout
    assert "red-receipt-1-Ada.txt" in names
    assert duel("read", reply).stdout == f"{reply}: ember red: repeat (read before: taken)\n"


def test_a_file_that_is_no_letter_is_an_error(duel: Any, tmp_path: Path) -> None:
    file = tmp_path / "poem.txt"
    file.write_text("Roses are red\n")
    for name in ("receive", "read"):
        (told,) = duel.json(name, file, code=1)
        assert (told["outcome"], told["reason"]) == (
            "silence",
            "this is not a letter: it has no header",
        )
        said = duel(name, file, code=1).stdout
        assert said == f"{file}: ignored (this is not a letter: it has no header)\n"


def test_settings_that_are_named_name_the_home(duel: Any, reply: Path) -> None:
    config = duel.home.parent / "adjudicator.yaml"
    duel(
        *("init", "--address", "games@example.org", "--gm", "gm@example.org", "--config", config),
        *("--games", duel.home, "--in", "maildir:in", "--out", "maildir:out"),
    )
    (told,) = duel.json("receive", "--config", config, reply, ADJUDICATOR_HOME="")
    assert (told["game"], told["outcome"]) == ("ember", "receipt")


def test_a_dry_run_does_nothing(duel: Any, reply: Path) -> None:
    assert "receipt (taken)" in duel("read", "--dry-run", reply).stdout
    assert "receipt (taken)" in duel("read", reply).stdout


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_read(
    duel: Any, reply: Path, tmp_path: Path
) -> None:
    told = duel.json("read", tmp_path / "none.eml", reply, code=1)
    assert [one["outcome"] for one in told] == ["unread", "receipt"]


def test_a_letter_of_somebody_unknown_is_answered_at_the_address(duel: Any, tmp_path: Path) -> None:
    file = tmp_path / "stranger.eml"
    file.write_text(HEAD.replace("ada", "zoe") + "Hello, what is this?\n")
    (told,) = duel.json("read", file)
    assert (told["outcome"], told["reason"]) == ("answer", "no block")


def test_letters_name_their_reader_and_answers_of_no_game_are_written(
    duel: Any, tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger.eml"
    stranger.write_text(
        "From: Zoe <zoe@example.com>\nTo: games@adjudicator.invalid\nMessage-ID: <z1@example.com>\n"
        "Subject: hello\n\ngame: nowhere\nbuild: 1\n"
    )
    duel("read", stranger)
    duel("replace", "ember", "red", "Ann <ann@example.org>")
    told = duel("letters", "ember", "--out", tmp_path / "out")
    assert "1 answer belongs to no game" in told.stderr
    files = {one.name: one.read_text() for one in (tmp_path / "out").iterdir()}
    assert files["000-setup-red-report-1-Ada.txt"].startswith("To: Ada\n\n")
    assert any(
        name.endswith("-Ann.txt") and text.startswith("To: Ann <ann@example.org>\n")
        for name, text in files.items()
    )
    (path,) = duel("letters", "--out", tmp_path / "others").stdout.split()
    assert "zoe@example.com" in Path(path).name
    assert Path(path).read_text().startswith("To: zoe@example.com\n")
