"""What the games of a league come to: win shares, how long they took, ratings."""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, median

from msgspec import Struct

from adjudicator.desk.questions.ratings import list_ratings
from tests.league.matches import Match, Played, as_ended

_Z = 1.959964
"""Standard deviations on both sides that hold 95 % of a normal distribution."""


class Standing(Struct, frozen=True, kw_only=True):
    """How one player did against the rest."""

    games: int
    fair: float
    """The share of players who are equally good."""
    share: float
    interval: tuple[float, float]
    """It holds the true share in 95 of 100 leagues."""
    turns: tuple[float, int]
    """The median, and the longest game."""
    times: tuple[float, float]
    """Milliseconds of a move of the player: the median, and the longest."""
    endless: tuple[Match, ...]


def find_interval(share: float, games: int) -> tuple[float, float]:
    """Find Wilson's interval of a share, at 95 %."""
    spread = _Z * _Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def sum_up(first: str, played: Sequence[Played]) -> Standing:
    """Sum up the games of a player against others."""
    seats = [name for one in played for name in one.match.players]
    shares = [
        sum(won for won, name in zip(one.shares, one.match.players, strict=True) if name == first)
        for one in played
    ]
    turns = [one.turns for one in played]
    times = [taken for one in played for taken in one.times[first]]
    share = fmean(shares)
    return Standing(
        games=len(played),
        fair=seats.count(first) / len(seats),
        share=share,
        interval=find_interval(share, len(played)),
        turns=(median(turns), max(turns)),
        times=(median(times), max(times)),
        endless=tuple(one.match for one in played if not one.ended),
    )


def write_row(name: str, one: Standing) -> str:
    """Write a line of the table; `HEAD` says what its columns are."""
    low, high = one.interval
    return (
        f"{name:<16}{one.games:>6}{one.share:>7.2f}{low:>7.2f} to {high:.2f}"
        f"{one.share / one.fair:>8.2f}{one.turns[0]:>7.0f}{one.turns[1]:>8}"
        f"{one.times[0]:>9.1f}{one.times[1]:>9.1f}{len(one.endless):>7}"
    )


HEAD = (
    f"{'':<16}{'games':>6}{'share':>7}{'95 %':>15}{'x fair':>8}{'turns':>7}{'longest':>8}"
    f"{'ms/move':>9}{'longest':>9}{'no end':>7}"
)


def write_ratings(played: Iterable[Played]) -> list[str]:
    """Write how the players rate, the best first."""
    rows = list_ratings([as_ended(number, one) for number, one in enumerate(played)])
    return [f"{row['name']:<10}{row['mu']:>7.2f} ± {row['sigma']:.2f}" for row in rows]
