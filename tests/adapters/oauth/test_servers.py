"""Tokens at real mail servers: letters in and out, and what happens when a token ends."""

import asyncio
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import SmtpOut
from adjudicator.adapters.mail.check import check_account
from adjudicator.adapters.mail.connections import open_postbox, open_postman
from adjudicator.adapters.mail.oauth import bearer
from adjudicator.desk.model.errors import Away, LockedOut, Refused
from adjudicator.desk.model.mail import Posting, Sent
from tests.adapters.oauth.conftest import Mailbox
from tests.adapters.postbox.test_contract import letter, numbers
from tests.adapters.postman.test_contract import posting
from tests.servers.dovecot import DOMAIN
from tests.servers.postfix import Postfix


def send(settings: SmtpOut, letter: Posting) -> Sequence[Sent]:
    async def run() -> Sequence[Sent]:
        postman = open_postman(settings)
        try:
            return await postman.send(letter)
        finally:
            await postman.close()

    return asyncio.run(run())


@pytest.fixture(params=["OAUTHBEARER", "XOAUTH2"])
def mechanism(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the mail server is spoken to in, where it knows no other."""
    monkeypatch.setattr(bearer, "_MECHANISMS", (request.param,))
    return str(request.param)


@pytest.mark.usefixtures("mechanism")
def test_letters_come_in(mailbox: Mailbox) -> None:
    mailbox.dovecot.deliver(mailbox.name, letter(1), letter(2))
    box = open_postbox(mailbox.box)
    parcels = box.fetch()
    assert numbers(parcels) == [1, 2]
    box.file_away([one.id for one in parcels])
    assert not box.fetch()
    box.close()


def test_check_tells_who_gives_the_tokens(mailbox: Mailbox) -> None:
    [found] = check_account(mailbox.box)
    place, issuer = mailbox.box.place, mailbox.tokens.url
    assert found.well
    words = f"{place}: {mailbox.user} can log in (tls) with tokens of {issuer}, consent given "
    assert found.words.startswith(words)
    assert re.match(r"\w+ \d+ \w+ \d{4}, \d\d:\d\d UTC; new letters", found.words[len(words) :])


def test_a_token_that_ended_without_a_word_is_renewed_in_mid_session(mailbox: Mailbox) -> None:
    mailbox.tokens.rotates = True
    box = open_postbox(mailbox.box)
    assert not box.fetch()
    mailbox.tokens.expire()
    box._session._client.shutdown()  # type: ignore[attr-defined]  # as servers do at its end
    mailbox.dovecot.deliver(mailbox.name, letter(1))
    assert numbers(box.fetch()) == [1]
    box.close()


def test_a_token_server_whose_clock_is_ahead_costs_one_more_login(mailbox: Mailbox) -> None:
    mailbox.tokens.grace = 4000  # tokens that we hold for good have ended there
    asked = mailbox.tokens.count("refresh_token")
    box = open_postbox(mailbox.box)
    assert not box.fetch()
    box.close()
    assert mailbox.tokens.count("refresh_token") == asked + 1


def test_consent_that_was_taken_back_is_told_with_the_command(mailbox: Mailbox) -> None:
    box = open_postbox(mailbox.box)
    assert not box.fetch()
    box.close()
    mailbox.tokens.revoke()
    with pytest.raises(LockedOut) as told:
        box.fetch()
    assert str(told.value).endswith(f"run `adjudicator login {mailbox.user}`")
    assert f"the consent for {mailbox.user} is no longer valid (invalid_grant:" in str(told.value)
    with pytest.raises(LockedOut):  # also while it waits before the next attempt
        box.fetch()
    assert open_postbox(mailbox.box)  # a daemon starts all the same
    mailbox.consent()
    until = time.monotonic() + 60
    while not box.wait(0.1):
        assert time.monotonic() < until
    assert not box.fetch()
    box.close()


def test_without_a_login_nothing_is_opened(mailbox: Mailbox) -> None:
    (Path(mailbox.oauth.folder) / "token.json").unlink()
    told = f"nobody has logged in as {mailbox.user} yet; run `adjudicator login {mailbox.user}`"
    with pytest.raises(Refused, match=told):
        open_postbox(mailbox.box)
    [found] = check_account(mailbox.box)
    assert (found.well, found.words) == (False, told)


def test_a_token_of_another_account_is_told_plainly(mailbox: Mailbox) -> None:
    mailbox.tokens.revoke()
    mailbox.tokens.user = f"somebody@{DOMAIN}"
    mailbox.consent()
    box = open_postbox(mailbox.box)
    with pytest.raises(Away) as told:
        box.fetch()
    assert f"the login of {mailbox.user} was rejected (" in str(told.value)
    assert f"that consent was given as {mailbox.user}" in str(told.value)
    assert "access-" not in str(told.value)


def test_a_mail_server_that_cannot_ask_about_tokens_is_temporary(mailbox: Mailbox) -> None:
    mailbox.tokens.answers["/introspect"] = (500, {}, b"")
    box = open_postbox(mailbox.box)
    with pytest.raises(Away, match="the server cannot check logins now"):
        box.fetch()


@pytest.mark.parametrize(("security", "size"), [("tls", 40), ("starttls", 40), ("tls", 4000)])
@pytest.mark.usefixtures("mechanism")
def test_letters_go_out(mailbox: Mailbox, postfix: Postfix, security: str, size: int) -> None:
    mailbox.tokens.size = size
    mailbox.tokens.expire()
    port = postfix.smtps if security == "tls" else postfix.submission
    person = f"{mailbox.dovecot.user()}@players.test"
    [sent] = send(mailbox.man(port, security), posting(person))
    assert sent.status == "taken", sent.reply


def test_a_token_that_ended_is_renewed_for_the_next_letter(
    mailbox: Mailbox, postfix: Postfix
) -> None:
    mailbox.tokens.expire()
    person = f"{mailbox.dovecot.user()}@players.test"
    [sent] = send(mailbox.man(postfix.smtps), posting(person))
    assert sent.status == "taken", sent.reply
    mailbox.tokens.revoke()
    [sent] = send(mailbox.man(postfix.smtps), posting(person))
    assert sent.status == "later"
    assert sent.reply.endswith(f"run `adjudicator login {mailbox.user}`")


def test_a_server_that_offers_both_is_spoken_to_in_oauthbearer(mailbox: Mailbox) -> None:
    box = open_postbox(mailbox.box)
    assert not box.fetch()
    box.close()
    log = (mailbox.dovecot.folder / "dovecot.log").read_text()
    assert f"user=<{mailbox.name}>, method=OAUTHBEARER" in log


@pytest.mark.usefixtures("mechanism")
def test_what_a_mail_server_says_of_a_token_is_told(mailbox: Mailbox, postfix: Postfix) -> None:
    mailbox.tokens.answers["/introspect"] = (200, {}, b'{"active": false}')
    [sent] = send(mailbox.man(postfix.smtps), posting(f"{mailbox.name}@players.test"))
    assert sent.status == "later"
    assert f"the login of {mailbox.user} was rejected (" in sent.reply
    assert ": 535 5.7.8 Error: authentication failed" in sent.reply
    assert "access-" not in sent.reply
