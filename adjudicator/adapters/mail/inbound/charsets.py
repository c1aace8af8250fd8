"""Bytes to text, whatever the label says: labels are often wrong, and never a reason to fail."""

import codecs
import re
from collections.abc import Iterator

_LABEL = re.compile(r"[A-Za-z0-9._:+-]{1,40}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_META = re.compile(
    rb"<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?([A-Za-z0-9._:+-]{1,40})", re.IGNORECASE
)

_CALLED = {
    "ansi": "cp1252",
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "hz-gb-2312": "hz",
    "iso-8859-1": "cp1252",
    "iso-8859-8-e": "iso-8859-8",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-9": "cp1254",
    "ks_c_5601-1987": "cp949",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "ucs-2": "utf-16",
    "unicode": "utf-16",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "x-cp1252": "cp1252",
    "x-gbk": "gb18030",
    "x-mac-roman": "mac-roman",
    "x-sjis": "cp932",
}
"""Labels that Python does not know, or that programs use for more than their standard has."""

_NO_CHARSETS = frozenset(
    ("idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
)
_SELF_TELLING = ("utf-7", "hz", "iso2022")
"""Plain ASCII to look at: a label is the only sign."""

_HIGH = bytes(range(0x80, 0x100))
_TELLING = 10
"""So many bytes above ASCII are not valid UTF-8 by chance, also in charsets of several bytes."""


def decode_text(content: bytes, label: str | None = None) -> str:
    """Decode the text, trusting the label unless the bytes contradict it."""
    for codec in _list_codecs(content, _find_codec(label)):
        try:
            return _SURROGATES.sub("\ufffd", content.decode(codec))
        except UnicodeError:
            continue
    return content.decode("cp1252", "replace")


def find_html_charset(content: bytes) -> str | None:
    """Find the charset that an HTML page declares."""
    match = _META.search(content[:2048])
    return match.group(1).decode("ascii") if match else None


def _find_codec(label: str | None) -> str | None:
    """Find Python's codec for the label, if any."""
    name = (label or "").strip().strip("\"'").lower()
    if not _LABEL.fullmatch(name):
        return None
    name = _CALLED.get(name.replace("_", "-"), _CALLED.get(name, name))
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    alias = codec.name in _CALLED and _CALLED[codec.name]
    # codecs such as rot13 or zip do not decode to text
    is_text = getattr(codec, "_is_text_encoding", True)
    usable = is_text and codec.name.replace("_", "-") not in _NO_CHARSETS
    return (alias or codec.name) if usable else None


def _list_codecs(content: bytes, codec: str | None) -> Iterator[str]:
    yield from _find_byte_order_mark(content)
    wide = codec is not None and codec.startswith(("utf-16", "utf-32"))
    head = content[:4096]
    if head.count(0) * 4 > len(head):
        if codec is not None and wide:
            yield codec
        yield "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    elif wide:
        codec = None  # orders hold ASCII letters, and those hold zero bytes in these charsets
    if codec and (codec.startswith(_SELF_TELLING) or _may_look_like_utf8(codec, content)):
        yield codec
    elif b"\x1b$" in content[:65536]:
        yield "iso2022_jp_2"
    yield "utf-8"  # other text is hardly ever valid UTF-8 by chance
    if codec is not None:
        yield codec
    yield "cp1252"


def _find_byte_order_mark(content: bytes) -> Iterator[str]:
    if content.startswith(codecs.BOM_UTF8):
        yield "utf-8-sig"
    elif content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        yield "utf-32"
    elif content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield "utf-16"


def _may_look_like_utf8(codec: str, content: bytes) -> bool:
    """Whether the text is short and in a charset that could look like UTF-8."""
    if not codec.startswith(("big5", "cp93", "cp94", "cp95", "euc", "gb", "johab", "shift")):
        return False
    return len(content) - len(content.translate(None, _HIGH)) < _TELLING
