"""Read a game from the files of its archive; every fault names its file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from adjudicator.adapters.archive import places
from adjudicator.adapters.archive.chain_file import parse_chain
from adjudicator.adapters.archive.order_sheet import (
    WITHHELD,
    SetFacts,
    StepEntry,
    build_orders,
    build_steps,
)
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.archive.sheets import (
    ARCHIVE_VERSION,
    EVERYTHING,
    OLDER_VERSIONS,
    RECORD,
)
from adjudicator.adapters.archive.stored_game import Archive, Dossier
from adjudicator.adapters.yaml import reader
from adjudicator.core.document import Seat, decode, digest
from adjudicator.desk.model.values import (
    Absence,
    Game,
    HistoryNote,
    Observer,
    OrderSet,
    Paper,
    PlanAhead,
    Player,
    Press,
    Seating,
    Signup,
    Step,
)
from adjudicator.desk.steps.record import Record, Start

SheetContent = Mapping[str, Any]
V = TypeVar("V")


def read_archive(files: Files) -> Archive:
    """Read the game from the files listed in its chain.txt; raises ArchiveTrouble."""
    chain = parse_chain(_find_content(files, places.CHAIN_FILE))
    files = {path: content for path, content in files.items() if path in chain.files}
    sheet = _read_sheet(files, places.GAME_FILE)
    if sheet.get("archive") not in (ARCHIVE_VERSION, *OLDER_VERSIONS):
        raise ArchiveTrouble(
            places.GAME_FILE,
            f"it says archive: {sheet.get('archive')}, and this program reads {ARCHIVE_VERSION}; "
            "use the program that wrote it, or a newer one: pip install --upgrade pbem-adjudicator",
        )
    private = _read_sheet(files, places.PRIVATE_FILE) if places.PRIVATE_FILE in files else {}
    game = _read_game(sheet, private)
    for name in (game.id, game.kind, *game.seats):
        if not places.NAME_PATTERN.fullmatch(name):
            raise ArchiveTrouble(places.GAME_FILE, f'"{name}" cannot be the name of a folder')
    contents = sheet.get("contents")
    entries = _read_entries(files, sheet)
    reporting = str(sheet.get("reporting_digest", ""))
    steps = build_steps(game.id, entries, reporting)
    if contents != RECORD:
        steps = [_with_outcome(files, step) for step in steps]
    orders = [own for step in steps for own in build_orders(step, entries[step.name], game.seats)]
    if contents != RECORD:
        orders = [_as_filed(files, own, steps) for own in orders]
    record = Record(
        game=game,
        steps=tuple(sorted(steps, key=lambda step: step.number)),
        orders=tuple(orders),
        papers=tuple(paper for step in steps for paper in _read_papers(files, game, step)),
        links=chain.links,
        since=_convert(places.GAME_FILE, sheet.get("since", 0), int),
        starts=_convert(
            places.GAME_FILE, {**sheet, **private}.get("starts", []), tuple[Start, ...]
        ),
        retold=sheet.get("retold") is True,
    )
    dossier = Dossier(
        record=record,
        seatings=_read_seatings(game, sheet, private),
        players=_convert(places.PRIVATE_FILE, private.get("players", []), tuple[Player, ...]),
        unrated=_convert(places.GAME_FILE, sheet.get("unrated", []), tuple[str, ...]),
        notes=tuple(_read_lines(files, places.HISTORY_FILE, HistoryNote)),
        press=tuple(_read_lines(files, places.PRESS_FILE, Press, game=game.id)),
        plans=_read_several(private, "plans", game, tuple[PlanAhead, ...]),
        absences=_read_several(private, "absences", game, tuple[Absence, ...]),
        observers=_read_several(private, "observers", game, tuple[Observer, ...]),
        signups=_read_several(private, "signups", game, tuple[Signup, ...]),
        seed_digest=str(sheet.get("seed_digest")),
        withheld=frozenset(_list_withheld(entries)),
        letters=_convert(
            places.PRIVATE_FILE, private.get("letters", {}), dict[Seat, dict[str, int]]
        ),
    )
    return Archive(
        dossier=dossier,
        is_record=contents == RECORD,
        whole=contents == EVERYTHING or any(step.state for step in steps) or bool(orders),
        opened=bool(game.seed),
        rendered=reporting,
        facts={name: entry.reports for name, entry in entries.items()},
    )


def _list_withheld(entries: Mapping[str, StepEntry]) -> Iterator[tuple[str, Seat]]:
    for name, entry in entries.items():
        yield from ((name, who) for who, facts in entry.reports.items() if WITHHELD in facts)


def read_result(files: Files) -> Mapping[str, Any]:
    """Read result.yaml; empty if there is none."""
    return _read_sheet(files, places.RESULT_FILE) if places.RESULT_FILE in files else {}


def _find_content(files: Files, path: str) -> bytes:
    if path not in files:
        raise ArchiveTrouble(path, "is missing")
    return files[path]


def _read_sheet(files: Files, path: str) -> dict[str, Any]:
    try:
        sheet = reader.load_yaml(_find_content(files, path).decode())
    except UnicodeDecodeError as error:
        raise ArchiveTrouble(path, f"is not UTF-8 text: {error}") from error
    except reader.Unreadable as error:
        raise ArchiveTrouble(path, str(error)) from error
    if not isinstance(sheet, dict):
        raise ArchiveTrouble(path, "must be a mapping of names to values")
    return sheet


def _convert(path: str, value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ArchiveTrouble(path, str(error)) from error


def _read_game(sheet: SheetContent, private: SheetContent) -> Game:
    secrets = {**sheet, **private}
    try:
        seed = bytes.fromhex(str(secrets.get("seed", "")))
    except ValueError as error:
        where = places.PRIVATE_FILE if "seed" in private else places.GAME_FILE
        raise ArchiveTrouble(where, f"seed: {error}") from error
    facts = {name: sheet[name] for name in Game.__struct_fields__ if name in sheet}
    facts |= {"seed": b"", "luck": secrets.get("luck", [])}
    game: Game = _convert(places.GAME_FILE, facts, Game)
    return replace(game, seed=seed)


def _read_seatings(game: Game, sheet: SheetContent, private: SheetContent) -> tuple[Seating, ...]:
    votes = _convert(places.PRIVATE_FILE, private.get("votes", {}), dict[str, Any])
    entries = _convert(places.GAME_FILE, sheet.get("seatings", []), list[dict[str, Any]])
    full_entries = [
        {**seating, "game": game.id, "vote": votes.get(_name_seating(seating), "none")}
        for seating in entries
    ]
    seatings: tuple[Seating, ...] = _convert(places.GAME_FILE, full_entries, tuple[Seating, ...])
    return seatings


def _name_seating(seating: SheetContent) -> str:
    return f"{seating.get('seat')}/{seating.get('number')}"


def _read_entries(files: Files, sheet: SheetContent) -> dict[str, StepEntry]:
    """Read every step by name from orders.yaml."""
    if sheet.get("archive") in OLDER_VERSIONS:
        return _older_entries(files)
    entries: dict[str, StepEntry] = _convert(
        places.ORDERS_FILE, _read_sheet(files, places.ORDERS_FILE), dict[str, StepEntry]
    )
    return entries


def _older_entries(files: Files) -> dict[str, StepEntry]:
    """Read every step by name from an archive/1, which has a sheet in each step's folder."""
    paths = [path for path in sorted(files) if path.endswith(f"/{places.STEP_FILE}")]
    sheets = {path: _read_sheet(files, path) for path in paths}
    numbers = {path: _convert(path, sheet.get("number"), int) for path, sheet in sheets.items()}
    names = {number: f"{number}-{sheets[path].get('phase')}" for path, number in numbers.items()}
    return {
        names[number]: _older_entry(path, sheets[path], names) for path, number in numbers.items()
    }


