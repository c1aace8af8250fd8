"""An order form told to whoever has to fill it in, from its schema alone."""

from collections.abc import Iterator
from typing import Any

from adjudicator.core.complaints import NOUNS, either
from adjudicator.core.document import Document
from adjudicator.core.forms import Form
from adjudicator.core.schema import Node


def explain(form: Form) -> Document:
    """{name, title, rule, description, example, keys: [{key, what, takes, examples, default}]}.

    Keys stand in the order of the form; a key inside another is told as `fight.targets`.
    """
    examples = form.schema.get("examples", ())
    return {
        "name": form.name,
        "title": form.title,
        "rule": form.rule,
        "description": form.schema.get("description", ""),
        "example": examples[0] if examples else None,
        "keys": list(_keys(form.root, "")),
    }


def _keys(node: Node, above: str) -> Iterator[dict[str, Any]]:
    for key, child in _children(node):
        path = f"{above}.{key}" if above else key
        yield {
            "key": path,
            "what": child.schema.get("description", ""),
            "takes": takes(child),
            "examples": list(child.schema.get("examples", ())),
            "default": child.schema.get("default"),
            "required": key in node.schema.get("required", ()),
        }
        yield from _keys(child, path)
        if child.items is not None:
            yield from _keys(child.items, f"{path}[]")


def _children(node: Node) -> Iterator[tuple[str, Node]]:
    yield from node.properties.items()
    for branch in node.branches:
        for part in (branch.then, branch.otherwise):
            if part is not None:
                yield from _children(part)


def takes(node: Node) -> str:
    """What may stand there, in a few words."""
    words: list[str] = []
    for kind in node.types:
        if kind == "string":
            words += _words(node)
        elif kind == "array" and node.items is not None:
            words.append(f"a list of: {takes(node.items)}")
        elif kind == "object" and node.noun:
            words.append(node.noun)
        elif kind != "null":
            words.append(NOUNS[kind])
    return either(words) or "anything"


def _words(node: Node) -> list[str]:
    chosen = list(node.words)
    for branch in node.branches:
        if branch.then is not None and branch.condition == {"type": "string"}:
            chosen += branch.then.words
    return chosen or [node.noun or "a word"]
