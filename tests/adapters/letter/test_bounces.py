"""Delivery reports: silence, and the address that failed."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK

HEAD = "From: MAILER-DAEMON@mx.example\nTo: ember@games.example\n"


def report(status: str, text: str = "It failed.", head: str = HEAD) -> bytes:
    body = (
        f"{head}Subject: Undelivered Mail Returned to Sender\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        f"--b\n\n{text}\n--b\nContent-Type: message/delivery-status\n\n{status}\n"
        f"--b\nContent-Type: message/rfc822\n\nFrom: ember@games.example\n\n{BLOCK}\n--b--\n"
    )
    return body.encode()


def plain(
    text: str, subject: str, sender: str = "MAILER-DAEMON@mx.example", more: str = ""
) -> bytes:
    return (
        f"From: Mail System <{sender}>\nTo: ember@games.example\nSubject: {subject}\n{more}"
        f"Content-Type: text/plain; charset=utf-8\n\n{text}"
    ).encode()


GROUP = "Final-Recipient: rfc822; Bo@example.org\nAction: failed\nStatus: 5.1.1\n"
OTHERS = (
    "Final-Recipient: rfc822;cy@example.org\nAction: Failed\n\n"
    "Final-Recipient: rfc822;di@example.org\nAction: delayed\nStatus: 4.4.1\n"
)
REPORTS = {
    "one": (f"Reporting-MTA: dns; mx.example\n\n{GROUP}", ("bo@example.org",)),
    "no empty line above": (GROUP, ("bo@example.org",)),
    "CRLF": (f"Reporting-MTA: dns; x\n\n{GROUP}".replace("\n", "\r\n"), ("bo@example.org",)),
    "two of three": (
        f"Reporting-MTA: dns; x\n\n{GROUP}\n{OTHERS}",
        ("bo@example.org", "cy@example.org"),
    ),
    "delivered": (GROUP.replace("failed", "delivered"), ()),
    "without an action": (GROUP.replace("Action: failed\n", ""), ("bo@example.org",)),
    "the first address too": (
        f"Original-Recipient: rfc822;bo+2Bx@example.org\n{GROUP}",
        ("bo@example.org", "bo+x@example.org"),
    ),
    "brackets": (GROUP.replace("Bo@example.org", "<Bo@example.org>"), ("bo@example.org",)),
    "folded": (GROUP.replace("rfc822; ", "rfc822;\n  "), ("bo@example.org",)),
    "nonsense": ("Final-Recipient: ;;;\nAction: failed\n", ()),
}


@pytest.mark.parametrize("name", REPORTS)
def test_reports_that_programs_can_read(name: str) -> None:
    status, failed = REPORTS[name]
    seen = parse_letter(report(status))
    assert seen.bounced == failed
    assert seen.automatic
    assert seen.blocks == ()  # the copy of our own letter is nobody's orders


TEXTS = {
    "qmail": plain(
        "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver "
        "your message to the following addresses.\nThis is a permanent error; I've given up.\n\n"
        "<bo@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\nReturn-Path: <ember@games.example>\n"
        f"To: ada@example.org\n\n{BLOCK}",
        "failure notice",
    ),
    "Exim": plain(
        "This message was created automatically by mail delivery software.\n\nA message that you "
        "sent could not be delivered to one or more of its\nrecipients. This is a permanent "
        "error. The following address(es) failed:\n\n  bo@example.org\n    host mx.example.org: "
        "550 unknown user\n\n------ This is a copy of the message, including all the headers. "
        f"------\n\nReturn-path: <ember@games.example>\nTo: ada@example.org\n\n{BLOCK}",
        "Mail delivery failed: returning message to sender",
        more="X-Failed-Recipients: bo@example.org\nAuto-Submitted: auto-replied\n",
    ),
    "Exim without its header": plain(
        "A message that you sent could not be delivered to one or more of its\nrecipients.\n\n"
        "  bo@example.org\n    Unrouteable address\n",
        "Mail delivery failed: returning message to sender",
    ),
    "Postfix": plain(
        "This is the mail system at host mx.example.\n\nI'm sorry to have to inform you that your "
        "message could not\nbe delivered to one or more recipients.\n\nFor further assistance, "
        "please send mail to postmaster.\n\n<bo@example.org>: host mx.example.org[1.2.3.4] said: "
        "550 5.1.1\n    <bo@example.org>: Recipient address rejected (in reply to RCPT TO "
        "command)\n",
        "Undelivered Mail Returned to Sender",
    ),
    "sendmail": plain(
        "The original message was received at Tue, 3 Nov 2026\nfrom games.example [1.2.3.4]\n\n"
        "   ----- The following addresses had permanent fatal errors -----\n<bo@example.org>\n"
        "    (reason: 550 5.1.1 User unknown)\n\n   ----- Transcript of session follows -----\n",
        "Returned mail: see transcript for details",
    ),
    "Exchange": plain(
        "Delivery has failed to these recipients or groups:\n\nBo (bo@example.org)\nThe email "
        "address you entered couldn't be found.\n\nDiagnostic information for administrators:\n\n"
        "Generating server: x.example\n\nbo@example.org\n",
        "Undeliverable: [ember] Turn 4",
        "postmaster@example.org",
    ),
    "an old Exchange": plain(
        "Your message did not reach some or all of the intended recipients.\n\n   Subject: Turn 4\n"
        "   Sent: 03.11.2026\n\nThe following recipient(s) cannot be reached:\n\n"
        "   bo@example.org on 03.11.2026 14:22\n      The e-mail account does not exist.\n",
        "Undeliverable: [ember] Turn 4",
        "postmaster@example.org",
    ),
    "a German Exchange": plain(
        "Fehler bei der Nachrichtenzustellung an folgende Empf\u00e4nger oder Gruppen:\n\n"
        "bo@example.org\nDie eingegebene Adresse wurde nicht gefunden.\n",
        "Unzustellbar: [ember] Turn 4",
        "postmaster@example.org",
    ),
    "Gmail": plain(
        "** Address not found **\n\nYour message wasn't delivered to bo@example.org because the "
        "address couldn't be found, or is unable to receive mail.\n",
        "Delivery Status Notification (Failure)",
        "mailer-daemon@googlemail.com",
    ),
    "an old Gmail": plain(
        "Delivery to the following recipient failed permanently:\n\n     bo@example.org\n\n"
        "Technical details of permanent failure:\n550 No such user\n\n"
        "----- Original message -----\n\nTo: ada@example.org\n",
        "Delivery Status Notification (Failure)",
        "mailer-daemon@googlemail.com",
    ),
    "Yahoo": plain(
        "Sorry, we were unable to deliver your message to the following address.\n\n"
        "<bo@example.org>:\n554: delivery error: no such user\n\n--- Below this line is a copy of "
        "the message.\n",
        "Failure Notice",
        "MAILER-DAEMON@yahoo.com",
    ),
    "no sender but an empty path": plain(
        "<bo@example.org>: unknown user\n", "Returned mail", "x@y.org", "Return-Path: <>\n"
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_reports_that_are_just_text(name: str) -> None:
    seen = parse_letter(TEXTS[name])
    assert seen.bounced == ("bo@example.org",)
    assert seen.automatic


LATE = {
    "Postfix": plain(
        "THIS IS A WARNING ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.\n\n<bo@example.org>: "
        "connect to mx.example.org: Connection timed out\n",
        "Delayed Mail (still being retried)",
    ),
    "Exim": plain(
        "A message that you sent has not yet been delivered to one or more of its recipients "
        "after more than 24 hours.\n\n  bo@example.org\n    Delay reason: timeout\n",
        "Warning: message 1aB delayed 24 hours",
    ),
    "Gmail": report(GROUP.replace("failed", "delayed").replace("5.1.1", "4.4.1")),
}


@pytest.mark.parametrize("name", LATE)
def test_what_is_only_late_has_not_failed(name: str) -> None:
    seen = parse_letter(LATE[name])
    assert seen.bounced == ()
    assert seen.automatic


def test_somebody_who_forwards_a_report_is_a_person() -> None:
    inner = report(GROUP).decode()
    content = (
        "From: ada@example.org\nSubject: What is this?\n"
        'Content-Type: multipart/mixed; boundary="c"\n\n--c\n\nSee below.\n'
        f"--c\nContent-Type: message/rfc822\n\n{inner}\n--c--\n"
    )
    seen = parse_letter(content.encode())
    assert (seen.automatic, seen.bounced) == (None, ())


@pytest.mark.parametrize("kind", ["disposition-notification", "feedback-report"])
def test_a_receipt_that_it_was_opened_or_a_complaint_is_automatic_and_no_failure(kind: str) -> None:
    content = (
        "From: ada@example.org\nSubject: Read: Turn 4\n"
        f"Content-Type: multipart/report; report-type={kind}; boundary=b\n\n"
        "--b\n\nThis is about the mail that you sent to ada@example.net.\n--b--\n"
    )
    read = parse_letter(content.encode())
    assert read.automatic
    assert not read.bounced


NAME = "<ember.12-jump.bo.report.3.abcdefghijklmnopqrstuvwx@games.example>"
RETURNED = {
    "the whole letter": f"Content-Type: message/rfc822\n\nMessage-ID: {NAME}\n\nHello",
    "folded": f"Content-Type: message/rfc822\n\nMessage-ID:\n {NAME}\n\nHello",
    "its header": f"Content-Type: text/rfc822-headers\n\nMessage-ID: {NAME}\n",
    "a letter that its provider gave another name": (
        "Content-Type: message/rfc822\n\n"
        f"Message-ID: <AM0PR1@outlook.com>\nReferences: <ember.bo.1@games.example>\n {NAME}\n\nHi"
    ),
    "its header, renamed": (
        "Content-Type: text/rfc822-headers\n\n"
        f"Message-ID: <0102-3-000000@email.amazonses.com>\nReferences: {NAME}\n"
    ),
    "words": f"Content-Type: text/plain\n\nI could not deliver {NAME}, sorry.\n",
    "its header and parts": (
        "Content-Type: message/rfc822\n\n"
        f"Message-ID: {NAME}\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nHi\n--c--"
    ),
}


@pytest.mark.parametrize("name", RETURNED)
def test_a_report_names_the_letter_that_came_back(name: str) -> None:
    status = f"Reporting-MTA: dns; x\n\n{GROUP}"
    content = report(status).decode().partition("--b\nContent-Type: message/rfc822")[0]
    seen = parse_letter(f"{content}--b\n{RETURNED[name]}\n--b--\n".encode())
    assert seen.bounced == ("bo@example.org",)
    assert [one for one in seen.returned if ".bo.report." in one] == [NAME]


def test_a_report_that_only_refers_to_the_letter_names_it_too() -> None:
    text = "Hi. This is the qmail-send program.\n\n<bo@example.org>:\nNo mailbox here.\n"
    content = plain(text, "failure notice", more=f"References: {NAME}\nReturn-Path: <>\n")
    seen = parse_letter(content)
    assert (seen.bounced, seen.returned[0]) == (("bo@example.org",), NAME)


def test_a_letter_that_is_no_report_names_none() -> None:
    content = f"From: ada@example.org\nReferences: {NAME}\n\nThanks for {NAME}"
    assert parse_letter(content.encode()).returned == ()
