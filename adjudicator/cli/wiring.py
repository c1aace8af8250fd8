"""The one place that builds adapters and hands them to the desk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.adapters.home import Home
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.games.library import FolderLibrary
    from adjudicator.adapters.render.png import Artist
    from adjudicator.adapters.render.printer import Printer
    from adjudicator.adapters.settings import ServeSettings
    from adjudicator.adapters.store.store import SqlStore
    from adjudicator.desk.model.ports import Books

DATABASE_VARIABLE = "ADJUDICATOR_DATABASE"
"""The environment variable that names another database than the home's."""


class Office:
    """A GM's home with everything that works in it; each part is built when first used."""

    def __init__(self, home: str | None, *, named: bool = False) -> None:
        self.home = Home.chosen(home, named=named)
        self.at = datetime.now(UTC)
        """The clock is read once per command and handed down."""
        self.url = os.environ.get(DATABASE_VARIABLE)

    @cached_property
    def library(self) -> FolderLibrary:
        """The kinds of games."""
        from adjudicator.adapters.games.library import FolderLibrary

        return FolderLibrary()

    @cached_property
    def store(self) -> SqlStore:
        """The books, created if they do not exist yet."""
        from adjudicator.adapters.store.opening import open_store

        return open_store(self.url or self.home.database)

    @cached_property
    def printer(self) -> Printer:
        """What renders letters and reports."""
        from adjudicator.adapters.render.printer import Printer

        return Printer(self.library.templates())

    @cached_property
    def artist(self) -> Artist:
        """What draws the pictures of letters."""
        from adjudicator.adapters.render.png import Artist

        return Artist(self.printer)

    def printed(
        self, template: str, document: Document, kind: str, width: int | None = None
    ) -> str:
        """A document of a game of this kind, through the game's template or the common one."""
        wide = {} if width is None else {"width": width}
        return self.printer.text(template, document, self.library.kind(kind).game, **wide)

    @cached_property
    def _archive(self) -> SqlStore:
        """The same store where nothing can be changed in the home, only looked at."""
        from adjudicator.adapters.store.opening import open_read_only

        return open_read_only(self.home.database)

    @property
    def empty(self) -> bool:
        """There are no games yet; Refused where the home is no home of ours."""
        return self.url is None and not self.home.holds_games()

    def reading(self) -> AbstractContextManager[Books]:
        """A look into books that are there."""
        self._must_exist()
        if self.url is None and not self.home.is_writable():
            return self._archive.reading()
        return self.store.reading()

    def acting(self, *, dry_run: bool = False) -> AbstractContextManager[Books]:
        """One transaction in books that are there; with `dry_run` it is undone at its end."""
        self._must_exist()
        return self._by_hand(dry_run=dry_run)

    def making(self, *, dry_run: bool = False) -> AbstractContextManager[Books]:
        """One transaction in books that may have to be made first."""
        return self._by_hand(dry_run=dry_run)

    @contextmanager
    def _by_hand(self, *, dry_run: bool) -> Iterator[Books]:
        """Everything that a command queues has one trace id."""
        from adjudicator.desk.model.history import act_trace_id

        with self.store.trying() if dry_run else self.store.writing() as books:
            self.require_whole(books, keep=not dry_run)
            books.because(act_trace_id("hand", self.at))
            yield books

    def require_whole(self, books: Books, *, keep: bool = True) -> None:
        """Refuse books that do not belong to this home as it is; `keep`: they may learn of it."""
        from adjudicator.desk.model.epochs import keep_fingerprint

        if fault := self.find_secret_fault(books):
            raise Refused(fault)
        if keep:
            keep_fingerprint(books, self.home.secret(), at=self.at)

    def find_secret_fault(self, books: Books) -> str | None:
        """What is wrong with the secret of the home, so that keys in letters would be void."""
        from adjudicator.desk.model.epochs import find_secret_fault

        place = self.home.secret_file
        secret = self.home.secret() if place.exists() else None
        return find_secret_fault(books, secret, str(place))

    def secret(self, books: Books) -> bytes:
        """The secret that the keys of these books are made with."""
        if fault := self.find_secret_fault(books):
            raise Refused(fault)
        return self.home.secret()

    def record_look(self, game: str, what: str) -> None:
        """The history says that the GM looked at secrets, before they are shown."""
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
        """Let go of the database."""
        for name in ("store", "_archive"):
            if name in self.__dict__:
                self.__dict__[name].close()


def find_settings(config: str | None) -> ServeSettings | None:
    """The daemon's settings; None where no file is named and none is there."""
    from adjudicator.adapters.settings import choose_settings_file, read_settings

    file = choose_settings_file(config)
    return read_settings(file) if config is not None or file.exists() else None


def find_house_settings(office: Office) -> ServeSettings | None:
    """The daemon's settings where they are for this home; None where there are none."""
    settings = find_settings(None)
    if settings is None or Path(settings.home).resolve() != office.home.path.resolve():
        return None
    return settings


def find_gm_addresses(office: Office) -> tuple[str, ...]:
    """The GM's addresses, as far as the daemon's settings tell them."""
    try:
        settings = find_house_settings(office)
    except Refused:  # what only looks or plays by hand needs none of it
        return ()
    return settings.house.gm if settings else ()
