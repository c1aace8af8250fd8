"""Archives and pages: letters go first, though not for ever; the front is written now and then."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.places import CHAIN_FILE
from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving import archivist
from adjudicator.cli.serving.archivist import Archivist
from adjudicator.cli.serving.post.letters_out import LettersOut
from adjudicator.cli.serving.runtime import Runtime
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.mail import Posting, Sent
from adjudicator.desk.outbox.notices import notify_gm
from tests.at_the_desk import close_step
from tests.cli.test_damaged import change
from tests.daemon.test_letters_out import _Plain, make_runtime
from tests.daemon.test_parts import make_games

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
GAMES = ("amber", "ember")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archivist, "_QUIET", 0.0)


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a look are written by name."""
    monkeypatch.setattr(Archivist, "_rank_game", lambda _, game: game)


@pytest.fixture
def played(office: Office) -> Office:
    """An office with games that moved on."""
    make_games(office, start=True)
    for name in GAMES:
        with office.making() as books:
            close_step(books, office.library, name, at=AT, now=True)
    return office


def chain(settings: ServeSettings, game: str) -> Path:
    return Path(settings.home, "jump_wars", game, CHAIN_FILE)


def write_until(runtime: Runtime, is_done: Callable[[], bool]) -> None:
    """Let an archivist work until something is there."""

    async def whole() -> None:
        writer = Archivist(runtime)
        running = asyncio.create_task(writer.run())
        while not is_done():
            await asyncio.sleep(0.01)
        runtime.stop.set()
        await running
        await writer.close()

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_an_archive_waits_until_letters_are_out(
    played: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = make_runtime(played, settings)
    runtime.note_sending(is_sending=True)
    before: list[bool] = []
    let_pass = runtime.let_letters_pass

    async def send_meanwhile(seconds: float) -> None:
        waiting = asyncio.ensure_future(let_pass(seconds))
        await asyncio.sleep(0)
        before.append(waiting.done() or chain(settings, "amber").exists())
        runtime.note_sending(is_sending=False)
        await waiting

    monkeypatch.setattr(runtime, "let_letters_pass", send_meanwhile)
    write_until(runtime, chain(settings, "ember").exists)
    assert before[0] is False


def test_no_archive_waits_for_ever_for_letters_that_a_server_does_not_take(
    played: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archivist, "_PATIENCE", 0.0)
    runtime = make_runtime(played, settings)
    runtime.note_sending(is_sending=True)
    write_until(runtime, chain(settings, "ember").exists)
    assert runtime.is_sending


@pytest.mark.parametrize("breath", [0.0, 1e9])
def test_archives_that_have_waited_long_leave_most_of_the_time_to_letters(
    played: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch, breath: float
) -> None:
    """All games are behind at once after an update: letters go out all the same."""
    monkeypatch.setattr(archivist, "_PATIENCE", 0.0)
    monkeypatch.setattr(archivist, "_BREATH", breath)
    runtime = make_runtime(played, settings)
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(runtime, "let_letters_pass", note)
    write_until(runtime, lambda: all(chain(settings, game).exists() for game in GAMES))
    first, second = waits
    assert first <= 0
    assert (second > 0) == (breath > 0)


class _Post:
    """A postman who notes, of each letter, whether archives wait for it."""

    def __init__(self, runtime: Runtime, status: str) -> None:
        self._runtime, self._status = runtime, status
        self.noted: list[bool] = []

    async def send(self, posting: Posting) -> Sequence[Sent]:
        self.noted.append(self._runtime.is_sending)
        return [Sent(one, self._status, "no answer") for one in posting.recipients]

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    ("status", "noted"),
    [("taken", [True, True]), ("later", [True, False])],
    ids=["a server that takes letters", "a server that does not answer"],
)
def test_archives_wait_for_letters_that_are_taken(
    office: Office, settings: ServeSettings, status: str, noted: list[bool]
) -> None:
    async def whole() -> None:
        runtime = make_runtime(office, settings)
        postman = _Post(runtime, status)
        letters = LettersOut(runtime, "us", postman, _Plain())
        for words in ("hello", "and again"):
            with office.making() as books:
                for letter in books.letters(""):
                    if letter.status != "sent":
                        books.save(replace(letter, status="withdrawn"))
                notify_gm(books, settings.house, words, [words], at=AT)
            await letters.round()
        assert postman.noted == noted
        await letters.round()
        assert not runtime.is_sending

    asyncio.run(whole())


