"""Plain values for everything stored, and their one canonical byte form.

Canonical JSON: UTF-8, keys sorted by code point, no spaces. Numbers are whole.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

Seat = Annotated[str, "seat"]
Document = Mapping[str, Any]
Orders = Mapping[Seat, Document]
"""The orders on file for a step, a form per seat; a seat left out sent nothing."""


class Impossible(Exception):  # noqa: N818 - it is said of a position, not of the program
    """A position or option that cannot be: the path of the offending key, and what is wrong."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message

    def prefix_path(self, key: str) -> "Impossible":
        """Return the fault as seen from the document that holds this one under the key."""
        dot = "." if key and self.path and not self.path.startswith("[") else ""
        return Impossible(f"{key}{dot}{self.path}", self.message)


_ENCODER = msgspec.json.Encoder(order="sorted")
_PLAIN = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def replace_unseen(text: str, stand_in: str = "\ufffd") -> str:
    """Replace invisible characters in text that leaves the program.

    Nothing in it acts on a terminal, ends a line or reverses the text, whoever wrote it.
    """
    return _UNSEEN.sub(stand_in, text)


def escape_unseen(text: str) -> str:
    """Escape every such character in JSON."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def encode(value: object) -> bytes:
    """Encode a document as its canonical bytes."""
    return _ENCODER.encode(value)


def decode(content: bytes | str) -> Any:
    """Decode the document that these bytes hold."""
    return _DECODER.decode(content)


def to_plain(value: object) -> Any:
    """Convert a value to dicts, lists, strings and numbers, as it reads after being stored."""
    return msgspec.to_builtins(value)


def to_stored(value: object) -> Any:
    """Convert a value to dicts, lists, strings and numbers, with its keys in their order."""
    return _DECODER.decode(_PLAIN.encode(value))


def digest(content: bytes) -> str:
    """Compute the SHA-256 of these bytes in hex, the form in which every digest is shown."""
    return hashlib.sha256(content).hexdigest()
