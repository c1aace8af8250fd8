"""The standing of players over all games that have ended: results, reliability, a rating.

People are known by the name that the GM gives them, bots by their strength. Ratings are those
of OpenSkill's Plackett-Luce model, which knows games of any number of players.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import fmean, median
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.game import Over
from adjudicator.desk.model.deadlines import format_length
from adjudicator.desk.model.lineage import list_counting_steps
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.seats import BOT, find_strength, last_seatings
from adjudicator.desk.model.values import Player, Seating, Status
from adjudicator.desk.outbox.reader_preferences import RATINGS
from adjudicator.desk.steps.record import Record


class Result(Struct, frozen=True, kw_only=True):
    """What a game came to for somebody on a seat."""

    name: str
    seat: Seat = ""
    rank: int
    """1 for winners; equal where the game was drawn."""
    share: float
    """Of the victory."""
    missed: int
    """Steps in which orders were due and none came."""
    reactions: tuple[timedelta, ...]
    """From the opening of a step to the orders that counted."""


class Ended(Struct, frozen=True, kw_only=True):
    """A game that has ended."""

    game: str
    kind: str
    at: datetime
    results: tuple[Result, ...]


def list_unrated(players: Iterable[Player]) -> frozenset[str]:
    """List the players who want to stay out of tables."""
    return frozenset(one.name for one in players if not one.preferences.get(RATINGS, True))


def read_ended(
    record: Record, seatings: Sequence[Seating], kind: Kind, unrated: Container[str] = ()
) -> Ended | None:
    """Read what a game came to; None for one that is not over, or was never played.

    Whoever is unrated is an opponent without a name.
    """
    counting = [step for step in list_counting_steps(record.steps) if step.state is not None]
    if record.game.status is not Status.OVER or not any(step.is_played for step in counting):
        return None
    last = counting[0]
    state = kind.state(last.state or b"")
    over = kind.rules.due(state)
    winners = over.winners if isinstance(over, Over) else ()
    ranks = _rank_seats(record.game.seats, winners, kind.rules.score(state))
    holders = last_seatings(seatings)
    results = [
        Result(
            name="" if name in unrated else name,
            seat=seat,
            rank=ranks[seat],
            share=1 / len(winners) if seat in winners else 0.0,
            **_read_reliability(record, seat),
        )
        for seat in record.game.seats
        if (name := _name_holder(holders.get(seat))) is not None
    ]
    at = last.closed or record.game.created
    return Ended(game=record.game.id, kind=record.game.kind, at=at, results=tuple(results))


def _rank_seats(
    seats: Sequence[Seat], winners: Sequence[Seat], score: Mapping[Seat, int]
) -> dict[Seat, int]:
    """Rank the seats, winners first and the others by their score; all alike in a draw."""
    if not winners:
        return dict.fromkeys(seats, 1)
    worth = {seat: (seat in winners, 0 if seat in winners else score[seat]) for seat in seats}
    return {seat: 1 + sum(other > worth[seat] for other in worth.values()) for seat in seats}


def _name_holder(seating: Seating | None) -> str | None:
    if seating is None:
        return None
    if seating.kind == BOT:
        return f"{BOT}:{find_strength(seating)}"
    return seating.player


def _read_reliability(record: Record, seat: Seat) -> dict[str, Any]:
    """Read how often the seat's orders were missing, and how soon they came."""
    count, reactions = 0, []
    for step in record.steps:
        own = record.find_executed(step).get(seat) if not step.void and step.closed else None
        if own is None:
            continue
        count += own.by == "default"
        if own.by == "player":
            reactions.append(max(own.arrived - step.opened, timedelta()))
    return {"missed": count, "reactions": tuple(reactions)}


# the table


RATING_COLUMNS = ("player", "games", "won", "share", "missed", "reaction", "rating")


def format_rating(row: Document) -> tuple[object, ...]:
    """Format a row of the table for people."""
    reaction = row["reaction"]
    return (
        row["name"],
        row["games"],
        row["won"],
        f"{round(100 * row['share'])} %",
        row["missed"],
        "-" if reaction is None else format_length(timedelta(seconds=reaction)),
        row["rating"],
    )


def list_ratings(games: Iterable[Ended]) -> list[Document]:
    """List everybody by their rating, the best first; the unnamed were opponents, no more."""
    in_order = sorted(games, key=lambda one: (one.at, one.game))
    ratings = _rate(in_order)
    own: dict[str, list[Result]] = {}
    for game in in_order:
        for result in game.results:
            own.setdefault(result.name, []).append(result)
    rows = [_describe(name, own[name], ratings[name]) for name in own if name]
    return sorted(rows, key=lambda row: (-row["rating"], row["name"]))


def _describe(name: str, own: Sequence[Result], rating: Any) -> Document:
    reactions = [one.total_seconds() for result in own for one in result.reactions]
    return {
        "name": name,
        "games": len(own),
        "won": sum(one.share > 0 for one in own),
        "share": round(fmean(one.share for one in own), 3),
        "missed": sum(one.missed for one in own),
        "reaction": round(median(reactions)) if reactions else None,
        "rating": round(rating.ordinal(), 1),
        "mu": round(rating.mu, 2),
        "sigma": round(rating.sigma, 2),
    }


def _rate(games: Sequence[Ended]) -> dict[str, Any]:
    """Rate everybody, game by game; the bots of one game learn their mean."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    make: Callable[..., Any] = model.rating
    ratings: dict[str, Any] = {}
    for game in games:
        for result in game.results:
            ratings.setdefault(result.name, make(name=result.name))
        if len({one.name for one in game.results}) < 2:  # nobody was better than anybody else
            continue
        teams = [[ratings[one.name]] for one in game.results]
        new_ratings = model.rate(teams, ranks=[float(one.rank) for one in game.results])
        learned: dict[str, list[Any]] = {}
        for one, (after,) in zip(game.results, new_ratings, strict=True):
            learned.setdefault(one.name, []).append(after)
        for name, several in learned.items():
            mu, sigma = (fmean(getattr(r, key) for r in several) for key in ("mu", "sigma"))
            ratings[name] = make(name=name, mu=mu, sigma=sigma)
    return ratings
