"""Check order forms and the examples beside them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.adapters.yaml.reader import Unreadable, parse_yaml
from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding, format_path
from adjudicator.core.forms.order_form import NO_ORDERS
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.core.forms.reading import Reading, Text
from adjudicator.library.conform.game_under_test import NonConformanceError, Subject

SEATS = ("red", "blue", "green")
"""Whom the examples name."""


def check_forms(subject: Subject) -> str:
    """Check that every form compiles, cites rules that exist, and reads its own examples."""
    kind = subject.kind
    for name in (*kind.forms(), "options"):
        form = kind.form(name)
        for rule in list_cited_rules(form.schema):
            if rule not in kind.rulebook:
                raise NonConformanceError(f"form {name} cites {rule}, which the rulebook lacks")
    for name in kind.forms():
        if NO_ORDERS not in kind.form(name).root.properties:
            raise NonConformanceError(f"form {name} lacks `{NO_ORDERS}`: to order nothing")
    inside = 0
    for name in kind.forms():
        for orders in list_schema_examples(subject, name):
            reading = kind.read(name, Text(value=orders), SEATS)
            if reading.findings or not reading.orders:
                raise NonConformanceError(
                    f"form {name}: its example {orders} is not read as it stands: "
                    f"{[one.message for one in reading.findings]}"
                )
            inside += 1
    return f"{len(kind.forms())} forms and their {inside} examples"


def check_examples(subject: Subject) -> str:
    """Check that every example beside the forms gives its result; together they show every key."""
    kind, keys_by_form = subject.kind, {form: set[str]() for form in subject.kind.forms()}
    for path in kind.examples():
        compare_example(subject, path)
        example = read_yaml_file(path)
        if not example.get("findings"):
            keys_by_form[path.name.split(".")[0]] |= set(example["on_file"])
    for form, keys in keys_by_form.items():
        hidden = set(kind.form(form).root.properties) - {"standing", NO_ORDERS} - keys
        if hidden:
            raise NonConformanceError(
                f"no accepted example of form {form} shows {', '.join(sorted(hidden))}"
            )
    return f"{len(kind.examples())} files"


def check_guide(subject: Subject) -> str:
    """Check that the game introduces itself, and that its forms read the orders of its example."""
    kind, guide = subject.kind, subject.kind.guide
    if not guide:
        raise NonConformanceError(
            f"orders/{kind.game}/guide.yaml is not there; it introduces the game to new players"
        )
    for error in subject.library.common("guide").validator.iter_errors(guide):
        raise NonConformanceError(f"guide.yaml: {error.json_path}: {error.message}")
    strange = guide["start"].keys() - set(kind.forms())
    if strange:
        raise NonConformanceError(f"guide.yaml names no form with {', '.join(sorted(strange))}")
    unruled = [one["word"] for one in guide.get("words", ()) if one["rule"] not in kind.rulebook]
    if unruled:
        raise NonConformanceError(f"guide.yaml names no rule of the book with {unruled[0]}")
    steps = guide.get("example", {}).get("steps", ())
    for step in steps:
        lines = "\n".join(one["write"] for one in step["orders"])
        reading = _read(subject, step["step"].rpartition("-")[2], lines)
        if reading.findings:
            raise NonConformanceError(
                f"guide.yaml: {step['step']}: {[one.message for one in reading.findings]}"
            )
    return f"how to fill in {len(guide['start'])} forms, and {len(steps)} steps of an example"


def compare_example(subject: Subject, path: Path) -> None:
    """Read one example and compare what goes on file, and the findings, with what it says."""
    kind, form = subject.kind, path.name.split(".")[0]
    example = read_yaml_file(path)
    if form not in kind.forms():
        raise NonConformanceError(f"{path.name} names no form; they are {', '.join(kind.forms())}")
    missing = {"title", "text"} - set(example)
    if missing or not ("on_file" in example or example.get("unreadable")):
        raise NonConformanceError(f"{path.name} needs title, text, and on_file or unreadable")
    reading = _read(subject, form, example["text"])
    orders = None if example.get("unreadable") else example["on_file"]
    if reading.orders != orders:
        raise NonConformanceError(f"{path.name}: on file would be {reading.orders}, not {orders}")
    findings = [describe_example_finding(one) for one in reading.findings]
    if findings != example.get("findings", []):
        raise NonConformanceError(f"{path.name}: the findings are {findings}")
    again = kind.read(form, Text(value=orders or {}), SEATS)
    if orders is not None and (again.orders, again.findings) != (orders, ()):
        raise NonConformanceError(f"{path.name}: what is on file does not read as itself")


def _read(subject: Subject, form: str, text: str) -> Reading:
    try:
        return subject.kind.read(form, parse_yaml(text), SEATS)
    except Unreadable as fault:
        return Reading(orders=None, findings=fault.findings)


def describe_example_finding(finding: Finding) -> dict[str, Any]:
    """Describe a finding as examples write it."""
    return {
        "grade": finding.grade.value,
        "rule": finding.rule,
        "path": format_path(finding.path),
        "line": finding.line,
        "message": finding.message,
    }


def list_schema_examples(subject: Subject, name: str) -> Sequence[Document]:
    """List the examples inside a form's schema: whole ones, and one for each of its keys."""
    form = subject.kind.form(name)
    single = [
        {key: example}
        for key, node in form.root.properties.items()
        for example in node.schema.get("examples", ())
    ]
    wholes = form.schema.get("examples", ())
    if not wholes:
        raise NonConformanceError(f"form {name} has no example of the whole form (examples:)")
    return [*wholes, *single]


def list_cited_rules(schema: Any) -> Iterator[str]:
    """List every rule that a schema cites."""
    if isinstance(schema, dict):
        if "x-rule" in schema:
            yield schema["x-rule"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from list_cited_rules(part)


def convert_to_text(value: object) -> Any:
    """Convert a value to what the YAML reader returns: every scalar as it is written."""
    if isinstance(value, dict):
        return {key: convert_to_text(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [convert_to_text(part) for part in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_as_written(subject: Subject, form: str, orders: Document, seats: Sequence[Seat]) -> None:
    """Check that orders read the same when a player writes them out, as values or YAML."""
    from adjudicator.adapters.render.text_layout import format_block

    kind = subject.kind
    spelled = parse_yaml(format_block(spell_orders(kind.form(form), orders)))
    for text in (Text(value=convert_to_text(orders)), spelled):
        reading = kind.read(form, text, seats)
        if reading.findings:
            messages = [one.message for one in reading.findings]
            raise NonConformanceError(f"form {form} does not read {orders}: {messages}")
        if reading.orders != orders:
            raise NonConformanceError(f"form {form} reads {orders} as {reading.orders}")
