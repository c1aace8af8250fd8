"""Letters made to hurt: no exception, and a problem told; test_attacks.py measures them."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.model.mail import MAX_LETTER_BYTES, IncomingLetter
from tests.adapters.letter.bombs import B64, BOMBS, HTML, PARTS, QP, fill, nested
from tests.adapters.letter.writing import BLOCK, ORDERS, blocks, html, letter, quoted
from tests.samples import examples

SECONDS = 5.0


def _told(seen: IncomingLetter) -> str:
    return " ".join(problem.message for problem in seen.problems)


def test_a_letter_of_more_than_a_megabyte_is_refused_unread() -> None:
    seen = parse_letter(letter(BLOCK + "x" * MAX_LETTER_BYTES))
    assert (seen.blocks, seen.too_big is not None) == ((), True)
    assert _told(seen) == "the letter is larger than 1 MB and was not read"


def test_a_letter_of_just_a_megabyte_is_read() -> None:
    start = letter(BLOCK + "# end of orders\n")
    assert blocks(parse_letter(start + b"x" * (MAX_LETTER_BYTES - len(start)))) == [ORDERS]


@pytest.mark.parametrize(
    "flood",
    ["Subject: " + "=?utf-8?q?a?= " * 20000, "X: " + "x" * 70000, "X: y\n" * 14000 + "Z: z"],
)
def test_a_header_of_more_than_64_kb_is_not_parsed(flood: str) -> None:
    start = time.process_time()
    seen = parse_letter(letter(BLOCK, more=flood + "\n"))
    assert time.process_time() - start < SECONDS
    assert (seen.blocks, seen.sender) == ((), None)
    assert _told(seen) == "the letter's header is longer than 64 KB and was not read"


def test_what_was_left_out_is_told() -> None:
    assert "nested more than 12 levels deep" in _told(parse_letter(nested("mixed")))
    assert "only the first 100 parts" in _told(parse_letter(BOMBS["many parts"]()))
    assert "too many blocks" in _told(parse_letter(BOMBS["blocks"]()))
    assert "HTML is too long, or has too" in _told(parse_letter(letter(fill("<b>"), HTML)))


def test_twenty_blocks_at_most_are_read() -> None:
    assert len(parse_letter(BOMBS["blocks"]()).blocks) == 20


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("game: x\na: &a [x]\n", "anchors are not read"),
        ("game: x\na: *a\n", "references are not read"),
        ("game: x\na: !!python/object/apply:os.system [x]\n", "quotation marks"),
        ("game: x\na: b\na: c\n", "appears twice"),
        ("game: x\na:\n" + "- " * 30 + "1\n", "20 levels"),
        ("game: x\na: [" + "1," * 5000 + "]\n", "too many values"),
        ("game: x\na: '" + "x " * 40000 + "'\n", "64 KB"),
    ],
)
def test_what_yaml_may_not_do(body: str, message: str) -> None:
    (block,) = parse_letter(letter(body)).blocks
    assert isinstance(block.text, tuple)
    assert message in block.text[0].message


# ---- anything at all

SEEDS = [
    letter(f"Hi\n\n{BLOCK}# end of orders\n-- \nAda\n"),
    letter(f"Ember wrote:\n{quoted(BLOCK)}\n```yaml\n{BLOCK}```\n"),
    letter(f"<ul><li>x</li></ul><blockquote>{html(BLOCK)}</blockquote>", "text/html"),
    letter("press: |\n  a\ngame: x\na: [b, {c: d}]\n", "text/plain; format=flowed; delsp=yes"),
    letter(f"--b\n\n{BLOCK}--b\nContent-Type: text/yaml\n\n{BLOCK}--b--\n", PARTS),
    letter(
        "--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b\n--b--\n",
        "multipart/report; boundary=b",
    ),
    letter("=E2=80=93 game: x=\n\n", more=QP),
    letter("Z2FtZTogeAo=\n", 'text/plain; charset="utf-7"', B64),
]
PIECES = [
    *(b"\r", b"\n", b"\r\n", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xa0", b"\t", b"\x85"),
    *(
        b"game:",
        b"join: x\n",
        b"```\n",
        b"> ",
        b"--b\n",
        b"--b--\n",
        b"# end of orders\n",
        b"-- \n",
    ),
    *(b"From: ", b"Sent: x\nTo: y\n", b"a wrote:\n", b"-----Original Message-----\n", b": ", b"- "),
    *(
        b"<div>",
        b"<!--",
        b"</",
        b"&#x",
        b"&nbsp;",
        b"[",
        b"{",
        b"&a",
        b"*a",
        b"!!x",
        b'"',
        b"'",
        b"|",
    ),
    *(b"=?utf-8?q?", b"?=", b"=\n", b"charset=", b"boundary=", b"multipart/mixed", b"text/html"),
    *("\u201c\u2013\u00ad\uff1a\ufeff\u2028".encode(), b"\xed\xa0\x80", b"\xf0\x9f\x98\x80"),
]


def _cut(seed: bytes, cuts: list[tuple[int, int, bytes, int]]) -> bytes:
    """The letter with some places cut out and others put in."""
    for place, gone, piece, times in cuts:
        at = place % (len(seed) + 1)
        seed = seed[:at] + piece * times + seed[at + gone :]
    return seed


letters = st.builds(
    _cut,
    st.sampled_from(SEEDS),
    st.lists(
        st.tuples(
            st.integers(0, 400),
            st.integers(0, 12),
            st.one_of(st.sampled_from(PIECES), st.binary(max_size=4)),
            st.integers(1, 3),
        ),
        max_size=8,
    ),
)


def _holds(content: bytes) -> None:
    seen = parse_letter(content)
    assert seen == parse_letter(content)
    for block in seen.blocks:
        block.source.encode()  # no half signs that could not be sent or stored
        if isinstance(block.text, tuple):
            assert all(fault.line and fault.column and fault.message for fault in block.text)
        else:
            assert isinstance(block.text.value, dict)
    assert seen.date is None or seen.date.tzinfo is not None
    assert seen.sender is None or (seen.sender == seen.sender.lower() and "@" in seen.sender)
    for text in (seen.subject, seen.name or "", seen.sender or "", seen.message_id or ""):
        assert "\n" not in text
        text.encode()


@given(letters)
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_anything_can_be_read(content: bytes) -> None:
    _holds(content)


@given(st.binary(max_size=2000))
@settings(max_examples=examples(100), deadline=None)
def test_any_bytes_can_be_read(content: bytes) -> None:
    _holds(content)


@pytest.mark.soak
@given(letters)
@settings(max_examples=50_000, deadline=None, suppress_health_check=list(HealthCheck))
def test_anything_can_be_read_for_long(content: bytes) -> None:
    _holds(content)
