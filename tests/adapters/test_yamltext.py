"""YAML from people cannot hurt, is taken as written, and every fault is told with its place."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adapters.yaml.reader import LETTER_LIMITS, Unreadable, load_yaml, parse_yaml
from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.reading import Mark


def _faults(text: str) -> list[tuple[int | None, int | None, str]]:
    with pytest.raises(Unreadable) as caught:
        parse_yaml(text)
    for finding in caught.value.findings:
        assert finding.grade is Grade.UNREADABLE
    return [(f.line, f.column, f.message) for f in caught.value.findings]


def test_scalars_are_text_as_written() -> None:
    text = parse_yaml(
        "a: no\nb: 010\nc: 12:30\nd: 2026-12-24\ne: ~\nf:\ng: ''\nh: 1e3\ni: 'x'\nno: y\n"
    )
    assert text.value == {
        "a": "no",
        "b": "010",
        "c": "12:30",
        "d": "2026-12-24",
        "e": "~",
        "f": None,
        "g": "",
        "h": "1e3",
        "i": "x",
        "no": "y",
    }


def test_every_key_and_value_has_its_place() -> None:
    text = parse_yaml("jump:\n- {from: C4,\n   to: D5}\n\n- x\n")
    assert text.keys == {
        ("jump",): Mark(1, 1),
        ("jump", 0, "from"): Mark(2, 4),
        ("jump", 0, "to"): Mark(3, 4),
    }
    assert text.marks == {
        (): Mark(1, 1),
        ("jump",): Mark(2, 1),
        ("jump", 0): Mark(2, 3),
        ("jump", 0, "from"): Mark(2, 10),
        ("jump", 0, "to"): Mark(3, 8),
        ("jump", 1): Mark(5, 3),
    }


def test_a_control_character_ends_no_line() -> None:
    places = [(line, column) for line, column, _ in _faults("a: 1\r\nb: \x0c\x0cx\x1c\n\x0b")]
    assert places == [(2, 4), (2, 5), (2, 7), (3, 1)]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "---\n", "\ufeff"])
def test_nothing_is_nothing(text: str) -> None:
    assert parse_yaml(text).value is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end: str) -> None:
    text = parse_yaml("\ufeffa: 1\n...\n".replace("\n", end))
    assert text.value == {"a": "1"}


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, 1, '"a" appears twice; the first is in line 1'),
        ("a: {b: 1, b: 2}", 1, 11, "twice"),
        ("a: &x 1", 1, 4, "anchors are not read"),
        ("a: *x", 1, 4, "references are not read"),
        ("*x : 1", 1, 1, "references are not read"),
        ("a: !!python/object/apply:os.system [x]", 1, 4, 'begins with "!"'),
        ("a: !x 1", 1, 4, 'begins with "!"'),
        ("a: 1\n---\nb: 2", 2, 1, "second document"),
        ("a: 1\n...\nCheers", 3, 1, "left over"),
        ("? [a, b]\n: c", 1, 3, "a key must be a word"),
        ("a: 'x\nb: 1", 1, 4, "quotation mark opened here is never closed"),
        ("a: [b, c\nd: e", 1, 4, "bracket opened here is never closed"),
        ("a: [", 1, 5, "ends here before a bracket is closed"),
        ("a: [b, {c:\n", 1, 11, "ends here before a bracket is closed"),
        ("a: b: c", 1, 5, "second colon"),
        ("a:\n- do: fly, to: anno", 2, 14, "several keys on one line in braces, {key: value, key"),
        ("jump: - A1-B1 x1", 1, 7, "a list begins on a line of its own"),
        ("a:\n  b: 1\n c: 2", 3, 2, "indented differently"),
        ("a:\n  b: 1\n   c: 2", 3, 4, "indented differently"),
        ("jump:\n- from: A1\n   to: B2", 3, 4, "indented differently"),
        ("Dear GM,\njump: A1-B2 x3", 1, 1, "a colon is missing"),
        (": 3", 1, 1, "a key is missing before the colon"),
        ("{a: 1}\nb: 2", 2, 1, "left over after the closing bracket"),
        ("> a: 1\n> b: 2", 1, 1, 'begins with ">", the mark of a quotation'),
        ("a:\n- b\n> - c", 3, 1, 'begins with ">", the mark of a quotation'),
        ("a: > b", 1, 6, 'nothing may follow "|" or ">"'),
        ("{a: !x}", 1, 5, 'begins with "!" needs quotation marks'),
        ("a: ?", 1, 4, 'begins with "?" needs quotation marks'),
        ('a: "\\x"', 1, 7, "backslash"),
        ("a: [\n- b\n]", 2, 1, "have no dashes"),
        ("jump:\nA1-B2 x3\nA1-B3 x2", 2, 1, 'after "jump:", or below it beginning with "- "'),
        ("b: c\n- a", 2, 1, "list entry"),
        ("a:\n\t- b", 2, 1, "a tab"),
        ("a: @blue", 1, 4, 'begins with "@" needs quotation marks'),
        ("a: 'it's'", 1, 8, "left over after the value has ended"),
        ('a: "\\q"', 1, 5, "backslash"),
        ("a: 1\nno colon here", 2, 1, "a colon is missing"),
        ("a: 1\nb: \x07", 2, 4, "U+0007 is not allowed"),
        ("a: \ud800", 1, 4, "U+D800 is not allowed"),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, line: int, column: int, words: str) -> None:
    first = _faults(text)[0]
    assert first[:2] == (line, column)
    assert words in first[2]


def test_all_faults_are_told_at_once() -> None:
    text = "game: ember\njump:\n- A1-B1 x2\nD5-E5 x3\nfight: {targets: [blue]\nally: *x\nally: b\n"
    assert _faults(text) == [
        (4, 1, 'this list entry belongs under "jump:", beginning with "- "'),
        (5, 8, "the bracket opened here is never closed"),
        (6, 7, '"*x" needs quotation marks: references are not read'),
        (7, 1, '"ally" appears twice; the first is in line 6'),
    ]


def test_many_faults_are_told_in_part() -> None:
    with pytest.raises(Unreadable) as caught:
        parse_yaml("a: [" + "*x, " * 500 + "]")
    *first, last = caught.value.findings
    assert len(first) == 20
    assert (last.line, last.column) == (1, 85)
    assert last.message == "more faults follow from here on; these are the first 20"
    assert len(str(caught.value)) < 500
    assert str(caught.value).endswith("; and 16 more")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- " * 25_000 + "1", "20 levels"),
        ("[" * 50_000, "20 levels"),
        ("a:\n" + "".join(" " * n + "- a:\n" for n in range(2, 100, 2)), "20 levels"),
        ("{" * 50_000, "a key must be a word"),
        ("? " * 25_000, "a key must be a word"),
        ("".join(f"k{n}: 1\n" for n in range(4_000)), "too many values"),
        ("- a\n" * 6_000, "too many values"),
        ("a: " + "x" * 5_000_000, "longer than 64 KB"),
        ("a: " + "ä" * 40_000, "longer than 64 KB"),
    ],
    ids=["dashes", "brackets", "blocks", "braces", "questions", "keys", "entries", "5 MB", "bytes"],
)
def test_a_bomb_is_a_fault(text: str, words: str) -> None:
    faults = _faults(text)
    assert words in faults[0][2]
    assert len(faults) == 1


def test_a_bomb_does_not_kill_the_process() -> None:
    program = """
