"""Letters made to hurt: no exception, little time and memory, and a problem told."""

import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.adapters.letter import MOST, read
from adjudicator.desk.mail import Incoming
from tests.adapters.letter.writing import BLOCK, HEADER, ORDERS, blocks, html, letter, quoted

SIZE = MOST - 1000
SECONDS = 3.0
"""Generous for slow machines: a letter may take one, what is quadratic takes minutes."""


def fill(piece: str | bytes, size: int = SIZE) -> bytes:
    raw = piece.encode() if isinstance(piece, str) else piece
    return (raw * (size // len(raw) + 1))[:size]


def nested(family: str) -> bytes:
    head = "Content-Type: multipart/%s; boundary=b%d\n\n--b%d\n"
    levels = "".join(head % (family, n, n) for n in range(18000))
    return (HEADER + levels).encode()[:MOST]


HTML = "text/html"
QP = "Content-Transfer-Encoding: quoted-printable\n"
B64 = "Content-Transfer-Encoding: base64\n"
PARTS = "multipart/mixed; boundary=b"
BOMBS: dict[str, Callable[[], bytes]] = {
    "empty lines": lambda: letter(fill("\n")),
    "beginnings of blocks": lambda: letter(fill("game:\n")),
    "blocks": lambda: letter(fill(BLOCK)),
    "fences": lambda: letter(fill("```\n")),
    "fences of other lengths": lambda: letter(b"````\n" + fill("```\n", SIZE - 10)),
    "quotation marks": lambda: letter(fill(">")),
    "quoted blocks": lambda: letter(fill("> > > > > game: x\n")),
    "introductions": lambda: letter(fill("a" * 50 + " b c d:\n")),
    "copied headers": lambda: letter(fill("From: x\nSent: y\n")),
    "one long line": lambda: letter(b"game: " + fill("a", SIZE - 10)),
    "spaces": lambda: letter(b"game:" + fill(" ", SIZE - 10)),
    "tabs": lambda: letter(b"game: x\n" + fill("\t", SIZE - 10)),
    "stars": lambda: letter(fill("game: x\n" + "*a_" * 20000)),
    "full-width colons": lambda: letter(fill("game: x\n" + "a\uff1a" * 20000)),
    "brackets": lambda: letter(b"game: [\n" + fill("[\n", 60000)),
    "lists in lists": lambda: letter("game: x\na:\n" + "- " * 25000 + "1\n"),
    "many values": lambda: letter(b"game: [" + fill("a,", 60000) + b"]\n"),
    "faults": lambda: letter(b"game: x\n" + fill("a: [b}, c\n", 60000)),
    "blocks of faults": lambda: letter(fill("game: x\n" + "a: [b}, c\n" * 900)),
    "references": lambda: letter(
        "game: x\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n"
    ),
    "flowed": lambda: letter(fill("a" * 60 + " \n"), "text/plain; format=flowed"),
    "tags": lambda: letter(fill("<b>"), HTML),
    "tags never closed": lambda: letter(fill("<div>a"), HTML),
    "tags never opened": lambda: letter(fill("<div></p>"), HTML),
    "halves of tags": lambda: letter(fill("<a "), HTML),
    "halves of attributes": lambda: letter(fill('<a b="'), HTML),
    "quotes in tags": lambda: letter(b"<a " + fill('">', SIZE - 10), HTML),
    "halves of comments": lambda: letter(fill("<!--"), HTML),
    "scripts": lambda: letter(fill("<script></script"), HTML),
    "quotations in HTML": lambda: letter(fill("<blockquote>a"), HTML),
    "lists in HTML": lambda: letter(fill("<ul><li>"), HTML),
    "entities": lambda: letter(fill("&#"), HTML),
    "an endless entity": lambda: letter(b"&#" + fill("9", SIZE - 10), HTML),
    "parts in parts": lambda: nested("mixed"),
    "alternatives in alternatives": lambda: nested("alternative"),
    "letters in letters": lambda: fill("Content-Type: message/rfc822\n\n"),
    "many parts": lambda: letter(fill("--b\n\nx\n"), PARTS),
    "boundaries with spaces": lambda: letter(fill("\n--b" + " " * 199), PARTS),
    "parameters": lambda: letter(fill("--b\nContent-Type: a/b" + ';a="' * 200 + "\n\n"), PARTS),
    "soft line ends": lambda: letter(fill("=\n"), more=QP),
    "base64 garbage": lambda: letter(fill("=?!\n"), more=B64),
    "zero bytes": lambda: letter(fill(b"\0")),
    "all bytes": lambda: letter(fill(bytes(range(256)))),
    "utf-7": lambda: letter(fill("+AGc-"), "text/plain; charset=utf-7"),
    "an encoded subject": lambda: letter(BLOCK, more="Subject: " + "=?utf-8?q?a?= " * 4000 + "\n"),
    "recipients": lambda: letter(BLOCK, more="To: " + "a@b.example, " * 4000 + "\n"),
    "comments in an address": lambda: letter(BLOCK, more=("To: " + "(" * 900 + "\n") * 60),
    "groups in an address": lambda: letter(BLOCK, more=("To: " + "a:" * 3900 + "\n") * 7),
    "a bounce full of addresses": lambda: letter(fill("a.b@x\n"), more="Return-Path: <>\n"),
    "a report of many": lambda: letter(
        b"--b\nContent-Type: message/delivery-status\n\n"
        + fill("Final-Recipient: rfc822;a@b\nAction: failed\n\n", SIZE - 100),
        "multipart/report; boundary=b",
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_no_letter_takes_long(name: str) -> None:
    content = BOMBS[name]()
    assert len(content) <= MOST
    start = time.process_time()
    read(content)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("name", ["empty lines", "blocks", "tags", "quoted blocks", "many parts"])
def test_no_letter_takes_much_memory(name: str) -> None:
    content = BOMBS[name]()
    tracemalloc.start()
    try:
        read(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200 * 1024 * 1024


def _told(seen: Incoming) -> str:
    return " ".join(problem.message for problem in seen.problems)


def test_a_letter_of_more_than_a_megabyte_is_refused_unread() -> None:
    seen = read(letter(BLOCK + "x" * MOST))
    assert (seen.blocks, seen.too_big is not None) == ((), True)
    assert _told(seen) == "the letter is bigger than 1 MB, which is more than is read"


def test_a_letter_of_just_a_megabyte_is_read() -> None:
    start = letter(BLOCK + "# end of orders\n")
    assert blocks(read(start + b"x" * (MOST - len(start)))) == [ORDERS]


@pytest.mark.parametrize(
    "flood",
    ["Subject: " + "=?utf-8?q?a?= " * 20000, "X: " + "x" * 70000, "X: y\n" * 14000 + "Z: z"],
)
def test_a_header_of_more_than_64_kb_is_not_parsed(flood: str) -> None:
    start = time.process_time()
    seen = read(letter(BLOCK, more=flood + "\n"))
    assert time.process_time() - start < SECONDS
    assert (seen.blocks, seen.sender) == ((), None)
    assert _told(seen) == "the letter's header is longer than 64 KB and was not read"


def test_what_was_left_out_is_told() -> None:
    assert "nested more than 12 levels deep" in _told(read(nested("mixed")))
    assert "only the first 100 parts" in _told(read(BOMBS["many parts"]()))
    assert "too many blocks" in _told(read(BOMBS["blocks"]()))
    assert "too long to be read" in _told(read(letter(fill("<b>"), HTML)))


def test_twenty_blocks_at_most_are_read() -> None:
    assert len(read(BOMBS["blocks"]()).blocks) == 20


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("game: x\na: &a [x]\n", "anchors are not read"),
        ("game: x\na: *a\n", "references are not read"),
        ("game: x\na: !!python/object/apply:os.system [x]\n", "quotation marks"),
        ("game: x\na: b\na: c\n", "stands here twice"),
        ("game: x\na:\n" + "- " * 30 + "1\n", "20 levels"),
        ("game: x\na: [" + "1," * 5000 + "]\n", "too many values"),
        ("game: x\na: '" + "x " * 40000 + "'\n", "64 KB"),
    ],
)
def test_what_yaml_may_not_do(body: str, message: str) -> None:
    (block,) = read(letter(body)).blocks
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
    seen = read(content)
    assert seen == read(content)
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
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_anything_can_be_read(content: bytes) -> None:
    _holds(content)


@given(st.binary(max_size=2000))
@settings(max_examples=100, deadline=None)
def test_any_bytes_can_be_read(content: bytes) -> None:
    _holds(content)


@pytest.mark.soak
@given(letters)
@settings(max_examples=50_000, deadline=None, suppress_health_check=list(HealthCheck))
def test_anything_can_be_read_for_long(content: bytes) -> None:
    _holds(content)
