"""Games between bots of different strengths, each from start to end in one process."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from random import Random
from time import thread_time
from typing import Any, cast

from msgspec import Struct

import adjudicator
from adjudicator.core.document import Seat
from adjudicator.core.game import STRENGTHS, Strength
from adjudicator.desk.questions.ratings import Ended, Result
from adjudicator.library.game import GameState

RANDOM = "random"
"""Orders that keep the rules and nothing else."""
PLAYERS = (RANDOM, *STRENGTHS)


class Match(Struct, frozen=True, kw_only=True):
    """A game to be played: who sits where."""

    kind: str
    seed: int
    players: tuple[str, ...]
    options: Mapping[str, Any]
    most: int
    """Steps after which a game counts as one without an end."""


class Played(Struct, frozen=True, kw_only=True):
    """A game as it was played."""

    match: Match
    shares: tuple[float, ...]
    """Of the victory, by seat; equal where nobody has won."""
    ranks: tuple[int, ...]
    turns: int
    """Turns or rounds, as the game counts them."""
    ended: bool
    times: Mapping[str, tuple[float, ...]]
    """Milliseconds of processor time of each move, by player."""


def list_duels(
    kind: str, seats: int, pair: tuple[str, str], games: int, seed: int, **more: Any
) -> Iterator[Match]:
    """List games of one player against the rest, from every seat of the same deals in turn."""
    first, second = pair
    for number in range(games):
        own = number % seats
        players = tuple(first if seat == own else second for seat in range(seats))
        yield Match(kind=kind, seed=seed + number // seats, players=players, **more)


def list_mixed(
    kind: str, seats: int, players: Sequence[str], games: int, seed: int, **more: Any
) -> Iterator[Match]:
    """List games of the first player among others who are drawn from all of them."""
    for number in range(games):
        drawn = Random(seed + number)
        seated = [drawn.choice(players) for _ in range(seats)]
        seated[number % seats] = players[0]
        yield Match(kind=kind, seed=seed + number, players=tuple(seated), **more)


def play_all(matches: list[Match], jobs: int) -> Iterator[Played]:
    """Play the games in this many processes, and yield them in their order."""
    if jobs == 1:
        yield from map(play_match, matches)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play_match, matches)


def play_match(match: Match) -> Played:
    """Play a game to its end; each bot is given its own view and nothing else."""
    kind = adjudicator.load(match.kind)
    game = kind.new(seed=match.seed, seats=len(match.players), options=match.options)
    player = dict(zip(game.seats, match.players, strict=True))
    times: dict[str, list[float]] = {name: [] for name in match.players}
    while not game.over and game.number < match.most:
        orders = {}
        for seat in game.due:
            began = thread_time()
            orders[seat] = _choose(game, seat, player[seat])
            times[player[seat]].append((thread_time() - began) * 1000)
        game = game.close(orders)
    return Played(
        match=match,
        shares=_share_out(game),
        ranks=_rank(game),
        turns=_count_turns(game),
        ended=game.over,
        times={name: tuple(taken) for name, taken in times.items()},
    )


def _choose(game: GameState, seat: Seat, player: str) -> dict[str, Any]:
    if player == RANDOM:
        return game.legal(seat)
    return game.bot(seat, cast("Strength", player))


def _share_out(game: GameState) -> tuple[float, ...]:
    winners = game.winners or game.seats
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in game.seats)


def _rank(game: GameState) -> tuple[int, ...]:
    if not game.winners:
        return (1,) * len(game.seats)
    scores, winners = game.scores, game.winners
    worth = [(seat in winners, 0 if seat in winners else scores[seat]) for seat in game.seats]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def _count_turns(game: GameState) -> int:
    table = game.view()["table"]
    return int(table.get("turn") or table.get("round") or game.number)


def as_ended(number: int, played: Played) -> Ended:
    """Write a game as the ratings of players read it."""
    results = [
        Result(name=name, rank=rank, share=share, missed=0, reactions=())
        for name, rank, share in zip(played.match.players, played.ranks, played.shares, strict=True)
    ]
    at = datetime.fromtimestamp(number, UTC)
    return Ended(game=str(number), kind=played.match.kind, at=at, results=tuple(results))
