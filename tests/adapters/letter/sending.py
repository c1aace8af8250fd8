"""The ways in which one text travels: encodings, line ends, alternatives, wrappings."""

import base64
import quopri
import re
from collections.abc import Callable

HEADER = (
    "Return-Path: <ada@example.org>\n"
    "Received: from mail.example.org (mail.example.org [192.0.2.7]) by games.example; "
    "Tue, 3 Nov 2026 21:14:09 +0100\n"
    "From: Ada Lovelace <Ada@Example.org>\n"
    'To: "Ember, Jump Wars" <judge+ember@example.org>\n'
    "Subject: =?utf-8?Q?Re:_=5Bember=5D_Turn_4=E2=80=94E5?=\n"
    "Date: Tue, 3 Nov 2026 21:14:02 +0100\n"
    "Message-ID: <4711.abc@mail.example.org>\n"
    "In-Reply-To: <ember.12-jump.red.report.9@example.org>\n"
    "References: <ember.11-plan.red.report.8@example.org>\n"
    " <ember.12-jump.red.report.9@example.org>\n"
    "MIME-Version: 1.0\n"
)
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA"
    "WjR9awAAAABJRU5ErkJggg=="
)


def part(body: bytes, kind: str, encoding: str = "8bit", more: str = "") -> bytes:
    """A part with its header; the encoding is done here."""
    if encoding == "base64":
        body = base64.encodebytes(body)
    elif encoding == "quoted-printable":
        body = quopri.encodestring(body)
    head = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n{more}\n"
    return head.encode() + body


def several(kind: str, *parts: bytes, boundary: str = "=_b1", epilogue: bytes = b"") -> bytes:
    """A multipart with its header."""
    head = f'Content-Type: multipart/{kind};\n\tboundary="{boundary}"\n\n'.encode()
    text = b"".join(b"--%s\n%s\n" % (boundary.encode(), one) for one in parts)
    return (
        head
        + b"This is a multi-part message in MIME format.\n"
        + (text + b"--%s--\n" % boundary.encode() + epilogue)
    )


def letter(content: bytes, header: str = HEADER) -> bytes:
    """The whole letter: a header, then a part with its own."""
    return header.encode() + content


def text(body: str, encoding: str = "8bit", label: str = "utf-8", more: str = "") -> bytes:
    """A part of plain text, without what its charset lacks."""
    return part(body.encode(label), f"text/plain; charset={label}{more}", encoding)


def page(html: str, encoding: str = "quoted-printable") -> bytes:
    return part(html.encode(), 'text/html; charset="UTF-8"', encoding)


def flowed(body: str, *, delete_space: bool) -> str:
    """RFC 3676, as a program writes it: long lines softly broken, the rest stuffed."""
    made: list[str] = []
    for line in body.split("\n"):
        if line == "-- ":
            made.append(line)
            continue
        marks = re.match(r"(?:> ?)*", line)
        assert marks is not None
        depth = marks.group().count(">")
        rest = line[marks.end() :].rstrip() if depth else line.rstrip()
        pieces = _broken(rest, 72 - depth) if rest else [""]
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1
            stuffed = " " if depth or piece.startswith((" ", ">", "From ")) else ""
            end = "" if last else "  " if delete_space else " "
            made.append(">" * depth + stuffed + piece + end)
    return "\n".join(made)


def _broken(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip(" "))]
    made = [indent]
    for word in line.split():
        if made[-1].strip() and len(made[-1]) + len(word) > width:
            made.append(word)
        else:
            made[-1] += (" " if made[-1].strip() else "") + word
    # a line that holds runs of spaces is a table and never wrapped
    return made if len(line) > width and "  " not in line.strip() else [line]


def crlf(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


PLAIN: dict[str, Callable[[str], bytes]] = {
    "8bit": lambda body: letter(text(body)),
    "quoted-printable": lambda body: letter(text(body, "quoted-printable")),
    "base64": lambda body: letter(text(body, "base64")),
    "crlf": lambda body: crlf(letter(text(body))),
    "cr": lambda body: letter(text(body)).replace(b"\n", b"\r"),
    "base64 of crlf": lambda body: letter(text(body.replace("\n", "\r\n"), "base64")),
    "qp of crlf": lambda body: crlf(letter(text(body, "quoted-printable"))),
    "no label": lambda body: letter(part(body.encode(), "text/plain")),
    "no type": lambda body: letter(b"\n" + body.encode()),
    "wrong label": lambda body: letter(part(body.encode(), "text/plain; charset=us-ascii")),
    "unknown label": lambda body: letter(part(body.encode(), "text/plain; charset=x-martian-9")),
    "utf-16": lambda body: letter(text(body, "base64", "utf-16")),
    "gb18030": lambda body: letter(text(body, "base64", "gb18030")),
    "utf-8 with BOM": lambda body: letter(part(b"\xef\xbb\xbf" + body.encode(), "text/plain")),
    "mixed with a list's footer": lambda body: letter(
        several(
            "mixed",
            text(body, "quoted-printable"),
            text("_" * 47 + "\nEmber mailing list\nEmber@lists.example\n"),
        )
    ),
}
"""Ways for every plain text."""

FLOWED: dict[str, Callable[[str], bytes]] = {
    "flowed": lambda body: letter(
        text(flowed(body, delete_space=False), more="; format=flowed", encoding="8bit")
    ),
    "flowed, DelSp": lambda body: crlf(
        letter(text(flowed(body, delete_space=True), more="; format=flowed; delsp=yes"))
    ),
}
"""Ways for texts with the usual mark of quotation."""

RICH: dict[str, Callable[[str, str], bytes]] = {
    "alternative": lambda body, html: letter(
        several("alternative", text(body, "quoted-printable"), page(html))
    ),
    "alternative in base64": lambda body, html: crlf(
        letter(several("alternative", text(body, "base64"), page(html, "base64")))
    ),
    "alternative in related in mixed": lambda body, html: letter(
        several(
            "mixed",
            several(
                "related",
                several("alternative", text(body), page(html, "8bit"), boundary="=_c"),
                part(base64.b64decode(PIXEL), "image/png; name=logo.png", "base64"),
                boundary="=_b",
            ),
            boundary="=_a",
        )
    ),
    "alternative, empty plain": lambda body, html: letter(
        several("alternative", text("\n"), page(html))
    ),
    "html": lambda body, html: letter(page(html)),
    "html in base64": lambda body, html: letter(page(html, "base64")),
    "html in 8bit crlf": lambda body, html: crlf(letter(page(html, "8bit"))),
}
"""Ways for letters that a program writes as HTML."""
