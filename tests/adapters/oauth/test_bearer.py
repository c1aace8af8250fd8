"""What is said to a mail server, to the byte, and what is made of its answers."""

import asyncio
import base64

import pytest
from aiosmtplib import SMTPAuthenticationError, SMTPResponse

from adjudicator.adapters.mail.accounts import ImapBox, OAuth, Secret
from adjudicator.adapters.mail.imap_client import enter_mailbox
from adjudicator.adapters.mail.oauth.bearer import Bearer
from adjudicator.adapters.mail.oauth.faults import hide_secrets, read_challenge
from adjudicator.adapters.mail.oauth.login import Login
from adjudicator.adapters.mail.troubles import TokenRejected, TokenTrouble, is_wrong_password
from tests.servers.imapd import Script, imapd

# the examples of RFC 7628 (4.1) and of Google's page on XOAUTH2
OAUTHBEARER = (
    "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9QmVhcmVyI"
    "HZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB"
)
XOAUTH2 = (
    "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52"
    "YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ=="
)
PLACE = ("server.example.com", 143)
BEARER = Bearer("user@example.com", Secret("vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg=="), PLACE)
GOOGLES = Bearer(
    "someuser@example.com", Secret("ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"), PLACE
)


class Smtp:
    """A server that offers these mechanisms and says these things in turn."""

    def __init__(self, offered: str, *replies: tuple[int, str]) -> None:
        self.server_auth_methods = offered.split()
        self.heard: list[bytes] = []
        self._replies = list(replies)

    async def execute_command(self, *words: bytes) -> SMTPResponse:
        self.heard.append(b" ".join(words))
        return SMTPResponse(*self._replies.pop(0))


class Ready(Login):
    """A login that has a token."""

    def __init__(self) -> None:
        """Without a token server."""

    def find_token(self, rejected: Secret | None = None) -> Secret:
        assert rejected is None
        return Secret("token")


def log_in(smtp: Smtp, bearer: Bearer = BEARER) -> None:
    asyncio.run(bearer.log_in_to_smtp(smtp))  # type: ignore[arg-type]  # all it needs of one


def test_the_examples_of_the_standards() -> None:
    smtp = Smtp("plain oauthbearer xoauth2", (235, "ok"))
    log_in(smtp)
    assert smtp.heard == [f"AUTH OAUTHBEARER {OAUTHBEARER}".encode()]
    smtp = Smtp("xoauth2 login", (235, "ok"))
    log_in(smtp, GOOGLES)
    assert smtp.heard == [f"AUTH XOAUTH2 {XOAUTH2}".encode()]


def test_a_name_with_signs_of_the_standard_stays_one_name() -> None:
    smtp = Smtp("oauthbearer", (235, "ok"))
    log_in(smtp, Bearer("a=b,c@example.com", Secret("t"), PLACE))
    said = base64.b64decode(smtp.heard[0].split()[-1])
    assert said.startswith(b"n,a=a=3Db=2Cc@example.com,\1host=server.example.com\1port=143\1")


@pytest.mark.parametrize(("offered", "given_up"), [("oauthbearer", b"AQ=="), ("xoauth2", b"")])
def test_why_a_token_is_rejected_is_waited_for(offered: str, given_up: bytes) -> None:
    why = base64.b64encode(b'{"status":"401","schemes":"bearer","scope":"https://x/"}').decode()
    smtp = Smtp(offered, (334, why), (535, "5.7.8 Username and Password not accepted"))
    with pytest.raises(TokenRejected, match=r"rejected \(401: 535 5.7.8 Username") as told:
        log_in(smtp)
    assert smtp.heard[1:] == [given_up]
    assert is_wrong_password(told.value)


def test_a_long_token_is_sent_when_the_server_waits_for_it() -> None:
    smtp = Smtp("xoauth2", (334, ""), (235, "ok"))
    log_in(smtp, Bearer("u", Secret("x" * 3000), PLACE))
    assert smtp.heard[0] == b"AUTH XOAUTH2"
    assert base64.b64decode(smtp.heard[1]).endswith(b"x\1\1")


def test_a_server_that_cannot_tell_now_is_asked_again_soon() -> None:
    with pytest.raises(SMTPAuthenticationError) as told:
        log_in(Smtp("xoauth2", (454, "4.7.0 Temporary authentication failure")))
    assert not is_wrong_password(told.value)


def test_a_server_that_repeats_the_token_is_not_quoted() -> None:
    token = "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg=="
    smtp = Smtp("oauthbearer", (535, f"no: {token} {OAUTHBEARER}"))
    with pytest.raises(TokenRejected) as told:
        log_in(smtp)
    assert "535 no: … …" in str(told.value)


def test_a_server_that_takes_no_tokens_is_said_to() -> None:
    with pytest.raises(TokenTrouble, match="offers neither OAUTHBEARER nor XOAUTH2 here"):
        log_in(Smtp("plain login"))
    with imapd(Script()) as port:
        oauth = OAuth(client_id="x", provider="google")
        box = ImapBox(host="127.0.0.1", port=port, user="u", oauth=oauth, security="plain")
        with pytest.raises(TokenTrouble, match="neither OAUTHBEARER nor XOAUTH2 here"):
            enter_mailbox(box, Ready(), None)  # type: ignore[arg-type]  # without TLS


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('{"status":"invalid_token","scope":"x"}', "invalid_token"),
        ("eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIn0=", "invalid_token"),
        (' {"status": 400}', "400"),
        ('{"status": ["x"]}', ""),
        ('{"scope": "x"}', ""),
        ("[1]", ""),
        ("WzFd", ""),
        ("go away", ""),
        ("{", ""),
        ("", ""),
        ("//79", ""),
    ],
)
def test_a_challenge_is_read_whatever_it_is(said: str, why: str) -> None:
    assert read_challenge(said) == read_challenge(said.encode()) == why


def test_what_is_hidden_is_hidden_everywhere_and_short_words_stay() -> None:
    assert hide_secrets("a long-secret, long-secret\r\nb", ("long-secret", "", "a")) == "a …, … b"
