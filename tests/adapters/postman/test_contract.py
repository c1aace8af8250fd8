"""What every postman does, whichever it is; SMTP against a real Postfix."""

import asyncio
import mailbox
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import MaildirOut, Password, PostmanSettings, SmtpOut
from adjudicator.adapters.mail.connections import open_postman
from adjudicator.desk.model.mail import Posting, Sent
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.postfix import Postfix

BODY = "An order, please.\r\n.\r\n..two dots\r\nFrom here on: nothing.\r\n"


@dataclass
class Site:
    """A postman's settings, people to write to, and their mailboxes."""

    settings: PostmanSettings
    people: Sequence[str]
    box: Callable[[str], Path]

    def send(self, *postings: Posting) -> list[Sequence[Sent]]:
        """All of them at once, by one postman."""

        async def run() -> list[Sequence[Sent]]:
            postman = open_postman(self.settings, {"SMTP_PASSWORD": PASSWORD})
            try:
                return list(await asyncio.gather(*(postman.send(each) for each in postings)))
            finally:
                await postman.close()

        return asyncio.run(run())

    def letters(self, person: str, count: int) -> list[Message]:
        """What came to a mailbox, when so many have come."""
        until = time.monotonic() + 120
        while True:
            try:
                found = list(mailbox.Maildir(self.box(person), create=False))
            except (mailbox.NoSuchMailboxError, FileNotFoundError):  # being made just now
                found = []
            if len(found) >= count or time.monotonic() > until:
                return [*found]
            time.sleep(0.02)


def smtp(postfix: Postfix, user: str, security: str) -> SmtpOut:
    if security == "plain":
        return SmtpOut(host="localhost", port=postfix.smtp, security="plain")
    return SmtpOut(
        host="localhost",
        port=postfix.smtps if security == "tls" else postfix.submission,
        security="tls" if security == "tls" else "starttls",
        user=user,
        password=Password(variable="SMTP_PASSWORD"),
        authority=postfix.authority,
    )


@pytest.fixture(params=["maildir", "smtp, plain", "smtp, starttls", "smtp, tls"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    if request.param == "maildir":
        people = ("ada@players.test", "bo@players.test")
        return Site(MaildirOut(folder=str(tmp_path)), people, lambda person: tmp_path / person)
    dovecot: Dovecot = request.getfixturevalue("dovecot")
    postfix: Postfix = request.getfixturevalue("postfix")
    users = (dovecot.user(), dovecot.user())
    return Site(
        smtp(postfix, users[0], request.param.split()[1]),
        tuple(f"{user}@players.test" for user in users),
        lambda person: dovecot.maildir(person.split("@")[0]),
    )


def posting(*recipients: str, subject: str = "Ember", body: str = BODY) -> Posting:
    head = f"From: gm@game.test\r\nTo: all\r\nSubject: {subject}\r\nMessage-ID: <1@game.test>\r\n"
    return Posting("gm@game.test", recipients, f"{head}\r\n{body}".encode())


def test_a_letter_comes_to_everybody_it_is_for_as_it_was_written(site: Site) -> None:
    [sent] = site.send(posting(*site.people))
    assert [(each.recipient, each.status) for each in sent] == [
        (person, "taken") for person in site.people
    ]
    for person in site.people:
        [letter] = site.letters(person, 1)
        assert letter["Message-ID"] == "<1@game.test>"
        assert letter["Return-Path"] == "<gm@game.test>"
        assert letter.get_payload() == BODY.replace("\r\n", "\n")


def test_somebody_who_cannot_be_written_to_keeps_nobody_else_from_their_letter(site: Site) -> None:
    ada, bo = site.people
    [sent] = site.send(posting(ada, "no\naddress", bo))
    assert [each.status for each in sent] == ["taken", "never", "taken"]
    assert [len(site.letters(person, 1)) for person in site.people] == [1, 1]


def test_many_letters_at_once_each_come_once(site: Site) -> None:
    ada, bo = site.people
    letters = [
        posting((ada, bo)[number % 2], subject=str(number), body="x" * 3000) for number in range(30)
    ]
    results = site.send(*letters)
    assert {each.status for sent in results for each in sent} == {"taken"}
    for person, parity in ((ada, 0), (bo, 1)):
        subjects = sorted(int(str(letter["Subject"])) for letter in site.letters(person, 15))
        assert subjects == list(range(parity, 30, 2))


def test_somebody_named_twice_gets_one_answer_and_one_letter(site: Site) -> None:
    ada, _ = site.people
    [sent] = site.send(posting(ada, ada))
    assert [(each.recipient, each.status) for each in sent] == [(ada, "taken")]
    assert len(site.letters(ada, 1)) == 1


def test_the_same_postman_works_again_after_close(site: Site) -> None:
    ada, _ = site.people

    async def run() -> list[str]:
        postman = open_postman(site.settings, {"SMTP_PASSWORD": PASSWORD})
        first = await postman.send(posting(ada))
        await postman.close()
        second = await postman.send(posting(ada))
        await postman.close()
        return [first[0].status, second[0].status]

    assert asyncio.run(run()) == ["taken", "taken"]
    assert len(site.letters(ada, 2)) == 2
