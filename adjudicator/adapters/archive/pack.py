"""Make the files of an archive from a game; pure, so that repeating it gives the same bytes."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from adjudicator.adapters.archive import chain_file, places
from adjudicator.adapters.archive.order_sheet import format_order_sheet, read_kept
from adjudicator.adapters.archive.places import ArchiveTrouble, Files
from adjudicator.adapters.archive.public import publish_dossier
from adjudicator.adapters.archive.rebuild import unusual_facts
from adjudicator.adapters.archive.sheets import (
    EVERYTHING,
    PUBLIC_ONLY,
    RECORD,
    format_lines,
    format_sheet,
    game_sheet,
    press_lines,
    private_sheet,
    summarize_result,
)
from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.core.document import digest, encode
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import OrderSet, Paper, Step

if TYPE_CHECKING:
    from adjudicator.adapters.archive.reports import Texts


def pack_record(dossier: Dossier, kind: Kind) -> Files:
    """Pack the files of a record: small, free of secrets, and enough to replay the game.

    The record of a running game contains neither the seed nor orders.
    """
    dossier = publish_dossier(dossier)
    files = _pack_facts(dossier, kind, RECORD)
    return {**files, places.CHAIN_FILE: chain_file.format_chain(dossier.record.links, files)}


def pack_archive(
    dossier: Dossier,
    render: "Texts",
    *,
    public: bool = False,
    there: Mapping[str, str] = chain_file.NONE_THERE,
) -> Files:
    """Pack the files of the full archive by path, chain.txt included.

    `there`: the digests of files that lie there already, with texts as they would be made now. The
    steps among them that have not changed are left out, and only listed in chain.txt.
    """
    dossier = publish_dossier(dossier) if public else dossier
    record = dossier.record
    files = _pack_facts(dossier, render.kind, PUBLIC_ONLY if public else EVERYTHING)
    if not public:
        files[places.PRIVATE_FILE] = private_sheet(dossier)
        files[places.HISTORY_FILE] = format_lines(dossier.notes)
    if dossier.press:
        files[places.PRESS_FILE] = press_lines(dossier)
    standing: dict[str, str] = {}
    lying = _group_by_step(there)
    for step in record.steps:
        papers = record.list_papers(step)
        parts = _pack_parts(step, record.list_orders(step), papers)
        beside = lying.get(places.step_folder(step), {})
        if _is_same(parts, beside):
            standing |= beside
        else:
            files |= {**parts, **_render_texts(step, papers, render)}
    files[places.CHAIN_FILE] = chain_file.format_chain(record.links, files, standing)
    return files


def _group_by_step(paths: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Group the files in the folders of steps by these folders."""
    grouped: dict[str, dict[str, str]] = {}
    for path, value in paths.items():
        folder = "/".join(path.split("/")[:2])
        grouped.setdefault(folder, {})[path] = value
    return grouped


def _is_same(parts: Files, there: Mapping[str, str]) -> bool:
    """Whether the parts of a step that lie there are these; texts follow from them."""
    names = places.PART_FILES.values()
    digests = {path: value for path, value in there.items() if path.rpartition("/")[2] in names}
    return digests == {path: digest(content) for path, content in parts.items()}


def _pack_facts(dossier: Dossier, kind: Kind, contents: str) -> Files:
    """Pack what makes a record: game.yaml, orders.yaml and, for a finished game, result.yaml."""
    _check_names(dossier)
    record = dossier.record
    is_open = contents == EVERYTHING or record.is_revealed
    facts = unusual_facts(dossier, kind) if is_open else {}
    files = {
        places.GAME_FILE: game_sheet(dossier, kind, contents=contents),
        places.ORDERS_FILE: format_order_sheet(record, kind.reporting, facts),
    }
    if record.is_revealed:
        files[places.RESULT_FILE] = format_sheet(summarize_result(record, kind))
    return files


def _check_names(dossier: Dossier) -> None:
    """Refuse names that cannot be the names of folders."""
    game = dossier.record.game
    phases = {step.phase for step in dossier.record.steps}
    for name in (game.id, game.kind, *game.seats, *sorted(phases)):
        if not places.NAME_PATTERN.fullmatch(name):
            raise ArchiveTrouble(game.id, f'"{name}" cannot be the name of a folder')


def _pack_parts(step: Step, orders: Iterable[OrderSet], papers: Iterable[Paper]) -> Files:
    """Pack what is to be known of a step: orders, events, state and report documents."""
    files = {places.part_path(step, "orders", one.seat): one.orders for one in orders}
    if step.state is not None:
        events = places.part_path(step, "events")
        files[events] = _encode_lines(read_kept(events, step.events))
        files[places.part_path(step, "state")] = step.state
    reports = {places.part_path(step, "report", one.seat): one.document for one in papers}
    return files | reports


def _render_texts(step: Step, papers: Iterable[Paper], render: "Texts") -> Files:
    """Render the texts of a step's reports."""
    files: Files = {}
    above: Mapping[str, bytes] = {}
    for paper in sorted(papers, key=lambda paper: paper.seat or ""):  # the public's comes first
        path = places.part_path(step, "report", paper.seat)
        beside = path.removesuffix("report.json")
        texts = render(read_kept(path, paper.document), above)
        files |= {f"{beside}{name}": content for name, content in texts.items()}
        if paper.seat is None:
            above = texts
    return files


def _encode_lines(values: Iterable[object]) -> bytes:
    return b"".join(encode(value) + b"\n" for value in values)
