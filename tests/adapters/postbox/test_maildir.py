"""A Maildir as others feed it and look into it."""

import mailbox
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.adapters.mail import maildir
from adjudicator.adapters.mail.accounts import MaildirBox
from adjudicator.adapters.mail.connections import open_postbox
from adjudicator.adapters.mail.maildir import MaildirPostbox
from adjudicator.desk.model.errors import Away
from adjudicator.desk.model.mail import MAX_LETTER_BYTES

EVENING = datetime(2026, 11, 18, 20, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    maildir.make_maildir(tmp_path / "in")
    return tmp_path / "in"


@pytest.fixture
def box(folder: Path) -> MaildirPostbox:
    return MaildirPostbox(MaildirBox(folder=str(folder), poll=0.01))


def test_the_settings_open_it(folder: Path) -> None:
    maildir.deliver_letter(folder, b"one")
    assert [p.content for p in open_postbox(MaildirBox(folder=str(folder))).fetch()] == [b"one"]


def test_a_box_that_is_not_there_yet_is_made_and_empty(tmp_path: Path) -> None:
    box = MaildirPostbox(MaildirBox(folder=str(tmp_path / "a" / "b")))
    assert box.fetch() == ()
    assert (tmp_path / "a" / "b" / "new").is_dir()


def test_half_written_letters_are_not_seen(folder: Path, box: MaildirPostbox) -> None:
    (folder / "tmp" / "1.half").write_bytes(b"game: em")
    assert box.fetch() == ()
    assert not box.wait(0)
    assert (folder / "tmp" / "1.half").exists()


def test_dot_files_folders_links_and_pipes_are_not_letters(
    folder: Path, box: MaildirPostbox, tmp_path: Path
) -> None:
    (folder / "new" / ".hidden").write_bytes(b"x")
    (folder / "new" / "subfolder").mkdir()
    (tmp_path / "elsewhere").write_bytes(b"a secret")
    (folder / "new" / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "new" / "pipe")
    assert box.fetch() == ()


def test_the_files_time_is_the_arrival(folder: Path, box: MaildirPostbox) -> None:
    maildir.deliver_letter(folder, b"x", EVENING.timestamp())
    assert [parcel.arrived for parcel in box.fetch()] == [EVENING]


def test_a_mail_program_that_looks_takes_nothing_away(folder: Path, box: MaildirPostbox) -> None:
    letter = maildir.deliver_letter(folder, b"orders")
    [before] = box.fetch()
    letter.rename(folder / "cur" / f"{letter.name}:2,RF")
    [after] = box.fetch()
    assert after == before
    box.file_away([before.id])
    assert [p.name for p in (folder / ".Done" / "cur").iterdir()] == [f"{letter.name}:2,FRS"]
    assert box.fetch() == ()


def test_without_a_done_folder_what_is_in_cur_is_done(folder: Path) -> None:
    box = MaildirPostbox(MaildirBox(folder=str(folder), done=None))
    (folder / "cur" / "1.old:2,S").write_bytes(b"old")
    maildir.deliver_letter(folder, b"new")
    [parcel] = box.fetch()
    assert parcel.content == b"new"
    box.file_away([parcel.id])
    assert (folder / "cur" / f"{parcel.id}:2,S").read_bytes() == b"new"
    assert not list((folder / "new").iterdir())
    assert box.fetch() == ()


def test_the_largest_letter_is_read_and_a_larger_one_is_not(
    folder: Path, box: MaildirPostbox
) -> None:
    maildir.deliver_letter(folder, b"x" * MAX_LETTER_BYTES, 1.0)
    maildir.deliver_letter(folder, b"x" * (MAX_LETTER_BYTES + 1), 2.0)
    first, second = box.fetch()
    assert (first.size, len(first.content or b"")) == (MAX_LETTER_BYTES, MAX_LETTER_BYTES)
    assert (second.size, second.content) == (MAX_LETTER_BYTES + 1, None)


def test_waiting_looks_now_and_then_and_not_longer_than_asked(folder: Path) -> None:
    now, pauses = [100.0], []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds
        if len(pauses) == 6:
            maildir.deliver_letter(folder, b"x")

    box = MaildirPostbox(MaildirBox(folder=str(folder)), clock=lambda: now[0], sleep=sleep)
    assert box.fetch() == ()
    assert not box.wait(0.6)
    assert pauses == pytest.approx([0.25, 0.25, 0.1])
    assert box.wait(100)
    assert len(pauses) == 6


def test_a_folder_that_is_a_file_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("no folder")
    box = MaildirPostbox(MaildirBox(folder=str(tmp_path / "in")))
    with pytest.raises(Away, match=r"postbox .*/in: .*; check the folder, its permissions and the"):
        box.fetch()
    assert not box.wait(0)


def test_a_letter_written_by_us_is_whole_or_not_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        maildir.deliver_letter(folder, b"x")
    assert not [*(folder / "tmp").iterdir(), *(folder / "new").iterdir()]


def test_another_program_feeds_it(folder: Path, box: MaildirPostbox) -> None:
    mailbox.Maildir(folder).add(b"Subject: by hand\n\nAn order.\n")
    [parcel] = box.fetch()
    assert parcel.content == b"Subject: by hand\n\nAn order.\n"
    box.file_away([parcel.id])
    assert [str(m["Subject"]) for m in mailbox.Maildir(folder).get_folder("Done")] == ["by hand"]
