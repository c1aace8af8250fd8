"""What a real mail server refuses."""

import asyncio
from collections.abc import Sequence

import pytest

from adjudicator.adapters.mail.accounts import Password, SmtpOut
from adjudicator.adapters.mail.accounts import SmtpOut as Settings
from adjudicator.adapters.mail.connections import open_postman
from adjudicator.desk.model.mail import Posting, Sent
from tests.adapters.postman.test_contract import posting, smtp
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.postfix import Postfix


def say(settings: Settings, letter: Posting, password: str = PASSWORD) -> Sequence[Sent]:
    async def run() -> Sequence[Sent]:
        postman = open_postman(settings, {"SMTP_PASSWORD": password})
        try:
            return await postman.send(letter)
        finally:
            await postman.close()

    return asyncio.run(run())


def test_nobody_of_that_name_and_another_domain_are_never(
    dovecot: Dovecot, postfix: Postfix
) -> None:
    known = f"{dovecot.user()}@players.test"
    settings = smtp(postfix, "", "plain")
    sent = say(settings, posting("nobody@players.test", known, "ada@example.org"))
    assert [each.status for each in sent] == ["never", "taken", "never"]
    assert sent[0].reply.startswith("550 5.1.1 <nobody@players.test>: Recipient address rejected")


def test_a_letter_that_is_too_big_is_never(dovecot: Dovecot, postfix: Postfix) -> None:
    person = f"{dovecot.user()}@players.test"
    settings = smtp(postfix, "", "plain")
    [sent] = say(settings, posting(person, body="x" * 70 + "\r\n" + ("y" * 70 + "\r\n") * 20_000))
    assert (sent.status, sent.reply[:4]) == ("never", "552 ")


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_wrong_password_is_told_plainly(
    dovecot: Dovecot, postfix: Postfix, security: str
) -> None:
    user = dovecot.user()
    [sent] = say(smtp(postfix, user, security), posting(f"{user}@players.test"), "hush-hush")
    assert sent.status == "later"
    assert "the user name or the password was rejected; correct them (5.7.8 Error:" in sent.reply
    assert "hush-hush" not in sent.reply


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_refused(
    dovecot: Dovecot, postfix: Postfix, security: str
) -> None:
    user = dovecot.user()
    good = smtp(postfix, user, security)
    settings = SmtpOut(
        host=good.host,
        port=good.port,
        security=good.security,
        user=user,
        password=Password(variable="SMTP_PASSWORD"),
    )
    [sent] = say(settings, posting(f"{user}@players.test"))
    assert sent.status == "later"
    assert "the certificate is not trusted: self-signed certificate" in sent.reply


def test_a_server_without_passwords_is_told_of(dovecot: Dovecot, postfix: Postfix) -> None:
    user = dovecot.user()
    settings = SmtpOut(
        host="localhost",
        port=postfix.smtp,
        security="plain",
        user=user,
        password=Password(variable="SMTP_PASSWORD"),
    )
    [sent] = say(settings, posting(f"{user}@players.test"))
    assert sent.status == "later"
    assert "AUTH" in sent.reply
