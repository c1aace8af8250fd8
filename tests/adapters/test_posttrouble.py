"""What a mail server's refusal means, in words that name the way out."""

import imaplib
import socket
import ssl

import pytest
from aiosmtplib import SMTPAuthenticationError, SMTPConnectError, SMTPDataError, SMTPTimeoutError
from imapclient.exceptions import LoginError

from adjudicator.adapters.mail.troubles import explain_trouble, flatten_reply, is_wrong_password


def refused(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError("certificate verify failed")
    error.verify_code = code
    error.verify_message = "self-signed certificate"
    return error


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(-2, "x"), "no such host; check the spelling"),
        (ConnectionRefusedError(111, "x"), "the connection was refused; check host and port"),
        (TimeoutError("timed out"), "no answer in time; check host and port, the firewall"),
        (SMTPTimeoutError("x"), "no answer in time"),
        (ConnectionResetError(104, "x"), "the connection was lost"),
        (imaplib.IMAP4.abort("socket error: EOF"), "the connection was lost"),
        (ssl.SSLEOFError(8, "x"), "the connection was lost"),
        (refused(62), "the certificate is for another name; set `host` to that name"),
        (refused(10), "the certificate has expired; its operator must renew it"),
        (refused(18), "the certificate is not trusted: self-signed certificate; if it is"),
        (
            ssl.SSLError(1, "WRONG_VERSION_NUMBER"),
            "no TLS on this port; check port and `security`",
        ),
        (
            LoginError("b'[AUTHENTICATIONFAILED] no.'"),
            "correct them ([AUTHENTICATIONFAILED] no.)",
        ),
        (
            LoginError("[UNAVAILABLE] later"),
            "the server cannot check logins now ([UNAVAILABLE] later)",
        ),
        (
            SMTPAuthenticationError(535, "5.7.8 no"),
            "the user name or the password was rejected",
        ),
        (
            SMTPAuthenticationError(454, "later"),
            "the server cannot check logins now (later)",
        ),
        (SMTPDataError(451, "no\nroom"), "the server answered 451 no room"),
        (imaplib.IMAP4.error("[OVERQUOTA] no"), "the mailbox is full; make room in it"),
        (
            caused(SMTPConnectError("x"), ConnectionRefusedError(111, "x")),
            "the connection was refused",
        ),
        (caused(SMTPConnectError("x"), refused(62)), "the certificate is for another name"),
        (imaplib.IMAP4.error("b'odd'"), "odd"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_each_trouble_has_its_words(error: Exception, words: str) -> None:
    told = explain_trouble("mail.example.org:993", error)
    assert told.startswith("mail.example.org:993: ")
    assert words in told


@pytest.mark.parametrize(
    ("error", "wrong"),
    [
        (LoginError("[AUTHENTICATIONFAILED] no"), True),
        (LoginError("[UNAVAILABLE] later"), False),
        (SMTPAuthenticationError(535, "no"), True),
        (SMTPAuthenticationError(454, "later"), False),
        (ConnectionRefusedError(), False),
        (caused(OSError("x"), LoginError("no")), True),
    ],
)
def test_a_wrong_password_is_told_from_a_tired_server(error: Exception, wrong: bool) -> None:
    assert is_wrong_password(error) is wrong


def test_what_a_server_says_fits_on_one_line_of_a_log() -> None:
    assert flatten_reply("one\r\n\x1b[31mtwo\0  three") == "one [31mtwo three"
    assert len(flatten_reply("x" * 10_000)) == 300
    assert flatten_reply(b"\xff ok") == "\ufffd ok"
    assert flatten_reply("b'quoted'") == "quoted"
