"""Find archives in a home that are ahead of its books."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.archive.chain_file import parse_chain
from adjudicator.adapters.archive.places import (
    CHAIN_FILE,
    GAME_FILE,
    ArchiveTrouble,
    archive_folder,
)
from adjudicator.core.document import digest
from adjudicator.desk.model.values import Game, Head


def read_archive_heads(home: Path, games: Iterable[Game]) -> dict[str, Head]:
    """Read where each game's chain ends in its archive, skipping other games of the same name."""
    found = {}
    for game in games:
        folder = archive_folder(home, game)
        with suppress(OSError, ArchiveTrouble, UnicodeDecodeError):
            if digest(game.seed) not in (folder / GAME_FILE).read_text("utf-8"):
                continue
            links = parse_chain((folder / CHAIN_FILE).read_bytes()).links
            steps = [int(link.step.partition("-")[0]) for link in links]
            found[game.id] = Head(links[-1].number, links[-1].digest, max(steps))
    return found
