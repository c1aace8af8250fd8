"""init writes a settings file that explains itself, by options or by asking; status before all."""

import re
import shutil
import stat
import subprocess
from pathlib import Path

import click.testing
import pytest

from adjudicator.adapters.mail.accounts import ImapBox, MaildirBox, MaildirOut, Password, SmtpOut
from adjudicator.adapters.settings import read_settings_file
from adjudicator.cli.app import cli
from adjudicator.cli.terminal import questions
from tests.servers.needed import need_program

SERVER = (
    *("init", "--address", "games@example.org", "--gm", "ada@example.org", "--title", "At Ada's"),
    *("--in", "imap://games@mail.example.org:1143/Games", "--in-password", "file:imap-password"),
    *("--out", "smtps://games@mail.example.org"),
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, typed: str | None = None, code: int = 0) -> click.testing.Result:
    result = click.testing.CliRunner().invoke(cli, words, input=typed)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def test_options_say_everything(here: Path) -> None:
    run(*SERVER)
    path = here / "adjudicator.yaml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    settings = read_settings_file(path)
    (box,) = settings.postboxes
    assert isinstance(box, ImapBox)
    assert (box.place, box.security, box.folder) == ("mail.example.org:1143", "starttls", "Games")
    assert box.password.file == str(here / "imap-password")
    assert isinstance(settings.postman, SmtpOut)
    assert settings.postman.place == "mail.example.org:465"
    assert settings.postman.password == box.password
    assert (settings.title, settings.gm) == ("At Ada's", ("ada@example.org",))


def test_every_line_that_is_a_comment_can_be_uncommented(here: Path) -> None:
    text = run(*SERVER, "--print").stdout
    assert not (here / "adjudicator.yaml").exists()
    before = run(*SERVER, "--config", "a.yaml") and read_settings_file(here / "a.yaml")
    settings = [
        line.replace("#", "", 1) if "# " not in line and not line.endswith(":") else line
        for line in text.splitlines()
    ]
    (here / "b.yaml").write_text("\n".join(settings))
    assert read_settings_file(here / "b.yaml") == before


def test_any_setting_can_be_given_by_an_option(here: Path) -> None:
    others = ("round=5", "log=json", "aliases=[a@example.org]", "postbox.done=none")
    words = [word for other in (*others, "postman.connections=2") for word in ("--setting", other)]
    run(*SERVER, *words)
    settings = read_settings_file(here / "adjudicator.yaml")
    assert (settings.round, settings.log, settings.aliases) == (5, "json", ("a@example.org",))
    assert settings.postboxes[0].done is None
    assert isinstance(settings.postman, SmtpOut)
    assert settings.postman.connections == 2


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("rounds=5", 'did you mean "round"?'),
        ("postbox.hots=x", 'did you mean "host"?'),
        ("post.done=none", "expected a name, postbox.NAME or postman.NAME"),
        ("round=0", "round: 0 is less than 1"),
    ],
)
def test_a_setting_that_is_none_is_refused(here: Path, setting: str, told: str) -> None:
    assert told in run(*SERVER, "--setting", setting, code=1).stderr
    assert not (here / "adjudicator.yaml").exists()


