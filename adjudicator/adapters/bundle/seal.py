"""Bundles that only a passphrase opens, as `age` encrypts (https://age-encryption.org/v1).

pyrage encrypts with a passphrase only what fits into memory. So each bundle has a key pair of its
own: a tar holds the identity, encrypted with the passphrase, and the bundle, encrypted to it.
Without this program: `tar xf FILE && age -d -i identity.age bundle.tgz.age | tar xz`.
"""

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pyrage

from adjudicator.desk.model.errors import Refused

_IDENTITY, _CONTENT = "identity.age", "bundle.tgz.age"
_GZIP = b"\x1f\x8b"
_LONGEST = 100_000
_MEASURED = 50


def seal(plain: IO[bytes], sealed_file: IO[bytes], passphrase: str, work: Path) -> None:
    """Encrypt a bundle from one file into another, working in the folder `work`."""
    identity = pyrage.x25519.Identity.generate()
    opener = pyrage.passphrase.encrypt(str(identity).encode(), passphrase)
    with TemporaryFile(dir=work) as content, tarfile.open(fileobj=sealed_file, mode="w") as tar:
        plain.seek(0)
        pyrage.encrypt_io(plain, content, [identity.to_public()])
        for name, file, size in (
            (_IDENTITY, BytesIO(opener), len(opener)),
            (_CONTENT, content, content.seek(0, 2)),
        ):
            member = tarfile.TarInfo(name)
            member.size, member.mode = size, 0o600
            file.seek(0)
            tar.addfile(member, file)


def is_sealed(path: Path) -> bool:
    """Whether the bundle in this file needs a passphrase."""
    try:
        with path.open("rb") as file:
            if file.read(2) == _GZIP:
                return False
            file.seek(0)
            with tarfile.open(fileobj=file, mode="r:") as tar:
                return tar.getnames() == [_IDENTITY, _CONTENT]
    except FileNotFoundError as error:
        raise Refused(f"{path}: there is no such file") from error
    except IsADirectoryError as error:
        raise Refused(f"{path}: it is a folder, not a bundle") from error
    except tarfile.TarError:
        return False


@contextmanager
def open_bundle(path: Path, passphrase: str | None, work: Path) -> Iterator[IO[bytes]]:
    """Open the bundle in this file, decrypting it into the folder `work` if needed.

    The decrypted file has no name, and is gone once it is closed or the program ends.
    """
    with path.open("rb") as file:
        if passphrase is None:
            yield file
            return
        with TemporaryFile(dir=work) as plain:
            _unseal(file, plain, passphrase, path)
            yield plain


def _unseal(sealed_file: IO[bytes], plain: IO[bytes], passphrase: str, path: Path) -> None:
    try:
        with tarfile.open(fileobj=sealed_file, mode="r:") as tar:
            opener, content = tar.extractfile(_IDENTITY), tar.extractfile(_CONTENT)
            assert opener is not None
            assert content is not None
            words = _decrypt_words(opener.read(_LONGEST), passphrase, path)
            pyrage.decrypt_io(content, plain, [pyrage.x25519.Identity.from_str(words.decode())])
    except pyrage.DecryptError as wrong:
        raise Refused(f"{path}: the passphrase is not the right one") from wrong
    except (tarfile.TarError, OSError, pyrage.IdentityError, UnicodeDecodeError) as wrong:
        raise Refused(f"{path}: it is damaged; use another backup") from wrong


def _decrypt_words(opener: bytes, passphrase: str, path: Path) -> bytes:
    """Decrypt what the passphrase protects.

    age refuses work that would take too long on this machine. It measures the speed for a moment
    each time, and a machine that is busy in that moment seems far too slow.
    """
    for _ in range(_MEASURED):
        try:
            return bytes(pyrage.passphrase.decrypt(opener, passphrase))
        except pyrage.DecryptError as error:
            if "xcessive work" not in str(error):
                raise
    raise Refused(f"{path}: this machine is too slow or too busy for the passphrase; try again")
