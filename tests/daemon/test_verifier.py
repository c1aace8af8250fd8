"""Rolling verification, and what `status` tells of it and of a database that cannot be read."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving.log import Troubles, set_up_log
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.serving.verifier import Vacuum, Verifier
from adjudicator.cli.wiring import Office
from tests.cli.conftest import Gm
from tests.cli.test_damaged import TAMPERED, change
from tests.daemon.conftest import House
from tests.daemon.running import until

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.fixture
def gm(office: Office) -> Gm:
    """Three games, each with a step that has been played."""
    gm = Gm(office.home.path)
    for name in ("amber", "ember", "spark"):
        seats = ("--seat", "red=Ada", "--seat", "blue=Bo", "--seed", "7")
        options = ("--option", "homeworlds={red: A1, blue: C3}")
        gm("new", name, "--kind", "jump-wars", *seats, *options, "--start")
        gm("close", name, "--now")
    return gm


def look(office: Office, settings: ServeSettings, *hours: float) -> tuple[list[str | None], Any]:
    """What is verified at these hours, and what is wrong afterwards."""

    async def whole() -> tuple[list[str | None], Any]:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        verifier = Verifier(runtime)
        found = []
        for hour in hours:
            at = AT + timedelta(hours=hour)
            runtime.now = lambda at=at: at  # type: ignore[method-assign, misc]
            found.append(await verifier.look())
        await verifier.close()
        return found, runtime.troubles.now()

    return asyncio.run(whole())


def test_one_game_an_hour_is_verified_whichever_was_not_for_the_longest(
    gm: Gm, office: Office, settings: ServeSettings
) -> None:
    found, troubles = look(office, settings, 0, 0.5, 1, 2, 3, 3.9)
    assert found == ["amber", None, "ember", "spark", "amber", None]
    assert troubles == {}
    assert look(office, settings, 4.1)[0] == ["ember"]  # a new daemon knows of the last one
    first = gm.json("status", code=1)["verified"][0]
    assert (first["game"], first["fault"]) == ("ember", "")
    assert "ember, as it was recorded" in gm("status", code=1).stdout


def test_a_game_that_was_damaged_is_found_and_told(
    gm: Gm, office: Office, settings: ServeSettings
) -> None:
    change(office.home.path, f"{TAMPERED} AND game = 'ember'")
    _, troubles = look(office, settings, 0, 1, 2)
    assert list(troubles) == ["verification of ember"]
    with office.reading() as books:
        (told,) = [one for one in books.letters("") if b"not as it was recorded" in one.document]
    assert b"adjudicator verify ember" in told.document
    shown = gm("status", code=1).stdout
    assert "ember, NOT as it was recorded (1-plan: state" in shown
    assert "spark, as it was recorded" in shown


def test_games_that_cannot_be_read_or_played_keep_no_other_from_being_verified(
    gm: Gm, office: Office, settings: ServeSettings
) -> None:
    """In a pack one byte spoils many steps; a kind of game may not be installed any more."""
    change(office.home.path, "UPDATE steps SET state = CAST('@9,0,9' AS BLOB) WHERE game = 'amber'")
    change(office.home.path, "UPDATE games SET kind = 'go' WHERE id = 'spark'")
    found, troubles = look(office, settings, 0, 1, 2)
    assert found == ["amber", "ember", "amber"]
    assert list(troubles) == ["verification of amber"]
    assert "a row of steps cannot be read" in troubles["verification of amber"].words


def test_all_games_are_verified_one_after_the_other(gm: Gm) -> None:
    assert gm("verify", "--all").stdout.count("all is as it was recorded") == 3


def test_status_says_what_is_wrong_where_the_database_cannot_be_read(house: House) -> None:
    house.game()
    daemon = house.serve()
    until(lambda: house.letters("Ada"), what="the first report")
    gm, database = Gm(house.office.home.path), house.office.home.database
    house.office.close()
    with closing(sqlite3.connect(database)) as books:
        books.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with database.open("r+b") as file:
        file.write(bytes(4096 * 4))
    until(lambda: daemon.logged("trouble", place="database"), what="the trouble")
    told = gm.json("status", code=1)
    assert told["problems"][0]["place"] == "database"
    assert told["daemon"]["running"]
    assert told["daemon"]["pid"] == daemon.process.pid
    shown = gm("status", code=1).stdout
    assert f"process {daemon.process.pid}" in shown
    assert "PROBLEM  database since" in shown
    daemon.kill()
    told = gm.json("status", code=1)
    assert not told["daemon"]["running"]
    assert told["problems"]


def test_letters_lose_their_bytes_in_time(gm: Gm, office: Office, settings: ServeSettings) -> None:
    change(office.home.path, "UPDATE outbox SET status = 'sent', content = X'6162'")

    async def letters(days: int) -> int:
        log = set_up_log("json")
        runtime = Runtime(office, settings, log, Troubles(log), Worker("books"), b"s" * 32)
        at = runtime.now() + timedelta(days=days)
        runtime.now = lambda: at  # type: ignore[method-assign]
        vacuum = Vacuum(runtime)
        freed = await vacuum.look()
        await vacuum.close()
        return freed.letters if freed else 0

    assert [asyncio.run(letters(days)) > 0 for days in (89, 91, 91)] == [False, True, False]
