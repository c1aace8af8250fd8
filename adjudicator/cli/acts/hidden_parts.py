"""The secret parts of a state document, which its editor does not see unless asked.

A game names them in `secrets`: `hands`, or `planets.*.face_down` for one key of every planet.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document

_EACH = "*"


def remove_secrets(document: Document, secrets: Iterable[str]) -> dict[str, Any]:
    """Remove the secrets from the document."""
    rest = dict(document)
    for secret in secrets:
        rest = _remove(rest, secret.split("."))
    return rest


def restore_secrets(document: Document, before: Document, secrets: Iterable[str]) -> dict[str, Any]:
    """Put the secrets that the document leaves out back as they were before."""
    whole = dict(document)
    for secret in secrets:
        whole = _fill(whole, before, secret.split("."))
    return whole


def has_secret(document: Document, secret: str) -> bool:
    """Whether there is anything to keep secret there."""
    return any(_find_values(document, secret.split(".")))


def _remove(document: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    first, *rest = path
    if not rest:
        return {key: value for key, value in document.items() if first not in (key, _EACH)}
    return {
        key: _remove(value, rest) if first in (key, _EACH) and isinstance(value, Mapping) else value
        for key, value in document.items()
    }


def _fill(
    document: Mapping[str, Any], before: Mapping[str, Any], path: Sequence[str]
) -> dict[str, Any]:
    first, *rest = path
    whole = dict(document)
    for key, value in before.items():
        if first not in (key, _EACH):
            continue
        if not rest:
            whole.setdefault(key, value)
        elif isinstance(value, Mapping) and isinstance(whole.get(key, {}), Mapping):
            below = _fill(whole.get(key, {}), value, rest)
            if below:
                whole[key] = below
    return whole


def _find_values(document: Mapping[str, Any], path: Sequence[str]) -> list[Any]:
    first, *rest = path
    there = [value for key, value in document.items() if first in (key, _EACH)]
    if not rest:
        return there
    return [
        one for value in there if isinstance(value, Mapping) for one in _find_values(value, rest)
    ]
