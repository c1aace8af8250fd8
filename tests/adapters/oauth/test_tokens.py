"""Tokens over weeks: renewed in time, by one program at a time, and never lost or shown."""

import json
import os
import socket
import stat
import threading
from pathlib import Path

import pytest

from adjudicator.adapters.mail.oauth.consent import Applicant
from adjudicator.adapters.mail.oauth.http import TokenHttp
from adjudicator.adapters.mail.oauth.login import Login
from adjudicator.adapters.mail.oauth.tokens import Tokens
from adjudicator.adapters.mail.troubles import LoginExpired, TokenTrouble
from tests.adapters.oauth.conftest import START, USER, Clock, OpenLogin, reveal
from tests.servers.tokend import Reply, TokenServer

HOUR = 3600


def kept(path: Path) -> dict[str, str]:
    return dict(json.loads(path.read_text()))


# --- renewed in time ---


def test_a_token_is_used_until_shortly_before_it_ends(
    tokens: TokenServer, login: Login, clock: Clock
) -> None:
    first = reveal(login.find_token())
    clock.now += HOUR - 301
    assert reveal(login.find_token()) == first
    clock.now += 2
    assert reveal(login.find_token()) != first
    assert tokens.count("refresh_token") == 2  # the first one is of the consent


def test_a_short_life_has_a_short_margin(tokens: TokenServer, login: Login, clock: Clock) -> None:
    tokens.lifetime = 40
    clock.now += HOUR
    first = reveal(login.find_token())
    clock.now += 29
    assert reveal(login.find_token()) == first
    clock.now += 2
    assert reveal(login.find_token()) != first


@pytest.mark.parametrize("told", [None, "soon", -5, 0, True, [], "1e999", 10**40])
def test_whatever_a_server_says_of_the_life_of_a_token_it_ends(
    tokens: TokenServer, login: Login, clock: Clock, told: object
) -> None:
    tokens.lifetime = told
    clock.now += HOUR
    first = reveal(login.find_token())
    clock.now += 8 * 86400
    assert reveal(login.find_token()) != first


def test_a_life_that_is_written_as_text_is_read(
    tokens: TokenServer, login: Login, clock: Clock
) -> None:
    tokens.lifetime = "7200"
    clock.now += HOUR
    first = reveal(login.find_token())
    clock.now += 6800
    assert reveal(login.find_token()) == first


def test_a_token_that_is_rejected_is_renewed_though_it_should_be_good(login: Login) -> None:
    first = login.find_token()
    second = login.find_token(first)
    assert reveal(second) != reveal(first)
    assert reveal(login.find_token(first)) == reveal(second)


@pytest.mark.parametrize("jump", [-30 * 86400, 30 * 86400])
def test_a_clock_that_jumps_renews_once(
    tokens: TokenServer, login: Login, clock: Clock, jump: float
) -> None:
    login.find_token()
    clock.now += jump
    second = reveal(login.find_token())
    assert reveal(login.find_token()) == second
    assert tokens.count("refresh_token") == 2


# --- kept ---


def test_the_file_is_for_its_owner_only_and_shows_itself_to_nobody(
    login: Login, token_file: Path
) -> None:
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(token_file.parent.stat().st_mode) == 0o700
    assert [path.name for path in token_file.parent.iterdir()] == ["token.json"]
    held = login.read()
    assert isinstance(held, Tokens)
    assert "access-" not in repr(held)
    assert "refresh-" not in f"{held}"


def test_who_owns_the_login_still_owns_it_after_root_has_looked(
    login: Login, clock: Clock, token_file: Path
) -> None:
    owner = os.geteuid() or 65534
    for path in (token_file.parent, token_file):
        os.chown(path, owner, -1)
    clock.now += HOUR
    assert login.find_token()
    assert token_file.stat().st_uid == owner


def test_a_new_refresh_token_is_on_disk_before_it_is_used(
    tokens: TokenServer, login: Login, clock: Clock, token_file: Path, open_login: OpenLogin
) -> None:
    tokens.rotates = True
    for _ in range(3):
        clock.now += HOUR
        before = kept(token_file)["refresh_token"]
        token = reveal(login.find_token())
        assert kept(token_file)["refresh_token"] != before
        assert kept(token_file)["access_token"] == token
        login = open_login()  # another program, or this one after a crash
    assert kept(token_file)["since"] == START.isoformat()


