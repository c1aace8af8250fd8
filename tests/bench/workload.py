"""Everything that is measured, put together in one folder on one disk."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import count, cycle, islice
from pathlib import Path
from time import perf_counter

from adjudicator.core.document import encode
from adjudicator.desk.model.ports import Kind, Library
from tests.bench import table
from tests.bench.books import GAME, Desk, Whole
from tests.bench.crowd import Crowd
from tests.bench.letters import Mailbag
from tests.bench.measures import (
    Ledger,
    Measure,
    cpu_milliseconds,
    fingerprint,
    medians,
    milliseconds,
    seconds,
)
from tests.bench.processes import Diplomacy, cold, peak, run
from tests.bench.reports import Reports
from tests.bench.rules import KIND, Rehearsal, game, midgame
from tests.bench.sample import Sample
from tests.bench.sending import Mailing, Sink

PLAYERS = 3
TURN_LIMIT = 25
GAMES = 5
"""So many are played in a row, with other dice each time."""
RECORDED_TURNS = 8
BARE = (sys.executable, "-c", "pass")
LETTERS = 200
"""So many are sent in a row."""
FEW_GAMES, MANY_GAMES = 50, 5000
"""So many games a home holds; in a round nothing is due in any of them."""
OFTEN = 50
"""How often something short is done in a row."""

Progress = Callable[[int, str], None]


def measured(
    library: Library, folder: Path, peer: Diplomacy | None, rounds: int, progress: Progress
) -> dict[str, float]:
    """Every number by its name in the table; `folder` lies on the disk that is meant."""
    kind = library.kind(KIND)
    position = midgame(kind.rules)
    rehearsal = Rehearsal(position)
    desk = Desk(folder / "desk", position)
    others = [
        Sample(library.kind(other), folder / other, PLAYERS)
        for other in library.kinds()
        if other != KIND
    ]
    ready = desk.ordered()
    reports = Reports(desk.ordered())
    bare = bytes(desk.written())
    with (
        closing(Whole(folder / "whole", kind.seats[:PLAYERS], RECORDED_TURNS)) as whole,
        closing(Ledger(folder / "bare.db")) as ledger,
        closing(Sink()) as sink,
        closing(Crowd(folder / "few", position, "few", FEW_GAMES)) as few,
        closing(Crowd(folder / "many", position, "many", MANY_GAMES)) as many,
    ):
        mailbag = Mailbag(folder / "letters", position, ledger)
        mailing = Mailing(sink.port, list(islice(cycle(mailbag.sent), LETTERS)))
        found = medians(
            [
                lambda: {table.FLOOR: milliseconds(lambda: fingerprint(rehearsal.document), OFTEN)},
                lambda: {table.JUMP: milliseconds(rehearsal.jump, OFTEN)},
                lambda: {
                    table.IMAGINED: cpu_milliseconds(rehearsal.imagine, OFTEN) / len(position.seats)
                },
                *_asked(peer, lambda other: {table.PROCESS: other.process()}),
                lambda: {table.TURN: 1 / seconds(rehearsal.turn, OFTEN)},
                *_games(kind),
                *(one.measure for one in others),
                *_asked(peer, _played),
                lambda: {table.COMMIT: milliseconds(lambda: ledger.write(bare))},
                lambda: {table.CLOSE: desk.closing()},
                lambda: {table.RECEIPT: desk.receipt()},
                *(one.measure for one in (few, many)),
                lambda: {table.MANY_ROUND: many.round()},
                mailbag.measure,
                mailing.measure,
                reports.measure,
                lambda: dict(zip((table.SITE, table.SITE_AGAIN), whole.site(), strict=True)),
                lambda: {table.VERIFY: whole.verify()},
                lambda: {
                    table.BARE_START: milliseconds(lambda: run([sys.executable, "-c", "pass"]))
                },
                lambda: {table.HELP: cold(ready, "--help"), table.SHOW: cold(ready, "show", GAME)},
                lambda: {table.COLD_CLOSE: cold(desk.ordered(), "close", GAME)},
                *_asked(peer, lambda other: {table.COLD: other.cold()}),
            ],
            rounds,
            progress,
        )
        found[table.RECORD] = whole.bytes_per_order
        letter, step = mailbag.calls(), desk.calls()
        found[table.LETTER_FUNCTIONS] = len(letter.functions)
        found[table.LETTER_FILES] = len(letter.by_file())
        found[table.CLOSE_FUNCTIONS] = len(step.functions)
        found[table.CLOSE_FILES] = len(step.by_file())
    found[table.RECEIPTS] = 1000 / found[table.RECEIPT]
    found[table.STATE] = len(encode(rehearsal.document))
    found[table.MEMORY] = peak(ready, "close", GAME)
    return found


def _asked(
    peer: Diplomacy | None, what: Callable[[Diplomacy], Mapping[str, float]]
) -> Sequence[Measure]:
    """What the peer is asked, if there is one."""
    return [lambda: what(peer)] if peer else []


def _played(peer: Diplomacy) -> Mapping[str, float]:
    seasons, phases = peer.play()
    return {table.SEASONS: seasons, table.PHASES: phases}


def _games(kind: Kind) -> Sequence[Measure]:
    """Whole games of random legal orders, and of bots."""
    rules, seats = kind.rules, kind.seats[:PLAYERS]
    options = kind.options({"turn_limit": TURN_LIMIT}, seats)
    numbers = count()

    def random() -> dict[str, float]:
        start = perf_counter()
        played = [game(rules, seats, options, rules.legal, next(numbers)) for _ in range(GAMES)]
        took = perf_counter() - start
        return {
            table.RANDOM: GAMES / took,
            table.RANDOM_TURNS: sum(one.turns for one in played) / took,
            table.RANDOM_STEPS: sum(one.steps for one in played) / took,
        }

    def bots() -> dict[str, float]:
        took = seconds(lambda: game(rules, seats, options, rules.bot, next(numbers)), GAMES)
        return {table.BOTS: 1 / took}

    return random, bots
