"""Short ways to write what a form wants: one line of words for a mapping, commas for a list."""

import re
from collections.abc import Mapping

from adjudicator.core.forms.schema import LONGEST_SHORT_FORM, Node
from adjudicator.core.names import fold

_PARTS = re.compile(r"\s*([,;])\s*(?:(?:and\s+)?then\s+)?", re.IGNORECASE)
_ALSO = re.compile(r"\s+(?:and|or|else|then|&)\s+", re.IGNORECASE)


def split_pairs(node: Node, text: str) -> dict[str, str | None] | None:
    """Read `advance jump, pair attack` as a mapping: each key of the node, then its value."""
    if node.pair_start is None or len(text) > LONGEST_SHORT_FORM:
        return None
    starts = list(node.pair_start.finditer(text))
    if not starts or starts[0].start() != 0:
        return None
    ends = [one.start() for one in starts[1:]] + [len(text)]
    pairs: dict[str, str | None] = {}
    for start, end in zip(starts, ends, strict=True):
        key, value = node.keys[fold(start.group(1))], text[start.end() : end].strip(' ,;\t"')
        if not value and _is_flag(node, key):
            value = "yes"
        before = pairs.get(key)
        if not value or (before is not None and not _takes_several(node, key)):
            return None
        pairs[key] = f"{before}, {value}" if before else value
    return pairs


def _takes_several(node: Node, key: str) -> bool:
    """Whether a key that is written twice in one line adds to its list."""
    below: Mapping[str, Node] = node.properties
    return key in below and "array" in below[key].types


def _is_flag(node: Node, key: str) -> bool:
    below: Mapping[str, Node] = node.properties
    return key in below and below[key].types == ("boolean",)


def split_entries(node: Node, text: str) -> list[str]:
    """Split a line of words into the entries of a list.

    A comma may also stand inside an entry of a short form; `and` may stand for a comma.
    """
    is_short = bool(node.short) and node.match_short(text) is not None
    if not is_short and "object" in node.types and split_pairs(node, text) is not None:
        return [text]
    pieces = _PARTS.split(text)
    entries: list[str] = []
    for number in range(0, len(pieces), 2):
        piece, before = pieces[number].strip(' "'), pieces[number - 1] if number else ";"
        longer = f"{entries[-1]}, {piece}" if entries and before == "," else ""
        if longer and _begins_inside(node, piece) and node.match_short(longer) is not None:
            entries[-1] = longer
        elif piece:
            entries += _split_also(node, piece)
    return entries


def _begins_inside(node: Node, piece: str) -> bool:
    return bool(node.short) and node.match_short(piece) is None


def _split_also(node: Node, piece: str) -> list[str]:
    if " " not in piece or (node.short and node.match_short(piece) is not None):
        return [piece]
    parts = [one.strip() for one in _ALSO.split(piece)]
    matches = (node.match_short(one) is not None for one in parts) if node.short else (node.name,)
    return parts if len(parts) > 1 and all(parts) and all(matches) else [piece]
