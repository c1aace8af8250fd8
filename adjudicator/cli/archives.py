"""Prove games and keep them: verify, export, import."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from adjudicator.adapters.archive.folder import load_archive, update_archive, write_archive
from adjudicator.adapters.archive.pack import pack_archive, pack_record
from adjudicator.adapters.archive.places import GAME_FILE, archive_folder
from adjudicator.adapters.archive.rebuild import rebuild_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import (
    Dossier,
    collect_dossier,
    note_import,
    restore_game,
)
from adjudicator.adapters.archive.verify import Fault, Verification, verify_archive, verify_record
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.terminal.arguments import (
    complete_games,
    find_game,
    game_argument,
    is_archive,
)
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import (
    find_own_command,
    print_data,
    print_document,
    print_note,
    show_progress,
)
from adjudicator.cli.wiring import Office, find_gm_addresses
from adjudicator.core.events import format_count
from adjudicator.desk.model.epochs import number_epoch
from adjudicator.desk.model.errors import Damaged, Refused, Unknown
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Epoch, Game, Status
from adjudicator.desk.steps.chance import find_hosts
from adjudicator.desk.steps.lock import lock_game
from adjudicator.desk.steps.record import read_record
from adjudicator.desk.steps.undo import Renewal, renew_game

_SHOWN = 20
_NO_TEXTS = (
    "{name}: --render is for the texts of an archive, and a home keeps none; "
    "`adjudicator export {name}` writes a folder to verify"
)
_MOVED = (
    "the keys that players have do not work here; each gets a letter with a fresh form. Both homes "
    "would adjudicate the game: stop the old one"
)


@command(
    "adjudicator verify ember",
    "adjudicator verify games/jump_wars/ember",
    "adjudicator verify --all",
)
@click.argument("games", nargs=-1, metavar="GAME|FOLDER...", shell_complete=complete_games)
@click.option("--all", "every", is_flag=True, help="Every game of the home.")
@click.option("--render", is_flag=True, help="Also make the texts of a full archive again.")
def verify_command(
    setting: Setting, games: tuple[str, ...], every: bool, render: bool, as_json: bool
) -> int:
    """Play a game again from its seed and orders, and compare every byte.

    FOLDER is a record or a full archive; every file in it is checked, too.
    Exits with 1 if anything differs.
    """
    if bool(games) == every:
        raise click.UsageError("name a game or a folder, or give --all")
    office, names = setting.office, list(dict.fromkeys(games))
    if every:
        with office.reading() as books:
            names = [*books.game_names()]
    places = [not every and is_archive(name) for name in names]
    if render and not all(places):
        raise Refused(_NO_TEXTS.format(name=names[places.index(False)]))
    verdicts = []
    with show_progress("Checking", total=len(names)) as show:
        for count, (name, is_folder) in enumerate(zip(names, places, strict=True)):
            show(count, f"{name} ({count + 1} of {len(names)})")
            if is_folder:
                verdicts.append(_verify_folder(office, Path(name), render=render))
            else:
                verdicts.append(verify_game(office, name))
    if as_json:
        print_document(verdicts if every or len(verdicts) > 1 else verdicts[0])
    for verdict in () if as_json else verdicts:
        _print(verdict)
    return int(any(verdict.faults for verdict in verdicts))


def _verify_folder(office: Office, folder: Path, *, render: bool) -> Verification:
    texts = partial(Texts, office.printer) if render else None
    return verify_archive(load_archive(folder), office.library, texts, name=folder.name)


def verify_game(office: Office, name: str) -> Verification:
    """Replay a game of the home and compare the outcome; one that cannot be read differs."""
    game = name
    try:
        with office.reading() as books:
            game = find_game(books, name).id
        return _replay(office, game)
    except (Damaged, StoreTrouble) as refusal:
        damage = refusal.__cause__ if isinstance(refusal, StoreTrouble) else refusal
        if not isinstance(damage, Damaged):
            raise
    return _fail(game, "database", str(damage))


def _fail(game: str, file: str, reason: str) -> Verification:
    return Verification(game=game, faults=(Fault(file=file, step=None, message=reason),))


def _replay(office: Office, game: str) -> Verification:
    with office.reading() as books:
        record = read_record(books, game)
        seatings = books.seatings(record.game.id)
        hosts = find_hosts(books, find_gm_addresses(office))
    try:
        kind = office.library.kind(record.game.kind, record.game.components)
    except Unknown as refusal:
        return _fail(record.game.id, "kind", f"it could not be played again: {refusal}")
    return verify_record(record, kind, seatings, hosts)


def _print(verdict: Verification) -> None:
    for fault in verdict.faults[:_SHOWN]:
        print_data(f"{fault.step or verdict.game}: {fault.file}: {fault.message}")
    if len(verdict.faults) > _SHOWN:
        print_data(f"... and {len(verdict.faults) - _SHOWN} more")
    for note in verdict.notes:
        print_note(f"Note: {note}")
    if verdict.faults:
        differences = format_count(len(verdict.faults), "difference")
        print_data(f"{verdict.game}: NOT as it was recorded, {differences}.")
        return
    files = f"{format_count(verdict.files, 'file')} unchanged, " if verdict.files else ""
    steps = format_count(verdict.replayed, "step")
    print_data(
        f"{verdict.game}: all is as it was recorded: {files}"
        f"{format_count(verdict.links, 'link')} of the chain, {steps} played again."
    )
    if verdict.last_link:
        print_note(
            "This cannot show that the whole archive was not forged. Compare these two values "
            f"with the mails you received: the seed's SHA-256 is {verdict.seed_digest}, the last "
            f"link is {verdict.last_link}."
        )


@command(
    "adjudicator export ember",
    "adjudicator export ember --out /tmp/e",
    "adjudicator export ember --record --out records/ember",
)
@game_argument
@click.option("--out", help="The folder to write.  [games/<kind>/<game> in the home]")
@click.option("--public", is_flag=True, help="Without addresses, and secrets of a running game.")
@click.option(
    "--record", is_flag=True, help="Only what it takes to play the game again; nothing private."
)
def export_command(
    setting: Setting, game: str, out: str | None, public: bool, record: bool, as_json: bool
) -> None:
    """Write a game's archive: everything that happened, as files.

    With --record it is small: settings, orders, the chain and, once the game is
    over, seed and result. `verify`, `site` and `import` take it like the full one.
    """
    if (record or public) and not out:
        option = "--record" if record else "--public"
        raise click.UsageError(f"{option} needs --out: the home keeps the full archive")
    _refuse_other_files(out)
    folder, files = export_game(setting.office, game, out, public=public, record=record)
    if as_json:
        print_document({"folder": str(folder), "changed": files})
        return
    print_data(str(folder))
    check = find_own_command("verify", folder)
    print_note(f"{format_count(len(files), 'file')} written. Check with: {check}")


def _refuse_other_files(out: str | None) -> None:
    """Refuse to mix an archive with other files: it consists of many."""
    folder = Path(out) if out else None
    if folder is None or not folder.is_dir() or (folder / GAME_FILE).exists():
        return
    if any(not path.name.startswith(".") for path in folder.iterdir()):
        raise Refused(f"{folder} is not empty and contains no archive; name a new folder")


def export_game(
    office: Office, name: str, out: str | None, *, public: bool = False, record: bool = False
) -> tuple[Path, tuple[str, ...]]:
    """Export a game; returns the archive's folder and the files written or removed."""
    with office.reading() as books:
        dossier = collect_dossier(books, find_game(books, name).id)
    if record and out:
        kind = office.library.kind(dossier.record.game.kind, dossier.record.game.components)
        return Path(out), write_archive(Path(out), pack_record(dossier, kind))
    return write_full_archive(office, dossier, out, public=public)