from adjudicator.adapters.yaml.reader import Unreadable, parse_yaml as parse
for bomb in ("- " * 25_000 + "1", "[" * 60_000, "a: &a [x]\\n" + "b: [*a, *a]\\n" * 900):
    try:
        parse(bomb)
    except Unreadable as fault:
        print(len(fault.findings) > 0)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, ["True"] * 3)


def test_the_limits_are_those_of_letters() -> None:
    assert (LETTER_LIMITS.size, LETTER_LIMITS.events, LETTER_LIMITS.levels) == (65_536, 5_000, 20)
    assert parse_yaml("a: " + "x" * 65_533).value == {"a": "x" * 65_533}
    nested: Any = parse_yaml("[" * 20 + "]" * 20).value
    for _ in range(20):
        assert isinstance(nested, list)
        nested = nested[0] if nested else None
    assert nested is None


@given(st.text(alphabet=" \n\r\t:-?[]{}&*!|>'\"%@`#,.ab1\u2013\u00a0\ud800\x00", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    findings: tuple[Finding, ...] | None = None
    try:
        parse_yaml(text)
    except Unreadable as fault:
        findings = fault.findings
    assert findings is None or findings
    for finding in findings or ():
        assert finding.line
        assert finding.column
        assert finding.message


def test_our_own_files_have_numbers_and_truths_of_yaml_1_2() -> None:
    given = "a: 1\nb: -3\nc: true\nd: no\ne: 'true'\nf: ~\ng: null\nh: 12:30\ni: [010, 1.5]\n1: x\n"
    assert load_yaml(given) == {
        "a": 1,
        "b": -3,
        "c": True,
        "d": "no",
        "e": "true",
        "f": None,
        "g": None,
        "h": "12:30",
        "i": [10, "1.5"],
        "1": "x",
    }
