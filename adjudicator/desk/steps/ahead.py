"""Orders ahead: when a step opens, the plans for it are tried, and the first that fits is filed.

A plan is tried against what its seat can see then, as if it had arrived by letter that moment.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Seat, decode, digest, encode
from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.orders_as_text import describe_entry, spell_orders, write_inline
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import (
    PLAN_WAITS,
    OrderSet,
    OutgoingLetter,
    PlanAhead,
    Status,
    Step,
)
from adjudicator.desk.outbox.queue import RECEIPT

PLAN = "plan"
"""Who made a set of orders that was filed ahead."""
USED, FAILED = "used", "failed"
_FATAL = (Grade.UNREADABLE, Grade.REFUSED, Grade.DOOMED)


def file_plans(context: Context, state: Any) -> tuple[OrderSet, ...]:
    """Try the plans for the step that has just opened, and file those that fit."""
    step = context.open_step()
    sets = []
    for seat, due in context.due_in(state).items():
        plans = [one for one in context.plans.get(seat, ()) if one.form == due.form]
        sets.append(_try_plans(context, step, state, plans) if plans else None)
    return tuple(one for one in sets if one is not None)


def note_plans(context: Context, sets: Sequence[OrderSet]) -> None:
    """Record the filing as that of orders in a letter, behind what opened the step."""
    for own in sets:
        words = f"{own.seat}: receipt {own.number}, taken"
        context.note("submit", words, by="player", data={"seat": own.seat})


def _try_plans(
    context: Context, step: Step, state: Any, plans: Sequence[PlanAhead]
) -> OrderSet | None:
    """File the first plan that fits; those before it are done with. If none fits, they wait on."""
    attempts: list[PlanAhead] = []
    for plan in plans:
        attempts.append(_try(context, state, replace(plan, step=step.number, told=False)))
        if not attempts[-1].reason:
            break
    fits = not attempts[-1].reason
    for one in attempts[:-1] if fits else attempts:
        context.books.save(replace(one, status=FAILED) if fits else one)
    if not fits:
        return None
    order_set = _file(context, step, attempts[-1])
    context.books.save(replace(attempts[-1], status=USED, receipt=order_set.number))
    return order_set


def _try(context: Context, state: Any, plan: PlanAhead) -> PlanAhead:
    """Note why a plan cannot be filed as it is now, if it cannot, and whether it never can."""
    rules, view = context.kind.rules, context.view(plan.seat, state)
    for word, value in plan.conditions.items():
        holds = rules.holds(view, plan.seat, word, value)  # type: ignore[attr-defined]
        if holds is None:
            return replace(plan, status=FAILED, reason=f"`{write_inline({word: value})}` is past.")
        if not holds:
            return replace(plan, reason=f"`{write_inline({word: value})}` does not hold.")
    reading = context.kind.read(plan.form, Text(value=plan.orders), context.game.seats)
    faults = [*reading.findings]
    if not faults:
        findings = rules.check(view, plan.seat, reading.orders or {})
        faults = [one for one in findings if one.grade in _FATAL]
    return replace(plan, reason=_describe_fault(context, plan, faults[0]) if faults else "")


def _describe_fault(context: Context, plan: PlanAhead, fault: Finding) -> str:
    place = fault.entry or fault.path
    value: Any = plan.orders
    for part in place:
        value = value[part]
    rule = f" ({fault.rule})" if fault.rule else ""
    entry = describe_entry(context.kind.form(plan.form), place, value)
    return f"it failed at: {entry}{rule}. {fault.message}"


def _file(context: Context, step: Step, plan: PlanAhead) -> OrderSet:
    content = encode(plan.orders)
    order_set = OrderSet(
        game=context.id,
        step=step.number,
        seat=plan.seat,
        number=context.books.last_letter(context.id, plan.seat, RECEIPT) + 1,
        orders=content,
        digest=digest(content),
        arrived=context.at,
        by=PLAN,
    )
    context.books.save(order_set)
    _keep_number(context, step, order_set)
    return order_set


def _keep_number(context: Context, step: Step, order_set: OrderSet) -> None:
    """Keep the number of the receipt, which is part of the report and no letter of its own."""
    receipt = OutgoingLetter(
        game=context.id,
        step=step.number,
        seat=order_set.seat,
        kind=RECEIPT,
        number=order_set.number,
        document=b"{}",
        template="plan/1",
        message_id=f"<{context.id}.{step.name}.{order_set.seat}.plan.{order_set.number}@plan.invalid>",
        made=context.at,
        status="withdrawn",
    )
    context.books.save(receipt)


def closes_at_once(context: Context) -> bool:
    """Whether all orders of the open step were filed ahead, so that nothing is waited for.

    A step without a deadline is the GM's to close.
    """
    if not any(one.by == PLAN for one in context.on_file.values()):
        return False
    if context.game.status is not Status.RUNNING or context.open_step().deadline is None:
        return False
    seats = [seat for seat in context.due if _is_asked(context, seat)]
    return all(seat in context.on_file and context.on_file[seat].by == PLAN for seat in seats)


def _is_asked(context: Context, seat: Seat) -> bool:
    """Whether the step waits for this seat: not for bots and empty seats that sent nothing."""
    seating = context.seatings.get(seat)
    return seat in context.on_file or (seating is not None and seating.kind == PLAYER)


# what becomes of plans


def add_plans(context: Context, seat: Seat, report: bytes) -> bytes:
    """Add to a report what has become of its reader's plans since the last one."""
    fresh = [one for one in context.books.plans(context.id) if one.seat == seat and not one.told]
    for one in fresh:
        context.books.save(replace(one, told=True))
    alike = groupby(fresh, key=lambda one: (one.step, one.receipt, one.reason))
    sentences = [_describe_trial(context, tuple(group)) for _, group in alike]
    return encode({**decode(report), "plans": sentences}) if sentences else report


def _describe_trial(context: Context, plans: Sequence[PlanAhead]) -> str:
    """Tell what became of plans that were tried in one step, and with the same result."""
    one = plans[-1]
    assert one.step is not None, "a plan that was not tried has nothing to tell"
    label = context.label(context.books.step(context.id, one.step))
    if one.status == USED:
        orders = write_inline(spell_orders(context.kind.form(one.form), one.orders))
        return f"Plan {one.place} was used in {label}, as receipt {one.receipt}: {orders}."
    if len(plans) == 1:
        return f"Plan {one.place} was not used in {label}: {one.reason}"
    places = ", ".join(str(plan.place) for plan in plans[:-1])
    return f"Plans {places} and {one.place} were not used in {label}: {one.reason}"


def revive_plans(context: Context, steps: Sequence[Step]) -> None:
    """Let plans wait again that were tried in steps which no longer count."""
    for one in _list_tried(context, steps, (USED, FAILED)):
        context.books.save(replace(one, status=PLAN_WAITS, told=True))


def retire_plans(context: Context, restored: Sequence[Step]) -> None:
    """Take plans as used again whose steps count again."""
    for one in _list_tried(context, restored, (PLAN_WAITS,)):
        if one.receipt:
            context.books.save(replace(one, status=USED, told=True))


def _list_tried(
    context: Context, steps: Sequence[Step], status: Sequence[str]
) -> Iterator[PlanAhead]:
    numbers = {step.number for step in steps}
    for one in context.books.plans(context.id):
        if one.step in numbers and one.status in status:
            yield one
