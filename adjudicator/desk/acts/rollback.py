"""Go back to a step and play it again, and undo that."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.core.events import format_count
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    STEP,
    WORDS,
    Act,
    Argument,
    Done,
    Loss,
    make_flag,
    word_closing,
)
from adjudicator.desk.model.context import STARTED, Context
from adjudicator.desk.model.errors import Misused, Refused, Suggest, Unknown
from adjudicator.desk.model.lineage import (
    BACK,
    describe_end,
    find_step,
    has_begun,
    list_counting_steps,
)
from adjudicator.desk.model.standing import find_orders_on_file
from adjudicator.desk.model.values import HistoryNote, OrderSet, Status, Step
from adjudicator.desk.outbox.queue import REPORTED, is_out, queue_notices
from adjudicator.desk.steps.advance import StepClosing, open_next
from adjudicator.desk.steps.lock import check_status
from adjudicator.desk.steps.missed import restore_missed
from adjudicator.desk.steps.undo import (
    ORDERS_ON_FILE,
    refile_orders,
    restore_steps,
    show_position,
    undo_steps,
    warn_of_known_seed,
)

_ANYWHERE = (*STARTED, Status.OVER)


def roll_back(
    context: Context,
    step: str,
    *,
    same_dice: bool = False,
    keep_orders: bool = False,
    reason: str = "",
) -> StepClosing:
    """Undo a closed step and all after it; its orders come back as a form to send again.

    `keep_orders` puts the orders of the step on file again. Dice that players may know are kept
    with a public reason only.
    """
    check_status(context, _ANYWHERE)
    books, game = context.books, context.id
    if not has_begun(books, game):
        raise Refused(f"{game}: it {describe_end(books, game)}, so there is no step to go back to")
    steps = _find_undone_steps(context, step)
    target = steps[-1]
    if same_dice and not reason:
        _refuse_known(context, steps)
    was_over = context.game.status is Status.OVER
    link = undo_steps(context, steps, target)
    new_step = _open_step(context, target, same_dice=same_dice)
    context.now(
        open_step=new_step.number,
        next_number=new_step.number + 1,
        status=Status.RUNNING if was_over else context.game.status,
    )
    copies = (
        refile_orders(context, _find_fallen(context, target, new_step), new_step)
        if keep_orders
        else ()
    )
    names = [one.name for one in reversed(steps)]
    data = {"struck": names, "opened": new_step.name, "same_dice": same_dice}
    with_dice = f", with the same dice: {reason}" if reason else ""
    text = f"back to before {context.label(target)}{with_dice}"
    context.note("rollback", text, data=data)
    notes: tuple[str, ...] = (warn_of_known_seed(game),) if was_over else ()
    if same_dice and new_step.dice != target.dice:
        before, now = context.label(target), context.label(new_step)
        notes += (f"the open step ({now}) is another phase than {before}, so its dice are new",)
    _tell(context, steps, new_step, copies, reason)
    return StepClosing(
        game=context.game,
        step=replace(target, void=True),
        next_step=new_step,
        links=(link,),
        notes=notes,
    )


def _find_undone_steps(context: Context, name: str) -> list[Step]:
    """Find the steps from the last back to the named one, which must exist and still count."""
    game, counting = context.id, list_counting_steps(context.books.steps(context.id))
    names = [step.name for step in counting]
    if name not in names:
        past = [s.name for s in reversed(counting) if s.closed and s.predecessor is not None]
        hint = (
            f"you can go back to {', '.join(past)}" if past else "there is none to go back to yet"
        )
        raise Unknown(f'{game}: there is no step "{name}", or it was undone; {hint}')
    target = counting[names.index(name)]
    if target.closed is None:
        raise Refused(f"{game}: {name} is still open, so there is nothing to undo")
    if target.predecessor is None:
        raise Refused(
            f"{game}: {name} is the setup; undo the start",
            suggest=Suggest("start", game, flags=("back",)),
        )
    return counting[: names.index(name) + 1]


def _refuse_known(context: Context, steps: Sequence[Step]) -> None:
    """Refuse the same dice for a step whose results somebody may have read."""
    name = find_reported(context, steps)
    if name is not None:
        game = context.id
        raise Refused(
            f"{game}: reports of {name} went out, so its dice are known; roll back with new dice, "
            "or give a reason that all players read",
            suggest=Suggest(
                "rollback", game, (steps[-1].name,), ("same-dice", "yes"), {"reason": "WHY"}
            ),
        )


def find_reported(context: Context, steps: Sequence[Step]) -> str | None:
    """Find the first of these steps of which a report may have been read."""
    names = {step.name for step in steps}
    for letter in context.books.letters(context.id):
        if letter.template != REPORTED or not is_out(letter):
            continue
        name: str = decode(letter.document)["step"]
        if name in names:
            return name
    return None


def _find_executed(context: Context, target: Step) -> list[OrderSet]:
    """Find the sets that people had sent and that an undone step executed."""
    sets = context.books.orders(context.id, target.number)
    return [own for own in sets if own.executed and own.number]


def _find_fallen(context: Context, target: Step, new_step: Step) -> list[OrderSet]:
    """Find the sets that went off file; for a ruling or an end, those of the step open then."""
    if new_step.phase == target.phase:
        return _find_executed(context, target)
    was_open = [
        step
        for step in context.books.steps(context.id)
        if step.void and step.closed is None and step.phase == new_step.phase
    ]
    if target.phase not in ("ruling", "end") or not was_open:
        return []
    on = find_orders_on_file(context.books.orders(context.id, was_open[-1].number))
    return [on[seat] for seat in context.game.seats if seat in on]


def _open_step(context: Context, target: Step, *, same_dice: bool) -> Step:
    """Open the step that replaces the undone one; deadlines start afresh."""
    assert target.predecessor is not None
    base = context.books.step(context.id, target.predecessor)
    restore_missed(context, base)
    new_step = open_next(context, base, context.after(base), turn=None)
    assert new_step is not None, "a step was played from this state, so it is not over"
    if same_dice and new_step.phase == target.phase:
        new_step = replace(new_step, dice=target.dice)
        context.books.save(new_step)
    return new_step


def _tell(
    context: Context, steps: Sequence[Step], new_step: Step, copies: Sequence[OrderSet], reason: str
) -> None:
    labels = [context.label(one) for one in reversed(steps)]
    lines = [
        (
            f"The GM rolled the game back to before {labels[0]}. These steps no longer count: "
            f"{'; '.join(labels)}."
        ),
        *([f"The dice stay the same, although reports went out: {reason}"] if reason else []),
        f"The game continues with {context.label(new_step)}. {{deadline}}",
        *([ORDERS_ON_FILE.format(", ".join(own.seat for own in copies))] if copies else []),
    ]
    queue_notices(context, new_step, f"Rolled back to before {labels[0]}", lines)
    show_position(context)


def undo_rollback(context: Context, step: str) -> StepClosing:
    """Restore the steps that the last rollback, which went back to `step`, has undone."""
    check_status(context, _ANYWHERE)
    acts = [one for one in context.books.notes(context.id) if one.act in ("rollback", "start")]
    if not acts or BACK in acts[-1].data or acts[-1].act != "rollback":
        raise Refused(f"{context.id}: there is no rollback to undo")
    first = acts[-1].data["struck"][0]
    if first != step:
        raise Refused(
            f"{context.id}: the last rollback went back to before {first}; only that one can be "
            "undone"
        )
    label = context.label(find_step(context.books, context.id, first))
    text = f"the rollback to before {label} was undone"
    return restore_steps(context, acts[-1], text, "The GM undid the rollback.")


def undo_closing(context: Context, note: HistoryNote) -> Done:
    """Undo what closed a step, a ruling or the end; the orders are back on file."""
    counting = list_counting_steps(context.books.steps(context.id))
    name = str(note.data.get("step", counting[0].name))  # a note of an end names none
    closing = roll_back(context, name, keep_orders=True)
    sentence = f"Step [undone]: {context.label(closing.step)}. Its orders [are] on file again."
    return word_closing(context, closing, sentence)


# the act


def _rollback(
    context: Context,
    step: str,
    *,
    same_dice: bool = False,
    keep_orders: bool = False,
    back: bool = False,
    reason: str | None = None,
) -> Done:
    if back and (same_dice or keep_orders):
        raise Misused("`back` cannot be combined with other flags, since nothing is played again")
    if back:
        return _take_back(context, step)
    if keep_orders and (again := _find_rollback_to(context, step)) is not None:
        return _put_back(context, again)
    target = find_step(context.books, context.id, step)
    fallen = _find_executed(context, target)
    why = (reason or "") if same_dice else ""
    closing = roll_back(context, step, same_dice=same_dice, keep_orders=keep_orders, reason=why)
    label = context.label(target)
    receipts = ", ".join(f"{own.seat} (receipt {own.number})" for own in fallen)
    where = "on file again" if keep_orders else "off file"
    return word_closing(
        context,
        closing,
        f"[Undone]: {label}, and everything after it.",
        *([f"Orders {where}: {receipts}."] if fallen else []),
        next=("rollback", step, "keep-orders") if fallen and not keep_orders else (),
    )


def _find_rollback_to(context: Context, step: str) -> HistoryNote | None:
    """Find the last rollback, if it went to before this step and the step it opened is open."""
    notes = [one for one in context.books.notes(context.id) if one.act in MOVING_ACTS]
    note = notes[-1] if notes else None
    if note is None or note.act != "rollback" or BACK in note.data:
        return None
    number = context.game.open_step
    is_open = number is not None and context.open_step().name == note.data["opened"]
    return note if is_open and note.data["struck"][0] == step else None


def _put_back(context: Context, note: HistoryNote) -> Done:
    """Put the orders back on file that this rollback has taken off."""
    check_status(context)
    current, name = context.open_step(), note.data["struck"][0]
    target = find_step(context.books, context.id, name)
    label, there = context.label(target), context.on_file
    fallen = [own for own in _find_executed(context, target) if own.seat not in there]
    if not fallen or current.phase != target.phase:
        raise Refused(f"{context.id}: no orders of {label} are left to be put back")
    names = ", ".join(own.seat for own in refile_orders(context, fallen, current))
    context.note("keep", f"orders of {label} are on file again: {names}")
    lines = [f"The GM put these orders on file again ({label}): {names}."]
    queue_notices(context, current, "Orders on file again", lines)
    return Done(
        sentence=f"Orders on file again: {names}.", would=f"Orders would be on file again: {names}."
    )


def _take_back(context: Context, step: str) -> Done:
    closing = undo_rollback(context, step)
    label = context.label(closing.step)
    return word_closing(context, closing, f"[Restored]: {label}, and everything after it.")


def _undo(context: Context, note: HistoryNote) -> Done:
    if BACK in note.data:
        return _rollback(context, str(note.data["restored"][0]))
    return _take_back(context, str(note.data["struck"][0]))


def _confirm(
    context: Context, step: str, *, same_dice: bool, back: bool, reason: str | None, **_given: Any
) -> Loss | None:
    if back or _find_rollback_to(context, step) is not None:
        return None
    steps = _find_undone_steps(context, step)
    name = find_reported(context, steps) if same_dice else None
    if name is not None and not reason:
        return None  # in that case the rollback is refused
    if name is not None:
        return Loss(
            f"Reports of {name} went out, so players know its dice, and the same dice would fall "
            "again. All players would get a notice.",
            for_good=True,
        )
    first = context.label(steps[-1])
    count = format_count(sum(one.closed is not None for one in steps), "step")
    return Loss(
        f"This would undo {count} of {context.id}, from {first} on. All players would get a notice."
    )


ACT_ROLLBACK = Act(
    name="rollback",
    about=(
        "The step and all after it no longer count. The step is played again under a new number; "
        "players get their orders back as a form to send again. All players get a notice."
    ),
    arguments=(
        Argument(name="step", kind=STEP, help="The first step that is undone.", label="the step"),
        make_flag(
            "same_dice",
            "Keep the dice, to correct a mistake of yours. After reports went out, a reason "
            "for all players is required.",
        ),
        make_flag("keep_orders", "Put the orders of the step on file again."),
        make_flag("back", "Undo the last rollback to before this step."),
        Argument(
            name="reason",
            kind=WORDS,
            help="Why the dice are kept; all players read it.",
            place="option",
            required=False,
        ),
    ),
    examples=(
        "rollback ember 3-plan",
        "rollback ember 3-plan --keep-orders",
        "rollback ember 3-plan --same-dice",
        "rollback ember 3-plan --back",
    ),
    do=_rollback,
    undo=_undo,
    blocked_by=(*MOVING_ACTS, "submit"),
    confirm=_confirm,
)
