"""The command `login`, as a GM uses it: at a terminal, with a browser here or elsewhere."""

import gzip
import json
import os
import re
import ssl
import subprocess
from functools import partial
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import click.testing
import pytest

from adjudicator.adapters.mail.oauth.consent import await_code
from adjudicator.cli.app import cli
from adjudicator.cli.keeping import login as command
from tests.adapters.oauth.conftest import Clock, Mailbox
from tests.servers.nursery import open_nursery
from tests.servers.tokend import CLIENT, TokenServer


@pytest.fixture
def mailbox(shared: TokenServer, mailbox: Mailbox, tmp_path: Path) -> Mailbox:
    """A mailbox to which nobody has logged in, with settings that name it twice."""
    (Path(mailbox.oauth.folder) / "token.json").unlink()
    shared.grants.clear()
    shared.asked.clear()
    oauth = {"issuer": shared.url, "client_id": CLIENT}
    place = {"host": "localhost", "port": mailbox.dovecot.imaps, "authority": shared.authority}
    box = {"kind": "imap", **place, "user": mailbox.user, "oauth": oauth}
    settings = {"address": mailbox.user, "home": "home", "postboxes": [box]}
    settings |= {"postman": {"kind": "maildir", "folder": "out"}}
    (tmp_path / "adjudicator.yaml").write_text(json.dumps(settings))
    return mailbox


def run(folder: Path, *words: str, code: int = 0) -> click.testing.Result:
    line = [*words, "--config", str(folder / "adjudicator.yaml")]
    result = click.testing.CliRunner().invoke(cli, line)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def test_with_a_code(
    mailbox: Mailbox, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "await_code", partial(await_code, clock=clock, sleep=clock.sleep))
    mailbox.tokens.polls = ["authorization_pending"]
    told = run(tmp_path, "login", mailbox.user)
    assert told.stderr == (
        f"Open {mailbox.tokens.url}/activate in any browser and type in this code: WXYZ-1234\n"
        f"Log in there as {mailbox.user} and consent. The code is good for 15 minutes. Waiting;"
        " Ctrl-C stops.\n"
    )
    assert told.stdout.startswith(
        f"{mailbox.user}: consent is kept\n"
        f"ok     postbox: localhost:{mailbox.dovecot.imaps}: {mailbox.user} can log in (tls)"
        f" with tokens of {mailbox.tokens.url}, consent given "
    )
    [kept] = (tmp_path / "home" / "logins").rglob("*.json")
    assert kept.parent.name == mailbox.user
    assert "refresh-" not in told.output
    assert "access-" not in told.output
    doctor = run(tmp_path, "doctor").stdout
    assert f"ok     postbox: localhost:{mailbox.dovecot.imaps}: {mailbox.user} can log in" in doctor


def test_a_backup_leaves_logins_out(
    mailbox: Mailbox, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "await_code", partial(await_code, clock=clock, sleep=clock.sleep))
    run(tmp_path, "login", mailbox.user)
    home = ("--home", str(tmp_path / "home"))
    bundle = tmp_path / "home.bundle"
    for words in (
        ("new", "ember", "--kind", "jump-wars", "--seat", "red=A", "--seat", "blue=B", *home),
        ("backup", str(bundle), *home),
    ):
        result = click.testing.CliRunner().invoke(cli, words)
        assert result.exit_code == 0, result.output
    assert list((tmp_path / "home" / "logins").rglob("token.json"))
    content = gzip.decompress(bundle.read_bytes())
    assert b"adjudicator.db" in content
    assert not any(word in content for word in (b"token.json", b"refresh-", b"access-"))


def browse(address: str, authority: str) -> str:
    """The owner consents; returns where their browser is sent."""
    parts = urlsplit(address)
    issuer = HTTPSConnection(parts.netloc, context=ssl.create_default_context(cafile=authority))
    issuer.request("GET", f"{parts.path}?{parts.query}")
    place = issuer.getresponse().headers["Location"]
    issuer.close()
    return place


@pytest.mark.parametrize("pasted", [False, True])
def test_with_a_browser(mailbox: Mailbox, tmp_path: Path, *, pasted: bool) -> None:
    words = ["login", mailbox.user, "--browser", "--config", tmp_path / "adjudicator.yaml"]
    with subprocess.Popen(
        [open_nursery().program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    ) as program:
        assert program.stderr is not None
        assert program.stdin is not None
        address = next(line.strip() for line in program.stderr if line.startswith("https://"))
        place = browse(address, mailbox.tokens.authority)
        assert re.match(r"http://127\.0\.0\.1:\d+\?code=", place)
        if pasted:
            program.stdin.write(f"{place}\n")
            program.stdin.flush()
        else:
            urlopen(place).close()
        out, _ = program.communicate(timeout=60)
    assert program.returncode == 0
    assert f"{mailbox.user} can log in (tls) with tokens of" in out


def test_a_mailbox_that_the_settings_do_not_name(mailbox: Mailbox, tmp_path: Path) -> None:
    told = run(tmp_path, "login", "gmaes@game.test", code=1).stderr
    assert (
        f"names no mailbox gmaes@game.test with `oauth`; `oauth` is set for {mailbox.user}" in told
    )


def test_consent_to_a_mailbox_that_stays_closed_is_kept_and_said(
    mailbox: Mailbox, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "await_code", partial(await_code, clock=clock, sleep=clock.sleep))
    mailbox.tokens.answers["/introspect"] = (200, {}, b'{"active": false}')
    told = run(tmp_path, "login", mailbox.user, "--json", code=1)
    [check] = json.loads(told.stdout)["checks"]
    assert not check["well"]
    assert f"the login of {mailbox.user} was rejected" in check["words"]


def test_before_anybody_has_logged_in_the_daemon_does_not_start(
    mailbox: Mailbox, tmp_path: Path
) -> None:
    told = run(tmp_path, "serve", code=2).stderr
    assert f"nobody has logged in as {mailbox.user} yet; run `adjudicator login" in told
    doctor = run(tmp_path, "doctor", code=1).stdout
    assert f"WRONG  postbox: nobody has logged in as {mailbox.user} yet; run `adjud" in doctor
