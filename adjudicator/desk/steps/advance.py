"""Advance from one step to the next, as every change of the state does.

The closed step, the reports about it, the link that commits to both, the next step: written
together, in the caller's transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.chain import Link, LinkKind, compute_commitment, forge_link
from adjudicator.core.dice import label_dice
from adjudicator.core.document import Seat, encode
from adjudicator.core.game import Due, Over
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.absences import find_deadline_beyond_absences
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import parse_length
from adjudicator.desk.model.seats import PLAYER, bind_seats
from adjudicator.desk.model.settings import NEXT, find_pace, next_settings
from adjudicator.desk.model.values import Game, OrderSet, Status, Step
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.steps.ahead import closes_at_once, file_plans
from adjudicator.desk.steps.press import mail_waiting_press
from adjudicator.desk.steps.publish import (
    Adjudication,
    StepNews,
    mail_reports,
    make_reports,
)
from adjudicator.desk.steps.record import StepParts, collect_step_parts, require_intact


class StepClosing(Struct, frozen=True, kw_only=True):
    """A step closed, made or undone, and its consequences in the same transaction."""

    game: Game
    """The game as it is afterwards."""
    step: Step
    """The step that was closed or made (for a rollback: the one that was undone)."""
    next_step: Step | None
    """The step in which orders are owed now; None when the game is over."""
    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences that the GM should know."""
    plan_sets: tuple[OrderSet, ...] = ()
    """The orders of the open step that were filed ahead."""
    goes_on: bool = False
    """Whether the open step closes at once: all its orders were filed ahead."""


def make_pseudo_step(context: Context, phase: str, reason: str) -> Step:
    """Make a ruling or an end, which stands in the position of the open step in its place."""
    number = context.game.next_number
    return Step(
        game=context.id,
        number=number,
        phase=phase,
        predecessor=context.open_step().predecessor,
        dice=f"{number}-{phase}",
        opened=context.at,
        reason=reason,
    )


def settle_step(
    context: Context,
    link: LinkKind,
    step: Step,
    outcome: Adjudication,
    *,
    turn: Step | None,
    new: Sequence[Seat] = (),
) -> StepClosing:
    """Save a closed step and everything that follows; `turn` is the step before it.

    `new`: the seats that the closing has given to other players.
    """
    books, game = context.books, context.game
    closed_step = replace(
        step,
        closed=context.at,
        state=encode(context.kind.rules.dump(outcome.state)),
        events=encode(outcome.events),
        reporting=context.kind.reporting,
    )
    books.save(closed_step)
    next_step = open_next(context, closed_step, outcome.state, turn=turn, new=new)
    bound = bind_seats(game.seats, context.seatings)
    context = context.now(
        roster={**bound, **context.game.roster},  # of an earlier version, a game has none
        open_step=next_step.number if next_step else None,
        next_number=max(game.next_number, closed_step.number + 1) + (1 if next_step else 0),
        status=Status.OVER if next_step is None else game.status,
    )
    due = context.due_in(outcome.state) if next_step else {}
    has_plans = bool(context.books.plans(context.id))
    tries = has_plans and next_step is not None and link == "step"
    plan_sets = file_plans(context, outcome.state) if tries else ()
    goes_on = bool(plan_sets) and closes_at_once(context)
    news = StepNews(closed_step, next_step, due, outcome, has_plans, goes_on)
    papers = make_reports(context, news)
    for paper in papers:
        books.save(paper)
    parts = collect_step_parts(closed_step, outcome.executed.values(), papers)
    new_link = append_link(context, link, closed_step, parts)
    mail_reports(context, news, papers)
    mail_waiting_press(context, closed_step)
    if next_step is None:
        reveal_seed(context, closed_step)
    return StepClosing(
        game=context.game,
        step=closed_step,
        next_step=next_step,
        links=(new_link,),
        plan_sets=plan_sets,
        goes_on=goes_on,
    )


