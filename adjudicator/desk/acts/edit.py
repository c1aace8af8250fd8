"""Change the position by a ruling of the GM."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Impossible, decode, encode
from adjudicator.core.game import Over
from adjudicator.core.names import match_exactly
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    WORDS,
    Act,
    Argument,
    ArgumentKind,
    Done,
    word_closing,
)
from adjudicator.desk.acts.rollback import undo_closing
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Step
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.steps.advance import (
    StepClosing,
    append_link,
    find_owed_phase,
    make_pseudo_step,
    open_next,
    settle_step,
)
from adjudicator.desk.steps.lock import check_status
from adjudicator.desk.steps.publish import (
    Adjudication,
    StepNews,
    mail_reports,
    make_reports,
)
from adjudicator.desk.steps.record import collect_step_parts

RULING: Final = "ruling"


def open_position(context: Context) -> Document:
    """Open the state document in which orders are owed now, for editing."""
    document: Document = decode(encode(context.kind.rules.dump(context.state)))
    return document


def edit_position(context: Context, document: Document, *, reason: str) -> StepClosing:
    """Replace the present position with this one, as a ruling with its reason."""
    check_status(context)
    words = " ".join(reason.split())
    if not words:
        raise Refused(f"{context.id}: a ruling needs its reason; the players will read it")
    current = context.open_step()
    state = _load_state(context, document)
    step = make_pseudo_step(context, RULING, words)
    closing = _settle_ruling(context, current, step, state)
    data = {"step": step.name, "open": closing.next_step.name if closing.next_step else None}
    context.note("edit", f"the position was changed: {words}", data=data)
    return closing


def _load_state(context: Context, document: Document) -> Any:
    game = context.id
    try:
        state = context.kind.rules.load(document)
    except Impossible as wrong:
        raise Refused(f"{game}: this position cannot be: {wrong}") from wrong
    content = encode(context.kind.rules.dump(state))
    if content == encode(context.kind.rules.dump(context.state)):
        raise Refused(f"{game}: nothing is changed, so no ruling is needed")
    if tuple(decode(content).get("seats", context.game.seats)) != context.game.seats:
        raise Refused(f"{game}: a ruling cannot change the seats; use replace for players")
    return state


def _settle_ruling(context: Context, current: Step, step: Step, state: Any) -> StepClosing:
    withdraw_reminders(context, current)  # everybody gets a letter about the step now
    if isinstance(context.kind.rules.due(state), Over):
        context.books.save(replace(current, void=True))
        return settle_step(context, RULING, step, Adjudication(state, (), {}), turn=None)
    kind = context.kind
    ruling = replace(
        step, closed=context.at, state=encode(kind.rules.dump(state)), reporting=kind.reporting
    )
    context.books.save(ruling)
    context = context.now(next_number=step.number + 1)
    goes_on = _go_on(context, current, ruling, state)
    context = context.now(
        open_step=goes_on.number, next_number=max(context.game.next_number, goes_on.number + 1)
    )
    news = StepNews(ruling, goes_on, context.due_in(state), Adjudication(state, (), {}))
    papers = make_reports(context, news, only_held=True)
    for paper in papers:
        context.books.save(paper)
    link = append_link(context, RULING, ruling, collect_step_parts(ruling, (), papers))
    mail_reports(context, news, papers)
    lines = [
        f"The GM changed the position by a ruling: {ruling.reason}",
        *list_public_changes(context, context.before(current), state),
        f"The game continues with {context.label(goes_on)}. {{deadline}}",
    ]
    queue_notices(context, goes_on, "A ruling by the GM", lines)
    return StepClosing(game=context.game, step=ruling, next_step=goes_on, links=(link,))


def _go_on(context: Context, current: Step, ruling: Step, state: Any) -> Step:
    """Keep the open step with its name and orders, or open another if the phase has changed."""
    if find_owed_phase(context.due_in(state)) == current.phase:
        step = replace(current, predecessor=ruling.number)
        context.books.save(step)
        return step
    context.books.save(replace(current, void=True))
    step_or_none = open_next(context, ruling, state, turn=None)
    assert step_or_none is not None
    return step_or_none


def apply_patch(document: Document, change: Any) -> Document:
    """Change these parts of the document; a null takes a part away."""
    if not isinstance(change, Mapping) or not change:
        raise Refused("change: name the parts of the position that change, as in {turn: 4}")
    return _patch_mapping(document, change)


def _patch_mapping(before: Mapping[str, Any], change: Mapping[Any, Any]) -> dict[str, Any]:
    result = dict(before)
    for key, value in change.items():
        # all keys in a letter are lower-cased: A1 is a1 there
        name = match_exactly(str(key), before) or str(key)
        if value is None or value in ("null", "~"):
            result.pop(name, None)
        else:
            result[name] = _patch_value(before.get(name), value)
    return result


def _patch_value(before: Any, value: Any) -> Any:
    """Give a value the type of the one it replaces; text where nothing says otherwise."""
    if isinstance(value, Mapping):
        return _patch_mapping(before if isinstance(before, Mapping) else {}, value)
    if isinstance(value, list | tuple):
        likes = before if isinstance(before, list | tuple) else ()
        return [_patch_value(likes[0] if likes else None, one) for one in value]
    if isinstance(before, str) or not isinstance(value, str):
        return value
    return _read_scalar(value)


def _read_scalar(text: str) -> Any:
    word = text.strip()
    if word.lower() in ("true", "yes", "false", "no"):
        return word.lower() in ("true", "yes")
    number = word.removeprefix("-")
    return int(word) if number.isascii() and number.isdigit() and len(number) < 10 else text


_MOST = 20


def list_public_changes(context: Context, before: Any, after: Any) -> tuple[str, ...]:
    """List the changes that everybody may see, a line for each place.

    Only the public's own reports are compared, so nothing secret can come into it.
    """
    changes = list(
        _list_changes((), _report_position(context, before), _report_position(context, after))
    )
    if not changes:
        return ("Nothing public has changed.",)
    lines = ["Public changes:", *changes[:_MOST]]
    rest = len(changes) - _MOST
    more = [f"and {rest} more; the next report shows all of it."] if rest > 0 else []
    return (*lines, *more)


def _report_position(context: Context, state: Any) -> Document:
    rules = context.kind.rules
    report = decode(encode(rules.report(rules.view(state, None), ())))
    position: Document = report.get("position") or {}
    return position


def _list_changes(path: tuple[str, ...], before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from _list_changes((*path, str(key)), before.get(key), after.get(key))
    elif before != after:
        place = " ".join(path).replace("_", " ")
        yield f"- {place}: {_format_value(after)} (before: {_format_value(before)})"


def _format_value(value: Any) -> str:
    if value is None or value in ({}, []):
        return "none"  # `nothing` is a card of Jump Gate
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_format_value(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(_format_value(one) for one in value)
    return str(value)


# the act


class WholePosition(Struct, frozen=True):
    """A complete new position; a letter contains only the places that change."""

    document: Document


def _read_position(context: Context, raw: Any) -> Document:
    return (
        raw.document if isinstance(raw, WholePosition) else apply_patch(open_position(context), raw)
    )


def _edit(context: Context, reason: str, change: Document) -> Done:
    before = context.state
    closing = edit_position(context, change, reason=reason)
    return word_closing(
        context,
        closing,
        f"The position [is] changed (ruling {closing.step.name}).",
        *list_public_changes(context, before, context.kind.rules.load(change)),
    )


ACT_EDIT = Act(
    name="edit",
    about=(
        "All players get the reason and the public changes. An impossible position is refused, "
        "and the refusal says what is wrong. At the command line, a part (a key at the margin, "
        "such as planets) that the editor or the file leaves out stays as it is; a part that is "
        "there replaces the old one completely. In a letter, write only the places that change."
    ),
    arguments=(
        Argument(
            name="reason",
            kind=WORDS,
            help="The reason, for all players.",
            label="the reason",
            place="option",
        ),
        Argument(
            name="change",
            kind=ArgumentKind(_read_position, source="position"),
            help="The position.",
            label="the position",
            place="option",
        ),
    ),
    examples=(
        "edit ember --reason 'fleets were lost in a misread letter'",
        "edit ember --file position.yaml --reason 'as agreed' --dry-run",
    ),
    letters=("{edit: {reason: a misread letter, change: {fleets: {red: {A1: 5}}}}}",),
    do=_edit,
    undo=undo_closing,
    blocked_by=(*MOVING_ACTS, "submit"),
    reveal="the whole position, to edit it",
)
