"""Replay a game from seed and orders, and compare it byte by byte."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice, derive_dice_key
from adjudicator.core.document import Document, Impossible, Seat, decode, digest, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.finding import format_path
from adjudicator.desk.model.context import game_names
from adjudicator.desk.model.errors import Changed
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Kind
from adjudicator.desk.model.values import Game, Paper, Step
from adjudicator.desk.outbox.report import (
    ReportedStep,
    complete_report,
    decode_events,
    known_facts,
    make_game_part,
    set_facts,
    since_facts,
)
from adjudicator.desk.steps.chance import find_mixed_words
from adjudicator.desk.steps.record import (
    Difference,
    Record,
    is_as_recorded,
    name_link_part,
    read_record,
)

_SHOWN = 5


class Recomputed(Struct, frozen=True):
    """A step as the replay computes it."""

    state: Any
    events: tuple[Event, ...]


def replay_game(record: Record, kind: Kind) -> tuple[Difference, ...]:
    """Compute every closed step again; nothing differs if the record is intact.

    Reports that other code made may read differently now; that is no difference.
    """
    return tuple(one for one in compare_replay(record, kind) if not one.reworded)


def compare_replay(record: Record, kind: Kind) -> Iterator[Difference]:
    """Compute every closed step again, and yield what differs, including reworded reports."""
    replay = Replay(record, kind)
    for step in record.steps:
        if step.state is None or step.number < record.since:
            continue
        try:
            again = replay.recompute(step)
        except Exception as wrong:  # tampered bytes may make a rule fail
            # without the words that could reveal a hand
            what = type(wrong).__name__
            if isinstance(wrong, Impossible):
                what = f"impossible: {wrong.path}"
            message = f"cannot be computed again ({what})"
            yield Difference(step=step.name, part="state", message=message)
            continue
        content = encode(kind.rules.dump(again.state))
        if content == step.state:
            replay.states[step.number] = again.state
        else:
            yield _differ(step, "state", step.state, content)
        yield from replay.compare(step, again)


class Replay:
    """A game that is played again from its record."""

    def __init__(self, record: Record, kind: Kind) -> None:
        self.record = record
        self.kind = kind
        self.steps = dict(record.steps_by_number)
        """With the outcomes that were computed, where the record has none."""
        self.states: dict[int, Any] = {}
        """The states at hand, which are as they are recorded."""

    def recompute(self, step: Step) -> Recomputed:
        """Compute a step from the state before it."""
        rules, game = self.kind.rules, self.record.as_dealt(step)
        words = find_mixed_words(self.record, step)
        dice = Dice(derive_dice_key(game.seed, game.luck, words), step.dice)
        if step.predecessor is None:
            return Recomputed(self._set_up(step, dice), ())
        if step.phase == "ruling":
            return Recomputed(rules.load(decode(step.state or b"null")), ())
        before = self.steps[step.predecessor]
        if step.phase == "end":
            winners = decode(step.state or b"{}").get("over")
            return Recomputed(rules.load({**decode(before.state or b"null"), "over": winners}), ())
        state = self.states.get(before.number)
        if state is None:
            state = rules.load(decode(before.state or b"null"))
        executed = self.record.find_executed(step)
        orders = {seat: decode(own.orders) for seat, own in executed.items()}
        after, events = rules.resolve(state, orders, dice)
        return Recomputed(after, tuple(events))

    def _set_up(self, step: Step, dice: Dice) -> Any:
        """Set the game up; begun by an earlier version, it remembers no more than it did there."""
        rules, game = self.kind.rules, self.record.as_dealt(step)
        state = rules.setup(game.options, game.seats, dice)
        forget = getattr(rules, "forget", None)
        if forget is None or is_as_recorded(self.record, step, encode(rules.dump(state))):
            return state
        older = forget(state)
        return older if is_as_recorded(self.record, step, encode(rules.dump(older))) else state

    def compare(self, step: Step, again: Recomputed) -> Iterator[Difference]:
        """Compare the events, orders and reports of a step with those that are recorded."""
        events = encode(again.events)
        if events != step.events:
            yield _differ(step, "events", step.events, events)
        for own in self.record.find_executed(step).values():
            if digest(own.committed) != own.digest:
                part = name_link_part("orders", own.seat)
                message = f"the digest {own.digest} is not that of the orders"
                yield Difference(step=step.name, part=part, message=message)
        for paper in self.record.list_papers(step):
            try:
                document = self.remake_report(step, again, paper)
            except Exception:  # it, or an earlier step's events, were tampered with
                document = b""
            if document != paper.document:
                part = name_link_part("report", paper.seat)
                difference = _differ(step, part, paper.document, document)
                yield replace(difference, reworded=step.reporting != self.kind.reporting)

    def remake_report(self, step: Step, again: Recomputed, paper: Paper) -> bytes:
        """Make the report as it must read, with the paper's desk facts, which the chain binds."""
        record, seat, facts = self.record, paper.seat, dict(known_facts(decode(paper.document)))
        since = _list_since(record, facts)
        if since:
            orders = [own for one in since for own in record.list_orders(one)]
            labels = {one["step"]: one.get("label") for one in facts["since"]}
            facts["since"] = since_facts(since, [labels[one.name] for one in since], orders, seat)
        facts["game"] = game_names(record.game, self.kind)
        facts.update(seat=seat, number=paper.number, step=step.name)
        if facts["orders"] is not None and seat is not None:
            facts["orders"] = set_facts(record.find_executed(step).get(seat))
        steps = [self._describe_step(one, seat) for one in since if one.state is not None]
        steps.append(self._describe_step(step, seat, again))
        part = make_game_part(self.kind.rules, steps[-1].after, seat, steps)
        return encode(complete_report(part, facts))

    def _describe_step(
        self, step: Step, seat: Seat | None, again: Recomputed | None = None
    ) -> ReportedStep:
        """Describe a step as its report does: as it was computed now, or as it is recorded."""
        view, executed = self.kind.rules.view, self.record.find_executed(step)
        outcome = again or Recomputed(self.find_state(step), decode_events([step]))
        opener = self.record.find_before(step) if executed else None
        is_known = opener is not None and opener.state is not None
        own = executed.get(seat) if seat else None
        return ReportedStep(
            before=view(self.find_state(opener), seat) if opener and is_known else None,
            after=view(outcome.state, seat),
            orders=decode(own.orders) if own else None,
            events=list_visible(outcome.events, seat),
        )

    def find_state(self, step: Step) -> Any:
        """Find the state after a closed step: at hand, or in the record."""
        states = self.states
        return states[step.number] if step.number in states else self.kind.state(step.state or b"")


