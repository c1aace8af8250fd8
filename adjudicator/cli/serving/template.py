"""The settings file that `init` writes: every setting with its explanation, from the schema."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.document import Document

_WIDTH = 78
_HEAD = """\
# Settings of the daemon: adjudicator serve --config {file}
# Read again with SIGHUP. Lines that begin with # are what happens anyway.
# No password stands here: only where it is found (see password).
"""


def rendered(schema: Document, given: Document, file: str) -> str:
    """The file: what was given, and the rest as comments."""
    lines = [_HEAD.format(file=file).rstrip("\n")]
    known = schema["properties"]
    for name, part in known.items():
        lines += ["", *_comment(part.get("description", ""), "")]
        lines += _setting(name, part, given)
    lines += [f"{name}: {flow(value)}" for name, value in given.items() if name not in known]
    return "\n".join(lines) + "\n"


def _setting(name: str, part: Document, given: Document) -> Iterator[str]:
    if name not in given:
        shown = part.get("examples", [part.get("default")])[0]
        yield f"#{name}: {flow(part.get('default', shown))}"
        return
    value = given[name]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        yield f"{name}:"
        for item in value:
            yield from _account(item, part["items"], "- ", "  ")
    elif isinstance(value, dict):
        yield f"{name}:"
        yield from _account(value, part, "  ", "  ")
    else:
        yield f"{name}: {flow(value)}"


def _account(value: Mapping[str, Any], part: Document, first: str, indent: str) -> Iterator[str]:
    """A postbox or postman with all that may be said of it."""
    branch = "then" if value["kind"] == part["if"]["properties"]["kind"]["const"] else "else"
    known = {**part["properties"], **part[branch]["properties"]}
    yield f"{first}kind: {value['kind']}"
    for name, schema in known.items():
        if name == "kind":
            continue
        yield from _comment(schema.get("description", ""), indent)
        if name in value and value[name] is None:
            yield f"{indent}{name}: none"
            continue
        default = schema.get("default")
        shown = "none" if default is None and name == "done" else flow(default)
        yield (
            f"{indent}{name}: {flow(value[name])}"
            if name in value
            else f"{indent}#{name}: {shown if default is not None else ''}".rstrip()
        )
    # what nobody knows is written down as it was given, and refused when it is read
    yield from (f"{indent}{name}: {flow(value[name])}" for name in value if name not in known)


def _comment(text: str, indent: str) -> list[str]:
    start = f"{indent}# "
    words = " ".join(text.split())
    return textwrap.wrap(words, _WIDTH, initial_indent=start, subsequent_indent=start)


def flow(value: Any) -> str:
    """A value on one line of YAML; numbers of seconds are kept as text and need no quotes."""
    from adjudicator.adapters.layout import flow as laid_out

    if isinstance(value, str) and value.replace(".", "").isdigit():
        return value
    return laid_out(value)