@pytest.mark.usefixtures("in_order")
@pytest.mark.parametrize(("rest", "times"), [(0.0, 2), (1e9, 1)], ids=["at once", "later"])
def test_the_front_of_the_site_is_not_written_again_at_once(
    played: Office,
    settings: ServeSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rest: float,
    times: int,
) -> None:
    """It is made of all games, so that writing it takes ever longer."""
    site = tmp_path / "pages"
    written: list[str] = []
    write_front = archivist.write_front

    def count(out: Path, printer: Printer, url: str) -> tuple[str, ...]:
        changed = write_front(out, printer, url)
        written.append((out / "index.html").read_text())
        return changed

    monkeypatch.setattr(archivist, "write_front", count)
    monkeypatch.setattr(archivist, "_REST", rest)
    page = site / "jump-wars/ember/game.json"
    write_until(
        make_runtime(played, replace(settings, site=str(site))),
        lambda: page.exists() and len(written) >= times,
    )
    assert len(written) == times
    assert ("ember" in written[-1]) == (times == 2)


@pytest.mark.usefixtures("in_order")
def test_a_front_that_a_stop_left_behind_is_written_by_the_next_daemon(
    played: Office, settings: ServeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "pages"
    monkeypatch.setattr(archivist, "_REST", 1e9)

    def shows(game: str) -> bool:
        front = site / "index.html"
        return front.exists() and game in front.read_text()

    runtime = make_runtime(played, replace(settings, site=str(site)))
    page = site / "jump-wars/ember/game.json"
    write_until(runtime, lambda: page.exists() and shows("amber"))
    assert not shows("ember")
    runtime = make_runtime(played, replace(settings, site=str(site)))
    write_until(runtime, lambda: shows("ember"))


def test_what_another_daemon_wrote_meanwhile_is_not_written_again(
    played: Office, settings: ServeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    update = archivist.update_own_archive

    def note(office: Office, dossier: Dossier) -> None:
        written.append(dossier.record.game.id)
        update(office, dossier)

    monkeypatch.setattr(archivist, "update_own_archive", note)
    runtime = make_runtime(played, replace(settings, site=str(tmp_path / "pages")))
    writers = [Archivist(runtime), Archivist(runtime)]
    for writer in writers:  # both have found all games behind before either writes one
        writer._note(writer._find_behind())
    for writer in writers:
        for game in GAMES:
            asyncio.run(writer._write(game))
        asyncio.run(writer.close())
    assert written == [*GAMES]
    assert not writers[1]._failed


def test_daemons_do_not_begin_with_the_same_game(played: Office, settings: ServeSettings) -> None:
    """Each has an order of its own, in which it writes what all have found."""
    firsts = set()
    for owner in "abcdefgh":
        runtime = make_runtime(played, settings)
        runtime.owner = owner
        writer = Archivist(runtime)
        firsts.add(min(GAMES, key=writer._rank_game))
        asyncio.run(writer.close())
    assert firsts == {*GAMES}


def test_a_look_is_at_games_that_moved_on_and_at_a_few_others(
    played: Office, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With thousands of games nobody looks at all of them each minute; nor is any forgotten."""
    monkeypatch.setattr(archivist, "_IN_TURN", 1)
    runtime = make_runtime(played, settings)
    writer = Archivist(runtime)
    assert writer._find_behind() == ["amber", "ember"], "a new daemon looks at all"
    assert [writer._find_behind() for _ in range(4)] == [["amber"], ["ember"], [], ["amber"]]
    with played.making() as books:
        close_step(books, played.library, "amber", at=runtime.now(), now=True)
    assert writer._find_behind() == ["amber", "ember"]
    asyncio.run(writer.close())


def test_a_game_that_cannot_be_read_hides_no_other(played: Office, settings: ServeSettings) -> None:
    change(played.home.path, "UPDATE games SET settings = '{' WHERE id = 'amber'")
    writer = Archivist(make_runtime(played, settings))
    assert writer._find_behind() == ["ember"]
    asyncio.run(writer.close())
