"""An explained order form (core/explain.py) as text, for letters and the command line."""

from collections.abc import Mapping
from typing import Any

from adjudicator.adapters.layout import WIDTH, block, flow, wrapped


def form_text(told: Mapping[str, Any], width: int = WIDTH) -> str:
    """What may be written, what it does, how it looks."""
    lines = [wrapped(f"{told['title']} (form {told['name']})", width=width), ""]
    if told["description"]:
        lines.append(wrapped(told["description"], width=width))
    for key in told["keys"]:
        lines += _key(key, width)
    if told["example"]:
        lines += ["", "For example:", *_indented(told["example"], 2, width)]
    return "\n".join(lines)


def _key(key: Mapping[str, Any], width: int) -> list[str]:
    path: str = key["key"]
    depth = 2 + 4 * path.count(".")
    lead = " " * (depth + 4)
    leaf = path.rpartition(".")[2]
    must = ", must be there" if key["required"] else ""
    said = key.get("beside")  # a letter that waits may be older than this key
    beside = f" (with {said})" if said else ""
    lines = [wrapped(f"{leaf}: {key['takes']}{must}{beside}", " " * depth, depth + 6, width)]
    if key["what"]:
        lines.append(wrapped(key["what"], lead, width=width))
    if key["default"] is not None:
        lines.append(wrapped(f"Without it: {flow(key['default'])}.", lead, width=width))
    for one in key["examples"][:3]:
        lines += _indented({leaf: one}, depth + 4, width)
    return lines if "." in path else ["", *lines]


def _indented(form: Mapping[str, Any], indent: int, width: int) -> list[str]:
    text = block(form, width if width == WIDTH else width - indent)
    return [" " * indent + line for line in text.splitlines()]
