"""The questions that a letter may ask, each a word with its arguments."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.names import fold, suggest

QUESTIONS: Mapping[str, str] = {
    "status": "status",
    "report": "report 3",
    "orders": "orders",
    "history": "history",
    "rules": "rules JW-30",
    "map": "map",
    "example": "example",
    "why": "why 7",
    "players": "players",
    "press": "press",
    "help": "help",
    "words": "words",
    "trust": "trust",
    "resend": "resend",
    "new-key": "new-key",
}
"""An example of each question."""

FREE = "question"
"""What is none of these."""
_FEW = 3
"""More words are a question of the writer's own."""
_SPLIT = re.compile(r"[\s,]+")


class Question(Struct, frozen=True):
    """A question as it was understood."""

    word: str
    rest: tuple[str, ...] = ()


def parse_questions(value: Any) -> list[Question]:
    """Parse the questions of an `ask:`; what is none of them stays in its writer's words."""
    questions: list[Question] = []
    for entry in value if isinstance(value, list | tuple) else [value]:
        text = entry
        if isinstance(text, Mapping):  # `why: 7` instead of `why 7`
            text = " ".join(f"{key} {one}" for key, one in text.items())
        questions.append(_parse_one(str(text or "")))
    return list(dict.fromkeys(questions))


def _parse_one(text: str) -> Question:
    words = [word for word in _SPLIT.split(text.strip()) if word]
    for length in (2, 1):  # "new key" is one word, too
        name = fold("".join(words[:length]))
        for question_word in QUESTIONS:
            if words and name == fold(question_word):
                return Question(question_word, tuple(words[length:]))
    return Question(FREE, (text,))


def explain_not_asked(text: str, to_gm: str) -> str:
    """Say what can be asked, to somebody who asks something else; `to_gm` says who else answers."""
    words = text.split()
    choices = f"You can ask {', '.join(QUESTIONS)}."
    if len(words) > _FEW:
        return (
            f'"{text[:60]}": the glossary and the rules explain no word of it. {choices} '
            f"`ask: rules` sends the rules.{to_gm}"
        )
    suggestion = suggest(words[0], QUESTIONS) if words else None
    hint = f'; did you mean "{suggestion}"?' if suggestion else "."
    return f'"{text[:40]}" is not a question{hint} {choices}'


def list_numbers(rest: Sequence[str]) -> list[int]:
    """List the numbers among the words."""
    return [int(one[:9]) for one in rest if one.isascii() and one.isdigit()]


def first_number(rest: Sequence[str]) -> int | None:
    """Return the first number among the words."""
    return next(iter(list_numbers(rest)), None)
