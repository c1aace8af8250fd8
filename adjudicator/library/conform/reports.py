"""Check reports: their documents match the description and render in every format."""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.document import Document
from adjudicator.core.forms.schema import flatten_schema
from adjudicator.core.report import EVENTS, list_event_kinds, list_fields
from adjudicator.library.conform.game_under_test import NonConformanceError, Subject
from adjudicator.library.game import GameReport

_SAMPLE = 3
"""Steps of each game whose reports are made, beside its last one."""
_WIDTHS = (78, 40)
_PAINTED = 4
"""Of so many reports the pictures of one are drawn as PNG, which takes longest."""


class DescribedPlaces:
    """Which described places values fill, and which they fill that are not described."""

    def __init__(self, own: Document) -> None:
        self.came: set[str] = set()
        self.strange: set[str] = set()
        self._schema = flatten_schema(own, own)

    def see_report(self, report: Document) -> None:
        """Note the position and the events of a report."""
        self.see(report["position"], self._schema["properties"]["position"], "position")
        for event in report["events"]:
            self.see(event["data"], self._schema[EVENTS].get(event["kind"], {}), event["kind"])

    def see(self, value: Any, schema: Document, path: str) -> None:
        """Note a value and everything below it."""
        self.came.add(path)
        if isinstance(value, dict):
            self._see_keys(value, schema, path)
        elif isinstance(value, list):
            for inner in value:
                self.see(inner, schema.get("items", {}), f"{path}[]")

    def _see_keys(self, value: Document, schema: Document, path: str) -> None:
        properties, other = schema.get("properties", {}), schema.get("additionalProperties")
        for key, inner in value.items():
            if key in properties:
                self.see(inner, properties[key], f"{path}.{key}")
            elif isinstance(other, Mapping):
                self.see(inner, other, f"{path}.<{schema.get('x-keys', 'name')}>")
            else:
                self.strange.add(f"{path}.{key}")


def check_described(subject: Subject) -> str:
    """Check that orders/<game> describes every field and kind of event in a sentence."""
    own = subject.kind.reported()
    if not own:
        raise NonConformanceError(
            f"orders/{subject.kind.game}/report.yaml is not there; it describes what reports hold"
        )
    events = list_event_kinds(own)
    fields = [*list_fields(own), *(field for event in events for field in event.fields)]
    for field in fields:
        if not field.what.endswith("."):
            raise NonConformanceError(
                f"report.yaml does not say in a sentence what {field.path} is"
            )
        if field.takes == "anything":
            raise NonConformanceError(f"report.yaml does not say what {field.path} takes")
    for event in events:
        if not event.what.endswith("."):
            raise NonConformanceError(
                f"report.yaml does not say in a sentence what {event.name} is"
            )
    return f"{len(fields)} fields and {len(events)} kinds of events"


def check_reports(subject: Subject) -> str:
    """Check that reports keep their schema and can be rendered as text, HTML, JSON, SVG and PNG."""
    from adjudicator.adapters.archive.reports import find_report_faults

    own, count = subject.kind.reported(), 0
    faults = find_report_faults(subject.library.common("report").schema, own)
    places = DescribedPlaces(own) if own else None
    for what, report in sample_reports(subject):
        if places is not None:
            places.see_report(report.document)
            for strange in sorted(places.strange):
                raise NonConformanceError(f"{what}: report.yaml does not describe {strange}")
        for error in faults(report.document):
            raise NonConformanceError(f"{what}: {error.json_path}: {error.message}")
        try:
            _render(what, report, pictures=count % _PAINTED == 0)
        except NonConformanceError:
            raise
        except Exception as crash:
            raise NonConformanceError(f"{what}: {type(crash).__name__}: {crash}") from crash
        count += 1
    return f"{count} reports as text, HTML, JSON and pictures"


def sample_reports(subject: Subject) -> Iterator[tuple[str, GameReport]]:
    """Make the public's report and one seat's, of some steps and of every end."""
    for game in subject.played:
        ends = game.steps[-1:] if game.end.over else ()
        for step in (*game.sample(_SAMPLE), *ends):
            seats = step.closed.seats
            for seat in (None, seats[step.closed.number % len(seats)]):
                yield f"{step.what}, report of {seat or 'the public'}", step.closed.report(seat)


def _render(what: str, report: GameReport, *, pictures: bool) -> None:
    from adjudicator.adapters.render.png import render_png

    for width in _WIDTHS:
        wide = [line for line in report.text(width).splitlines() if len(line) > width]
        if wide:
            raise NonConformanceError(f"{what}: wider than {width} columns: {wide[0]}")
    if "</html>" not in report.html():
        raise NonConformanceError(f"{what}: the page has no end")
    for name, svg in report.pictures().items():
        if pictures and not render_png(svg).startswith(b"\x89PNG"):
            raise NonConformanceError(f"{what}: the picture {name} cannot be drawn")
