"""Consent: by a code typed in elsewhere, or by a browser that comes back; nobody else gets in."""

import json
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.accounts import OAuth, Secret
from adjudicator.adapters.mail.oauth.consent import (
    Applicant,
    Visit,
    await_code,
    await_visitor,
    begin_visit,
    request_code,
)
from adjudicator.adapters.mail.oauth.http import TokenAnswer, TokenHttp
from adjudicator.adapters.mail.oauth.issuers import PROVIDERS, find_issuer
from adjudicator.adapters.mail.oauth.loopback import Loopback, open_loopback
from adjudicator.adapters.mail.troubles import TokenTrouble
from adjudicator.desk.model.errors import Refused
from tests.adapters.oauth.conftest import START, USER, Clock, OpenLogin
from tests.servers.tokend import CLIENT, CLIENT_SECRET, TokenServer

# --- by a code ---


def wait(applicant: Applicant, clock: Clock) -> TokenAnswer:
    return await_code(applicant, request_code(applicant), clock=clock, sleep=clock.sleep)


def test_a_code_is_asked_for_until_somebody_has_typed_it_in(
    tokens: TokenServer, applicant: Applicant, clock: Clock, open_login: OpenLogin
) -> None:
    code = request_code(applicant)
    assert (code.place, code.code) == (f"{tokens.url}/activate", "WXYZ-1234")
    assert "device-code-1" not in repr(code)
    tokens.polls = ["authorization_pending", "slow_down", "authorization_pending"]
    began = clock.now
    answer = await_code(applicant, code, clock=clock, sleep=clock.sleep)
    assert clock.now - began == 5 + 5 + 10 + 10  # after slow_down each pause is longer
    applicant.keep(answer, START)
    assert open_login().find_token()
    assert tokens.grants[0].scope == "openid email offline_access"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("access_denied", "consent was declined in the browser; nothing was changed"),
        ("authorization_declined", "consent was declined in the browser"),
        ("expired_token", "the code was not typed in in time"),
        ("bad_verification_code", "the code was not typed in in time"),
    ],
)
def test_a_code_that_comes_to_nothing(
    tokens: TokenServer, applicant: Applicant, clock: Clock, token_file: Path, said: str, told: str
) -> None:
    tokens.polls = ["authorization_pending", said]
    with pytest.raises(Refused, match=told):
        wait(applicant, clock)
    assert not token_file.exists()


def test_a_code_that_nobody_types_in_is_given_up(
    tokens: TokenServer, applicant: Applicant, clock: Clock
) -> None:
    tokens.polls = ["authorization_pending"] * 1000
    with pytest.raises(Refused, match="ask for another one by the same command"):
        wait(applicant, clock)
    assert len(tokens.polls) == 1000 - 900 // 5


def test_a_token_server_that_stumbles_while_we_wait_is_asked_again_less_often(
    tokens: TokenServer, applicant: Applicant, clock: Clock
) -> None:
    code = request_code(applicant)
    tokens.answers["/token"] = (502, {}, b"")

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        if clock.now - began > 30:
            tokens.answers.clear()

    began = clock.now
    assert await_code(applicant, code, clock=clock, sleep=sleep).is_well
    assert clock.now - began == 5 + 10 + 20


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"user_code": None}, "without a code to type in"),
        ({"device_code": 7}, "without a code to type in"),
        ({"verification_uri": ["x"]}, "without a code to type in"),
        ({"verification_uri": "http://evil.example/"}, "begins with https://"),
        ({"verification_uri": "https://a b/\x1b[2J"}, "begins with https://"),
    ],
)
def test_a_code_that_cannot_be_typed_in_is_not_shown(
    tokens: TokenServer, applicant: Applicant, changes: dict[str, object], told: str
) -> None:
    good = {"device_code": "d", "user_code": "u", "verification_uri": f"{tokens.url}/x"}
    tokens.answers["/device"] = (200, {}, json.dumps({**good, **changes}).encode())
    with pytest.raises((Refused, TokenTrouble), match=told):
        request_code(applicant)


def test_a_server_without_end_is_not_waited_for_without_end(
    tokens: TokenServer, applicant: Applicant
) -> None:
    good = {"device_code": "d", "user_code": "u", "verification_uri": f"{tokens.url}/x"}
    odd = {**good, "expires_in": 10**9, "interval": 10**9}
    tokens.answers["/device"] = (200, {}, json.dumps(odd).encode())
    code = request_code(applicant)
    assert (code.seconds, code.pause) == (3600, 60)


def test_a_client_secret_is_shown_to_the_token_server(
    tokens: TokenServer, applicant: Applicant, clock: Clock
) -> None:
    tokens.needs_secret = True
    with pytest.raises(TokenTrouble, match="check client_id, client_secret and scopes"):
        request_code(applicant)
    known = replace(applicant, secret=Secret(CLIENT_SECRET))
    assert wait(known, clock).is_well
    assert CLIENT_SECRET not in repr(known)


