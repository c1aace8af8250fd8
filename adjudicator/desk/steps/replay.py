"""Replay: everything that happened, computed again from seed and orders, compared byte by byte."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice, MixedWords, derive_dice_key
from adjudicator.core.document import Document, Impossible, Seat, decode, digest, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.finding import format_path
from adjudicator.desk.model.context import game_names
from adjudicator.desk.model.errors import Changed, Suggest
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Kind
from adjudicator.desk.model.values import Game, OrderSet, Paper, Step
from adjudicator.desk.outbox.report import (
    complete_report,
    decode_events,
    known_facts,
    set_facts,
    since_facts,
)
from adjudicator.desk.steps.chance import is_asked_each_turn, last_words, mix_words
from adjudicator.desk.steps.record import (
    Difference,
    Record,
    group_by_step,
    link_part_name,
    read_record,
)

_SHOWN = 5


class FiledRecord(Struct, frozen=True, kw_only=True):
    """The record with its parts by their steps: a game may have thousands."""

    record: Record
    steps: Mapping[int, Step]
    names: Mapping[str, Step]
    orders: Mapping[int, Sequence[OrderSet]]
    papers: Mapping[int, Sequence[Paper]]


class Recomputed(Struct, frozen=True):
    """A step as it comes out when it is computed again."""

    state: Any
    events: tuple[Event, ...]


def replay_game(record: Record, kind: Kind) -> tuple[Difference, ...]:
    """Compute every closed step again; nothing differs when all is as it was.

    Reports that other code made may read differently now; that is no difference.
    """
    return tuple(one for one in compare_replay(record, kind) if not one.reworded)


def compare_replay(record: Record, kind: Kind) -> Iterator[Difference]:
    """Compute every closed step again, and yield what differs, reworded reports too."""
    filed = file_record(record)
    states: dict[int, Any] = {}
    for step in record.steps:
        if step.state is None or step.number < record.since:
            continue
        try:
            again = recompute_step(filed, kind, step, states)
        except Exception as wrong:  # a rule may stumble over bytes that were tampered with
            # without the words that could tell a hand
            what = type(wrong).__name__
            if isinstance(wrong, Impossible):
                what = f"impossible: {wrong.path}"
            message = f"cannot be computed again ({what})"
            yield Difference(step=step.name, part="state", message=message)
            continue
        states[step.number] = again.state
        yield from _compare(filed, kind, step, again)


def file_record(record: Record) -> FiledRecord:
    """Put a record's parts to their steps."""
    return FiledRecord(
        record=record,
        steps={step.number: step for step in record.steps},
        names={step.name: step for step in record.steps},
        orders=group_by_step(record.orders),
        papers=group_by_step(record.papers),
    )


def recompute_step(
    filed: FiledRecord, kind: Kind, step: Step, states: dict[int, Any]
) -> Recomputed:
    """Compute a step from its predecessor's state, as it was recorded."""
    rules, game = kind.rules, filed.record.as_dealt(step)
    dice = Dice(derive_dice_key(game.seed, game.luck, replay_words(filed, step)), step.dice)
    if step.predecessor is None:
        return Recomputed(rules.setup(game.options, game.seats, dice), ())
    if step.phase == "ruling":
        return Recomputed(rules.load(decode(step.state or b"null")), ())
    before = filed.steps[step.predecessor]
    if step.phase == "end":
        winners = decode(step.state or b"{}").get("over")
        return Recomputed(rules.load({**decode(before.state or b"null"), "over": winners}), ())
    state = states.get(before.number)
    if state is None or encode(rules.dump(state)) != before.state:
        state = rules.load(decode(before.state or b"null"))
    orders = {own.seat: decode(own.orders) for own in executed_orders(filed, step)}
    after, events = rules.resolve(state, orders, dice)
    return Recomputed(after, tuple(events))


def replay_words(filed: FiledRecord, step: Step) -> MixedWords:
    """The luck words in a step's dice: those of the first step that has drawn with them."""
    if not is_asked_each_turn(filed.record.game):
        return ()
    first = next(one for one in filed.record.steps if one.dice == step.dice)
    game = filed.record.as_dealt(first)
    before = last_words(game, filed.orders, first.number)
    return mix_words(game, executed_orders(filed, first), before)


def executed_orders(filed: FiledRecord, step: Step) -> list[OrderSet]:
    """List the sets executed in a step, in seat order."""
    own = {o.seat: o for o in filed.orders.get(step.number, ()) if o.executed}
    return [own[seat] for seat in filed.record.game.seats if seat in own]


