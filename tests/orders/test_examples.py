"""Every example beside the order forms gives exactly the orders and findings written in it."""

from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.shelf import read_yaml_file
from adjudicator.adapters.yaml.reader import Unreadable, parse_yaml
from adjudicator.core.finding import Finding, path_text
from adjudicator.core.forms.reading import Reading, Text

SEATS = ("red", "blue", "green")
LIBRARY = FolderLibrary()
FORMS = {kind: LIBRARY.kind(kind) for kind in LIBRARY.kinds()}


def _examples(kind: str) -> list[Path]:
    """Those of the game, and of the kind alone where a game has several."""
    game = find_data_folder("orders") / FORMS[kind].game
    own = game / kind.replace("-", "_")
    return sorted(path for place in (game, own) for path in place.glob("examples/*.yaml"))


EXAMPLES = [
    pytest.param(kind, path, id=f"{kind}/{path.stem}") for kind in FORMS for path in _examples(kind)
]


def _read(kind: str, form: str, text: str) -> Reading:
    try:
        return FORMS[kind].read(form, parse_yaml(text), SEATS)
    except Unreadable as fault:
        return Reading(orders=None, findings=fault.findings)


def _told(finding: Finding) -> dict[str, Any]:
    return {
        "grade": finding.grade.value,
        "rule": finding.rule,
        "path": path_text(finding.path),
        "line": finding.line,
        "message": finding.message,
    }


@pytest.mark.parametrize(("kind", "path"), EXAMPLES)
def test_an_example_is_read_as_it_says(kind: str, path: Path) -> None:
    example = read_yaml_file(path)
    reading = _read(kind, path.name.split(".")[0], example["text"])
    assert reading.orders == (None if example.get("unreadable") else example["on_file"])
    assert [_told(finding) for finding in reading.findings] == example.get("findings", [])


@pytest.mark.parametrize("kind", FORMS)
def test_every_form_has_an_accepted_example_with_all_its_keys(kind: str) -> None:
    seen: dict[str, set[str]] = {form: set() for form in FORMS[kind].forms()}
    for path in _examples(kind):
        example = read_yaml_file(path)
        if not example.get("findings"):
            seen[path.name.split(".")[0]] |= set(example["on_file"])
    for form, keys in seen.items():
        known = set(FORMS[kind].form(form).root.properties) - {"standing"}
        assert known - keys == set(), f"no example of {form} shows these keys"


@pytest.mark.parametrize("kind", FORMS)
def test_what_is_on_file_reads_as_itself(kind: str) -> None:
    for path in _examples(kind):
        orders = read_yaml_file(path).get("on_file", {})
        again = FORMS[kind].read(path.name.split(".")[0], Text(value=orders), SEATS)
        assert (again.orders, again.findings) == (orders, ())


@pytest.mark.parametrize("kind", FORMS)
def test_the_examples_inside_the_schemas_are_accepted(kind: str) -> None:
    for name in FORMS[kind].forms():
        form = FORMS[kind].form(name)
        wholes = [*form.schema["examples"]]
        wholes += [
            {key: example}
            for key, node in form.root.properties.items()
            for example in node.schema.get("examples", ())
        ]
        for orders in wholes:
            reading = FORMS[kind].read(name, Text(value=orders), SEATS)
            assert reading.findings == (), orders
            assert reading.orders, orders


@pytest.mark.parametrize("kind", FORMS)
def test_every_rule_that_a_form_cites_is_in_the_rulebook(kind: str) -> None:
    def cited(schema: Any) -> list[str]:
        if isinstance(schema, dict):
            own = [schema["x-rule"]] if "x-rule" in schema else []
            return own + [rule for part in schema.values() for rule in cited(part)]
        return [rule for part in schema for rule in cited(part)] if isinstance(schema, list) else []

    for path in sorted(find_data_folder("orders").joinpath(FORMS[kind].game).glob("*.yaml")):
        for rule in cited(read_yaml_file(path)):
            assert rule in FORMS[kind].rulebook, f"{path}: {rule}"
