"""Messages about faulty values of a form, in a player's words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from adjudicator.core.finding import Finding, format_path
from adjudicator.core.forms.schema import Node
from adjudicator.core.names import fold, suggest

NOUNS: Mapping[str, str] = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "yes or no",
    "string": "text",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def format_finding(finding: Finding) -> str:
    """Format the finding with its place: line 7, jump[2].to: "K4" is not on the map."""
    line = f"line {finding.line}" if finding.line else ""
    if finding.line and finding.column and not finding.path:
        line += f", column {finding.column}"
    place = ", ".join(part for part in (line, format_path(finding.path)) if part)
    return f"{place}: {finding.message}" if place else finding.message


def shorten(text: str, most: int = 40) -> str:
    """Put the text on one line, and cut it where it gets too long to quote."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def quote_value(value: object) -> str:
    """Quote the value as a sentence does."""
    if isinstance(value, str):
        return f'"{shorten(value)}"'
    if isinstance(value, bool):
        return '"yes"' if value else '"no"'
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return "nothing" if value is None else shorten(str(value))


def join_words(words: Iterable[str], last: str = "or") -> str:
    """Join the words as a person lists them: a, b or c."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def add_article(noun: str) -> str:
    """Add a or an to the noun."""
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def add_advice(message: str, node: Node) -> str:
    """Add to the message how such a thing is written."""
    return f"{message}; {node.written}" if node.written else message


def _add_advice_by_choice(message: str, node: Node, value: Any) -> str:
    """Add the same to a mapping: how to write the kind of thing that its writer has chosen."""
    sides = (one.then if one.holds(value) else one.otherwise for one in node.branches)
    candidates = (one for one in sides if one is not None and one.written)
    return add_advice(message, next(candidates, node))


def describe_wrong_kind(node: Node, value: object) -> str:
    """Describe a value that is not of the kind wanted here."""
    quotation = quote_value(value)
    if isinstance(value, str):
        suggestion = suggest(value.split()[0], _list_choices(node)) if value.split() else None
        if suggestion:
            return f'{quotation} is not {_describe_wanted(node)}; did you mean "{suggestion}"?'
        return add_advice(f"{quotation} is not {_describe_wanted(node)}", node)
    return add_advice(f"expected {_describe_wanted(node)}, found {quotation}", node)


def _list_choices(node: Node) -> list[str]:
    """List the words of which one says what kind of entry it is, such as `do` of an action."""
    nodes = (node.properties.get(key) for key in node.schema.get("required", ()))
    return [word for one in nodes if one is not None for word in one.words]


def _describe_wanted(node: Node) -> str:
    if node.noun:
        return add_article(node.noun)
    if node.types == ("object",) and node.keys:
        return f"a block with {join_words(node.keys.values(), 'and')}"
    return join_words(NOUNS[kind] for kind in node.types if kind != "null")


def describe_unknown_key(node: Node, key: str, elsewhere: Mapping[str, str]) -> str:
    """Describe a key that does not belong here; `elsewhere` says to which other form it does."""
    quotation = f'"{shorten(key)}"'
    if fold(key) in elsewhere:
        return f"{quotation} belongs to {elsewhere[fold(key)]}"
    suggestion = suggest(key, node.keys.values())
    if suggestion:
        return f'unknown key {quotation}; did you mean "{suggestion}"?'
    keys = join_words(node.keys.values(), "and")
    are = "the keys are" if len(node.keys) > 1 else "the only key is"
    return f"unknown key {quotation}; {f'{are} {keys}' if keys else 'no keys go here'}"


def describe_unknown_name(noun: str, text: str, names: Sequence[str]) -> str:
    """Describe a word that is none of the names, or could be several."""
    start = fold(text)
    several = [name for name in names if start and fold(name).startswith(start)]
    if len(several) > 1:
        examples = several[:4] + (["…"] if len(several) > 4 else [])
        return f'"{shorten(text)}" could be {join_words(examples)}; write more of it'
    message = f'"{shorten(text)}" is not {add_article(noun)}'
    suggestion = suggest(text, names)
    if suggestion:
        return f'{message}; did you mean "{suggestion}"?'
    if len(names) <= 16:
        return f"{message}; expected {join_words(names)}" if names else message
    return f"{message}; for example {names[0]}"


def find_missing_key(error: Any) -> str:
    """Find the key that a `required` error is about."""
    missing = [key for key in error.validator_value if key not in error.instance]
    keys = (key for key in missing if error.message.startswith(repr(key)))
    return str(next(keys, missing[0]))


def _find_chosen_nodes(node: Node, value: Any) -> dict[str, Node]:
    """Find the keys that belong here, by what the value has chosen."""
    nodes = dict(node.properties)
    for branch in node.branches:
        side = branch.then if branch.holds(value) else branch.otherwise
        if side is not None:
            nodes |= _find_chosen_nodes(side, value)
    return nodes


def find_strays(node: Node, value: Mapping[str, Any]) -> list[str]:
    """Find keys that only another choice in the same entry would allow."""
    return [key for key in value if key not in _find_chosen_nodes(node, value)]


def is_undecided(node: Node, value: Any) -> bool:
    """Whether what would choose among the keys is missing or wrong itself."""
    sides = (one.then if one.holds(value) else one.otherwise for one in node.branches)
    return bool(node.branches) and all(one is None for one in sides)


def _describe_required(node: Node, error: Any, short_form: str | None) -> str:
    key = find_missing_key(error)
    child = _find_chosen_nodes(node, error.instance).get(key)
    lacks = (child.missing if child else None) or f'has no "{key}"'
    return _add_advice_by_choice(
        f"{quote_value(short_form) if short_form else 'this'} {lacks}", node, error.instance
    )


def _describe_enum(node: Node, error: Any, short_form: str | None) -> str:
    choices = error.validator_value
    if not any(isinstance(word, str) for word in choices):
        return add_advice(
            f"{quote_value(short_form or error.instance)} is not {join_words(map(str, choices))}",
            node,
        )
    text = short_form or error.instance
    suggestion = suggest(text, node.words) if isinstance(text, str) else None
    if suggestion:
        kind_wanted = add_article(node.noun) if node.noun else "known here"
        return f'{quote_value(text)} is not {kind_wanted}; did you mean "{suggestion}"?'
    numbers = [kind for kind in node.types if kind in ("integer", "number", "boolean")]
    expectations = (
        [add_article(node.noun)] if node.noun and numbers else [NOUNS[k] for k in numbers]
    )
    expectations += [f'"{word}"' for word in choices]
    return add_advice(f"{quote_value(text)} is not {join_words(expectations)}", node)


def _describe_strays(node: Node, error: Any, short_form: str | None) -> str:  # noqa: ARG001 - one shape for all
    keys = find_strays(node, error.instance)
    do = "does" if len(keys) == 1 else "do"
    message = f"{join_words(map(quote_value, keys), 'and')} {do} not go with the rest of this"
    return _add_advice_by_choice(message, node, error.instance)


def _describe_pattern(node: Node, error: Any, short_form: str | None) -> str:
    quotation = quote_value(short_form or error.instance)
    return add_advice(
        f"{quotation} is not {add_article(node.noun)}"
        if node.noun
        else f"{quotation} cannot be read",
        node,
    )


def _describe_type(node: Node, error: Any, short_form: str | None) -> str:
    return describe_wrong_kind(node, short_form or error.instance)


FaultMessage = Callable[[Node, Any, str | None], str]

BY_KEYWORD: Mapping[str, FaultMessage] = {
    "type": _describe_type,
    "required": _describe_required,
    "enum": _describe_enum,
    "const": lambda node, error, short_form: add_advice(
        f"{quote_value(short_form or error.instance)} is not {error.validator_value}", node
    ),
    "pattern": _describe_pattern,
    "unevaluatedProperties": _describe_strays,
}
"""The message for each keyword of JSON Schema that a value breaks."""

LIMITS: Mapping[str, str] = {
    "minimum": "{said} is less than {limit}",
    "maximum": "{said} is more than {limit}",
    "minItems": "expected at least {limit}, found {count}",
    "maxItems": "expected at most {limit}, found {count}",
    "uniqueItems": "an entry appears twice",
    "minLength": "{said} is shorter than {limit} characters",
    "maxLength": "{said} is longer than {limit} characters",
    "minProperties": "expected at least {limit} keys, found {count}",
    "maxProperties": "expected at most {limit} keys, found {count}",
}
"""The same for keywords that give a limit."""


def explain_violation(node: Node, error: Any, short_form: str | None) -> str:
    """Explain a fault that the validator found; `short_form` is the value as it was written."""
    teller = BY_KEYWORD.get(error.validator)
    if teller:
        return teller(node, error, short_form)
    value = error.instance
    if error.validator in LIMITS:
        count = len(value) if isinstance(value, list | dict) else 0
        words = LIMITS[error.validator].format(
            said=quote_value(value), limit=error.validator_value, count=count
        )
        return add_advice(words, node)
    return add_advice(f"{quote_value(short_form or error.instance)} cannot be read here", node)
