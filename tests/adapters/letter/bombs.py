"""Letters of the greatest size made of one thing again and again, each against another reader."""

from collections.abc import Callable

from adjudicator.desk.model.mail import MAX_LETTER_BYTES
from tests.adapters.letter.writing import BLOCK, HEADER, letter

SIZE = MAX_LETTER_BYTES - 1000


def fill(piece: str | bytes, size: int = SIZE) -> bytes:
    raw = piece.encode() if isinstance(piece, str) else piece
    return (raw * (size // len(raw) + 1))[:size]


def nested(family: str) -> bytes:
    head = "Content-Type: multipart/%s; boundary=b%d\n\n--b%d\n"
    levels = "".join(head % (family, n, n) for n in range(18000))
    return (HEADER + levels).encode()[:MAX_LETTER_BYTES]


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
