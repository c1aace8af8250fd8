"""What the header of a letter tells, and what it does not manage to tell."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK


def headed(*lines: str) -> bytes:
    return ("\n".join(lines) + f"\n\n{BLOCK}").encode()


SENDERS = {
    "Ada@Example.ORG": "ada@example.org",
    "Ada <ada@example.org>": "ada@example.org",
    '"Lovelace, Ada" <ada@example.org>': "ada@example.org",
    '"x@y.example" <ada@example.org>': "ada@example.org",
    "ada@example.org (Ada)": "ada@example.org",
    "=?utf-8?q?Ad=C3=A4?= <ada@example.org>": "ada@example.org",
    "Ada <ada@example.org>, Bo <bo@example.org>": "ada@example.org",
    "ada": None,
    "<>": None,
    "": None,
    "Ada <ada@>": None,
    "<<<>>@@,,": None,
    "(" * 3000: None,
    "a:" * 1500: None,
    "Ada <ada@example.org\tBcc: x>": None,
}


@pytest.mark.parametrize("value", SENDERS)
def test_the_sender_is_a_bare_address_in_small_letters(value: str) -> None:
    assert parse_letter(headed(f"From: {value}")).sender == SENDERS[value]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Ada <a@x.org>", "Ada"),
        ("=?utf-8?q?Ad=C3=A4_L?= <a@x.org>", "Ad\u00e4 L"),
        ("=?utf-8?b?QWTD?= =?utf-8?b?pA==?= <a@x.org>", "Ad\u00e4"),
        ("=?x-none?q?Ad=E4?= <a@x.org>", "Ad\u00e4"),
        ("=?utf-8?b?Q?= <a@x.org>", None),
        ("a@x.org", None),
    ],
)
def test_names(value: str, name: str | None) -> None:
    assert parse_letter(headed(f"From: {value}")).name == name


def test_recipients_of_all_fields_once() -> None:
    seen = parse_letter(
        headed(
            "Delivered-To: ember@games.example",
            "X-Original-To: games@games.example",
            "To: Ember <EMBER@games.example>,",
            " bo@example.org",
            "Cc: undisclosed-recipients:;",
        )
    )
    assert seen.recipients == ("ember@games.example", "games@games.example", "bo@example.org")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Tue, 3 Nov 2026 14:22:00 +0100", "2026-11-03T14:22:00+01:00"),
        ("Tue, 3 Nov 2026 14:22:00 -0000", "2026-11-03T14:22:00+00:00"),
        ("3 Nov 26 14:22 GMT", "2026-11-03T14:22:00+00:00"),
        ("Tue, 3 Nov 2026 14:22:00 +0100 (CET)", "2026-11-03T14:22:00+01:00"),
        ("yesterday", None),
        ("Tue, 33 Nov 2026 14:22:00 +0100", None),
        ("Tue, 3 Nov 1066 14:22:00 +0100", None),
        ("Tue, 3 Nov 2026 14:22:00 +9999999999999", None),
        ("", None),
    ],
)
def test_dates(value: str, shown: str | None) -> None:
    found = parse_letter(headed(f"Date: {value}")).date
    assert (found.isoformat() if found else None) == shown


@pytest.mark.parametrize(
    ("value", "identity"),
    [
        ("<a@b>", "<a@b>"),
        ("\n <a@b>", "<a@b>"),
        ("a@b", "<a@b>"),
        ("<a@b> (added by)", "<a@b>"),
        ("", None),
    ],
)
def test_message_ids(value: str, identity: str | None) -> None:
    assert parse_letter(headed(f"Message-ID: {value}")).message_id == identity


def test_references_are_listed_oldest_first() -> None:
    seen = parse_letter(headed("In-Reply-To: <c@x>", "References: <a@x> <b@x>", "\t<c@x>"))
    assert seen.references == ("<a@x>", "<b@x>", "<c@x>")


def test_subjects_are_decoded() -> None:
    seen = parse_letter(headed("Subject: =?utf-8?q?Re=3A?= =?iso-8859-1?q?_Z=FCge?=", " of turn 4"))
    assert seen.subject == "Re: Z\u00fcge of turn 4"


def test_results_of_authentication_topmost_first() -> None:
    seen = parse_letter(
        headed(
            "Authentication-Results: mx.games.example; dkim=pass header.d=example.org",
            "Authentication-Results: forged.example; dkim=pass",
        )
    )
    assert [one.split(";")[0] for one in seen.authentication] == [
        "mx.games.example",
        "forged.example",
    ]


def test_a_letter_without_any_header_is_read() -> None:
    seen = parse_letter(f"\n{BLOCK}".encode())
    assert (seen.sender, seen.message_id, seen.date) == (None, None, None)
    assert len(seen.blocks) == 1


def test_two_senders_are_none() -> None:
    both = parse_letter(headed("From: Ada <ada@example.org>", "From: Bo <bo@example.org>"))
    twice = parse_letter(headed("From: Ada <ada@example.org>", "From: ada@example.org"))
    assert (both.sender, both.name) == (None, None)
    assert twice.sender == "ada@example.org"
