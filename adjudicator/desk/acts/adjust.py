"""Change the settings of a game that is open or running."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from adjudicator.core.document import Document
from adjudicator.core.names import fold, suggest
from adjudicator.desk.acts.act import (
    Act,
    Argument,
    ArgumentKind,
    Done,
    make_flag,
    word_done,
    word_due,
)
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import PRIVATE
from adjudicator.desk.model.people import introduce_substitutes
from adjudicator.desk.model.settings import (
    NEXT,
    Settings,
    describe_setting,
    list_choices,
    next_settings,
    read_settings,
    schedule_faults,
    settings_of,
)
from adjudicator.desk.model.values import HistoryNote, Status, Step
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.requests.envelope import parse_boolean
from adjudicator.desk.steps.advance import find_step_deadline, move_deadline
from adjudicator.desk.steps.lock import check_status

_FIELDS = {field.name: field for field in fields(Settings)}
_NEVER = {
    "host": "letters that are out would no longer be recognised by their Message-IDs",
    "anonymous": "players have joined under it; make a new game",
}
"""Settings that stay as a game was made, and why."""
_BEFORE_START = {
    "smallest": "the game has begun",
    "expires": "the game has begun",
    "luck": "the dice have been mixed since the game began",
    "invited": "the game has begun; use `replace` to seat somebody",
}
_WAITING = "substitutes"
_NAMES = (_WAITING, "invited")
"""Settings whose values name people: players read only that they changed."""
_TIMED = ("pace", "least", "zone")
"""Settings from which the deadline of an open step is computed."""


class _Change(Struct, frozen=True):
    """Settings before and after: those that were asked for, and the document of all of them."""

    before: Mapping[str, Any]
    """As they were written; None: the default."""
    words: tuple[str, ...]
    document: Document


def _plan_change(context: Context, values: Document, *, now: bool) -> _Change:
    """Work out what these settings (None: the default) change, now or when a step opens."""
    game = context.game
    settings: Document = {k: value for k, value in game.settings.items() if k != NEXT}
    waiting = dict(game.settings.get(NEXT, {}))
    base = settings if now else {**settings, **waiting}
    before = settings_of(_drop_defaults(base))
    after = settings_of(_drop_defaults({**base, **values}))
    same = {name for name in values if getattr(after, name) == getattr(context.settings, name)}
    later = {name: value for name, value in waiting.items() if name not in values}
    if not now:
        later |= {name: value for name, value in values.items() if name not in same}
    else:
        settings = _drop_defaults({**settings, **values})
    reversals = set(waiting) & set(values) - set(later)
    names = [
        name
        for name in values
        if name in reversals or getattr(before, name) != getattr(after, name)
    ]
    if not names:
        raise Refused(f"{game.id}: the settings already have these values; nothing was changed")
    return _Change(
        {name: base.get(name) for name in names},
        tuple(_describe(name, getattr(before, name), getattr(after, name)) for name in names),
        {**settings, **({NEXT: later} if later else {})},
    )


def _drop_defaults(settings: Document) -> Document:
    return {name: value for name, value in settings.items() if value is not None}


def _refuse_fixed(context: Context, name: str) -> None:
    game = context.game
    why = _NEVER.get(name)
    if why is None and game.status is not Status.OPEN:
        why = _BEFORE_START.get(name)
    if why is not None:
        raise Refused(f"{game.id}: {name} cannot be changed now: {why}")


def _move_deadline(context: Context) -> Step | None:
    """Give the open step the deadline that the settings set now."""
    if context.game.open_step is None:
        return None
    step = context.open_step()
    due = find_step_deadline(context, context.due, since=context.game.paused or context.at)
    if due == step.deadline:
        return None
    return move_deadline(context, step, due)


def _describe(name: str, before: Any, after: Any) -> str:
    if name in _NAMES:
        return f"{name}: changed"
    return f"{name}: {describe_setting(before)} -> {describe_setting(after)}"


# the act


def read_setting(name: str, raw: Any) -> Any:
    """Read the value of a setting as it was written; None is its default."""
    if raw is None or (isinstance(raw, str) and fold(raw) == "default"):
        return None
    kind = _FIELDS[name].type
    if kind is bool:
        value = parse_boolean(str(raw))
        if value is None:
            raise Refused(f"{name}: write yes or no, not {str(raw)[:40]!r}")
        return value
    if kind is int:
        if not str(raw).isdecimal():
            raise Refused(f"{name}: write a number, not {str(raw)[:40]!r}")
        return int(str(raw)[:9])
    if isinstance(_FIELDS[name].default, tuple):
        parts = raw if isinstance(raw, list | tuple) else str(raw).strip("[] ").split(",")
        words = [" ".join(str(one).split()) for one in parts]
        return [word for word in words if word and fold(word) != "none"]
    return " ".join(str(raw).split())


def _read_assignment(_context: Context, raw: Any) -> tuple[str, Any]:
    name, equals, value = (
        (raw[0], "=", raw[1]) if isinstance(raw, tuple) else str(raw).partition("=")
    )
    setting = _find_setting(str(name))
    if setting is None:
        suggestion = suggest(str(name), list(_FIELDS))
        hint = (
            f'did you mean "{suggestion}"?'
            if suggestion
            else f"the settings are {', '.join(_FIELDS)}"
        )
        raise Unknown(f'there is no setting "{str(name)[:40]}"; {hint}')
    if not equals:
        raise Refused(f"{setting}: write its value behind it, as in {setting}=VALUE")
    return setting, read_setting(setting, value)


def _find_setting(name: str) -> str | None:
    return next((one for one in _FIELDS if fold(one) == fold(name)), None)


def _read_adjust(words: Sequence[str], content: Any) -> Mapping[str, Any]:
    if isinstance(content, Mapping):
        return {"settings": tuple((str(name), value) for name, value in content.items())}
    name = _find_setting(words[0].rstrip(":")) if words else None
    if name is not None and len(words) > 1 and "=" not in "".join(words):
        values = [one.strip(",") for one in words[1:] if fold(one) not in ("to", "and")]
        joint = "," if isinstance(_FIELDS[name].default, tuple) else " "
        return {"settings": ((name, joint.join(values)),)}
    return {"settings": tuple(words)}


def _adjust(context: Context, settings: Sequence[tuple[str, Any]], *, now: bool) -> Done:
    """Change settings; an open step keeps its own unless they apply now."""
    check_status(context, (Status.OPEN, *STARTED))
    values = dict(settings)
    for name in values:
        _refuse_fixed(context, name)
    if values.get(_WAITING):
        values[_WAITING] = introduce_substitutes(context.books, values[_WAITING])
    is_open = context.game.open_step is not None
    change = _plan_change(context, values, now=now or not is_open)
    context.now(settings=change.document)
    new_step = (
        _move_deadline(context) if now and not set(change.before).isdisjoint(_TIMED) else None
    )
    words = "; ".join(change.words)
    data = {"settings": list(change.before), "now": now, PRIVATE: {"before": change.before}}
    context.note("adjust", words, data=data)
    step = new_step or current_step(context)
    lines = ["The GM changed settings of the game:", *(f"- {one}" for one in change.words)]
    details = []
    if is_open and not now:
        what = "deadline" if step.deadline else "step"
        details.append(f"This applies from the next {what} on; the current one stays as it is.")
    if new_step is not None:
        details.append(f"{word_due(context, new_step)}.")
        lines.append("{deadline}")
    elif is_open:
        lines += [*details, *(["{deadline}"] if step.deadline else [])]
    queue_notices(context, step, "Settings changed", lines)
    faults = schedule_faults(read_settings(next_settings(change.document)))
    details += [f"Note: {fault}." for fault in faults]
    return word_done(f"[Changed]: {words}.", *details)


def _undo(context: Context, note: HistoryNote) -> Done:
    before = note.data.get(PRIVATE, {}).get("before")
    if before is None:
        raise Refused(f"{context.id}: what was set before is not known; adjust it again")
    return _adjust(context, list(before.items()), now=bool(note.data["now"]))


def _list_assignments() -> list[str]:
    return [f"{name}={value}" for name in _FIELDS for value in (list_choices(name) or ("",))]


ACT_ADJUST = Act(
    name="adjust",
    about=(
        "Most settings can change: pace=48h, remind=24h,6h, press=grey, nmr=bot, "
        "substitutes=zoe@example.org. NAME=default restores the default. While a step is open, "
        "the change applies from the next deadline on. All players get a notice."
    ),
    arguments=(
        Argument(
            name="settings",
            kind=ArgumentKind(_read_assignment, lambda _books, _game: _list_assignments()),
            help="The settings with their new values.",
            label="a setting with its value, as in pace=48h,",
            many=True,
            metavar="NAME=VALUE...",
        ),
        make_flag("now", "Apply it at once; a new pace moves the current deadline."),
    ),
    examples=(
        "adjust ember pace=48h",
        "adjust ember pace='mon,thu 20:00' nmr=bot --now",
    ),
    letters=("adjust pace=48h", "{adjust: {pace: 'mon,thu 20:00', remind: [24h, 6h]}}"),
    read_letter=_read_adjust,
    do=_adjust,
    undo=_undo,
    blocked_by=("adjust",),
)
