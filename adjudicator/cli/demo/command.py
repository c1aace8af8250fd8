"""A whole game by letters to look at, from the announcement to the archive: demo."""

import asyncio
import secrets
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.parser import BytesHeaderParser
from email.policy import SMTP
from itertools import count
from pathlib import Path

import click

from adjudicator.cli.demo.people import DEMO_PEOPLE, PersonalLetter, Table
from adjudicator.cli.demo.play import Progress, find_last_reports, read_public_report
from adjudicator.cli.demo.post_office import LOG_FILE, SERVER_ADDRESS, open_post_office
from adjudicator.cli.terminal.options import format_example
from adjudicator.cli.terminal.output import (
    find_own_command,
    print_data,
    print_note,
    show_progress,
)
from adjudicator.cli.wiring import Office, open_own_books
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import Document
from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.lock import lock_game

_GAME, _KIND, _TURNS = "ember", "jump-wars", 30
_NEXT, _SEAT = "spark", "red"
"""A game that is not over, for whoever looks at the demo: they play this seat."""

Correspondence = Mapping[str, Sequence[PersonalLetter]]
"""Each person's letters, in the order in which they were read and written."""


@click.command(epilog=format_example("adjudicator demo", "adjudicator demo --out /tmp/my-demo"))
@click.option("--out", type=click.Path(file_okay=False), help="The folder to write everything to.")
@click.option("--seed", type=int, help="The same number plays the same game.")
def demo_command(out: str | None, seed: int | None) -> None:
    """Play a whole game of Jump Wars by letters, from the announcement to the archive.

    Three people join, read their reports and reply, as people do; bots choose
    their orders. All letters come and go by Maildir, which needs no mail server.
    At the end the game is written as pages to browse, and a second game waits
    for you, with a page on which you can choose orders.
    """
    start = time.perf_counter()
    folder = _choose_folder(out)
    office = open_own_books(folder)
    title = office.library.kind(_KIND).title
    print_data(f'"{_GAME}", a game of {title} by letters, at most {_TURNS} turns.')
    for one in DEMO_PEOPLE:
        print_data(f"  {one.name} plays {one.seat} and writes {one.manner}.")
    _announce(office, seed)
    with show_progress("Playing", None) as progress:
        reports, letters = asyncio.run(_play(office, folder, progress))
    _narrate(reports)
    print_data(reports[-1]["over"]["text"])
    own = sum(one.own for part in letters.values() for one in part)
    print_data(
        f"{len(reports)} steps adjudicated; {own} letters came from the players, "
        f"{sum(map(len, letters.values())) - own} went to them."
    )
    _leave_files(office, folder, letters)
    print_note(f"{time.perf_counter() - start:.1f} s.")


def _announce(office: Office, seed: int | None) -> None:
    """Announce a game with free seats in a letter to possible players."""
    at = datetime.now(UTC)
    with office.making() as books:
        create_game(
            books,
            office.library,
            game=_GAME,
            kind=_KIND,
            seats=dict.fromkeys(one.seat for one in DEMO_PEOPLE),
            options={"turn_limit": _TURNS},
            # everybody writes at once, so that a step need not wait for second thoughts
            settings={"pace": "72h", "settle": "0m", "host": SERVER_ADDRESS.partition("@")[2]},
            seed=secrets.token_bytes(32) if seed is None else seed_from_number(seed),
            luck={},
            verifiable=seed is None,
            components=None,
            start=False,
            at=at,
        )
        context = lock_game(books, office.library, _GAME, at=at)
        announce_game(context, [one.address for one in DEMO_PEOPLE])


async def _play(
    office: Office, folder: Path, progress: Progress
) -> tuple[list[Document], Correspondence]:
    """Play with simulated people to the end; returns the public reports and all letters."""
    closings: list[StepClosing] = []
    table = Table(office, _GAME, folder / "post", SERVER_ADDRESS)
    async with open_post_office(office, folder, closings.append) as work:
        await work()
        while table.write():
            await work()
            progress(len(closings), closings[-1].step.name if closings else "sign-up")
    with office.reading() as books:
        if books.game(_GAME).status is not Status.OVER:
            raise Refused(f"{_GAME} has stopped; see {folder / LOG_FILE}")
        return [read_public_report(books, closing) for closing in closings], table.letters


def _choose_folder(out: str | None) -> Path:
    """Choose an empty folder: the one given, one in ./games, or a temporary one."""
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


