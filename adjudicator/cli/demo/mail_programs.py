"""The mail programs of players: they open letters and send replies, each in its own way."""

import email
import html
import re
import textwrap
from collections.abc import Callable, Mapping
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from pathlib import Path

from msgspec import Struct

_NAMES = "join|game|step|key|after"
_LINE = re.compile(rf"^({_NAMES}): (.*)$", re.MULTILINE)
_FORM = re.compile(r"^(?:game|join): .*?^# end of orders$", re.MULTILINE | re.DOTALL)
END_LINE = "# end of orders"


def open_message(content: bytes) -> EmailMessage:
    """Open a letter as a mail program does."""
    return email.message_from_bytes(content, policy=SMTP)


def read_body(letter: EmailMessage) -> str:
    """Read the text of a letter."""
    body = letter.get_body(("plain",))
    return "" if body is None else str(body.get_content()).replace("\r\n", "\n")


def find_form(letter: EmailMessage) -> str:
    """Find the block at the end of the letter; empty if there is none."""
    blocks = _FORM.findall(read_body(letter))
    return str(blocks[-1]) if blocks else ""


def read_envelope(letter: EmailMessage) -> dict[str, str]:
    """Read the first lines of that block."""
    return {line[1]: line[2] for line in _LINE.finditer(find_form(letter))}


def list_inbox(folder: Path, *names: str) -> list[Path]:
    """List the letters of a Maildir, oldest first, in new/ and cur/ or the one named."""
    files = [path for name in names or ("new", "cur") for path in (folder / name).glob("*")]
    return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name))


class Reply(Struct, frozen=True, kw_only=True):
    """A reply that somebody wants to send."""

    asked: EmailMessage
    sender: str
    to: str
    message_id: str
    block: str
    """The form, filled in: from its first line to the last."""
    name: str = ""
    date: datetime | None = None


Program = Callable[[Reply], bytes]


def fill_form(facts: Mapping[str, str], orders: str) -> str:
    """Fill in a block: the envelope from the letter, and orders in YAML."""
    head = "".join(f"{name}: {facts[name]}\n" for name in _NAMES.split("|") if name in facts)
    return f"{head}{orders}\n{END_LINE}"


def reply_in_plain_text(reply: Reply) -> bytes:
    """Reply with text only, nothing quoted, as mutt or a telephone does."""
    letter = _make_reply(reply)
    letter.set_content(f"Hello,\n\n{reply.block}\n\nThanks\n{reply.name}".rstrip() + "\n")
    return letter.as_bytes()


def reply_like_gmail(reply: Reply) -> bytes:
    """Reply on top with the original quoted below, as text and as HTML."""
    letter, old = _make_reply(reply), read_body(reply.asked)
    intro = f"On {reply.asked['Date']}, {reply.asked['From']} wrote:"
    own = f"Hi,\n\nhere are my orders:\n\n{reply.block}\n\nBest,\n{reply.name}"
    quotation = textwrap.indent(old, "> ", lambda _line: True).replace("> \n", ">\n")
    letter.set_content(f"{own}\n\n{intro}\n\n{quotation}", cte="quoted-printable")
    rows = "".join(f"<div>{_keep_blanks(line) or '<br>'}</div>" for line in own.split("\n"))
    letter.add_alternative(
        f'<div dir="ltr">{rows}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{html.escape(intro)}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{_break_lines(old)}</blockquote></div>\n',
        subtype="html",
        cte="quoted-printable",
    )
    return letter.as_bytes()


def reply_like_outlook(reply: Reply) -> bytes:
    """Reply in HTML only: a paragraph per line, and a header block above the original."""
    letter = _make_reply(reply)
    own = f"Hello,\n\nplease find my orders below.\n\n{reply.block}\n\nKind regards,\n{reply.name}"
    rows = "\n".join(
        f'<p class="MsoNormal">{_keep_blanks(line) or "&nbsp;"}<o:p></o:p></p>'
        for line in own.split("\n")
    )
    head = "<br>".join(
        f"<b>{name}:</b> {html.escape(str(value))}"
        for name, value in (
            ("From", reply.asked["From"]),
            ("Sent", reply.asked["Date"]),
            ("To", reply.asked["To"]),
            ("Subject", reply.asked["Subject"]),
        )
    )
    letter.set_content(
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>'
        '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
        "<style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt;} --></style></head>"
        f'<body lang="EN-US"><div class="WordSection1">{rows}'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{head}<o:p></o:p></p></div>'
        f'<p class="MsoNormal">{_break_lines(read_body(reply.asked))}<o:p></o:p></p>'
        "</div></body></html>\n",
        subtype="html",
        cte="base64",
    )
    return letter.as_bytes()


def _make_reply(reply: Reply) -> EmailMessage:
    letter = EmailMessage(policy=SMTP)
    letter["From"] = formataddr((reply.name, reply.sender))
    letter["To"] = reply.to
    letter["Subject"] = f"Re: {str(reply.asked['Subject']).strip()}"
    if reply.date is not None:
        letter["Date"] = format_datetime(reply.date)
    letter["Message-ID"] = reply.message_id
    letter["In-Reply-To"] = str(reply.asked["Message-ID"])
    return letter


def _keep_blanks(line: str) -> str:
    """Write a line the way programs do in HTML, so that leading blanks stay."""
    text = line.lstrip(" ")
    return "&nbsp;" * (len(line) - len(text)) + html.escape(text, quote=False)


def _break_lines(text: str) -> str:
    return "<br>\n".join(_keep_blanks(line) for line in text.rstrip("\n").split("\n"))
