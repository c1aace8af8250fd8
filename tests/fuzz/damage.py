"""Damage at random: bytes and trees with something cut out, put in, repeated or exchanged."""

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Content = TypeVar("Content", bytes, str)

WRONG: tuple[Any, ...] = (
    *(None, 0, -1, 3, 10**17, 1.5, True, "", "x", "no", "max", "all", "9" * 400, "\u202e\x1b[2J"),
    *([], {}, [[]], {"a": 1}, ["x", "x"], "a: b", "A1-B2 x3", " ", "\ufeff", "0x10", "-0"),
)
"""Values of every kind; what is due is hardly ever among them."""


def hurt(
    content: Content, other: Content, pieces: Sequence[Content], luck: random.Random
) -> Content:
    """The content with one thing wrong."""
    at = luck.randrange(len(content) + 1)
    to = min(at + luck.choice((1, 4, 40, 400)), len(content))
    ways: tuple[Callable[[], Content], ...] = (
        lambda: content[:at] + content[to:],
        lambda: content[:at] + luck.choice(pieces) + content[at:],
        lambda: content[:at] + luck.choice(pieces)[:1] + content[at + 1 :],
        lambda: content[:to] + content[at:to] * luck.choice((1, 2, 50)) + content[to:],
        lambda: content[:at] + other[luck.randrange(len(other) + 1) :],
        lambda: content[:at],
    )
    return luck.choices(ways, (5, 9, 9, 3, 1, 1))[0]()[:1_000_000]


def hurt_often(
    content: Content, others: Sequence[Content], pieces: Sequence[Content], luck: random.Random
) -> Content:
    """The content with one or many things wrong."""
    for _ in range(luck.choice((1, 1, 2, 5, 20))):
        content = hurt(content, luck.choice(others), pieces, luck)
    return content


def hurt_tree(document: Any, luck: random.Random) -> Any:
    """The document with one value that is missing, of a wrong kind, or somewhere else."""
    whole = node = copy.deepcopy(document)
    while isinstance(node, dict | list) and node:
        key = luck.choice(list(node) if isinstance(node, dict) else range(len(node)))
        below = node[key]
        if isinstance(below, dict | list) and below and luck.random() < 0.75:
            node = below
            continue
        match luck.randrange(5):
            case 0:
                del node[key]
            case 1 if isinstance(node, dict):
                node[luck.choice((f"{key}s", f"{key} ", str(key).upper(), "nonsense"))] = below
            case 1 | 2 if isinstance(node, list):
                node.insert(key, copy.deepcopy(luck.choice(node)))
            case 3:
                node[key] = [below] if luck.random() < 0.5 else {key: below}
            case _:
                node[key] = luck.choice(WRONG)
        break
    return whole
