"""A quick look at a waiting letter, which decides only how soon it is read."""

import binascii
import quopri
import re
from contextlib import suppress

from adjudicator.desk.model.mail import Glance
from adjudicator.desk.outbox.keys import KEY_SHAPE

_HEADER = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]+")
_FROM = re.compile(rb"^from[ \t]*:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(rb"[^\s<>,;:\"()\[\]]{1,64}@[^\s<>,;:\"()\[\]]{1,255}")
_ANSWERS = re.compile(
    rb"^(?:in-reply-to|references)[ \t]*:([^\r\n]*)", re.IGNORECASE | re.MULTILINE
)
_MESSAGE_ID = re.compile(rb"<[^<>\s]{1,600}>")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}(?:\r?\n[A-Za-z0-9+/]+)*={0,2}")
_KEY = re.compile(rf"(?<![\w-]){KEY_SHAPE}(?![\w-])", re.IGNORECASE)
_MOST = 20


def glance(beginning: bytes) -> Glance:
    """Find sender, references and keys at the beginning of a letter, without parsing it."""
    parted = _HEADER.split(beginning, maxsplit=1)
    head, body = _FOLD.sub(b" ", parted[0]), parted[1] if len(parted) > 1 else b""
    from_line = _FROM.search(head)
    addresses = _ADDRESS.findall(from_line[1]) if from_line else ()
    answered = [one for line in _ANSWERS.findall(head) for one in _MESSAGE_ID.findall(line)]
    words = _KEY.findall(_decode_body(body).decode("utf-8", "replace"))
    return Glance(
        sender=addresses[-1].decode("ascii", "replace").lower() if addresses else None,
        references=tuple(one.decode("ascii", "replace") for one in answered[-_MOST:]),
        keys=tuple(dict.fromkeys(word.lower() for word in words))[:_MOST],
    )


def _decode_body(body: bytes) -> bytes:
    """Decode the encodings in the body as far as possible without reading its parts."""
    pieces = [quopri.decodestring(body) if b"=" in body else body]
    for block in _BASE64.findall(body):
        signs = block.translate(None, b"\r\n")
        with suppress(binascii.Error):
            pieces.append(binascii.a2b_base64(signs[: len(signs) // 4 * 4]))  # it may be cut off
    return b"\n".join(pieces).replace(b"\0", b"")
