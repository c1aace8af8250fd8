"""Checking an archive: every file by its digest, the chain, and every step played again."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.archive import chain_file, places
from adjudicator.adapters.archive.pack import Render
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.archive.read import Archive, read_archive, read_result
from adjudicator.adapters.archive.rebuild import rebuild_record
from adjudicator.adapters.archive.sheets import summarize_result
from adjudicator.core.document import Impossible, decode, digest
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind, Library
from adjudicator.desk.model.values import Game, Status, Step
from adjudicator.desk.steps.record import Difference, Record, check_chain, check_lineage
from adjudicator.desk.steps.replay import compare_replay

_RUNNING: Final = (
    "the game is running and the archive contains only what is public, so only the chain could "
    "be checked until the game ends"
)
_SEEDLESS: Final = "the seed is not in the archive: the chain was checked, but nothing was replayed"

MAX_FILE_BYTES: Final = 64 * 1024 * 1024
"""Of a file in an archive, in bytes: a hundred times what a long game needs."""


class Fault(Struct, frozen=True, kw_only=True):
    """Something in an archive that does not hold."""

    file: str
    step: str | None
    """The step that the file tells of; None for what tells of the whole game."""
    message: str


class Verification(Struct, frozen=True, kw_only=True):
    """What a check of an archive came to; it holds when there are no faults."""

    game: str
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be checked, and why."""
    files: int = 0
    links: int = 0
    replayed: int = 0
    """Steps that were played again."""
    seed_digest: str | None = None
    """As the announcement told it before the game: of an archive, which cannot vouch for itself."""
    last_link: str | None = None
    """As the last letter of the game tells it."""


def load_archive(folder: Path) -> Files:
    """Every file of an archive's folder by path; what begins with a dot is no part of it."""
    if not folder.is_dir():
        raise Refused(
            f"{folder}: there is no such folder; name the folder with the game.yaml in it"
        )
    if not (folder / places.GAME_FILE).is_file():
        raise Refused(f"{folder}: no {places.GAME_FILE} lies there, so it is not an archive")
    paths = (path.relative_to(folder) for path in folder.rglob("*"))
    seen = sorted(path.as_posix() for path in paths if not _dotted(path))
    # a link may lead out of the archive
    own = [p for p in seen if (folder / p).is_file() and not (folder / p).is_symlink()]
    for path in own:
        if (folder / path).stat().st_size > MAX_FILE_BYTES:
            raise Refused(
                f"{folder / path}: it is larger than any file of an archive "
                f"({MAX_FILE_BYTES // 1024 // 1024} MB); remove it, or get the archive again"
            )
    return {path: (folder / path).read_bytes() for path in own}


