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
    asked: list[Question] = []
    for given in value if isinstance(value, list | tuple) else [value]:
        said = given
        if isinstance(said, Mapping):  # `why: 7` instead of `why 7`
            said = " ".join(f"{key} {one}" for key, one in said.items())
        asked.append(_parse_one(str(said or "")))
    return list(dict.fromkeys(asked))


def _parse_one(said: str) -> Question:
    words = [word for word in _SPLIT.split(said.strip()) if word]
    for length in (2, 1):  # "new key" is one word, too
        name = fold("".join(words[:length]))
        for known in QUESTIONS:
            if words and name == fold(known):
                return Question(known, tuple(words[length:]))
    return Question(FREE, (said,))


def explain_not_asked(said: str) -> str:
    """Say what can be asked, to somebody who asks something else."""
    words = said.split()
    listed = f"You can ask {', '.join(QUESTIONS)}."
    if len(words) > _FEW:
        return (
            f'"{said[:60]}": the server does not understand questions in free words. {listed} '
            "`ask: rules` sends the rules; `to gm: your words` asks the GM."
        )
    meant = suggest(words[0], QUESTIONS) if words else None
    hint = f'; did you mean "{meant}"?' if meant else "."
    return f'"{said[:40]}" is not a question{hint} {listed}'


def list_numbers(rest: Sequence[str]) -> list[int]:
    """List the numbers among the words."""
    return [int(one[:9]) for one in rest if one.isascii() and one.isdigit()]


def first_number(rest: Sequence[str]) -> int | None:
    """Return the first number among the words."""
    return next(iter(list_numbers(rest)), None)
