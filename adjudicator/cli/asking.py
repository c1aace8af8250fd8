"""Questions to a GM at a terminal; nowhere else is anything asked."""

import sys
from collections.abc import Sequence

import click


def possible() -> bool:
    """Whether somebody sits there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def word(question: str, default: str | None = None) -> str:
    """A line of text."""
    answer: str = click.prompt(question, default=default, err=True)
    return answer.strip()


def one_of(question: str, choices: Sequence[str]) -> str:
    """One of a few words; asked again until it is one."""
    if len(choices) == 1:
        return choices[0]
    answer: str = click.prompt(
        question, type=click.Choice(choices, case_sensitive=False), default=choices[0], err=True
    )
    return answer


def number(question: str, smallest: int, largest: int, default: int) -> int:
    """A whole number from a range."""
    answer: int = click.prompt(
        question, type=click.IntRange(smallest, largest), default=default, err=True
    )
    return answer


def yes(question: str, *, default: bool) -> bool:
    """Yes or no."""
    return click.confirm(question, default=default, err=True)
