"""The desk's facts in reports: most follow from the rest of a record, which keeps the others."""

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.adapters.archive.dossier import Dossier
from adjudicator.adapters.archive.order_sheet import ReportFacts, read_kept
from adjudicator.adapters.archive.places import part_path
from adjudicator.core.document import Document, Seat
from adjudicator.core.game import Over
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.settings import settings_of
from adjudicator.desk.model.values import Player, Seating, Step
from adjudicator.desk.outbox.form import form_facts
from adjudicator.desk.outbox.report import known_facts, report_facts
from adjudicator.desk.steps.press import EVERYBODY, UNNAMED
from adjudicator.desk.steps.publish import report_due, report_orders
from adjudicator.desk.steps.record import Record
from adjudicator.desk.steps.replay import executed_orders, file_record

WITHHELD: Final = "withheld"
"""Says that a report held private press, which a record leaves out."""


class UsualFacts:
    """What the desk tells in a report, as far as it follows from the rest of the record."""

    def __init__(self, record: Record, kind: Kind, seatings: Sequence[Seating]) -> None:
        self._kind = kind
        self._game = record.game
        self._filed = file_record(record)
        self._seatings = seatings
        self._zone = settings_of(record.game.settings).zone
        self._opened: dict[int, Step] = {}
        for step in reversed(record.steps):
            if step.predecessor is not None and step.phase != "ruling":
                self._opened[step.predecessor] = step
        self._due: dict[int, Any] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        told: dict[str, int] = {}
        for link in record.links:
            for part in link.commitments:
                told[part] = told.get(part, 0) + 1
                self._numbers[link.step, part] = told[part]

    def of(self, step: Step, seat: Seat | None) -> Document:
        """The facts of a reader's report of a closed step."""
        opened = self._opened.get(step.number)
        executed = {own.seat: own for own in executed_orders(self._filed, step)}
        return report_facts(
            kind=self._kind,
            game=self._game,
            seat=seat,
            player=self._player(step, seat),
            number=self._numbers.get((step.name, f"report/{seat}"), 0) if seat else step.number,
            step=step.name,
            due=report_due(opened, self._owed(step), seat, self._zone),
            orders=report_orders(step, executed, seat, ()),
            form=form_facts(self._game.id, opened, 0, None) if opened and seat else None,
        )

    def _owed(self, step: Step) -> Any:
        if step.number not in self._due:
            due = self._kind.rules.due(self._kind.state(step.state or b""))
            self._due[step.number] = {} if isinstance(due, Over) else due
        return self._due[step.number]

    def _player(self, step: Step, seat: Seat | None) -> Player | None:
        for one in self._seatings:
            if one.seat == seat and one.since <= (step.closed or one.since):
                still = one.until is None or (step.closed is not None and step.closed < one.until)
                if still and one.kind == PLAYER and one.player:
                    return Player(name=one.player)
        return None


def unusual_facts(dossier: Dossier, kind: Kind) -> ReportFacts:
    """What of the reports' facts must be kept, because the rest of the record does not tell it."""
    record = dossier.record
    usual = UsualFacts(record, kind, dossier.seatings)
    steps = {step.number: step for step in record.steps}
    found: dict[str, dict[str, Document]] = {}
    for paper in sorted(record.papers, key=lambda paper: (paper.step, paper.seat or "")):
        step = steps[paper.step]
        path = part_path(step, "report", paper.seat)
        known = known_facts(read_kept(path, paper.document))
        expected = dict(usual.of(step, paper.seat))
        own = found.setdefault(step.name, {})
        if paper.seat is not None:
            expected["press"] = own.get(PUBLIC, {}).get("press", expected["press"])
        kept = {key: value for key, value in known.items() if value != expected.get(key)}
        if kept:
            own[paper.seat or PUBLIC] = _without_private_press(kept, expected["press"])
    return found


def _without_private_press(kept: dict[str, Any], expected: Sequence[Document]) -> Document:
    public = [one for one in kept.get("press", ()) if _is_public(one)]
    if len(public) == len(kept.get("press", ())):
        return kept
    others = {key: value for key, value in kept.items() if key != "press"}
    return {**others, **({} if public == expected else {"press": public}), WITHHELD: True}


def _is_public(message: Document) -> bool:
    return bool(message["to"] == EVERYBODY and not str(message["from"]).endswith(UNNAMED))


def merge_facts(usual: Document, told: ReportFacts, step: Step, seat: Seat | None) -> Document:
    """The facts of a report: the usual ones, and those that the record keeps."""
    own = told.get(step.name, {})
    press = {"press": own.get(PUBLIC, {}).get("press", usual["press"])}
    return {**usual, **press, **own.get(seat or PUBLIC, {})}
