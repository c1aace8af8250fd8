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

    def accept(text: str) -> str:
        answer = text.strip()
        try:
            if check is not None:
                check(answer)
        except Refused as refusal:
            raise click.UsageError(str(refusal)) from refusal
        return answer

    answer: str = click.prompt(question, default=default, err=True, value_proc=accept)
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

    def accept(text: str) -> None:
        if not (text.isascii() and text.isdigit() and smallest <= int(text) <= largest):
            raise Refused(f'write a number from {smallest} to {largest}, not "{text}"')

    return int(ask_word(question, str(default), accept))


def ask_yes_no(question: str, *, default: bool) -> bool:
    """Ask for yes or no."""
    return click.confirm(question, default=default, err=True)


def confirm_loss(sentence: str) -> None:
    """Ask whether to go on although this is lost; raises Refused."""
    print_note(sentence)
    if not ask_yes_no("Go on?", default=False):
        raise Refused("nothing was changed")


def check_new_name(office: "Office", name: str) -> None:
    """Refuse an invalid name for a new game."""
    from adjudicator.desk.acts.new import check_game_name

    names: list[str] = []
    if office.url or office.home.database.exists():
        with office.reading() as books:
            names = [game.id for game in books.games()]
    check_game_name(name, [*office.library.kinds()], names)


def check_pace(pace: str) -> None:
    """Refuse an invalid pace."""
    from adjudicator.desk.model.settings import settings_of

    settings_of({"pace": pace})


def check_player(player: str, players: Collection[str]) -> None:
    """Refuse an invalid player: a name, an address, or both are valid."""
    from adjudicator.desk.model.people import check_address

    for word in player.split():
        if "@" in word:
            check_address(word)
    if player in players and player.lower().partition(":")[0] not in ("bot", "-"):
        raise Refused(f"{player} already has a seat; nobody may hold two seats in a game")
