"""From a game to the files of its archive; pure, so that writing again gives the same bytes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from adjudicator.adapters.archive import chain_file, places
from adjudicator.adapters.archive.dossier import Dossier
from adjudicator.adapters.archive.places import ArchiveTrouble
from adjudicator.adapters.archive.sheets import game_sheet, press_lines, private_sheet, step_sheet
from adjudicator.core.document import Document, decode, encode
from adjudicator.desk.model.values import OrderSet, Paper, Step
from adjudicator.desk.steps.record import group_by_step

Files = dict[str, bytes]


class Render(Protocol):
    """Makes texts and pages of a report document."""

    version: str
    """Another version may make other bytes of the same document."""

    def __call__(self, document: Document, above: Mapping[str, bytes] = ...) -> Mapping[str, bytes]:
        """File name to content, without what lies in the folder above already."""
        ...


def pack_archive(dossier: Dossier, render: Render, *, public: bool = False) -> Files:
    """Every file of the archive, chain.txt among them, by path."""
    _check_names(dossier)
    record = dossier.record
    hidden = public and not record.is_told
    sheet = game_sheet(dossier, rendered=render.version, public=public)
    files: Files = {places.GAME_FILE: sheet}
    if not public:
        files[places.PRIVATE_FILE] = private_sheet(dossier)
        files[places.HISTORY_FILE] = _lines(dossier.notes)
    if dossier.press:
        files[places.PRESS_FILE] = press_lines(dossier, public=public)
    orders, papers = group_by_step(record.orders), group_by_step(record.papers)
    for step in record.steps:
        own = orders.get(step.number, ()), papers.get(step.number, ())
        files |= _step(step, *own, render, hidden=hidden)
    files[places.CHAIN_FILE] = chain_file.format_chain(record.links, files)
    return files


def _check_names(dossier: Dossier) -> None:
    """Folders are named after them."""
    game = dossier.record.game
    phases = {step.phase for step in dossier.record.steps}
    for name in (game.id, game.kind, *game.seats, *sorted(phases)):
        if not places.NAME_PATTERN.fullmatch(name):
            raise ArchiveTrouble(game.id, f'"{name}" cannot be the name of a folder')


def _step(
    step: Step,
    orders: Iterable[OrderSet],
    papers: Iterable[Paper],
    render: Render,
    *,
    hidden: bool,
) -> Files:
    where = places.step_folder(step)
    files: Files = {f"{where}/{places.STEP_FILE}": step_sheet(step, orders, hidden=hidden)}
    if not hidden:
        files |= dict(_secret_parts(step, orders, where))
    above: Mapping[str, bytes] = {}
    for paper in sorted(papers, key=lambda paper: paper.seat or ""):  # the public's comes first
        if hidden and paper.seat is not None:
            continue
        path = places.report_path(where, paper.seat)
        files[path] = paper.document
        beside = path.removesuffix("report.json")
        made = render(_kept(path, paper.document), above)
        files |= {f"{beside}{name}": content for name, content in made.items()}
        if paper.seat is None:
            above = made
    return files


def _secret_parts(
    step: Step, orders: Iterable[OrderSet], where: str
) -> Iterator[tuple[str, bytes]]:
    for one in orders:
        yield places.orders_path(where, one.seat), one.orders
    if step.state is not None:
        yield places.events_path(where), _lines(_kept(places.events_path(where), step.events))
        yield places.state_path(where), step.state


def _kept(path: str, content: bytes) -> Any:
    """What the store kept for a file; a disk may have damaged it."""
    try:
        return decode(content)
    except (ValueError, RecursionError) as error:
        raise ArchiveTrouble(
            path,
            f"what is kept of it is damaged ({error}); put back a copy of the database, or import "
            "an archive that was written before",
        ) from error


def _lines(values: Iterable[object]) -> bytes:
    return b"".join(encode(value) + b"\n" for value in values)
