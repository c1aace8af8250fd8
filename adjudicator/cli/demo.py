"""A whole game to look at, from the announcement to the archive: demo."""

import secrets
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.options import Setting, example
from adjudicator.cli.output import data, say
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.cli.selfplay import Played
    from adjudicator.core.document import Document

_GAME = "ember"
_KIND = "jump-wars"
_PLAYERS = {"red": "Ada", "blue": "Bo", "green": "Cleo"}
_TURNS = 40


@click.command(epilog=example("adjudicator demo", "adjudicator demo --out /tmp/my-demo"))
@click.option("--out", type=click.Path(file_okay=False), help="The folder to leave it all in.")
@click.option("--seed", type=int, help="The same game every time.")
@click.pass_obj
def demo(setting: Setting, out: str | None, seed: int | None) -> None:  # noqa: ARG001
    """Play a whole game of Jump Wars: orders, receipts, reports, archive, proof.

    Bots choose the orders; everything else happens as with players.
    """
    from adjudicator.cli import selfplay
    from adjudicator.cli.progress import counted

    start = time.perf_counter()
    folder = _folder(out)
    office = Office(str(folder))
    wish = selfplay.Wish(
        game=_GAME,
        kind=_KIND,
        seats=_PLAYERS,
        options={"turn_limit": _TURNS},
        seed=secrets.token_bytes(32) if seed is None else seed_from_number(seed),
        verifiable=seed is None,
    )
    selfplay.begin(office, wish)
    title = office.library.kind(_KIND).title
    who = ", ".join(f"{player} ({seat})" for seat, player in _PLAYERS.items())
    data(f'"{_GAME}", a game of {title} for {who}, at most {_TURNS} turns.')
    with counted("Playing", None) as progress:
        steps = selfplay.play(office, _GAME, progress)
    _narrate(steps)
    data(selfplay.over(office, _GAME)["text"])
    receipts = sum(step.receipts for step in steps)
    data(f"{len(steps)} steps adjudicated, {receipts} order sets taken and acknowledged.")
    _leave(office, folder)
    say(f"{time.perf_counter() - start:.1f} s.")


def _folder(out: str | None) -> Path:
    """A fresh folder: the one that was named, one in ./games, or a temporary one."""
    if out is not None:
        folder = Path(out)
        if folder.exists() and any(folder.iterdir()):
            raise Refused(f"{folder} is not empty; name a folder that is not there yet")
        return folder
    if not Path("games").is_dir():
        return Path(tempfile.mkdtemp(prefix="adjudicator-demo-"))
    return next(
        folder for number in count(1) if not (folder := Path("games") / f"demo-{number}").exists()
    )


def _narrate(steps: "Sequence[Played]") -> None:
    """Whose homeworld was taken by whom, and how often they fought."""
    from adjudicator.cli.selfplay import by_turn

    fights = 0
    before: dict[str, str] = {}
    for step in by_turn(steps):
        told = [event["kind"] for event in step.report["events"]]
        fights += told.count("fight")
        now = _taken(step.report["position"])
        for owner, holder in now.items():
            if before.get(owner) != holder:
                data(f"  {step.turn + ':':<9} {holder} takes {owner}'s homeworld.")
        for owner, holder in before.items():
            if owner not in now:
                data(f"  {step.turn + ':':<9} {holder} has lost {owner}'s homeworld again.")
        before = now
    data(f"  {fights} fights were fought.")


def _taken(position: "Document") -> dict[str, str]:
    """Owner of a homeworld -> the other seat that has occupied it."""
    homes = {
        space: counter["home"]
        for space, counter in position["map"].items()
        if isinstance(counter, dict)
    }
    held = position["held"]
    return {
        owner: held[space]
        for space, owner in homes.items()
        if space in held and held[space] != owner
    }


def _leave(office: Office, folder: Path) -> None:
    """Letters, archive and proof; the last lines say where they lie."""
    from adjudicator.adapters import archive
    from adjudicator.cli.archives import write_archive
    from adjudicator.cli.letters import made_letters, write

    letters = folder / "letters"
    with office.reading() as books:
        written = made_letters(office, books, _GAME, letters)
    write(written)
    kept, _ = write_archive(office, _GAME, None, public=False)
    verdict = archive.verify(archive.load(kept), office.library)
    if verdict.faults:
        raise Refused(f"{kept}: {verdict.faults[0].file}: {verdict.faults[0].message}")
    data(
        f"Verified: {verdict.replayed} steps played again from seed and orders, "
        f"{verdict.links} links of the chain, {verdict.files} files."
    )
    data("")
    data(f"Letters  {letters}  ({len(written)} files)")
    data(f"Archive  {kept}")
    data(f"Reports  {kept / 'steps'}, a folder for each step and seat")
    data(f"Look     adjudicator --home {folder} show {_GAME}")
    office.close()
