"""Change the settings of a game that is open or running."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import fields, replace

from adjudicator.core.document import Document
from adjudicator.core.names import fold, suggest
from adjudicator.desk.acts.act import Act, Argument, ArgumentKind, Call, Done, make_flag
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import PRIVATE
from adjudicator.desk.model.settings import Settings, settings_of
from adjudicator.desk.model.values import HistoryNote, Status, Step
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.requests.envelope import parse_boolean
from adjudicator.desk.steps.advance import step_deadline
from adjudicator.desk.steps.lock import lock_context

_FIELDS = {field.name: field for field in fields(Settings)}
_NEVER = {
    "host": "letters that are out would no longer be recognised by their Message-IDs",
    "anonymous": "players have joined under it; make a new game",
}
"""Settings that stay as a game was made, and why."""
_BEFORE_START = {
    "smallest": "the game has begun",
    "expires": "the game has begun",
    "invited": "the game has begun; use `replace` to seat somebody",
}
_NAMES = ("substitutes", "invited")
"""Settings whose values name people: players read only that they changed."""
_TIMED = ("pace", "least", "zone", "interrupt_pace")
"""Settings from which the next deadline is computed."""


def adjust_settings(
    context: Context, wanted: Document, *, now: bool
) -> tuple[Mapping[str, tuple[Any, Any]], Step | None]:
    """Change these settings (None: back to the default), and tell the players.

    What changed, from what to what; and the open step if its deadline moved.
    """
    game = context.game
    for name in wanted:
        _refuse_fixed(context, name)
    before = context.settings
    kept = {name: value for name, value in game.settings.items() if name not in wanted}
    given = {name: value for name, value in wanted.items() if value is not None}
    after = settings_of({**kept, **given})
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in wanted}
    changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if not changed:
        raise Refused(f"{game.id}: the settings have these values already; nothing was changed")
    context.now(settings={**kept, **given})
    moved = _move_deadline(context) if now else None
    text = "; ".join(_describe(name, *pair) for name, pair in changed.items())
    old = {name: game.settings.get(name) for name in changed}
    data = {"settings": list(changed), "now": moved is not None, PRIVATE: {"before": _plain(old)}}
    context.note("adjust", text, data=data)
    _tell(context, [_describe(name, *pair) for name, pair in changed.items()], moved)
    return changed, moved


def _plain(old: Mapping[str, Any]) -> dict[str, Any]:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in old.items()}


def _refuse_fixed(context: Context, name: str) -> None:
    game = context.game
    why = _NEVER.get(name)
    if why is None and game.status is not Status.OPEN:
        why = _BEFORE_START.get(name)
    if why is not None:
        raise Refused(f"{game.id}: {name} cannot be changed now: {why}")


def _move_deadline(context: Context) -> Step | None:
    """The open step with the deadline that it has by the settings as they are now."""
    if context.game.open_step is None:
        return None
    step = context.open_step()
    due = step_deadline(context, context.due, since=context.game.paused or context.at)
    if due == step.deadline:
        return None
    moved = replace(step, deadline=due)
    context.books.save_step(moved)
    withdraw_reminders(context, moved)
    return moved


def _describe(name: str, before: Any, after: Any) -> str:
    if name in _NAMES:
        return f"{name}: changed"
    return f"{name}: {_said(before)} -> {_said(after)}"


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _tell(context: Context, changes: Sequence[str], moved: Step | None) -> None:
    lines = ["The GM changed settings of the game:", *(f"- {change}" for change in changes)]
    if context.game.open_step is not None:
        lines.append("{deadline}" if moved else "The current deadline stays. {deadline}")
    step = moved or current_step(context)
    queue_notices(context, step, "Settings changed", lines)


# the act


def read_setting(name: str, said: Any) -> Any:
    """The value of a setting as it was written; None is its default."""
    if said is None or (isinstance(said, str) and fold(said) == "default"):
        return None
    kind = _FIELDS[name].type
    if kind is bool:
        value = parse_boolean(str(said))
        if value is None:
            raise Refused(f"{name}: write yes or no, not {str(said)[:40]!r}")
        return value
    if kind is int:
        if not str(said).isdigit():
            raise Refused(f"{name}: write a number, not {str(said)[:40]!r}")
        return int(str(said)[:9])
    if isinstance(_FIELDS[name].default, tuple):
        parts = said if isinstance(said, list | tuple) else str(said).strip("[] ").split(",")
        words = [" ".join(str(one).split()) for one in parts]
        return [word for word in words if word and fold(word) != "none"]
    return " ".join(str(said).split())


def _read_assignment(_call: Call, raw: Any) -> tuple[str, Any]:
    name, equals, value = (
        (raw[0], "=", raw[1]) if isinstance(raw, tuple) else str(raw).partition("=")
    )
    found = next((one for one in _FIELDS if fold(one) == fold(str(name))), None)
    if found is None:
        meant = suggest(str(name), list(_FIELDS))
        hint = f'did you mean "{meant}"?' if meant else f"the settings are {', '.join(_FIELDS)}"
        raise Unknown(f'there is no setting "{str(name)[:40]}"; {hint}')
    if not equals:
        raise Refused(f"{found}: write its value behind it, as in {found}=VALUE")
    return found, read_setting(found, value)


def _read_adjust(words: Sequence[str], content: Any) -> Mapping[str, Any]:
    if isinstance(content, Mapping):
        return {"settings": tuple((str(name), value) for name, value in content.items())}
    return {"settings": tuple(words)}


def _adjust(call: Call, settings: Sequence[tuple[str, Any]], *, now: bool) -> Done:
    context = lock_context(
        call.books, call.library, call.game, at=call.at, status=(Status.OPEN, *STARTED)
    )
    changed, moved = adjust_settings(context, dict(settings), now=now)
    told = "; ".join(_describe(name, *pair) for name, pair in changed.items())
    timed = any(name in _TIMED for name in changed) and context.game.open_step is not None
    due = [f"{call.describe_due(moved)}."] if moved else []
    if timed and not moved:
        due = ["This counts from the next deadline on; the current one stays."]
    return Done(said=f"Changed: {told}.", would=f"Would change: {told}.", details=tuple(due))


def _undo(call: Call, note: HistoryNote) -> Done:
    before = note.data.get(PRIVATE, {}).get("before")
    if before is None:
        raise Refused(f"{call.game}: what was set before is not known; adjust it again")
    return _adjust(call, list(before.items()), now=bool(note.data["now"]))


ACT_ADJUST = Act(
    name="adjust",
    about=(
        "Most settings of the game, as in pace=48h, remind=24h,6h, press=grey, nmr=bot or "
        "substitutes=Zoe; NAME=default restores the default. A new pace counts from the next "
        "deadline on. All players get a notice."
    ),
    arguments=(
        Argument(
            name="settings",
            kind=ArgumentKind(
                _read_assignment, lambda _books, _game: [f"{name}=" for name in _FIELDS]
            ),
            help="The settings with their new values.",
            label="a setting with its value, as in pace=48h,",
            many=True,
            metavar="NAME=VALUE...",
        ),
        make_flag("now", "Move the deadline that is running, too."),
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
