"""Verify an archive: every file by its digest, the chain, and every step played again."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.archive import places
from adjudicator.adapters.archive.chain_file import Chain, parse_chain
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.archive.read import read_archive, read_result
from adjudicator.adapters.archive.rebuild import (
    Rebuilt,
    check_chain_except_withheld,
    rebuild_record,
)
from adjudicator.adapters.archive.sheets import summarize_result
from adjudicator.adapters.archive.stored_game import Archive
from adjudicator.core.document import Impossible, Seat, decode, digest
from adjudicator.core.events import format_count
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind, Library
from adjudicator.desk.model.seats import bind_seats, last_seatings
from adjudicator.desk.model.values import Game, Seating, Status, Step
from adjudicator.desk.steps.chance import (
    SERVER_ALONE,
    GivenWords,
    check_dice,
    describe_dice,
    find_luck_seats,
    is_asked_each_turn,
    trace_words,
)
from adjudicator.desk.steps.record import Difference, Record, check_chain, check_lineage
from adjudicator.desk.steps.replay import compare_replay

if TYPE_CHECKING:
    from adjudicator.adapters.archive.reports import Texts

_RUNNING: Final = (
    "the game is running and the archive contains only what is public, so only the chain could "
    "be checked until the game ends"
)
_SETUP_ALONE: Final = (
    "the server alone chose the dice of the set-up: no luck words came from a player without a "
    "seat of the host's before it"
)
_SEEDLESS: Final = "the seed is not in the archive: the chain was checked, but nothing was replayed"


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


def verify_record(
    record: Record,
    kind: Kind,
    seatings: Sequence[Seating] | None = None,
    hosts: Collection[str] = (),
) -> Verification:
    """Check a game of the home; given its seatings, who holds them and who chose the dice, too.

    `hosts` are the names of players who have a GM's address.
    """
    differences = (*check_chain(record), *check_dice(record), *compare_replay(record, kind))
    rebuilt = Rebuilt(record=record, differences=differences)
    chance = () if seatings is None else _describe_luck(record, seatings, hosts)
    faults = [Fault(file=one.part, step=one.step, message=one.message) for one in rebuilt.faults]
    standing = _check_standing(record.game, record.steps)
    faults += [Fault(file="game", step=None, message=one) for one in standing]
    if seatings is not None:
        holders = bind_seats(record.game.seats, last_seatings(seatings))
        wrong = sorted(seat for seat, _ in record.game.roster.items() - holders.items())
        faults += [
            _of_file("seatings", f"who plays {one} is not what was recorded") for one in wrong
        ]
    return Verification(
        game=record.game.id,
        faults=tuple(faults),
        notes=(*_list_reservations(rebuilt, kind), *chance),
        links=len(record.links),
        replayed=0 if faults else _count_replayed(record),
    )


def verify_archive(
    files: Files,
    library: Library,
    texts: Callable[[Kind], "Texts"] | None = None,
    *,
    name: str = "the archive",
) -> Verification:
    """Check everything in an archive that can be checked; `texts` makes texts and pages again, too.

    `name` identifies the archive until its own name has been read.
    """
    if places.CHAIN_FILE not in files:
        return Verification(game=name, faults=(_of_file(places.CHAIN_FILE, "is missing"),))
    try:
        chain = parse_chain(files[places.CHAIN_FILE])
    except ArchiveTrouble as trouble:
        return Verification(game=name, faults=(_of_file(trouble.file, trouble.message),))
    faults = tuple(_check_digests(files, chain))
    notes = tuple(_find_strangers(files, chain))
    verdict = Verification(game=name, faults=faults, notes=notes, files=len(chain.files))
    try:
        archive = read_archive(files)
    except ArchiveTrouble as trouble:
        return replace(
            verdict, faults=_add_faults(faults, [_of_file(trouble.file, trouble.message)])
        )
    return _judge(verdict, archive, library, files, texts)


def _judge(
    verdict: Verification,
    archive: Archive,
    library: Library,
    files: Files,
    texts: Callable[[Kind], "Texts"] | None,
) -> Verification:
    record = archive.dossier.record
    verdict = replace(verdict, game=record.game.id)
    try:
        kind = library.kind(record.game.kind, record.game.components)
        rebuilt, reservations = _replay(archive, kind)
        faults = [_make_fault(one, record) for one in rebuilt.faults]
        faults += _check_facts(archive)
        if not faults:
            faults += _check_result(archive, rebuilt.record, kind, read_result(files))
    except (Refused, Impossible) as wrong:  # no such kind of game here, or components that fail
        return replace(
            verdict,
            faults=_add_faults(verdict.faults, [_of_file(places.GAME_FILE, str(wrong))]),
        )
    notes = list(reservations)
    if archive.is_playable:
        notes += _describe_luck(record, archive.dossier.seatings)
    if texts is not None and not archive.is_record:
        if archive.rendered != kind.reporting:
            notes.append("texts were made by another version: they were checked by digest only")
        elif not verdict.faults:
            present_files = {path: files[path] for path in files if files[path]}
            faults += _render_again(present_files, texts(kind))
    return replace(
        verdict,
        faults=_add_faults(verdict.faults, faults),
        notes=(*verdict.notes, *notes),
        seed_digest=archive.dossier.seed_digest,
        last_link=record.links[-1].digest if record.links else None,
        links=len(record.links),
        replayed=0 if faults or not archive.is_playable else _count_replayed(rebuilt.record),
    )


def _check_facts(archive: Archive) -> Iterator[Fault]:
    """Check game.yaml against the rest."""
    record = archive.dossier.record
    if archive.opened and digest(record.game.seed) != archive.dossier.seed_digest:
        yield _of_file(places.GAME_FILE, "seed_digest is not the SHA-256 of the seed")
    for message in _check_standing(record.game, record.steps):
        yield _of_file(places.GAME_FILE, message)


def _check_result(
    archive: Archive, record: Record, kind: Kind, result: Mapping[str, Any]
) -> Iterator[Fault]:
    """Check result.yaml against the last position."""
    expected = summarize_result(record, kind) if archive.opened and record.is_revealed else {}
    for name in result:
        if expected.get(name) != result[name]:
            yield _of_file(places.RESULT_FILE, f"{name} is not the result of the game")


# ---- files


def _check_digests(files: Files, chain: Chain) -> Iterator[Fault]:
    for path, value in chain.files.items():
        if path == places.PRIVATE_FILE and path not in files:
            continue
        if path not in files:
            yield _of_file(path, "is missing, though chain.txt lists it")
        elif digest(files[path]) != value:
            yield _of_file(path, "was changed: its SHA-256 is not the one in chain.txt")


def _find_strangers(files: Files, chain: Chain) -> Iterator[str]:
    own_paths = (places.CHAIN_FILE, *chain.files)
    sample = f"{places.SAMPLE_FOLDER}/"
    strangers = [path for path in files if path not in own_paths and not path.startswith(sample)]
    if strangers:
        names = ", ".join(strangers[:3]) + (" …" if len(strangers) > 3 else "")
        yield f"not part of the archive, not checked: {names}"
    if places.PRIVATE_FILE in chain.files and places.PRIVATE_FILE not in files:
        yield "private.yaml is not in the archive: addresses and preferences were not checked"


def _of_file(path: str, message: str) -> Fault:
    return Fault(file=path, step=_step_of(path), message=message)


def _step_of(path: str) -> str | None:
    """Name the step that a file belongs to, as players write it: 3-jump."""
    parts = path.split("/")
    if parts[0] != places.STEPS_FOLDER or len(parts) < 3:
        return None
    number, _, phase = parts[1].partition("-")
    return f"{int(number)}-{phase}" if number.isdigit() else parts[1]


# ---- what the files say


def _count_replayed(record: Record) -> int:
    return sum(s.state is not None and s.number >= record.since for s in record.steps)


def _replay(archive: Archive, kind: Kind) -> tuple[Rebuilt, tuple[str, ...]]:
    """Check the game and replay it where possible; also returns what remains unverified."""
    record = archive.dossier.record
    if not archive.is_playable:
        if record.is_revealed:
            lacks = "seed is" if archive.whole else "states and orders are"
            raise Refused(f"the game is over, but its {lacks} not here")
        open_end = _SEEDLESS if archive.whole else _RUNNING
        return Rebuilt(record=record, differences=_check_public(record)), (open_end,)
    if archive.is_record:
        rebuilt = rebuild_record(archive, kind)
    else:
        chain_differences, withheld = check_chain_except_withheld(archive.dossier)
        differences = (*chain_differences, *compare_replay(record, kind))
        rebuilt = Rebuilt(record=record, differences=differences, withheld=withheld)
    return rebuilt, tuple(_list_reservations(rebuilt, kind))


def _check_public(record: Record) -> tuple[Difference, ...]:
    return (*check_lineage(record), *check_dice(record))


def _check_standing(game: Game, steps: Sequence[Step]) -> Iterator[str]:
    """Check what the game says of its status against its steps, since play continues from it."""
    last = max((step.number for step in steps), default=-1)
    if game.next_number <= last:
        yield f"next_number is {game.next_number}, but there is a step of number {last}"
    open_steps = {step.number for step in steps if step.closed is None and not step.void}
    if game.open_step is not None and game.open_step not in open_steps:
        yield f"open_step is {game.open_step}, but no such step is open"
    if (game.open_step is None) == (game.status in (Status.RUNNING, Status.PAUSED)):
        yield f"status is {game.status}, but open_step is {game.open_step}"


def _list_reservations(rebuilt: Rebuilt, kind: Kind) -> Iterator[str]:
    """List, one sentence each, what a replay without faults still doesn't prove."""
    record, withheld = rebuilt.record, rebuilt.withheld
    if not record.game.verifiable:
        yield ("the host chose the seed, it was not drawn: the dice could be known in advance")
    yield from describe_dice(record)
    if record.since:
        yield f"steps before {record.since} ran under older rules: checked against the chain only"
    if record.game.rules_digest != kind.digest:
        yield "the rules code has changed since the game was played"
    if record.retold:
        yield "the reports were made again at the import; they are not the ones that players got"
    elif any(one.reworded for one in rebuilt.differences):
        yield "reports are worded differently by this version; rules, states and events agree"
    if withheld:
        subject = "1 report holds" if withheld == 1 else f"{withheld} reports hold"
        yield f"{subject} private press, which is left out: not compared with the chain"


