"""Letters of the corpus, broken at random: whatever becomes of them, they are read, and quickly."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.forms.reading import Text
from tests.adapters.letter import built, damage
from tests.adapters.letter.replies import entries, replies, sent
from tests.adapters.letter.sending import letter

_CORPUS = Path(__file__).parent / "corpus"
_PIECES = (
    *(
        b"\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xc2\xa0",
        b"> ",
        b"\t",
        b"=",
        b"=\n",
        b"--",
    ),
    *(b"game: ", b"ask:", b"```\n", b"~~~", b"# end of orders\n", b"[", b"{", b'"', b"&a ", b"*a"),
    *(
        b"\nContent-Type: text/html\n\n",
        b"\nContent-Transfer-Encoding: base64\n",
        b"charset=utf-16",
    ),
    *(b"<div>", b"<!--", b"<pre>", b"<blockquote>", b"&nbsp;", b"\nFrom: a\nSent: b\nTo: c\n"),
    *(b"On Tue wrote:\n", b"-----Original Message-----\n", b"=?utf-8?Q?", b"+AGEA-", b"\x1b$B"),
)


def seeds() -> list[bytes]:
    """A letter of each sort."""
    made = [file.read_bytes() for file in sorted(_CORPUS.glob("*/*.eml"))]
    made += [letter(built.built(entry["parts"])) for entry in built.table("parts")]
    made += [built.in_charset(entry, "base64") for entry in built.table("charsets")]
    made += [content for entry in damage.entries()[::5] for _, content in damage.sent(entry)][::7]
    for entry in entries()[::7]:
        made += [content for _, reply in replies(entry) for _, content in sent(reply)][::5]
    return made


def _hurt(content: bytes, other: bytes, luck: random.Random) -> bytes:
    """The letter with one thing wrong."""
    at = luck.randrange(len(content) + 1)
    to = min(at + luck.choice((1, 4, 40, 400)), len(content))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: content[:at] + content[to:],
        lambda: content[:at] + luck.choice(_PIECES) + content[at:],
        lambda: content[:at] + bytes((luck.randrange(256),)) + content[at + 1 :],
        lambda: content[:to] + content[at:to] * luck.choice((1, 2, 50)) + content[to:],
        lambda: content[:at] + other[luck.randrange(len(other) + 1) :],
        lambda: content[:at],
    )
    return luck.choices(ways, (5, 9, 9, 3, 1, 1))[0]()[:1_000_000]


_SECONDS = 5.0
"""Of work (process time), on a slow machine, too: what searches too long takes minutes."""


def _fuzz(times: int, seed: int) -> None:
    luck = random.Random(seed)
    letters = seeds()
    for _ in range(times):
        content = luck.choice(letters)
        for _ in range(luck.choice((1, 1, 2, 5, 20))):
            content = _hurt(content, luck.choice(letters), luck)
        start = time.process_time()
        seen = parse_letter(content)
        took = time.process_time() - start
        shown = [block.text.value for block in seen.blocks if isinstance(block.text, Text)]
        told = [
            *seen.problems,
            *(f for b in seen.blocks if isinstance(b.text, tuple) for f in b.text),
        ]
        said = [shown, seen.sender, seen.message_id, seen.bounced, [one.message for one in told]]
        # it goes out as UTF-8: a lone surrogate would not
        assert json.dumps(said, ensure_ascii=False).encode(), content
        assert all(one.message for one in told), content
        assert took < _SECONDS, content


_KINDS = (
    *("text/plain", "text/plain; format=flowed", "text/plain; format=flowed; delsp=yes"),
    *("text/html", "application/yaml", "message/rfc822", "message/delivery-status"),
    *("multipart/mixed; boundary=b", "text/plain\nContent-Transfer-Encoding: quoted-printable"),
)
_REPEATED = (
    *(b" ", b"  ", b">", b"a", b"a ", b"- ", b"]", b"}", b"'", b"#", b"-", b"_", b"*", b"|", b":"),
    *(b"<", b"@", b"a@b.org ", b"<a@b>:", b"1:2", b"x: [", b"wrote:", b"From: a\n", b"http://x "),
    *(b"</div>", b"<br>", b"<p>", b"<td>", b"<li>", b"&#", b"--b\n", b"word \n", b"\xe2\x80\x93"),
    *(b"<style>", b"*x:*", b"~~~x\n", b"\xef\xbc\x9a", b"Action: failed\n", b"to: ", b"ich bin "),
)


def _repeat(times: int, seed: int) -> None:
    """Letters of one thing again and again: what searches too long is found so."""
    luck = random.Random(seed)
    for _ in range(times):
        unit = b"".join(luck.choices(_PIECES + _REPEATED, k=luck.choice((1, 2, 2, 3, 4))))
        before = luck.choice(
            (b"", b"game: e\n", b"> game: e\n", b"```\n", b"game: e\nx:\n- ", b"--b\n\n")
        )
        head = f"From: a@b.org\nSubject: failure notice\nContent-Type: {luck.choice(_KINDS)}\n\n"
        content = (head.encode() + before + unit * (1_000_000 // len(unit)))[:1_000_000]
        start = time.process_time()
        parse_letter(content)
        assert time.process_time() - start < _SECONDS, (head, before, unit)


def test_repeated_pieces_take_no_time() -> None:
    _repeat(8, 1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(2, 6))
def test_very_many_repeated_pieces_take_no_time(seed: int) -> None:
    _repeat(2_000, seed)


def test_broken_letters_are_read() -> None:
    _fuzz(400, 1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(2, 10))
def test_very_many_broken_letters_are_read(seed: int) -> None:
    _fuzz(40_000, seed)