def test_consent_without_a_refresh_token_is_of_no_use(
    tokens: TokenServer, applicant: Applicant, token_file: Path, clock: Clock
) -> None:
    code = request_code(applicant)
    given = {"access_token": "access-1", "token_type": "bearer"}
    tokens.answers["/token"] = (200, {}, json.dumps(given).encode())
    answer = await_code(applicant, code, clock=clock, sleep=clock.sleep)
    with pytest.raises(TokenTrouble, match="no refresh token; `scopes` may need offline_access"):
        applicant.keep(answer, START)
    assert not token_file.exists()


# --- by a browser ---


@pytest.fixture
def door() -> Iterator[Loopback]:
    with open_loopback() as opened:
        yield opened


@pytest.fixture
def visit(door: Loopback) -> Visit:
    return begin_visit(f"http://127.0.0.1:{door.port}")


def consent(tokens: TokenServer, applicant: Applicant, visit: Visit) -> str:
    """The browser asks the issuer, whose user consents; returns where it is sent back to."""
    context = ssl.create_default_context(cafile=tokens.authority)
    parts = urlsplit(visit.make_address(applicant))
    browser = HTTPSConnection(parts.netloc, context=context)
    browser.request("GET", f"{parts.path}?{parts.query}")
    place = browser.getresponse().headers["Location"]
    browser.close()
    return place


