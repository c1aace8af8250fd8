"""What makes tests quick: what a process has made or read once, it does not make or read again.

A GM's command opens its home, reads a game's files and compiles templates once; a process of tests
does so thousands of times. Stores are copies of one that was migrated once, and do not wait for
the disk: that keeps books from a power cut, and no test has one; kill -9 needs no waiting. Nor
does anything else that tests write lie on a disk, where memory has room for it. Pictures are small
but where they are what is tested.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from email.headerregistry import HeaderRegistry
from email.policy import EmailPolicy
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import Environment

from adjudicator.adapters.games import game_texts, library, scenarios
from adjudicator.adapters.games.scenarios import read_scenario_text
from adjudicator.adapters.render import png, text_layout
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.store import opening
from adjudicator.adapters.store.databases import FileDatabase
from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.document import Document, encode

ROOT = Path(__file__).resolve().parents[1]
_ROOM = 4_000_000_000
SMALL = 0.1
"""How large the pictures of letters are drawn that nobody looks at: little work is left."""
_sharp = png._SHARP
_make_file, _connect = opening._make_file, FileDatabase.connect
_load_yaml, _make_environment = load_yaml, Printer._make_environment
_dump_anew, _parse_header = text_layout._dump, HeaderRegistry.__call__


@contextmanager
def quick() -> Iterator[None]:
    """In this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make_file", _copy_file)
        patch.setattr(FileDatabase, "connect", _connect_quickly)
        patch.setattr(Printer, "_make_environment", _environment)
        patch.setattr(png, "_SHARP", SMALL)
        patch.setattr(game_texts, "load_yaml", lambda text: deepcopy(_loaded(text)))
        patch.setattr(text_layout, "_dump", _dump)
        patch.setattr(HeaderRegistry, "__getitem__", _header_class)
        patch.setattr(HeaderRegistry, "__call__", _header)
        patch.setattr(EmailPolicy, "_fold", lru_cache(4000, typed=True)(EmailPolicy._fold))
        patch.setattr(scenarios, "read_scenario_text", lru_cache(4000)(read_scenario_text))
        for name in ("text", "mail_page", "picture"):
            patch.setattr(Printer, name, _once(getattr(Printer, name)))
        for name in ("digest_rules", "digest_reporting"):
            patch.setattr(library, name, _digests(getattr(library, name)))
        yield


def lay_folders_in_memory() -> None:
    """Those of all tests, where there is room, and programs may be started there."""
    memory, root = Path("/dev/shm"), "PYTEST_DEBUG_TEMPROOT"
    if root in os.environ or not os.access(memory, os.W_OK | os.X_OK):
        return
    facts = os.statvfs(memory)
    if facts.f_bavail * facts.f_frsize >= _ROOM and not facts.f_flag & os.ST_NOEXEC:
        os.environ[root] = str(memory)


def read_yaml_quickly() -> None:
    """What tests themselves read: by libyaml, where it is."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    yaml.safe_load = partial(yaml.load, Loader=loader)


@contextmanager
def stores_as_in_life() -> Iterator[None]:
    """What this process opens is made and written as it is for a GM."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make_file", _make_file)
        patch.setattr(FileDatabase, "connect", _connect)
        yield


@contextmanager
def pictures_as_in_life() -> Iterator[None]:
    """What is drawn is as large as in a letter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(png, "_SHARP", _sharp)
        png.render_png.cache_clear()
        yield
    png.render_png.cache_clear()


@cache
def _blank_store() -> bytes:
    """An empty store, migrated once."""
    with tempfile.TemporaryDirectory() as folder, stores_as_in_life():
        opening.open_store(Path(folder) / "adjudicator.db").close()
        return (Path(folder) / "adjudicator.db").read_bytes()


def _copy_file(path: Path, name: str) -> None:
    """Copied where nothing is; what cannot be is told by what makes files otherwise."""
    blank = _blank_store()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(blank)
    _make_file(path, name)


def _connect_quickly(database: FileDatabase, *, writable: bool = True) -> sqlite3.Connection:
    connection = _connect(database, writable=writable)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


_ENVIRONMENTS: dict[tuple[object, ...], Environment] = {}


def _environment(printer: Printer, width: int) -> Environment:
    """The one for these folders and this width; a template that has changed is read again."""
    key = (*map(str, printer._folders), width)
    if key not in _ENVIRONMENTS:
        _ENVIRONMENTS[key] = _make_environment(printer, width)
    return _ENVIRONMENTS[key]


_RENDERED: dict[bytes, str] = {}
_MOST = 400


def _once(render: Callable[..., str]) -> Callable[..., str]:
    """With templates of the checkout; what two documents show alike, they render alike."""

    def rendered(printer: Printer, *given: Any, **named: Any) -> str:
        if not all(Path(one).is_relative_to(ROOT) for one in printer._folders):
            return render(printer, *given, **named)
        shown = repr((render.__name__, printer._folders, given, sorted(named.items())))
        key = sha256(shown.encode(errors="surrogatepass")).digest()
        if key not in _RENDERED:
            if len(_RENDERED) >= _MOST:
                _RENDERED.clear()
            _RENDERED[key] = render(printer, *given, **named)
        return _RENDERED[key]

    return rendered


@cache
def _loaded(text: str) -> Any:
    return _load_yaml(text)


_DUMPED: dict[tuple[str, int, bool], str] = {}


def _dump(value: Any, *, width: int, flow: bool) -> str:
    """Forms are alike from letter to letter; what two values show alike, YAML shows alike."""
    key = (repr(value), width, flow)
    if key not in _DUMPED:
        _DUMPED[key] = _dump_anew(value, width=width, flow=flow)
    return _DUMPED[key]


@cache
def _made_class(cls: type, base: type) -> type:
    return type(f"_{cls.__name__}", (cls, base), {})


def _header_class(registry: HeaderRegistry, name: str) -> type:
    """The standard library makes a class for each header of each letter."""
    return _made_class(
        registry.registry.get(name.lower(), registry.default_class), registry.base_class
    )


@lru_cache(4000)
def _parsed_header(registry: HeaderRegistry, name: str, value: str) -> Any:
    return _parse_header(registry, name, value)


def _header(registry: HeaderRegistry, name: str, value: Any) -> Any:
    """Most headers of letters are alike; nothing changes one that was made."""
    return (_parsed_header if type(value) is str else _parse_header)(registry, name, value)


def _digests(digest: Callable[..., str]) -> Callable[..., str]:
    """Those of games in the checkout, whose files stay as they are while tests run."""
    known: dict[tuple[object, ...], str] = {}

    def known_digest(package: Path, core: Path, components: Document, *more: Any) -> str:
        folders: Sequence[Path] = more[0] if isinstance(more[0], Sequence) else ()
        if not all(one.is_relative_to(ROOT) for one in (package, *folders)):
            return digest(package, core, components, *more)
        named = [one for one in more if isinstance(one, str)]
        key = (package, encode(components), *map(str, folders), *named)
        if key not in known:
            known[key] = digest(package, core, components, *more)
        return known[key]

    return known_digest
