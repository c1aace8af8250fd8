"""Letters of several parts: which of them hold orders, and in what order."""

import base64

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK, HEADER, ORDERS, blocks, html, letter, quoted

FORWARDED = f"From: ember@games.example\nSubject: Turn 4\n\n{BLOCK}"


def part(body: str, kind: str = "text/plain", more: str = "") -> str:
    return f"Content-Type: {kind}\n{more}\n{body}\n"


def whole(family: str, *parts: str, boundary: str = "b1") -> str:
    inside = "".join(f"--{boundary}\n{one}" for one in parts)
    return part(f"{inside}--{boundary}--\n", f'multipart/{family}; boundary="{boundary}"')


def mailed(family: str, *parts: str) -> bytes:
    return (HEADER + "MIME-Version: 1.0\n" + whole(family, *parts)).encode()


NAMED = 'Content-Disposition: attachment; filename="orders.yaml"\n'
HTML = part(html(BLOCK), "text/html")

LETTERS = {
    "plain before HTML": mailed("alternative", part(BLOCK), part(html("game: x"), "text/html")),
    "HTML first": mailed("alternative", part(html("game: x"), "text/html"), part(BLOCK)),
    "an empty plain part": mailed("alternative", part(""), HTML),
    "a plain part that excuses itself": mailed(
        "alternative", part("Your mail program does not show HTML."), HTML
    ),
    "a plain part that was spoilt": mailed("alternative", part("game: ember\njump: [\n"), HTML),
    "HTML with a picture": mailed(
        "alternative",
        part("Hi"),
        whole("related", HTML, part("R0lGODlh", "image/gif"), boundary="b2"),
    ),
    "attachments beside": mailed(
        "mixed",
        whole("alternative", part(BLOCK), HTML, boundary="b2"),
        part("JVBERi0x", "application/pdf", "Content-Transfer-Encoding: base64\n"),
    ),
    "several text parts": mailed("mixed", part("Hi"), part(BLOCK), part("_____\nlist footer\n")),
    "signed": mailed("signed", part(BLOCK), part("x", "application/pkcs7-signature")),
    "a YAML attachment by its name": mailed(
        "mixed", part("Orders attached."), part(BLOCK, "application/octet-stream", NAMED)
    ),
    "a YAML attachment by its kind": mailed(
        "mixed", part("Orders attached."), part(BLOCK, "application/yaml")
    ),
    "a YAML attachment in base64": mailed(
        "mixed",
        part("Orders attached."),
        part(
            base64.encodebytes(BLOCK.encode("utf-16")).decode(),
            "text/x-yaml",
            "Content-Transfer-Encoding: base64\n",
        ),
    ),
    "a YAML attachment with an encoded name": mailed(
        "mixed",
        part(BLOCK, "application/octet-stream; name*=utf-8''z%C3%BCge.yml"),
        part("Orders attached."),
    ),
    "a YAML attachment with capitals and without spaces": mailed(
        "mixed", part(BLOCK.replace("game: ", "Game:").replace("- C4", "-C4"), "text/yaml")
    ),
    "a YAML attachment with a beginning and an end": mailed(
        "mixed", part(f"---\n{BLOCK}# end of orders\nAda: here\n", "text/yaml")
    ),
    "a text attachment": mailed(
        "mixed", part("Hi"), part(BLOCK, "application/octet-stream; name=orders.txt")
    ),
    "a forwarded letter": mailed("mixed", part("See below."), part(FORWARDED, "message/rfc822")),
    "a digest": mailed("digest", f"\n{FORWARDED}\n"),
    "no closing boundary": mailed("mixed", part(BLOCK)).replace(b"--b1--", b""),
    "another boundary than announced": mailed("mixed", part(BLOCK)).replace(b'="b1', b'="b9'),
    "no boundary announced": mailed("mixed", part(BLOCK)).replace(b'; boundary="b1"', b""),
    "multipart without parts": letter(BLOCK, 'multipart/mixed; boundary="none"'),
    "a broken Content-Type": letter(BLOCK, "text"),
    "no Content-Type": f"{HEADER}\n{BLOCK}".encode(),
    "CRLF throughout": mailed("mixed", part(BLOCK)).replace(b"\n", b"\r\n"),
    "bare CR throughout": mailed("mixed", part(BLOCK)).replace(b"\n", b"\r"),
    "spaces behind boundaries": mailed("mixed", part(BLOCK)).replace(b"--b1\n", b"--b1  \n"),
    "UTF-16 throughout": letter(BLOCK).decode().encode("utf-16"),
    "a mailbox file's first line": b"From ada Tue Nov  3\n" + letter(BLOCK),
}


