"""An explained order form (core/explain.py) as text, for letters and the command line."""

from collections.abc import Mapping
from typing import Any

from adjudicator.adapters.layout import block, flow, wrapped


def form_text(told: Mapping[str, Any]) -> str:
    """What may be written, what it does, how it looks."""
    lines = [f"{told['title']} (form {told['name']})", ""]
    if told["description"]:
        lines.append(wrapped(told["description"]))
    for key in told["keys"]:
        lines += _key(key)
    if told["example"]:
        lines += ["", "For example:", *_indented(block(told["example"]), 2)]
    return "\n".join(lines)


def _key(key: Mapping[str, Any]) -> list[str]:
    path: str = key["key"]
    depth = 2 + 4 * path.count(".")
    leaf = path.rpartition(".")[2]
    must = ", must be there" if key["required"] else ""
    said = key.get("beside")  # a letter that waits may be older than this key
    beside = f" (with {said})" if said else ""
    lines = [wrapped(f"{leaf}: {key['takes']}{must}{beside}", " " * depth, depth + 6)]
    if key["what"]:
        lines.append(wrapped(key["what"], " " * (depth + 4)))
    if key["default"] is not None:
        lines.append(" " * (depth + 4) + f"Without it: {flow(key['default'])}.")
    for one in key["examples"][:3]:
        lines += _indented(block({leaf: one}), depth + 4)
    return lines if "." in path else ["", *lines]


def _indented(text: str, indent: int) -> list[str]:
    return [" " * indent + line for line in text.splitlines()]
