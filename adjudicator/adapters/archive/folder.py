"""An archive as a folder: what chain.txt lists is read; what changed is written, chain.txt last."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.archive import places
from adjudicator.adapters.archive.chain_file import parse_chain
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.files import (
    is_inside,
    list_files,
    lock_folder,
    remove_file,
    replace_file,
    sweep_folder,
)
from adjudicator.adapters.rights import set_rights
from adjudicator.core.document import digest
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Game, Head

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Of a file in an archive, in bytes: a hundred times what a long game needs."""

MAX_ARCHIVE_BYTES = 256 * 1024 * 1024
"""Of all files together."""
MAX_FILES = 20_000
_MOST_FOLDERS = 8
"""Inside each other."""
_DEEPEST = 64
"""Lists and mappings inside each other, in a document."""
_BRACKET = re.compile(rb'[\[\]{}]|"(?:[^"\\]|\\.)*"', re.DOTALL)

_OURS = re.compile(
    rf"({places.GAME_FILE}|{places.ORDERS_FILE}|{places.RESULT_FILE}"
    rf"|{places.PRIVATE_FILE}|{places.HISTORY_FILE}|{places.PRESS_FILE})"
    rf"|{places.STEPS_FOLDER}/[0-9]+-[^/]+/([^/]+/)?"
    rf"({places.STEP_FILE}|events\.jsonl|state\.json|orders\.json|report\.[a-z]+|[^/.]+\.svg)"
)
"""What is called so was written by us."""
_NAMES = (b"id: ", b"kind: ", b"created: ")
"""The lines of game.yaml that tell one game from another."""


def load_archive(folder: Path) -> Files:
    """Read the files of an archive's folder by path, ignoring names that begin with a dot.

    Only files listed in chain.txt are opened; other files are listed without their content.
    """
    if not folder.is_dir():
        raise Refused(
            f"{folder}: there is no such folder; name the folder with the game.yaml in it"
        )
    if not (folder / places.GAME_FILE).is_file():
        raise Refused(f"{folder}: it contains no {places.GAME_FILE}, so it is not an archive")
    sizes = dict(sorted(_find_files(folder)))
    if places.CHAIN_FILE not in sizes:
        return dict.fromkeys(sizes, b"")
    _check_sizes(folder, {places.CHAIN_FILE: sizes[places.CHAIN_FILE]})
    chain = (folder / places.CHAIN_FILE).read_bytes()
    try:
        chain_sizes = {path: sizes[path] for path in parse_chain(chain).files if path in sizes}
    except ArchiveTrouble:  # checking the archive will report what is wrong with it
        chain_sizes = {}
    _check_sizes(folder, chain_sizes)
    read = {path: (folder / path).read_bytes() for path in chain_sizes}
    for path, content in read.items():
        _check_nesting(folder / path, content)
    return {path: read.get(path, b"") for path in sizes} | {places.CHAIN_FILE: chain}


def _find_files(folder: Path) -> Iterator[tuple[str, int]]:
    """Find every file below the folder, with its size, skipping links, which may lead outside."""
    waiting, count = [(folder, "", 1)], 0
    while waiting:
        place, above, depth = waiting.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                count += 1
                if count > MAX_FILES:
                    raise Refused(f"{folder}: it holds more files than any archive ({MAX_FILES})")
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_file():
                    yield f"{above}{entry.name}", entry.stat().st_size
                elif entry.is_dir() and depth < _MOST_FOLDERS:
                    waiting.append((Path(entry.path), f"{above}{entry.name}/", depth + 1))


def _check_sizes(folder: Path, sizes: Mapping[str, int]) -> None:
    """Refuse files larger than any that an archive needs, before they are opened."""
    for path, size in sizes.items():
        if size > MAX_FILE_BYTES:
            raise Refused(
                f"{folder / path}: it is larger than any file of an archive "
                f"({MAX_FILE_BYTES // 1024 // 1024} MB); remove it, or get the archive again"
            )
    if sum(sizes.values()) > MAX_ARCHIVE_BYTES:
        raise Refused(
            f"{folder}: together its files are larger than any archive "
            f"({MAX_ARCHIVE_BYTES // 1024 // 1024} MB); get the archive again"
        )


def _check_nesting(file: Path, content: bytes) -> None:
    """Refuse a document that is nested so deeply that reading it would fail."""
    if file.suffix not in (".json", ".jsonl"):
        return
    depth = 0
    for mark in _BRACKET.finditer(content):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(mark.group(), 0)
        if depth > _DEEPEST:
            raise Refused(f"{file}: it is nested more than {_DEEPEST} levels deep")