def _describe_luck(
    record: Record, seatings: Sequence[Seating], hosts: Collection[str] = ()
) -> Iterator[str]:
    """Describe what influence the players had on the dice."""
    if not (record.game.verifiable and record.steps):
        return
    words_by_seat = trace_words(record) if is_asked_each_turn(record.game) else {}
    for seat, words in words_by_seat.items():
        yield from _describe_words(seat, words)
    if not find_luck_seats(record.game, seatings, record.steps[0], hosts):
        yield SERVER_ALONE if not words_by_seat else _SETUP_ALONE


def _describe_words(seat: Seat, words: GivenWords) -> Iterator[str]:
    if not (words.mixed or words.missing):
        yield f"{seat} sent no luck words that fit"
    if words.mixed:
        steps = format_count(len(words.mixed), "step")
        yield f"luck words of {seat} are mixed into the dice of {steps}"
    if words.missing:
        yield f"{seat} sent no luck word that fits in {', '.join(words.missing)}"


def _make_fault(difference: Difference, record: Record) -> Fault:
    step = record.steps_by_name.get(difference.step)
    part, _, seat = difference.part.partition("/")
    of_file = step if part != "link" else None
    path = places.part_path(of_file, part, seat) if of_file else places.CHAIN_FILE
    return Fault(file=path, step=difference.step, message=difference.message)


def _render_again(files: Files, render: "Texts") -> Iterator[Fault]:
    folders: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = content
    for folder, there in folders.items():
        if "report.json" not in there:
            continue
        above = folders.get(folder.rpartition("/")[0], {})
        for name, expected in render(decode(there["report.json"]), above).items():
            if there.get(name) != expected:
                message = "is not what its report document gives when it is rendered again"
                yield _of_file(f"{folder}/{name}", message)


def _add_faults(faults: Iterable[Fault], new_faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Add all faults, each message once per file."""
    return tuple(dict.fromkeys((*faults, *new_faults)))
