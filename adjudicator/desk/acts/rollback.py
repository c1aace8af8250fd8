"""Go back to a step and play it again, and take that back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    STEP,
    WORDS,
    Act,
    Argument,
    Call,
    Done,
    Loss,
    check_exclusive,
    describe_closing,
    make_flag,
)
from adjudicator.desk.model.context import STARTED, Context
from adjudicator.desk.model.errors import Refused, Suggest, Unknown
from adjudicator.desk.model.lineage import BACK, counting_steps, describe_end, has_begun
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.standing import orders_on_file
from adjudicator.desk.model.values import HistoryNote, OrderSet, OutgoingLetter, Status, Step
from adjudicator.desk.outbox.queue import REPORTED, is_out, queue_notices, withdraw_letters
from adjudicator.desk.steps.advance import StepClosing, append_link, open_next
from adjudicator.desk.steps.lock import lock_context
from adjudicator.desk.steps.missed import restore_missed
from adjudicator.desk.steps.restore import ROLLBACK_ACT, seed_is_known, undo_rollback


def roll_back(
    books: Books,
    library: Library,
    game: str,
    step: str,
    *,
    same_dice: bool,
    at: datetime,
    back: bool = False,
    keep_orders: bool = False,
    reason: str = "",
) -> StepClosing:
    """Strike a closed step and all after it; its orders come back as a form to send again.

    `back` takes the last rollback back, which went to before this step. `keep_orders` puts the
    orders of the step on file again. Dice that players may know are kept with a public reason
    only.
    """
    if back:
        return undo_rollback(books, library, game, step, at=at)
    context = lock_context(books, library, game, at=at, status=(*STARTED, Status.OVER))
    if not has_begun(books, game):
        raise Refused(f"{game}: it {describe_end(books, game)}, so there is no step to go back to")
    steps = {s.number: s for s in books.steps(game)}
    struck = _struck(game, steps, step)
    target = struck[-1]
    if same_dice and not reason:
        _refuse_known(context, struck)
    for one in struck:
        books.save_step(replace(one, void=True))
    withdraw_letters(context, struck)
    was_over = context.game.status is Status.OVER
    link = append_link(context, "rollback", target, {})
    if target.predecessor is not None:
        restore_missed(context, steps[target.predecessor])
    opened = _open(context, steps, target, same_dice=same_dice)
    context = context.now(
        open_step=opened.number,
        next_number=opened.number + 1,
        status=Status.RUNNING if was_over else context.game.status,
    )
    kept = _keep_orders(context, target, opened) if keep_orders else ()
    names = [one.name for one in reversed(struck)]
    data = {"struck": names, "opened": opened.name, "same_dice": same_dice}
    with_dice = f", with the same dice: {reason}" if reason else ""
    text = f"back to before {context.label(target)}{with_dice}"
    context.note("rollback", text, data=data)
    return StepClosing(
        game=context.game,
        step=replace(target, void=True),
        opened=opened,
        links=(link,),
        letters=_tell_rollback(context, struck, opened, kept, reason),
        notes=_warnings(context, opened, target, was_over=was_over, same_dice=same_dice),
    )


def _struck(game: str, steps: Mapping[int, Step], name: str) -> list[Step]:
    """The steps from the last one back to the named one, which must have happened and count."""
    counting = counting_steps(steps.values())
    names = [step.name for step in counting]
    if name not in names:
        past = [s.name for s in reversed(counting) if s.closed and s.predecessor is not None]
        known = ", ".join(past) or "none yet"
        raise Unknown(f'{game}: no step "{name}" counts; you can go back to {known}')
    target = counting[names.index(name)]
    if target.closed is None:
        raise Refused(f"{game}: {name} is still open, so there is nothing to undo")
    if target.predecessor is None:
        raise Refused(
            f"{game}: {name} is the setup; undo the start",
            suggest=Suggest("start", game, flags=("back",)),
        )
    return counting[: names.index(name) + 1]


def _refuse_known(context: Context, struck: Sequence[Step]) -> None:
    """The same dice are for a step whose results nobody has read yet."""
    name = find_reported(context, struck)
    if name is not None:
        game = context.game.id
        raise Refused(
            f"{game}: reports of {name} went out, so its dice are known; roll back with new dice, "
            "or give a reason that all players read",
            suggest=Suggest(
                "rollback", game, (struck[-1].name,), ("same-dice", "yes"), {"reason": "WHY"}
            ),
        )


def find_reported(context: Context, steps: Sequence[Step]) -> str | None:
    """The first of these steps of which a report may have been read."""
    names = {step.name for step in steps}
    for letter in context.books.letters(context.game.id):
        if letter.template != REPORTED or not is_out(letter):
            continue
        name: str = decode(letter.document)["step"]
        if name in names:
            return name
    return None


def list_fallen(books: Books, game: str, target: Step) -> tuple[OrderSet, ...]:
    """The sets that a struck step had executed and that people had sent; of a ruling, those that
    were on file for the step that was open.
    """
    sets = books.orders(game, target.number)
    return tuple(own for own in sets if own.executed and own.number)


def _keep_orders(context: Context, target: Step, opened: Step) -> tuple[OrderSet, ...]:
    """Put what was executed in the struck step on file for the one in its place."""
    if opened.phase != target.phase:
        return _keep_open_orders(context, target, opened)
    return _refile(context, list_fallen(context.books, context.game.id, target), opened)


def _keep_open_orders(context: Context, target: Step, opened: Step) -> tuple[OrderSet, ...]:
    """After a ruling or an end: what was on file for the step that was open then."""
    books, game = context.books, context.game.id
    was_open = [
        step
        for step in books.steps(game)
        if step.void and step.closed is None and step.phase == opened.phase
    ]
    if target.phase not in ("ruling", "end") or not was_open:
        return ()
    sets = books.orders(game, was_open[-1].number)
    on = [orders_on_file(sets, seat) for seat in context.game.seats]
    return _refile(context, [one for one in on if one is not None and one.number], opened)


def _refile(context: Context, sets: Sequence[OrderSet], opened: Step) -> tuple[OrderSet, ...]:
    kept = tuple(
        replace(own, step=opened.number, arrived=context.at, executed=False) for own in sets
    )
    for own in kept:
        context.books.save_orders(own)
    return kept


def _open(context: Context, steps: Mapping[int, Step], target: Step, *, same_dice: bool) -> Step:
    """The step that is played in the place of the one struck."""
    assert target.predecessor is not None
    base = steps[target.predecessor]
    opened = open_next(context, base, context.after(base), turn=None)  # deadlines begin anew
    assert opened is not None, "a step was played from this state, so it is not over"
    if same_dice and opened.phase == target.phase:
        opened = replace(opened, dice=target.dice)
        context.books.save_step(opened)
    return opened


_SEND_AGAIN = (
    "If you had sent orders for it, they are in the form below but do not count yet: "
    "send them again, as they are or changed."
)
_ON_FILE = (
    "Orders of {} for it are on file again and count; to change them, send new ones. All "
    "other players are asked for theirs."
)


def _tell_rollback(
    context: Context, struck: Sequence[Step], opened: Step, kept: Sequence[OrderSet], reason: str
) -> tuple[OutgoingLetter, ...]:
    labels = [context.label(one) for one in reversed(struck)]
    lines = [
        (
            f"The GM went back to before {labels[0]}. These steps no longer count: "
            f"{'; '.join(labels)}."
        ),
        *([f"The dice stay the same, although reports went out: {reason}"] if reason else []),
        f"The game continues with {context.label(opened)}. {{deadline}}",
        _ON_FILE.format(", ".join(own.seat for own in kept)) if kept else _SEND_AGAIN,
    ]
    subject = f"Back to before {labels[0]}"
    return queue_notices(context, opened, subject, lines)


def _warnings(
    context: Context, opened: Step, target: Step, *, was_over: bool, same_dice: bool
) -> tuple[str, ...]:
    found = []
    if was_over:
        found.append(seed_is_known(context.id))
    if same_dice and opened.dice != target.dice:
        before, now = context.label(target), context.label(opened)
        found.append(f"the open step ({now}) is another phase than {before}, so its dice are new")
    return tuple(found)


# the act


def _rollback(
    call: Call, step: str, *, same_dice: bool, keep_orders: bool, back: bool, reason: str | None
) -> Done:
    check_exclusive(
        ok=not (back and (same_dice or keep_orders)),
        sentence="`back` goes with no other word, since nothing is played again",
    )
    if back:
        return _take_back(call, step)
    if keep_orders and (again := _rolled_back_to(call, step)) is not None:
        return _put_back(call, again)
    steps = {one.name: one for one in call.books.steps(call.game)}
    fallen = list_fallen(call.books, call.game, steps[step])
    closing = roll_back(
        call.books,
        call.library,
        call.game,
        step,
        same_dice=same_dice,
        keep_orders=keep_orders,
        reason=(reason or "") if same_dice else "",
        at=call.at,
    )
    told = ", ".join(f"{own.seat} (receipt {own.number})" for own in fallen)
    off = [f"Orders off file: {told}."] if fallen and not keep_orders else []
    on = [f"Orders on file again: {told}."] if fallen and keep_orders else []
    return describe_closing(
        call,
        closing,
        f"Undone: {call.label(closing.step)}, and everything after it.",
        f"Would be undone: {call.label(closing.step)}, and everything after it.",
        *off,
        *on,
        next=("rollback", step, "keep-orders") if off else (),
    )


def _rolled_back_to(call: Call, step: str) -> HistoryNote | None:
    """The note of the last rollback, if it went to before this step and what it opened is open."""
    game = call.books.game(call.game)
    notes = [one for one in call.books.notes(call.game) if one.act in MOVING_ACTS]
    if not notes or notes[-1].act != ROLLBACK_ACT or BACK in notes[-1].data:
        return None
    note, names = notes[-1], call.books.step_names(call.game)
    is_open = game.open_step is not None and names[game.open_step] == note.data["opened"]
    return note if is_open and note.data["struck"][0] == step else None


def _put_back(call: Call, note: HistoryNote) -> Done:
    """Put the orders on file that the rollback just done has taken off it."""
    context = lock_context(call.books, call.library, call.game, at=call.at)
    opened = context.open_step()
    target = next(one for one in call.books.steps(call.game) if one.name == note.data["struck"][0])
    sets = call.books.orders(call.game, opened.number)
    there = [own.seat for own in sets if orders_on_file(sets, own.seat)]
    fallen = [own for own in list_fallen(call.books, call.game, target) if own.seat not in there]
    label = call.label(target)
    if not fallen or opened.phase != target.phase:
        raise Refused(f"{call.game}: no orders of {label} are left to be put back")
    told = ", ".join(own.seat for own in _refile(context, fallen, opened))
    text = f"orders of {label} are on file again: {told}"
    context.note("keep", text)
    lines = [f"The GM put these orders on file again ({label}): {told}."]
    subject = "Orders on file again"
    queue_notices(context, opened, subject, lines)
    return Done(
        said=f"Orders on file again: {told}.", would=f"Orders would be on file again: {told}."
    )


def _take_back(call: Call, step: str) -> Done:
    closing = undo_rollback(call.books, call.library, call.game, step, at=call.at)
    return describe_closing(
        call,
        closing,
        f"Counts again: {call.label(closing.step)}, and everything after it.",
        f"Would count again: {call.label(closing.step)}, and everything after it.",
    )


def _undo(call: Call, note: HistoryNote) -> Done:
    if BACK not in note.data:
        return _take_back(call, str(note.data["struck"][0]))
    return _rollback(
        call,
        str(note.data["restored"][0]),
        same_dice=False,
        keep_orders=False,
        back=False,
        reason=None,
    )


def _confirm(call: Call, step: str, *, same_dice: bool, back: bool, **_given: Any) -> Loss | None:
    if back or _rolled_back_to(call, step) is not None:
        return None
    context = call.context()
    steps = {one.number: one for one in call.books.steps(call.game)}
    struck = _struck(call.game, steps, step)
    name = find_reported(context, struck) if same_dice else None
    if name is not None:
        return Loss(
            f"Reports of {name} went out, so players know its dice, and the same dice fall again. "
            "All players get a notice.",
            for_good=True,
        )
    played = sum(one.closed is not None for one in struck)
    count = "1 step" if played == 1 else f"{played} steps"
    first = call.label(struck[-1])
    return Loss(f"This undoes {count} of {call.game}, from {first} on. All players get a notice.")


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