def _narrate(reports: Sequence[Document]) -> None:
    """Print who took whose homeworld, and how often they fought."""
    fights = 0
    before: dict[str, str] = {}
    for report in find_last_reports(reports):
        turn = f"{report['turn']}:"
        fights += sum(event["kind"] == "fight" for event in report["events"])
        now = _find_taken(report["position"])
        for owner, holder in now.items():
            if before.get(owner) != holder:
                print_data(f"  {turn:<9} {holder} takes {owner}'s homeworld.")
        for owner, holder in before.items():
            if owner not in now:
                print_data(f"  {turn:<9} {holder} has lost {owner}'s homeworld again.")
        before = now
    print_data(f"  {fights} fights were fought.")


def _find_taken(position: Document) -> dict[str, str]:
    """Find the homeworlds taken: owner -> the other seat that occupied it."""
    homes = {
        space: counter["home"]
        for space, counter in position["map"].items()
        if isinstance(counter, dict)
    }
    owners = position["held"]
    return {
        owner: owners[space]
        for space, owner in homes.items()
        if space in owners and owners[space] != owner
    }


def _leave_files(office: Office, folder: Path, correspondence: Correspondence) -> None:
    """Write letters, archive, proof and pages; the last lines printed say where they are."""
    from adjudicator.adapters.archive.folder import load_archive
    from adjudicator.adapters.archive.stored_game import collect_dossier
    from adjudicator.adapters.archive.verify import verify_archive
    from adjudicator.cli.archives import export_game
    from adjudicator.cli.site import update_site

    folder = folder.resolve()
    letters = folder / "letters"
    number = _write_letters(correspondence, letters)
    archive, _ = export_game(office, _GAME, None)
    verdict = verify_archive(load_archive(archive), office.library)
    if verdict.faults:
        raise Refused(f"{archive}: {verdict.faults[0].file}: {verdict.faults[0].message}")
    print_data(
        f"Verified: {verdict.replayed} steps played again from seed and orders, "
        f"{verdict.links} links of the chain, {verdict.files} files."
    )
    with office.reading() as books:
        dossier = collect_dossier(books, _GAME)
    update_site(office, dossier, folder / "site")
    print_data("")
    print_data(f"Letters  {letters}  ({number} files; any mail program opens them)")
    print_data(f"Archive  {archive}")
    print_data(f"Reports  {archive / 'steps'}, a folder for each step and seat")
    print_data(f"Site     {folder / 'site' / 'index.html'}, the game turn by turn, for any browser")
    page = _write_order_page(office, folder)
    print_data(f"Play     {page}, your turn in another game, for any browser")
    print_data(f"Log      {folder / 'log.txt'}, of the daemon's parts")
    print_data(f"Look     {find_own_command('--home', folder, 'show', _GAME)}")
    office.close()


def _write_order_page(office: Office, folder: Path) -> Path:
    """Begin another game, and write the page on which somebody chooses the first jumps."""
    from adjudicator.adapters.files import replace_file
    from adjudicator.cli.outgoing import make_order_page

    with office.making() as books:
        game = create_game(
            books,
            office.library,
            game=_NEXT,
            kind=_KIND,
            seats={_SEAT: "You", "blue": "bot", "green": "bot"},
            options={},
            settings={},
            seed=secrets.token_bytes(32),
            luck={},
            verifiable=True,
            components=None,
            start=True,
            at=office.at,
        )
        close_step(lock_game(books, office.library, _NEXT, at=office.at), now=True)
    page = folder / "your-turn.html"
    replace_file(page, make_order_page(office, game, _SEAT))
    return page


def _write_letters(correspondence: Correspondence, folder: Path) -> int:
    """Write a folder for each person, with files in the order of play; returns how many."""
    for name, letters in correspondence.items():
        place = folder / name.lower()
        place.mkdir(parents=True, exist_ok=True)
        for number, letter in enumerate(letters, 1):
            what = "reply" if letter.own else _describe_letter(letter.content)
            (place / f"{number:03}-{what}.eml").write_bytes(letter.content)
    return sum(map(len, correspondence.values()))


def _describe_letter(content: bytes) -> str:
    """Describe a letter by its Message-ID: game, step, seat, kind, number, token."""
    head = BytesHeaderParser(policy=SMTP).parsebytes(content)
    name = str(head["Message-ID"]).partition("@")[0]
    _, step, _, kind, number, _ = name.split(".")
    return f"{step}-{kind}-{number}"
