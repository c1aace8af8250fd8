"""Show orders on file to a player: as they would be written, and in plain words.

Three annotations of a form's schema (beside those of core/forms/schema.py) say how:

x-brief    templates of the short form, of which the first that means the same is taken:
           ["{from}-{to} all", "{from}-{to} x{fleets}"]
x-wording  a template in words; a noun behind a colon is counted: "{fleets:fleet} from {from}";
           a list is joined by the word behind the colon: "{cards:and}". Or parts of a template:
           those are taken whose keys are there: ["jump to {to}", ", discarding {card}"]
x-words    of an option of a game: its words by its value, `other` for all others; they may name any
           option, and empty ones say nothing: {choose: "homeworlds {spacing} apart", other: ""}
"""

import string
from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document
from adjudicator.core.finding import Path
from adjudicator.core.forms.order_form import Form
from adjudicator.core.forms.schema import Node


def spell_orders(form: Form, orders: Document) -> dict[str, Any]:
    """Write the orders in the order of the form, with short forms where there are any."""
    return _spell_block(form.root, orders)


def describe_entry(form: Form, path: Path, value: Any) -> str:
    """Describe what stands at a place of the form, in plain words."""
    return _describe_value(_find_node(form.root, path), value)


def describe_options(form: Form, options: Document) -> list[str]:
    """Describe the options of a game in the words of their form; without any, by their names."""
    plain = {key: _format_option(value) for key, value in options.items()}
    descriptions = []
    for key, node in form.root.properties.items():
        words = node.schema.get("x-words", {"other": f"{key.replace('_', ' ')}: {{{key}}}"})
        if key in plain:
            descriptions.append(words.get(plain[key], words.get("other", "")).format_map(plain))
    return [one for one in descriptions if one]


def _format_option(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    if isinstance(value, Mapping):
        return " and ".join(f"{one} {other}" for one, other in value.items())
    return str(value)


def _spell_block(node: Node | None, value: Mapping[str, Any]) -> dict[str, Any]:
    keys_of_form = dict.fromkeys(node.properties if node else ())
    keys = (*keys_of_form, *sorted(value.keys() - keys_of_form.keys()))
    return {key: _spell_value(_find_child(node, key), value[key]) for key in keys if key in value}


def _spell_value(node: Node | None, value: Any) -> Any:
    if isinstance(value, Mapping):
        brief = _spell_brief(node, value) if node else None
        return _spell_block(node, value) if brief is None else brief
    if isinstance(value, list | tuple):
        return [_spell_value(node.items if node else None, one) for one in value]
    return value


def _spell_brief(node: Node, value: Mapping[str, Any]) -> str | None:
    """Find the short form that is read as exactly this value."""
    texts = {key: str(one) for key, one in value.items()}
    for template in node.schema.get("x-brief", ()) if node.short else ():
        text = _fill(template, value)
        groups = node.match_short(text) if text is not None else None
        if groups is not None and groups == {**dict.fromkeys(groups), **texts}:
            return text
    return None


def _describe_value(node: Node | None, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        description = _describe_by_template(node, value) if node else None
        if description is not None:
            return description
        return ", ".join(_describe_pair(node, key, one) for key, one in value.items())
    if isinstance(value, list | tuple):
        below = node.items if node else None
        return ", ".join(_describe_value(below, one) for one in value) or "nothing"
    return "nothing" if value is None else str(value)


def _describe_pair(node: Node | None, key: str, value: Any) -> str:
    words = _describe_value(_find_child(node, key), value)
    inner = f"({words})" if isinstance(value, Mapping) and ", " in words else words
    return f"{key.replace('_', ' ')} {inner}"


def _describe_by_template(node: Node, value: Mapping[str, Any]) -> str | None:
    """Describe a value by its place's template, or by the first branch's that has one."""
    branches = (branch.then for branch in node.branches if branch.then and branch.holds(value))
    for one in (node, *branches):
        template = one.schema.get("x-wording")
        if isinstance(template, str):
            return _fill(template, value)
        if template is not None:
            return _fill_parts(template, value, set(value) - set(node.properties))
    return None


def _fill_parts(parts: Sequence[str], value: Mapping[str, Any], keys: set[str]) -> str | None:
    """Fill the parts whose keys are there; nothing if that leaves a key of the branch out."""
    keys_by_part = [_list_keys(part) for part in parts]
    if not keys <= set().union(*keys_by_part):
        return None
    fitting = [
        part for part, part_keys in zip(parts, keys_by_part, strict=True) if part_keys <= set(value)
    ]
    return _fill("".join(fitting), value) or None


def _list_keys(template: str) -> set[str]:
    names = (name for _, name, _, _ in string.Formatter().parse(template) if name)
    return {name.partition("[")[0] for name in names}


class _Counting(string.Formatter):
    """`{fleets:fleet}` is 1 fleet, 2 fleets, all fleets; `{cards:and}` is n02 and n10."""

    def format_field(self, value: Any, format_spec: str) -> str:
        is_list = format_spec in _BETWEEN
        values = list(value) if isinstance(value, list | tuple) and is_list else [value]
        if any(one is None or isinstance(one, Mapping | list | tuple) for one in values):
            raise TypeError(format_spec)
        if is_list:
            return _BETWEEN[format_spec].join(map(str, values)) or "nothing"
        return f"{value} {format_spec}" if value == 1 else f"{value} {format_spec}s"


_BETWEEN: Mapping[str, str] = {"": " and ", "and": " and ", "else": ", else ", "then": ", then "}
"""What stands between several values, by what the template says of them."""


def _fill(template: str, value: Mapping[str, Any]) -> str | None:
    """Fill a template; None where a key is missing or of another kind, as in refused orders."""
    try:
        return _Counting().vformat(template, (), value)
    except (KeyError, TypeError):
        return None


def _find_node(node: Node | None, path: Sequence[str | int]) -> Node | None:
    for part in path:
        if node is None:
            return None
        node = node.items if isinstance(part, int) else _find_child(node, part)
    return node


def _find_child(node: Node | None, key: str) -> Node | None:
    if node is None:
        return None
    if key in node.properties:
        return node.properties[key]
    for branch in node.branches:
        for side in (branch.then, branch.otherwise):
            child = _find_child(side, key)
            if child is not None:
                return child
    return node.extra


def write_inline(keys: Mapping[str, Any]) -> str:
    """Write keys as one writes them in a line: build: max; tech: {advance: [jump]}."""
    return "; ".join(f"{key}: {_write_flow(value)}" for key, value in keys.items())


def _write_flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_write_flow(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_write_flow, value))}]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