def _compare(filed: FiledRecord, kind: Kind, step: Step, again: Recomputed) -> Iterator[Difference]:
    made = encode(kind.rules.dump(again.state))
    if made != step.state:
        yield _differ(step, "state", step.state or b"", made)
    events = encode(again.events)
    if events != step.events:
        yield _differ(step, "events", step.events, events)
    executed = {own.seat: own for own in executed_orders(filed, step)}
    for own in executed.values():
        if digest(own.committed) != own.digest:
            message = f"the digest {own.digest} is not that of the orders"
            yield Difference(
                step=step.name, part=link_part_name("orders", own.seat), message=message
            )
    for paper in filed.papers.get(step.number, ()):
        try:
            again_paper = remake_report(filed, kind, step, again, paper, executed)
        except Exception:  # it, or the events of a step before, were tampered with
            again_paper = b""
        if again_paper != paper.document:
            part = link_part_name("report", paper.seat)
            found = _differ(step, part, paper.document, again_paper)
            yield replace(found, reworded=step.reporting != kind.reporting)


def remake_report(
    filed: FiledRecord,
    kind: Kind,
    step: Step,
    again: Recomputed,
    paper: Paper,
    executed: Mapping[Seat, OrderSet],
) -> bytes:
    """Make the report as it must read, with the desk's facts of the paper; the chain binds them."""
    known = dict(known_facts(decode(paper.document)))
    since = _list_since(filed, known)
    if since:
        orders = [own for one in since for own in filed.orders.get(one.number, ())]
        labels = {one["step"]: one.get("label") for one in known["since"]}
        own_labels = [labels[one.name] for one in since]
        known["since"] = since_facts(since, own_labels, orders, paper.seat)
    known["game"] = game_names(filed.record.game, kind)
    known.update(seat=paper.seat, number=paper.number, step=step.name)
    if known["orders"] is not None and paper.seat is not None:
        known["orders"] = set_facts(executed.get(paper.seat))
    view = kind.rules.view(again.state, paper.seat)
    events = (*decode_events(since), *again.events)
    part = kind.rules.report(view, list_visible(events, paper.seat))
    return encode(complete_report(part, known))


def _list_since(filed: FiledRecord, known: Document) -> list[Step]:
    """The steps of which a report tells beside its own."""
    names = [one["step"] for one in known.get("since", ())]
    return [filed.names[name] for name in names if name in filed.names]


def _differ(step: Step, part: str, recorded: bytes, made: bytes) -> Difference:
    """Where two documents part, without what stands there: the GM may be playing."""
    return Difference(
        step=step.name, part=part, message=f"differs at {_find_place(recorded, made)}"
    )


def _find_place(recorded: bytes, made: bytes) -> str:
    """The first place that is not the same, as a path in the document."""
    try:
        was, now = decode(recorded), decode(made)
    except (ValueError, RecursionError):  # also what is nested without end
        return "bytes that are not JSON"
    return format_path(_find_first(was, now)) or "its bytes, but not its content"


def _find_first(was: Any, now: Any) -> tuple[str | int, ...]:
    if isinstance(was, dict) and isinstance(now, dict):
        pairs = [(key, was.get(key), now.get(key)) for key in sorted({*was, *now})]
    elif isinstance(was, list) and isinstance(now, list):
        if len(was) != len(now):
            return (min(len(was), len(now)),)
        pairs = [(number, *pair) for number, pair in enumerate(zip(was, now, strict=True))]
    else:
        return ()
    return next(((key, *_find_first(a, b)) for key, a, b in pairs if a != b), ())


def pin_rules(books: Books, game: Game, kind: Kind, *, at: datetime) -> Game:
    """The game, if its rules still say what they said: replayed when code or components changed.

    Raises errors.Changed with the differences until the GM accepts them.
    """
    if kind.digest == game.rules_digest:
        return game
    found = replay_game(read_record(books, game.id), kind)
    if found:
        raise Changed(_explain_changed(game, found), suggest=Suggest("accept", game.id))
    same = replace(game, rules_digest=kind.digest)
    books.save(same)
    write_note(
        books,
        game.id,
        "pin",
        "the program changed; a replay gave the same result for every step",
        at=at,
        by="house",
        data={"rules_digest": kind.digest, "before": game.rules_digest},
    )
    return same


def _explain_changed(game: Game, found: tuple[Difference, ...]) -> str:
    differences = [f"{d.step}, {d.part}: {d.message}" for d in found[:_SHOWN]]
    more = len(found) - len(differences)
    if more:
        differences.append(f"and {more} more")
    return (
        f"{game.id}: the rules have changed since it was played, and a replay differs "
        f"({'; '.join(differences)}). Go back to the earlier program, or continue under the "
        "changed rules"
    )
