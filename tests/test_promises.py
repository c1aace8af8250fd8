"""Every promise of the page on security names a test that there is."""

import re
from pathlib import Path

_TOP = Path(__file__).parent.parent
_ROW = re.compile(r"^\| (?P<promise>[^|]+) \| (?P<tests>[^|]+) \|$")
_TEST = re.compile(r"`(tests/[\w/.]+\.py)::(test_\w+)`")


def test_every_promise_has_a_test_that_tries_to_break_it() -> None:
    page = (_TOP / ".github" / "SECURITY.md").read_text("utf-8")
    lines = page.partition("## Promises")[2].partition("\n## ")[0].splitlines()
    rows = [row for row in map(_ROW.match, lines) if row and row["promise"] != "Promise"]
    assert len(rows) == sum(line.startswith("|") for line in lines) - 2
    assert rows
    for row in rows:
        found = _TEST.findall(row["tests"])
        assert found, row["promise"]
        for file, name in found:
            assert f"def {name}(" in (_TOP / file).read_text("utf-8"), f"{file}::{name}"
