"""Proving games and keeping them: verify, export, import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import game_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import command, data, document, say
from adjudicator.cli.progress import busy
from adjudicator.cli.wiring import Office
from adjudicator.desk.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.archive import Files, Texts, Verdict

_SHEET = "game.yaml"
_SHOWN = 20


def texts(office: Office, game: str) -> Texts:
    """What renders the texts of an archive, with the templates of this game's folder."""
    from adjudicator.adapters.archive import Texts

    return Texts(office.printer, office.library.templates(), game)


@click.command(
    epilog=example("adjudicator verify ember", "adjudicator verify games/jump_wars/ember")
)
@click.argument("game", metavar="GAME|FOLDER")
@click.option("--render", is_flag=True, help="Of an archive: make its texts again, too.")
@json_option
@home_option
@click.pass_context
def verify(context: click.Context, game: str, render: bool, as_json: bool) -> None:  # noqa: FBT001
    """Play a game again from its seed and orders, and compare every byte.

    A FOLDER is an archive: there every file is checked, too. Exits with 1 if
    anything differs.
    """
    setting: Setting = context.obj
    with busy(f"Checking {game}"):
        if (Path(game) / _SHEET).is_file() or "/" in game:
            verdict = _of_folder(setting.office, Path(game), render=render)
        else:
            verdict = _of_game(setting.office, game)
    if as_json:
        document(verdict)
    else:
        _print(verdict)
    if verdict.faults:
        context.exit(1)


def _of_folder(office: Office, folder: Path, *, render: bool) -> Verdict:
    from adjudicator.adapters import archive

    files = archive.load(folder)
    printer = texts(office, _game_folder(office, files)) if render else None
    return archive.verify(files, office.library, printer, name=folder.name)


def _game_folder(office: Office, files: Files) -> str:
    from adjudicator.adapters import archive

    kind = archive.read(files).dossier.record.game.kind
    return office.library.kind(kind).game


def _of_game(office: Office, name: str) -> Verdict:
    from adjudicator.adapters.archive import Fault, Verdict, reservations
    from adjudicator.desk.replay import chain_of, record_of, replay

    with office.reading() as books:
        record = record_of(books, game_of(books, name).id)
    kind = office.library.kind(record.game.kind, record.game.components)
    faults = tuple(
        Fault(file=difference.part, step=difference.step, message=difference.message)
        for difference in (*chain_of(record), *replay(record, kind))
    )
    closed = [s for s in record.steps if s.state is not None and s.number >= record.since]
    return Verdict(
        game=name,
        faults=faults,
        notes=tuple(reservations(record, kind)),
        links=len(record.links),
        replayed=0 if faults else len(closed),
    )


def _print(verdict: Verdict) -> None:
    for fault in verdict.faults[:_SHOWN]:
        data(f"{fault.step or verdict.game}: {fault.file}: {fault.message}")
    if len(verdict.faults) > _SHOWN:
        data(f"... and {len(verdict.faults) - _SHOWN} more")
    for note in verdict.notes:
        say(f"Note: {note}")
    if verdict.faults:
        data(f"{verdict.game}: NOT as it was recorded, {_many(len(verdict.faults), 'difference')}.")
        return
    files = f"{verdict.files} files unchanged, " if verdict.files else ""
    steps = _many(verdict.replayed, "step")
    data(
        f"{verdict.game}: all is as it was recorded: {files}"
        f"{_many(verdict.links, 'link')} of the chain, {steps} played again."
    )
    if verdict.last_link:
        say(
            "That nobody made it up as a whole, only the letters of the game can tell: compare "
            f"the seed's SHA-256, {verdict.seed_digest}, and the last link, {verdict.last_link}."
        )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


@click.command(epilog=example("adjudicator export ember", "adjudicator export ember --out /tmp/e"))
@game_argument
@click.option("--out", help="The folder to write.  [games/<kind>/<game> in the home]")
@click.option("--public", is_flag=True, help="Without addresses, and secrets of a running game.")
@json_option
@home_option
@click.pass_obj
def export(
    setting: Setting,
    game: str,
    out: str | None,
    public: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Write a game's archive: everything that happened, as files."""
    folder, changed = write_archive(setting.office, game, out, public=public)
    if as_json:
        document({"folder": str(folder), "changed": changed})
        return
    data(str(folder))
    say(f"{_many(len(changed), 'file')} written. Check it: {command('verify', folder)}")


def write_archive(
    office: Office, name: str, out: str | None, *, public: bool
) -> tuple[Path, tuple[str, ...]]:
    """The archive's folder, and which of its files are new."""
    from adjudicator.adapters import archive

    with office.reading() as books:
        game = game_of(books, name)
        dossier = archive.dossier_of(books, game.id)
    folder = Path(out) if out else archive.folder(office.home.path, game)
    render = texts(office, office.library.kind(game.kind).game)
    with busy(f"Writing {folder}"):
        return folder, archive.write(folder, archive.pack(dossier, render, public=public))


@click.command(
    "import",
    epilog=example("adjudicator import games/jump_wars/ember --home elsewhere"),
)
@click.argument("folder")
@json_option
@home_option
@click.pass_obj
def import_(setting: Setting, folder: str, as_json: bool) -> None:  # noqa: FBT001
    """Take a game over from its archive, after checking it."""
    from adjudicator.adapters import archive

    office = setting.office
    files = archive.load(Path(folder))
    with busy(f"Checking {folder}"):
        verdict = archive.verify(files, office.library, name=Path(folder).name)
    if verdict.faults:
        first = verdict.faults[0]
        raise Refused(
            f"{folder} is not as it was recorded: {first.file}: {first.message} "
            f"({_many(len(verdict.faults), 'fault')}; `{command('verify', folder)}` lists them)"
        )
    with office.making() as books:
        todo = archive.restore(books, archive.read(files))
    told: dict[str, Any] = {"game": verdict.game, "steps": verdict.replayed, "todo": todo}
    if as_json:
        document(told)
        return
    data(f"{verdict.game} is here now: {office.home.path}")
    for line in todo:
        say(f"Note: {line}")
