"""The one place that builds adapters and hands them to the desk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.adapters.home import Home, choose_settings_file
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.games.library import FolderLibrary
    from adjudicator.adapters.journal import Journal, Remembered
    from adjudicator.adapters.render.png import Artist
    from adjudicator.adapters.render.printer import Printer
    from adjudicator.adapters.settings import ServeSettings
    from adjudicator.adapters.store.store import SqlStore
    from adjudicator.desk.model.ports import Books
    from adjudicator.desk.model.values import Head

DATABASE_VARIABLE = "ADJUDICATOR_DATABASE"
"""The environment variable that names another database than the home's."""


class Office:
    """A GM's home with everything that works in it; each part is built when first used."""

    def __init__(self, home: str | None, *, is_explicit: bool = False) -> None:
        self.home = Home.choose(home, is_explicit=is_explicit)
        self.url = os.environ.get(DATABASE_VARIABLE)
        self._is_whole = False
        """This program has seen that its books belong to the home as it is."""

    def renew(self) -> Office:
        """Open the same home again, as it is at this moment."""
        office = Office(str(self.home.path))
        office.library = self.library  # it never changes while the program runs
        return office

    @cached_property
    def at(self) -> datetime:
        """The clock, read once per command and handed down: the database's where many share it."""
        if self.url is not None:
            with suppress(Refused):  # whoever needs the database is told why it cannot be read
                if (at := self.store.read_clock()) is not None:
                    return at
        return datetime.now(UTC)

    @cached_property
    def library(self) -> FolderLibrary:
        """The library of all kinds of games."""
        from adjudicator.adapters.games.library import FolderLibrary

        return FolderLibrary()

    @cached_property
    def store(self) -> SqlStore:
        """The store, created if it doesn't exist yet."""
        from adjudicator.adapters.store.opening import open_store

        store = open_store(self.url or self.home.database)
        store.after_commit = self._record
        return store

    @cached_property
    def journal(self) -> Journal:
        """The journal beside the database, which remembers what was played."""
        from adjudicator.adapters.journal import Journal

        return Journal(self.home.journal_file)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the home's secret."""
        from adjudicator.desk.model.epochs import make_fingerprint

        return make_fingerprint(self.home.secret())

    def _record(self, heads: Mapping[str, Head | None]) -> None:
        """Record a commit in the journal; if that fails, the next start catches up."""
        with suppress(OSError):
            self.journal.append(self.fingerprint, heads)

    def record_round(self, number: int) -> None:
        """Record beside the books how many rounds were made; the next round catches up."""
        with suppress(OSError):
            self.journal.count_round(number)

    @cached_property
    def printer(self) -> Printer:
        """The printer that renders letters and reports."""
        from adjudicator.adapters.render.printer import Printer

        return Printer(self.library.templates())

    @cached_property
    def artist(self) -> Artist:
        """The artist that draws the pictures of letters."""
        from adjudicator.adapters.render.png import Artist

        return Artist(self.printer)

    def printed(
        self, template: str, document: Document, kind: str, width: int | None = None
    ) -> str:
        """Print a document of a game of this kind with the game's template or the common one."""
        wide = {} if width is None else {"width": width}
        return self.printer.text(template, document, self.library.kind(kind).game, **wide)

    @cached_property
    def _archive(self) -> SqlStore:
        """The same store, read only because the home can't be changed."""
        from adjudicator.adapters.store.opening import open_read_only

        return open_read_only(self.home.database)

    @property
    def empty(self) -> bool:
        """Whether there are no games yet; raises Refused if the home is not a home of ours."""
        return self.url is None and not self.home.holds_games()

    @property
    def readable_store(self) -> SqlStore:
        """The store for readers, even if the home can't be changed."""
        if self.url is None and not self.home.is_writable():
            return self._archive
        return self.store

    def reading(self) -> AbstractContextManager[Books]:
        """Open existing books to read."""
        self._must_exist()
        return self.readable_store.reading()

    def acting(self, *, dry_run: bool = False) -> AbstractContextManager[Books]:
        """Open one transaction in existing books; with `dry_run` it is undone at its end."""
        if not self._is_whole:
            self._must_exist()
        return self._by_hand(dry_run=dry_run)

    def making(self, *, dry_run: bool = False) -> AbstractContextManager[Books]:
        """Open one transaction in books that may have to be created first."""
        return self._by_hand(dry_run=dry_run)

    def repairing(self, *, dry_run: bool = False) -> AbstractContextManager[Books]:
        """Open one transaction in existing books, even damaged ones."""
        self._must_exist()
        return self.store.trying() if dry_run else self.store.writing()

    @contextmanager
    def _by_hand(self, *, dry_run: bool) -> Iterator[Books]:
        """Give everything that a command queues one trace id."""
        from adjudicator.desk.model.history import act_trace_id

        with self.store.trying() if dry_run else self.store.writing() as books:
            if not self._is_whole:
                self.require_whole(books, keep=not dry_run)
            books.because(act_trace_id("hand", self.at))
            yield books
        self._is_whole = self._is_whole or not dry_run

    def require_whole(self, books: Books, *, keep: bool = True) -> None:
        """Refuse books that do not match this home as it is; `keep` records the home in them."""
        from adjudicator.desk.model.epochs import keep_fingerprint, keep_measure

        fault, behind = self._compare_journal(books)
        if fault := fault or self.find_secret_fault(books):
            raise fault
        if keep:
            keep_fingerprint(books, self.home.secret(), at=self.at, place=self.store.place)
            if behind:  # a crash came between commit and journal
                self._record(behind)
            if self.journal.is_long():
                self.journal.shorten(self.fingerprint)
            keep_measure(books, self.journal.measure(), at=self.at)

    def find_journal_fault(self, books: Books) -> Refused | None:
        """Find why the books can't be continued: they are older than the journal, or a copy."""
        return self._compare_journal(books)[0]

    def find_recent_fault(self, books: Books) -> Refused | None:
        """Find the same, as far as the journal has grown since the books last measured it."""
        from adjudicator.desk.model.epochs import recall_measure

        remembered = self.journal.read(recall_measure(books))
        return self._look_twice(books, partial(self._find_fault, remembered=remembered))

    def find_archive_fault(self, books: Books) -> Refused | None:
        """Find why the books can't be continued: an archive in the home is ahead of them."""
        from adjudicator.adapters.archive.folder import read_archive_heads
        from adjudicator.desk.model.epochs import compare_heads, explain_ahead

        archived = read_archive_heads(self.home.path, books.games())

        def find(books: Books) -> Refused | None:
            ahead = compare_heads(books, archived).ahead
            return explain_ahead(str(self.home.path), ahead) if ahead else None

        return self._look_twice(books, find)

    def _compare_journal(self, books: Books) -> tuple[Refused | None, Mapping[str, Head]]:
        """Compare the journal with the books; returns the fault, and what the journal lacks."""
        from adjudicator.desk.model.epochs import compare_heads

        remembered = self.journal.read()
        fault = self._look_twice(books, partial(self._find_fault, remembered=remembered))
        heads = remembered.heads if remembered else {}
        return fault, {} if fault else compare_heads(books, heads).behind

    def _look_twice(self, books: Books, find: Callable[[Books], Refused | None]) -> Refused | None:
        """Find a fault in these books that is still there in the books as they are now.

        Open books show the moment at which they were opened, and a daemon goes on: files beside
        them are compared with books that were opened after the files were read.
        """
        if find(books) is None:
            return None
        with self.readable_store.reading() as now:
            return find(now)

    def _find_fault(self, books: Books, remembered: Remembered | None) -> Refused | None:
        from adjudicator.desk.model.epochs import (
            count_rounds,
            explain_ahead,
            explain_copy,
            explain_cut,
            explain_round,
            find_ahead,
            is_cut,
        )

        ahead = find_ahead(books, remembered.heads if remembered else {})
        if is_cut(books, self.journal.measure()):
            return explain_cut(str(self.home.path))
        if ahead:
            return explain_ahead(str(self.home.path), ahead)
        if self.is_copy(books, remembered):
            if self.url is not None:
                return explain_copy(self.store.name, "database")
            return explain_copy(str(self.home.path), "home")
        if remembered and remembered.rounds > count_rounds(books) + 1:
            return explain_round(str(self.home.path))
        return None

    def is_copy(self, books: Books, remembered: Remembered | None) -> bool:
        """Whether the home's file, or the database on a server, is a copy."""
        if self.url is None:
            return bool(remembered and remembered.is_copy)
        epoch = books.last_epoch()
        return epoch is not None and epoch.place not in (None, self.store.place)

    def find_secret_fault(self, books: Books) -> Refused | None:
        """Find what is wrong with the home's secret that would make keys in letters invalid."""
        from adjudicator.desk.model.epochs import find_secret_fault

        return find_secret_fault(books, self.home.find_secret(), str(self.home.secret_file))

    def secret(self, books: Books) -> bytes:
        """Return the secret that makes the keys of these books."""
        if fault := self.find_secret_fault(books):
            raise fault
        return self.home.secret()

    def record_look(self, game: str, what: str) -> None:
        """Record that the GM looked at secrets, before they are shown."""
        from adjudicator.desk.questions.screens import record_look

        with self.acting() as books:
            record_look(books, game, what, at=self.at)

    def _must_exist(self) -> None:
        if self.empty:
            raise Refused(
                f"there are no games in {self.home.path}; make one with `adjudicator new`, "
                "or name another home with --home"
            )

    def close(self) -> None:
        """Close the database."""
        for name in ("store", "_archive"):
            if name in self.__dict__:
                self.__dict__[name].close()


def open_own_books(folder: str | Path) -> Office:
    """Open a home in this folder with its own database, whatever the environment says."""
    office = Office(str(folder))
    office.url = None
    return office


def find_settings(config: str | None) -> ServeSettings | None:
    """Find the daemon's settings; None if no file is named and there is none by default."""
    file = choose_settings_file(config)
    if config is None and not file.exists():
        return None
    from adjudicator.adapters.settings import read_settings_file

    return read_settings_file(file)


def find_house_settings(office: Office) -> ServeSettings | None:
    """Find the daemon's settings if they are for this home."""
    settings = find_settings(None)
    if settings is None or Path(settings.home).resolve() != office.home.path.resolve():
        return None
    return settings


def find_readable_settings(office: Office) -> ServeSettings | None:
    """Find them as above, None also if they are wrong: games played by hand don't need them."""
    with suppress(Refused):
        return find_house_settings(office)
    return None


def find_gm_addresses(office: Office) -> tuple[str, ...]:
    """Find the GM's addresses in the daemon's settings."""
    settings = find_readable_settings(office)
    return settings.house.gm if settings else ()
