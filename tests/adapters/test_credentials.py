"""Passwords: where they come from, and that they go nowhere else."""

from pathlib import Path

import msgspec
import pytest

from adjudicator.adapters.mail.accounts import Password, Secret, find_password
from adjudicator.desk.model.errors import Refused


def test_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("gänse füße\r\nmore lines\n")
    path.chmod(0o600)
    assert find_password(Password(file=str(path))).reveal() == "gänse füße"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_read_is_refused(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("hush")
    path.chmod(mode)
    with pytest.raises(Refused, match=rf"mode {mode:o}, others can read .*; chmod 600") as caught:
        find_password(Password(file=str(path)))
    assert "hush" not in str(caught.value)


def test_a_systemd_credential(tmp_path: Path) -> None:
    (tmp_path / "imap").write_text("hush\n")
    password = Password(credential="imap")
    assert find_password(password, {"CREDENTIALS_DIRECTORY": str(tmp_path)}).reveal() == "hush"
    with pytest.raises(Refused, match=r"CREDENTIALS_DIRECTORY is not set; .*LoadCredential=imap:"):
        find_password(password, {})


@pytest.mark.parametrize("name", ["../secret", "a/b", "/etc/passwd", ".."])
def test_a_credential_is_a_plain_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text("hush")
    with pytest.raises(Refused):
        find_password(Password(credential=name), {"CREDENTIALS_DIRECTORY": str(tmp_path / "in")})


def test_an_environment_variable() -> None:
    assert find_password(Password(variable="MAIL"), {"MAIL": "hush"}).reveal() == "hush"
    with pytest.raises(Refused, match="MAIL is not set; set it"):
        find_password(Password(variable="MAIL"), {})


def test_what_is_missing_or_empty_is_told_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "password"
    with pytest.raises(Refused, match=r"/password: No such file .*; put the password there"):
        find_password(Password(file=str(path)))
    path.touch(0o600)
    with pytest.raises(Refused, match="the first line is empty"):
        find_password(Password(file=str(path)))


@pytest.mark.parametrize("given", [{}, {"file": "a", "variable": "B"}, "hush", {"text": "hush"}])
def test_settings_name_exactly_one_place_and_never_the_password(given: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(given, Password)


def test_a_secret_does_not_show_itself() -> None:
    secret = Secret("hush")
    assert "hush" not in f"{secret} {secret!r} {[secret]}"
