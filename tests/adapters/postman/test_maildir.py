"""Letters out into Maildirs: readable by any mail program, and never anywhere else."""

import asyncio
import mailbox
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import MaildirOut
from adjudicator.adapters.mail.connections import open_postman
from adjudicator.adapters.mail.maildir import recipient_folder
from adjudicator.desk.model.mail import Posting, Sent

LETTER = b"From: gm@game.test\r\nSubject: Ember\r\n\r\nAn order, please.\r\n"


def sent(folder: Path, *recipients: str) -> Sequence[Sent]:
    postman = open_postman(MaildirOut(folder=str(folder)))
    return asyncio.run(postman.send(Posting("gm@game.test", recipients, LETTER)))


def test_each_recipient_has_a_maildir_of_their_own(tmp_path: Path) -> None:
    assert sent(tmp_path, "Ada@Example.org", "bo@example.org") == (
        Sent("Ada@Example.org", "taken"),
        Sent("bo@example.org", "taken"),
    )
    for name in ("ada@example.org", "bo@example.org"):
        [letter] = mailbox.Maildir(tmp_path / name, create=False)
        assert letter["Subject"] == "Ember"
        assert str(letter["Delivered-To"]).lower() == name
        assert letter["Return-Path"] == "<gm@game.test>"
        assert b"\r" not in letter.as_bytes()


def test_letters_are_their_owners_business(tmp_path: Path) -> None:
    sent(tmp_path, "ada@example.org")
    for path in (tmp_path / "ada@example.org").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("address", "folder"),
    [
        ("../../etc/passwd", "%2E./..%2Fetc%2Fpasswd".replace("./", ".%2F")),
        ("..", "%2E."),
        ("/root", "%2Froot"),
        ("a+game@b.example", "a+game@b.example"),
        ("jürgen@example.org", "j%C3%BCrgen@example.org"),
        ('"two words"@example.org', "%22two%20words%22@example.org"),
    ],
)
def test_no_address_leads_out_of_the_folder(address: str, folder: str, tmp_path: Path) -> None:
    assert recipient_folder(address) == folder
    sent(tmp_path, address)
    assert [path.name for path in tmp_path.iterdir()] == [folder]


def test_long_addresses_have_folders_that_differ(tmp_path: Path) -> None:
    one, other = (f"{'a' * 300}{end}@example.org" for end in "12")
    sent(tmp_path, one, other)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("address", ["", " ", "a@b\r\nBcc: c@d", "a\0b"])
def test_what_is_no_address_is_never_written_to(address: str, tmp_path: Path) -> None:
    assert [(s.status, s.reply) for s in sent(tmp_path, address)] == [
        ("never", "this is not a valid address")
    ]
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_later_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    [result] = sent(tmp_path, "ada@example.org")
    assert (result.status, result.reply) == ("later", f"{tmp_path}: No space left on device")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
