"""A script for a Python that has the package `diplomacy`: plays at random when it is asked to.

It is run as a file and imports nothing of ours. Lines in: version, process, play; lines out:
the answer. With the argument `once` it makes a game, processes it once and ends.
"""

import importlib
import importlib.metadata
import random
import statistics
import sys
import time
from typing import Any

PHASES = 60
"""After so many a game is given up for a new one: a whole game among people takes as many.

So many are played in a row, so that what is measured has early and late phases alike.
"""
MOVEMENTS = 20


class Player:
    """Random play, game after game."""

    def __init__(self) -> None:
        self.random = random.Random(1)
        self.package: Any = importlib.import_module("diplomacy")
        self.game: Any = self.package.Game()
        self.phases = 0

    def orders(self) -> None:
        """Everybody chooses, each unit one of its possible orders."""
        if self.game.is_game_done or self.phases == PHASES:
            self.game, self.phases = self.package.Game(), 0
        self.phases += 1
        possible = self.game.get_all_possible_orders()
        for power in self.game.powers:
            places = self.game.get_orderable_locations(power)
            orders = [self.random.choice(possible[place]) for place in places if possible[place]]
            self.game.set_orders(power, orders)

    def play(self) -> str:
        """Seasons and phases a second.

        A season is a turn: its movements, and the retreats and adjustments that follow from them.
        """
        seasons = 0
        start = time.perf_counter()
        for _ in range(PHASES):
            self.orders()
            seasons += self.game.phase_type == "M"
            self.game.process()
        took = time.perf_counter() - start
        return f"{seasons / took} {PHASES / took}"

    def process(self) -> float:
        """Milliseconds of one `process()` in a movement phase: the median of some in a row."""
        taken: list[float] = []
        while len(taken) < MOVEMENTS:
            self.orders()
            movement = self.game.phase_type == "M"
            start = time.perf_counter()
            self.game.process()
            if movement:
                taken.append(1000 * (time.perf_counter() - start))
        return statistics.median(taken)


def main(arguments: list[str]) -> None:
    """Answer lines, or play once."""
    player = Player()
    if arguments == ["once"]:
        player.game.process()
        return
    answers: dict[str, Any] = {
        "version": lambda: importlib.metadata.version("diplomacy"),
        "process": player.process,
        "play": player.play,
    }
    for line in sys.stdin:
        sys.stdout.write(f"{answers[line.strip()]()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
