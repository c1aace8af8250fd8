"""What the daemon does beside its work: it replays games, and makes the database smaller.

It replays a game an hour, the one replayed least recently.
"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.adapters.store.upkeep.vacuum import Freed, vacuum_portion
from adjudicator.cli.archives import verify_game
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.cli.serving.status import VERIFIED
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, Heartbeat

_PAUSE = timedelta(hours=1)
_LOOK = 60.0
"""Seconds between two looks at the clock."""
_REST = 1.0
"""Seconds between two portions of what can be made smaller."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class Verifier:
    """Replays games while the database is idle."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._worker = Worker("verifier")

    async def run(self) -> None:
        """Verify games until everything stops."""
        runtime = self._runtime
        while not runtime.stop.is_set():
            await runtime.pause(_LOOK)
            with suppress(StoreTrouble):  # other parts report it; the next try is in an hour
                if await runtime.is_mine("verification"):
                    await self.look()

    async def look(self) -> str | None:
        """Verify the next game once an hour has passed; returns its name."""
        game = await self._worker.do(self._choose)
        if game is not None:
            await self._verify(game)
        return game

    async def close(self) -> None:
        """Stop; a replay under way may finish."""
        self._worker.end()

    def _choose(self) -> str | None:
        runtime = self._runtime
        with runtime.office.store.reading() as books:
            last = {beat.name: beat.at for beat in books.heartbeats(VERIFIED)}
            if last and runtime.now() - max(last.values()) < _PAUSE:
                return None
            games = [game.id for game in books.games() if self._has_same_rules(game)]
        return min(games, key=lambda name: (last.get(VERIFIED + name, _NEVER), name), default=None)

    def _has_same_rules(self, game: Game) -> bool:
        """Whether the game has today's rules; with others, a replay proves nothing."""
        try:
            kind = self._runtime.office.library.kind(game.kind, game.components)
        except Refused:  # it is no longer here; the clock reports that
            return False
        return kind.digest == game.rules_digest

    async def _verify(self, game: str) -> None:
        runtime, place = self._runtime, f"verification of {game}"
        verdict = await self._worker.do(lambda: verify_game(runtime.office, game))
        at, fault = runtime.now(), ""
        if verdict.faults:
            first = verdict.faults[0]
            fault = f"{first.step or game}: {first.file}: {first.message}"

        def keep(books: Books) -> None:
            facts = {"game": game, "fault": fault}
            books.save(Heartbeat(name=f"{VERIFIED}{game}", at=at, facts=facts))

        await runtime.write(keep)
        if not fault:
            runtime.troubles.end(place, at)
            return
        words = f"it is not as it was recorded ({fault}); `adjudicator verify {game}` says more"
        runtime.troubles.begin(place, words, at)
        lines = (
            f"{game} was replayed: {words}.",
            "Restore a backup if its steps cannot be trusted.",
        )
        await runtime.mail_gm(place, f"{game} is not as it was recorded", lines)


class Vacuum:
    """Makes the database smaller while the daemon runs, a portion at a time."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._worker = Worker("vacuum")

    async def run(self) -> None:
        """Look for something to pack or drop until everything stops."""
        runtime = self._runtime
        while not runtime.stop.is_set():
            await runtime.pause(_LOOK)
            with suppress(StoreTrouble):  # other parts report it; the next look is soon
                while await runtime.is_mine("vacuum") and await self.look():
                    await runtime.pause(_REST)

    async def look(self) -> Freed | None:
        """Make a portion; returns what it came to, None if nothing is left to do."""
        runtime = self._runtime
        store, days, at = runtime.office.store, runtime.settings.keep_letters, runtime.now()
        before = at - timedelta(days=days)
        return await self._worker.do(lambda: vacuum_portion(store, before=before, at=at))

    async def close(self) -> None:
        """Stop; a portion under way may finish."""
        self._worker.end()