def write_full_archive(
    office: Office, dossier: Dossier, out: str | None = None, *, public: bool = False
) -> tuple[Path, tuple[str, ...]]:
    """Write the full archive, by default into the home; returns its folder and changed files."""
    folder, texts = _open_archive(office, dossier, out)
    with show_progress(f"Writing {folder}"):
        return folder, write_archive(
            folder, pack_archive(dossier, texts, public=public), published=public
        )


def update_own_archive(office: Office, dossier: Dossier) -> None:
    """Write into the home what its archive of the game lacks; steps that it has stay as they lie.

    A long game would be rendered whole after each closing.
    """
    folder, texts = _open_archive(office, dossier)
    update_archive(
        folder,
        lambda there: pack_archive(dossier, texts, there=there),
        reporting=texts.kind.reporting,
    )


def _open_archive(office: Office, dossier: Dossier, out: str | None = None) -> tuple[Path, Texts]:
    game = dossier.record.game
    folder = Path(out) if out else archive_folder(office.home.path, game)
    return folder, Texts(office.printer, office.library.kind(game.kind, game.components))


def _renew(office: Office, books: Books, game: Game) -> None:
    """Begin a new epoch for the imported game, since its old keys may have leaked."""
    number = number_epoch(books, game.epoch, at=office.at)
    reason = f"{game.id} was imported"
    books.save(
        Epoch(
            number=number,
            since=office.at,
            reason=reason,
            secret=office.fingerprint,
            place=office.store.place,
        )
    )
    context = lock_game(books, office.library, game.id, at=office.at)
    renew_game(context, Renewal(epoch=number, reopen=False, beyond=0))


@command("adjudicator import games/jump_wars/ember --home elsewhere", name="import")
@click.argument("folder")
def import_command(setting: Setting, folder: str, as_json: bool) -> None:
    """Import a game from its archive, after checking it.

    The record of a finished game is played again; a running game needs its
    full archive, with private.yaml.
    """
    office = setting.office
    files = load_archive(Path(folder))
    with show_progress(f"Checking {folder}"):
        verdict = verify_archive(files, office.library, name=Path(folder).name)
    if verdict.faults:
        first = verdict.faults[0]
        raise Refused(
            f"{folder} is not as it was recorded: {first.file}: {first.message} "
            f"({format_count(len(verdict.faults), 'fault')}; "
            f"`{find_own_command('verify', folder)}` lists them)"
        )
    archive = rebuild_archive(files, office.library)
    with office.making() as books:
        todo = list(restore_game(books, archive))
        note_import(books, archive, at=office.at)
        if archive.dossier.record.game.status is not Status.OVER:
            _renew(office, books, archive.dossier.record.game)
            todo.append(_MOVED)
    facts: dict[str, Any] = {"game": verdict.game, "steps": verdict.replayed, "todo": todo}
    if as_json:
        print_document(facts)
        return
    print_data(f"{verdict.game} is imported into {office.home.path}")
    for line in (*todo, *verdict.notes):
        print_note(f"Note: {line}")
