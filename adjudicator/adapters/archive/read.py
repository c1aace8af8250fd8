"""From the files of an archive back to the game; every fault names its file."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from adjudicator.adapters.archive import chain_file, places
from adjudicator.adapters.archive.dossier import Dossier
from adjudicator.adapters.archive.pack import Files
from adjudicator.adapters.archive.places import ArchiveTrouble
from adjudicator.adapters.archive.sheets import ARCHIVE_VERSION
from adjudicator.adapters.yaml import reader
from adjudicator.core.document import Seat, decode
from adjudicator.desk.model.values import (
    Absence,
    Game,
    HistoryNote,
    Observer,
    OrderSet,
    Paper,
    Player,
    Press,
    Seating,
    Signup,
    Step,
)
from adjudicator.desk.steps.record import Record, Start

SheetContent = Mapping[str, Any]


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """A game as its archive tells it."""

    dossier: Dossier
    """Without seed where `opened` is false; without states and orders where `whole` is."""
    whole: bool
    """States, events, orders and seats' reports are there."""
    opened: bool
    """The seed is there."""
    seed_digest: str
    rendered: str
    """The version of the templates that made its texts."""


def read_archive(files: Files) -> Archive:
    """The game of an archive, out of the files that its chain.txt lists; raises ArchiveTrouble."""
    chain = chain_file.parse_chain(_content(files, places.CHAIN_FILE))
    files = {path: content for path, content in files.items() if path in chain.files}
    sheet = _sheet(files, places.GAME_FILE)
    if sheet.get("archive") != ARCHIVE_VERSION:
        raise ArchiveTrouble(
            places.GAME_FILE,
            f"it says archive: {sheet.get('archive')}, and this program reads {ARCHIVE_VERSION}; "
            "use the program that wrote it, or a newer one: pip install --upgrade pbem-adjudicator",
        )
    private = _sheet(files, places.PRIVATE_FILE) if places.PRIVATE_FILE in files else {}
    game = _game(sheet, private)
    for name in (game.id, game.kind, *game.seats):
        if not places.NAME_PATTERN.fullmatch(name):
            raise ArchiveTrouble(places.GAME_FILE, f'"{name}" cannot be the name of a folder')
    sheets = _step_sheets(files)
    found = {folder: _step(files, game, folder, sheets[folder]) for folder in sheets}
    steps = sorted(found.values(), key=lambda step: step.number)
    record = Record(
        game=game,
        steps=tuple(steps),
        orders=tuple(
            orders
            for folder, step in found.items()
            for orders in _orders(files, game, folder, step, sheets[folder])
        ),
        papers=tuple(
            paper for folder, step in found.items() for paper in _papers(files, game, folder, step)
        ),
        links=chain.links,
        since=_value(places.GAME_FILE, sheet.get("since", 0), int),
        starts=_value(places.GAME_FILE, {**sheet, **private}.get("starts", []), tuple[Start, ...]),
    )
    dossier = Dossier(
        record=record,
        seatings=_seatings(game, sheet, private),
        players=_value(places.PRIVATE_FILE, private.get("players", []), tuple[Player, ...]),
        notes=tuple(_notes(files)),
        press=tuple(_press(files, game)),
        absences=_several(private, "absences", game, tuple[Absence, ...]),
        observers=_several(private, "observers", game, tuple[Observer, ...]),
        signups=_several(private, "signups", game, tuple[Signup, ...]),
        letters=_value(places.PRIVATE_FILE, private.get("letters", {}), dict[Seat, dict[str, int]]),
    )
    return Archive(
        dossier=dossier,
        whole=sheet.get("contents") == "everything" or any(step.state for step in steps),
        opened=bool(game.seed),
        seed_digest=str(sheet.get("seed_digest")),
        rendered=str(sheet.get("rendered")),
    )


def _content(files: Files, path: str) -> bytes:
    if path not in files:
        raise ArchiveTrouble(path, "is missing")
    return files[path]


def _sheet(files: Files, path: str) -> dict[str, Any]:
    try:
        sheet = reader.load_yaml(_content(files, path).decode())
    except UnicodeDecodeError as error:
        raise ArchiveTrouble(path, f"is not UTF-8 text: {error}") from error
    except reader.Unreadable as error:
        raise ArchiveTrouble(path, str(error)) from error
    if not isinstance(sheet, dict):
        raise ArchiveTrouble(path, "must be a mapping of names to values")
    return sheet


