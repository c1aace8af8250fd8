"""A whole game by letters to look at, from the announcement to the archive: demo."""

import secrets
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.options import example
from adjudicator.cli.output import command, data, say
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.cli.demoing.game import Told
    from adjudicator.cli.selfplay import Played
    from adjudicator.core.document import Document

_KIND = "jump-wars"
_TURNS = 30


@click.command(epilog=example("adjudicator demo", "adjudicator demo --out /tmp/my-demo"))
@click.option("--out", type=click.Path(file_okay=False), help="The folder to leave it all in.")
@click.option("--seed", type=int, help="The same game every time.")
def demo(out: str | None, seed: int | None) -> None:
    """Play a whole game of Jump Wars by letters, from the announcement to the archive.

    Three people join, read their reports and reply, as people do; bots choose
    their orders. All letters come and go by Maildir, which needs no mail server.
    In the end the game is written as pages to browse.
    """
    import asyncio

    from adjudicator.cli.demoing.game import Wish, play
    from adjudicator.cli.demoing.people import PEOPLE
    from adjudicator.cli.progress import counted
    from adjudicator.cli.selfplay import over

    start = time.perf_counter()
    folder = _folder(out)
    office = Office(str(folder))
    office.url = None  # books of its own, wherever the GM keeps theirs
    wish = Wish(
        kind=_KIND,
        options={"turn_limit": _TURNS},
        seed=secrets.token_bytes(32) if seed is None else seed_from_number(seed),
        verifiable=seed is None,
    )
    title = office.library.kind(_KIND).title
    data(f'"{wish.game}", a game of {title} by letters, at most {_TURNS} turns.')
    for one in PEOPLE:
        data(f"  {one.name} plays {one.seat} and writes {one.manner}.")
    with counted("Playing", None) as progress:
        told = asyncio.run(play(office, folder, wish, progress))
    _narrate(told.steps)
    data(over(office, wish.game)["text"])
    data(
        f"{len(told.steps)} steps adjudicated; {told.letters(own=True)} letters came from the "
        f"players, {told.letters(own=False)} went to them."
    )
    _leave(office, folder, wish.game, told)
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


def _leave(office: Office, folder: Path, game: str, told: "Told") -> None:
    """Letters, archive, proof and pages; the last lines say where they lie."""
    from adjudicator.adapters import archive
    from adjudicator.cli.archives import write_archive
    from adjudicator.cli.demoing.letters import as_files
    from adjudicator.cli.site import write_site

    folder = folder.resolve()
    letters = folder / "letters"
    written = as_files(told.correspondence, letters)
    kept, _ = write_archive(office, game, None, public=False)
    verdict = archive.verify(archive.load(kept), office.library)
    if verdict.faults:
        raise Refused(f"{kept}: {verdict.faults[0].file}: {verdict.faults[0].message}")
    data(
        f"Verified: {verdict.replayed} steps played again from seed and orders, "
        f"{verdict.links} links of the chain, {verdict.files} files."
    )
    with office.reading() as books:
        dossier = archive.dossier_of(books, game)
    write_site(office, dossier, folder / "site")
    data("")
    data(f"Letters  {letters}  ({written} files; any mail program opens them)")
    data(f"Archive  {kept}")
    data(f"Reports  {kept / 'steps'}, a folder for each step and seat")
    data(f"Site     {folder / 'site' / 'index.html'}, the game turn by turn, for any browser")
    data(f"Log      {folder / 'log.txt'}, of the daemon's parts")
    data(f"Look     {command('--home', folder, 'show', game)}")
    office.close()
