"""A game from its record: played again, with every state, event and report."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.read import Archive, read_archive
from adjudicator.adapters.archive.report_facts import WITHHELD, UsualFacts, merge_facts
from adjudicator.core.chain import Link
from adjudicator.core.document import encode
from adjudicator.desk.model.ports import Kind, Library
from adjudicator.desk.model.values import Paper, Step
from adjudicator.desk.outbox.report import decode_events
from adjudicator.desk.steps.record import UNMADE, Difference, Record, check_chain, link_part_name
from adjudicator.desk.steps.replay import (
    Recomputed,
    executed_orders,
    file_record,
    recompute_step,
    remake_report,
)


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """A game played again, and how it compares with its chain."""

    record: Record
    differences: tuple[Difference, ...]
    """With the reports that are worded differently now."""
    withheld: int = 0
    """Reports that held private press: they cannot be made again."""

    @property
    def faults(self) -> tuple[Difference, ...]:
        """The differences with which something is wrong."""
        return tuple(one for one in self.differences if not one.reworded)


def rebuild_archive(files: Files, library: Library) -> Archive:
    """The game of an archive with all its steps; those of a record are computed again."""
    archive = read_archive(files)
    if not (archive.is_record and archive.is_playable):
        return archive
    game = archive.dossier.record.game
    rebuilt = rebuild_record(archive, library.kind(game.kind, game.components))
    wanting = any(_is_report(one) for one in rebuilt.differences)
    record = replace(rebuilt.record, retold=wanting or rebuilt.withheld > 0)
    return replace(archive, dossier=replace(archive.dossier, record=record))


def rebuild_record(archive: Archive, kind: Kind) -> Rebuilt:
    """Play a record again, in the order of its chain, and check that against the chain."""
    record = archive.dossier.record
    steps = {step.number: step for step in record.steps}
    links = [link for link in record.links if link.kind not in UNMADE]
    reporting = {step.name: step.reporting for step in record.steps}
    states: dict[int, Any] = {}
    played: dict[int, Recomputed] = {}
    failed: list[Difference] = []
    filed = replace(file_record(record), steps=steps)
    for link in links:
        step = next((one for one in record.steps if one.name == link.step), None)
        if step is None:
            continue
        try:
            if step.number >= record.since:
                again = played[step.number] = recompute_step(filed, kind, step, states)
                states[step.number] = again.state
                steps[step.number] = _closed(kind, step, again)
        except Exception as wrong:  # a rule may stumble over orders that were tampered with
            told = f"cannot be computed again ({type(wrong).__name__})"
            failed.append(Difference(step=step.name, part="state", message=told))
    whole = replace(record, steps=tuple(steps.values()))
    papers = tuple(_papers(archive, whole, kind, links, played)) if not failed else ()
    whole = replace(whole, papers=papers)
    held = {
        (name, link_part_name("report", who))
        for name, own in archive.facts.items()
        for who in own
        if WITHHELD in own[who]
    }
    found = [
        replace(one, reworded=reporting.get(one.step) != kind.reporting and _is_report(one))
        for one in check_chain(whole)
        if (one.step, one.part) not in held
    ]
    return Rebuilt(record=whole, differences=(*failed, *found), withheld=len(held))


def _is_report(difference: Difference) -> bool:
    return difference.part.partition("/")[0] == "report"


def _closed(kind: Kind, step: Step, again: Recomputed) -> Step:
    return replace(step, state=encode(kind.rules.dump(again.state)), events=encode(again.events))


def _papers(
    archive: Archive,
    record: Record,
    kind: Kind,
    links: Sequence[Link],
    played: Mapping[int, Recomputed],
) -> Iterator[Paper]:
    """The reports that the chain commits to."""
    filed = file_record(record)
    usual = UsualFacts(record, kind, archive.dossier.seatings)
    for link in links:
        step = filed.names.get(link.step)
        if step is None or step.state is None:
            continue
        again = played.get(step.number)
        if again is None:  # it ran under older rules
            again = Recomputed(kind.state(step.state), decode_events((step,)))
        executed = {own.seat: own for own in executed_orders(filed, step)}
        for part in link.commitments:
            name, _, seat = part.partition("/")
            if name != "report":
                continue
            facts = merge_facts(usual.of(step, seat or None), archive.facts, step, seat or None)
            paper = Paper(
                game=record.game.id,
                step=step.number,
                seat=seat or None,
                number=facts["number"],
                document=encode(facts),
            )
            with suppress(Exception):  # what the code of today cannot make is left out
                document = remake_report(filed, kind, step, again, paper, executed)
                yield replace(paper, document=document)
