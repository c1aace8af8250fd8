"""Questions to a GM at a terminal; nowhere else is anything asked."""

import sys
from collections.abc import Callable, Sequence

import click

from adjudicator.desk.errors import Refused

Check = Callable[[str], None]
"""Raises Refused where an answer will not do."""


def possible() -> bool:
    """Whether somebody sits there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def word(question: str, default: str | None = None, check: Check | None = None) -> str:
    """A line of text; asked again until the check does not refuse it."""

    def checked(said: str) -> str:
        answer = said.strip()
        try:
            if check is not None:
                check(answer)
        except Refused as refused:
            raise click.UsageError(str(refused)) from refused
        return answer

    answer: str = click.prompt(question, default=default, err=True, value_proc=checked)
    return answer


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

    def checked(said: str) -> None:
        if not (said.isascii() and said.isdigit() and smallest <= int(said) <= largest):
            raise Refused(f'a number from {smallest} to {largest}, please, not "{said}"')

    return int(word(question, str(default), checked))


def yes(question: str, *, default: bool) -> bool:
    """Yes or no."""
    return click.confirm(question, default=default, err=True)
