"""The YAML guard: any text is read as YAML reads it, or refused with a place in it."""

import random
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from adjudicator.adapters.archive.sheets import format_sheet
from adjudicator.adapters.yaml.reader import Unreadable, load_yaml, try_parse_yaml
from adjudicator.core.forms.reading import Text
from tests.fuzz.damage import hurt_often

_ROOT = Path(__file__).resolve().parents[2]
PIECES = (
    *("\n", "\r", "\r\n", "\t", " ", "  ", "\n  ", "\n- ", "- ", ": ", ":", "a: ", "? ", ", ", "#"),
    *(
        "[",
        "]",
        "{",
        "}",
        "{a: b}",
        "[a, b]",
        "&a ",
        "*a",
        "!x ",
        "!!int ",
        "<<: ",
        "|",
        ">",
        "|+2\n",
    ),
    *(
        "'",
        '"',
        "\\",
        "\\x",
        "\\u0041",
        '"\\ud800"',
        "%YAML 1.1\n",
        "---\n",
        "...\n",
        "@",
        "`",
        "~",
    ),
    *(
        "\0",
        "\x07",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u202e",
        "\ud800",
        "\ufffe",
        "\U0001f600",
        "é",
        "=",
    ),
    *("null", "no", "010", "1e9", "0x1f", "12:30", "2026-12-24", ".inf", "-", "x" * 200, "[" * 30),
)
_MARK = "\ufeff"


@cache
def read_examples() -> tuple[str, ...]:
    """What players and GMs write, and what they could mean by it."""
    examples = sorted(_ROOT.glob("orders/*/examples/**/*.yaml"))
    texts = [str(yaml.safe_load(file.read_text("utf-8"))["text"]) for file in examples]
    texts += [file.read_text("utf-8")[:3_000] for file in sorted(_ROOT.glob("orders/**/*.yaml"))]
    texts += [file.read_text("utf-8")[:3_000] for file in sorted(_ROOT.glob("games/*/*/*.yaml"))]
    return tuple(texts)


def try_text(luck: random.Random) -> None:
    """A text with something wrong, or one that is made of nothing but signs of YAML."""
    examples = read_examples()
    if luck.random() < 0.7:
        text = hurt_often(luck.choice(examples), examples, PIECES, luck)
    else:
        text = "".join(luck.choices(PIECES, k=luck.randrange(1, 25)))
    text = text.lstrip(_MARK)  # one at the beginning is none of the text; PyYAML counts more
    _check_faults(luck.choice(("", "", _MARK)) + text)
    _check_files(text)


def _check_faults(text: str) -> None:
    seen = try_parse_yaml(text)
    if isinstance(seen, tuple):
        assert seen
        lines = len(text.splitlines()) + text.count("\r") + 2
        for finding in seen:
            assert finding.line is not None
            assert 1 <= finding.line <= lines
            assert finding.column
            assert 1 <= finding.column <= len(text) + 1
            assert 0 < len(finding.message) < 500
            assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in finding.message)
        return
    assert try_parse_yaml(text) == seen
    assert _bare(seen.value) == _bare(yaml.load(text.lstrip(_MARK), yaml.CBaseLoader))
    _check_places(seen)


def _bare(value: Any) -> Any:
    """As PyYAML reads it when it guesses nothing: what is left out is an empty text."""
    if isinstance(value, dict):
        return {key: _bare(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_bare(one) for one in value]
    return value or ""


def _check_places(seen: Text) -> None:
    """Every value has a place, and so has every key."""

    def paths(value: Any, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
        below = value.items() if isinstance(value, dict) else ()
        below = enumerate(value) if isinstance(value, list) else below
        return [path, *(one for key, inner in below for one in paths(inner, (*path, key)))]

    if seen.value is not None:
        assert set(paths(seen.value, ())) == set(seen.marks)
    assert set(seen.keys) <= set(seen.marks)


def _check_files(text: str) -> None:
    """What is a file of ours for the reader is the same when we have written it."""
    try:
        value = load_yaml(text)
    except Unreadable:
        return
    if isinstance(value, dict):
        assert load_yaml(format_sheet(value).decode()) == value
