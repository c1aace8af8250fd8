"""One byte form for everything that is stored, compared or hashed.

Canonical JSON: UTF-8, keys sorted by code point, no spaces. Numbers are whole.
"""

import hashlib
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


def encode(value: object) -> bytes:
    """The canonical bytes of a document."""
    return _ENCODER.encode(value)


def decode(content: bytes | str) -> Any:
    """The document that these bytes hold."""
    return _DECODER.decode(content)


def plain(value: object) -> Any:
    """The value as dicts, lists, strings and numbers, as it reads after being stored."""
    return msgspec.to_builtins(value)


def digest(content: bytes) -> str:
    """SHA-256 in hex, the form in which every digest of ours is shown."""
    return hashlib.sha256(content).hexdigest()
