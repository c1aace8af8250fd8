"""Which screens a media query asks for, as far as a computer's screen answers it.

Conditions inside conditions are not read, nor what we don't know: nothing applies because of them.
"""

import re
from collections.abc import Sequence

_NUMBERS = {
    "width": 1280.0,
    "height": 720.0,
    "device-width": 1280.0,
    "device-height": 720.0,
    "resolution": 1.0,
    "-webkit-device-pixel-ratio": 1.0,
    "color": 8.0,
    "monochrome": 0.0,
    "grid": 0.0,
}
_WORDS = {
    "orientation": "landscape",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
}
_UNITS = {"": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "in": 96.0, "cm": 37.8}
_UNITS |= {"mm": 3.78, "dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 1 / 37.8}
_QUERY = re.compile(r"(?:(not|only)\s+)?([a-z-]+)(?:\s+and\s+(\(.*))?", re.DOTALL)
_CONDITION = re.compile(r"(not\s+)?\(([^()]*)\)|\s+(and|or)\s+", re.DOTALL)
_NUMBER = re.compile(r"([+-]?\d*\.?\d+)([a-z]*)")
_COMPARISON = re.compile(r"\s*(<=|>=|<|>|=)\s*")
_HOLDS = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "=": lambda left, right: left == right,
}


def fits_screen(queries: str) -> bool:
    """Whether one of these media queries asks for a light screen of 1280 x 720 pixels."""
    plain = " ".join(queries.lower().split())
    return any(_fits(query.strip()) for query in plain.split(","))


def _fits(query: str) -> bool:
    match = _QUERY.fullmatch(query)
    if match is None:
        return _holds_all(query) is True
    if match[2] not in ("screen", "all", "print"):
        return match[1] == "not"
    holds = _holds_all(match[3]) if match[3] else True
    if holds is None:
        return False
    return (match[2] != "print" and holds) != (match[1] == "not")


def _holds_all(condition: str) -> bool | None:
    """Whether conditions joined by `and` or by `or` hold; None if they can't be read."""
    parts = list(_CONDITION.finditer(condition))
    joints = {part[3] for part in parts[1::2]}
    whole = "".join(part.group() for part in parts) == condition
    if not whole or len(parts) % 2 == 0 or len(joints) > 1 or None in joints:
        return None
    answers = [_answer(part) for part in parts[::2]]
    if None in answers:
        return None
    return any(answers) if "or" in joints else all(answers)


def _answer(part: "re.Match[str]") -> bool | None:
    if part[2] is None:
        return None
    holds = _has_feature(part[2].strip())
    return holds if holds is None or not part[1] else not holds


def _has_feature(feature: str) -> bool | None:
    name, colon, value = (one.strip() for one in feature.partition(":"))
    if not colon:
        return _compare(_COMPARISON.split(name))
    if name in _WORDS:
        return _WORDS[name] == value
    for limit, sign in (("min-", ">="), ("max-", "<=")):
        if limit in name:
            return _compare((name.replace(limit, "", 1), sign, value))
    return _compare((name, "=", value))


def _compare(parts: Sequence[str]) -> bool | None:
    """Whether a chain of comparisons holds; a feature alone holds if the screen has it."""
    if len(parts) == 1:
        return parts[0] in _WORDS or (_NUMBERS[parts[0]] > 0 if parts[0] in _NUMBERS else None)
    numbers = [_read_number(part) for part in parts[::2]]
    values = [number for number in numbers if number is not None]
    if len(values) < len(numbers) or not set(parts[::2]) & _NUMBERS.keys():
        return None
    signs = zip(values, parts[1::2], values[1:], strict=False)
    return all(_HOLDS[sign](left, right) for left, sign, right in signs)


def _read_number(text: str) -> float | None:
    if text in _NUMBERS:
        return _NUMBERS[text]
    match = _NUMBER.fullmatch(text)
    unit = _UNITS.get(match[2]) if match else None
    return None if match is None or unit is None else float(match[1]) * unit