def test_a_disk_that_is_full_loses_no_refresh_token(
    tokens: TokenServer, login: Login, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens.rotates = True
    clock.now += HOUR
    with monkeypatch.context() as full:
        full.setattr(
            "adjudicator.adapters.mail.oauth.tokens.replace_file",
            lambda *_a, **_k: (_ for _ in ()).throw(OSError(28, "No space left on device")),
        )
        first = reveal(login.find_token())
        clock.now += HOUR
        assert reveal(login.find_token()) != first
    clock.now += HOUR
    assert login.find_token()
    assert login._unsaved is None


def test_many_programs_renew_one_after_the_other(
    tokens: TokenServer, login: Login, clock: Clock, open_login: OpenLogin
) -> None:
    assert login
    tokens.rotates = True  # a second renewal with the same token would end everything
    clock.now += HOUR
    found: list[str] = []

    def renew(program: Login) -> None:
        found.append(reveal(program.find_token()))

    threads = [threading.Thread(target=renew, args=(open_login(),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert tokens.count("refresh_token") == 2


# --- consent that ends ---


def test_consent_that_has_expired_is_told_with_the_command_and_not_asked_for_again(
    tokens: TokenServer, login: Login, clock: Clock, open_login: OpenLogin
) -> None:
    tokens.revoke()
    clock.now += HOUR
    asked = tokens.count("refresh_token")
    for one in (login, login, open_login()):
        with pytest.raises(LoginExpired) as expired:
            one.find_token()
        words = str(expired.value)
        assert words == (
            f"the consent for {USER} is no longer valid (invalid_grant: AADSTS70008: the refresh"
            f" token has expired (…)); run `adjudicator login {USER}`"
        )
    assert tokens.count("refresh_token") == asked + 1


def test_after_a_new_consent_a_running_program_goes_on(
    tokens: TokenServer, login: Login, clock: Clock, applicant: Applicant
) -> None:
    tokens.revoke()
    clock.now += HOUR
    with pytest.raises(LoginExpired):
        login.find_token()
    form = {"grant_type": "refresh_token", "refresh_token": tokens.consent().refresh}
    applicant.keep(applicant.ask_token(form), START)
    clock.now = START.timestamp()
    assert login.find_token()


@pytest.mark.parametrize("error", ["interaction_required", "consent_required"])
def test_what_only_a_person_can_answer_ends_a_login(
    tokens: TokenServer, login: Login, clock: Clock, error: str
) -> None:
    tokens.answers["/token"] = (400, {}, json.dumps({"error": error}).encode())
    clock.now += HOUR
    with pytest.raises(LoginExpired):
        login.find_token()


def test_nobody_has_logged_in_yet(open_login: OpenLogin) -> None:
    with pytest.raises(LoginExpired, match=f"nobody has logged in as {USER} yet; run `adj"):
        open_login().require_made()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"issuer": 1}', "\udcff"])
def test_a_damaged_file_asks_for_a_login(login: Login, token_file: Path, content: str) -> None:
    token_file.write_text(content, errors="surrogateescape")
    with pytest.raises(LoginExpired, match=r"token.json is damaged; run `adjudicator login"):
        login.find_token()


def test_another_client_id_asks_for_a_login(
    login: Login, applicant: Applicant, open_login: OpenLogin, token_file: Path
) -> None:
    assert login
    changed = token_file.read_text().replace(applicant.oauth.client_id, "another")
    token_file.write_text(changed)
    with pytest.raises(LoginExpired, match="for another provider or client id"):
        open_login().find_token()


# --- token servers that fail, or worse ---

HTML = b"<!doctype html><title>Maintenance</title>"
GOOD = {"token_type": "Bearer", "access_token": "access-x", "expires_in": 60}


def document(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


TRANSIENT: dict[str, tuple[Reply, str]] = {
    "broken": ((503, {}, HTML), r"it cannot answer now \(HTTP 503\)"),
    "hurried": ((429, {"Retry-After": "5"}, b"{}"), r"it cannot answer now \(HTTP 429\)"),
    "html": ((200, {}, HTML), r"it answered something else than JSON \(HTTP 200\)"),
    "html refusal": ((400, {}, HTML), r"something else than JSON \(HTTP 400\)"),
    "a list": ((200, {}, b"[1]"), "something else than JSON"),
    "deep": ((200, {}, b"[" * 60_000), "something else than JSON"),
    "huge": ((200, {}, b" " * 70_000 + b"{}"), "the answer is longer than 64 KB"),
    "elsewhere": ((302, {"Location": "http://localhost:1/"}, b""), "it sends us elsewhere"),
    "elsewhere, kept": ((307, {"Location": "https://localhost:1/"}, b""), "it sends us elsewhere"),
    "no token": ((200, {}, document(access_token=None)), "without a usable token"),
    "a number": ((200, {}, document(access_token=5)), "without a usable token"),
    "two lines": ((200, {}, document(access_token="a\r\nb")), "without a usable token"),
    "smuggled": ((200, {}, document(access_token="a\1user=root\1")), "without a usable token"),
    "endless": ((200, {}, document(access_token="a" * 20_000)), "without a usable token"),
    "a refresh list": ((200, {}, document(refresh_token=["a"])), "without a usable token"),
    "mac": ((200, {}, document(token_type="mac")), "tokens of another kind than bearer"),
    "no kind": ((200, {}, document(token_type=[])), "tokens of another kind than bearer"),
}


@pytest.mark.parametrize("name", TRANSIENT)
def test_a_hostile_answer_is_a_trouble_and_changes_nothing(
    tokens: TokenServer, login: Login, clock: Clock, token_file: Path, name: str
) -> None:
    reply, told = TRANSIENT[name]
    before = token_file.read_bytes()
    clock.now += HOUR
    tokens.answers["/token"] = reply
    with pytest.raises(TokenTrouble, match=rf"the token server localhost:\d+: .*{told}") as trouble:
        login.find_token()
    assert not isinstance(trouble.value, LoginExpired)
    assert token_file.read_bytes() == before
    del tokens.answers["/token"]
    assert login.find_token()


def test_a_server_that_dribbles_or_says_nothing_is_not_waited_for(tokens: TokenServer) -> None:
    hurried = TokenHttp(tokens.authority, patience=0.2)
    tokens.dribble = 0.01
    with pytest.raises(TokenTrouble, match="no answer in time"):
        hurried.ask(f"{tokens.url}/.well-known/openid-configuration")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://localhost:{silent.getsockname()[1]}/token"
        with pytest.raises(TokenTrouble, match="no answer in time"):
            hurried.ask(url, {})


def test_while_the_token_server_fails_the_old_token_is_used_as_long_as_it_is_good(
    tokens: TokenServer, login: Login, clock: Clock
) -> None:
    first = login.find_token()
    tokens.answers["/token"] = (500, {}, b"")
    clock.now += HOUR - 10
    assert reveal(login.find_token()) == reveal(first)
    with pytest.raises(TokenTrouble):
        login.find_token(first)


def test_a_client_that_is_refused_is_told_so_and_tried_seldom(
    tokens: TokenServer, login: Login, clock: Clock
) -> None:
    tokens.needs_secret = True
    clock.now += HOUR
    with pytest.raises(TokenTrouble, match=r"invalid_client: who are you\?.*client_secret") as told:
        login.find_token()
    assert told.value.slow
    assert not isinstance(told.value, LoginExpired)


def test_what_a_server_says_shows_no_secret_and_is_one_line(
    tokens: TokenServer, login: Login, clock: Clock, token_file: Path
) -> None:
    refresh = kept(token_file)["refresh_token"]
    words = f"you said\n\x1b[31m{refresh}\x1b[0m " + "x" * 1000
    error = {"error": refresh, "error_description": words}
    tokens.answers["/token"] = (400, {}, json.dumps(error).encode())
    clock.now += HOUR
    with pytest.raises(TokenTrouble) as trouble:
        login.find_token()
    told = str(trouble.value)
    assert refresh not in told
    assert told.isprintable()
    assert len(told) < 600


def test_a_server_that_is_away_or_not_to_be_trusted_is_told_in_plain_words(
    tokens: TokenServer, login: Login, clock: Clock, open_login: OpenLogin, token_file: Path
) -> None:
    clock.now += HOUR
    away = kept(token_file)["endpoint"].replace(tokens.url, "https://localhost:1")
    token_file.write_text(json.dumps({**kept(token_file), "endpoint": away}))
    with pytest.raises(TokenTrouble, match="the token server localhost:1: the connection was ref"):
        login.find_token()