def test_questions_ask_for_the_rest(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    run("init", typed="games@example.org\n\n\n\nmaildir:letters\n")
    settings = read_settings_file(here / "adjudicator.yaml")
    assert settings.postboxes == (MaildirBox(folder=str(here / "post/in")),)
    assert settings.postman == MaildirOut(folder=str(here / "letters"))


def test_a_wrong_answer_is_asked_again_and_no_other_is_lost(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    answers = ("games", "games@example.org", "", "me", "gm@example.org", "pop://x", "maildir:in")
    account = ("imaps://out@example.org", "smtps://out@example.org", "hunter2", "file:password")
    told = run("init", typed="".join(f"{answer}\n" for answer in (*answers, *account)))
    for said in (
        '"games" is not an address',
        '"me" is not an address',
        "imaps://USER@HOST",
        "file:/path",
    ):
        assert said in told.output
    settings = read_settings_file(here / "adjudicator.yaml")
    assert (settings.address, settings.gm) == ("games@example.org", ("gm@example.org",))
    assert settings.postboxes == (MaildirBox(folder=str(here / "in")),)
    assert isinstance(settings.postman, SmtpOut)


def test_nothing_is_asked_where_the_file_exists(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    (here / "adjudicator.yaml").write_text("")
    told = run("init", typed="", code=1)
    assert "adjudicator.yaml already exists" in told.stderr
    assert "Address" not in told.output


def test_who_says_all_that_must_be_there_is_asked_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a block of commands pasted into a terminal: the next one would be taken for an answer
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    places = ("--in", "maildir:in", "--out", "maildir:out")
    run("init", "--address", "g@example.org", *places, typed="adjudicator doctor\n")
    settings = read_settings_file(here / "adjudicator.yaml")
    assert (settings.title, settings.gm) == ("Adjudicator", ())


def test_nobody_to_ask_is_told_which_option_is_missing() -> None:
    assert "'--address'" in run("init", code=2).stderr


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ("imap://games:hunter2@mail.example.org", "leave the password out"),
        ("imaps://mail.example.org", "expected a user"),
        ("pop://games@mail.example.org", "expected imaps://USER@HOST"),
        ("smtp://games@mail.example.org", "expected imaps://USER@HOST"),
        ("imap://games@mail.example.org:port", "expected imaps://USER@HOST"),
    ],
)
def test_a_place_that_is_none_is_refused(changed: str, told: str) -> None:
    words = [changed if word.startswith("imap://") else word for word in SERVER]
    result = run(*words, code=1)
    assert told in result.stderr
    assert "hunter2" not in result.output


def test_a_password_is_a_place_and_no_word() -> None:
    words = ["hunter2" if word == "file:imap-password" else word for word in SERVER]
    result = run(*words, code=1)
    assert "credential:NAME" in result.stderr
    assert "hunter2" not in result.output


def test_a_file_that_is_there_stays(here: Path) -> None:
    run(*SERVER)
    assert "--force" in run(*SERVER, code=1).stderr
    run(*SERVER, "--force")


def test_the_unit_names_what_it_runs_and_where_it_writes(here: Path) -> None:
    run("init", "--address", "g@example.org", "--in", "maildir:in", "--out", "maildir:out")
    (here / "out").mkdir()
    unit = run("init", "--systemd").stdout
    assert f"serve --config {here}/adjudicator.yaml" in unit
    assert "Type=notify" in unit
    assert "WatchdogSec=" in unit
    # what is not there yet is made in the folder that is
    assert f"ReadWritePaths={here} {here}/out" in unit
    assert "RestartPreventExitStatus=2\n" in unit


def test_systemd_understands_the_unit(here: Path) -> None:
    analyze = need_program("systemd-analyze", "systemd-analyze")
    run("init", "--address", "g@example.org", "--in", "maildir:in", "--out", "maildir:out")
    text = run("init", "--systemd").stdout
    program = shutil.which("true")
    text = re.sub(r"ExecStart=\S+( -m adjudicator)?", f"ExecStart={program}", text)
    units = split_units(text)
    for name, content in units.items():
        (here / name).write_text(content)
    command = [analyze, "verify", "--man=no", *(str(here / name) for name in units)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in told.stderr.splitlines() if "adjudicator" in line] == []


def split_units(text: str) -> dict[str, str]:
    """The units that `init --systemd` prints one after the other, by their names."""
    parts = re.split(r"^# /etc/systemd/system/(\S+)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_a_timer_makes_a_checked_backup_every_night(here: Path) -> None:
    run("init", "--address", "g@example.org", "--in", "maildir:in", "--out", "maildir:out")
    units = split_units(run("init", "--systemd").stdout)
    assert list(units) == [
        "adjudicator.service",
        "adjudicator-backup.service",
        "adjudicator-backup.timer",
    ]
    assert "OnCalendar=*-*-* 03:15" in units["adjudicator-backup.timer"]
    found = re.search(
        r"^ExecStart=.* (backup .*)$", units["adjudicator-backup.service"], re.MULTILINE
    )
    assert found
    run("new", "ember", "--kind", "jump-wars", "--seat", "red=A", "--seat", "blue=B", "--start")
    backups = here / "backups"
    backups.mkdir()
    words = found[1].replace("/var/backups/adjudicator", str(backups)).split()
    assert "games replayed: 1" in run(*words).stderr
    assert len(list(backups.iterdir())) == 1


def test_serve_without_settings_is_wrong_usage() -> None:
    result = run("serve", code=2)
    assert "adjudicator init" in result.stderr


def test_settings_that_are_named_but_missing_are_an_error(here: Path) -> None:
    assert "nope.yaml" in run("status", "--config", "nope.yaml", code=1).stderr
    assert "nope.yaml" in run("status", "--config", "nope.yaml", "--home", here, code=1).stderr


def test_status_of_an_empty_home_says_so() -> None:
    assert "adjudicator new" in run("status", code=1).stderr


def test_a_mailbox_of_a_provider_needs_a_client_id(here: Path) -> None:
    oauth = ("--oauth", "google:id-7", "--oauth-secret", "file:client-secret")
    told = run("init", "--address", "games@gmail.com", *oauth)
    assert f"login games@gmail.com --config {here}/adjudicator.yaml" in told.stderr
    settings = read_settings_file(here / "adjudicator.yaml")
    (box,) = settings.postboxes
    assert isinstance(box, ImapBox)
    assert isinstance(settings.postman, SmtpOut)
    assert (box.place, box.user) == ("imap.gmail.com:993", "games@gmail.com")
    assert (settings.postman.place, settings.postman.user) == ("smtp.gmail.com:465", box.user)
    assert box.oauth is not None
    assert box.oauth == settings.postman.oauth
    assert (box.oauth.provider, box.oauth.client_id) == ("google", "id-7")
    assert box.oauth.client_secret == Password(file=str(here / "client-secret"))
    assert box.oauth.folder == str(here / "games" / "logins" / "games@gmail.com")


def test_the_client_secret_of_google_is_needed() -> None:
    told = run("init", "--address", "games@gmail.com", "--oauth", "google:id-7", code=2).stderr
    assert "'--oauth-secret'" in told


def test_whoever_is_asked_for_a_password_may_name_who_gives_tokens(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    box, man = "imaps://g@gmail.com@imap.gmail.com", "smtps://g@gmail.com@smtp.gmail.com"
    tokens = ("oauth:yahoo:x", "oauth:google:id-7", "hunter2", "file:client-secret")
    answers = ("g@gmail.com", "", "", box, *tokens, man)
    told = run("init", typed="".join(f"{answer}\n" for answer in answers))
    assert "expected microsoft:CLIENT_ID, google:CLIENT_ID" in told.output
    assert "login g@gmail.com --config" in told.output
    settings = read_settings_file(here / "adjudicator.yaml")
    (postbox,), postman = settings.postboxes, settings.postman
    assert isinstance(postbox, ImapBox)
    assert isinstance(postman, SmtpOut)
    assert (postbox.user, postbox.place) == ("g@gmail.com", "imap.gmail.com:993")
    assert postbox.oauth == postman.oauth
    assert postbox.oauth is not None
    assert postbox.oauth.client_secret == Password(file=str(here / "client-secret"))


def test_any_issuer_and_user_can_be_named(here: Path) -> None:
    places = ("--in", "imaps://ada@mail.example.org", "--out", "smtps://mail.example.org")
    run("init", "--address", "g@example.org", *places, "--oauth", "https://login.example.org:x")
    (box,) = read_settings_file(here / "adjudicator.yaml").postboxes
    assert isinstance(box, ImapBox)
    assert (box.user, box.password) == ("ada", None)
    assert box.oauth is not None
    assert box.oauth.issuer == "https://login.example.org"


def test_the_servers_of_an_organization_at_microsoft_are_known(here: Path) -> None:
    issuer = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"
    run("init", "--address", "games@contoso.com", "--oauth", f"{issuer}:id-7")
    settings = read_settings_file(here / "adjudicator.yaml")
    assert isinstance(settings.postman, SmtpOut)
    assert settings.postman.place == "smtp.office365.com:587"
    assert settings.postman.oauth is not None
    assert (settings.postman.oauth.issuer, settings.postman.oauth.client_id) == (issuer, "id-7")
    run("init", "--address", "g@hotmail.com", "--oauth", "microsoft:id-7", "--force")
    settings = read_settings_file(here / "adjudicator.yaml")
    assert isinstance(settings.postman, SmtpOut)
    assert settings.postman.place == "smtp-mail.outlook.com:587"


@pytest.mark.parametrize("said", ["yahoo:x", "microsoft", "microsoft:", "http://a:b"])
def test_who_gives_tokens_must_be_known(said: str) -> None:
    told = run("init", "--address", "g@example.org", "--oauth", said, code=1).stderr
    assert "expected microsoft:CLIENT_ID, google:CLIENT_ID or https://ISSUER:CLIENT_ID" in told
