"""Letters that are meant to hurt: each must be read in under a second and 200 MB, or refused."""

import base64
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.model.mail import MAX_LETTER_BYTES
from tests.adapters.letter.bombs import BOMBS

FORM = "game: ember\nstep: 12-jump\nkey: 7f3k-q2mx\nafter: 2\njump:\n- C4-D5 x3\n"
_FLOWED = "text/plain; format=flowed"
_MIXED, _HTML = "multipart/mixed; boundary=b", "text/html"
_BOUNCE = b"Return-Path: <>\nSubject: failure notice\n\n"
_TOP = "From: ada@example.org\nTo: ember@games.example\nSubject: Turn 4\nMIME-Version: 1.0\n"


def _filled(unit: bytes | str, kind: str = "text/plain", encoding: str = "8bit") -> bytes:
    """A letter of exactly the greatest size, made of one thing again and again."""
    unit = unit.encode() if isinstance(unit, str) else unit
    head = f"{_TOP}Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
    room = MAX_LETTER_BYTES - len(head)
    return head + (unit * (room // len(unit) + 1))[:room]


def _headed(more: str | bytes, body: str = FORM) -> bytes:
    more = more.encode() if isinstance(more, str) else more
    return _TOP.encode() + more + b"\n\n" + body.encode()


def _body(text: str | bytes, kind: str = "text/plain; charset=utf-8") -> bytes:
    text = text.encode() if isinstance(text, str) else text
    return f"{_TOP}Content-Type: {kind}\n\n".encode() + text


def _nested(depth: int, *, same: bool = False) -> bytes:
    made = _TOP
    for level in range(depth):
        name = "b" if same else f"b{level}"
        made += f'Content-Type: multipart/mixed; boundary="{name}"\n\n--{name}\n'
    return f"{made}\n{FORM}".encode()


def _forwarded(depth: int) -> bytes:
    return (_TOP + "Content-Type: message/rfc822\n\nSubject: x\n" * depth + f"\n{FORM}").encode()


def _alternatives(levels: int, width: int) -> bytes:
    def below(level: int, name: str) -> str:
        if not level:
            return f"Content-Type: text/plain\n\n{FORM.replace('jump:', 'jump: [')}"
        inner = "".join(f"--{name}\n{below(level - 1, f'{name}{n}')}\n" for n in range(width))
        head = f"Content-Type: multipart/alternative; boundary={name}\n\n"
        return f"{head}{inner}--{name}--\n"

    return (_TOP + below(levels, "b")).encode()


def _parts(number: int, body: str, kind: str = "text/plain") -> bytes:
    one = f"--b\nContent-Type: {kind}\n\n{body}\n"
    head = f"{_TOP}Content-Type: multipart/mixed; boundary=b\n\n"
    return (head + one * number + "--b--\n").encode()[:MAX_LETTER_BYTES]


def _report(groups: int, group: str) -> bytes:
    head = f"{_TOP}Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
    text = f"--b\n\nfailed\n--b\nContent-Type: message/delivery-status\n\n{group * groups}--b--\n"
    return (head + text).encode()[:MAX_LETTER_BYTES]


def _noise(seed: int, size: int = 200_000) -> bytes:
    return random.Random(seed).randbytes(size)


def _laughs() -> str:
    lines = ["game: ember", "key: 7f3k-q2mx", "a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join(lines) + "\n"


LETTERS: dict[str, Callable[[], bytes]] = {
    # MIME
    "300 nested multiparts": lambda: _nested(300),
    "10,000 nested multiparts": lambda: _nested(10_000),
    "300 nested multiparts, one boundary": lambda: _nested(300, same=True),
    "300 forwarded in each other": lambda: _forwarded(300),
    "20,000 forwarded in each other": lambda: _forwarded(20_000),
    "alternatives of alternatives": lambda: _alternatives(6, 3),
    "alternatives, deep": lambda: _alternatives(11, 2),
    "10,000 parts": lambda: _parts(10_000, FORM),
    "30,000 empty parts": lambda: _parts(30_000, ""),
    "90 big parts of faulty blocks": lambda: _parts(90, FORM * 20 + "x: [" * 2500),
    "attachments of YAML": lambda: _parts(90, "a: [" * 2500, "text/yaml"),
    "boundary that is nowhere": lambda: _body(FORM, "multipart/mixed; boundary=nowhere"),
    "boundary without a name": lambda: _body(FORM, "multipart/mixed"),
    "boundary that is empty": lambda: _body(
        f"--\n\n{FORM}--\n" * 900, 'multipart/mixed; boundary=""'
    ),
    "boundary of regular expressions": lambda: _body(
        f"--(a+)+$\n\n{FORM}", "multipart/mixed; boundary=(a+)+$"
    ),
    "boundary of 900 signs": lambda: _body(
        f"--{'x' * 900}\n\n{FORM}", f"multipart/mixed; boundary={'x' * 900}"
    ),
    "boundary that begins like another": lambda: _body(
        f"--bb\n\nno\n--b\n\n{FORM}--bb--\n--b--\n" * 9, _MIXED
    ),
    "boundary that only ends": lambda: _body(f"--b--\n{FORM}", _MIXED),
    "boundaries only": lambda: _filled("--b\n", _MIXED),
    "boundary ends only": lambda: _filled("--b--\n", _MIXED),
    "boundaries with spaces": lambda: _filled("--b" + " " * 300 + "x\n", _MIXED),
    "dashes for boundaries": lambda: _filled("--", "multipart/mixed; boundary=-"),
    "a part that never ends": lambda: _body(f"--b\nContent-Type: text/plain\n\n{FORM}", _MIXED),
    "parts that look like boundaries": lambda: _filled("\n--x\nContent-Type", _MIXED),
    # headers
    "280 KB of encoded subject": lambda: _headed("Subject: " + "=?utf-8?Q?a?= " * 20_000),
    "60 KB of encoded subject": lambda: _headed("Subject: " + "=?utf-8?Q?a?= " * 4_200),
    "60 KB of encoded subject, folded": lambda: _headed(
        "Subject: " + "=?utf-8?B?YQ==?=\n " * 3_000
    ),
    "encoded words that never end": lambda: _headed("Subject: " + "=?utf-8?Q?" * 5_000),
    "encoded words of questions": lambda: _headed("Subject: " + "=?" * 30_000),
    "20,000 recipients": lambda: _headed(
        "Cc: " + ",\n ".join(f"p{n}@example.org" for n in range(20_000))
    ),
    "3,000 recipients": lambda: _headed(
        "Cc: " + ",\n ".join(f"p{n}@example.org" for n in range(3_000))
    ),
    "3,000 fields of recipients": lambda: _headed("Cc: a@b.org\n" * 3_000 + "Bcc: x"),
    "15,000 fields": lambda: _headed("A: b\n" * 13_000 + "C: d"),
    "a header without an end": lambda: _TOP.encode() + b"X-A: b\n" * 140_000,
    "a field of 1 MB": lambda: _headed("X-A: " + "b" * 1_000_000),
    "a folded field of 60 KB": lambda: _headed("X-A: b" + "\n b" * 19_000),
    "colons": lambda: _headed(":" * 60_000),
    "brackets in From": lambda: b"From: " + b"(" * 60_000 + b"\n\n" + FORM.encode(),
    "half brackets in From": lambda: (
        b"From: " + b"(a" * 30_000 + b")" * 3 + b"\n\n" + FORM.encode()
    ),
    "quotes in From": lambda: b"From: " + b'"' * 60_001 + b"\n\n" + FORM.encode(),
    "angles in From": lambda: b"From: " + b"<" * 60_000 + b"\n\n" + FORM.encode(),
    "ats in From": lambda: b"From: " + b"@" * 60_000 + b"\n\n" + FORM.encode(),
    "commas in To": lambda: _headed("Cc: " + "," * 60_000),
    "groups in To": lambda: _headed("Cc: " + "a:" * 30_000),
    "backslashes in To": lambda: _headed("Cc: " + '"\\' * 30_000),
    "strange From": lambda: b"From: <<<>>@@,,\n\n" + FORM.encode(),
    "brackets in Date": lambda: _headed("Date: " + "(" * 60_000),
    "digits in Date": lambda: _headed("Date: " + "9" * 60_000),
    "Date of no year": lambda: _headed("Date: Tue, 99 Xyz 99999999999 99:99:99 +99999999"),
    "Date with a far zone": lambda: _headed("Date: Fri, 31 Dec 9999 23:59:59 -9999"),
    "semicolons in Content-Type": lambda: _headed("Content-Type: text/plain" + ";" * 60_000),
    "parameters in Content-Type": lambda: _headed("Content-Type: text/plain" + "; a=b" * 12_000),
    "quotes in Content-Type": lambda: _headed('Content-Type: text/plain; a="' + '\\"' * 30_000),
    "spaces in Content-Type": lambda: _headed("Content-Type: text/plain;" + " " * 60_000 + "="),
    "pieces of a name": lambda: _headed(
        "Content-Disposition: attachment" + "".join(f"; filename*{n}*=%41" for n in range(3_000))
    ),
    "a number that is none": lambda: _headed(
        "Content-Disposition: x; filename*²=a; filename*99999999999=b"
    ),
    "60 KB of Message-ID": lambda: _headed("Message-ID: " + "<" * 60_000),
    "60 KB of References": lambda: _headed("References: " + "<a@b> " * 10_000),
    "60 KB of open References": lambda: _headed("References: " + "<a" * 30_000),
    "strange transfer encoding": lambda: _headed(
        "Content-Transfer-Encoding: x-uuencode; x=" + "y" * 9_000
    ),
    "no header at all": lambda: b"\n" * 500_000 + FORM.encode(),
    "nothing": lambda: b"",
    "one sign": lambda: b":",
    # size
    "1 MB of letters": lambda: _filled("a"),
    "1 MB and one more": lambda: _filled("a") + b"a",
    "5 MB": lambda: b"a" * 5_000_000,
    "1 MB of empty lines": lambda: _filled("\n"),
    "1 MB of carriage returns": lambda: _filled("\r"),
    "1 MB of blocks": lambda: _filled(FORM),
    "1 MB of first lines": lambda: _filled("game: ember\n"),
    "1 MB of one block": lambda: _body((FORM + "- C4-D5 x3\n" * 90_000)[:900_000]),
    "1 MB of comments in a block": lambda: _body(FORM + "# no\n" * 180_000),
    "1 MB of empty lines in a block": lambda: _body(FORM + "\n" * 900_000 + "vote: draw\n"),
    "1 MB of one line in a block": lambda: _body(FORM + "luck: " + "a " * 450_000),
    "1 MB of wrapped words in a block": lambda: _body(FORM + "luck: " + ("a" * 70 + "\n") * 13_000),
    # encodings
    "base64 of zeros": lambda: _body(
        base64.b64encode(bytes(700_000)),
        "text/plain; charset=utf-16\nContent-Transfer-Encoding: base64",
    ),
    "base64 of one line": lambda: _filled("QUJD", encoding="base64"),
    "base64 of noise": lambda: _filled("=A=", encoding="base64"),
    "base64 lines and footers": lambda: _filled("QUJD\nno base64!\n", encoding="base64"),
    "quoted-printable of equals": lambda: _filled("=", encoding="quoted-printable"),
    "quoted-printable soft breaks": lambda: _filled("=\n", encoding="quoted-printable"),
    "quoted-printable zeros": lambda: _filled("=00", encoding="quoted-printable"),
    "quoted-printable spaces": lambda: _filled(" " * 999 + "a\n", encoding="quoted-printable"),
    "utf-7 shifts": lambda: _filled("+AGEA-", "text/plain; charset=utf-7"),
    "utf-7 surrogates": lambda: _body(
        "game: +2AA-ember\nkey: +3AA-x\n", "text/plain; charset=utf-7"
    ),
    "utf-7 that never ends": lambda: _filled("+AAAA", "text/plain; charset=utf-7"),
    "utf-8 surrogates": lambda: _body(b"game: \xed\xa0\x80ember\xed\xb0\x80\nkey: x\n"),
    "utf-16 surrogates": lambda: _body(
        "game: e\n".encode("utf-16-le") + b"\x00\xd8" * 9_000, "text/plain; charset=utf-16-le"
    ),
    "utf-16 odd": lambda: _body(
        "game: ember\n".encode("utf-16-le") + b"x", "text/plain; charset=utf-16"
    ),
    "utf-32 beyond": lambda: _body(b"\xff\xff\xff\x7f" * 50_000, "text/plain; charset=utf-32"),
    "iso-2022-jp escapes": lambda: _filled(b"\x1b$B", "text/plain; charset=iso-2022-jp"),
    "hz tildes": lambda: _filled(b"~{", "text/plain; charset=hz"),
    "zeros": lambda: _filled(b"\0"),
    "zeros in a block": lambda: _body(FORM.replace("e", "e\0").encode()),
    "all ones": lambda: _filled(b"\xff"),
    "noise 1": lambda: _noise(1),
    "noise 2": lambda: _body(_noise(2)),
    "noise 3": lambda: _body(_noise(3), "text/html; charset=gb18030"),
    "noise 4": lambda: _body(_noise(4), "multipart/mixed; boundary=a"),
    "charset of 60 KB": lambda: _headed("Content-Type: text/plain; charset=" + "x" * 900),
    "charset of a path": lambda: _headed("Content-Type: text/plain; charset=../../etc/passwd"),
    "charset of a codec of bytes": lambda: _headed("Content-Type: text/plain; charset=bz2"),
    # YAML
    "100,000 open lists": lambda: _body("game: ember\njump: " + "[" * 100_000),
    "30,000 open mappings": lambda: _body("game: ember\njump: " + "{a: " * 15_000),
    "10,000 dashes in a line": lambda: _body("game: ember\njump:\n" + "- " * 20_000 + "x\n"),
    "a thousand laughs": lambda: _body(_laughs()),
    "50,000 keys": lambda: _body("game: ember\n" + "".join(f"k{n}: 1\n" for n in range(50_000))),
    "6,000 keys": lambda: _body("game: ember\n" + "".join(f"k{n}: 1\n" for n in range(6_000))),
    "4,000 keys, one of them twice": lambda: _body(
        "game: e\n" + "".join(f"k{n % 2}: 1\n" for n in range(4_000))
    ),
    "60 KB of faults": lambda: _body("game: ember\n" + "a: [\n" * 12_000),
    "60 KB of quotes": lambda: _body("game: ember\nluck: " + '"a' * 30_000),
    "60 KB of complex keys": lambda: _body("game: ember\njump:\n" + "  ? " * 15_000),
    "60 KB of anchors": lambda: _body(
        "game: ember\n" + "".join(f"k{n}: &a{n} x\n" for n in range(4_000))
    ),
    "60 KB of tags": lambda: _body(
        "game: ember\n" + "".join(f"k{n}: !!x y\n" for n in range(4_000))
    ),
    "60 KB of documents": lambda: _body("```\ngame: ember\n" + "---\na: b\n" * 6_000 + "```\n"),
    "60 KB of percent signs": lambda: _body("```\n" + "%YAML 1.1\n" * 6_000 + "game: ember\n```\n"),
    "a deep indentation": lambda: _body(
        "game: e\njump:\n" + "".join(" " * n + "a:\n" for n in range(1, 300))
    ),
    "open brackets, line by line": lambda: _body("game: ember\njump: [\n" + "x, [\n" * 10_000),
    # traps for regular expressions and loops
    "marks of quotation": lambda: _filled(">"),
    "marks with spaces": lambda: _filled("> "),
    "lines of marks": lambda: _filled(">" * 70 + "\n"),
    "deeper and deeper": lambda: _body("".join(">" * n + " game: e\n" for n in range(1_300))),
    "spaces": lambda: _filled(" "),
    "lines of spaces": lambda: _filled(" " * 300 + "x\n"),
    "tabs": lambda: _filled("\t"),
    "tabs in a block": lambda: _body("game: e\njump:\n" + "\t" * 60_000 + "- x\n"),
    "dashes": lambda: _filled("-"),
    "lines of dashes": lambda: _filled("-" * 76 + "\n"),
    "dashes and words": lambda: _filled("-----Original" + "-" * 50 + "x\n"),
    "underscores": lambda: _filled("_" * 80 + "\n"),
    "stars": lambda: _filled("*"),
    "lines of stars": lambda: _filled("* * * " * 12 + "\n"),
    "bold colons": lambda: _filled("*a:*"),
    "On, never wrote": lambda: _filled("On Tue, Nov 3, 2026 at 8:00 PM Ember <a@b> wrot\n"),
    "On and on": lambda: _filled("On "),
    "wrote without a colon": lambda: _filled("On a wrote\n"),
    "wrote with a colon": lambda: _filled("wrote:\n"),
    "wrote in a line": lambda: _filled("wrote: "),
    "From after From": lambda: _filled("From: a\n"),
    "From, Sent, From, Sent": lambda: _filled("From: a\nSent: b\nTo: c\n"),
    "fences that open": lambda: _filled("~~~x\n"),
    "fences that open, of two kinds": lambda: _filled("~~~x\n```y\n"),
    "fences with keys": lambda: _filled("```yaml\ngame: e\n"),
    "fences of every length": lambda: _body(
        "".join("`" * (40 - n % 38) + "\na: b\n" for n in range(40_000))
    ),
    "fences that close": lambda: _filled("```\n"),
    "half fences, quoted": lambda: _filled("> ~~~x\n>> ~~~y\n"),
    "ends of orders": lambda: _filled("# end of orders\n"),
    "PGP beginnings": lambda: _filled("-----BEGIN PGP SIGNED MESSAGE-----\n"),
    "brackets and addresses": lambda: _filled("<a@"),
    "links in a line": lambda: _body("game: e\nluck: " + "<http://" * 8_000),
    "colons without end": lambda: _filled("a:"),
    "flowed without end": lambda: _filled("word ", "text/plain; format=flowed"),
    "flowed lines without end": lambda: _filled("word \n", "text/plain; format=flowed; delsp=yes"),
    "flowed marks without end": lambda: _filled("> word \n", "text/plain; format=flowed"),
    "flowed lines of some length": lambda: _filled("-- \nword%word%word ", _FLOWED),
    # HTML
    "tags": lambda: _filled("<div>", _HTML),
    "quotations in HTML": lambda: _filled("<blockquote>x", _HTML),
    "ends of tags": lambda: _filled("</div>", _HTML),
    "rows": lambda: _filled("<tr><td>game: e", _HTML),
    "lists in HTML": lambda: _filled("<ul><li>x", _HTML),
    "angles": lambda: _filled("<", _HTML),
    "angles and letters": lambda: _filled("<a", _HTML),
    "half tags": lambda: _filled('<a href="', _HTML),
    "half tags with an end": lambda: _filled('<a href=">', _HTML),
    "comments that never end": lambda: _filled("<!--", _HTML),
    "comments": lambda: _filled("<!---->", _HTML),
    "declarations": lambda: _filled("<!x", _HTML),
    "scripts that never end": lambda: _filled("<script>", _HTML),
    "styles that never end": lambda: _filled("<style ", _HTML),
    "ends of scripts": lambda: _filled("<script></script>", _HTML),
    "entities": lambda: _filled("&nbsp;", _HTML),
    "half entities": lambda: _filled("&", _HTML),
    "numbers of entities": lambda: _filled("&#1114112;&#xD800;&#99999999999;", _HTML),
    "one long entity": lambda: _body("&#" + "9" * 500_000 + ";", _HTML),
    "breaks": lambda: _filled("<br>", _HTML),
    "hidden styles": lambda: _filled('<p style="display:   none">', _HTML),
    "a long style": lambda: _filled("<p " + "display: " * 200 + ">", _HTML),
    "unbalanced": lambda: _filled("<b><i></b></i>", _HTML),
    "2,000 open and one closed": lambda: _filled("<b>" * 1999 + "</i>" * 99, _HTML),
    # reports
    "20,000 failed": lambda: _report(
        20_000, "Final-Recipient: rfc822; a@b.org\nAction: failed\n\n"
    ),
    "a long failed": lambda: _report(
        1, f"Final-Recipient: rfc822; {'a@' * 90_000}\nAction: failed\n\n"
    ),
    "a report of empty lines": lambda: _report(900_000, "\n"),
    "a report in words, of ats": lambda: _BOUNCE + b"a@" * 500_000,
    "a report in words, of addresses": lambda: _BOUNCE + b"a@b.org\n" * 99_000,
    "60 KB of X-Failed-Recipients": lambda: _headed("X-Failed-Recipients: " + "a@b.org, " * 6_000),
    "words of absence": lambda: _filled("bis zum vom ab dem derzeit "),
}
"""Every letter by its name; made when it is needed."""
ALL = {**LETTERS, **{f"a bomb: {name}": make for name, make in BOMBS.items()}}


_SHORT = 40_000
_ONE_IN = 24


def measured(*, whole: bool) -> Iterator[tuple[str, float, float, str]]:
    """Each letter read in a process of its own: name, seconds of work, MB, what went wrong.

    They are read as they are or, but for one in so many, only their beginning.
    """
    for letter in (_body(FORM), _body(f"<p>{FORM}</p>", "text/html")):
        parse_letter(letter)  # what a process loads once is not loaded by each child
    for number, (name, make) in enumerate(ALL.items()):
        content = make()
        if not whole and number % _ONE_IN and len(content) <= MAX_LETTER_BYTES:
            content = content[:_SHORT]
        inward, outward = os.pipe()
        child = os.fork()
        if not child:
            _read_and_exit(content, outward)
        os.close(outward)
        with os.fdopen(inward, "rb") as stream:
            said = stream.read().decode()
        _, status, usage = os.wait4(child, 0)
        seconds, _, wrong = said.partition(" ")
        ended = os.waitstatus_to_exitcode(status)
        wrong = wrong or (f"ended with {ended}" if ended else "")
        yield name, float(seconds or 99), usage.ru_maxrss / 1024, wrong


def _read_and_exit(content: bytes, outward: int) -> None:
    signal.alarm(200)
    start = time.process_time()
    wrong = ""
    try:
        parse_letter(content)
    except BaseException as fault:  # that none comes out is what is tested
        wrong = repr(fault)[:300]
    os.write(outward, f"{time.process_time() - start} {wrong}".encode())
    os._exit(0)


if __name__ == "__main__":
    json.dump(list(measured(whole="whole" in sys.argv)), sys.stdout)