@pytest.mark.parametrize("name", LETTERS)
def test_where_the_orders_are_found(name: str) -> None:
    assert blocks(parse_letter(LETTERS[name])) == [ORDERS]


def test_an_attachment_counts_in_whichever_alternative_it_stands() -> None:
    rich = whole("mixed", HTML.replace("x3", "x2"), part(BLOCK, "text/yaml"), boundary="b2")
    content = mailed("alternative", part(quoted(BLOCK.replace("x3", "x1"))), rich)
    seen = parse_letter(content)
    assert [block.origin for block in seen.blocks] == ["attachment", "quoted"]
    assert blocks(seen)[0] == ORDERS


def test_an_attachment_comes_first_and_what_is_forwarded_last() -> None:
    fenced = f"```\n{BLOCK.replace('x3', 'x4')}```\n"
    content = mailed(
        "mixed",
        part(FORWARDED.replace("x3", "x1"), "message/rfc822"),
        part(f"{BLOCK.replace('x3', 'x2')}\n{quoted(BLOCK.replace('x3', 'x5'))}"),
        part(fenced),
        part(BLOCK, "text/yaml"),
    )
    seen = parse_letter(content)
    origins = ["attachment", "fenced", "text", "quoted", "quoted"]
    assert [block.origin for block in seen.blocks] == origins
    moved = [block["jump"][0][-1] for block in blocks(seen)]
    assert moved == ["3", "4", "2", "1", "5"]


FORWARDS = [
    "---------- Forwarded message ---------\nFrom: Ember <e@games.example>\nDate: Tue\n\n",
    "Begin forwarded message:\n\nFrom: Ember <e@x.example>\nSubject: so\nDate: Tue\nTo: Ada\n\n",
    "-------- Weitergeleitete Nachricht --------\nBetreff: so\nVon: Ember\n\n",
    "________________________________\nVon: Ember\nGesendet: Dienstag\nAn: Ada\nBetreff: so\n\n",
    "De : Ember <e@games.example>\nEnvoy\u00e9 : mardi\n\u00c0 : Ada\nObjet : so\n\n",
]


@pytest.mark.parametrize("head", FORWARDS)
def test_what_is_copied_below_counts_as_quoted(head: str) -> None:
    seen = parse_letter(letter(f"See below.\n\n{head}{BLOCK}", "text/plain; charset=utf-8"))
    assert [block.origin for block in seen.blocks] == ["quoted"]
    assert blocks(seen) == [ORDERS]


def test_an_order_block_with_from_and_to_is_no_copied_letter() -> None:
    body = BLOCK.replace("- C4-D5 x3", "- from: C4\n  to: D5\n  fleets: 3")
    (block,) = blocks(parse_letter(letter(body)))
    assert block["jump"] == [{"from": "C4", "to": "D5", "fleets": "3"}]


def test_the_digest_knows_a_letter_that_came_another_way() -> None:
    plain = letter(BLOCK)
    encoded = letter(base64.encodebytes(BLOCK.encode()), more="Content-Transfer-Encoding: base64\n")
    other = letter(BLOCK.replace("x3", "x2"))
    assert (
        parse_letter(plain).digest
        == parse_letter(encoded).digest
        == parse_letter(plain.replace(b"\n", b"\r\n")).digest
    )
    assert parse_letter(plain).digest != parse_letter(other).digest


DOUBTS = {
    "this is not a letter: it has no header": b"\x00\x01\x02 garbage",
    "the letter says that it has parts, but none could be found": letter(
        "Hello", 'multipart/mixed; boundary="none"'
    ),
    "a part of the letter is not encoded as it says": letter(
        "*** Hello ***", more="Content-Transfer-Encoding: base64\n"
    ),
}


@pytest.mark.parametrize("told", DOUBTS)
def test_what_is_broken_is_told_where_no_orders_were_found(told: str) -> None:
    assert [one.message for one in parse_letter(DOUBTS[told]).problems] == [told]
    assert parse_letter(b"").problems != ()