def write_archive(folder: Path, files: Files, *, published: bool = False) -> tuple[str, ...]:
    """Make the folder hold these files; returns the names of those written or removed.

    A reader never sees half a file. An interrupted write leaves an old chain.txt, which does not
    match the new files; writing again repairs that. Files that do not belong to the archive are
    kept. Raises Refused if the folder holds the archive of another game.
    """
    with lock_folder(folder, published=published):
        return _write(folder, files, frozenset(), published=published)


def update_archive(
    folder: Path, pack: Callable[[Mapping[str, str]], Files], *, reporting: str
) -> tuple[str, ...]:
    """Write the archive as `write_archive` does, apart from steps that lie there and are the same.

    `pack` gets the digests of what lies there, with texts made by this code and these templates.
    What it only lists in chain.txt stays.
    """
    with lock_folder(folder):
        files = pack(_find_standing(folder, reporting))
        chain_files = parse_chain(files[places.CHAIN_FILE]).files
        return _write(folder, files, chain_files.keys())


def _write(
    folder: Path, files: Files, chain_paths: Collection[str], *, published: bool = False
) -> tuple[str, ...]:
    _refuse_another(folder, files)
    sweep_folder(folder, deep=True)
    before = _list_own(folder)
    in_order = sorted(files, key=lambda name: (name == places.CHAIN_FILE, name))
    new_paths = [
        path for path in in_order if replace_file(folder / path, files[path], published=published)
    ]
    old_paths = sorted(before.difference(files, chain_paths))
    for path in old_paths:
        remove_file(folder, path)
    set_rights(folder, files, published=published)
    return (*new_paths, *old_paths)


def _find_standing(folder: Path, reporting: str) -> Mapping[str, str]:
    """Find the files, with their digests, of an archive whose last write came to its end.

    A write begins with game.yaml, which says what made the texts, and ends with chain.txt. What
    somebody changed by hand since is not seen here: `verify` finds it, and `export` mends it.
    """
    try:
        chain = parse_chain((folder / places.CHAIN_FILE).read_bytes())
        sheet = (folder / places.GAME_FILE).read_bytes()
    except (OSError, ArchiveTrouble):
        return {}
    made_so = {b"contents: everything", f"reporting_digest: {reporting}".encode()}
    whole = chain.files.get(places.GAME_FILE) == digest(sheet)
    is_there = chain.files.keys() <= list_files(folder)
    return chain.files if whole and is_there and made_so <= {*sheet.splitlines()} else {}


def _refuse_another(folder: Path, files: Files) -> None:
    """Refuse to overwrite the archive of another game; only its file says which game that is."""
    try:
        there = _list_name_lines((folder / places.GAME_FILE).read_bytes())
    except OSError:
        return
    if there and there != _list_name_lines(files[places.GAME_FILE]):
        raise Refused(
            f"{folder}: the archive of another game is in this folder; move it away, or name "
            "another folder (export --out)"
        )


def _list_name_lines(sheet: bytes) -> list[bytes]:
    return [line for line in sheet.splitlines() if line.startswith(_NAMES)]


def _list_own(folder: Path) -> set[str]:
    """List the archive's files in the folder: those in chain.txt and those no longer listed there.

    An earlier write may have stopped before chain.txt, and must not leave secrets behind.
    """
    own_paths = {path for path in list_files(folder) if _OURS.fullmatch(path)}
    try:
        chain_files = parse_chain((folder / places.CHAIN_FILE).read_bytes()).files
    except (OSError, ArchiveTrouble):
        return own_paths
    return own_paths | {path for path in chain_files if is_inside(path)}


def read_archive_heads(home: Path, games: Iterable[Game]) -> dict[str, Head]:
    """Read where each game's chain ends in its archive, skipping other games of the same name.

    A game that has not begun has no chain yet.
    """
    heads = {}
    for game in games:
        folder = places.archive_folder(home, game)
        with suppress(OSError, ArchiveTrouble, ValueError):  # damaged, which `verify` reports
            if digest(game.seed) not in (folder / places.GAME_FILE).read_text("utf-8"):
                continue
            if links := parse_chain((folder / places.CHAIN_FILE).read_bytes()).links:
                steps = [int(link.step.partition("-")[0]) for link in links]
                heads[game.id] = Head(links[-1].number, links[-1].digest, max(steps))
    return heads
