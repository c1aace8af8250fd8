"""Letters out, part by part: what is withdrawn, stuck or written while the database is away."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.adapters.settings import ServeSettings
from adjudicator.adapters.store.books import SqlBooks
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.post import letters_out
from adjudicator.cli.serving.post.letters_out import LettersOut
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Document
from adjudicator.desk.model.mail import Posting, Sent
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.notices import notify_gm, notify_stranger
from adjudicator.desk.outbox.send import Heading

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def make_runtime(office: Office, settings: ServeSettings) -> Runtime:
    log = set_up_log("json")
    return Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)


def events(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]


class _Slow:
    """A postman during whose work the GM takes a letter back."""

    def __init__(self, office: Office) -> None:
        self.office = office

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        with self.office.acting() as books:
            (letter,) = books.letters("")
            books.save(replace(letter, status="withdrawn"))
        return [Sent(one, "taken", "250 ok") for one in envelope.recipients]

    async def close(self) -> None: ...


class _Plain:
    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        return b"Subject: hello\n\n"


def test_a_letter_withdrawn_while_it_is_under_way_is_no_trouble(
    office: Office, settings: ServeSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    with office.making() as books:
        notify_gm(books, settings.house, "hello", ["hello"], at=AT)

    async def whole() -> None:
        runtime = make_runtime(office, settings)
        assert await LettersOut(runtime, "us", _Slow(office), _Plain()).round() == 1
        assert not runtime.troubles.now()

    asyncio.run(whole())
    assert events(capsys) == ["letter written", "letter withdrawn under way"]
    with office.reading() as books:
        assert [one.status for one in books.letters("")] == ["withdrawn"]


class _Away(_Plain):
    """A writer during whose work the database goes away, for the next two transactions."""

    def __init__(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        self._office, self._monkeypatch = office, monkeypatch

    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        store = self._office.store
        whole, failures = store.writing, iter(range(2))

        def writing() -> AbstractContextManager[Books]:
            if next(failures, None) is not None:
                raise StoreTrouble("the database is away")
            return whole()

        self._monkeypatch.setattr(store, "writing", writing)
        return super().write_letter(letter, document, heading)


def test_a_letter_that_was_written_while_the_database_was_away_waits_for_no_claim(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with office.making() as books:
        notify_gm(books, settings.house, "hello", ["hello"], at=AT)

    async def whole() -> None:
        runtime = make_runtime(office, settings)
        runtime.backoff = Backoff(first=0.0, most=0.0)
        postman = _Stuck(office, settings.house, lambda: None)
        letters = LettersOut(runtime, "us", postman, _Away(office, monkeypatch))
        assert await letters.round() == 1

    asyncio.run(whole())
    with office.reading() as books:
        assert [one.status for one in books.letters("")] == ["sent"]


class _Gone(_Plain):
    """A writer beside whom a letter is withdrawn when its bytes are kept."""

    def __init__(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        self._office, self._monkeypatch = office, monkeypatch

    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        if letter.number == 1:
            read = SqlBooks.letter
            with self._office.acting() as books:
                before = books.letter(*letter.name)
                assert before is not None
                books.save(replace(before, status="withdrawn"))

            def find(books: SqlBooks, *name: Any) -> OutgoingLetter | None:
                """As it was a moment before."""
                return before if name == letter.name else read(books, *name)

            self._monkeypatch.setattr(SqlBooks, "letter", find)
        return super().write_letter(letter, document, heading)


def test_a_letter_withdrawn_while_others_are_kept_holds_none_of_them_up(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with office.making() as books:
        for words in ("hello", "and again"):
            notify_gm(books, settings.house, words, [words], at=AT)

    async def whole() -> None:
        runtime = make_runtime(office, settings)
        postman = _Stuck(office, settings.house, lambda: None)
        letters = LettersOut(runtime, "us", postman, _Gone(office, monkeypatch))
        assert await letters.round() == 1
        assert not runtime.troubles.now()

    asyncio.run(whole())
    with office.reading() as books:
        assert [one.status for one in books.letters("")] == ["withdrawn", "sent"]


class _Stuck:
    """A postman to whom only the GM opens, who is written to while the others do not."""

    def __init__(self, office: Office, house: House, stop: Callable[[], None]) -> None:
        self.open = asyncio.Event()
        self.begun: list[str] = []
        self._office, self._house, self._stop = office, house, stop

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        self.begun += envelope.recipients
        if set(envelope.recipients) == set(self._house.gm):
            self._stop()
        else:
            if len(self.begun) == 1:
                with self._office.acting() as books:
                    notify_gm(books, self._house, "hello", ["hello"], at=AT)
            await self.open.wait()
        return [Sent(one, "taken", "250 ok") for one in envelope.recipients]

    async def close(self) -> None: ...


class _Wavering:
    """A postman who takes all letters at once, while the GM takes the first one back."""

    def __init__(self, office: Office) -> None:
        self._office, self._begun = office, 0

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        self._begun += 1
        if self._begun == 1:
            with self._office.acting() as books:
                books.save(replace(books.letters("")[0], status="withdrawn"))
        return [Sent(one, "taken", "250 ok") for one in envelope.recipients]

    async def close(self) -> None: ...


def test_what_became_of_a_handful_is_kept_together_and_one_holds_no_other_up(
    office: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with office.making() as books:
        for number in range(5):
            notify_gm(books, settings.house, f"hello {number}", ["hello"], at=AT)
    handfuls: list[int] = []
    record = letters_out._Lane._record

    async def count(lane: Any, sendings: Sequence[Any]) -> None:
        handfuls.append(len(sendings))
        await record(lane, sendings)

    monkeypatch.setattr(letters_out._Lane, "_record", count)

    async def whole() -> None:
        runtime = make_runtime(office, settings)
        assert await LettersOut(runtime, "us", _Wavering(office), _Plain()).round() == 5
        assert not runtime.troubles.now()

    asyncio.run(whole())
    assert handfuls == [5, 1, 1, 1, 1, 1], "together first, then each alone"
    with office.reading() as books:
        assert [one.status for one in books.letters("")] == ["withdrawn", *["sent"] * 4]


def test_letters_to_strangers_that_are_stuck_hold_no_other_back(
    office: Office, settings: ServeSettings
) -> None:
    with office.making() as books:
        for number in range(30):
            to = f"{number}@x.example"
            notify_stranger(books, settings.house, to, "hello", ["hello"], at=AT)

    async def whole() -> list[str]:
        runtime = make_runtime(office, settings)
        postman = _Stuck(office, settings.house, runtime.stop.set)
        running = asyncio.create_task(LettersOut(runtime, "us", postman, _Plain()).run())
        await asyncio.wait_for(runtime.stop.wait(), 60)
        postman.open.set()
        await running
        return postman.begun

    *strangers, last = asyncio.run(whole())
    assert last in settings.gm
    assert len(strangers) == 2