def _older_entry(path: str, sheet: SheetContent, names: Mapping[int, str]) -> StepEntry:
    sets = _convert(path, sheet.get("orders") or {}, dict[Seat, SetFacts])
    facts = {
        **sheet,
        "after": names.get(_convert(path, sheet.get("predecessor"), int | None)),
        "undone": sheet.get("void", False),
        "reporting": "",
        "orders": dict.fromkeys(sets),
    }
    entry: StepEntry = _convert(path, facts, StepEntry)
    return replace(entry, sets=sets)


def _with_outcome(files: Files, step: Step) -> Step:
    """Add the state and events from the step's folder."""
    events = files.get(places.part_path(step, "events"))
    state = files.get(places.part_path(step, "state"))
    return replace(step, state=state, events=b"[]" if events is None else _join_array(events))


def _join_array(lines: bytes) -> bytes:
    """Join lines of canonical JSON into the array they came from, byte for byte."""
    return b"[" + b",".join(lines.removesuffix(b"\n").split(b"\n")) + b"]" if lines else b"[]"


def _as_filed(files: Files, orders: OrderSet, steps: Iterable[Step]) -> OrderSet:
    """Add to the set the bytes stored in its step's folder."""
    step = next(step for step in steps if step.number == orders.step)
    path = places.part_path(step, "orders", orders.seat)
    content = _find_content(files, path)
    if places.ORDERS_FILE in files and content != orders.orders:
        raise ArchiveTrouble(path, f"is not what {places.ORDERS_FILE} says")
    own_set = replace(orders, orders=content)
    return replace(own_set, digest=digest(own_set.committed))


def _read_papers(files: Files, game: Game, step: Step) -> Iterator[Paper]:
    seats: tuple[Seat | None, ...] = (None, *game.seats)
    for seat in seats:
        path = places.part_path(step, "report", seat)
        if path in files:
            number = _convert(path, _read_document(files, path).get("number"), int)
            document = files[path]
            yield Paper(game=game.id, step=step.number, seat=seat, number=number, document=document)


def _read_document(files: Files, path: str) -> dict[str, Any]:
    try:
        document = decode(files[path])
    except (ValueError, RecursionError) as error:  # also text that is not UTF-8
        raise ArchiveTrouble(path, f"is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ArchiveTrouble(path, "must be a JSON object")
    return document


def _read_lines(files: Files, path: str, kind: type[V], **more: str) -> Iterator[V]:
    """Read a value from each line, adding the fields shared by all, which the file leaves out."""
    for number, line in enumerate(files.get(path, b"").splitlines(), 1):
        try:
            yield msgspec.convert({**msgspec.json.decode(line), **more}, kind)
        except (ValueError, TypeError, RecursionError) as error:
            raise ArchiveTrouble(path, f"line {number}: {error}") from error


def _read_several(private: SheetContent, name: str, game: Game, kind: Any) -> Any:
    """Read a list of private.yaml, whose entries leave out the game's name."""
    entries = _convert(places.PRIVATE_FILE, private.get(name, []), list[dict[str, Any]])
    return _convert(places.PRIVATE_FILE, [{**one, "game": game.id} for one in entries], kind)
