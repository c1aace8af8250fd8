"""Pack the files of a home into a bundle, and unpack them."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from adjudicator.adapters.archive.places import archive_folder
from adjudicator.adapters.bundle.seal import seal
from adjudicator.adapters.bundle.tar import BundleWriter, Manifest, check_bundle, unpack_bundle
from adjudicator.adapters.bundle.workspace import open_workspace
from adjudicator.adapters.files import lock_folder, sync_folder
from adjudicator.adapters.home import choose_settings_file
from adjudicator.adapters.store.upkeep.damage import find_damage
from adjudicator.adapters.store.upkeep.transfer import copy_store, fill_store
from adjudicator.cli.archives import verify_game
from adjudicator.cli.serving.members import DAEMON, list_members
from adjudicator.cli.serving.post.quarantine import QUARANTINE_FOLDER
from adjudicator.cli.terminal.output import show_progress
from adjudicator.cli.wiring import Office, find_house_settings, open_own_books
from adjudicator.desk.model.epochs import move_books, thaw_books
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status

DATABASE, SETTINGS = "adjudicator.db", "adjudicator.yaml"
_NOWHERE = "a bundle"
_NAMED = f"adjudicator-{'[0-9]' * 8}T{'[0-9]' * 6}Z.bundle"


def write_bundle(
    office: Office, target: Path, passphrase: str | None, *, is_move: bool
) -> Manifest:
    """Write the whole home into a file for its owner only, which appears once it is complete."""
    work = office.home.path if office.home.is_writable() else target.parent
    with open_workspace(target.parent) as folder:
        draft = folder / "bundle"
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "r+b") as file, ExitStack() as stack:
            plain = stack.enter_context(TemporaryFile(dir=work)) if passphrase else file
            manifest = _fill(office, plain, work, is_move=is_move)
            if passphrase:
                seal(plain, file, passphrase, target.parent)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
        sync_folder(target.parent)
    return manifest


def _fill(office: Office, file: IO[bytes], work: Path, *, is_move: bool) -> Manifest:
    """Copy journal and archives before the database, so that they are never ahead of it."""
    home = office.home
    bundle = BundleWriter(file, office.at)
    if secret := home.find_secret():
        bundle.add("secret", secret)
    bundle.add("journal", office.journal.copy(office.fingerprint if secret else ""))
    for path in _list_files(office):
        with suppress(FileNotFoundError):  # it was deleted meanwhile
            bundle.add_file(path.relative_to(home.path).as_posix(), path)
    if find_house_settings(office) is not None:
        bundle.add_file(SETTINGS, choose_settings_file(None))
    with open_workspace(work) as folder:
        copy = folder / DATABASE
        copy_store(office.readable_store, copy)
        bundle.add_file(DATABASE, copy)
    with office.reading() as books:
        games = tuple(books.game_names())
    program = version("pbem-adjudicator")
    manifest = Manifest(program=program, made=office.at, moved=is_move, games=games)
    bundle.finish(manifest)
    return manifest


def _list_files(office: Office) -> Iterator[Path]:
    """List the archives and quarantined letters; archives are locked meanwhile."""
    with office.reading() as books:
        folders = [archive_folder(office.home.path, game) for game in books.games()]
    for folder in folders:
        if folder.is_dir():
            with lock_folder(folder):
                yield from _walk(folder)
    yield from _walk(office.home.path / QUARANTINE_FOLDER)


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            yield path


def place_home(file: IO[bytes], name: str, manifest: Manifest, office: Office) -> None:
    """Create a home from a checked bundle, whole or not at all."""
    home = office.home.path
    home.parent.mkdir(parents=True, exist_ok=True)
    with open_workspace(home.parent) as draft:
        folder = draft / "home"
        _unpack(file, name, manifest, folder)
        _settle(folder, manifest, place=office.store.place if office.url else None)
        if office.url is not None:
            fill_store(folder / DATABASE, office.store)
            (folder / DATABASE).unlink()
        for path in (*sorted(folder.rglob("*")), folder):
            sync_folder(path)
        folder.rename(home)
        sync_folder(home.parent)


def _unpack(file: IO[bytes], name: str, manifest: Manifest, folder: Path) -> None:
    folder.mkdir(mode=0o700)
    with show_progress(f"Unpacking {name}"):
        unpack_bundle(file, name, manifest, folder)


def _settle(folder: Path, manifest: Manifest, *, place: str | None) -> None:
    """Settle the home: end all leases, and let it continue the old home only if that moved here."""
    office = open_own_books(folder)
    try:
        with office.store.writing() as books:
            _end_leases(books)
            if manifest.moved:
                thaw_books(books)
            move_books(books, place if manifest.moved else _NOWHERE)
            heads = books.heads()
        if manifest.moved:
            office.journal.restart(office.fingerprint, heads)
    finally:
        office.close()


def _end_leases(books: Books) -> None:
    for one in list_members(books):
        books.forget_heartbeat(DAEMON + one.owner)
        books.release_claims(one.owner)


def check_games(file: IO[bytes], name: str, work: Path) -> tuple[Manifest, int]:
    """Try a bundle: digests, the database's own check, and every running game.

    Returns the manifest, and how many games were replayed.
    """
    with show_progress(f"Checking {name}"):
        manifest = check_bundle(file, name)
    with open_workspace(work) as draft:
        folder = draft / "home"
        _unpack(file, name, manifest, folder)
        office = open_own_books(folder)
        try:
            return manifest, _replay(office, name)
        finally:
            office.close()


def _replay(office: Office, name: str) -> int:
    if damage := find_damage(office.store):
        raise Refused(f"{name}: its database is damaged ({'; '.join(damage)}); make another backup")
    with office.reading() as books:
        games = [game.id for game in books.games() if game.status is not Status.OVER]
    for game in games:
        with show_progress(f"Checking {game}"):
            faults = verify_game(office, game).faults
        if faults:
            raise Refused(
                f"{name}: {game} is not as it was recorded ({faults[0].file}: {faults[0].message});"
                f" `adjudicator verify {game}` says whether the home is damaged as well"
            )
    return len(games)


def remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest bundles named by time; returns those removed."""
    old = sorted(folder.glob(_NAMED))[:-keep]
    for path in old:
        path.unlink()
    return old


def name_bundle(at: datetime) -> str:
    """Name a bundle so that names sort by time."""
    return f"adjudicator-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}.bundle"
