"""A provider that gives letters names of its own: replies, threads and reports still find home."""

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from typing import Any

import pytest

from adjudicator.cli.demo.mail_programs import open_message
from tests.daemon.conftest import HOUSE, House, address
from tests.daemon.running import config, until
from tests.daemon.test_troubles import smtp
from tests.servers.ports import free_ports
from tests.servers.smtpd import Manners, Renaming, smtpd

ADA, BO = address("Ada"), address("Bo")
PROVIDERS = {
    "SES": Renaming(names="<{}@eu-west-1.amazonses.com>"),
    "Outlook": Renaming(
        names="<{}@AM0PR04MB1234.eurprd04.prod.outlook.com>",
        keeps="X-Microsoft-Original-Message-ID",
    ),
}


def inbox(manners: Manners, to: str) -> list[EmailMessage]:
    """The letters that somebody got, as they were passed on."""
    return [open_message(content) for _, names, content in manners.taken if to in names]


def reply(about: EmailMessage, text: str) -> EmailMessage:
    """A reply as every mail program makes it (RFC 5322, 3.6.4)."""
    made = EmailMessage(policy=SMTP)
    made["From"], made["To"] = ADA, HOUSE
    made["Subject"] = f"Re: {about['Subject']}"
    made["Message-ID"] = make_msgid(domain="players.test")
    made["In-Reply-To"] = str(about["Message-ID"])
    made["References"] = f"{about['References']} {about['Message-ID']}"
    made.set_content(text)
    return made


def came_back(about: EmailMessage, to: str) -> bytes:
    """A delivery report that encloses the header of the letter, as the provider passed it on."""
    head = about.as_bytes().partition(b"\r\n\r\n")[0]
    return (
        (
            f"From: MAILER-DAEMON@provider.test\r\nTo: {HOUSE}\r\nReturn-Path: <>\r\n"
            f"Message-ID: {make_msgid(domain='provider.test')}\r\n"
            "Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
            "--b\r\n\r\nIt could not be delivered.\r\n"
            "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; provider.test"
            f"\r\n\r\nFinal-Recipient: rfc822; {to}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
            "--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        ).encode()
        + head
        + b"\r\n\r\n--b--\r\n"
    )


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_renamed_letter_is_answered_without_a_key_and_comes_back(
    house: House, provider: str
) -> None:
    manners = PROVIDERS[provider]
    (port,) = free_ports(1)
    config(house.folder, house.settings(postman=smtp(port)))
    house.game()
    with smtpd(manners, port=port):
        daemon = house.serve()
        (about,) = until(lambda: inbox(manners, ADA), what="the report")
        assert ".report." not in about["Message-ID"]
        orders = reply(about, "ask: status\n")
        house.post(orders.as_bytes())
        answer: Any = until(lambda: inbox(manners, ADA)[1:], what="the answer")[0]
        assert (seats(house), answer["In-Reply-To"]) == (["red"], orders["Message-ID"])
        # one thread: each refers to its beginning, and the answer to the letter that it answers
        assert str(answer["References"]).split()[0] == str(about["References"]).split()[0]
        assert orders["Message-ID"] in str(answer["References"]).split()
        house.post(came_back(inbox(manners, BO)[0], BO))
        until(lambda: len(arrivals(house)) == 2, what="the delivery report")
        with house.office.reading() as books:
            (returned,) = books.returned(BO)
        assert ".blue.report." in returned.message_id
        assert daemon.stop() == 0


def arrivals(house: House) -> list[Any]:
    with house.office.reading() as books:
        return list(books.arrivals())


def seats(house: House) -> list[str]:
    return [one.seat for one in arrivals(house)]