def _value(path: str, value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ArchiveTrouble(path, str(error)) from error


def _game(sheet: SheetContent, private: SheetContent) -> Game:
    secrets = {**sheet, **private}
    try:
        seed = bytes.fromhex(str(secrets.get("seed", "")))
    except ValueError as error:
        where = places.PRIVATE_FILE if "seed" in private else places.GAME_FILE
        raise ArchiveTrouble(where, f"seed: {error}") from error
    facts = {name: sheet[name] for name in Game.__struct_fields__ if name in sheet}
    facts |= {"seed": b"", "luck": secrets.get("luck", [])}
    game: Game = _value(places.GAME_FILE, facts, Game)
    return msgspec.structs.replace(game, seed=seed)


def _seatings(game: Game, sheet: SheetContent, private: SheetContent) -> tuple[Seating, ...]:
    votes = private.get("votes") or {}
    given = _value(places.GAME_FILE, sheet.get("seatings", []), list[dict[str, Any]])
    made = [
        {**seating, "game": game.id, "vote": votes.get(_name(seating), "none")} for seating in given
    ]
    seatings: tuple[Seating, ...] = _value(places.GAME_FILE, made, tuple[Seating, ...])
    return seatings


def _name(seating: SheetContent) -> str:
    return f"{seating.get('seat')}/{seating.get('number')}"


def _step_sheets(files: Files) -> dict[str, SheetContent]:
    """Every step's folder and its sheet."""
    folders = (path.removesuffix(f"/{places.STEP_FILE}") for path in sorted(files))
    return {
        folder: _sheet(files, f"{folder}/{places.STEP_FILE}")
        for folder in folders
        if f"{folder}/{places.STEP_FILE}" in files and folder.count("/") == 1
    }


def _step(files: Files, game: Game, folder: str, sheet: SheetContent) -> Step:
    path = f"{folder}/{places.STEP_FILE}"
    facts = {name: value for name, value in sheet.items() if name != "orders"}
    step: Step = _value(path, {**facts, "game": game.id}, Step)
    if places.step_folder(step) != folder:
        raise ArchiveTrouble(path, f"tells of step {step.name}; its folder must be named after it")
    events = places.events_path(folder)
    return msgspec.structs.replace(
        step,
        state=files.get(places.state_path(folder)),
        events=_array(files[events]) if events in files else b"[]",
    )


def _array(lines: bytes) -> bytes:
    """Lines of canonical JSON as the array of which they were made, byte for byte."""
    return b"[" + b",".join(lines.removesuffix(b"\n").split(b"\n")) + b"]" if lines else b"[]"


def _orders(
    files: Files, game: Game, folder: str, step: Step, sheet: SheetContent
) -> Iterator[OrderSet]:
    path = f"{folder}/{places.STEP_FILE}"
    told = _value(path, sheet.get("orders") or {}, dict[str, dict[str, Any]])
    for seat in game.seats:
        if seat not in told:
            continue
        facts = {**told[seat], "game": game.id, "step": step.number, "seat": seat, "orders": b""}
        orders: OrderSet = _value(path, facts, OrderSet)
        content = _content(files, places.orders_path(folder, seat))
        yield msgspec.structs.replace(orders, orders=content)


def _papers(files: Files, game: Game, folder: str, step: Step) -> Iterator[Paper]:
    seats: tuple[Seat | None, ...] = (None, *game.seats)
    for seat in seats:
        path = places.report_path(folder, seat)
        if path in files:
            number = _value(path, _document(files, path).get("number"), int)
            document = files[path]
            yield Paper(game=game.id, step=step.number, seat=seat, number=number, document=document)


def _document(files: Files, path: str) -> dict[str, Any]:
    try:
        document = decode(files[path])
    except (ValueError, RecursionError) as error:  # also text that is not UTF-8
        raise ArchiveTrouble(path, f"is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ArchiveTrouble(path, "must be a JSON object")
    return document


def _press(files: Files, game: Game) -> Iterator[Press]:
    for number, line in enumerate(files.get(places.PRESS_FILE, b"").splitlines(), 1):
        try:
            yield msgspec.convert({**msgspec.json.decode(line), "game": game.id}, Press)
        except (ValueError, TypeError, RecursionError) as error:
            raise ArchiveTrouble(places.PRESS_FILE, f"line {number}: {error}") from error


def _several(private: SheetContent, name: str, game: Game, kind: Any) -> Any:
    """A list of private.yaml whose entries do not repeat the game's name."""
    given = private.get(name, [])
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise ArchiveTrouble(places.PRIVATE_FILE, f"{name} must be a list of mappings")
    return _value(places.PRIVATE_FILE, [{**one, "game": game.id} for one in given], kind)


def _notes(files: Files) -> Iterator[HistoryNote]:
    for number, line in enumerate(files.get(places.HISTORY_FILE, b"").splitlines(), 1):
        try:
            yield msgspec.json.decode(line, type=HistoryNote)
        except (ValueError, RecursionError) as error:
            raise ArchiveTrouble(places.HISTORY_FILE, f"line {number}: {error}") from error
