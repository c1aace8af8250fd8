"""DKIM signatures, for a mail server that makes none: key, signer, and record to publish."""

import base64
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.adapters.mail.accounts import Dkim
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from types import ModuleType

Sign = Callable[[bytes], bytes]
"""Puts a signature in front of a letter."""
NEEDS_EXTRA = "pip install 'pbem-adjudicator[dkim]'"
_LEAST_BITS = 1024
"""Receivers ignore shorter keys (RFC 8301)."""
_LONGEST = 64 * 1024
_MAKE = "make one by `openssl genrsa -out {0} 2048`, then `chmod 600 {0}`"
_SIGNED = (
    *("From", "Reply-To", "To", "Subject", "Date", "In-Reply-To", "References", "MIME-Version"),
    *("Content-Type", "Content-Transfer-Encoding", "List-Id", "List-Unsubscribe"),
    *("List-Unsubscribe-Post", "Auto-Submitted", "Feedback-ID"),
)
"""Not the Message-ID: some servers on the way give a letter another one."""
_RSA = bytes.fromhex("300d06092a864886f70d0101010500")
"""The algorithm rsaEncryption, as it stands in a public key (RFC 8017)."""


class SigningKey:
    """A private key that does not show itself in logs, errors and debuggers."""

    __slots__ = ("_pem", "modulus", "public_exponent")

    def __init__(self, pem: bytes, modulus: int, public_exponent: int) -> None:
        self._pem = pem
        self.modulus = modulus
        self.public_exponent = public_exponent

    def reveal(self) -> bytes:
        """Return the key, to be used for signatures alone."""
        return self._pem

    def __repr__(self) -> str:
        return "SigningKey(…)"


def read_signing_key(settings: Dkim) -> SigningKey:
    """Read the key file; raises Refused with a way out."""
    path = Path(settings.key)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            pem = file.read(_LONGEST)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}; {_MAKE.format(path)}") from error
    if mode & 0o077:
        raise Refused(
            f"{path}: mode {stat.S_IMODE(mode):03o}, others can read this key and sign letters with"
            f" it; chmod 600 {path}, and make a new key if others use this machine"
        )
    crypto = _import_dkim().crypto
    try:
        key = crypto.parse_pem_private_key(pem)
    except Exception as error:  # whatever a file may hold
        raise Refused(f"{path}: expected an RSA key in PEM form; {_MAKE.format(path)}") from error
    if key["modulus"].bit_length() < _LEAST_BITS:
        raise Refused(f"{path}: the key is too short to count; {_MAKE.format(path)}")
    return SigningKey(pem, key["modulus"], key["publicExponent"])


def open_signer(settings: Dkim) -> Sign:
    """Read the key and make the function that signs letters; raises Refused."""
    key, dkim = read_signing_key(settings), _import_dkim()

    def sign(content: bytes) -> bytes:
        letter = dkim.DKIM(content)
        there = {name.lower() for name, _ in letter.headers}
        fields = [name.encode() for name in _SIGNED if name.lower().encode() in there]
        signature: bytes = letter.sign(
            settings.selector.encode(),
            settings.domain.encode(),
            key.reveal(),
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=fields,
        )
        return signature + content

    return sign


def name_record(settings: Dkim) -> str:
    """Name the DNS record in which receivers look for the public key."""
    return f"{settings.selector}._domainkey.{settings.domain}"


def make_record(key: SigningKey) -> str:
    """Make the text to publish there."""
    numbers = _encode(0x30, _encode_number(key.modulus) + _encode_number(key.public_exponent))
    public = _encode(0x30, _RSA + _encode(0x03, b"\0" + numbers))
    return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


def _encode_number(number: int) -> bytes:
    # one bit more than it needs: the highest is the sign
    return _encode(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _encode(tag: int, content: bytes) -> bytes:
    """Encode a value as DER: its tag, its length, itself."""
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def _import_dkim() -> "ModuleType":
    try:
        import dkim
        import dkim.crypto
    except ImportError as error:
        raise Refused(f"signing letters needs dkimpy: {NEEDS_EXTRA}") from error
    return dkim  # type: ignore[no-any-return]
