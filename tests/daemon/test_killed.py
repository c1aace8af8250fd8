"""kill -9 at random while three play over a real Dovecot and a real Postfix."""

import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.cli.demo.play import play_bots
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.values import Status, Step
from tests.daemon.conftest import SEATS
from tests.daemon.running import PATIENCE, Running, until
from tests.daemon.servers import Served, Table, bare
from tests.servers.dovecot import Dovecot
from tests.servers.nursery import open_nursery
from tests.servers.postfix import Postfix

SHORT, LONG = (5, 3), (20, 8)
"""How many times it is killed, and how many turns the game has."""


@pytest.fixture
def served(tmp_path: Path, dovecot: Dovecot, postfix: Postfix) -> Iterator[Served]:
    served = Served(tmp_path, dovecot, postfix)
    yield served
    served.close()


@pytest.mark.parametrize(
    ("number", "kills", "turns"),
    [
        (0, *SHORT),
        *(pytest.param(number, *LONG, marks=pytest.mark.soak) for number in range(16)),
    ],
)
def test_a_game_ends_as_if_nothing_had_happened(
    number: int, kills: int, turns: int, served: Served, tmp_path: Path
) -> None:
    served.game(turns)
    # nobody answers in the last turn before the last kill: the game cannot be over by then
    table = Table(served, held=turns)
    table.start()
    chance = random.Random(number)
    for _ in range(kills):
        daemon = served.start()
        _live(daemon, table, chance)
        daemon.kill()
    assert not _over(served)
    table.go_on()
    daemon = served.serve()
    until(lambda: table.well() and _over(served), 5 * PATIENCE, what=table)
    until(lambda: _waiting(served) == 0, what="the last letter")
    table.rise()
    assert daemon.stop() == 0
    _as_if_nothing_had_happened(served, turns, tmp_path / "undisturbed")
    _nothing_is_lost(served, table)


def _live(daemon: Running, table: Table, chance: random.Random) -> None:
    """A while: now and then it is killed before it is ready, mostly in the middle of its work."""
    if chance.random() < 0.15:
        time.sleep(chance.uniform(0, 0.6))
        return
    until(lambda: daemon.logged("serving") or daemon.ended())
    enough = len(daemon.lines()) + chance.randint(0, 12)
    until(
        lambda: table.well() and (len(daemon.lines()) >= enough or table.holds or daemon.ended()),
        what=f"line {enough} of its log",
        pause=0.002,
    )


def _over(served: Served) -> bool:
    with served.office.reading() as books:
        return books.game("ember").status is Status.OVER


def _waiting(served: Served) -> int:
    with served.office.reading() as books:
        return books.waiting_letters()


def _as_if_nothing_had_happened(served: Served, turns: int, folder: Path) -> None:
    """The same seed and the same players without a daemon come to the same states."""
    office = Office(str(folder))
    with office.making() as books:
        create_game(
            books,
            office.library,
            game="ember",
            kind="jump-wars",
            seats=dict.fromkeys(SEATS, "bot"),
            options={"turn_limit": turns},
            settings={},
            seed=seed_from_number(7),
            luck={},
            verifiable=False,
            components=None,
            start=True,
            at=datetime.now(UTC),
        )
    play_bots(office, "ember", lambda _done, _word: None)
    with office.reading() as books:
        wanted = [_facts(step) for step in books.steps("ember")]
    office.close()
    with served.office.reading() as books:
        assert [_facts(step) for step in books.steps("ember")] == wanted
        closed = [note.text for note in books.notes("ember") if note.act == "close"]
        assert len(closed) == len(set(closed))
        assert len(books.links("ember")) == len(wanted)
        sets = {(one.step, one.seat) for one in books.orders("ember") if one.executed}
        assert all(one.by == "player" for one in books.orders("ember"))
        assert len(sets) == len(books.orders("ember")), "a letter was put on file twice"
    verified = open_nursery().run("--home", served.folder / "home", "verify", "ember")
    assert verified.returncode == 0, verified.stdout


_TOKEN = re.compile(r"\.[a-z2-7]{24}@")
"""What a Message-ID ends in on its way, and the books do not know."""


def _facts(step: Step) -> tuple[str, bytes | None, bytes]:
    return step.name, step.state, step.events


def _nothing_is_lost(served: Served, table: Table) -> None:
    """Every letter in was taken once; every letter out came, and repeats are the same letter."""
    with served.office.reading() as books:
        arrivals = books.arrivals()
        letters = books.letters("ember")
    taken = [one.message_id for one in arrivals]
    assert sorted(taken) == sorted(table.written)
    assert {one.outcome for one in arrivals} == {"receipt"}
    assert {one.status for one in letters} == {"sent"}
    for seat in SEATS:
        wanted = {letter.message_id for letter in letters if letter.seat == seat}
        # Postfix has taken them all, and may still be handing out the last one
        came = until(lambda seat=seat, wanted=wanted: _came(served, seat, wanted))
        assert set(came) == wanted
        assert all(len(copies) == 1 for copies in came.values())


def _came(served: Served, seat: str, wanted: set[str]) -> dict[str, set[bytes]] | None:
    """The letters of a mailbox by Message-ID, once all that are wanted are there."""
    came = defaultdict(set)
    for _, content in served.mailbox(seat):
        name = str(parse_letter(content).message_id)
        came[_TOKEN.sub("@", name)].add(bare(content))
    return came if set(came) >= wanted else None
