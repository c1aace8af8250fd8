"""The letter reader: whatever a letter looks like, it is read, and quickly."""

import json
import random
import time
from functools import cache
from pathlib import Path

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.forms.reading import Text
from tests.adapters.letter import built, damage
from tests.adapters.letter.replies import entries, replies, sent
from tests.adapters.letter.sending import letter
from tests.fuzz.damage import hurt_often

_SECONDS = 5.0
"""Of work (process time), on a slow machine, too: what searches too long takes minutes."""
_CORPUS = Path(built.__file__).parent / "corpus"
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
    *(b"\nContent-Type: text/html\n\n", b"\nContent-Transfer-Encoding: base64\n"),
    *(b"charset=utf-16", b"=?utf-8?Q?", b"?=", b"+AGEA-", b"\x1b$B", b"\x80", b"\xe2\x80"),
    *(
        b"<div>",
        b"<!--",
        b"<pre>",
        b"<blockquote>",
        b"&nbsp;",
        b"&#x",
        b"</",
        b"style='display:none'",
    ),
    *(
        b"\nFrom: a\nSent: b\nTo: c\n",
        b"On Tue wrote:\n",
        b"-----Original Message-----\n",
        b"A",
        b"0",
    ),
)
_REPEATED = (
    *(b" ", b"  ", b">", b"a", b"a ", b"- ", b"]", b"}", b"'", b"#", b"-", b"_", b"*", b"|", b":"),
    *(b"<", b"@", b"a@b.org ", b"<a@b>:", b"1:2", b"x: [", b"wrote:", b"From: a\n", b"http://x "),
    *(b"</div>", b"<br>", b"<p>", b"<td>", b"<li>", b"&#", b"--b\n", b"word \n", b"\xe2\x80\x93"),
    *(b"<style>", b"*x:*", b"~~~x\n", b"\xef\xbc\x9a", b"Action: failed\n", b"to: ", b"ich bin "),
)
_KINDS = (
    *("text/plain", "text/plain; format=flowed", "text/plain; format=flowed; delsp=yes"),
    *("text/html", "application/yaml", "message/rfc822", "message/delivery-status"),
    *("multipart/mixed; boundary=b", "text/plain\nContent-Transfer-Encoding: quoted-printable"),
)
_BEFORE = (b"", b"game: e\n", b"> game: e\n", b"```\n", b"game: e\nx:\n- ", b"--b\n\n")


@cache
def _letters() -> list[bytes]:
    """A letter of each sort."""
    made = [file.read_bytes() for file in sorted(_CORPUS.glob("*/*.eml"))]
    made += [letter(built.built(entry["parts"])) for entry in built.table("parts")]
    made += [built.in_charset(entry, "base64") for entry in built.table("charsets")]
    made += [content for entry in damage.entries()[::5] for _, content in damage.sent(entry)][::7]
    for entry in entries()[::7]:
        made += [content for _, reply in replies(entry) for _, content in sent(reply)][::5]
    return made


def try_broken_letter(luck: random.Random) -> None:
    """A letter of the corpus with something wrong."""
    _check(hurt_often(luck.choice(_letters()), _letters(), _PIECES, luck))


def try_long_letter(luck: random.Random) -> None:
    """A megabyte of one thing again and again: what searches too long is found so."""
    unit = b"".join(luck.choices(_PIECES + _REPEATED, k=luck.choice((1, 2, 2, 3, 4))))
    head = f"From: a@b.org\nSubject: failure notice\nContent-Type: {luck.choice(_KINDS)}\n\n"
    content = head.encode() + luck.choice(_BEFORE) + unit * (1_000_000 // len(unit))
    _check(content[:1_000_000])


def _check(content: bytes) -> None:
    start = time.process_time()
    seen = parse_letter(content)
    assert time.process_time() - start < _SECONDS
    told = list(seen.problems)
    said = [seen.sender, seen.name, seen.subject, seen.message_id, str(seen.bounced)]
    for block in seen.blocks:
        said.append(block.source)
        if isinstance(block.text, Text):
            assert isinstance(block.text.value, dict)
            said.append(json.dumps(block.text.value, ensure_ascii=False))
        else:
            assert all(fault.line and fault.column for fault in block.text)
            told += block.text
    assert all(one.message for one in told)
    # it goes out as UTF-8: a lone surrogate would not
    assert json.dumps([*said, *(one.message for one in told)], ensure_ascii=False).encode()
    assert seen.date is None or seen.date.tzinfo is not None
    assert seen.sender is None or (seen.sender == seen.sender.lower() and "@" in seen.sender)
    headers = (seen.sender, seen.name, seen.subject, seen.message_id)
    assert not any("\n" in text for text in headers if text)
