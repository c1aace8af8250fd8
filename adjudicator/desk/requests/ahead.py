"""File orders ahead: a list of plans for later steps, each checked for its shape."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, encode
from adjudicator.core.finding import Finding, format_path
from adjudicator.core.forms.explanation import explain_form
from adjudicator.core.forms.order_form import explain_missing
from adjudicator.core.forms.orders_as_text import spell_orders, write_inline
from adjudicator.core.forms.reading import Reading, Text
from adjudicator.core.names import fold, suggest
from adjudicator.desk.model.context import STARTED, Context, RequestOutcome, Sender
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import PLAN_SUPERSEDED, PLAN_WITHDRAWN, PlanAhead

_MOST = 20
_LARGEST = 16_000
"""Bytes of a list: every report of its writer shows it."""
_KEPT = 20
"""Lists of a seat that are still known when an old form comes back."""
_STEP, _IF = "step", "if"


class _Wish(Struct, frozen=True):
    """A plan as it was understood."""

    form: str
    conditions: Document
    orders: Document


def handle_ahead(context: Context, sender: Sender, value: Any) -> RequestOutcome:
    """Put plans on file in place of all earlier ones; if one cannot be read, nothing changes."""
    if context.game.status not in STARTED:
        return _refuse("the game is not running, so no plans were put on file.")
    entries = [value] if isinstance(value, Mapping) else value
    if not isinstance(entries, list | tuple):
        why = "write a list of plans, or `ahead: []` to withdraw them."
        return _refuse(why, _show_how(context))
    if len(entries) > _MOST:
        return _refuse(f"at most {_MOST} plans can wait; {len(entries)} were sent.")
    if (size := len(encode(entries))) > _LARGEST:
        return _refuse(f"plans of {size} bytes are too long; {_LARGEST} can wait.")
    try:
        wishes = [_read_plan(context, n, one) for n, one in enumerate(entries, start=1)]
    except Refused as why:
        return _refuse(f"{why} None of these plans was put on file.", _show_how(context))
    return _replace_plans(context, sender, wishes)


def _refuse(why: str, how: str = "") -> RequestOutcome:
    line = " ".join(filter(None, (f"ahead: {why}", how)))
    return RequestOutcome(not_taken=(line,), subjects=(f"plans NOT received: {why}",))


def _show_how(context: Context) -> str:
    """Show how a plan is written, by an example of the step that is open."""
    form = context.open_step().phase if context.game.open_step is not None else ""
    forms = context.kind.forms()
    name = form if form in forms else forms[0]
    example = explain_form(context.kind.form(name))["example"] or {}
    sample = write_inline({"ahead": [{_STEP: name, **example}]})
    return f"A plan is written so, with your own orders: `{sample}`."


def are_known(context: Context, seat: Seat, value: Any) -> bool:
    """Whether all of these plans were filed before, so that a form may just have come back."""
    plans = [
        _Wish(one.form, one.conditions, one.orders)
        for one in context.books.plans(context.id)
        if one.seat == seat
    ]
    entries = value if isinstance(value, list | tuple) else [value]
    try:
        return all(_read_plan(context, 0, one) in plans for one in entries)
    except Refused:
        return False


def _replace_plans(context: Context, sender: Sender, wishes: Sequence[_Wish]) -> RequestOutcome:
    seat, books = sender.seat, context.books
    waiting = context.plans.get(seat, ())
    if not wishes and not waiting:
        return RequestOutcome(done=("You have no plans that could be withdrawn.",))
    if wishes == [_Wish(one.form, one.conditions, one.orders) for one in waiting]:
        on_file = f"plans on file already: {len(waiting)}"
        return RequestOutcome(done=("These plans are on file already.",), subjects=(on_file,))
    status = PLAN_SUPERSEDED if wishes else PLAN_WITHDRAWN
    for one in waiting:
        books.save(replace(one, status=status))
    number = max([one.number for one in books.plans(context.id) if one.seat == seat], default=0) + 1
    books.drop_plans(context.id, seat, number - _KEPT)
    for place, wish in enumerate(wishes, start=1):
        plan = PlanAhead(
            game=context.id,
            seat=seat,
            number=number,
            place=place,
            seating=sender.seating.number if sender.seating else 0,
            form=wish.form,
            conditions=wish.conditions,
            orders=wish.orders,
            filed=context.at,
        )
        books.save(plan)
    short = f"plans received: {len(wishes)} for later steps" if wishes else "plans withdrawn"
    lines = tuple(_describe_filed(context, wishes, len(waiting)))
    return RequestOutcome(done=lines, subjects=(short,))


def _describe_filed(context: Context, wishes: Sequence[_Wish], before: int) -> Iterator[str]:
    if not wishes:
        yield "Your plans are withdrawn."
        return
    for place, wish in enumerate(wishes, start=1):
        orders = write_inline(spell_orders(context.kind.form(wish.form), wish.orders))
        depends = f", if {write_inline(wish.conditions)}" if wish.conditions else ""
        yield f"Plan {place} waits for your next step of `{wish.form}`{depends}: {orders}."
    if before:
        yield f"Your earlier plans ({before}) no longer wait."


def _read_plan(context: Context, place: int, entry: Any) -> _Wish:
    """Read a plan; Refused says what is wrong with it."""
    if not isinstance(entry, Mapping) or not entry:
        raise Refused(f"plan {place}: write the orders of a step, as in its form.")
    entry = _unwrap(context, entry)
    head = {fold(str(key)): one for key, one in entry.items()}
    orders = {key: one for key, one in entry.items() if fold(str(key)) not in (_STEP, _IF)}
    if not orders:
        raise Refused(f"plan {place}: it contains no orders.")
    form = _find_form(context, place, head.get(_STEP), orders)
    kind, seats = context.kind, context.game.seats
    conditions = kind.read("ahead", Text(value=head.get(_IF)), seats)
    read = kind.read(form, Text(value=orders), seats)
    owing = explain_missing(kind.form(form), read.orders or {}) if not read.findings else None
    for finding in (*_place_under_if(conditions), *read.findings):
        raise Refused(f"plan {place}: {_describe(finding)}")
    if owing:
        raise Refused(f"plan {place}: it contains none of the orders of `{form}`.")
    return _Wish(form, dict(conditions.orders or {}), dict(read.orders or {}))


def _unwrap(context: Context, entry: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Take orders out from under the name of their step: {plan: {build: max}}."""
    for key, below in entry.items():
        form = next((one for one in context.kind.forms() if fold(one) == fold(str(key))), None)
        if form is not None and isinstance(below, Mapping) and below:
            rest = {name: one for name, one in entry.items() if name != key}
            if form in context.kind.find_forms([str(name) for name in below]):
                return {**rest, _STEP: form, **below}
    return entry


def _place_under_if(conditions: Reading) -> Iterator[Finding]:
    for one in conditions.findings:
        yield replace(one, path=(_IF, *one.path))


def _describe(finding: Finding) -> str:
    where = format_path(finding.path)
    return f"{where}: {finding.message}" if where else finding.message


def _find_form(context: Context, place: int, name: Any, orders: Mapping[str, Any]) -> str:
    """Find the form of the step that a plan is for; it may go without saying."""
    forms = context.kind.forms()
    if name is not None:
        form = next((one for one in forms if fold(one) == fold(str(name))), None)
        if form is None:
            suggestion = suggest(str(name), forms)
            hint = (
                f"did you mean `{suggestion}`?"
                if suggestion
                else f"the steps are {', '.join(forms)}."
            )
            raise Refused(f'plan {place}: there is no step "{str(name)[:40]}"; {hint}')
        return form
    fits = context.kind.find_forms([str(key) for key in orders])
    if len(fits) == 1:
        return fits[0]
    if not fits:
        steps = ", ".join(forms)
        raise Refused(f"plan {place}: no step takes these orders; the steps are {steps}.")
    raise Refused(f"plan {place}: write for which step it is, `step: {fits[0]}` for instance.")
