"""Rebuild a game from its record: every state, event and report.

Most of the desk's facts in reports follow from the rest of a record, which keeps the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from adjudicator.adapters.archive.order_sheet import WITHHELD, read_kept
from adjudicator.adapters.archive.places import Files, part_path
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.stored_game import Archive, Dossier, ReportFacts
from adjudicator.core.chain import Link
from adjudicator.core.document import Document, Seat, encode
from adjudicator.core.game import Due, Over
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.ports import Kind, Library
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.settings import settings_of
from adjudicator.desk.model.values import Paper, Player, Seating, Step
from adjudicator.desk.outbox.form import form_facts
from adjudicator.desk.outbox.report import decode_events, due_facts, known_facts, report_facts
from adjudicator.desk.steps.chance import check_dice
from adjudicator.desk.steps.press import publish_report
from adjudicator.desk.steps.publish import report_orders
from adjudicator.desk.steps.record import (
    UNMADE,
    Difference,
    Record,
    check_chain,
    find_withheld,
    name_link_part,
)
from adjudicator.desk.steps.replay import Recomputed, Replay


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """A game played again, and how it compares with its chain."""

    record: Record
    differences: tuple[Difference, ...]
    """With the reports that are worded differently now."""
    withheld: int = 0
    """Reports that cannot be checked without private press that was left out."""

    @property
    def faults(self) -> tuple[Difference, ...]:
        """The differences that are faults."""
        return tuple(one for one in self.differences if not one.reworded)


def rebuild_archive(files: Files, library: Library) -> Archive:
    """Rebuild the game of an archive with all its steps, computing those of a record again."""
    archive = read_archive(files)
    if not archive.is_playable:
        return archive
    dossier = archive.dossier
    if not archive.is_record:
        _, withheld = check_chain_except_withheld(dossier)
        record = replace(dossier.record, retold=dossier.record.retold or withheld > 0)
        return replace(archive, dossier=replace(dossier, record=record))
    game = archive.dossier.record.game
    rebuilt = rebuild_record(archive, library.kind(game.kind, game.components))
    wanting = any(_is_report(one) for one in rebuilt.differences)
    record = replace(rebuilt.record, retold=wanting or rebuilt.withheld > 0)
    return replace(archive, dossier=replace(archive.dossier, record=record))


def rebuild_record(archive: Archive, kind: Kind) -> Rebuilt:
    """Replay a record in the order of its chain, and check the outcome against the chain."""
    record = archive.dossier.record
    links = [link for link in record.links if link.kind not in UNMADE]
    replay = Replay(record, kind)
    outcomes: dict[int, Recomputed] = {}
    failures: list[Difference] = []
    for link in links:
        step = record.steps_by_name.get(link.step)
        if step is None:
            continue
        try:
            if step.number >= record.since:
                again = outcomes[step.number] = replay.recompute(step)
                replay.states[step.number] = again.state
                replay.steps[step.number] = _close_step(kind, step, again)
        except Exception as wrong:  # a rule may fail on orders that were tampered with
            message = f"cannot be computed again ({type(wrong).__name__})"
            failures.append(Difference(step=step.name, part="state", message=message))
    whole = replace(record, steps=tuple(replay.steps.values()))
    remade = Replay(whole, kind)
    remade.states = replay.states
    papers = tuple(_remake_papers(archive, remade, links, outcomes)) if not failures else ()
    whole = replace(whole, papers=papers)
    differences, withheld = check_chain_except_withheld(replace(archive.dossier, record=whole))
    differing = [
        replace(one, reworded=_is_report(one) and _was_worded_by_others(record, one.step, kind))
        for one in differences
    ]
    return Rebuilt(record=whole, differences=(*failures, *differing), withheld=withheld)


def check_chain_except_withheld(dossier: Dossier) -> tuple[Sequence[Difference], int]:
    """Check the chain except for reports with private press left out; returns their number, too."""
    record = dossier.record
    whole = {
        (record.steps_by_number[paper.step].name, paper.seat)
        for paper in record.papers
        if publish_report(paper.document) != paper.document
    }
    withheld = {(step, name_link_part("report", seat)) for step, seat in dossier.withheld - whole}
    differences = (*check_chain(record), *check_dice(record))
    return [one for one in differences if (one.step, one.part) not in withheld], len(withheld)


def _was_worded_by_others(record: Record, step: str, kind: Kind) -> bool:
    """Whether the reports of a step were made by code other than today's."""
    own_step = record.steps_by_name.get(step)
    return own_step is None or own_step.reporting != kind.reporting


def _is_report(difference: Difference) -> bool:
    return difference.part.partition("/")[0] == "report"


def _close_step(kind: Kind, step: Step, again: Recomputed) -> Step:
    return replace(step, state=encode(kind.rules.dump(again.state)), events=encode(again.events))


