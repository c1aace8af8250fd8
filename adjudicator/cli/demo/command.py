"""A whole game by letters to look at, from the announcement to the archive: demo."""

import secrets
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.demo.game import PlayedDemo
from adjudicator.cli.demo.mail_programs import open_message
from adjudicator.cli.demo.people import PersonalLetter
from adjudicator.cli.demo.self_play import PlayedStep
from adjudicator.cli.terminal.options import example
from adjudicator.cli.terminal.output import find_own_command, print_data, print_note
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.core.document import Document


def write_letter_files(correspondence: Mapping[str, Sequence[PersonalLetter]], folder: Path) -> int:
    """A folder for each person, its files in the order of reading and writing; how many."""
    for name, letters in correspondence.items():
        place = folder / name.lower()
        place.mkdir(parents=True, exist_ok=True)
        for number, letter in enumerate(letters, 1):
            what = "reply" if letter.own else _describe_letter(letter.content)
            (place / f"{number:03}-{what}.eml").write_bytes(letter.content)
    return sum(map(len, correspondence.values()))


def _describe_letter(content: bytes) -> str:
    """`12-jump-report-9`, as the Message-ID says it: game, step, seat, kind, number."""
    name = str(open_message(content)["Message-ID"]).partition("@")[0]
    _, step, _, kind, number = name.split(".")
    return f"{step}-{kind}-{number}"


_KIND = "jump-wars"
_TURNS = 30


@click.command(epilog=example("adjudicator demo", "adjudicator demo --out /tmp/my-demo"))
@click.option("--out", type=click.Path(file_okay=False), help="The folder to write everything to.")
@click.option("--seed", type=int, help="Play the same game every time.")
def demo_command(out: str | None, seed: int | None) -> None:
    """Play a whole game of Jump Wars by letters, from the announcement to the archive.

    Three people join, read their reports and reply, as people do; bots choose
    their orders. All letters come and go by Maildir, which needs no mail server.
    In the end the game is written as pages to browse.
    """
    import asyncio

    from adjudicator.cli.demo.game import play_demo
    from adjudicator.cli.demo.people import PEOPLE
    from adjudicator.cli.demo.self_play import BotGame, find_result
    from adjudicator.cli.terminal.output import show_progress

    start = time.perf_counter()
    folder = _choose_folder(out)
    office = Office(str(folder))
    office.url = None  # books of its own, wherever the GM keeps theirs
    wish = BotGame(
        game="ember",
        kind=_KIND,
        seats=dict.fromkeys(one.seat for one in PEOPLE),
        options={"turn_limit": _TURNS},
        seed=secrets.token_bytes(32) if seed is None else seed_from_number(seed),
        verifiable=seed is None,
    )
    title = office.library.kind(_KIND).title
    print_data(f'"{wish.game}", a game of {title} by letters, at most {_TURNS} turns.')
    for one in PEOPLE:
        print_data(f"  {one.name} plays {one.seat} and writes {one.manner}.")
    with show_progress("Playing", None) as progress:
        told = asyncio.run(play_demo(office, folder, wish, progress))
    _narrate(told.steps)
    print_data(find_result(office, wish.game)["text"])
    print_data(
        f"{len(told.steps)} steps adjudicated; {told.letters(own=True)} letters came from the "
        f"players, {told.letters(own=False)} went to them."
    )
    _leave_files(office, folder, wish.game, told)
    print_note(f"{time.perf_counter() - start:.1f} s.")


def _choose_folder(out: str | None) -> Path:
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


def _narrate(steps: "Sequence[PlayedStep]") -> None:
    """Whose homeworld was taken by whom, and how often they fought."""
    from adjudicator.cli.demo.self_play import find_last_steps

    fights = 0
    before: dict[str, str] = {}
    for step in find_last_steps(steps):
        told = [event["kind"] for event in step.report["events"]]
        fights += told.count("fight")
        now = _find_taken(step.report["position"])
        for owner, holder in now.items():
            if before.get(owner) != holder:
                print_data(f"  {step.turn + ':':<9} {holder} takes {owner}'s homeworld.")
        for owner, holder in before.items():
            if owner not in now:
                print_data(f"  {step.turn + ':':<9} {holder} has lost {owner}'s homeworld again.")
        before = now
    print_data(f"  {fights} fights were fought.")


def _find_taken(position: "Document") -> dict[str, str]:
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


def _leave_files(office: Office, folder: Path, game: str, told: "PlayedDemo") -> None:
    """Letters, archive, proof and pages; the last lines say where they lie."""
    from adjudicator.adapters.archive.dossier import collect_dossier
    from adjudicator.adapters.archive.verify import load_archive, verify_archive
    from adjudicator.cli.archives import export_game
    from adjudicator.cli.site import update_site

    folder = folder.resolve()
    letters = folder / "letters"
    written = write_letter_files(told.correspondence, letters)
    kept, _ = export_game(office, game, None, public=False)
    verdict = verify_archive(load_archive(kept), office.library)
    if verdict.faults:
        raise Refused(f"{kept}: {verdict.faults[0].file}: {verdict.faults[0].message}")
    print_data(
        f"Verified: {verdict.replayed} steps played again from seed and orders, "
        f"{verdict.links} links of the chain, {verdict.files} files."
    )
    with office.reading() as books:
        dossier = collect_dossier(books, game)
    update_site(office, dossier, folder / "site")
    print_data("")
    print_data(f"Letters  {letters}  ({written} files; any mail program opens them)")
    print_data(f"Archive  {kept}")
    print_data(f"Reports  {kept / 'steps'}, a folder for each step and seat")
    print_data(f"Site     {folder / 'site' / 'index.html'}, the game turn by turn, for any browser")
    print_data(f"Log      {folder / 'log.txt'}, of the daemon's parts")
    print_data(f"Look     {find_own_command('--home', folder, 'show', game)}")
    office.close()
