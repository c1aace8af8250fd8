"""A quick look at a letter finds who wrote it, and survives whatever lies in a postbox."""

import base64
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adapters.mail.inbound.glance import glance

KEY = "7f3k-q2mx"
TEXT = f"Hello,\nwell-known words\n> game: ember\n> key: {KEY}\n> jump:\n> - C4-D5 x3\n" * 3


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("subtype", ["plain", "html"])
def test_a_key_is_seen_however_the_letter_is_encoded(encoding: str, subtype: str) -> None:
    message = EmailMessage(policy=SMTP)
    message["From"] = '"Ada, of games" <Ada@Example.org>'
    message["References"] = " ".join(f"<{number}.{'x' * 60}@example.org>" for number in range(4))
    message["In-Reply-To"] = "<last@example.org>"
    message.set_content(TEXT, subtype=subtype, cte=encoding)
    seen = glance(message.as_bytes())
    assert KEY in seen.keys
    assert seen.sender == "ada@example.org"
    assert len(seen.references) == 5
    assert "<last@example.org>" in seen.references


@pytest.mark.parametrize("width", [16, 60, 76, 10_000])
@pytest.mark.parametrize("cut", range(4))
def test_a_key_is_seen_in_a_part_that_is_cut_off(width: int, cut: int) -> None:
    coded = base64.b64encode((TEXT + "x" * 300).encode()).decode()
    lines = [coded[at : at + width] for at in range(0, len(coded), width)]
    content = "\n".join(("From: ada@example.org", "", *lines)).encode()
    assert KEY in glance(content[: len(content) - 100 - cut]).keys


@pytest.mark.parametrize(
    "start", [b"From: ada@example.org\n\nhi", b"FROM : <ada@example.org>\r\n\r\nhi"]
)
def test_a_bare_letter_has_a_sender(start: bytes) -> None:
    assert glance(start).sender == "ada@example.org"


def test_what_stands_below_the_header_is_no_sender() -> None:
    assert glance(b"Subject: x\n\nFrom: ada@example.org\nIn-Reply-To: <a@b>").sender is None


@given(st.binary(max_size=2000))
def test_no_letter_breaks_it(content: bytes) -> None:
    glance(content)
    glance(b"From: " + content + b"\n\n" + content)
