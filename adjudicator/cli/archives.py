"""Proving games and keeping them: verify, export, import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.terminal.arguments import find_game, game_argument
from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import (
    find_own_command,
    print_data,
    print_document,
    print_note,
    show_busy,
)
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.archive.pack import Files
    from adjudicator.adapters.archive.reports import Texts
    from adjudicator.adapters.archive.verify import Verification

_SHEET = "game.yaml"
_SHOWN = 20


def make_texts(office: Office, game: str) -> Texts:
    """What renders the texts of an archive, with the templates of this game's folder."""
    from adjudicator.adapters.archive.reports import Texts

    return Texts(office.printer, office.library.templates(), game)


@click.command(
    epilog=example("adjudicator verify ember", "adjudicator verify games/jump_wars/ember")
)
@click.argument("game", metavar="GAME|FOLDER")
@click.option("--render", is_flag=True, help="Of an archive: make its texts again, too.")
@json_option
@home_option
@click.pass_context
def verify_command(context: click.Context, game: str, render: bool, as_json: bool) -> None:  # noqa: FBT001
    """Play a game again from its seed and orders, and compare every byte.

    A FOLDER is an archive: there every file is checked, too. Exits with 1 if
    anything differs.
    """
    setting: Setting = context.obj
    with show_busy(f"Checking {game}"):
        if (Path(game) / _SHEET).is_file() or "/" in game:
            verdict = _of_folder(setting.office, Path(game), render=render)
        else:
            verdict = _of_game(setting.office, game)
    if as_json:
        print_document(verdict)
    else:
        _print(verdict)
    if verdict.faults:
        context.exit(1)


def _of_folder(office: Office, folder: Path, *, render: bool) -> Verification:
    from adjudicator.adapters.archive.verify import load_archive, verify_archive

    files = load_archive(folder)
    printer = make_texts(office, _game_folder(office, files)) if render else None
    return verify_archive(files, office.library, printer, name=folder.name)


def _game_folder(office: Office, files: Files) -> str:
    from adjudicator.adapters.archive.read import read_archive

    kind = read_archive(files).dossier.record.game.kind
    return office.library.kind(kind).game


def _of_game(office: Office, name: str) -> Verification:
    from adjudicator.adapters.archive.verify import Fault, Verification, list_reservations
    from adjudicator.desk.steps.record import check_chain, read_record
    from adjudicator.desk.steps.replay import replay_game

    with office.reading() as books:
        record = read_record(books, find_game(books, name).id)
    kind = office.library.kind(record.game.kind, record.game.components)
    faults = tuple(
        Fault(file=difference.part, step=difference.step, message=difference.message)
        for difference in (*check_chain(record), *replay_game(record, kind))
    )
    closed = [s for s in record.steps if s.state is not None and s.number >= record.since]
    return Verification(
        game=name,
        faults=faults,
        notes=tuple(list_reservations(record, kind)),
        links=len(record.links),
        replayed=0 if faults else len(closed),
    )


def _print(verdict: Verification) -> None:
    for fault in verdict.faults[:_SHOWN]:
        print_data(f"{fault.step or verdict.game}: {fault.file}: {fault.message}")
    if len(verdict.faults) > _SHOWN:
        print_data(f"... and {len(verdict.faults) - _SHOWN} more")
    for note in verdict.notes:
        print_note(f"Note: {note}")
    if verdict.faults:
        print_data(
            f"{verdict.game}: NOT as it was recorded, {_many(len(verdict.faults), 'difference')}."
        )
        return
    files = f"{verdict.files} files unchanged, " if verdict.files else ""
    steps = _many(verdict.replayed, "step")
    print_data(
        f"{verdict.game}: all is as it was recorded: {files}"
        f"{_many(verdict.links, 'link')} of the chain, {steps} played again."
    )
    if verdict.last_link:
        print_note(
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
def export_command(
    setting: Setting,
    game: str,
    out: str | None,
    public: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Write a game's archive: everything that happened, as files."""
    folder, changed = export_game(setting.office, game, out, public=public)
    if as_json:
        print_document({"folder": str(folder), "changed": changed})
        return
    print_data(str(folder))
    print_note(
        f"{_many(len(changed), 'file')} written. Check it: {find_own_command('verify', folder)}"
    )


def export_game(
    office: Office, name: str, out: str | None, *, public: bool
) -> tuple[Path, tuple[str, ...]]:
    """The archive's folder, and which of its files are new."""
    from adjudicator.adapters.archive.dossier import collect_dossier
    from adjudicator.adapters.archive.pack import pack_archive
    from adjudicator.adapters.archive.places import archive_folder
    from adjudicator.adapters.archive.write import write_archive

    with office.reading() as books:
        game = find_game(books, name)
        dossier = collect_dossier(books, game.id)
    folder = Path(out) if out else archive_folder(office.home.path, game)
    render = make_texts(office, office.library.kind(game.kind).game)
    with show_busy(f"Writing {folder}"):
        return folder, write_archive(folder, pack_archive(dossier, render, public=public))


@click.command(
    "import",
    epilog=example("adjudicator import games/jump_wars/ember --home elsewhere"),
)
@click.argument("folder")
@json_option
@home_option
@click.pass_obj
def import_command(setting: Setting, folder: str, as_json: bool) -> None:  # noqa: FBT001
    """Take a game over from its archive, after checking it."""
    from adjudicator.adapters.archive.read import read_archive
    from adjudicator.adapters.archive.restore import restore_game
    from adjudicator.adapters.archive.verify import load_archive, verify_archive

    office = setting.office
    files = load_archive(Path(folder))
    with show_busy(f"Checking {folder}"):
        verdict = verify_archive(files, office.library, name=Path(folder).name)
    if verdict.faults:
        first = verdict.faults[0]
        raise Refused(
            f"{folder} is not as it was recorded: {first.file}: {first.message} "
            f"({_many(len(verdict.faults), 'fault')}; "
            f"`{find_own_command('verify', folder)}` lists them)"
        )
    with office.making() as books:
        todo = restore_game(books, read_archive(files))
    told: dict[str, Any] = {"game": verdict.game, "steps": verdict.replayed, "todo": todo}
    if as_json:
        print_document(told)
        return
    print_data(f"{verdict.game} is here now: {office.home.path}")
    for line in todo:
        print_note(f"Note: {line}")
