"""Doctor tries everything that the daemon's settings name."""

from pathlib import Path
from typing import Any

import pytest

from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.postfix import Postfix


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "adjudicator.yaml"


def test_a_house_of_maildirs_is_well(gm: Any, config: Path, tmp_path: Path) -> None:
    config.write_text(
        "home: home\naddress: gm@game.test\n"
        "postboxes: [{kind: maildir, folder: in}]\npostman: {kind: maildir, folder: out}\n"
    )
    told = gm("doctor", "--config", config).stdout
    assert f"ok     settings: {config}\n" in told
    assert f"ok     postbox: {tmp_path}/in does not exist yet; it will be made when needed" in told
    assert f"ok     postman: {tmp_path}/out does not exist yet" in told
    assert not (tmp_path / "in").exists()


def test_a_house_on_real_servers_is_well(
    gm: Any, config: Path, dovecot: Dovecot, postfix: Postfix
) -> None:
    user = dovecot.user()
    password = config.with_name("password")
    password.write_text(PASSWORD)
    password.chmod(0o600)
    config.write_text(
        f"address: {user}@game.test\npostboxes:\n"
        f"- {{kind: imap, host: localhost, port: {dovecot.imaps}, user: {user},"
        f" password: {{file: password}}, authority: {dovecot.authority}}}\n"
        f"postman: {{kind: smtp, host: localhost, port: {postfix.smtps}, user: {user},"
        f" password: {{file: password}}, authority: {postfix.authority}}}\n"
    )
    told = gm("doctor", "--config", config).stdout
    assert f"ok     postbox: localhost:{dovecot.imaps}: {user} can log in (tls)" in told
    assert f"ok     postman: localhost:{postfix.smtps}: {user} can log in (tls)" in told
    password.chmod(0o644)
    told = gm("doctor", "--config", config, code=1).stdout
    assert f"WRONG  postbox: {password}: mode 644, others can read this password; chmod" in told


def test_settings_that_cannot_be_read_are_one_finding_of_many(gm: Any, config: Path) -> None:
    config.write_text("address: gm@game.test\n")
    told = gm("doctor", "--config", config, code=1).stdout
    assert f"WRONG  settings: {config}: " in told
    assert "ok     python" in told


def test_settings_that_were_named_must_be_there(gm: Any, config: Path) -> None:
    told = gm("doctor", "--config", config, code=1).stdout
    assert f"WRONG  settings: {config} is not there; `adjudicator init` writes one" in told


def test_without_settings_there_is_nothing_to_tell_of_the_mail(gm: Any) -> None:
    assert not {sign["what"] for sign in gm.json("doctor")} & {"settings", "postbox", "postman"}
