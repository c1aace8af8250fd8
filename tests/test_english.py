"""How the program speaks: words that sound translated stay out of everything a person reads.

The words are those of the project's style (.github/CONTRIBUTING.md): messages in the code, help
texts, templates, order forms and settings, the README and the pages beside it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from adjudicator.adapters.games.library import BESIDE
from adjudicator.core.forms.explanation import explain_form
from tests.played import LIBRARY

ROOT = Path(__file__).resolve().parents[1]

UNWANTED = {
    r"the house(?! rules)|house's": "the server",
    r"wish(?:es|ed)?": "request",
    r"told|untold|tell-tale": "message, notice, explanation; or say who gets it",
    r"spoilt|spoiled": "unreadable",
    r"astray": "undeliverable",
    r"lapsed?|lapses": "expire",
    r"strikes?|struck|stricken": "undo",
    r"counts? no longer": "no longer counts",
    r"is no fixed deadline(?<!there is no fixed deadline)": "there is no fixed deadline",
    r"must be there": "required",
    r"(?:;|,) without it|without it:": "default",
    r"the (?:first first|best first|first waiting)": "in order of preference",
    r"seen from (?:this|that|the) file": "relative to this file",
    r"tak(?:e|es|en|ing) (?:a|the|this) game over": "import a game",
    r"hears?|heard|unheard": "receive",
    r"talk to standard error": "messages go to standard error",
    r"keeps the books": "stores everything",
    r"go(?:es)? on under|the game goes on": "continue",
    r"block of keys": "a mapping",
    r"shall (?:lie|be|stand)": "where to place",
    r"nobody that can be read|without an identity": "no readable sender",
    r"set it right|take (?:it|them) out": "say what to do",
    r"counted no more": "no longer counts",
    r"looks? on(?! the| a| it)": "follow the game",
    r"how you stand": "current status",
    r"whoever": "name the thing",
    r"a word of": "notice",
    r"stands? (?:here|there) (?:twice|instead)": "appears twice; expected",
    r"is (?:no|not) (?:wish|question) that I know": "I do not know",
    r"hence|whence|whither|thither|hither|hitherto|forthwith": "plain English",
    r"that nobody": "that cannot",
    r"anew": "again",
    r"goes on with|cannot go on|lets? it go on|goes on from here": "continue, stop",
    r"(?:you|were|was) asked for none": "say what happens: builds no fleets",
    r"wrote this for you": "entered by the GM on your behalf",
    r"the clock stands still|the clock runs again": "is stopped, is running again",
    r"has got (?:no|a|an|the)": "has",
    r"(?<!there )is no (?:player|address|home|neighbour|act|power|question)": "is not a ...",
    r"exclude each other": "use one or the other, not both",
    r"may see of it|changed that everybody may see": "public changes",
    r"the fault is one of": "this is a fault in ...",
    r"put aside": "set aside",
    r"(?:that|who) proved nothing": "unproven",
    r"comes only by": "works only in",
    r"(?:inside|outside) the book|by the book": "the rulebook",
    r"the place of the old one": "replaces the old one",
    r"nothing of the kind": "no such entries",
    r"(?:exists|exist|plays|serves|observe|observes) already": "already plays",
    r"I (?:know|knew|could|found|cannot|read)": "name the server, or use the passive",
    r"look what it is|tells? (?:all|more)": "check the file, see ...",
    r"(?:observe|observes) (?:it |{} )?no more": "no longer observes",
    r"deadline (?:that is|which is) running": "the current deadline",
    r"the (?:deadline|game) is (?:no|a) fixed": "there is no fixed deadline",
    r"(?:your|that|the last) set(?= (?:counts?|is|was)|[:.,;]|$)": "your orders",
    r"is of an older": "is from an older",
    r"to change that": "Next: and the command",
    r"to do was found": "contained nothing to do",
    r"brought up to date": "updated",
    r"suits? it": "suit",
    r"(?:have|has) (?:it|them) in hand": "control",
    r"beside orders": "besides orders",
    r"do(?:es|ne)? nothing twice": "has no effect when repeated",
    r"as they are now": "say what changed",
    r"1 (?:steps|letters|games|players|seats|days|reports|orders)": "numbers agree with nouns",
    r"step\(s\)|game\(s\)|letter\(s\)|file\(s\)": "numbers agree with nouns",
}
"""A pattern of whole words, and what to write instead."""


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


PATTERNS = {_pattern(words): better for words, better in UNWANTED.items()}


def _documents() -> Iterator[Path]:
    yield ROOT / "README.md"
    yield from sorted((ROOT / ".github").rglob("*.md"))


def _templates() -> Iterator[Path]:
    written = (".txt.j2", ".html.j2", ".svg.j2", ".js.j2")
    yield from (p for p in sorted((ROOT / "templates").rglob("*.j2")) if p.name.endswith(written))


def _forms() -> Iterator[Path]:
    yield from sorted((ROOT / "orders").rglob("*.yaml"))


def _modules() -> Iterator[Path]:
    yield from sorted((ROOT / "adjudicator").rglob("*.py"))


def _prose(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _template_text(path: Path) -> str:
    """What a template prints: its text without markup, and the texts in its code."""
    tokens = list(Environment().lex(_prose(path)))
    text = "".join(value for _, kind, value in tokens if kind == "data")
    words = [value for _, kind, value in tokens if kind == "string" and " " in value]
    labels = re.findall(r'(?:alt|aria-label|placeholder|title)="([^"]*)', text)
    return "\n".join([re.sub(r"<[^<>]*>", " ", text), *labels, *words])


def _form_text(path: Path) -> str:
    """A schema or an example without the names of its keys and values, and what players write."""
    text = re.sub(r"enum: \[[^\]]*\]|^\s*'\^[^'\n]*':", " ", _prose(path), flags=re.MULTILINE)
    return re.sub(r"^\s*(?:- )?[\w$-]+:|\b[\w$-]+: ", " ", text, flags=re.MULTILINE)


def sentences_of(source: str) -> Iterator[str]:
    """Texts of several words in a module, and the help of its commands; no other docstrings."""
    tree = ast.parse(source)
    hidden = {id(node) for node in _docstrings(tree)}
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) in hidden or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr):
            yield from _several_words(_joined(node))
            for part in ast.walk(node):
                if isinstance(part, ast.FormattedValue):
                    yield from (
                        text
                        for one in ast.walk(part.value)
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                        for text in _several_words(one.value)
                    )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _several_words(node.value)


def _several_words(text: str) -> Iterator[str]:
    if " " in text.strip():
        yield text


def _joined(node: ast.JoinedStr) -> str:
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
    )


def _docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    """Texts that stand alone: docstrings, except those that a command shows as its help."""
    shown = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
        and re.search("command|group", " ".join(map(ast.unparse, node.decorator_list)))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and id(node.value) not in shown:
            yield node.value


def unwanted_in(text: str) -> list[str]:
    """Every unwanted word of a text with its surroundings, and what to write instead.

    The names of facts, as in {seat:who}, are filled in before anybody reads them.
    """
    flat = re.sub(r"\{\w+(?=[:|}])", "{", " ".join(text.split()))
    return [
        f"…{flat[max(0, found.start() - 40) : found.end() + 40]}… write: {better}"
        for pattern, better in PATTERNS.items()
        for found in pattern.finditer(flat)
    ]


@pytest.mark.parametrize("path", list(_documents()), ids=lambda path: path.name)
def test_pages_are_in_plain_english(path: Path) -> None:
    assert unwanted_in(_prose(path)) == []


def test_templates_are_in_plain_english() -> None:
    found = {path.name: unwanted_in(_template_text(path)) for path in _templates()}
    assert {name: words for name, words in found.items() if words} == {}


def test_forms_and_settings_are_in_plain_english() -> None:
    found = {str(path.relative_to(ROOT)): unwanted_in(_form_text(path)) for path in _forms()}
    assert {name: words for name, words in found.items() if words} == {}


def test_messages_and_help_are_in_plain_english() -> None:
    found = {
        str(path.relative_to(ROOT)): [
            words for text in sentences_of(_prose(path)) for words in unwanted_in(text)
        ]
        for path in _modules()
    }
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ('raise Refused("no wish that I know")', True),
        ('print(f"{name} was told of it")', True),
        ("print(f\"{count} {'steps lapse' if count else 0}\")", True),
        ('@click.command()\ndef act() -> None:\n    """Take a game over."""', True),
        ('def act() -> None:\n    """What is told."""', False),
        ('document["told"]', False),
        ("# a wish of the house", False),
        ('raise Refused(f"{game}: {name} plays already")', True),
        ('print("I could not read your letter")', True),
    ],
)
def test_the_check_sees_what_people_see(source: str, seen: bool) -> None:
    assert any(unwanted_in(text) for text in sentences_of(source)) is seen


@pytest.mark.parametrize("kind", LIBRARY.kinds())
def test_what_a_form_says_of_a_key_is_a_whole_sentence(kind: str) -> None:
    """An unquoted comma would end a description in the midst of its sentence."""
    found = LIBRARY.kind(kind)
    forms = list(map(found.form, (*found.forms(), *BESIDE)))
    told = [key for form in forms for key in explain_form(form)["keys"] if key["what"]]
    assert [key["what"] for key in told if not key["what"].endswith((".", "?"))] == []