def in_background(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_a_browser_that_comes_back_brings_the_code(
    tokens: TokenServer,
    applicant: Applicant,
    door: Loopback,
    visit: Visit,
    open_login: OpenLogin,
) -> None:
    shown: list[str] = []
    refused: list[str] = []

    def browse() -> None:
        with urlopen(f"http://127.0.0.1:{door.port}/favicon.ico") as page:
            page.read()
        socket.create_connection(("127.0.0.1", door.port)).close()  # as browsers do ahead
        with urlopen(consent(tokens, applicant, visit)) as page:
            shown.append(page.read().decode())

    browser = in_background(browse)
    answer = await_visitor(applicant, visit, door.list_addresses(60), refused.append)
    browser.join()
    applicant.keep(answer, START)
    assert open_login().find_token()
    assert "Go back to the terminal" in shown[0]
    assert refused == ["/favicon.ico", ""]


def test_the_address_asks_for_what_is_needed_and_tells_no_secret(
    applicant: Applicant, visit: Visit
) -> None:
    address = visit.make_address(replace(applicant, secret=Secret(CLIENT_SECRET)))
    query = {name: one[0] for name, one in parse_qs(urlsplit(address).query).items()}
    assert query["client_id"] == CLIENT
    assert query["code_challenge_method"] == "S256"
    assert query["login_hint"] == USER
    assert query["redirect_uri"] == visit.redirect
    assert visit.verifier not in address
    assert CLIENT_SECRET not in address
    assert visit.state not in repr(visit)
    assert len(query["state"]) >= 32


def test_over_ssh_the_address_of_the_last_page_is_pasted(
    tokens: TokenServer, applicant: Applicant, door: Loopback, visit: Visit
) -> None:
    reading, writing = os.pipe()
    refused: list[str] = []

    def paste() -> None:
        os.write(writing, b"what?\n")
        os.write(writing, f"  {consent(tokens, applicant, visit)}\n".encode())
        os.close(writing)

    person = in_background(paste)
    addresses = door.list_addresses(60, reading)
    assert await_visitor(applicant, visit, addresses, refused.append).is_well
    person.join()
    os.close(reading)


def test_a_keyboard_that_is_gone_leaves_the_browser(
    tokens: TokenServer, applicant: Applicant, door: Loopback, visit: Visit
) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    browser = in_background(lambda: urlopen(consent(tokens, applicant, visit)).close())
    addresses = door.list_addresses(60, reading)
    assert await_visitor(applicant, visit, addresses, lambda _: None).is_well
    browser.join()
    os.close(reading)


@pytest.mark.parametrize(
    "address",
    ["/?code=stolen", "/?code=stolen&state=guessed", "/?state=%ff&code=x", "//[", "/?" + "a&" * 99],
)
def test_whoever_comes_without_our_state_is_refused(visit: Visit, address: str) -> None:
    assert visit.read_code(address) is None


def test_a_code_of_somebody_else_is_worth_nothing(
    tokens: TokenServer, applicant: Applicant, visit: Visit
) -> None:
    place = consent(tokens, applicant, visit)
    thief = replace(visit, verifier="x" * 64)
    with pytest.raises(TokenTrouble, match="invalid_grant: no such code"):
        await_visitor(applicant, thief, [place], lambda _: None)


def test_no_consent_ends_the_visit(applicant: Applicant, visit: Visit) -> None:
    back = f"/?error=access_denied&state={visit.state}&error_description=the+user+said%0Ano"
    with pytest.raises(Refused, match=r"consent was not given \(the user said no\)"):
        await_visitor(applicant, visit, [back], lambda _: None)


def test_nobody_comes_back(applicant: Applicant, door: Loopback, visit: Visit) -> None:
    with pytest.raises(Refused, match="nobody came back from the browser in time"):
        await_visitor(applicant, visit, door.list_addresses(0.01), lambda _: None)


@pytest.mark.parametrize("request_", [b"GET / " + b"x" * 20_000, b"POST / HTTP/1.1\r\n\r\n", b""])
def test_the_door_does_not_stumble_over_odd_visitors(door: Loopback, request_: bytes) -> None:
    with socket.create_connection(("127.0.0.1", door.port)) as visitor:
        visitor.sendall(request_)
        visitor.shutdown(socket.SHUT_WR)
        assert next(door.list_addresses(60)) == ""


# --- whom to ask ---


def test_the_providers_ask_for_mail_and_for_a_refresh_token() -> None:
    microsoft, google = PROVIDERS["microsoft"], PROVIDERS["google"]
    assert {one.rpartition("/")[2] for one in microsoft.scopes} == {
        *("IMAP.AccessAsUser.All", "SMTP.Send", "offline_access")
    }
    assert microsoft.device
    assert google.scopes == ("https://mail.google.com/",)
    assert not google.device  # it has one, but not for mail
    assert google.asks["access_type"] == "offline"


class Metadata(TokenHttp):
    """A token server elsewhere that publishes this."""

    def __init__(self, **content: str) -> None:
        self.content = content

    def ask(self, url: str, form: Mapping[str, str] | None = None) -> TokenAnswer:
        assert (url, form) == (f"{self.content['issuer']}/.well-known/openid-configuration", None)
        return TokenAnswer("the token server", 200, self.content)


def test_an_organization_s_directory_is_asked_as_microsoft_is() -> None:
    place = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47"
    ends = {f"{name}_endpoint": f"{place}/{name}" for name in ("token", "authorization")}
    directory = Metadata(issuer=f"{place}/v2.0", **ends)
    found = find_issuer(OAuth(client_id=CLIENT, issuer=f"{place}/v2.0"), directory)
    common = PROVIDERS["microsoft"]
    assert found.token == f"{place}/token"
    assert (found.scopes, found.host, found.asks) == (common.scopes, "localhost", common.asks)


def test_scopes_of_the_settings_go_first(tokens: TokenServer, http: TokenHttp) -> None:
    oauth = OAuth(client_id=CLIENT, issuer=tokens.url, scopes=("mail", "offline_access"))
    assert find_issuer(oauth, http).scopes == ("mail", "offline_access")


def test_an_issuer_may_publish_only_the_metadata_of_oauth(
    tokens: TokenServer, http: TokenHttp
) -> None:
    issuer = f"{tokens.url}/realms/club"
    told = {"issuer": issuer, "token_endpoint": f"{tokens.url}/token"}
    told["authorization_endpoint"] = f"{tokens.url}/authorize"
    tokens.answers["/realms/club/.well-known/openid-configuration"] = (404, {}, b"{}")
    path = "/.well-known/oauth-authorization-server/realms/club"
    tokens.answers[path] = (200, {}, json.dumps(told).encode())
    found = find_issuer(OAuth(client_id=CLIENT, issuer=issuer), http)
    assert (found.token, found.device) == (f"{tokens.url}/token", "")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"issuer": "https://evil.example"}, "calls itself https://evil.example; write it"),
        ({"issuer": None}, "calls itself None"),
        ({"token_endpoint": "http://localhost/token"}, "begins with https://"),
        ({"token_endpoint": None}, "its metadata name no token_endpoint"),
        ({"authorization_endpoint": 5}, "its metadata name no authorization_endpoint"),
        ({"device_authorization_endpoint": ["x"]}, "name no device_authorization_endpoint"),
    ],
)
def test_metadata_that_would_lead_elsewhere_are_refused(
    tokens: TokenServer, http: TokenHttp, changes: dict[str, object], told: str
) -> None:
    document = json.dumps({**tokens._describe(), **changes}).encode()
    tokens.answers["/.well-known/openid-configuration"] = (200, {}, document)
    with pytest.raises(Refused, match=told):
        find_issuer(OAuth(client_id=CLIENT, issuer=tokens.url), http)


def test_an_issuer_that_publishes_nothing(tokens: TokenServer, http: TokenHttp) -> None:
    for path in ("openid-configuration", "oauth-authorization-server"):
        tokens.answers[f"/.well-known/{path}"] = (404, {}, b'{"error": "not_found"}')
    with pytest.raises(Refused, match=r"publishes no metadata \(not_found\); check the address"):
        find_issuer(OAuth(client_id=CLIENT, issuer=tokens.url), http)


def test_a_token_server_without_a_trusted_certificate_is_not_asked(tokens: TokenServer) -> None:
    with pytest.raises(TokenTrouble, match="the certificate is not trusted"):
        find_issuer(OAuth(client_id=CLIENT, issuer=tokens.url), TokenHttp())
    assert tokens.asked == []
