"""Proving games and keeping them: verify, export, import."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.terminal.arguments import complete_games, find_game, game_argument
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
    from adjudicator.adapters.archive.verify import Verification

_SHEET = "game.yaml"
_SHOWN = 20
_MOVED = (
    "keys that players got from the old home do not work here, and both homes would adjudicate "
    "the game: stop the old one"
)


@click.command(
    epilog=example(
        "adjudicator verify ember",
        "adjudicator verify games/jump_wars/ember",
        "adjudicator verify --all",
    )
)
@click.argument("games", nargs=-1, metavar="GAME|FOLDER...", shell_complete=complete_games)
@click.option("--all", "every", is_flag=True, help="Every game of the home.")
@click.option("--render", is_flag=True, help="Also make the texts of a full archive again.")
@json_option
@home_option
@click.pass_context
def verify_command(
    context: click.Context,
    games: tuple[str, ...],
    every: bool,  # noqa: FBT001
    render: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Play a game again from its seed and orders, and compare every byte.

    FOLDER is a record or a full archive; every file in it is checked, too.
    Exits with 1 if anything differs.
    """
    setting: Setting = context.obj
    if bool(games) == every:
        raise click.UsageError("name a game or a folder, or give --all")
    names = _all_games(setting.office) if every else list(dict.fromkeys(games))
    verdicts = [_verify(setting.office, name, render=render, every=every) for name in names]
    if as_json:
        print_document(verdicts if every or len(verdicts) > 1 else verdicts[0])
    else:
        for verdict in verdicts:
            _print(verdict)
    if any(verdict.faults for verdict in verdicts):
        context.exit(1)


def _all_games(office: Office) -> list[str]:
    with office.reading() as books:
        return [game.id for game in books.games()]


def _verify(office: Office, name: str, *, render: bool, every: bool) -> Verification:
    with show_busy(f"Checking {name}"):
        if not every and ((Path(name) / _SHEET).is_file() or "/" in name):
            return _verify_folder(office, Path(name), render=render)
        return _verify_game(office, name)


def _verify_folder(office: Office, folder: Path, *, render: bool) -> Verification:
    from adjudicator.adapters.archive.reports import Texts
    from adjudicator.adapters.archive.verify import load_archive, verify_archive

    texts = partial(Texts, office.printer) if render else None
    return verify_archive(load_archive(folder), office.library, texts, name=folder.name)


def _verify_game(office: Office, name: str) -> Verification:
    from adjudicator.adapters.archive.verify import verify_record
    from adjudicator.desk.steps.record import read_record

    with office.reading() as books:
        record = read_record(books, find_game(books, name).id)
    return verify_record(record, office.library.kind(record.game.kind, record.game.components))


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
    files = f"{_many(verdict.files, 'file')} unchanged, " if verdict.files else ""
    steps = _many(verdict.replayed, "step")
    print_data(
        f"{verdict.game}: all is as it was recorded: {files}"
        f"{_many(verdict.links, 'link')} of the chain, {steps} played again."
    )
    if verdict.last_link:
        print_note(
            "This cannot show that the whole archive was not forged. Compare these two values "
            f"with the mails you received: the seed's SHA-256 is {verdict.seed_digest}, the last "
            f"link is {verdict.last_link}."
        )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


@click.command(
    epilog=example(
        "adjudicator export ember",
        "adjudicator export ember --out /tmp/e",
        "adjudicator export ember --record --out records/ember",
    )
)
@game_argument
@click.option("--out", help="The folder to write.  [games/<kind>/<game> in the home]")
@click.option("--public", is_flag=True, help="Without addresses, and secrets of a running game.")
@click.option(
    "--record", is_flag=True, help="Only what it takes to play the game again; nothing private."
)
@json_option
@home_option
@click.pass_obj
def export_command(
    setting: Setting,
    game: str,
    out: str | None,
    public: bool,  # noqa: FBT001
    record: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Write a game's archive: everything that happened, as files.

    With --record it is small: settings, orders, the chain and, once the game is
    over, seed and result. `verify`, `site` and `import` take it like the full one.
    """
    if record and not out:
        raise click.UsageError("--record needs --out: the home keeps the full archive")
    folder, changed = export_game(setting.office, game, out, public=public, record=record)
    if as_json:
        print_document({"folder": str(folder), "changed": changed})
        return
    print_data(str(folder))
    print_note(
        f"{_many(len(changed), 'file')} written. Check with: {find_own_command('verify', folder)}"
    )


def export_game(
    office: Office, name: str, out: str | None, *, public: bool = False, record: bool = False
) -> tuple[Path, tuple[str, ...]]:
    """The archive's folder, and which of its files are new."""
    from adjudicator.adapters.archive.dossier import collect_dossier
    from adjudicator.adapters.archive.pack import pack_archive, pack_record
    from adjudicator.adapters.archive.places import archive_folder
    from adjudicator.adapters.archive.reports import Texts
    from adjudicator.adapters.archive.write import write_archive

    with office.reading() as books:
        game = find_game(books, name)
        dossier = collect_dossier(books, game.id)
    folder = Path(out) if out else archive_folder(office.home.path, game)
    kind = office.library.kind(game.kind, game.components)
    with show_busy(f"Writing {folder}"):
        if record:
            return folder, write_archive(folder, pack_record(dossier, kind))
        texts = Texts(office.printer, kind)
        return folder, write_archive(folder, pack_archive(dossier, texts, public=public))


@click.command(
    "import",
    epilog=example("adjudicator import games/jump_wars/ember --home elsewhere"),
)
@click.argument("folder")
@json_option
@home_option
@click.pass_obj
def import_command(setting: Setting, folder: str, as_json: bool) -> None:  # noqa: FBT001
    """Import a game from its archive, after checking it.

    The record of a finished game is played again; a running game needs its
    full archive, with private.yaml.
    """
    from adjudicator.adapters.archive.rebuild import rebuild_archive
    from adjudicator.adapters.archive.restore import note_import, restore_game
    from adjudicator.adapters.archive.verify import load_archive, verify_archive
    from adjudicator.desk.model.values import Status

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
    archive = rebuild_archive(files, office.library)
    with office.making() as books:
        todo = list(restore_game(books, archive))
        note_import(books, archive, at=office.at)
    if archive.dossier.record.game.status is not Status.OVER:
        todo.append(_MOVED)
    told: dict[str, Any] = {"game": verdict.game, "steps": verdict.replayed, "todo": todo}
    if as_json:
        print_document(told)
        return
    print_data(f"{verdict.game} is imported into {office.home.path}")
    for line in (*todo, *verdict.notes):
        print_note(f"Note: {line}")