def _dotted(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def verify_record(record: Record, kind: Kind) -> Verification:
    """Check a game of the home."""
    found = (*check_chain(record), *compare_replay(record, kind))
    faults = tuple(
        Fault(file=one.part, step=one.step, message=one.message)
        for one in found
        if not one.reworded
    )
    return Verification(
        game=record.game.id,
        faults=faults,
        notes=tuple(_reservations(record, kind, found)),
        links=len(record.links),
        replayed=0 if faults else _count_replayed(record),
    )


def verify_archive(
    files: Files,
    library: Library,
    texts: Callable[[Kind], Render] | None = None,
    *,
    name: str = "the archive",
) -> Verification:
    """Check everything that can be checked; with `texts` texts and pages are made again, too.

    `name` is what the archive is called while it does not tell itself.
    """
    if places.CHAIN_FILE not in files:
        return Verification(game=name, faults=(_of_file(places.CHAIN_FILE, "is missing"),))
    try:
        chain = chain_file.parse_chain(files[places.CHAIN_FILE])
    except ArchiveTrouble as trouble:
        return Verification(game=name, faults=(_of_file(trouble.file, trouble.message),))
    faults = tuple(_digests(files, chain))
    notes = tuple(_strangers(files, chain))
    told = Verification(game=name, faults=faults, notes=notes, files=len(chain.files))
    try:
        archive = read_archive(files)
    except ArchiveTrouble as trouble:
        return replace(told, faults=_new(faults, [_of_file(trouble.file, trouble.message)]))
    return _judged(told, archive, library, files, texts)


def _judged(
    told: Verification,
    archive: Archive,
    library: Library,
    files: Files,
    texts: Callable[[Kind], Render] | None,
) -> Verification:
    record = archive.dossier.record
    told = replace(told, game=record.game.id)
    try:
        kind = library.kind(record.game.kind, record.game.components)
        replay = _replay(archive, kind)
        faults = [_fault(one, record.steps) for one in replay.differences]
        faults += _check_facts(archive)
        if not faults:
            faults += _check_result(archive, replay.record, kind, read_result(files))
    except (Refused, Impossible) as wrong:  # no such kind of game here, or components that fail
        return replace(told, faults=_new(told.faults, [_of_file(places.GAME_FILE, str(wrong))]))
    notes = list(replay.notes)
    if texts is not None and not archive.is_record:
        if archive.rendered != kind.reporting:
            notes.append("texts were made by another version: they were checked by digest only")
        elif not told.faults:
            faults += _render_again(files, texts(kind))
    return replace(
        told,
        faults=_new(told.faults, faults),
        notes=(*told.notes, *notes),
        seed_digest=archive.seed_digest,
        last_link=record.links[-1].digest if record.links else None,
        links=len(record.links),
        replayed=0 if faults else replay.steps,
    )


def _check_facts(archive: Archive) -> Iterator[Fault]:
    """What game.yaml says, against the rest."""
    record = archive.dossier.record
    if archive.opened and digest(record.game.seed) != archive.seed_digest:
        yield _of_file(places.GAME_FILE, "seed_digest is not the SHA-256 of the seed")
    for message in _stands(record.game, record.steps):
        yield _of_file(places.GAME_FILE, message)


def _check_result(
    archive: Archive, record: Record, kind: Kind, result: Mapping[str, Any]
) -> Iterator[Fault]:
    """What result.yaml says, against the last position."""
    made = summarize_result(record, kind) if archive.opened and record.is_told else {}
    for name in result:
        if made.get(name) != result[name]:
            yield _of_file(places.RESULT_FILE, f"{name} is not the result of the game")


# ---- files


def find_altered_files(files: Files) -> tuple[Fault, ...]:
    """The files that are not as chain.txt lists them."""
    return tuple(_digests(files, chain_file.parse_chain(files.get(places.CHAIN_FILE, b""))))


def _digests(files: Files, chain: chain_file.Chain) -> Iterator[Fault]:
    for path, value in chain.files.items():
        if path == places.PRIVATE_FILE and path not in files:
            continue
        if path not in files:
            yield _of_file(path, "is missing, though chain.txt lists it")
        elif digest(files[path]) != value:
            yield _of_file(path, "was changed: its SHA-256 is not the one in chain.txt")


def _strangers(files: Files, chain: chain_file.Chain) -> Iterator[str]:
    ours = (places.CHAIN_FILE, *chain.files)
    strangers = [path for path in files if path not in ours and not _is_sample(path)]
    if strangers:
        listed = ", ".join(strangers[:3]) + (" …" if len(strangers) > 3 else "")
        yield f"not part of the archive, not checked: {listed}"
    if places.PRIVATE_FILE in chain.files and places.PRIVATE_FILE not in files:
        yield "private.yaml is not in the archive: addresses and preferences were not checked"


def _is_sample(path: str) -> bool:
    return path.startswith(f"{places.SAMPLE_FOLDER}/")


def _of_file(path: str, message: str) -> Fault:
    return Fault(file=path, step=step_of_path(path), message=message)


def step_of_path(path: str) -> str | None:
    """The step that a file tells of, as players write it: 3-jump."""
    parts = path.split("/")
    if parts[0] != places.STEPS_FOLDER or len(parts) < 3:
        return None
    number, _, phase = parts[1].partition("-")
    return f"{int(number)}-{phase}" if number.isdigit() else parts[1]


# ---- what the files say


def _count_replayed(record: Record) -> int:
    return sum(s.state is not None and s.number >= record.since for s in record.steps)


class _Replay(Struct, frozen=True, kw_only=True):
    """A game checked against its chain and, where that can be, played again."""

    record: Record
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    steps: int = 0


def _replay(archive: Archive, kind: Kind) -> _Replay:
    record = archive.dossier.record
    if record.is_told and not (archive.whole and archive.opened):
        lacks = "seed is" if archive.whole else "states and orders are"
        raise Refused(f"the game is over, but its {lacks} not here")
    if not (archive.whole and archive.opened):
        return _Replay(
            record=record,
            differences=check_lineage(record),
            notes=(_SEEDLESS if archive.whole else _RUNNING,),
        )
    if archive.is_record:
        rebuilt = rebuild_record(archive, kind)
        record, found, withheld = rebuilt.record, rebuilt.differences, rebuilt.withheld
    else:
        found, withheld = (*check_chain(record), *compare_replay(record, kind)), 0
    return _Replay(
        record=record,
        differences=tuple(one for one in found if not one.reworded),
        notes=tuple(_reservations(record, kind, found, withheld)),
        steps=_count_replayed(record),
    )


def _stands(game: Game, steps: Sequence[Step]) -> Iterator[str]:
    """What the game says of itself against its steps: who plays on goes by that."""
    last = max((step.number for step in steps), default=-1)
    if game.next_number <= last:
        yield f"next_number is {game.next_number}, but there is a step of number {last}"
    opened = {step.number for step in steps if step.closed is None and not step.void}
    if game.open_step is not None and game.open_step not in opened:
        yield f"open_step is {game.open_step}, but no such step is open"
    if (game.open_step is None) == (game.status in (Status.RUNNING, Status.PAUSED)):
        yield f"status is {game.status}, but open_step is {game.open_step}"


def _reservations(
    record: Record, kind: Kind, found: Iterable[Difference], withheld: int = 0
) -> Iterator[str]:
    """What a replay without faults still does not prove, a sentence each."""
    if not record.game.verifiable:
        yield ("the host chose the seed, it was not drawn: the dice could be known in advance")
    if record.since:
        yield f"steps before {record.since} ran under older rules: checked against the chain only"
    if record.game.rules_digest != kind.digest:
        yield "the rules code has changed since the game was played"
    if record.retold:
        yield "the reports were made again at the import; they are not the ones that players got"
    elif any(one.reworded for one in found):
        yield "reports are worded differently by this version; rules, states and events agree"
    if withheld:
        held = "1 report holds" if withheld == 1 else f"{withheld} reports hold"
        yield f"{held} private press, which a record leaves out: not compared"


def _fault(difference: Difference, steps: Sequence[Step]) -> Fault:
    step = next((step for step in steps if step.name == difference.step), None)
    path = (
        places.part_path(places.step_folder(step), difference.part) if step else places.CHAIN_FILE
    )
    return Fault(file=path, step=difference.step, message=difference.message)


def _render_again(files: Files, render: Render) -> Iterator[Fault]:
    folders: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = content
    for folder, there in folders.items():
        if "report.json" not in there:
            continue
        above = folders.get(folder.rpartition("/")[0], {})
        for name, made in render(decode(there["report.json"]), above).items():
            if there.get(name) != made:
                message = "is not what its report document gives when it is rendered again"
                yield _of_file(f"{folder}/{name}", message)


def _new(known: Iterable[Fault], found: Iterable[Fault]) -> tuple[Fault, ...]:
    """All faults, one of each message a file."""
    return tuple(dict.fromkeys((*known, *found)))
