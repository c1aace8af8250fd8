"""Explain an order form to the person who fills it in, from its schema alone."""

from collections.abc import Iterator
from typing import Any

from adjudicator.core.document import Document
from adjudicator.core.forms.fault_messages import NOUNS, join_words
from adjudicator.core.forms.order_form import Form
from adjudicator.core.forms.schema import Node


def explain_form(form: Form) -> Document:
    """Explain a form: name, title, rule, description, an example, and every key.

    Keys stand in the order of the form; a key inside another is told as `fight.targets`. One that
    goes with a certain value of another key has that in `beside`: `do: fly`.
    """
    examples = form.schema.get("examples", ())
    return {
        "name": form.name,
        "title": form.title,
        "rule": form.rule,
        "description": form.schema.get("description", ""),
        "example": examples[0] if examples else None,
        "keys": _join_alike(_describe_keys(form.root, "")),
    }


def _join_alike(keys: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tell once what several values of another key go with: `at` goes with do: scan or land."""
    joined: dict[str, dict[str, Any]] = {}
    for key in keys:
        name, _, word = key["beside"].partition(": ")
        like = joined.setdefault(
            repr({**key, "beside": name}), {**key, "beside": name, "words": []}
        )
        like["words"] += [word] if word else []
    return [_write_beside(key.pop("words"), key) for key in joined.values()]


def _write_beside(words: list[str], key: dict[str, Any]) -> dict[str, Any]:
    return {**key, "beside": f"{key['beside']}: {join_words(words)}"} if words else key


def _describe_keys(node: Node, above: str) -> Iterator[dict[str, Any]]:
    for key, child, beside in _list_children(node):
        path = f"{above}.{key}" if above else key
        yield {
            "key": path,
            "what": child.schema.get("description", ""),
            "takes": describe_values(child),
            "examples": list(child.schema.get("examples", ())),
            "default": child.schema.get("default"),
            "required": key in node.schema.get("required", ()),
            "beside": beside,
        }
        yield from _describe_keys(child, path)
        if child.items is not None:
            yield from _describe_keys(child.items, f"{path}[]")


def _list_children(node: Node, beside: str = "") -> Iterator[tuple[str, Node, str]]:
    for key, child in node.properties.items():
        yield key, child, beside
    for branch in node.branches:
        if branch.then is not None:
            yield from _list_children(branch.then, _describe_condition(branch.condition) or beside)
        if branch.otherwise is not None:
            others = _describe_condition(_negate_condition(node, branch.condition))
            yield from _list_children(branch.otherwise, others or beside)


def _negate_condition(node: Node, condition: Document) -> Document:
    """Find the other values of a key whose one value is the condition, if all are listed."""
    others = {
        key: {"enum": [one for one in node.properties[key].words if one != schema.get("const")]}
        for key, schema in condition.get("properties", {}).items()
        if key in node.properties
    }
    return {"properties": others} if len(others) == 1 else {}


def _describe_condition(condition: Document) -> str:
    """Describe the values of other keys for which a branch holds, as in `do: fly`."""
    descriptions = []
    for key, schema in condition.get("properties", {}).items():
        values = [schema["const"]] if "const" in schema else schema.get("enum", ())
        if values:
            descriptions.append(f"{key}: {join_words([str(value) for value in values])}")
    return ", ".join(descriptions)


def describe_values(node: Node) -> str:
    """Describe the possible values in a few words."""
    words: list[str] = []
    for kind in node.types:
        if kind == "string":
            words += _list_words(node)
        elif kind == "array" and node.items is not None:
            words.append(f"a list of: {describe_values(node.items)}")
        elif kind == "object" and node.noun:
            words.append(node.noun)
        elif kind != "null":
            words.append(NOUNS[kind])
    return join_words(words) or "anything"


def _list_words(node: Node) -> list[str]:
    words = list(node.words)
    for branch in node.branches:
        if branch.then is not None and branch.condition == {"type": "string"}:
            words += branch.then.words
    return words or [node.noun or "text"]