def _list_since(record: Record, facts: Document) -> list[Step]:
    """List the steps that a report covers beside its own."""
    names = [one["step"] for one in facts.get("since", ())]
    return [record.steps_by_name[name] for name in names if name in record.steps_by_name]


def _differ(step: Step, part: str, old: bytes, new: bytes) -> Difference:
    """Say where two documents differ, without quoting them: the GM may be playing."""
    return Difference(step=step.name, part=part, message=f"differs at {_find_place(old, new)}")


def _find_place(old: bytes, new: bytes) -> str:
    """Find the first place that differs, as a path in the document."""
    try:
        was, now = decode(old), decode(new)
    except (ValueError, RecursionError):  # also endless nesting
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


def find_changes(books: Books, game: Game, kind: Kind) -> tuple[Difference, ...]:
    """Find where the present rules play the steps differently from the record.

    A replay is long, and what it found holds until the game goes on.
    """
    if kind.digest == game.rules_digest:
        return ()
    last = books.last_link(game.id)
    key = (game.id, game.rules_digest, last.digest if last else "")
    differences: tuple[Difference, ...] | None = kind.replayed.get(key)
    if differences is None:
        differences = kind.replayed[key] = replay_game(read_record(books, game.id), kind)
    return differences


def pin_rules(books: Books, game: Game, kind: Kind, *, at: datetime) -> Game:
    """Pin the game to changed code or components if a replay gives the same steps.

    Raises errors.Changed with the differences until the GM accepts them.
    """
    if kind.digest == game.rules_digest:
        return game
    if differences := find_changes(books, game, kind):
        raise Changed(_explain_changed(game, differences), game=game.id)
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


def _explain_changed(game: Game, changes: tuple[Difference, ...]) -> str:
    differences = [f"{d.step}, {d.part}: {d.message}" for d in changes[:_SHOWN]]
    more = len(changes) - len(differences)
    if more:
        differences.append(f"and {more} more")
    return (
        f"{game.id}: the rules have changed since it was played, and a replay differs "
        f"({'; '.join(differences)}). Go back to the earlier program, or continue under the "
        "changed rules"
    )