def open_next(
    context: Context, before: Step, state: Any, *, turn: Step | None, new: Sequence[Seat] = ()
) -> Step | None:
    """Open the step that takes the orders this state waits for; None: the game is over."""
    due_or_over = context.kind.rules.due(state)
    if isinstance(due_or_over, Over):
        return None
    if NEXT in context.game.settings:
        context.now(settings=next_settings(context.game.settings))
    due = context.due_in(state)
    number = max(context.game.next_number, before.number + 1)
    phase = find_owed_phase(due)
    step = Step(
        game=context.id,
        number=number,
        phase=phase,
        predecessor=before.number,
        dice=label_dice(f"{number}-{phase}", context.game.epoch),
        opened=context.at,
        deadline=find_step_deadline(context, due, turn, new, since=context.at),
    )
    context.books.save(step)
    return step


def find_owed_phase(due: Mapping[Seat, Due]) -> str:
    """Name the phase in which these forms are owed."""
    return next(iter(due.values())).form if due else "wait"


def find_step_deadline(
    context: Context,
    due: Mapping[Seat, Due],
    turn: Step | None = None,
    new: Sequence[Seat] = (),
    *,
    since: datetime,
) -> datetime | None:
    """Find when the orders are due: by the pace; in mid-turn with the turn, or soon.

    Never while somebody who owes them is away; a seat's new player has a full deadline.
    """
    same_players = due.keys().isdisjoint(new)
    after = turn.deadline if turn is not None and same_players else None
    deadline = deadlines.next_deadline(find_pace(context.settings), since, after)
    if turn is not None and same_players:
        clocks = set(map(attrgetter("clock"), due.values()))
        if clocks == {"kept"}:
            deadline = turn.deadline
        elif clocks == {"short"} and turn.deadline is not None:
            short = parse_length(context.settings.interrupt_pace, "interrupt_pace")
            deadline = since.astimezone(UTC) + short
    return find_deadline_beyond_absences(context, due, deadline)


def move_deadline(context: Context, step: Step, deadline: datetime | None) -> Step:
    """Save the step with another deadline; reminders of the old one are withheld."""
    new_step = replace(step, deadline=deadline)
    context.books.save(new_step)
    withdraw_reminders(context, new_step)
    return new_step


def append_link(context: Context, kind: LinkKind, step: Step, parts: StepParts) -> Link:
    """Forge and save the next link of the game's chain, which commits to these parts."""
    game, seed = context.id, context.game.seed
    commitments = {
        name: compute_commitment(seed, step.name, seat, part, content)
        for name, (seat, part, content) in parts.items()
    }
    after = None
    if step.predecessor is not None:
        before = context.books.step(game, step.predecessor)
        require_intact(context, before)
        after = before.name
    link = forge_link(
        context.books.last_link(game),
        kind=kind,
        step=step.name,
        after=after,
        commitments=commitments,
    )
    context.books.save_link(game, link)
    return link


_CHECKS = (
    "Ignore this unless you want to check every draw; `ask: trust` says how. For that: {}; last "
    "link {}."
)
_CHOSEN = (
    "Ignore this unless you want to replay the game; `ask: trust` says how. For that: {}; last "
    "link {}. The GM chose the seed, so the draws prove nothing."
)


def reveal_seed(context: Context, step: Step) -> None:
    """Reveal the seed: from now on everybody can check every draw, and knows who played what."""
    game, link = context.game, context.books.last_link(context.id)
    seatings = context.books.seatings(context.id)
    opening = {"seed": game.seed.hex(), "luck": [list(pair) for pair in game.luck]}
    hidden = [one for one in seatings if one.player] if context.settings.anonymous else []
    parts = [
        f"seed {opening['seed']}",
        *(f"luck words of {seat}: {one}" for seat, one in game.luck),
    ]
    what_for = _CHECKS if game.verifiable else _CHOSEN
    facts = [
        *([f"It was ended early: {step.reason}."] if step.reason else []),
        *(f"{one.seat} was played by {one.player}." for one in hidden),
    ]
    proof = [what_for.format("; ".join(parts), link.digest if link else "none")]
    tell_gm(context, step, "The game is over", [*facts, *proof])
    # the last person on each seat, even if it is empty now: they may check, too
    people = {one.seat: one for one in seatings if one.kind == PLAYER}
    if facts:
        headline = "How the game ended" if step.reason else "Who played"
        queue_notices(context, step, headline, facts, seatings=people)
    queue_notices(context, step, "How to check the draws", proof, seatings=people, opening=opening)
