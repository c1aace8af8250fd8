"""Change parts of a document by what somebody wrote, whose values are all text."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Document
from adjudicator.core.names import exact
from adjudicator.desk.errors import Refused


def patched(document: Document, change: Any) -> Document:
    """The document with these parts changed; a null takes a part away."""
    if not isinstance(change, Mapping) or not change:
        raise Refused("change: name the parts of the position that change, as in {turn: 4}")
    return _mapping(document, change)


def _mapping(before: Mapping[str, Any], change: Mapping[Any, Any]) -> dict[str, Any]:
    made = dict(before)
    for key, wanted in change.items():
        # of a letter all keys come in small letters: A1 is a1 there
        name = exact(str(key), before) or str(key)
        if wanted is None or wanted in ("null", "~"):
            made.pop(name, None)
        else:
            made[name] = _value(before.get(name), wanted)
    return made


def _value(before: Any, wanted: Any) -> Any:
    """The value of the type that stood there; text where nothing tells otherwise."""
    if isinstance(wanted, Mapping):
        return _mapping(before if isinstance(before, Mapping) else {}, wanted)
    if isinstance(wanted, list | tuple):
        likes = before if isinstance(before, list | tuple) else ()
        return [_value(likes[0] if likes else None, one) for one in wanted]
    if isinstance(before, str) or not isinstance(wanted, str):
        return wanted
    return _scalar(wanted)


def _scalar(wanted: str) -> Any:
    word = wanted.strip()
    if word.lower() in ("true", "yes", "false", "no"):
        return word.lower() in ("true", "yes")
    number = word.removeprefix("-")
    return int(word) if number.isascii() and number.isdigit() and len(number) < 10 else wanted
