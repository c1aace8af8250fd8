"""Postboxes of every sort, each with a way to put letters in."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from imapclient import IMAPClient

from adjudicator.adapters.mail import maildir
from adjudicator.adapters.mail.accounts import ImapBox, MaildirBox, Password, PostboxSettings
from adjudicator.adapters.mail.connections import open_postbox
from adjudicator.desk.model.ports import Postbox
from tests.servers.dovecot import PASSWORD, Dovecot

ENVIRONMENT = {"MAIL_PASSWORD": PASSWORD}
NEVER = 1000.0
"""Seconds that no test may take: what ends a wait this long is the event."""


@dataclass
class Site:
    """A mailbox as its owner, the mail server and a test meet it."""

    settings: PostboxSettings
    deliver: Callable[[bytes], object]
    put: Callable[[bytes, datetime], object]
    """With an arrival of the test's choice."""
    filed: Callable[[], int]
    """How many letters lie where those go that are done with."""

    def open(self) -> Postbox:
        return open_postbox(self.settings, ENVIRONMENT)


def maildir_site(folder: Path, done: str | None) -> Site:
    def filed() -> int:
        if done is None:
            return len(list((folder / "cur").glob("*:2,S")))
        return len(list((folder / f".{done}" / "cur").iterdir()))

    return Site(
        MaildirBox(folder=str(folder), done=done, poll=0.02),
        deliver=lambda letter: maildir.deliver_letter(folder, letter),
        put=lambda letter, at: maildir.deliver_letter(folder, letter, at.timestamp()),
        filed=filed,
    )


def imap_settings(dovecot: Dovecot, user: str, **more: object) -> ImapBox:
    """The mailbox of a user, over TLS if nothing else is said."""
    security = more.get("security", "tls")
    given: dict[str, object] = {
        "host": "localhost",
        "port": dovecot.imaps if security == "tls" else dovecot.imap,
        "user": user,
        "password": Password(variable="MAIL_PASSWORD"),
        "authority": dovecot.authority,
        "poll": 0.1,
        "timeout": 60.0,
    }
    return ImapBox(**(given | more))  # type: ignore[arg-type]  # by name


@contextmanager
def other_program(dovecot: Dovecot, user: str) -> Iterator[IMAPClient]:
    """Another mail program of the same user."""
    trusted = ssl.create_default_context(cafile=dovecot.authority)
    with IMAPClient("localhost", port=dovecot.imaps, ssl_context=trusted, timeout=60) as client:
        client.login(user, PASSWORD)
        yield client


def imap_site(dovecot: Dovecot, **more: object) -> Site:
    user = dovecot.user()
    settings = imap_settings(dovecot, user, **more)

    def put(letter: bytes, at: datetime) -> None:
        with other_program(dovecot, user) as client:
            client.append("INBOX", letter, msg_time=at)

    def filed() -> int:
        with other_program(dovecot, user) as client:
            prefix = client.namespace().personal[0][0]
            client.select_folder(f"{prefix}{settings.done}" if settings.done else "INBOX")
            wanted = ["UNDELETED"] if settings.done else ["KEYWORD", "$Adjudicated"]
            return len(client.search(wanted))

    return Site(settings, lambda letter: dovecot.deliver(user, letter), put, filed)


SITES = {
    "maildir": {"done": "Done"},
    "maildir, cur": {"done": None},
    "imap, tls": {},
    "imap, starttls": {"security": "starttls"},
    "imap, marks": {"security": "plain", "done": None},
    "imap, idle switched off": {"security": "plain", "idle": False},
    "imap, without idle and move": {"bare": True},
    "imap, without idle and move, marks": {"bare": True, "done": None},
}


@pytest.fixture(params=SITES)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    settings: dict[str, object] = dict(SITES[request.param])  # type: ignore[call-overload]  # a mix
    if request.param.startswith("maildir"):
        maildir.make_maildir(tmp_path / "in")
        return maildir_site(tmp_path / "in", settings["done"])  # type: ignore[arg-type]  # a name
    name = "bare_dovecot" if settings.pop("bare", False) else "dovecot"
    return imap_site(request.getfixturevalue(name), **settings)


@pytest.fixture
def box(site: Site) -> Iterator[Postbox]:
    opened = site.open()
    yield opened
    opened.close()
