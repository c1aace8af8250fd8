"""A bundle as a file: a tar whose last member lists the digests of all the others."""

import hashlib
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from adjudicator.adapters.files import is_inside
from adjudicator.desk.model.errors import Refused

_LIST = "bundle.json"
_LIST_BYTES = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700


class Manifest(Struct, frozen=True, kw_only=True):
    """What a bundle says of itself."""

    bundle: int = 1
    program: str
    """The version that wrote it."""
    made: datetime
    moved: bool
    """The home that it was made from is frozen since."""
    games: tuple[str, ...]
    files: Mapping[str, str] = {}
    """The SHA-256 of each file by its path."""


class BundleWriter:
    """Adds files to a bundle and remembers their digests."""

    def __init__(self, file: IO[bytes], at: datetime) -> None:
        # a stream: what was added is never changed
        self._tar = tarfile.open(fileobj=file, mode="w|gz", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - `finish` closes it
        self._at = at
        self._digests: dict[str, str] = {}

    def add(self, name: str, content: bytes) -> None:
        """Add a file with this content."""
        self._add(name, BytesIO(content), len(content))

    def add_file(self, name: str, path: Path) -> None:
        """Add a file as it is now, even if it is replaced meanwhile."""
        with path.open("rb") as file:
            self._add(name, file, file.seek(0, 2))

    def finish(self, manifest: Manifest) -> None:
        """Write the list of files last, so that a truncated bundle lacks it."""
        whole = msgspec.structs.replace(manifest, files=self._digests)
        self.add(_LIST, msgspec.json.encode(whole))
        self._tar.close()

    def _add(self, name: str, file: IO[bytes], size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode, member.mtime = size, _PRIVATE, int(self._at.timestamp())
        file.seek(0)
        reader = _Digesting(file)
        self._tar.addfile(member, reader)  # type: ignore[arg-type]  # all it needs of a file
        self._digests[name] = reader.digest.hexdigest()


class _Digesting:
    """A file whose digest is taken while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int) -> bytes:
        """Read the next bytes."""
        content = self._file.read(size)
        self.digest.update(content)
        return content


def check_bundle(file: IO[bytes], name: str) -> Manifest:
    """Read a bundle to its end and compare every digest, without writing anything."""
    digests: dict[str, str] = {}
    content = b""
    with _explain_faults(name):
        for path, reader in _read_members(file, name):
            if path in digests:
                raise Refused(f"{name}: it holds {path} twice, as no bundle does")
            if path == _LIST:
                content = reader.read(_LIST_BYTES)
            else:
                digests[path] = _digest_content(reader)
    if not content:
        raise Refused(f"{name}: its end is missing; use another backup")
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.ValidationError as wrong:
        raise Refused(f"{name}: a newer adjudicator wrote it; update the program") from wrong
    except msgspec.DecodeError as wrong:
        raise Refused(f"{name}: its list of files is damaged; use another backup") from wrong
    _compare(name, manifest, digests)
    return manifest


def _compare(name: str, manifest: Manifest, digests: Mapping[str, str]) -> None:
    if manifest.bundle != 1:
        raise Refused(f"{name}: a newer adjudicator wrote it; update the program")
    for path in sorted({*manifest.files, *digests}):
        if manifest.files.get(path) != digests.get(path):
            what = "missing" if path not in digests else "not as it was written"
            raise Refused(f"{name}: {path} in it is {what}; use another backup")


def unpack_bundle(file: IO[bytes], name: str, manifest: Manifest, folder: Path) -> None:
    """Unpack a bundle into a folder, readable by the owner only, and check the files again."""
    with _explain_faults(name):
        for path, reader in _read_members(file, name):
            if path == _LIST:
                continue
            target = _make_file(folder, path)
            with target.open("r+b") as out:
                if _digest_content(reader, out.write) != manifest.files.get(path):
                    raise Refused(f"{name}: {path} in it has changed meanwhile; try again")


def _make_file(folder: Path, path: str) -> Path:
    """Make an empty file in the folder, with its parent folders."""
    for part in Path(path).parts[:-1]:
        folder /= part
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    target = folder / Path(path).name
    target.touch(mode=_PRIVATE, exist_ok=False)
    return target


def _read_members(file: IO[bytes], name: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Read every file in the bundle, and refuse anything else and any path outside the folder."""
    file.seek(0)
    with tarfile.open(fileobj=file, mode="r|gz") as tar:
        for member in tar:
            is_tidy = member.name == Path(member.name).as_posix()
            plain = member.isreg() and is_inside(member.name) and is_tidy
            reader = tar.extractfile(member) if plain else None
            if reader is None:
                raise Refused(f"{name}: it holds {member.name!r}, which no bundle does")
            yield member.name, reader


@contextmanager
def _explain_faults(name: str) -> Iterator[None]:
    """Explain the many errors that reading a damaged file can raise."""
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, UnicodeDecodeError) as wrong:
        raise Refused(f"{name}: it is damaged or not a bundle; use another backup") from wrong


def _digest_content(reader: IO[bytes], write: Callable[[bytes], object] = len) -> str:
    digest = hashlib.sha256()
    while content := reader.read(_CHUNK):
        digest.update(content)
        write(content)
    return digest.hexdigest()
