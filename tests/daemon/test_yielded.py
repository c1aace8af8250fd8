"""A postbox that its reader cannot reach is left to another daemon."""

from datetime import datetime

from sqlalchemy import update

from adjudicator.adapters.settings import ServeSettings
from adjudicator.adapters.store.tables import claims
from adjudicator.cli.wiring import Office
from tests.daemon.parts import MINUTE, Part, now, play


def test_a_postbox_that_its_reader_cannot_reach_is_left_to_another(
    shared: Office, settings: ServeSettings
) -> None:
    async def work() -> None:
        one, two = Part(shared, settings, "imap a"), Part(shared, settings, "imap a")
        for part in (one, two):
            await part.keeper.beat()
        one.runtime.troubles.begin("postbox 1", "nobody answers", now() - 2 * MINUTE)
        await one.keeper.beat()
        assert not one.runtime.may_read("postbox 1"), "it leaves what it holds"
        await two.keeper.beat()
        assert not two.runtime.may_read("postbox 1"), "until that expires"
        expire_claims(shared, now())
        await one.keeper.beat()
        assert not one.runtime.may_read("postbox 1")
        await two.keeper.beat()
        assert two.runtime.may_read("postbox 1")
        await two.read()
        await one.keeper.beat()
        assert one.runtime.is_read_elsewhere("postbox 1"), "its own trouble matters no more"
        two.die()
        await one.keeper.beat()
        assert one.runtime.may_read("postbox 1"), "there is nobody else"

    play(work)


def test_a_postbox_that_nobody_takes_is_tried_again(
    shared: Office, settings: ServeSettings
) -> None:
    async def work() -> None:
        one, other = Part(shared, settings, "imap a"), Part(shared, settings, "imap a")
        for part in (one, other):
            await part.keeper.beat()
        one.runtime.troubles.begin("postbox 1", "nobody answers", now() - 2 * MINUTE)
        expire_claims(shared, now() - MINUTE)
        await one.keeper.beat()
        assert one.runtime.may_read("postbox 1")

    play(work)


def expire_claims(office: Office, until: datetime) -> None:
    """They were made to last until then only."""
    with office.store.engine.begin() as connection:
        connection.execute(update(claims).values(until=until))
