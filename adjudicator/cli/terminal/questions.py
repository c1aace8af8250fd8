"""Ask a GM at a terminal, and check the answers."""

import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import click

from adjudicator.cli.terminal.output import print_note
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office


CheckAnswer = Callable[[str], object]
"""Raises Refused for an unsuitable answer."""


def can_ask() -> bool:
    """Whether there is a person at a terminal to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask_word(question: str, default: str | None = None, check: CheckAnswer | None = None) -> str:
    """Ask for a line of text, again until the check accepts it."""

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


def ask_secret(question: str, *, repeat: bool) -> str:
    """Ask for a hidden line, twice if a typing error would lock its writer out."""
    answer: str = click.prompt(question, hide_input=True, confirmation_prompt=repeat, err=True)
    return answer


def ask_choice(question: str, choices: Sequence[str], default: str | None = None) -> str:
    """Ask for one of a few words, again until the answer is one."""
    answer: str = click.prompt(
        question, type=click.Choice(choices, case_sensitive=False), default=default, err=True
    )
    return answer


def ask_number(question: str, smallest: int, largest: int, default: int) -> int:
    """Ask for an integer within a range."""

    def checked(said: str) -> None:
        if not (said.isascii() and said.isdigit() and smallest <= int(said) <= largest):
            raise Refused(f'write a number from {smallest} to {largest}, not "{said}"')

    return int(ask_word(question, str(default), checked))


def ask_yes_no(question: str, *, default: bool) -> bool:
    """Ask for yes or no."""
    return click.confirm(question, default=default, err=True)


def confirm_loss(sentence: str) -> None:
    """Ask whether to go on although this is lost; raises Refused."""
    print_note(sentence)
    if not ask_yes_no("Go on?", default=False):
        raise Refused("nothing was changed")


def check_new_name(office: "Office", said: str) -> None:
    """Refuse an invalid name for a new game."""
    from adjudicator.desk.acts.new import check_game_name

    taken: list[str] = []
    if office.url or office.home.database.exists():
        with office.reading() as books:
            taken = [game.id for game in books.games()]
    check_game_name(said, [*office.library.kinds()], taken)


def check_pace(said: str) -> None:
    """Refuse an invalid pace."""
    from adjudicator.desk.model.settings import settings_of

    settings_of({"pace": said})


def check_player(said: str, seated: Collection[str]) -> None:
    """Refuse an invalid player: a name, an address, or both are valid."""
    from adjudicator.desk.model.people import check_address

    for word in said.split():
        if "@" in word:
            check_address(word)
    if said in seated and said.lower().partition(":")[0] not in ("bot", "-"):
        raise Refused(f"{said} already has a seat; nobody may hold two seats in a game")
