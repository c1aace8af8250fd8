"""What doctor says about the mail."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail import maildir
from adjudicator.adapters.mail.accounts import (
    CheckResult,
    ImapBox,
    MaildirBox,
    MaildirOut,
    Password,
    PostmanSettings,
    SmtpOut,
)
from adjudicator.adapters.mail.check import check_mail
from adjudicator.adapters.mail.connections import identify_box
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ports import free_ports
from tests.servers.postfix import Postfix

GOOD = {"PW": PASSWORD}
PW = Password(variable="PW")


def out(folder: Path) -> MaildirOut:
    return MaildirOut(folder=str(folder))


def checked(man: PostmanSettings, **environment: str) -> list[CheckResult]:
    """What is said about a postman alone."""
    return list(check_mail((), man, environment))


def test_maildirs_that_are_there(tmp_path: Path) -> None:
    box = MaildirBox(folder=str(tmp_path / "in"))
    maildir.deliver_letter(tmp_path / "in", b"x")
    maildir.deliver_letter(tmp_path / "in", b"y")
    (tmp_path / "out").mkdir()
    assert list(check_mail((box,), out(tmp_path / "out"), {})) == [
        CheckResult("postbox", f"{tmp_path}/in, letters waiting: 2"),
        CheckResult("postman", f"{tmp_path}/out"),
    ]


def test_maildirs_that_are_not_there_yet_are_not_made(tmp_path: Path) -> None:
    box = MaildirBox(folder=str(tmp_path / "a" / "in"))
    found = list(check_mail((box,), out(tmp_path / "out"), {}))
    assert [(each.well, "will be made when needed" in each.words) for each in found] == [
        (True, True),
        (True, True),
    ]
    assert not list(tmp_path.iterdir())


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "new").write_text("no folder")
    [box, _] = check_mail((MaildirBox(folder=str(tmp_path / "in")),), out(tmp_path), {})
    assert box == CheckResult(
        "postbox", f"{tmp_path}/in/new is not a folder; name another one", well=False
    )


def test_a_mailbox_that_lets_us_in_is_counted_and_not_touched(
    dovecot: Dovecot, tmp_path: Path
) -> None:
    user = dovecot.user()
    dovecot.deliver(user, b"Subject: x\r\n\r\nhi\r\n")
    settings = ImapBox(
        host="localhost", port=dovecot.imaps, user=user, password=PW, authority=dovecot.authority
    )
    [found, _] = check_mail((settings,), out(tmp_path), GOOD)
    assert found == CheckResult(
        "postbox",
        f"localhost:{dovecot.imaps}: {user} can log in (tls); new letters are announced at once;"
        " letters in INBOX: 1",
    )
    assert not (dovecot.maildir(user) / ".Done").exists()


def test_a_mailbox_without_idle_says_how_often_it_is_asked(
    bare_dovecot: Dovecot, tmp_path: Path
) -> None:
    settings = ImapBox(
        host="localhost",
        port=bare_dovecot.imap,
        user=bare_dovecot.user(),
        password=PW,
        security="plain",
    )
    [found, _] = check_mail((settings,), out(tmp_path), GOOD)
    assert found.well
    assert "; new letters are looked for every 30 seconds; letters in INBOX: 0" in found.words


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "the environment variable PW is not set; set it"),
        ({"PW": "hush-hush"}, "the user name or the password was rejected; correct them"),
    ],
)
def test_passwords_that_do_not_open(
    dovecot: Dovecot, tmp_path: Path, environment: dict[str, str], words: str
) -> None:
    settings = ImapBox(
        host="localhost",
        port=dovecot.imaps,
        user=dovecot.user(),
        password=PW,
        authority=dovecot.authority,
    )
    [found, _] = check_mail((settings,), out(tmp_path), environment)
    assert not found.well
    assert words in found.words
    assert "hush-hush" not in found.words


def test_an_authority_that_is_no_certificate(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    for authority, words in (
        (tmp_path / "ca.pem", "expected certificates in PEM form; name such a file"),
        (tmp_path / "none", "No such file or directory; name your authority's certificate"),
    ):
        [found] = checked(SmtpOut(host="localhost", port=1, authority=str(authority)))
        assert found == CheckResult("postman", f"{authority}: {words}", well=False)


def test_a_mail_server_that_takes_our_letters(dovecot: Dovecot, postfix: Postfix) -> None:
    user = dovecot.user()
    settings = SmtpOut(
        host="localhost",
        port=postfix.submission,
        security="starttls",
        user=user,
        password=PW,
        authority=postfix.authority,
    )
    assert checked(settings, **GOOD) == [
        CheckResult("postman", f"localhost:{postfix.submission}: {user} can log in (starttls)")
    ]
    settings = SmtpOut(host="localhost", port=postfix.smtp, security="plain")
    assert checked(settings) == [
        CheckResult(
            "postman", f"localhost:{postfix.smtp}: it takes letters without a password (plain)"
        )
    ]


def test_a_mail_server_that_is_not_there() -> None:
    [port] = free_ports(1)
    [found] = checked(SmtpOut(host="127.0.0.1", port=port, security="plain"))
    assert not found.well
    assert found.words.startswith(
        f"127.0.0.1:{port}: the connection was refused; check host and port"
    )


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1", "[::1]"])
def test_on_this_machine_a_password_needs_no_tls(host: str) -> None:
    settings = SmtpOut(host=host, port=1, security="plain", user="gm", password=PW)
    assert not any("unencrypted" in found.words for found in checked(settings, **GOOD))


def test_a_password_does_not_travel_in_the_clear(tmp_path: Path) -> None:
    host = "mail.invalid"
    box = ImapBox(host=host, user="gm", password=PW, security="plain")
    man = SmtpOut(host=host, security="plain", user="gm", password=PW)
    found = list(check_mail((box,), man, GOOD))
    assert [each.what for each in found] == ["postbox", "postbox", "postman", "postman"]
    assert not any(each.well for each in found)
    assert found[0].words == (
        "mail.invalid:143: the password is sent unencrypted: anybody on the way can read it;"
        " set `security` to tls"
    )
    assert "no such host; check the spelling" in found[1].words


def test_a_mailbox_is_the_same_whether_its_settings_name_the_usual_port_or_not() -> None:
    """Two daemons on one mailbox: each letter is read by one of them."""
    box = ImapBox(host="mail.example.org", user="games", password=PW)
    assert identify_box(replace(box, host="Mail.Example.org", port=993)) == identify_box(box)
    assert identify_box(replace(box, port=1993)) != identify_box(box)
