"""Custom properties of styles, and the values that are made of them."""

import re
from collections.abc import Callable, Mapping

_CALL = re.compile(r"(?<![\w-])(var|env)\(", re.IGNORECASE)
_LONGEST = 300
"""Signs of a value; a browser knows longer ones, but none of them hides anything."""
_DEEPEST = 40
_OUTSIDE = dict.fromkeys((f"safe-area-inset-{side}" for side in ("top", "right")), "0px")
_OUTSIDE |= dict.fromkeys((f"safe-area-inset-{side}" for side in ("bottom", "left")), "0px")
"""What a computer's screen says of its edges."""

Variables = Mapping[str, str]
Find = Callable[[str], str | None]


class _CircleError(Exception):
    """A property is made of itself, so it has no value."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def has_calls(value: str) -> bool:
    """Whether a value is made of others."""
    return _CALL.search(value) is not None


def inherit_variables(around: Variables, own: Variables) -> dict[str, str]:
    """Return the custom properties inside a tag that declares some of its own."""
    properties = dict(around)
    resolver = _Resolver(around, own)
    for name in own:
        value = resolver.find(name)
        properties.pop(name, None)
        if value is not None:
            properties[name] = value
    return properties


class _Resolver:
    """Finds the values of a tag's own properties, which may be made of each other."""

    def __init__(self, around: Variables, own: Variables) -> None:
        self._around, self._own = around, own
        self._values: dict[str, str | None] = {}

    def find(self, name: str) -> str | None:
        """Find the value of a property; None if it has none."""
        return self._find(name, ())

    def _find(self, name: str, inside: tuple[str, ...]) -> str | None:
        if name not in self._own:
            return self._around.get(name)
        if name in self._values:
            return self._values[name]
        if name in inside:
            raise _CircleError(name)
        if len(inside) > _DEEPEST:
            return None
        word = self._own[name].lower()
        try:
            if word in ("inherit", "unset", "revert", "revert-layer"):
                value = self._around.get(name)
            elif word == "initial":
                value = None
            else:
                value = substitute(self._own[name], lambda one: self._find(one, (*inside, name)))
        except _CircleError as circle:
            self._values[name] = value = None
            if circle.name != name:
                raise
        self._values[name] = value
        return value


def substitute(value: str, find: Find) -> str | None:
    """Put values in place of their names; None if one is missing that nothing stands in for."""
    result, at = "", 0
    while (call := _CALL.search(value, at)) and len(result) <= _LONGEST:
        end = _find_close(value, call.end())
        name, comma, instead = value[call.end() : end].partition(",")
        name = name.strip()
        replacement = find(name) if call[1].lower() == "var" else _OUTSIDE.get(name.lower())
        if replacement is None and comma:
            replacement = substitute(instead, find)
        if replacement is None:
            return None
        result += f"{value[at : call.start()]} {replacement} "  # words do not grow together
        at = end + 1
    result += value[at:]
    return result.strip() if len(result) <= _LONGEST else None


def _find_close(value: str, at: int) -> int:
    """Find the parenthesis that ends a call, or the end of the value."""
    depth = 1
    for place in range(at, len(value)):
        depth += {"(": 1, ")": -1}.get(value[place], 0)
        if depth == 0:
            return place
    return len(value)
