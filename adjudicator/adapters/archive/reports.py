"""The texts and pages of a report that an archive holds beside the document.

Most of what a step's pages show is the same for all its readers: the public's stands in the folder
of the step, and pages of seats, a folder further down, show it from there.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.adapters.archive.places import ArchiveTrouble, part_path
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer, Surroundings, draw_pictures
from adjudicator.core.document import Document, decode, encode
from adjudicator.core.report import build_report_schema
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.steps.record import Record

_TEXT: Final = "report.txt"
_PAGE: Final = "report.html"
_STYLE: Final = "report.css"

_STYLES = re.compile(r"<style[^>]*>(.*?)</style>\n", re.DOTALL)
_SHOWN = 200
NO_TEXTS: Final[Mapping[str, bytes]] = {}


class Texts:
    """Renders reports with the templates of one game."""

    def __init__(self, printer: Printer, kind: Kind) -> None:
        self._printer = printer
        self._game = kind.game
        self.kind = kind

    def __call__(
        self, document: Document, above: Mapping[str, bytes] = NO_TEXTS
    ) -> Mapping[str, bytes]:
        """Render files by name; pictures and styles in the parent folder are left out."""
        pictures = list(draw_pictures(self._printer, document, self._game))
        assets = {f"{one.name}.svg": one.content for one in pictures}

        def source(file: str) -> str:
            return f"../{file}" if above.get(file) == assets[file] else file

        placed_pictures = [replace(one, source=source(f"{one.name}.svg")) for one in pictures]
        files: dict[str, bytes] = {}
        if self._printer.has(_PAGE, self._game):
            around = Surroundings(pictures=placed_pictures)
            page = self._printer.page(_PAGE, document, self._game, around)
            assets[_STYLE] = "".join(_STYLES.findall(page)).encode()
            files[_PAGE] = _link_styles(page, source(_STYLE)).encode()
        if self._printer.has(_TEXT, self._game):
            files[_TEXT] = self._printer.text(_TEXT, document, self._game).encode()
        own = {file: content for file, content in assets.items() if above.get(file) != content}
        return files | own


def _link_styles(page: str, sheet: str) -> str:
    """Link the style sheet beside the page: it is a third of the bytes, and always the same."""
    link = f'<link rel="stylesheet" href="{sheet}">\n'
    return _STYLES.sub("", _STYLES.sub(link, page, count=1))


def find_report_faults(frame: Document, own: Document) -> Callable[[Document], Iterator[Any]]:
    """Make the check of a report against the schema; it yields errors of jsonschema.

    Reports of a game change little between steps and readers, so a part that was valid once is not
    checked again.
    """
    from jsonschema import Draft202012Validator  # not needed to write archives only
    from jsonschema.validators import extend

    good: set[tuple[int, bytes]] = set()

    def look(validator: Any, schema: Document, part: Any, path: str | int) -> Iterator[Any]:
        key = (id(schema), encode(part))
        if key not in good:
            errors = [*validator.descend(part, schema, path=path)]
            if not errors:
                good.add(key)
            yield from errors

    def items(validator: Any, schema: Document, value: Any, _: Document) -> Iterator[Any]:
        for number, part in enumerate(value if isinstance(value, list) else ()):
            yield from look(validator, schema, part, number)

    def properties(validator: Any, schema: Document, value: Any, _: Document) -> Iterator[Any]:
        for name in schema if isinstance(value, Mapping) else ():
            if name in value:
                yield from look(validator, schema[name], value[name], name)

    own_words = {"items": items, "properties": properties, "allOf": _check_cases}
    quick = extend(Draft202012Validator, own_words)  # type: ignore[no-untyped-call]
    validator: Draft202012Validator = quick(build_report_schema(frame, own))
    return validator.iter_errors


def _check_cases(
    validator: Any, cases: Sequence[Document], event: Any, _: Document
) -> Iterator[Any]:
    for number, case in enumerate(cases):
        if not _is_about_another_kind(case, event):
            yield from validator.descend(event, case, schema_path=number)


def _is_about_another_kind(case: Document, event: Any) -> bool:
    """Find at a glance that a case says nothing of an event; there are as many cases as kinds."""
    if not isinstance(event, Mapping) or set(case) != {"if", "then"}:
        return False
    match case["if"]:
        case {"properties": {"kind": {"const": str(kind)}}}:
            return isinstance(event.get("kind"), str) and event["kind"] != kind
    return False


def check_report_shapes(record: Record, library: FolderLibrary) -> None:
    """Refuse reports that no page can show; older ones may lack newer parts."""
    kind = library.kind(record.game.kind, record.game.components)
    faults = find_report_faults(library.common("report").schema, kind.reported())
    for paper in record.papers:
        step = record.steps_by_number[paper.step]
        path = part_path(step, "report", paper.seat)
        document = decode(paper.document)
        for error in faults(document):
            raise ArchiveTrouble(path, f"{error.json_path}: {error.message}"[:_SHOWN])
        for section in document.get("sections", ()):
            if {len(row) for row in section.get("rows", ())} - {len(section.get("columns", ()))}:
                raise ArchiveTrouble(path, "a table has rows that do not fit its columns")
        if (document["step"], document["seat"]) != (step.name, paper.seat):
            raise ArchiveTrouble(path, "it is the report of another step or seat")
