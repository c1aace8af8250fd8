"""Files that a GM names: anything that is text can be read, whoever saved it."""

import codecs
import sys
from pathlib import Path

from adjudicator.desk.errors import Refused

_MOST = 1024 * 1024


def text_of(file: str, what: str) -> str:
    """The text in the file (- is standard input) that should be of this sort: an order form."""
    if file == "-":
        name, content = "standard input", sys.stdin.buffer.read(_MOST + 1)
    else:
        name = file
        with Path(file).open("rb") as stream:
            content = stream.read(_MOST + 1)
    if len(content) > _MOST:
        raise Refused(f"{name}: longer than 1 MB, which is no {what}; look what it is")
    return decoded(content)


def decoded(content: bytes) -> str:
    """The text in these bytes, a byte order mark or not."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as Windows may save it
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
