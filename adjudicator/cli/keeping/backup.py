"""Write a home into one file and back: backup, restore."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from adjudicator.adapters.bundle.seal import is_sealed, open_bundle
from adjudicator.adapters.bundle.tar import Manifest, check_bundle
from adjudicator.adapters.mail.accounts import Password, find_password
from adjudicator.adapters.store.upkeep.transfer import await_others, require_empty
from adjudicator.cli.keeping.home_files import (
    SETTINGS,
    check_games,
    name_bundle,
    place_home,
    remove_old,
    write_bundle,
)
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.members import boot_seconds
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import WHERE_KEPT, read_secret_place
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import (
    find_own_command,
    print_data,
    print_document,
    print_note,
    show_progress,
)
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.epochs import freeze_books, has_moved, thaw_books
from adjudicator.desk.model.errors import Refused

_ASK = "ask"
_WHERE = f"`ask`, {WHERE_KEPT}"
_PASSPHRASE = click.option(
    "--passphrase", metavar="WHERE", help=f"Where the passphrase is found: {_WHERE}."
)
_OPEN = (
    "It holds the server's secret and every player's address: keep it where only you can read it, "
    "or encrypt it with --passphrase."
)
_FROZEN = (
    "This home is frozen: `serve`, `close` and `submit` are refused here. Restore the bundle where "
    "the games are to continue."
)
_COPY = (
    "The home that it was made from may have been played on since, so this is a copy: `recover` "
    "continues from it under new keys and step numbers. Before that nothing can be played in it."
)
_AS_IT_WAS = "It is the home that was moved: keys, letters and deadlines are as they were."


@command(
    "adjudicator backup /mnt/usb/games.bundle",
    "adjudicator backup /var/backups/games --verify --keep 14 --passphrase file:/etc/backup.key",
    "adjudicator backup --move games.bundle",
)
@click.argument("file")
@click.option("--move", is_flag=True, help="Freeze this home; its games continue from the bundle.")
@_PASSPHRASE
@click.option("--verify", is_flag=True, help="Read it back and replay the running games.")
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="In a folder: keep only the newest N."
)
def backup_command(
    setting: Setting,
    file: str,
    move: bool,
    passphrase: str | None,
    verify: bool,
    keep: int | None,
    as_json: bool,
) -> None:
    """Write the home into one file: database, secret, journal, archives.

    The daemon may keep running, except with --move. If FILE is a folder, the
    bundle gets a name with the date and time. With --passphrase it is
    encrypted. `restore` turns it back into a home.
    """
    office, target = setting.office, Path(file).expanduser().absolute()
    folder = target if target.is_dir() else None
    if keep is not None and folder is None:
        raise click.UsageError("--keep needs a folder: adjudicator backup FOLDER --keep 14")
    target = target / name_bundle(office.at) if folder else target
    _refuse_target(target)
    words = _find_passphrase(passphrase, new=True)
    with show_progress(f"Writing {target}"):
        manifest = _move(office, target, words) if move else _back_up(office, target, words)
    facts: dict[str, Any] = {"file": str(target), "bytes": target.stat().st_size}
    facts |= {"games": manifest.games, "moved": move}
    if verify:
        with open_bundle(target, words, office.home.path) as plain:
            _, facts["replayed"] = check_games(plain, str(target), office.home.path)
    if keep and folder:
        facts["removed"] = [str(old) for old in remove_old(folder, keep)]
    if as_json:
        print_document(facts)
        return
    print_data(str(target))
    if verify:
        print_note(f"Checked: every file is as it was, games replayed: {facts['replayed']}.")
    if words is None:
        print_note(_OPEN)
    if move:
        print_note(_FROZEN)


def _refuse_target(target: Path) -> None:
    if target.exists():
        raise Refused(f"{target} already exists; name another file, or remove it first")
    if not target.parent.is_dir():
        raise Refused(f"there is no folder {target.parent}; make it first")


def _find_passphrase(where: str | None, *, new: bool = False) -> str | None:
    if where is None:
        return None
    if where == _ASK:
        if not questions.can_ask():
            raise Refused(f"there is no terminal to ask at; use --passphrase {_WHERE}")
        return questions.ask_secret("Passphrase", repeat=new)
    return find_password(Password(**read_secret_place(where, "--passphrase", _WHERE))).reveal()


def _back_up(office: Office, target: Path, passphrase: str | None) -> Manifest:
    with office.reading():  # refused where there are no games
        pass
    return write_bundle(office, target, passphrase, is_move=False)


def _move(office: Office, target: Path, passphrase: str | None) -> Manifest:
    """Freeze the home before the bundle is written, so that the bundle holds its final state."""
    lease, frozen = _freeze(office)
    try:
        await_others(office.store)
        manifest = write_bundle(office, target, passphrase, is_move=True)
        with open_bundle(target, passphrase, office.home.path) as plain:
            check_bundle(plain, str(target))
    except BaseException:
        target.unlink(missing_ok=True)
        if not frozen:
            with office.store.writing() as books:
                thaw_books(books)
        raise
    finally:
        with office.store.writing() as books:
            lease.give_back(books, at=office.at, boot=boot_seconds())
        lease.unlock()
    return manifest


def _freeze(office: Office) -> tuple[Lease, bool]:
    """Take the lease, so that no daemon starts meanwhile; returns whether it was frozen before."""
    with office.reading():
        pass
    with office.store.writing() as books:
        frozen = has_moved(books)
        if not frozen:  # else this bundle was lost, and is written again
            office.require_whole(books)
            if fault := office.find_archive_fault(books):
                raise fault
        lease = Lease.take(office.home.path, books, at=office.at, boot=boot_seconds())
        freeze_books(books)
    return lease, frozen


@command(
    "adjudicator restore games.bundle --home games",
    "adjudicator restore games.bundle --dry-run",
)
@click.argument("file")
@_PASSPHRASE
@click.option("--dry-run", is_flag=True, help="Only check the bundle and replay the running games.")
def restore_command(
    setting: Setting, file: str, passphrase: str | None, dry_run: bool, as_json: bool
) -> None:
    """Turn a bundle that `backup` wrote into a new home.

    Every file is checked before anything is written. A home that was backed up
    with --move continues as it was. Any other is a copy, and plays nothing until
    you run `recover` in it. With ADJUDICATOR_DATABASE the games go into that
    database, which must be empty.
    """
    office, path = setting.office, Path(file).expanduser().absolute()
    words = _find_passphrase(passphrase or (_ASK if is_sealed(path) else None))
    if dry_run:
        _try_bundle(path, words, as_json=as_json)
        return
    home = _refuse_home(office)
    with open_bundle(path, words, home.parent) as plain:
        with show_progress(f"Checking {path}"):
            manifest = check_bundle(plain, str(path))
        place_home(plain, str(path), manifest, office)
    facts = {"home": str(home), "made": manifest.made, "games": manifest.games}
    if as_json:
        print_document({**facts, "moved": manifest.moved})
        return
    print_data(str(home))
    instant = format_deadline(manifest.made, "UTC")
    print_note(f"Restored as of {instant}, games: {len(manifest.games)}.")
    print_note(_AS_IT_WAS if manifest.moved else _COPY)
    if not manifest.moved:
        print_note(f"To continue here: {find_own_command('recover', '--home', home)}")
    if SETTINGS in manifest.files:
        print_note(f"The daemon's settings are in {home / SETTINGS}: check the folders in it.")


def _refuse_home(office: Office) -> Path:
    home = office.home.path
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise Refused(f"{home} already exists; name a new folder with --home")
    home.parent.mkdir(parents=True, exist_ok=True)
    if office.url is not None:
        require_empty(office.store)
    return home


def _try_bundle(path: Path, passphrase: str | None, *, as_json: bool) -> None:
    work = Path(tempfile.gettempdir())
    with open_bundle(path, passphrase, work) as plain:
        manifest, replayed = check_games(plain, str(path), work)
    facts = {"file": str(path), "made": manifest.made, "games": manifest.games}
    if as_json:
        print_document({**facts, "moved": manifest.moved, "replayed": replayed})
        return
    print_data(
        f"{path}: every file is as it was written, games: {len(manifest.games)}, "
        f"replayed: {replayed}"
    )