def _remake_papers(
    archive: Archive, replay: Replay, links: Sequence[Link], outcomes: Mapping[int, Recomputed]
) -> Iterator[Paper]:
    """Make the reports that the chain commits to again."""
    record, usual = replay.record, _UsualFacts(replay, archive.dossier.seatings)
    for link in links:
        step = record.steps_by_name.get(link.step)
        if step is None or step.state is None:
            continue
        again = outcomes.get(step.number)
        if again is None:  # it ran under older rules
            again = Recomputed(replay.find_state(step), decode_events((step,)))
        for part in link.commitments:
            name, _, seat = part.partition("/")
            if name != "report":
                continue
            facts = _merge_facts(usual.of(step, seat or None), archive.facts, step, seat or None)
            paper = Paper(
                game=record.game.id,
                step=step.number,
                seat=seat or None,
                number=facts["number"],
                document=encode(facts),
            )
            with suppress(Exception):  # what today's code cannot make is left out
                document = replay.remake_report(step, again, paper)
                yield replace(paper, document=document)


# ---- the facts of reports


class _UsualFacts:
    """The desk's facts in a report, as far as they follow from the rest of the record."""

    def __init__(self, replay: Replay, seatings: Sequence[Seating]) -> None:
        self._replay = replay
        self._record = record = replay.record
        self._seatings = seatings
        self._zone = settings_of(record.game.settings).zone
        self._following: dict[int, Step] = {}
        for step in reversed(record.steps):
            if step.predecessor is not None and step.phase != "ruling":
                self._following[step.predecessor] = step
        self._due: dict[int, Any] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        counts: dict[str, int] = {}
        for link in record.links:
            for part in link.commitments:
                counts[part] = counts.get(part, 0) + 1
                self._numbers[link.step, part] = counts[part]

    def of(self, step: Step, seat: Seat | None) -> Document:
        """Return the facts of a reader's report of a closed step."""
        following = self._following.get(step.number)
        executed = self._record.find_executed(step)
        return report_facts(
            kind=self._replay.kind,
            game=self._record.game,
            seat=seat,
            player=self._player(step, seat),
            number=self._numbers.get((step.name, f"report/{seat}"), 0) if seat else step.number,
            step=step.name,
            due=due_facts(following, self._find_owed(step), seat, self._zone),
            orders=report_orders(executed, seat, ()),
            form=form_facts(self._record.game, following, 0, None) if following and seat else None,
        )

    def _find_owed(self, step: Step) -> Any:
        if step.number not in self._due:
            kind: Any = self._replay.kind  # mypy takes no protocol for hashable
            states = self._replay.states
            if step.number in states:
                self._due[step.number] = _list_due(kind, states[step.number])
            else:
                self._due[step.number] = _read_due(kind, step.state or b"")
        return self._due[step.number]

    def _player(self, step: Step, seat: Seat | None) -> Player | None:
        for one in self._seatings:
            if one.seat == seat and one.since <= (step.closed or one.since):
                still = one.until is None or (step.closed is not None and step.closed < one.until)
                if still and one.kind == PLAYER and one.player:
                    return Player(name=one.player)
        return None


def _list_due(kind: Kind, state: Any) -> Mapping[Seat, Due]:
    due = kind.rules.due(state)
    return {} if isinstance(due, Over) else due


@lru_cache(maxsize=1024)
def _read_due(kind: Kind, state: bytes) -> Mapping[Seat, Due]:
    """Read who owes orders; steps of games that go on are asked about after each closing."""
    return _list_due(kind, kind.state(state))


def unusual_facts(dossier: Dossier, kind: Kind) -> ReportFacts:
    """Find the facts of reports that must be kept because the rest of the record lacks them."""
    record = dossier.record
    usual = _UsualFacts(Replay(record, kind), dossier.seatings)
    withheld = dossier.withheld | find_withheld(record)
    facts: dict[str, dict[str, Document]] = {}
    for paper in sorted(record.papers, key=lambda paper: (paper.step, paper.seat or "")):
        step = record.steps_by_number[paper.step]
        path = part_path(step, "report", paper.seat)
        actual = known_facts(read_kept(path, publish_report(paper.document)))
        expected = dict(usual.of(step, paper.seat))
        own = facts.setdefault(step.name, {})
        if paper.seat is not None:
            expected["press"] = own.get(PUBLIC, {}).get("press", expected["press"])
        unusual = {key: value for key, value in actual.items() if value != expected.get(key)}
        if (step.name, paper.seat) in withheld:
            unusual[WITHHELD] = True
        if unusual:
            own[paper.seat or PUBLIC] = unusual
    return facts


def _merge_facts(usual: Document, facts: ReportFacts, step: Step, seat: Seat | None) -> Document:
    """Merge the usual facts of a report with those kept in the record."""
    own = facts.get(step.name, {})
    press = {"press": own.get(PUBLIC, {}).get("press", usual["press"])}
    return {**usual, **press, **own.get(seat or PUBLIC, {})}
