"""The actions of an order form as values, and each as one line of text."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adjudicator.core.document import Document
from adjudicator.rules.jump_gate.position.state import Preferences

Action = Mapping[str, Any]

_PREFERENCES: Final = ("take", "mark")
"""Of these only the first that can be had is meant (JG-14); but a backroom deal takes two."""


def parse_actions(form: Document) -> Sequence[Action]:
    """Parse the list of a turn form."""
    return form.get("actions") or ()


def parse_preferences(value: Any) -> Preferences | None:
    """Parse a list of preferences; None if nothing was said."""
    return tuple(value) if value else None


def describe_action(action: Action) -> str:
    """Describe the action in one line: `jump to anno, card n14`."""
    then = ", then " if action["do"] == "special" else ", else "
    rest = {key: value for key, value in action.items() if key not in ("do", "to")}
    parts = [_describe_part(key, value, then) for key, value in rest.items()]
    to = f" to {action['to']}" if "to" in action else ""
    return ", ".join([f"{action['do']}{to}", *parts])


def _describe_part(key: str, value: Any, then: str) -> str:
    if isinstance(value, Mapping):
        return " ".join([key, *(f"{name} {one}" for name, one in value.items())])
    if isinstance(value, list | tuple):
        between = then if key in _PREFERENCES else " and "
        return f"{key} {between.join(map(str, value)) or 'nothing'}"
    return f"{key} {value}"
