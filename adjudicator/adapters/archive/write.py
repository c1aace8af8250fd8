"""Writing an archive's files: only what changed, each file whole, chain.txt last."""

import re
from pathlib import Path

from adjudicator.adapters.archive import chain_file, places
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.files import (
    is_inside,
    lock_folder,
    remove_file,
    replace_file,
    sweep_folder,
)
from adjudicator.desk.model.errors import Refused

_OURS = re.compile(
    rf"({places.GAME_FILE}|{places.ORDERS_FILE}|{places.RESULT_FILE}"
    rf"|{places.PRIVATE_FILE}|{places.HISTORY_FILE}|{places.PRESS_FILE})"
    rf"|{places.STEPS_FOLDER}/[0-9]+-[^/]+/([^/]+/)?"
    r"(step\.yaml|events\.jsonl|state\.json|orders\.json|report\.[a-z]+|[^/.]+\.svg)"
)
"""What is called so was written by us."""
_NAMES = (b"id: ", b"kind: ", b"created: ")
"""The lines of game.yaml that tell one game from another."""


def write_archive(folder: Path, files: Files) -> tuple[str, ...]:
    """Make the folder hold these files; tells which were written or taken away.

    A reader never sees half a file. Whoever is interrupted leaves an old chain.txt, which does
    not fit the new files; writing again mends that. Files that are not the archive's stay.
    Raises Refused where the archive of another game lies.
    """
    _refuse_another(folder, files)
    with lock_folder(folder):
        sweep_folder(folder, deep=True)
        return _written(folder, files)


def _refuse_another(folder: Path, files: Files) -> None:
    """It would be lost: only the file can tell which game it was."""
    try:
        there = (folder / places.GAME_FILE).read_bytes()
    except OSError:
        return
    if _named(there) and _named(there) != _named(files[places.GAME_FILE]):
        raise Refused(
            f"{folder}: the archive of another game is in this folder; move it away, or name "
            f"another "
            "folder (export --out)"
        )


def _named(sheet: bytes) -> list[bytes]:
    return [line for line in sheet.splitlines() if line.startswith(_NAMES)]


def _written(folder: Path, files: Files) -> tuple[str, ...]:
    before = _there(folder)
    in_order = sorted(files, key=lambda name: (name == places.CHAIN_FILE, name))
    changed = [
        path
        for path in in_order
        if replace_file(folder / path, files[path], private=path == places.PRIVATE_FILE)
    ]
    for path in sorted(before - set(files)):
        remove_file(folder, path)
        changed.append(path)
    return tuple(changed)


def _there(folder: Path) -> set[str]:
    """What is there of an archive: what its chain.txt lists, and what was not listed any more.

    Whoever wrote it may have been stopped before chain.txt; nothing secret may stay for that.
    """
    paths = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    ours = {path for path in paths if _OURS.fullmatch(path)}
    try:
        listed = chain_file.parse_chain((folder / places.CHAIN_FILE).read_bytes()).files
    except (OSError, ArchiveTrouble):
        return ours
    return ours | {path for path in listed if is_inside(path)}
