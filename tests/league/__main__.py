"""Leagues of bots: how much stronger each strength is than the one below, and how long it thinks.

    python -m tests.league jump-drive --first hard --second normal --games 200

One seat is the first player's, all others are the second's; the seat changes from game to game,
and each deal is played from every seat. Without --first and --second every strength plays those
below it.
"""

import argparse
from collections.abc import Iterator
from itertools import combinations

import yaml

import adjudicator
from tests.league.matches import PLAYERS, RANDOM, Match, list_duels, list_mixed, play_all
from tests.league.standings import HEAD, sum_up, write_ratings, write_row


def main(words: list[str] | None = None) -> int:
    """Play the leagues that are asked for; 1 when a game did not end."""
    wanted = _read_arguments(words)
    endless = 0
    for kind in wanted.kind or adjudicator.kinds():
        print(f"\n{kind}, {wanted.seats} seats\n{HEAD}", flush=True)
        everything = []
        for name, first, matches in _list_leagues(wanted, kind):
            played = list(play_all(matches, wanted.jobs))
            one = sum_up(first, played)
            print(write_row(name, one), flush=True)
            for match in one.endless:
                print(f"  no end: --seed {match.seed}, {', '.join(match.players)}")
            everything += played
            endless += len(one.endless)
        print(*write_ratings(everything), sep="\n", flush=True)
    return int(endless > 0)


def _list_leagues(wanted: argparse.Namespace, kind: str) -> Iterator[tuple[str, str, list[Match]]]:
    """List the leagues of a kind: a name, the player whose share it is about, the games."""
    how = {"options": dict(wanted.option), "most": wanted.most}
    if wanted.mixed:
        players = [wanted.first or "normal", *PLAYERS]
        mixed = list_mixed(kind, wanted.seats, players, wanted.games, wanted.seed, **how)
        yield f"{players[0]} : mixed", players[0], list(mixed)
        return
    for pair in _list_pairs(wanted, kind):
        duels = list_duels(kind, wanted.seats, pair, wanted.games, wanted.seed, **how)
        yield " : ".join(pair), pair[0], list(duels)


def _list_pairs(wanted: argparse.Namespace, kind: str) -> list[tuple[str, str]]:
    """List who plays whom; a game without strengths has one bot, which plays random orders."""
    if wanted.first and wanted.second:
        return [(wanted.first, wanted.second)]
    known = getattr(adjudicator.load(kind).source.rules, "strengths", None)
    best_first = [*reversed(known)] if known else ["normal", RANDOM]
    return [
        (first, second)
        for first, second in combinations(best_first, 2)
        if wanted.first in (None, first) and wanted.second in (None, second)
    ]


def _read_arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.league",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", nargs="*", help="kinds of games [all]")
    parser.add_argument("--games", type=int, default=40, help="so many of each pair [40]")
    parser.add_argument("--seats", type=int, default=2, help="[2]")
    parser.add_argument("--first", choices=PLAYERS, help="who plays one seat")
    parser.add_argument("--second", choices=PLAYERS, help="who plays the others")
    parser.add_argument(
        "--mixed", action="store_true", help="draw the other seats' players, random play included"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the first deal [1]")
    parser.add_argument("--jobs", type=int, default=2, help="processes [2]")
    parser.add_argument("--most", type=int, default=3000, help="steps of a game [3000]")
    parser.add_argument(
        "--option", type=_read_option, action="append", default=[], help="of the rules: grid=hex"
    )
    return parser.parse_args(words)


def _read_option(text: str) -> tuple[str, object]:
    name, _, value = text.partition("=")
    return name, yaml.safe_load(value)


if __name__ == "__main__":
    raise SystemExit(main())
