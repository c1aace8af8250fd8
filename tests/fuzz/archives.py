"""Archives: whatever is in their files, they are read, or a fault is named with its file."""

import atexit
import json
import random
import tempfile
import time
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

import yaml

from adjudicator.adapters.archive.chain_file import format_chain, parse_chain
from adjudicator.adapters.archive.folder import load_archive
from adjudicator.adapters.archive.pack import pack_archive, pack_record
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.archive.rebuild import rebuild_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier, restore_game
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.build import build_game
from adjudicator.adapters.site.exhibit import make_exhibit
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.cli.site import read_shown_archive
from adjudicator.desk.model.errors import Refused
from tests.adapters.archive.conftest import GAME, play_to_the_third_step, play_with_rulings
from tests.fuzz.damage import hurt_often, hurt_tree
from tests.toy.shelf import shelved

_SECONDS = 60.0
_ROOT = Path(__file__).resolve().parents[2]
_PIECES = (
    *(
        b"\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xed\xa0\x80",
        b"  ",
        b"../",
        b"/etc/passwd",
        b"steps/",
        b"- ",
    ),
    *(
        b": ",
        b"[",
        b"{",
        b"}",
        b'"',
        b"'",
        b"&a ",
        b"*a",
        b"!!python/name:x",
        b"null",
        b"-1",
        b"1e999",
    ),
    *(
        b"9" * 5_000,
        b"files\n",
        b"seed: ",
        b"0" * 64,
        b"\\ud800",
        b"\x1b[2J",
        b"\xe2\x80\xae",
        b"{" * 70,
    ),
)
_CHAIN = "chain.txt"


class _Shelf:
    """What the archives of a process are made of, read with, and imported into."""

    def __init__(self, library: FolderLibrary) -> None:
        self._stack = ExitStack()
        atexit.register(self._stack.close)
        self.library = library
        self.printer = Printer([find_data_folder("templates")])
        self.store = self._open("empty.db")
        self.toys = self._pack_toys()
        self.records = self._load_records()

    def _open(self, name: str) -> SqlStore:
        folder = self._stack.enter_context(tempfile.TemporaryDirectory())
        return self._stack.enter_context(open_store(Path(folder, name)))

    def _pack_toys(self) -> list[Files]:
        kind = self.library.kind("toy-duel")
        texts = Texts(self.printer, kind)
        made: list[Files] = []
        for play in (play_with_rulings, play_to_the_third_step):
            with self._open("played.db").writing() as books:
                play(books, self.library)
                dossier = collect_dossier(books, GAME)
            made += [pack_archive(dossier, texts), pack_archive(dossier, texts, public=True)]
        return [*made, pack_record(dossier, kind)]

    def _load_records(self) -> list[Files]:
        return [load_archive(path.parent) for path in sorted(_ROOT.glob(f"games/*/*/{_CHAIN}"))]


_open_shelf = cache(_Shelf)


def try_archive(luck: random.Random) -> None:
    """An archive with something wrong, which its chain.txt may list as it is."""
    with shelved() as library:
        shelf = _open_shelf(library)
        is_toy = luck.random() < 0.8
        files = dict(luck.choice(shelf.toys if is_toy else shelf.records))
        for _ in range(luck.choice((1, 1, 2, 4))):
            _hurt_file(files, luck)
        start = time.process_time()
        if luck.random() < 0.2:
            files = _put_on_disk(files)
        verdict = verify_archive(files, library)
        assert all(fault.file and fault.message for fault in verdict.faults)
        if is_toy and not verdict.faults:
            _use(files, shelf)
        assert time.process_time() - start < _SECONDS


def _hurt_file(files: Files, luck: random.Random) -> None:
    path = luck.choice(sorted(files))
    content = files[path]
    sheet = path.endswith((".json", ".yaml"))
    if sheet and luck.random() < 0.6:
        files[path] = _hurt_sheet(content, luck)
    elif luck.random() < 0.1:
        del files[path]
    else:
        files[path] = hurt_often(
            content, [content, files[luck.choice(sorted(files))]], _PIECES, luck
        )
    if luck.random() < 0.8:
        _list_as_it_is(files)


def _hurt_sheet(content: bytes, luck: random.Random) -> bytes:
    try:
        document = yaml.load(content, yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
        return content
    return json.dumps(hurt_tree(document, luck), default=str, sort_keys=True).encode()


def _list_as_it_is(files: Files) -> None:
    """Let chain.txt agree with the files, as a forger would."""
    try:
        chain = parse_chain(files.get(_CHAIN, b""))
    except ArchiveTrouble:
        return
    there = {path: files[path] for path in chain.files if path in files}
    files[_CHAIN] = format_chain(chain.links, there)


def _put_on_disk(files: Files) -> Files:
    """The same as it is read from a folder."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        try:
            return load_archive(Path(folder))
        except Refused:
            return {}


def _use(files: Files, shelf: _Shelf) -> None:
    """Import and show the archive, or refuse it."""
    with suppress(Refused), shelf.store.trying() as books:
        restore_game(books, rebuild_archive(files, shelf.library))
    with suppress(Refused):
        dossier = read_shown_archive(shelf.library, files, "tiny")
        kind = shelf.library.kind(dossier.record.game.kind)
        shown = make_exhibit(dossier, kind, kind.game)
        build_game(shelf.printer, tuple(shelf.library.templates()), kind, shown, None)
